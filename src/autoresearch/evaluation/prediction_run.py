"""What all predictions of a run share: what is read, where they go, and the baseline's answer to each row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from autoresearch import progress
from autoresearch.releases.class_report import NO_DESCRIPTION
from autoresearch.standards.text import comparison_form

CHUNK = 1024

if TYPE_CHECKING:
    from autoresearch.evaluation.field_rows import SourceRow
    from autoresearch.evaluation.field_source import FieldTable
    from autoresearch.evaluation.prediction_columns import Predictions
    from autoresearch.evaluation.prediction_request import Request
    from autoresearch.evaluation.retrieval_baseline import BaselineAnswer, RetrievalBaseline
    from autoresearch.evaluation.review import Evidence, ReviewCode
    from autoresearch.task.assets import TaskAssets


Judge = Callable[["Evidence"], Sequence["ReviewCode"]]
"""The review of 10.3 with the thresholds of a run."""


@dataclass(frozen=True)
class Context:
    """What a run reads and where its predictions go."""

    request: Request
    assets: TaskAssets
    table: FieldTable
    baseline: RetrievalBaseline
    predictions: Predictions


def baseline_answers(context: Context) -> Iterator[tuple[int, SourceRow, BaselineAnswer]]:
    """Place, row and answer of each row that has a field name."""
    total = len(context.predictions)
    with progress.bar("predict", total=total, unit="fields") as bar:
        named = context.table.rows.named_rows()
        while chunk := list(islice(named, CHUNK)):
            fields, identities = [row.metadata for _, row in chunk], [row.identity for _, row in chunk]
            answers = context.baseline.answers(fields, identities)
            for (place, row), answer in zip(chunk, answers, strict=True):
                yield place, row, answer
            bar.advance(len(chunk))


def description_missing(row: SourceRow) -> bool:
    return comparison_form(row.metadata["field_description"]) in NO_DESCRIPTION


def training_fields(context: Context, category_id: str | None, categories: Mapping[str, int]) -> int | None:
    """Training fields of a category: of the model's own training, else of the labelled fields, None with neither."""
    if category_id is None:
        return None
    if categories:
        return categories.get(category_id, 0)
    return context.baseline.category_counts[category_id] if context.baseline.labelled else None
