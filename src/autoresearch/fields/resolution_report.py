"""The resolution report: counts by status, what did not resolve, and how far a lookup of levels would go (data-line.md
3.8).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import polars as pl

from autoresearch.fields.preprocess import FindingCount
from autoresearch.fields.resolution import STATUSES
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.corpus import Corpus
from autoresearch.standards.datasets import DatasetConfig
from autoresearch.standards.loading import Strict
from autoresearch.standards.registry import LeafRegistry

NOT_FOUND = ("missing_leaf", "path_mismatch", "code_unresolved")


class RegistryFacts(Strict):
    """The registry that was used."""

    size: int
    sha256: str
    source: str
    derivation: Literal["standard", "shared-standard", "dataset-universe"]


class FileFacts(Strict):
    """A file by name and hash."""

    name: str
    sha256: str


class ByLeaf(Strict):
    """Unresolved records by leaf text."""

    count: int
    by_leaf: dict[str, int]


class ById(Strict):
    """Unresolved records by the category id that their path would have."""

    count: int
    by_id: dict[str, int]


class Unresolved(Strict):
    """Labelled records without a leaf of the standard."""

    missing_leaf: ByLeaf
    path_mismatch: ById
    code_unresolved: ByLeaf
    record_ids: tuple[str, ...]


class TwoLevels(Strict):
    """A leaf whose records carry more than one level."""

    category_id: str
    levels: tuple[str, ...]


class ResolutionReport(Strict):
    """``resolution_report.json`` (3.8)."""

    format: Literal["autoresearch-resolution-v1"] = "autoresearch-resolution-v1"
    dataset: str
    schema_version: int = 2
    input_records: int
    output_records: int
    status_counts: dict[str, int]
    registry: RegistryFacts
    corpus_sha256: str | None
    input: FileFacts
    unresolved: Unresolved
    categories_without_records: tuple[str, ...]
    leaves_with_two_levels: tuple[TwoLevels, ...]
    level_lookup_baseline: float | None
    findings: tuple[FindingCount, ...] = ()


def _counts(frame: pl.DataFrame, status: str, column: str) -> dict[str, int]:
    texts = frame.filter(pl.col("status") == status)[column].fill_null("")
    return {str(text): int(count) for text, count in sorted(texts.value_counts().iter_rows())}


def _levels(frame: pl.DataFrame) -> tuple[tuple[TwoLevels, ...], float | None]:
    """Leaves with two levels, and the accuracy of the most frequent level of each leaf on the records that have one."""
    graded = frame.filter((pl.col("status") == "resolved") & (pl.col("data_level") != ""))
    if graded.is_empty():
        return (), None
    counts = graded.group_by("category_id", "data_level").len().sort("category_id", "data_level")
    by_leaf = counts.group_by("category_id", maintain_order=True).agg("data_level", pl.col("len").max())
    two = tuple(
        TwoLevels(category_id=category_id, levels=tuple(levels))
        for category_id, levels, _ in by_leaf.iter_rows()
        if len(levels) > 1
    )
    return two, int(by_leaf["len"].sum()) / graded.height


def resolution_report(
    frame: pl.DataFrame,
    config: DatasetConfig,
    registry: LeafRegistry,
    corpus: Corpus | None,
    source: Mapping[str, str],
) -> ResolutionReport:
    """The report of resolved columns: ``id``, ``status``, ``category_id``, ``tried_id``, ``data_level`` and the level
    texts.
    """
    status = dict(frame["status"].value_counts().iter_rows())
    counts: dict[str, int] = {name: int(status.get(name, 0)) for name in STATUSES}
    leaf = config.leaf_level
    missing, code = _counts(frame, "missing_leaf", leaf), _counts(frame, "code_unresolved", leaf)
    mismatch = _counts(frame, "path_mismatch", "tried_id")
    found = set(frame["category_id"].drop_nulls().unique().to_list())
    two, baseline = _levels(frame)
    findings = FindingCounter()
    for name in STATUSES[1:]:
        if counts[name]:
            item = finding(
                "F042", place=f"dataset {config.dataset}, {name}: {counts[name]}", rule="records did not resolve"
            )
            findings.add(item, counts[name])
    return ResolutionReport(
        dataset=config.dataset,
        input_records=frame.height,
        output_records=frame.height,
        status_counts=counts,
        registry=RegistryFacts(
            size=len(registry),
            sha256=registry.digest,
            source=config.registry_source or config.dataset,
            derivation=config.registry_derivation,
        ),
        corpus_sha256=None if corpus is None else corpus.digest,
        input=FileFacts(name=source["name"], sha256=source["sha256"]),
        unresolved=Unresolved(
            missing_leaf=ByLeaf(count=counts["missing_leaf"], by_leaf=missing),
            path_mismatch=ById(count=counts["path_mismatch"], by_id=mismatch),
            code_unresolved=ByLeaf(count=counts["code_unresolved"], by_leaf=code),
            record_ids=tuple(frame.filter(pl.col("status").is_in(NOT_FOUND))["id"].sort().to_list()),
        ),
        categories_without_records=tuple(leaf.category_id for leaf in registry.leaves if leaf.category_id not in found),
        leaves_with_two_levels=two,
        level_lookup_baseline=baseline,
        findings=tuple(FindingCount.model_validate(item) for item in findings.summary()),
    )
