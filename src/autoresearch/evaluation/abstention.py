"""How many rows the review flag of prediction would hold back, and how good the rest is (training.md 9, 10.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from autoresearch.evaluation.model_answers import vote
from autoresearch.evaluation.results import RowResult
from autoresearch.evaluation.review import AGREEMENT_BELOW, MARGIN_BELOW_JOINED, Evidence, review
from autoresearch.gates.statistics import share

if TYPE_CHECKING:
    from autoresearch.evaluation.retrieval_baseline import BaselineAnswer


def abstention(
    rows: Sequence[RowResult],
    baselines: Mapping[str, BaselineAnswer],
    lookup: Mapping[str, str],
    train_counts: Mapping[str, int],
    levels: Sequence[str],
) -> dict[str, Any]:
    """Share of rows flagged for review, and ``exact`` of the majority answer on the others.

    ``baselines`` by source id; ``lookup`` and ``train_counts`` by category; rows of several samples are joined by
    majority first.
    """
    by_row: dict[str, list[RowResult]] = defaultdict(list)
    for row in rows:
        by_row[row.source_id].append(row)
    middle = median([answer.margin or 0.0 for answer in baselines.values()]) if baselines else 0.0
    flagged = right = 0
    for key, samples in by_row.items():
        found = vote([row.pair for row in samples])
        category = found.pair[0] if found.pair else None
        baseline = baselines[key]
        evidence = Evidence(
            answered=found.pair is not None,
            level=found.pair[1] if found.pair else None,
            agreement=found.share,
            level_split=found.level_split,
            common_level=lookup.get(category or ""),
            baseline_disagrees=baseline.category_id not in (None, category) and (baseline.margin or 0.0) > middle,
            description_missing=not samples[0].described,
            training_fields=None if category is None else train_counts.get(category, 0),
        )
        if review(evidence, levels, agreement_below=AGREEMENT_BELOW, margin_below=MARGIN_BELOW_JOINED):
            flagged += 1
        elif found.pair == (samples[0].category_id, samples[0].level):
            right += 1
    return {"flagged": share(flagged, len(by_row)), "exact_on_rest": share(right, len(by_row) - flagged)}
