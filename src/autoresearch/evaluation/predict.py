"""Prediction on new fields: read, ask a model or the baseline, flag for review, write the sheet back (training 10)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, overload

from autoresearch.errors import InputError, RefusedError
from autoresearch.evaluation.by_model import Said, by_model
from autoresearch.evaluation.field_rows import SourceRow
from autoresearch.evaluation.field_source import FieldTable, leaf_names, read_fields, resolve_label
from autoresearch.evaluation.prediction import Prediction
from autoresearch.evaluation.prediction_columns import Labels, Predictions, Texts
from autoresearch.evaluation.prediction_report import prediction_report, summary_rows
from autoresearch.evaluation.prediction_request import Request
from autoresearch.evaluation.prediction_run import (
    Context,
    Judge,
    baseline_answers,
    description_missing,
    training_fields,
)
from autoresearch.evaluation.reasons import Explainer
from autoresearch.evaluation.release_labels import release_of, train_fields
from autoresearch.evaluation.retrieval_baseline import LabelledField, RetrievalBaseline
from autoresearch.evaluation.review import (
    AGREEMENT_BELOW,
    MARGIN_BELOW_CATALOGUE,
    MARGIN_BELOW_JOINED,
    Evidence,
    review,
)
from autoresearch.evaluation.sheet import Labelled, LabelledSheet, write_labelled
from autoresearch.evaluation.standards_folder import find_standards
from autoresearch.fields.spilled import nearest_folder

if TYPE_CHECKING:
    from autoresearch.task.assets import TaskAssets


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
        scratch=nearest_folder(request.out.parent),
    )
    named = table.rows.named
    if not len(named):
        raise InputError(f"predict: {table.name} has no row with a field name; check --sheet, --header-row, --mapping")
    names = leaf_names(assets)
    texts = Texts()
    labels = Labels(texts)
    release = None if request.labelled is not None else release_of(folder)
    neighbours = [] if release is None else train_fields(release)
    for place, row, label in _own_labels(table, assets, names):
        labels.put(place, label)
        if release is None and request.labelled is None:
            neighbours.append(_labelled(row, label))
    if request.labelled is not None:
        neighbours = _neighbours(request, assets)
    predictions = Predictions(texts, len(table.rows), named)
    context = Context(request, assets, table, RetrievalBaseline(assets, neighbours), predictions)
    threshold, calibrated = _threshold(context)
    judge = partial(review, levels=assets.levels, agreement_below=threshold, margin_below=threshold)
    said: Said | None = None
    if request.model is None:
        _by_baseline(context, judge)
        facts: dict[str, Any] = {"mode": "baseline"}
    else:
        facts, said = by_model(context, request.model, folder, judge)
    report = prediction_report(
        predictions, facts, labels=labels, assets=assets, neighbours=len(context.baseline.labelled)
    )
    report |= {
        "input": table.name,
        "input_sha256": table.sha256,
        "rows": len(table.rows),
        "review_below": threshold,
        "calibration": calibrated,
        "standards": {**folder.digests(), "leaves": len(assets.registry)},
    }
    sheet = _sheet(context, said, report)
    for path in request.outputs:
        write_labelled(path, sheet)
    seconds = time.monotonic() - started
    done = len(named)
    return {
        **report,
        "output": str(request.out),
        **({"also": str(request.also)} if request.also is not None else {}),
        "seconds": round(seconds, 2),
        "fields_per_second": round(done / seconds, 1),
        "reading": list(table.notes),
    }


def _check(request: Request) -> None:
    if request.out.suffix.lower() not in (".xlsx", ".csv"):
        raise InputError(f"predict: --out {request.out.name} must end in .xlsx or .csv")
    if request.samples < 1:
        raise InputError(f"predict: --samples is {request.samples}; at least one answer a field is needed")
    if request.calibration is not None and (request.model is None or request.review_below is not None):
        raise InputError(
            "predict: --calibration sets the agreement of a model; leave out --baseline and --review-below"
        )
    for path in request.outputs:
        if path.resolve() == request.input.resolve():
            raise RefusedError(f"predict: {path.name} is the input itself; give another --out")
        if path.exists() and not (request.overwrite or request.resume):
            raise RefusedError(f"predict: {path} exists; give --overwrite to replace it, or another --out")


def _own_labels(
    table: FieldTable, assets: TaskAssets, names: Mapping[str, str]
) -> Iterator[tuple[int, SourceRow, tuple[str, str]]]:
    """Place, row and own label of the rows that have one that the standard knows."""
    for place, row in table.rows.labelled():
        category_id, level = resolve_label(row, assets, names)
        if category_id is not None:
            yield place, row, (category_id, level)


def _labelled(row: SourceRow, label: tuple[str, str]) -> LabelledField:
    shown = row.metadata
    return LabelledField(
        shown["field_name"], shown["table_name"], shown["field_description"], label[0], label[1], row.identity
    )


def _neighbours(request: Request, assets: TaskAssets) -> list[LabelledField]:
    """The fields of ``--labelled``."""
    assert request.labelled is not None
    scratch = nearest_folder(request.out.parent)
    mapping = request.mapping if request.labelled.suffix != ".json" else None
    given = read_fields(request.labelled, mapping, scratch=scratch)
    found = [_labelled(row, label) for _, row, label in _own_labels(given, assets, leaf_names(assets))]
    if not found:
        raise InputError(f"predict: --labelled {given.name} has no field with a category of these standards")
    return found


def _by_baseline(context: Context, judge: Judge) -> None:
    for place, row, answer in baseline_answers(context):
        evidence = Evidence(
            answered=answer.category_id is not None,
            level=answer.level,
            common_level=context.baseline.common_level(answer.category_id),
            margin=answer.margin,
            description_missing=description_missing(row),
            training_fields=training_fields(context, answer.category_id, {}),
        )
        pair = None if answer.category_id is None else (answer.category_id, answer.level)
        second = None if answer.second is None else (answer.second, None)
        codes = tuple(judge(evidence))
        found = Prediction(pair, answer.margin, second, None, evidence.common_level, codes, answer)
        context.predictions.put(place, found)


def _threshold(context: Context) -> tuple[float, dict[str, Any] | None]:
    """The agreement (of the baseline: margin) below which a row is reviewed, and how it was set."""
    request = context.request
    if request.calibration is not None:
        from autoresearch.evaluation.calibration import calibrate
        from autoresearch.evaluation.eval_report import read_report

        found = calibrate(read_report(request.calibration).rows, request.keep_exact)
        return found.threshold, {"report": request.calibration.name, **asdict(found)}
    if request.review_below is not None:
        return request.review_below, None
    if request.model is not None:
        return AGREEMENT_BELOW, None
    return MARGIN_BELOW_JOINED if context.baseline.labelled else MARGIN_BELOW_CATALOGUE, None


def _sheet(context: Context, said: Said | None, report: Mapping[str, Any]) -> LabelledSheet:
    language = context.request.columns
    explainer = Explainer(context.assets, context.baseline, language)
    blocks = Blocks(context.predictions, said, explainer)
    order = context.predictions.urgent_first()
    certainty: Literal["confidence", "margin"] = "margin" if report["mode"] == "baseline" else "confidence"
    return LabelledSheet(context.table, blocks, order, summary_rows(report, language), certainty, language)


class Blocks(Sequence[Labelled | None]):
    """The block of each row, put into words when it is written; None for rows without a field name."""

    def __init__(self, predictions: Predictions, said: Said | None, explainer: Explainer) -> None:
        self._predictions, self._said, self._explainer = predictions, said, explainer

    def __len__(self) -> int:
        return len(self._predictions.rows)

    @overload
    def __getitem__(self, place: int) -> Labelled | None: ...

    @overload
    def __getitem__(self, place: slice) -> list[Labelled | None]: ...

    def __getitem__(self, place: int | slice) -> Labelled | list[Labelled | None] | None:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        prediction = self._predictions.get(place)
        if prediction is None:
            return None
        return self._explainer.block(
            prediction.pair,
            certainty=prediction.certainty,
            second=prediction.second,
            second_share=prediction.second_share,
            codes=prediction.codes,
            common_level=prediction.common_level,
            baseline=prediction.baseline,
            model=None if self._said is None else self._said(place),
        )
