"""Predictions of a model: distinct prompts asked once, samples voted, evidence for the review (training 10.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from autoresearch import progress
from autoresearch.evaluation.model_answers import ModelAnswer, PredictionLog, Prompt, Settings, ask, vote
from autoresearch.evaluation.prediction import Prediction
from autoresearch.evaluation.prediction_run import (
    Context,
    Judge,
    baseline_answers,
    description_missing,
    training_fields,
)
from autoresearch.evaluation.release_labels import median_margin
from autoresearch.evaluation.review import AGREEMENT_BELOW, Evidence
from autoresearch.standards.task_config import METADATA_FIELDS

if TYPE_CHECKING:
    from autoresearch.evaluation.field_rows import SourceRow
    from autoresearch.evaluation.retrieval_baseline import BaselineAnswer
    from autoresearch.evaluation.standards_folder import StandardsFolder

LOG_NAME = "predictions.jsonl"
Said = Callable[[int], ModelAnswer]
"""What a model said of the row at a place."""


def by_model(context: Context, model: Path, folder: StandardsFolder, judge: Judge) -> tuple[dict[str, Any], Said]:
    """Fill the predictions; what the report says of the model, and what it said of a place. Raises as ``predict``."""
    from autoresearch.evaluation.model_binding import bound_model

    request, assets = context.request, context.assets
    bound = bound_model(model, assets, enable_thinking=request.enable_thinking, unbound=request.unbound)
    settings = Settings(
        model_tree=bound.tree,
        samples=request.samples,
        enable_thinking=bound.enable_thinking,
        engine=request.engine,
        seed=request.seed,
        max_prompt=request.max_prompt,
        max_response=request.max_response,
    )
    prompts = Prompts(context, settings)
    log = PredictionLog.open(
        request.out.parent / LOG_NAME, settings, resume=request.resume, overwrite=request.overwrite
    )
    review = ReviewSoFar()
    with progress.bar("predict", total=len(prompts), unit="fields") as bar, folder.as_release_assets() as scratch:
        bar.advance(sum(key in log.answers for key in prompts.keys))
        for count in ask(model, scratch, "predict", prompts, settings, log, request.engine_options):
            bar.advance(count, review.so_far(log))
    middle = median_margin(context.baseline)
    if middle is None:  # no release and no labelled field: the input's own median
        middle = float(np.median([answer.margin or 0.0 for _, _, answer in baseline_answers(context)]))

    def said(place: int) -> ModelAnswer:
        return log.answers[prompts.key(place)]

    for place, row, baseline in baseline_answers(context):
        found = _of_model(context, row, said(place), baseline, middle, bound.categories, judge)
        context.predictions.put(place, found)
    facts = {
        "mode": "model",
        "model": model.name,
        "model_tree": bound.tree,
        "enable_thinking": bound.enable_thinking,
        "samples": request.samples,
        "prompts": len(prompts),
        "bound": bound.bound,
    }
    return facts, said


class Prompts(Sequence[Prompt]):
    """The distinct prompts of the rows in the order of the input, each made when it is asked for: one holds the whole
    catalogue. ``keys`` are theirs.
    """

    def __init__(self, context: Context, settings: Settings) -> None:
        self._rows, self._assets, self._settings = context.table.rows, context.assets, settings
        numbers: dict[str, int] = {}
        self._number = np.full(len(self._rows), -1, dtype=np.int32)
        for place, row in self._rows.named_rows():
            self._number[place] = numbers.setdefault(self._prompt(row.metadata).key, len(numbers))
        self.keys = list(numbers)
        _, first = np.unique(self._number, return_index=True)
        self._first = np.sort(first[self._number[first] >= 0])

    def key(self, place: int) -> str:
        """The key of the prompt of a row that has a field name."""
        return self.keys[int(self._number[place])]

    def __len__(self) -> int:
        return len(self.keys)

    @overload
    def __getitem__(self, number: int) -> Prompt: ...

    @overload
    def __getitem__(self, number: slice) -> list[Prompt]: ...

    def __getitem__(self, number: int | slice) -> Prompt | list[Prompt]:
        places = self._first[number]
        shown = self._rows.texts(np.atleast_1d(places), METADATA_FIELDS)
        found = [self._prompt(dict(zip(METADATA_FIELDS, texts, strict=True))) for texts in shown]
        return found if isinstance(number, slice) else found[0]

    def _prompt(self, shown: Mapping[str, str]) -> Prompt:
        from autoresearch.task.prompts import native_messages

        metadata = {name: shown[name] for name in self._assets.fields}
        messages = native_messages(self._assets, metadata, self._settings.enable_thinking)
        return Prompt(self._settings.key(messages), messages, metadata)


class ReviewSoFar:
    """The share of the answers that a person must look at, as they come."""

    def __init__(self) -> None:
        self._seen = self._unsure = 0

    def so_far(self, log: PredictionLog) -> str:
        """Look at the answers that were not looked at yet."""
        for key in islice(log.answers, self._seen, None):
            found = vote(log.answers[key].pairs)
            self._unsure += found.pair is None or (found.share or 1.0) < AGREEMENT_BELOW
            self._seen += 1
        return f"review {self._unsure / max(1, self._seen):.0%}"


def _of_model(
    context: Context,
    row: SourceRow,
    answer: ModelAnswer,
    baseline: BaselineAnswer,
    middle: float,
    categories: Mapping[str, int],
    judge: Judge,
) -> Prediction:
    found = vote(answer.pairs)
    category_id = found.pair[0] if found.pair else None
    evidence = Evidence(
        answered=found.pair is not None,
        level=found.pair[1] if found.pair else None,
        agreement=found.share,
        level_split=found.level_split,
        common_level=context.baseline.common_level(category_id),
        baseline_disagrees=baseline.category_id not in (None, category_id) and (baseline.margin or 0.0) > middle,
        description_missing=description_missing(row),
        training_fields=training_fields(context, category_id, categories),
        too_long=answer.too_long,
    )
    return Prediction(
        found.pair,
        found.share,
        found.second,
        found.second_share,
        evidence.common_level,
        tuple(judge(evidence)),
        baseline,
    )
