"""``sft collect``: shards of prompts, calls and results for a generator to fill with thoughts (4.7, 3.12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError, RefusedError
from autoresearch.files import atomic_write_text, sha256_file, staging, write_json
from autoresearch.findings import finding
from autoresearch.progress import bar
from autoresearch.releases.class_report import ClassTally
from autoresearch.releases.columns import ROWS_PER_GROUP
from autoresearch.releases.draft import make_header
from autoresearch.releases.header import NATIVE_PROMPTS, NATIVE_TOOL_TRAJECTORY_FORMAT, SPLITS
from autoresearch.releases.inputs import ExportInputs
from autoresearch.releases.publish import audited
from autoresearch.releases.report_forms import CollectReport
from autoresearch.releases.sources import Source, SourceSet, load_sources
from autoresearch.releases.thoughts import MOST_SENTENCES, TERMINAL_CAP, Caps
from autoresearch.releases.trajectories import ClassPolicy, Trajectory, TrajectoryDeriver
from autoresearch.releases.trajectory_export import load_graded_assets, subjects
from autoresearch.task.assets import TaskAssets
from autoresearch.task.prompts import compact, native_system, native_user

REPORT_NAME = "collect_report.json"
SHARD_PATTERN = "think-*.jsonl"
MUST_NOT_APPEAR = (
    "an answer or level key",
    "an object that opens with answer",
    "a control token",
    "unbalanced {} or []",
)


def collect(
    inputs: ExportInputs,
    folder: Path,
    *,
    class_policy: ClassPolicy = "search",
    enable_thinking: bool = True,
    shard_size: int = 64,
    overwrite: bool = False,
    failed_audit: Path | None = None,
) -> dict[str, Any]:
    """Write the shards and then ``collect_report.json`` into ``folder``; returns the report. No model is called.

    Raises ``RefusedError`` R002 for a folder that is not empty; with ``overwrite`` old shards and the old report are
    removed first, and files of other names still refuse.
    """
    with audited("sft collect", folder, failed_audit) as attempt:
        if shard_size < 1:
            raise InputError(f"--shard-size {shard_size}: give a positive number")
        if not enable_thinking:
            raise InputError("with thinking off a release holds no thoughts: there is nothing to collect")
        _prepare(folder, overwrite)
        files = load_graded_assets(inputs)
        assets = files.assets
        attempt.phase = "derive"
        found = load_sources(inputs, files)
        deriver = TrajectoryDeriver(assets, class_policy)
        classes = ClassTally(assets, class_policy)
        system = native_system(assets, enable_thinking)
        attempt.phase = "write"
        with _staged(folder, overwrite) as stage:
            shards: list[dict[str, Any]] = []
            for split in SPLITS:
                lines = _lines(found, split, deriver, classes, assets, system)
                shards.extend(_write_shards(stage, split, lines, shard_size))
            attempt.phase = "report"
            header = make_header(
                "trajectory",
                found.dataset,
                assets,
                prompt_version=NATIVE_PROMPTS,
                trajectory_format=NATIVE_TOOL_TRAJECTORY_FORMAT,
                enable_thinking=enable_thinking,
                class_policy=class_policy,
                max_think_tokens=TERMINAL_CAP,
            )
            skipped = sum((found.skipped[split] for split in SPLITS), Counter[str]())
            content = {
                "format": "autoresearch-think-collect-v1",
                "header": header.without_split(),
                "label_aware": True,
                "instruction": _instruction(),
                "shard_size": shard_size,
                "shards": shards,
                "splits": {split: len(found.by_split[split]) for split in SPLITS},
                "total_samples": sum(len(found.by_split[split]) for split in SPLITS),
                "skipped": dict(sorted(skipped.items())),
                "class_report": classes.report(),
            }
            report = CollectReport.model_validate(content).model_dump(mode="json")
            write_json(stage / REPORT_NAME, report)
    return report


def _instruction() -> dict[str, Any]:
    caps = Caps()
    return {
        "terminal_max_tokens": caps.terminal,
        "tool_max_tokens": caps.tool,
        "most_sentences": MOST_SENTENCES,
        "must_not_appear": list(MUST_NOT_APPEAR),
    }


def _prepare(folder: Path, overwrite: bool) -> None:
    if not folder.exists():
        return
    present = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else [folder.name]
    foreign = [name for name in present if name != REPORT_NAME and not Path(name).match(SHARD_PATTERN)]
    if foreign or (present and not overwrite):
        remedy = "give an empty folder" if foreign else "give an empty folder or --overwrite"
        raise _not_empty(folder, foreign[0] if foreign else present[0], remedy)


def _not_empty(folder: Path, what: str, remedy: str) -> RefusedError:
    item = finding("R002", place=str(folder), rule=f"holds {what} already", remedy=remedy)
    return RefusedError(item.message(), [item])


@contextmanager
def _staged(folder: Path, overwrite: bool) -> Iterator[Path]:
    """``files.staging`` whose refusal is R002; with ``overwrite`` it takes the place of old shards and their report."""

    def clear() -> None:
        for path in [*folder.glob(SHARD_PATTERN), folder / REPORT_NAME]:
            path.unlink(missing_ok=True)

    try:
        with staging(folder, clear if overwrite else None) as stage:
            yield stage
    except FileExistsError as error:
        raise _not_empty(folder, "files", "give an empty folder") from error


def _lines(
    found: SourceSet, split: str, deriver: TrajectoryDeriver, classes: ClassTally, assets: TaskAssets, system: str
) -> Iterator[str]:
    sources = found.by_split[split]
    with bar(f"collect {split}", len(sources)) as progress:
        for start in range(0, len(sources), ROWS_PER_GROUP):
            group = sources[start : start + ROWS_PER_GROUP]
            derived = deriver.derive(subjects(group))
            classes.add(
                split, [(item, source.category_id, source.query) for item, source in zip(derived, group, strict=True)]
            )
            for source, trajectory in zip(group, derived, strict=True):
                yield compact(_sample(source, trajectory, assets, system))
            progress.advance(len(group))


def _sample(source: Source, trajectory: Trajectory, assets: TaskAssets, system: str) -> dict[str, Any]:
    return {
        "sample_id": source.source_id,
        "split": source.split,
        "trajectory_class": trajectory.assignment.trajectory_class,
        "prompt": {"system": system, "user": native_user(source.metadata, assets.fields)},
        "tool_calls": [{"name": call.name, "arguments": call.arguments} for call in trajectory.calls],
        "tool_results": list(trajectory.results),
        "ground_truth": source.category_id,
        "ground_truth_level": source.level,
        "terminal_json": {"answer": assets.registry.choice_id(source.category_id), "level": source.level},
        "assistant_turns": len(trajectory.calls) + 1,
        "think": "",
        "tool_think": [""] * len(trajectory.calls),
    }


def _write_shards(folder: Path, split: str, lines: Iterator[str], size: int) -> Iterator[dict[str, Any]]:
    held: list[str] = []
    number = 0
    for line in lines:
        held.append(line)
        if len(held) == size:
            yield _write_shard(folder, split, number, held)
            held, number = [], number + 1
    if held:
        yield _write_shard(folder, split, number, held)


def _write_shard(folder: Path, split: str, number: int, lines: list[str]) -> dict[str, Any]:
    path = folder / f"think-{split}-{number:03d}.jsonl"
    atomic_write_text(path, "".join(f"{line}\n" for line in lines))
    return {"path": path.name, "rows": len(lines), "sha256": sha256_file(path)}
