"""``sft assemble``: canonical records and thoughts to a published release of tool trajectories (4.7, 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from autoresearch.errors import InputError, RefusedError
from autoresearch.findings import finding
from autoresearch.progress import bar, event
from autoresearch.releases.class_report import ClassTally
from autoresearch.releases.columns import ROWS_PER_GROUP, group_tables
from autoresearch.releases.draft import make_header, make_report, table_counts
from autoresearch.releases.gaps import label_gaps
from autoresearch.releases.header import NATIVE_PROMPTS, NATIVE_TOOL_TRAJECTORY_FORMAT, SPLITS, ReleaseHeader
from autoresearch.releases.inputs import AssetFiles, ExportInputs, input_entry, load_assets
from autoresearch.releases.publish import Attempt, Written, audited, publish, refuse_existing
from autoresearch.releases.report import ExportReport, ThinkReport
from autoresearch.releases.sources import THOUGHT_OVER_CAP, Source, SourceSet, load_sources
from autoresearch.releases.thought_files import FilledThought, load_thoughts, shard_paths
from autoresearch.releases.thoughts import MOCK_THOUGHTS, Caps, cap_thoughts, counter_of, thought_problems
from autoresearch.releases.trajectories import Call, ClassPolicy, Subject, Trajectory, TrajectoryDeriver
from autoresearch.releases.trajectory_rows import trajectory_row
from autoresearch.task.prompts import native_system, native_user
from autoresearch.task.tools import tools_json

FILE_PREFIX = "file:"
OverLimit = Literal["truncate", "discard"]


@dataclass(frozen=True)
class TrajectoryOptions:
    """How trajectories are made. ``think_source``: ``mock``, ``none``, ``file:PATH``; default by the thinking
    switch.
    """

    enable_thinking: bool = True
    class_policy: ClassPolicy = "search"
    think_source: str | None = None
    max_think_tokens: int = 128
    think_over_limit: OverLimit = "truncate"
    tokenizer: Path | None = None

    def source(self) -> tuple[Literal["mock", "file", "none"], Path | None]:
        """The kind of thoughts and their path. Raises ``InputError`` where kind and thinking disagree."""
        given = self.think_source or ("mock" if self.enable_thinking else "none")
        if self.class_policy not in get_args(ClassPolicy):
            raise InputError(f"--class-policy {self.class_policy}: give search or hash")
        if self.think_over_limit not in get_args(OverLimit):
            raise InputError(f"--think-over-limit {self.think_over_limit}: give truncate or discard")
        if self.max_think_tokens < 1:
            raise InputError(f"--max-think-tokens {self.max_think_tokens}: give a positive number")
        if given == "none" and self.enable_thinking:
            raise InputError(
                "--think-source none with thinking on leaves turns without a thought; give mock or file:PATH"
            )
        if given != "none" and not self.enable_thinking:
            raise InputError(f"--think-source {given} with thinking off: rows hold no thought; give none")
        if given == "mock":
            return "mock", None
        if given == "none":
            return "none", None
        if given.startswith(FILE_PREFIX) and len(given) > len(FILE_PREFIX):
            return "file", Path(given[len(FILE_PREFIX) :])
        raise InputError(f"--think-source {given}: give mock, none or file:PATH")


@dataclass
class _Tally:
    """What happened while rows were made, by split."""

    exported: Counter[str] = field(default_factory=Counter)
    discarded: Counter[str] = field(default_factory=Counter)
    labels: dict[str, set[tuple[str, str | None]]] = field(default_factory=lambda: {split: set() for split in SPLITS})
    tables: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: {split: set() for split in SPLITS})
    truncated_rows: int = 0
    truncated_turns: int = 0
    reused: int = 0
    used: int = 0


class TrajectoryMaker:
    """Turns sources into rows; keeps the tallies that the report needs."""

    def __init__(
        self, files: AssetFiles, options: TrajectoryOptions, thoughts: dict[str, FilledThought] | None
    ) -> None:
        self.assets = files.assets
        self.options = options
        self.kind, _ = options.source()
        self.thoughts = thoughts
        self.caps = Caps(options.max_think_tokens)
        self.counter = counter_of(options.tokenizer)
        self.deriver = TrajectoryDeriver(files.assets, options.class_policy)
        self.system = native_system(files.assets, options.enable_thinking)
        self.tally = _Tally()
        self.classes = ClassTally(files.assets, options.class_policy)

    def rows(self, found: SourceSet, split: str) -> Iterator[dict[str, Any]]:
        """The rows of a split in the order of source ids."""
        tools = tools_json()
        sources = found.by_split[split]
        with bar(f"assemble {split}", len(sources)) as progress:
            for start in range(0, len(sources), ROWS_PER_GROUP):
                group = sources[start : start + ROWS_PER_GROUP]
                kept = []
                for source, trajectory in zip(group, self.deriver.derive(subjects(group)), strict=True):
                    thoughts, truncated = self._thoughts(source, trajectory)
                    if thoughts is None:
                        self.tally.discarded[split] += 1
                        continue
                    self._count(split, source, truncated)
                    kept.append((trajectory, source.category_id, source.query))
                    yield trajectory_row(
                        source,
                        trajectory,
                        dataset=found.dataset,
                        system=self.system,
                        tools=tools,
                        choice_id=self.assets.registry.choice_id(source.category_id),
                        enable_thinking=self.options.enable_thinking,
                        thoughts=thoughts,
                        think_source=self.kind,
                        truncated_turns=truncated,
                    )
                self.classes.add(split, kept)
                progress.advance(len(group))

    def _count(self, split: str, source: Source, truncated: int) -> None:
        self.tally.exported[split] += 1
        self.tally.labels[split].add((source.category_id, source.level))
        self.tally.tables[split].add(source.table)
        self.tally.truncated_rows += truncated > 0
        self.tally.truncated_turns += truncated

    def _thoughts(self, source: Source, trajectory: Trajectory) -> tuple[Sequence[str | None] | None, int]:
        turns = len(trajectory.calls) + 1
        if self.kind == "none":
            return (None,) * turns, 0
        if self.kind == "mock":
            raw = MOCK_THOUGHTS[trajectory.assignment.trajectory_class]
        else:
            raw = self._filled(source, trajectory, turns)
        capped = cap_thoughts(raw, self.caps, self.counter, self.options.think_over_limit == "discard")
        return capped.thoughts, capped.truncated_turns

    def _filled(self, source: Source, trajectory: Trajectory, turns: int) -> tuple[str, ...]:
        assert self.thoughts is not None
        filled = self.thoughts.get(source.source_id)
        if filled is None:
            raise InputError(f"{source.source_id}: no shard holds its thoughts; fill every collected sample")
        check_shown(filled, self.system, source, trajectory)
        raw = filled.for_turns(turns)
        for thought in raw:
            problems = thought_problems(thought)
            if problems:
                item = finding(
                    "R058", place=filled.place, value=thought[:80], rule="; ".join(problems), remedy="write it again"
                )
                raise InputError(item.message(), [item])
        self.tally.used += 1
        self.tally.reused += filled.single and turns > 1
        return raw


def subjects(sources: Sequence[Source]) -> list[Subject]:
    """Sources as what trajectories are derived from."""
    return [Subject(source.source_id, source.category_id, source.metadata) for source in sources]


def check_shown(filled: FilledThought, system: str, source: Source, trajectory: Trajectory) -> None:
    """R063: what a shard shows of prompt, calls and results equals what is derived now."""
    user = native_user(source.metadata, list(source.metadata))
    derived = {
        "prompt": {"system": system, "user": user},
        "tool_calls": [_as_json(call) for call in trajectory.calls],
        "tool_results": list(trajectory.results),
    }
    for key, value in filled.shown.items():
        if value != derived[key]:
            rule = f"its {key} is not the one that is derived now"
            item = finding("R063", place=filled.place, value=source.source_id, rule=rule, remedy="collect again")
            raise InputError(item.message(), [item])


def _as_json(call: Call) -> dict[str, Any]:
    return {"name": call.name, "arguments": call.arguments}


def load_graded_assets(inputs: ExportInputs) -> AssetFiles:
    """The assets of a line that needs a grading standard. Raises ``InputError`` without one."""
    if inputs.grading_config is None:
        raise InputError("a grading standard is needed here; give --grading-config")
    return load_assets(inputs)


def assemble(
    inputs: ExportInputs,
    output: Path,
    options: TrajectoryOptions | None = None,
    failed_audit: Path | None = None,
) -> dict[str, Any]:
    """Build, validate and publish a trajectory release at ``output``; returns its report.

    Raises ``InputError`` for inputs that cannot be used and ``RefusedError`` when a gate, an existing target or
    the validator says no; a failed audit is then written beside ``output`` (3.17).
    """
    options = options or TrajectoryOptions()
    with audited("sft assemble", output, failed_audit) as attempt:
        refuse_existing(output)
        _, think_path = options.source()
        files = load_graded_assets(inputs)
        thoughts = None if think_path is None else load_thoughts(think_path)
        attempt.phase = "derive"
        found = load_sources(inputs, files)
        maker = TrajectoryMaker(files, options, thoughts)
        header = make_header(
            "trajectory",
            found.dataset,
            files.assets,
            prompt_version=NATIVE_PROMPTS,
            trajectory_format=NATIVE_TOOL_TRAJECTORY_FORMAT,
            enable_thinking=options.enable_thinking,
            class_policy=options.class_policy,
            max_think_tokens=options.max_think_tokens,
        )
        report = _publish(attempt, output, header, files, inputs, found, maker, think_path)
        for item in maker.classes.rare():
            event("sft assemble", f"sft assemble: {item.message()}", level="warning")
    return report


def _publish(
    attempt: Attempt,
    output: Path,
    header: ReleaseHeader,
    files: AssetFiles,
    inputs: ExportInputs,
    found: SourceSet,
    maker: TrajectoryMaker,
    think_path: Path | None,
) -> dict[str, Any]:
    shards = (
        ()
        if think_path is None
        else tuple(input_entry("thoughts", path, path.read_bytes()) for path in shard_paths(think_path))
    )

    def report(written: Written) -> ExportReport:
        tally = maker.tally
        gaps = label_gaps(tally.labels, allow=_still_used(inputs, tally), allow_any=inputs.allow_any_label_gap)
        gaps.raise_if_failed()
        ledger = {
            split: found.ledger(
                split,
                written.rows[split],
                tally.exported[split],
                {THOUGHT_OVER_CAP: tally.discarded[split]} if tally.discarded[split] else None,
            )
            for split in SPLITS
        }
        for split in SPLITS:
            if not tally.exported[split]:
                item = finding(
                    "R007", place=split, rule="every source was discarded", remedy="use --think-over-limit truncate"
                )
                raise RefusedError(item.message(), [item])
        further: dict[str, Any] = {
            "class_report": maker.classes.report(),
            "think": _think_report(maker),
            "label_source": "canonical",
            "skipped_sources": found.skipped_ids or None,
        }
        return make_report(
            header,
            files,
            written,
            inputs=(*found.entries, *shards),
            records=found.records,
            ledger=ledger,
            tables={split: table_counts(tally.tables, split) for split in SPLITS},
            gaps=gaps,
            further=further,
        )

    tables = {split: group_tables(maker.rows(found, split), header) for split in SPLITS}
    return publish(attempt, output, header, files, tables, report, tokenizer=maker.options.tokenizer)


def _still_used(inputs: ExportInputs, tally: _Tally) -> list[str]:
    """Waivers that name a gap of the exported rows; the others were found to name one of the sources already."""
    gaps = label_gaps(tally.labels, allow_any=True)
    labels = {label for label, _ in (*gaps.waived, *gaps.waived_levels)}
    return [label for label in inputs.allow_label_gaps if label in labels]


def _think_report(maker: TrajectoryMaker) -> ThinkReport:
    tally = maker.tally
    return ThinkReport(
        source=maker.kind,
        max_tokens=maker.caps.terminal,
        tool_max_tokens=maker.caps.tool,
        over_limit=maker.options.think_over_limit,
        counter=maker.counter.name,
        truncated_rows=tally.truncated_rows,
        truncated_turns=tally.truncated_turns,
        discarded=sum(tally.discarded.values()),
        reused_thoughts=tally.reused,
        unused_thoughts=len(maker.thoughts or ()) - tally.used,
    )
