"""What val and test share with train: tables, equal rows, near rows (data-line.md 8.3)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from autoresearch import progress
from autoresearch.errors import InputError, RefusedError
from autoresearch.fields.leakage_counts import NEAR_THRESHOLD, LeakageBlock, SplitLeakage, leakage_block
from autoresearch.fields.pool import SPLITS, Pool, PoolWriter, is_resolved, stream_canonical
from autoresearch.fields.preprocess import FindingCount
from autoresearch.fields.spilled import nearest_folder
from autoresearch.files import without_collector, write_json
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.loading import Strict

PREFIX = "leakage"


class Maxima(Strict):
    """Largest shares that are accepted; None means any."""

    exact_share: float | None = None
    near_share: float | None = None
    table_share: float | None = None


class DatasetLeakage(Strict):
    """One dataset: its block and what was found."""

    status: Literal["passed", "failed"]
    leakage: LeakageBlock
    findings: tuple[FindingCount, ...]


class LeakageReport(Strict):
    """The report of ``data leakage``."""

    format: Literal["autoresearch-leakage-v1"] = "autoresearch-leakage-v1"
    status: Literal["passed", "failed"]
    maxima: Maxima
    datasets: dict[str, DatasetLeakage]


def judge(dataset: str, block: LeakageBlock, maxima: Maxima) -> DatasetLeakage:
    """Findings A010 to A013 of a block; ids in two splits and shares over a maximum are errors."""
    counter = FindingCounter()
    for split in SPLITS[1:]:
        part: SplitLeakage = getattr(block, split)
        for code, rows, share, limit, what in (
            ("A010", part.exact.rows, part.exact.share, maxima.exact_share, "rows equal to a train row"),
            ("A011", part.near.rows, part.near.share, maxima.near_share, "rows near to a train row"),
            ("A012", part.tables_seen_in_train, part.tables_seen_share, maxima.table_share, "tables that train holds"),
        ):
            over = limit is not None and share > limit
            if rows or over:
                rule = f"{what}: {rows}, share {share:.4f}" + (f", the maximum is {limit}" if over else "")
                place = f"dataset {dataset}, {split}"
                remedy = "split again by table or cluster"
                counter.add(
                    finding(code, place=place, rule=rule, remedy=remedy, severity="error" if over else None), rows
                )
    if block.ids_in_two_splits:
        rule = f"{block.ids_in_two_splits} ids stand in two splits"
        counter.add(finding("A013", place=f"dataset {dataset}", rule=rule, remedy="build and split again"))
    return DatasetLeakage(
        status="failed" if counter.errors else "passed",
        leakage=block,
        findings=tuple(FindingCount.model_validate(item) for item in counter.summary()),
    )


def placed_records(records: Iterable[dict[str, Any]], folder: Path | None = None) -> tuple[Pool, NDArray[np.int8]]:
    """Resolved records with a split as a pool, and the number of each one's split in ``SPLITS``. Texts go to an unnamed
    file in ``folder``.
    """
    writer, splits = PoolWriter(folder), array("b")
    with progress.bar(f"{PREFIX}: read", None, "records") as bar:
        for record in records:
            bar.advance()
            if is_resolved(record) and record.get("split") in SPLITS:
                writer.add(record, len(splits))
                splits.append(SPLITS.index(record["split"]))
    pool = writer.pool()
    return pool, np.array(splits, dtype=np.int8)[pool.record]


@without_collector()
def leakage_report(
    canonical: Mapping[str, str | Path],
    report: str | Path,
    *,
    near_threshold: float = NEAR_THRESHOLD,
    max_exact_share: float | None = None,
    max_near_share: float | None = None,
    max_table_share: float | None = None,
    overwrite: bool = False,
) -> LeakageReport:
    """``data leakage``: write and return the report; ``status`` is failed on A013 or a share over its maximum.

    ``canonical`` maps a dataset to its ``all.json``. Raises ``InputError`` for files without a split, ``RefusedError``
    for an
    existing report.
    """
    target = Path(report)
    if target.exists() and not overwrite:
        raise RefusedError(f"{PREFIX}: {target} exists; give --overwrite to replace it")
    require_threshold(near_threshold, PREFIX)
    maxima = Maxima(exact_share=max_exact_share, near_share=max_near_share, table_share=max_table_share)
    folder = nearest_folder(target.parent)
    datasets: dict[str, DatasetLeakage] = {}
    for dataset, path in canonical.items():
        pool, where = placed_records(stream_canonical(Path(path), PREFIX), folder)
        if not len(pool):
            raise InputError(f"{PREFIX}: {path}: no record has a split; run data split first")
        datasets[dataset] = judge(dataset, leakage_block(pool, where, near_threshold), maxima)
    failed = any(item.status == "failed" for item in datasets.values())
    done = LeakageReport(status="failed" if failed else "passed", maxima=maxima, datasets=datasets)
    write_json(target, done.model_dump(mode="json"))
    return done


def require_threshold(threshold: float, command: str) -> None:
    """Refuse a near threshold outside (0, 1]."""
    if not 0.0 < threshold <= 1.0:
        raise InputError(f"{command}: --near-threshold is above 0 and at most 1, not {threshold}")
