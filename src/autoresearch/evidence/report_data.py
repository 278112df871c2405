"""``report-data.json``: every number of the page with value, unit, formula and sources (formal-case.md 9.2, 15), and
how one is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autoresearch.files import read_json

NOTHING = "–"
FORMULAS: dict[str, dict[str, str]] = read_json(Path(__file__).with_name("formulas.json"))
"""Formula name -> what it computes, in English and Chinese (method notes of the page). ``record:<key>`` is verl's own
value of that key.
"""
UNITS = (
    "count", "steps", "seconds", "share", "difference", "percent", "bytes", "reward", "loss", "norm", "nats", "tokens",
    "rate", "probability", "tokens/s", "samples/s", "MiB", "watts", "milliseconds", "index",
)  # fmt: skip


@dataclass(frozen=True)
class Number:
    """One number. ``value`` None means unknown; ``sources`` are relative paths inside the bundle."""

    id: str
    value: int | float | None
    unit: str
    formula: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Series:
    """A line of a figure: ``x`` ascending (steps, or epoch milliseconds), ``y`` None where nothing was recorded."""

    id: str
    x_unit: str
    unit: str
    formula: str
    sources: tuple[str, ...]
    x: tuple[int | float, ...]
    y: tuple[int | float | None, ...]


@dataclass(frozen=True)
class Fact:
    """A word, yes/no or text that the page says and that was read from files, not computed."""

    id: str
    value: str | bool | None
    formula: str
    sources: tuple[str, ...]


def finite(value: object) -> int | float | None:
    """``value`` if it is a finite number, else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if math.isfinite(value) else None


@dataclass
class ReportData:
    """All numbers, lines and facts of a page, in the order they were added. An id stands once (``ValueError``)."""

    numbers: dict[str, Number] = field(default_factory=dict)
    series: dict[str, Series] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)

    def number(self, name: str, value: object, unit: str, formula: str, *sources: str) -> None:
        """Add a number; what is not finite becomes unknown."""
        self._new(name, formula)
        if unit not in UNITS:
            raise ValueError(f"{name}: {unit!r} is no unit of the page")
        self.numbers[name] = Number(name, finite(value), unit, formula, sources)

    def line(
        self,
        name: str,
        points: Sequence[tuple[int | float, object]],
        units: tuple[str, str],
        formula: str,
        *sources: str,
        full: Mapping[str, float | int | None] | None = None,
    ) -> None:
        """Add a line with its static summary (``<id>.n``, ``.min``, ``.p50``, ``.p95``, ``.max``); ``units`` are those
        of x and y. ``full`` is the summary of the whole line where ``points`` are only those that are drawn.
        """
        from autoresearch.telemetry.statistics import value_summary

        self._new(name, formula)
        values = [finite(y) for _, y in points]
        self.series[name] = Series(
            name, units[0], units[1], formula, sources, tuple(x for x, _ in points), tuple(values)
        )
        summary = full or value_summary([float(value) for value in values if value is not None])
        self.number(f"{name}.n", summary["n"], "count", "line.n", *sources)
        for key in ("min", "p50", "p95", "max"):
            self.number(f"{name}.{key}", summary[key], units[1], f"line.{key}", *sources)

    def fact(self, name: str, value: object, formula: str, *sources: str) -> None:
        """Add a word or yes/no; anything else is kept as its text, None as unknown."""
        self._new(name, formula)
        kept = value if value is None or isinstance(value, (bool, str)) else str(value)
        self.facts[name] = Fact(name, kept, formula, sources)

    def _new(self, name: str, formula: str) -> None:
        if name in self.numbers or name in self.series or name in self.facts:
            raise ValueError(f"the id {name!r} stands twice")
        if formula not in FORMULAS and not formula.startswith("record:"):
            raise ValueError(f"{name}: the formula {formula!r} is not described in formulas.json")

    def value(self, name: str) -> int | float | None:
        """Value of a number; None when it is unknown or absent."""
        found = self.numbers.get(name)
        return None if found is None else found.value

    def as_dict(self) -> dict[str, Any]:
        """The content of ``report-data.json``."""
        return {
            "schema_version": 1,
            "numbers": [_fields(each) for each in self.numbers.values()],
            "series": [_fields(each) for each in self.series.values()],
            "facts": [_fields(each) for each in self.facts.values()],
        }


def _fields(item: Number | Series | Fact) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in vars(item).items()}


def from_dict(content: dict[str, Any]) -> ReportData:
    """Read ``report-data.json`` back. Raises ``ValueError``, ``KeyError`` or ``TypeError`` when it has another form."""
    data = ReportData()
    for each in content["numbers"]:
        data.numbers[each["id"]] = Number(
            each["id"], each["value"], each["unit"], each["formula"], tuple(each["sources"])
        )
    for each in content["series"]:
        data.series[each["id"]] = Series(
            each["id"],
            each["x_unit"],
            each["unit"],
            each["formula"],
            tuple(each["sources"]),
            tuple(each["x"]),
            tuple(each["y"]),
        )
    for each in content["facts"]:
        data.facts[each["id"]] = Fact(each["id"], each["value"], each["formula"], tuple(each["sources"]))
    return data


def _grouped(value: int | float, digits: int) -> str:
    return f"{value:,.{digits}f}"


def _significant(value: float, digits: int = 4) -> str:
    text = f"{value:.{digits}g}"
    return text if "e" not in text or abs(value) < 1e-4 or abs(value) >= 1e7 else f"{value:.0f}"


def shown(value: int | float | None, unit: str) -> str:
    """How a number of a unit is written on the page; the same in both languages."""
    if value is None:
        return NOTHING
    if unit in ("count", "steps", "tokens"):
        return _grouped(value, 0 if float(value).is_integer() else 1)
    if unit == "share":
        return f"{100 * value:.1f}\u00a0%"
    if unit == "difference":
        return f"{100 * value:+.1f}\u00a0pp"
    if unit == "percent":
        return f"{value:.1f}\u00a0%"
    if unit == "seconds":
        return f"{value:.1f}\u00a0s" if abs(value) >= 10 else f"{value:.2f}\u00a0s"
    if unit == "bytes":
        return shown_bytes(value)
    if unit in ("tokens/s", "samples/s"):
        return f"{_grouped(value, 1 if unit == 'tokens/s' else 2)}\u00a0{unit}"
    if unit == "MiB":
        return f"{_grouped(value, 0 if float(value).is_integer() else 1)}\u00a0MiB"
    if unit == "watts":
        return f"{value:.1f}\u00a0W"
    if unit == "milliseconds":
        return f"{_grouped(value, 1)}\u00a0ms"
    if unit == "index":
        return str(value)
    return _significant(float(value))


def shown_bytes(value: int | float) -> str:
    """Bytes with a binary unit."""
    size = float(value)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(size) < 1024 or unit == "GiB":
            return f"{size:.0f}\u00a0B" if unit == "B" else f"{size:.2f}\u00a0{unit}"
        size /= 1024
    raise AssertionError("unreachable")


def differing_ids(recorded: ReportData, derived: ReportData) -> Iterable[str]:
    """Ids whose number, line or fact is not equal in both, or stands in one only."""
    pairs: tuple[tuple[Mapping[str, object], Mapping[str, object]], ...] = (
        (recorded.numbers, derived.numbers),
        (recorded.series, derived.series),
        (recorded.facts, derived.facts),
    )
    for left, right in pairs:
        for name in [*left, *(each for each in right if each not in left)]:
            if left.get(name) != right.get(name):
                yield name
