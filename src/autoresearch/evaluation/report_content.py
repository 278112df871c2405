"""All numbers of an evaluation report, from scored rows and what train says (training.md 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from autoresearch.evaluation import metrics
from autoresearch.evaluation.abstention import abstention
from autoresearch.evaluation.eval_report import EvalReport
from autoresearch.evaluation.split_data import baseline_results, majority_results
from autoresearch.training.environment import versions
from autoresearch.verdict import machine_name

if TYPE_CHECKING:
    from autoresearch.evaluation.results import RowResult
    from autoresearch.evaluation.split_data import EvalOptions, SplitData

SHOWN_ERRORS = 20
Kind = Literal["episodes", "two-stage"]
Failure = tuple[str, int, str]
"""Source id, sample, what failed."""


@dataclass(frozen=True)
class Played:
    """What a model did with a split; ``failed`` are those without a result."""

    results: list[RowResult]
    failed: list[Failure]
    model: dict[str, Any]
    wall: float
    """Seconds."""
    transcripts: list[str]
    settings: dict[str, Any] = field(default_factory=dict)


def model_report(kind: Kind, options: EvalOptions, data: SplitData, played: Played) -> EvalReport:
    """The report of a model."""
    results = played.results
    numbers = _numbers(kind, results, data, options.seed)
    if kind == "two-stage":
        numbers["two_stage"].update(metrics.cost_numbers(results, played.wall))
    else:
        numbers["episodes"] = metrics.episode_numbers(results, played.wall)
    numbers["calibration"] = metrics.calibration(results)
    if data.release.header.graded:
        answers = {row.source_id: answer for row, answer in zip(data.rows, data.baseline, strict=True)}
        numbers["abstained"] = abstention(results, answers, data.lookup, data.train_counts, data.assets.levels)
    report = _report(kind, options, data, results, numbers)
    more = len(played.failed) - SHOWN_ERRORS
    errors: list[dict[str, Any]] = [
        {"source_id": source, "sample": sample, "error": error}
        for source, sample, error in played.failed[:SHOWN_ERRORS]
    ]
    return report.model_copy(
        update={
            "kind": kind,
            "complete": not played.failed and options.limit is None,
            "model": played.model,
            "samples": options.samples,
            "settings": {**report.settings, **_engine(options), **played.settings},
            "errors": errors + ([{"more": more}] if more > 0 else []),
            "transcripts": played.transcripts,
        }
    )


def _engine(options: EvalOptions) -> dict[str, Any]:
    """The engine as a report records it."""
    more = {"engine_options": asdict(options.engine_options)} if options.engine == "vllm" else {}
    return {"engine": options.engine, **more}


def baseline_report(kind: Kind, options: EvalOptions, data: SplitData) -> EvalReport:
    """The report of the retrieval baseline: no engine, no transcripts, one answer a row."""
    results = baseline_results(data, shortlists=kind == "two-stage")
    return _report(kind, options, data, results, _numbers(kind, results, data, options.seed))


def _numbers(kind: Kind, results: Sequence[RowResult], data: SplitData, seed: int) -> dict[str, Any]:
    numbers = metrics.main_numbers(results, seed)
    if data.release.header.graded:
        numbers["level_lookup_baseline"] = metrics.level_lookup(results, data.lookup, seed)
    numbers["parent_accuracy"] = metrics.parent_accuracy(results, _paths(data))
    numbers["macro_f1"] = {
        "category": metrics.macro_f1([row.category_id for row in results], [row.predicted_category for row in results]),
        "level": metrics.macro_f1([row.level for row in results], [row.predicted_level for row in results])
        if data.release.header.graded
        else None,
    }
    if kind == "two-stage":
        numbers["two_stage"] = metrics.two_stage_numbers(results)
    return numbers


def _paths(data: SplitData) -> Mapping[str, Sequence[str]]:
    return {leaf.category_id: tuple(leaf.path) for leaf in data.assets.registry.leaves}


def _report(
    kind: Kind, options: EvalOptions, data: SplitData, results: Sequence[RowResult], numbers: dict[str, Any]
) -> EvalReport:
    """Everything that does not depend on who answered; the values of a baseline where it does."""
    seed = options.seed
    names = {leaf.category_id: leaf.name for leaf in data.assets.registry.leaves}
    return EvalReport(
        kind="baseline",
        complete=options.limit is None,
        model=None,
        release=data.release.identity(),
        split=options.split,
        rows_in_split=data.total,
        samples=1,
        settings={
            "seed": seed,
            "limit": options.limit,
            "enable_thinking": data.release.header.enable_thinking,
            **({"stages": 2} if kind == "two-stage" else {}),
        },
        numbers=numbers,
        baselines={
            "majority": metrics.main_numbers(majority_results(data), seed),
            "retrieval": metrics.main_numbers(baseline_results(data), seed),
        },
        parts=metrics.parts(results, data.train_counts, lambda some: _numbers(kind, some, data, seed)),
        mistakes=metrics.mistakes(results, names),
        confusion_by_depth=metrics.confusion_by_depth(results, _paths(data)),
        errors=[],
        transcripts=[],
        versions=versions(),
        machine=machine_name(),
        rows=list(results),
    )
