"""Prediction on new fields: read, ask a model or the baseline, flag for review, write the sheet back (training 10)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from autoresearch import progress
from autoresearch.errors import InputError, RefusedError
from autoresearch.evaluation.field_source import FieldTable, SourceRow, leaf_names, read_fields, resolve_label
from autoresearch.evaluation.model_answers import ModelAnswer, PredictionLog, Prompt, Settings, ask, vote
from autoresearch.evaluation.prediction_report import prediction_report, summary_rows
from autoresearch.evaluation.reasons import Explainer
from autoresearch.evaluation.retrieval_baseline import BaselineAnswer, LabelledField, RetrievalBaseline
from autoresearch.evaluation.review import (
    AGREEMENT_BELOW,
    MARGIN_BELOW_CATALOGUE,
    MARGIN_BELOW_JOINED,
    Evidence,
    ReviewCode,
    review,
    urgency,
)
from autoresearch.evaluation.sheet import Labelled, LabelledSheet, Language, write_labelled
from autoresearch.evaluation.standards_folder import StandardsFolder, find_standards
from autoresearch.standards.text import comparison_form

if TYPE_CHECKING:
    from autoresearch.task.assets import TaskAssets

LOG_NAME = "predictions.jsonl"
MISSING = frozenset(("", "-", "--", "—", "——", "/", "无", "null", "none", "n/a", "na"))
"""Descriptions that say nothing (data-line 4.1.1 row 24)."""


@dataclass(frozen=True)
class Request:
    """What to predict and how; the flags of the command."""

    input: Path
    standards: Path
    out: Path
    model: Path | None = None
    """None: the retrieval baseline answers."""
    mapping: Path | None = None
    sheet: str | None = None
    header_row: int = 1
    encoding: str | None = None
    labelled: Path | None = None
    """Labelled fields for the baseline; without it the labelled rows of the input itself."""
    samples: int = 5
    engine: str = "transformers"
    review_below: float | None = None
    resume: bool = False
    overwrite: bool = False
    limit: int | None = None
    columns: Language = "zh"
    seed: int = 0
    enable_thinking: bool | None = None
    unbound: bool = False
    max_prompt: int = 4096
    max_response: int = 1024


@dataclass(frozen=True)
class Prediction:
    """One row's answer before it is put into words."""

    pair: tuple[str, str | None] | None
    certainty: float | None
    second: tuple[str, str | None] | None
    second_share: float | None
    evidence: Evidence
    baseline: BaselineAnswer
    codes: tuple[ReviewCode, ...] = ()
    model: ModelAnswer | None = None


@dataclass
class _Context:
    request: Request
    assets: TaskAssets
    table: FieldTable
    baseline: RetrievalBaseline
    labels: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Place of a row → its own (category id, level)."""


def predict(request: Request) -> dict[str, Any]:
    """Write ``request.out`` and return the numbers that the command prints.

    Raises ``InputError`` for inputs that cannot be read, ``RefusedError`` for an existing output or a model that is
    bound to other standards (T201), ``EpisodeError`` when the engine fails; what was answered is kept for ``--resume``.
    """
    started = time.monotonic()
    _check(request)
    folder = find_standards(request.standards)
    assets = folder.load()
    table = read_fields(
        request.input,
        request.mapping,
        sheet=request.sheet,
        header_row=request.header_row,
        encoding=request.encoding,
        limit=request.limit,
    )
    if not table.with_name:
        raise InputError(f"predict: {table.name} has no row with a field name; check --sheet, --header-row, --mapping")
    names = leaf_names(assets)
    labels = _own_labels(table, assets, names)
    context = _Context(
        request, assets, table, RetrievalBaseline(assets, _neighbours(request, table, labels, assets)), labels
    )
    if request.model is None:
        predictions, facts = _by_baseline(context), {"mode": "baseline"}
    else:
        predictions, facts = _by_model(context, request.model, folder)
    predictions = _reviewed(context, predictions)
    order = _urgent_first(table, predictions)
    report = prediction_report(
        predictions, order, facts, labels=context.labels, assets=assets, neighbours=len(context.baseline.labelled)
    )
    report |= {
        "input": table.name,
        "input_sha256": table.sha256,
        "rows": len(table.rows),
        "standards": {**folder.digests(), "leaves": len(assets.registry)},
    }
    sheet = _sheet(context, predictions, order, report)
    write_labelled(request.out, sheet)
    seconds = time.monotonic() - started
    done = len(table.with_name)
    return {
        **report,
        "output": str(request.out),
        "seconds": round(seconds, 2),
        "fields_per_second": round(done / seconds, 1),
        "reading": list(table.notes),
    }


def _check(request: Request) -> None:
    if request.out.suffix.lower() not in (".xlsx", ".csv"):
        raise InputError(f"predict: --out {request.out.name} must end in .xlsx or .csv")
    if request.samples < 1:
        raise InputError(f"predict: --samples is {request.samples}; at least one answer a field is needed")
    if request.out.resolve() == request.input.resolve():
        raise RefusedError("predict: --out is the input itself; give another name")
    if request.out.exists() and not (request.overwrite or request.resume):
        raise RefusedError(f"predict: {request.out} exists; give --overwrite to replace it, or another --out")


def _own_labels(table: FieldTable, assets: TaskAssets, names: Mapping[str, str]) -> dict[int, tuple[str, str]]:
    """Place of a row → its own label, where the input has one that the standard knows."""
    found = {}
    for place in table.with_name:
        category_id, level = resolve_label(table.rows[place], assets, names)
        if category_id is not None:
            found[place] = (category_id, level)
    return found


def _labelled(row: SourceRow, label: tuple[str, str]) -> LabelledField:
    shown = row.metadata
    return LabelledField(
        shown["field_name"], shown["table_name"], shown["field_description"], label[0], label[1], row.identity
    )


def _neighbours(
    request: Request, table: FieldTable, labels: Mapping[int, tuple[str, str]], assets: TaskAssets
) -> list[LabelledField]:
    if request.labelled is None:
        return [_labelled(table.rows[place], label) for place, label in labels.items()]
    given = read_fields(request.labelled, request.mapping if request.labelled.suffix != ".json" else None)
    own = _own_labels(given, assets, leaf_names(assets))
    if not own:
        raise InputError(f"predict: --labelled {given.name} has no field with a category of these standards")
    return [_labelled(given.rows[place], label) for place, label in own.items()]


def _baseline_answers(context: _Context) -> list[BaselineAnswer]:
    rows = [context.table.rows[place] for place in context.table.with_name]
    answers: list[BaselineAnswer] = []
    with progress.bar("predict", total=len(rows), unit="fields") as bar:
        for answer in context.baseline.answers([row.metadata for row in rows], [row.identity for row in rows]):
            answers.append(answer)
            bar.advance()
    return answers


def _description_missing(row: SourceRow) -> bool:
    return comparison_form(row.metadata["field_description"]) in MISSING


def _by_baseline(context: _Context) -> dict[int, Prediction]:
    found = {}
    for place, answer in zip(context.table.with_name, _baseline_answers(context), strict=True):
        evidence = Evidence(
            answered=answer.category_id is not None,
            level=answer.level,
            common_level=context.baseline.common_level(answer.category_id),
            margin=answer.margin,
            description_missing=_description_missing(context.table.rows[place]),
            training_fields=_training_fields(context, answer.category_id, {}),
        )
        pair = None if answer.category_id is None else (answer.category_id, answer.level)
        second = None if answer.second is None else (answer.second, None)
        found[place] = Prediction(pair, answer.margin, second, None, evidence, answer)
    return found


def _by_model(context: _Context, model: Path, folder: StandardsFolder) -> tuple[dict[int, Prediction], dict[str, Any]]:
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
        for count in ask(model, scratch, "predict", distinct, settings, log):
            bar.advance(count, _review_so_far(log))
    baselines = dict(zip(table.with_name, _baseline_answers(context), strict=True))
    middle = median([answer.margin or 0.0 for answer in baselines.values()])
    found = {
        place: _of_model(context, place, log.answers[prompts[place].key], baselines[place], middle, bound.categories)
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
    context: _Context,
    place: int,
    answer: ModelAnswer,
    baseline: BaselineAnswer,
    middle: float,
    categories: Mapping[str, int],
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
        description_missing=_description_missing(context.table.rows[place]),
        training_fields=_training_fields(context, category_id, categories),
        too_long=answer.too_long,
    )
    return Prediction(found.pair, found.share, found.second, found.second_share, evidence, baseline, model=answer)


def _training_fields(context: _Context, category_id: str | None, categories: Mapping[str, int]) -> int | None:
    """Training fields of a category: of the model's own training, else of the labelled fields, None with neither."""
    if category_id is None:
        return None
    if categories:
        return categories.get(category_id, 0)
    return context.baseline.category_counts[category_id] if context.baseline.labelled else None


def _reviewed(context: _Context, predictions: Mapping[int, Prediction]) -> dict[int, Prediction]:
    request = context.request
    margin = MARGIN_BELOW_JOINED if context.baseline.labelled else MARGIN_BELOW_CATALOGUE
    asked = request.review_below
    return {
        place: replace(
            prediction,
            codes=tuple(
                review(
                    prediction.evidence,
                    context.assets.levels,
                    agreement_below=AGREEMENT_BELOW if asked is None else asked,
                    margin_below=margin if asked is None else asked,
                )
            ),
        )
        for place, prediction in predictions.items()
    }


def _urgent_first(table: FieldTable, predictions: Mapping[int, Prediction]) -> list[int]:
    flagged = [place for place in table.with_name if predictions[place].codes]
    return sorted(flagged, key=lambda place: (*urgency(predictions[place].codes, predictions[place].certainty), place))


def _sheet(
    context: _Context, predictions: Mapping[int, Prediction], order: Sequence[int], report: Mapping[str, Any]
) -> LabelledSheet:
    language = context.request.columns
    explainer = Explainer(context.assets, context.baseline, language)
    blocks: list[Labelled | None] = [None] * len(context.table.rows)
    for place, prediction in predictions.items():
        blocks[place] = explainer.block(
            prediction.pair,
            certainty=prediction.certainty,
            second=prediction.second,
            second_share=prediction.second_share,
            codes=prediction.codes,
            common_level=prediction.evidence.common_level,
            baseline=prediction.baseline,
            model=prediction.model,
        )
    certainty: Literal["confidence", "margin"] = "margin" if report["mode"] == "baseline" else "confidence"
    return LabelledSheet(context.table, blocks, order, summary_rows(report, language), certainty, language)
