"""``sft export``: canonical records to three-message rows, and the rows of their mixture (4.6, 4.12, 3.11)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InputError
from autoresearch.files import sha256_text
from autoresearch.progress import bar
from autoresearch.releases.bundles import bundles_of
from autoresearch.releases.candidate_report import CandidateTally
from autoresearch.releases.columns import ROWS_PER_GROUP, expected_schema, in_groups, read_row_groups
from autoresearch.releases.draft import make_header, make_report, table_counts
from autoresearch.releases.episode_rows import mixture_id, mixture_order
from autoresearch.releases.header import SPLITS, TWO_STAGE_PROMPTS, ReleaseHeader
from autoresearch.releases.inputs import AssetFiles, ExportInputs, load_assets
from autoresearch.releases.pair_columns import STAGES
from autoresearch.releases.pairs_export import check_policy
from autoresearch.releases.publish import Written, audited, publish, refuse_existing
from autoresearch.releases.release import Release
from autoresearch.releases.report import ExportReport
from autoresearch.releases.sources import SourceSet, load_sources
from autoresearch.releases.three_message_rows import source_table, three_message_row
from autoresearch.task.assets import TaskAssets
from autoresearch.task.candidates import CandidatePolicy, candidate_bundles, search_of
from autoresearch.task.candidates import Source as BundleSource

if TYPE_CHECKING:
    import pyarrow as pa

SOURCES_PER_GROUP = ROWS_PER_GROUP // len(STAGES)


def export(
    inputs: ExportInputs,
    output: Path,
    *,
    candidate_policy: str = "hard_negatives",
    failed_audit: Path | None = None,
) -> dict[str, Any]:
    """Build, validate and publish three-message rows at ``output``; returns the report.

    Errors as ``trajectory_export.assemble``.
    """
    with audited("sft export", output, failed_audit) as attempt:
        refuse_existing(output)
        policy = check_policy(candidate_policy)
        files = load_assets(inputs)
        assets = files.assets
        attempt.phase = "derive"
        found = load_sources(inputs, files)
        header = make_header(
            "three-message",
            found.dataset,
            assets,
            prompt_version=TWO_STAGE_PROMPTS,
            trajectory_format=None,
            enable_thinking=False,
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

        schema = expected_schema(header)
        tables = {split: _tables(assets, found, split, policy, tally, schema) for split in SPLITS}
        return publish(attempt, output, header, files, tables, report)


def _tables(
    assets: TaskAssets, found: SourceSet, split: str, policy: CandidatePolicy, tally: CandidateTally, schema: pa.Schema
) -> Iterator[pa.Table]:
    sources = found.by_split[split]
    with bar(f"three messages {split}", len(sources)) as progress:
        for start in range(0, len(sources), SOURCES_PER_GROUP):
            group = sources[start : start + SOURCES_PER_GROUP]
            subjects = [BundleSource(source.source_id, source.category_id, source.metadata) for source in group]
            best = search_of(assets, subjects)
            bundles = candidate_bundles(assets, policy, subjects, best)
            tally.add(best, [source.category_id for source in group], bundles)
            yield source_table(assets, group, bundles, schema)
            progress.advance(len(group))


def mixture_header(release: Release, files: AssetFiles) -> ReleaseHeader:
    """The header of the mixture of a three-message release."""
    return make_header(
        "sft-mixture",
        release.header.dataset,
        files.assets,
        prompt_version=TWO_STAGE_PROMPTS,
        trajectory_format=None,
        enable_thinking=False,
        candidate_policy=release.header.candidate_policy,
    )


def mixture_rows(release: Release, files: AssetFiles, split: str) -> Iterator[dict[str, Any]]:
    """Both stages of each source under its mixture id, candidates in the order of the new id, rows in the order
    of 4.12.
    """
    header, assets = release.header, files.assets
    if header.candidate_policy is None:
        raise InputError(f"{release.path}: the header names no candidate policy")
    policy = check_policy(header.candidate_policy)
    found = []
    for rows in read_row_groups(release.parquet(split)):
        for row in rows:
            identity = mixture_id(header.dataset, row["source_id"])
            found.append((mixture_order(split, identity, row["stage"]), identity, row))
            del row["messages"]
    found.sort(key=lambda item: item[0])
    with bar(f"mixture {split}", len(found)) as progress:
        for group in in_groups({"identity": identity, "row": row} for _, identity, row in found):
            subjects = [
                BundleSource(item["identity"], item["row"]["ground_truth"], item["row"]["metadata"]) for item in group
            ]
            for item, bundle in zip(group, bundles_of(assets, policy, subjects), strict=True):
                row = item["row"]
                provenance = {
                    "dataset": header.dataset,
                    "original_source_sha256": sha256_text(row["source_id"]),
                    "replica": 0,
                }
                yield three_message_row(
                    assets,
                    row["stage"],
                    item["identity"],
                    bundle,
                    row["metadata"],
                    row["ground_truth"],
                    row["ground_truth_level"],
                    provenance,
                )
            progress.advance(len(group))
