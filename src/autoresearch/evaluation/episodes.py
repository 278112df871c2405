"""``eval episodes``: play every row of a split, or let the baseline answer it, and report (training.md 9)."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from autoresearch.errors import RefusedError
from autoresearch.evaluation.eval_report import EvalReport, write_report
from autoresearch.evaluation.report_content import Played, baseline_report, model_report
from autoresearch.evaluation.results import episode_result
from autoresearch.evaluation.split_data import EvalOptions, SplitData, read_split
from autoresearch.files import tree_sha256
from autoresearch.gates.rollout import longest_prompt, require_merged
from autoresearch.training.binding import RECORD, require_binding
from autoresearch.training.episodes import Engine, Sampling, run
from autoresearch.training.loop_settings import loop_settings

__all__ = ["EvalOptions", "evaluate"]


def evaluate(options: EvalOptions, engine: Engine | None = None) -> EvalReport:
    """Evaluate, write the report to ``options.out``, and return it.

    ``engine`` replaces the one named in the options (tests). Raises ``RefusedError`` or ``InputError`` before
    anything is played.
    """
    require_new(options.out)
    data = read_split(options.release, options.split, options.limit)
    if options.model is None:
        report = baseline_report("episodes", options, data)
    else:
        report = model_report("episodes", options, data, _play(options, options.model, data, engine))
    write_report(options.out, report)
    return report


def _play(options: EvalOptions, model: Path, data: SplitData, engine: Engine | None) -> Played:
    """Play the rows; transcripts lie beside the report."""
    identity = bound_identity(model, data, unbound=options.unbound)
    thinking = data.release.header.enable_thinking
    sampling = Sampling(
        temperature=1.0 if options.temperature is None else options.temperature,
        max_prompt=options.max_prompt or longest_prompt(model, data.rows, thinking),
        max_response=options.max_response,
        greedy=options.is_greedy,
    )
    folder = transcript_folder(options.out)
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
        engine_options=options.engine_options,
    )
    wall = time.monotonic() - started
    rows = {row.source_id: row for row in data.rows}
    results = [
        episode_result(rows[episode.source_id], episode, data.assets, data.tables)
        for episode in episodes
        if episode.error is None
    ]
    failed = [(episode.source_id, episode.sample, episode.error) for episode in episodes if episode.error is not None]
    settings = {"sampling": sampling_settings(sampling), "loop": loop_settings(thinking)}
    return Played(results, failed, identity, wall, [f"{folder.name}/episodes.jsonl"], settings)


def require_new(out: Path) -> None:
    """Raise ``RefusedError`` where a report stands already."""
    if out.exists():
        raise RefusedError(f"{out} exists; a report is never overwritten: give another --out")


def bound_identity(model: Path, data: SplitData, *, unbound: bool) -> dict[str, Any]:
    """Name, tree hash and binding of a model. Raises ``RefusedError`` (T201) for other standards, ``InputError`` for
    what is no merged model.
    """
    require_merged(model)
    bound = require_binding(model, data.release.header.model_dump(), unbound=unbound)
    return {"name": model.resolve().name, "tree_sha256": tree_sha256(model, (RECORD,)), **bound}


def transcript_folder(out: Path) -> Path:
    """The folder of transcripts beside a report. Raises ``RefusedError`` where another evaluation has left one."""
    folder = out.parent / f"{out.stem}-transcripts"
    if folder.exists():
        raise RefusedError(f"{folder} exists; it belongs to another evaluation: give another --out")
    return folder


def sampling_settings(sampling: Sampling) -> dict[str, Any]:
    """The sampling as a report records it."""
    return {**sampling.request(), "max_prompt": sampling.max_prompt, "max_response": sampling.max_response}
