"""``eval episodes``: play every row of a split, or let the baseline answer it, and report (training.md 9)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InputError, RefusedError
from autoresearch.evaluation import metrics
from autoresearch.evaluation.abstention import abstention
from autoresearch.evaluation.eval_report import EvalReport, write_report
from autoresearch.evaluation.results import RowResult, episode_result, lookup_levels, row_result
from autoresearch.files import tree_sha256
from autoresearch.gates.rollout import longest_prompt, require_merged, require_release
from autoresearch.gates.rollout_numbers import majority_pair
from autoresearch.releases.release import Release
from autoresearch.training.binding import RECORD, require_binding
from autoresearch.training.environment import versions
from autoresearch.training.episodes import Engine, EpisodeRow, Sampling, read_rows, run
from autoresearch.training.loop_settings import loop_settings
from autoresearch.verdict import machine_name

if TYPE_CHECKING:
    from autoresearch.evaluation.retrieval_baseline import BaselineAnswer
    from autoresearch.task.assets import TaskAssets
    from autoresearch.training.transcripts import Episode

SHOWN_ERRORS = 20


@dataclass(frozen=True)
class EvalOptions:
    """Flags of ``eval episodes``. ``model`` None means the baseline without training."""

    release: Path
    out: Path
    model: Path | None = None
    split: str = "test"
    samples: int = 1
    temperature: float | None = None
    """None: greedy with one sample, 1.0 with several."""
    greedy: bool = False
    seed: int = 42
    engine: str = "transformers"
    max_prompt: int | None = None
    max_response: int = 1024
    limit: int | None = None
    """Only the first rows of the split, for a quick look; the report says so."""
    unbound: bool = False

    @property
    def is_greedy(self) -> bool:
        """Whether tokens are chosen without chance."""
        return self.greedy or (self.samples == 1 and self.temperature is None)


@dataclass(frozen=True)
class SplitData:
    """A release's split as an evaluation needs it, with what train says about labels and tables."""

    release: Release
    assets: TaskAssets
    rows: list[EpisodeRow]
    train: list[EpisodeRow]
    tables: set[str]
    total: int
    """Rows of the whole split."""


def read_split(path: Path, split: str, limit: int | None = None) -> SplitData:
    """Read and validate. Raises ``InputError`` for a split without rows, ``RefusedError`` for a changed release."""
    release = Release(path)
    require_release(release, path)
    train = read_rows(path, "train")
    rows = train if split == "train" else read_rows(path, split)
    if not rows:
        raise InputError(f"{path}: the split {split} has no rows; choose another --split")
    tables = {row.metadata.get("table_name") or "" for row in train}
    return SplitData(release, release.assets(), rows[:limit], train, tables, len(rows))


def evaluate(options: EvalOptions, engine: Engine | None = None) -> EvalReport:
    """Evaluate, write the report to ``options.out``, and return it.

    ``engine`` replaces the one named in the options (tests). Raises ``RefusedError`` or ``InputError`` before
    anything is played.
    """
    if options.out.exists():
        raise RefusedError(f"{options.out} exists; a report is never overwritten: give another --out")
    data = read_split(options.release, options.split, options.limit)
    if options.model is None:
        results = baseline_results(data, baseline_answers(data))
        report = make_report(options, data, results, [], None, None, [])
    else:
        report = evaluate_model(options, options.model, data, engine)
    write_report(options.out, report)
    return report


def evaluate_model(options: EvalOptions, model: Path, data: SplitData, engine: Engine | None) -> EvalReport:
    """Play the rows; transcripts lie beside the report."""
    require_merged(model)
    bound = require_binding(model, data.release.header.model_dump(), unbound=options.unbound)
    thinking = data.release.header.enable_thinking
    sampling = Sampling(
        temperature=1.0 if options.temperature is None else options.temperature,
        max_prompt=options.max_prompt or longest_prompt(model, data.rows, thinking),
        max_response=options.max_response,
        greedy=options.is_greedy,
    )
    folder = options.out.parent / f"{options.out.stem}-transcripts"
    if folder.exists():
        raise RefusedError(f"{folder} exists; it belongs to another evaluation: give another --out")
    started = time.monotonic()
    episodes = run(
        model,
        data.rows,
        release=options.release,
        samples=options.samples,
        sampling=sampling,
        seed=options.seed,
        engine=engine or options.engine,
        transcripts=folder,
        stage="eval episodes",
    )
    wall = time.monotonic() - started
    rows = {row.source_id: row for row in data.rows}
    results = [
        episode_result(rows[episode.source_id], episode, data.assets, data.tables)
        for episode in episodes
        if episode.error is None
    ]
    failed = [episode for episode in episodes if episode.error is not None]
    identity = {"name": model.resolve().name, "tree_sha256": tree_sha256(model, (RECORD,)), **bound}
    return make_report(options, data, results, failed, identity, wall, [f"{folder.name}/episodes.jsonl"], sampling)


def baseline_answers(data: SplitData) -> list[BaselineAnswer]:
    """What the retrieval baseline with the train labels answers to each row (10.4)."""
    from autoresearch.evaluation.retrieval_baseline import LabelledField, RetrievalBaseline

    labelled = [
        LabelledField(
            field_name=row.metadata.get("field_name") or "",
            table_name=row.metadata.get("table_name") or "",
            field_description=row.metadata.get("field_description") or "",
            category_id=row.ground_truth or "",
            level=row.ground_truth_level or "",
            identity=row.source_id,
        )
        for row in data.train
    ]
    fields = [{name: value or "" for name, value in row.metadata.items()} for row in data.rows]
    return RetrievalBaseline(data.assets, labelled).answer_many(fields, [row.source_id for row in data.rows])


def baseline_results(data: SplitData, answers: Sequence[BaselineAnswer]) -> list[RowResult]:
    """The baseline's answers, scored."""
    return [
        row_result(
            row,
            data.assets,
            data.tables,
            predicted=None if answer.category_id is None else (answer.category_id, answer.level),
            reason="ok" if answer.category_id is not None else "nothing_found",
        )
        for row, answer in zip(data.rows, answers, strict=True)
    ]


def majority_results(data: SplitData) -> list[RowResult]:
    """Always the most frequent (category, level) pair of train."""
    pair = majority_pair(data.train)
    return [row_result(row, data.assets, data.tables, predicted=pair, reason="ok") for row in data.rows]


def make_report(
    options: EvalOptions,
    data: SplitData,
    results: Sequence[RowResult],
    failed: Sequence[Episode],
    model: dict[str, Any] | None,
    wall: float | None,
    transcripts: list[str],
    sampling: Sampling | None = None,
) -> EvalReport:
    """All numbers of a report from scored rows."""
    seed = options.seed
    labels = [(row.ground_truth or "", row.ground_truth_level or "") for row in data.train]
    lookup = lookup_levels(labels, data.assets.levels)
    paths = {leaf.category_id: tuple(leaf.path) for leaf in data.assets.registry.leaves}
    names = {leaf.category_id: leaf.name for leaf in data.assets.registry.leaves}
    train_counts = Counter(category for category, _ in labels)
    answers = baseline_answers(data)
    numbers = {
        **metrics.main_numbers(results, seed),
        "level_lookup_baseline": metrics.level_lookup(results, lookup, seed),
        "parent_accuracy": metrics.parent_accuracy(results, paths),
        "macro_f1": {
            "category": metrics.macro_f1(
                [row.category_id for row in results], [row.predicted_category for row in results]
            ),
            "level": metrics.macro_f1([row.level for row in results], [row.predicted_level for row in results]),
        },
    }
    if model is not None:
        numbers["episodes"] = metrics.episode_numbers(results, wall)
        numbers["calibration"] = metrics.calibration(results)
        by_source = {row.source_id: answer for row, answer in zip(data.rows, answers, strict=True)}
        numbers["abstained"] = abstention(results, by_source, lookup, train_counts, data.assets.levels)
    settings: dict[str, Any] = {
        "seed": seed,
        "limit": options.limit,
        "enable_thinking": data.release.header.enable_thinking,
    }
    if sampling is not None:
        settings.update(
            engine=options.engine,
            sampling={**sampling.request(), "max_prompt": sampling.max_prompt, "max_response": sampling.max_response},
            loop=loop_settings(data.release.header.enable_thinking),
        )
    return EvalReport(
        kind="baseline" if model is None else "episodes",
        complete=not failed and options.limit is None,
        model=model,
        release=data.release.identity(),
        split=options.split,
        rows_in_split=data.total,
        samples=options.samples if model is not None else 1,
        settings=settings,
        numbers=numbers,
        baselines={
            "majority": metrics.main_numbers(majority_results(data), seed),
            "retrieval": metrics.main_numbers(baseline_results(data, answers), seed),
        },
        parts=metrics.parts(results, train_counts, seed),
        mistakes=metrics.mistakes(results, names),
        confusion_by_depth=metrics.confusion_by_depth(results, paths),
        errors=[
            {"source_id": episode.source_id, "sample": episode.sample, "error": episode.error}
            for episode in failed[:SHOWN_ERRORS]
        ]
        + ([{"more": len(failed) - SHOWN_ERRORS}] if len(failed) > SHOWN_ERRORS else []),
        transcripts=transcripts,
        versions=versions(),
        machine=machine_name(),
        rows=list(results),
    )
