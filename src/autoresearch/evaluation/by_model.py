"""Predictions of a model: distinct prompts asked once, samples voted, evidence for the review (training 10.2)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from autoresearch import progress
from autoresearch.evaluation.model_answers import ModelAnswer, PredictionLog, Prompt, Settings, ask, vote
from autoresearch.evaluation.prediction import (
    Context,
    Judge,
    Prediction,
    baseline_answers,
    description_missing,
    training_fields,
)
from autoresearch.evaluation.release_labels import median_margin
from autoresearch.evaluation.review import AGREEMENT_BELOW, Evidence

if TYPE_CHECKING:
    from autoresearch.evaluation.field_rows import SourceRow
    from autoresearch.evaluation.retrieval_baseline import BaselineAnswer
    from autoresearch.evaluation.standards_folder import StandardsFolder
    from autoresearch.task.assets import TaskAssets

LOG_NAME = "predictions.jsonl"


def by_model(
    context: Context, model: Path, folder: StandardsFolder, judge: Judge
) -> tuple[dict[int, Prediction], dict[str, Any]]:
    """Predictions by place, and what the report says of the model. Raises as ``predict``."""
    from autoresearch.evaluation.model_binding import bound_model

    request, assets, table = context.request, context.assets, context.table
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
    prompts = {place: _prompt(table.rows[place], assets, settings) for place in table.with_name}
    distinct = list({prompt.key: prompt for prompt in prompts.values()}.values())
    log = PredictionLog.open(
        request.out.parent / LOG_NAME, settings, resume=request.resume, overwrite=request.overwrite
    )
    with progress.bar("predict", total=len(distinct), unit="fields") as bar, folder.as_release_assets() as scratch:
        bar.advance(sum(prompt.key in log.answers for prompt in distinct))
        for count in ask(model, scratch, "predict", distinct, settings, log, request.engine_options):
            bar.advance(count, _review_so_far(log))
    baselines = {place: answer for place, _, answer in baseline_answers(context)}
    middle = median_margin(context.baseline)
    if middle is None:  # no release and no labelled field: the input's own median
        middle = median([answer.margin or 0.0 for answer in baselines.values()])
    found = {
        place: _of_model(
            context, place, log.answers[prompts[place].key], baselines[place], middle, bound.categories, judge
        )
        for place in table.with_name
    }
    facts = {
        "mode": "model",
        "model": model.name,
        "model_tree": bound.tree,
        "enable_thinking": bound.enable_thinking,
        "samples": request.samples,
        "prompts": len(distinct),
        "bound": bound.bound,
    }
    return found, facts


def _prompt(row: SourceRow, assets: TaskAssets, settings: Settings) -> Prompt:
    from autoresearch.task.prompts import native_messages

    metadata = {name: row.metadata[name] for name in assets.fields}
    messages = native_messages(assets, metadata, settings.enable_thinking)
    return Prompt(settings.key(messages), messages, metadata)


def _review_so_far(log: PredictionLog) -> str:
    votes = [vote(answer.pairs) for answer in log.answers.values()]
    unsure = sum(found.pair is None or (found.share or 1.0) < AGREEMENT_BELOW for found in votes)
    return f"review {unsure / max(1, len(votes)):.0%}"


def _of_model(
    context: Context,
    place: int,
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
        description_missing=description_missing(context.table.rows[place]),
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
        answer,
    )
