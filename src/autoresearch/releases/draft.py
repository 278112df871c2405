"""The part of an export report that all families share, put together from what was written (3.16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoresearch import __version__
from autoresearch.releases.gaps import GapGate
from autoresearch.releases.header import FORMAT_OF_FAMILY, SPLITS, Family, ReleaseHeader
from autoresearch.releases.inputs import AssetFiles
from autoresearch.releases.publish import Written
from autoresearch.releases.report import (
    ExportReport,
    Grading,
    InputFile,
    RecordCounts,
    ReleaseState,
    SplitFile,
    SplitLedger,
    Versions,
)
from autoresearch.task.assets import TaskAssets


def make_header(
    family: Family,
    dataset: str,
    assets: TaskAssets,
    *,
    prompt_version: str,
    trajectory_format: str | None,
    enable_thinking: bool,
    class_policy: str | None = None,
    candidate_policy: str | None = None,
    max_think_tokens: int | None = None,
) -> ReleaseHeader:
    """The header of a release over ``assets``; ``tools_sha256`` is set where the file holds a native prompt."""
    from autoresearch.task.tools import tools_sha256

    grading = assets.grading
    return ReleaseHeader.model_validate(
        {
            "format": FORMAT_OF_FAMILY[family],
            "family": family,
            "dataset": dataset,
            "prompt_version": prompt_version,
            "trajectory_format": trajectory_format,
            "enable_thinking": enable_thinking,
            "class_policy": class_policy,
            "candidate_policy": candidate_policy,
            "metadata_fields": list(assets.fields),
            "task_name": assets.task.task_name,
            "levels": list(assets.levels),
            "gt_field": None if grading is None else grading.gt_field,
            "max_think_tokens": max_think_tokens,
            "registry_sha256": assets.registry.digest,
            "corpus_sha256": assets.corpus.digest,
            "task_sha256": assets.task.digest,
            "grading_sha256": None if grading is None else grading.digest,
            "tools_sha256": None if trajectory_format is None else tools_sha256(),
        }
    )


def versions() -> Versions:
    """The versions that decide the bytes."""
    import pyarrow as pa

    return Versions(autoresearch=__version__, pyarrow=pa.__version__)


def table_counts(tables: Mapping[str, set[tuple[str, str]]], split: str) -> tuple[int, int]:
    """Tables of a split, and those of them that train holds too (for train: all)."""
    return len(tables[split]), len(tables[split] & tables["train"])


def make_report(
    header: ReleaseHeader,
    files: AssetFiles,
    written: Written,
    *,
    inputs: tuple[InputFile, ...],
    records: RecordCounts,
    ledger: Mapping[str, SplitLedger],
    tables: Mapping[str, tuple[int, int]],
    gaps: GapGate,
    further: Mapping[str, Any] | None = None,
) -> ExportReport:
    """The report without its validation. ``further``: the keys of the family; ``inputs`` come before those of the
    assets.
    """
    grading = files.assets.grading
    splits = {
        split: SplitFile(
            file=f"{split}.parquet",
            sha256=written.files[f"{split}.parquet"],
            rows=written.rows[split],
            tables=tables[split][0],
            tables_seen_in_train=tables[split][1],
        )
        for split in SPLITS
    }
    return ExportReport(
        format=header.format,
        family=header.family,
        header=header.without_split(),
        release=ReleaseState(status="passed", published=True, files=written.files),
        inputs=[*inputs, *files.entries],
        records=records,
        ledger=dict(ledger),
        splits=splits,
        grading=Grading(
            enabled=grading is not None,
            levels=list(files.assets.levels),
            gt_field=None if grading is None else grading.gt_field,
            sha256=None if grading is None else grading.digest,
        ),
        label_gap_gate=gaps.report(),
        validation={},
        versions=versions(),
        **(further or {}),
    )
