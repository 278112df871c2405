"""Findings: a stable code, a place, the value, the rule and the remedy (data-line.md section 9, training.md 13,
formal-case.md 13.2).

The table of codes is data: ``finding_codes.json`` beside this file. Codes are never reused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

Severity = Literal["error", "warning", "note"]
PLACES_KEPT = 10


@cache
def _codes() -> dict[str, tuple[str, Severity]]:
    content = json.loads(Path(__file__).with_name("finding_codes.json").read_text(encoding="utf-8"))
    return {code: (name, cast(Severity, severity)) for code, (name, severity) in content.items()}


CODES: dict[str, tuple[str, Severity]] = _codes()


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong or worth knowing. ``severity`` error stops a command or makes a verdict false."""

    code: str
    name: str
    severity: Severity
    place: str = ""
    value: str = ""
    rule: str = ""
    remedy: str = ""

    def message(self) -> str:
        """``F016 level-not-recognised: place: "value" rule; remedy``, in one line whatever a file's texts hold."""
        head = f"{self.code} {self.name}"
        place = f": {self.place}" if self.place else ""
        value = f': "{self.value}"' if self.value else ""
        rule = f" {self.rule}" if self.rule else ""
        if rule and not value:
            rule = f":{rule}"
        remedy = f"; {self.remedy}" if self.remedy else ""
        return _one_line(f"{head}{place}{value}{rule}{remedy}")

    def as_dict(self) -> dict[str, str]:
        """The JSON form: code, name, severity, place, value, rule, remedy."""
        return asdict(self)


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())


def finding(
    code: str,
    *,
    place: str = "",
    value: str = "",
    rule: str = "",
    remedy: str = "",
    severity: Severity | None = None,
) -> Finding:
    """Build a finding; name and severity come from the table. Raises ``KeyError`` for a code that does not exist."""
    name, default = CODES[code]
    return Finding(code, name, severity or default, place, value, rule, remedy)


@dataclass
class FindingCounter:
    """Counts findings by code and keeps the first places of each, so that memory stays flat."""

    kept: dict[str, list[Finding]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, item: Finding, count: int = 1) -> None:
        """Count ``item`` ``count`` times; its place is kept while fewer than ten of the code are."""
        self.counts[item.code] = self.counts.get(item.code, 0) + count
        places = self.kept.setdefault(item.code, [])
        if len(places) < PLACES_KEPT:
            places.append(item)

    def extend(self, items: Iterable[Finding]) -> None:
        """``add`` each of ``items``."""
        for item in items:
            self.add(item)

    def findings(self, severity: Severity | None = None) -> list[Finding]:
        """The kept findings in code order, of one severity if given."""
        kept = [item for code in sorted(self.kept) for item in self.kept[code]]
        return [item for item in kept if severity is None or item.severity == severity]

    @property
    def errors(self) -> bool:
        """True when any kept finding is an error."""
        return any(item.severity == "error" for items in self.kept.values() for item in items)

    def summary(self) -> list[dict[str, Any]]:
        """``[{code, name, severity, count, first: [place…≤10]}]`` in code order, the form of the reports."""
        return [
            {
                "code": code,
                "name": items[0].name,
                "severity": items[0].severity,
                "count": self.counts[code],
                "first": [item.place for item in items if item.place],
            }
            for code, items in sorted(self.kept.items())
        ]

    def message(self, prefix: str) -> str:
        """One message a code: the first finding in full and how many there are in all."""
        lines = []
        for code, items in sorted(self.kept.items()):
            if items[0].severity != "error":
                continue
            count = self.counts[code]
            more = _one_line("; ".join(f"{item.place}{f' {item.value!r}' if item.value else ''}" for item in items[1:]))
            lines.append(f"{prefix}: {items[0].message()}." + (f" {count} in all; also: {more}" if count > 1 else ""))
        return "\n".join(lines)
