"""The label gap: a category or level that val or test holds and train does not blocks an export (4.5.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from autoresearch.errors import InputError, RefusedError
from autoresearch.findings import finding
from autoresearch.releases.report import LabelGapGate, LabelInSplit

Gap = tuple[str, str]
"""Label and the split that holds it."""


@dataclass(frozen=True)
class GapGate:
    """The verdict with the gaps that block and those that were waived."""

    status: Literal["passed", "waived", "failed"]
    blocking: tuple[Gap, ...]
    waived: tuple[Gap, ...]
    blocking_levels: tuple[Gap, ...]
    waived_levels: tuple[Gap, ...]

    def report(self) -> LabelGapGate:
        """The form of the report."""
        blocking, waived, blocking_levels, waived_levels = (
            [LabelInSplit(label=label, split=split) for label, split in gaps]
            for gaps in (self.blocking, self.waived, self.blocking_levels, self.waived_levels)
        )
        return LabelGapGate(
            status=self.status,
            blocking=blocking,
            waived=waived,
            blocking_levels=blocking_levels,
            waived_levels=waived_levels,
        )

    def raise_if_failed(self) -> None:
        """Raise ``RefusedError`` R011 naming every blocking label."""
        if self.status != "failed":
            return
        remedy = "split again with train coverage, or waive each by --allow-label-gaps"
        found = [
            finding("R011", place=split, value=label, rule="is in no train source", remedy=remedy)
            for label, split in (*self.blocking, *self.blocking_levels)
        ]
        named = ", ".join(f"{label} ({split})" for label, split in (*self.blocking, *self.blocking_levels))
        raise RefusedError(f"R011 label-gap: not in train: {named}; {remedy}", found)


def label_gaps(
    labels: Mapping[str, Iterable[tuple[str, str | None]]], allow: Sequence[str] = (), allow_any: bool = False
) -> GapGate:
    """Judge (category id, level) pairs by split. Pure. Raises ``InputError`` for a waiver that names no gap."""
    categories: dict[str, set[str]] = {}
    levels: dict[str, set[str]] = {}
    for split, pairs in labels.items():
        seen = set(pairs)
        categories[split] = {category for category, _ in seen}
        levels[split] = {level for _, level in seen if level is not None}
    category_gaps, level_gaps = _missing(categories), _missing(levels)
    unused = sorted(set(allow) - {label for label, _ in (*category_gaps, *level_gaps)})
    if unused:
        raise InputError(f"--allow-label-gaps {unused[0]}: no gap has this label; take the waiver away")

    def waived(gap: Gap) -> bool:
        return allow_any or gap[0] in allow

    blocking = tuple(gap for gap in category_gaps if not waived(gap))
    blocking_levels = tuple(gap for gap in level_gaps if not waived(gap))
    any_gap = bool(category_gaps or level_gaps)
    status: Literal["passed", "waived", "failed"] = "waived" if any_gap else "passed"
    if blocking or blocking_levels:
        status = "failed"
    return GapGate(
        status,
        blocking,
        tuple(gap for gap in category_gaps if waived(gap)),
        blocking_levels,
        tuple(gap for gap in level_gaps if waived(gap)),
    )


def _missing(by_split: Mapping[str, set[str]]) -> list[Gap]:
    train = by_split.get("train", set())
    return [(label, split) for split in ("val", "test") for label in sorted(by_split.get(split, set()) - train)]
