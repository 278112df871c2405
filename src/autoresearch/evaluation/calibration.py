"""The agreement below which answers are reviewed, read off an evaluation with several samples a row (training 10.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autoresearch.errors import InputError
from autoresearch.evaluation.model_answers import vote

if TYPE_CHECKING:
    from autoresearch.evaluation.results import RowResult

ALL_REVIEWED = 1.01
"""A threshold that no agreement reaches: where none keeps the asked share, every row is reviewed."""


@dataclass(frozen=True)
class Calibration:
    """The chosen threshold and what it does on the report."""

    threshold: float
    asked: float
    kept: int
    """Rows of the report at or above the threshold."""
    right: int
    """Those of them whose majority answer is exact."""
    rows: int


def calibrate(results: Sequence[RowResult], asked: float) -> Calibration:
    """The smallest agreement that keeps ``exact`` of the rows at or above it ≥ ``asked``.

    Raises ``InputError`` for a share outside 0 to 1 and for a report with one sample a row, which has no agreement.
    """
    if not 0 < asked <= 1:
        raise InputError(f"predict: --keep-exact is {asked}; it is a share between 0 and 1")
    by_row: dict[str, list[RowResult]] = defaultdict(list)
    for result in results:
        by_row[result.source_id].append(result)
    if not by_row or min(len(samples) for samples in by_row.values()) < 2:
        raise InputError("predict: --calibration needs a report of `eval episodes` with --samples 2 or more")
    judged = []
    for samples in by_row.values():
        ordered = sorted(samples, key=lambda sample: sample.sample)
        found = vote([sample.pair for sample in ordered])
        judged.append((found.share or 0.0, found.pair == (ordered[0].category_id, ordered[0].level)))
    for threshold in sorted({share for share, _ in judged}):
        kept = [right for share, right in judged if share >= threshold]
        if sum(kept) >= asked * len(kept):
            return Calibration(threshold, asked, len(kept), sum(kept), len(judged))
    return Calibration(ALL_REVIEWED, asked, 0, 0, len(judged))
