"""The rehearsal: derive everything again from raw files and locks alone, and compare every number (formal-case.md
9.7)."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.derived import derived_texts, read_lock, write_telemetry
from autoresearch.evidence.numbers import derive_numbers
from autoresearch.evidence.report_data import Fact, Number, ReportData, Series, differing_ids, from_dict
from autoresearch.evidence.writer import make_writable
from autoresearch.files import atomic_write_text, read_json

DERIVED = ("report_data", "report_check", "report", "matrix", "stage_timings", "steps", "telemetry_table")


@dataclass(frozen=True)
class Rehearsal:
    """``numbers`` compared, ``equal`` of them, and each that differs or whose source is not in the bundle."""

    numbers: int
    equal: int
    different: list[dict[str, Any]] = field(default_factory=list)
    missing_sources: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """True when everything was derived again bit for bit."""
        return self.numbers > 0 and self.equal == self.numbers and not self.missing_sources

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "numbers": self.numbers,
            "equal": self.equal,
            "different": self.different,
            "missing_sources": self.missing_sources,
        }


def remove_derived(root: Path) -> None:
    """Remove all derived files of a copied bundle; the labelled sheet, which is no derived file, stays."""
    bundle = Bundle(root)
    for name in DERIVED:
        bundle.path(name).unlink(missing_ok=True)
    for path in root.rglob("*.prom"):
        path.unlink()
    for row in bundle.rows():
        (bundle.row_folder(row) / "telemetry-stats.json").unlink(missing_ok=True)


def rehearse(source: Path, work: Path) -> Rehearsal:
    """Copy the bundle into ``work`` (which must not exist), derive everything again there and compare it with what
    was recorded.

    Raises ``InputError`` when ``source`` is no bundle, ``OSError`` or ``ValueError`` when a file it needs is
    unreadable.
    """
    sealed = Bundle(source)
    recorded = from_dict(read_json(sealed.path("report_data")))
    shutil.copytree(source, work)
    make_writable(work)
    remove_derived(work)
    bundle = Bundle(work)
    lock = read_lock(bundle)
    for name, text in derived_texts(bundle, lock).items():
        atomic_write_text(work / name, text)
    write_telemetry(bundle, lock)
    derived = derive_numbers(bundle)
    different = [_difference(each, recorded, derived) for each in differing_ids(recorded, derived)]
    items = _all_items(recorded)
    missing = sorted({path for item in items.values() for path in item.sources if not (source / path).exists()})
    return Rehearsal(len(items), len(items) - len(different), different, missing)


def _all_items(data: ReportData) -> dict[str, Number | Series | Fact]:
    return {**data.numbers, **data.series, **data.facts}


def _difference(name: str, recorded: ReportData, derived: ReportData) -> dict[str, Any]:
    left, right = _all_items(recorded).get(name), _all_items(derived).get(name)
    item = left or right
    return {
        "id": name,
        "recorded": _value(left),
        "derived": _value(right),
        "sources": list(item.sources) if item is not None else [],
    }


def _value(item: Number | Series | Fact | None) -> Any:
    if isinstance(item, Series):
        return {"points": len(item.x)}
    return None if item is None else item.value
