"""``rl export``: canonical records to a published release of stage1/stage2 pairs (4.11)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from autoresearch.errors import InputError
from autoresearch.findings import finding
from autoresearch.progress import bar
from autoresearch.releases.candidate_report import CandidateTally
from autoresearch.releases.columns import ROWS_PER_GROUP, group_tables
from autoresearch.releases.draft import make_header, make_report, table_counts
from autoresearch.releases.episode_rows import STAGE1, STAGE2, episode_row, stage1_prompt, stage2_prompt
from autoresearch.releases.header import BOTH_PROMPTS, NATIVE_TOOL_TRAJECTORY_FORMAT, SPLITS, TWO_STAGE_PROMPTS
from autoresearch.releases.inputs import ExportInputs, load_assets
from autoresearch.releases.publish import Written, audited, publish, refuse_existing
from autoresearch.releases.report import ExportReport
from autoresearch.releases.sources import SourceSet, load_sources
from autoresearch.task.assets import TaskAssets
from autoresearch.task.candidates import CandidatePolicy, candidate_bundles, search_of
from autoresearch.task.candidates import Source as BundleSource


def check_policy(policy: str) -> CandidatePolicy:
    """The policy, or ``InputError`` when there is no such one."""
    known: tuple[CandidatePolicy, ...] = get_args(CandidatePolicy)
    for name in known:
        if policy == name:
            return name
    raise InputError(f"--candidate-policy {policy}: give {' or '.join(known)}")


def check_level_field(assets: TaskAssets) -> None:
    """The RL line and mixtures need levels from ``data_level`` and a described rubric (3.7)."""
    grading = assets.grading
    if grading is None:
        return
    problem = None
    if grading.gt_field != "data_level":
        problem = f'gt_field is {grading.gt_field!r}; the RL line needs "data_level"'
    elif not grading.descriptions:
        problem = "has no descriptions; the RL line needs one for each level"
    if problem is not None:
        item = finding("F035", place="--grading-config", rule=problem, remedy="correct the grading standard")
        raise InputError(item.message(), [item])


def export(
    inputs: ExportInputs,
    output: Path,
    *,
    candidate_policy: str = "hard_negatives",
    enable_thinking: bool = True,
    failed_audit: Path | None = None,
) -> dict[str, Any]:
    """Build, validate and publish pairs at ``output``; returns the report. Errors as ``trajectory_export.assemble``."""
    with audited("rl export", output, failed_audit) as attempt:
        refuse_existing(output)
        policy = check_policy(candidate_policy)
        files = load_assets(inputs)
        assets = files.assets
        assets.corpus.require_equal(assets.registry)
        check_level_field(assets)
        attempt.phase = "derive"
        found = load_sources(inputs, files)
        graded = assets.grading is not None
        header = make_header(
            "rl-pairs",
            found.dataset,
            assets,
            prompt_version=BOTH_PROMPTS if graded else TWO_STAGE_PROMPTS,
            trajectory_format=NATIVE_TOOL_TRAJECTORY_FORMAT if graded else None,
            enable_thinking=enable_thinking,
            candidate_policy=policy,
        )
        tally = CandidateTally(policy)

        def report(written: Written) -> ExportReport:
            return make_report(
                header,
                files,
                written,
                inputs=found.entries,
                records=found.records,
                ledger={
                    split: found.ledger(split, written.rows[split], len(found.by_split[split])) for split in SPLITS
                },
                tables={split: table_counts(found.tables, split) for split in SPLITS},
                gaps=found.gaps,
                further={"candidate_report": tally.report(), "skipped_sources": found.skipped_ids or None},
            )

        rows = {split: pair_rows(assets, found, split, policy, enable_thinking, tally) for split in SPLITS}
        tables = {split: group_tables(rows[split], header) for split in SPLITS}
        return publish(attempt, output, header, files, tables, report)


def pair_rows(
    assets: TaskAssets,
    found: SourceSet,
    split: str,
    policy: CandidatePolicy,
    enable_thinking: bool,
    tally: CandidateTally,
) -> Iterator[dict[str, Any]]:
    """Stage1 then stage2 of each source, in the order of source ids."""
    sources = found.by_split[split]
    task_name = assets.task.task_name
    with bar(f"pairs {split}", len(sources)) as progress:
        for start in range(0, len(sources), ROWS_PER_GROUP):
            group = sources[start : start + ROWS_PER_GROUP]
            subjects = [BundleSource(source.source_id, source.category_id, source.metadata) for source in group]
            best = search_of(assets, subjects)
            bundles = candidate_bundles(assets, policy, subjects, best)
            tally.add(best, [source.category_id for source in group], bundles)
            for source, bundle in zip(group, bundles, strict=True):
                first = stage1_prompt(assets, source.metadata, enable_thinking)
                second = stage2_prompt(assets, bundle, source.metadata)
                for stage, prompt, candidates in ((STAGE1, first, None), (STAGE2, second, bundle)):
                    yield episode_row(
                        found.dataset,
                        stage,
                        source.source_id,
                        prompt,
                        task_name,
                        source.category_id,
                        source.level,
                        source.metadata,
                        candidates,
                    )
            progress.advance(len(group))
