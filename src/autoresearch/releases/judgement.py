"""The judgement of a validator: findings by split with their places, and the report made of them (7.0)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from autoresearch.findings import CODES, Severity

FORMAT = "autoresearch-validation-v1"
PLACES_LISTED = 100
FIRST_PLACES = 10
CROSS = ""
"""The key of findings that belong to no single split."""


class Place(NamedTuple):
    """Where in a release something is: ``split, row N (from 0), source, message M``."""

    split: str
    row: int | None = None
    source_id: str | None = None
    message: int | None = None

    def text(self) -> str:
        """The place in words, as reports hold it."""
        parts = [self.split]
        if self.row is not None:
            parts.append(f"row {self.row}")
        if self.source_id is not None:
            parts.append(self.source_id)
        if self.message is not None:
            parts.append(f"message {self.message}")
        return ", ".join(part for part in parts if part)


@dataclass
class _Kept:
    severity: Severity
    count: int = 0
    places: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


class Judgement:
    """Collects every finding; all are counted, the first hundred places of a code and split are kept."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, _Kept]] = {}
        self.checks: set[str] = set()
        self.added = 0
        """How many findings there are in all."""

    def ran(self, *codes: str) -> None:
        """Say that the checks behind ``codes`` were made."""
        self.checks.update(codes)

    def add(self, code: str, place: Place | str, rule: str, severity: Severity | None = None) -> None:
        """Count one finding. ``place`` is a place in a split, or words for what belongs to none."""
        split = place.split if isinstance(place, Place) else CROSS
        where = place.text() if isinstance(place, Place) else place
        name, default = CODES[code]
        kept = self._kept.setdefault(split, {}).setdefault(code, _Kept(severity or default))
        if kept.severity != "error" and (severity or default) == "error":
            kept.severity = "error"
        kept.count += 1
        self.added += 1
        if len(kept.places) < PLACES_LISTED:
            kept.places.append(where)
            kept.texts.append(f"{code} {name}: {where}: {rule}")
        self.checks.add(code)

    @property
    def valid(self) -> bool:
        """True when no finding has the severity error."""
        return not any(kept.severity == "error" for codes in self._kept.values() for kept in codes.values())

    def count(self, code: str) -> int:
        """How many findings of ``code`` there are in all."""
        return sum(codes[code].count for codes in self._kept.values() if code in codes)

    def report(
        self,
        family: str,
        dataset: str | None,
        header: dict[str, Any] | None,
        sizes: tuple[int | None, int | None],
        rows: dict[str, int],
    ) -> dict[str, Any]:
        """The object of 7.0. ``sizes``: registry and corpus."""
        return {
            "format": FORMAT,
            "family": family,
            "valid": self.valid,
            "dataset": dataset,
            "header": header,
            "registry_size": sizes[0],
            "corpus_size": sizes[1],
            "splits": {split: self._split(split, rows.get(split, 0)) for split in self._splits(rows)},
            "cross_split_errors": self._errors(CROSS),
            "checks_run": sorted(self.checks),
            "findings": self._findings(),
        }

    def _splits(self, rows: dict[str, int]) -> list[str]:
        """The splits that could be opened, then those of which there is a finding nevertheless."""
        return [*rows, *(split for split in self._kept if split != CROSS and split not in rows)]

    def _errors(self, split: str) -> list[str]:
        codes = self._kept.get(split, {})
        return [text for code in sorted(codes) if codes[code].severity == "error" for text in codes[code].texts]

    def _split(self, split: str, rows: int) -> dict[str, Any]:
        codes = self._kept.get(split, {})
        findings = [{"code": code, "count": codes[code].count, "places": codes[code].places} for code in sorted(codes)]
        return {"rows": rows, "errors": self._errors(split), "findings": findings}

    def _findings(self) -> list[dict[str, Any]]:
        found = []
        for code in sorted({code for codes in self._kept.values() for code in codes}):
            kept = [codes[code] for codes in self._kept.values() if code in codes]
            worst: Severity = "error" if any(item.severity == "error" for item in kept) else kept[0].severity
            found.append(
                {
                    "code": code,
                    "name": CODES[code][0],
                    "severity": worst,
                    "count": sum(item.count for item in kept),
                    "first": [place for item in kept for place in item.places][:FIRST_PLACES],
                }
            )
        return found
