"""Dividing resolved records into train, val and test (data-line.md 4.4).

A record file is read twice: once into the columns of a pool, and once more to write every record with its split.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autoresearch import progress
from autoresearch.errors import InputError, RefusedError
from autoresearch.fields.clusters import clusters
from autoresearch.fields.group_split import divide_groups
from autoresearch.fields.leakage import require_threshold
from autoresearch.fields.leakage_counts import LeakageBlock, leakage_block
from autoresearch.fields.pool import (
    DEFAULT_GROUP_KEY,
    SPLITS,
    Pool,
    PoolWriter,
    dotted,
    is_resolved,
    largest_remainder,
    record_line,
    stream_canonical,
)
from autoresearch.fields.processed import RecordFile, Together
from autoresearch.fields.random_split import cover_train, coverage, divide
from autoresearch.fields.spilled import nearest_folder
from autoresearch.fields.split_report import (
    Excluded,
    SplitReport,
    SplitType,
    coverage_block,
    distributions,
    warnings,
)
from autoresearch.files import json_text, without_collector
from autoresearch.findings import finding

PREFIX = "split"
RECORDS_NAME = "all.json"
REPORT_NAME = "split_report.json"
RATIO_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Plan:
    """How to split; the defaults are those of the command."""

    split_type: SplitType = "random"
    group_key: Sequence[str] = DEFAULT_GROUP_KEY
    near_threshold: float = 0.90
    train_ratio: float = 0.8
    val_ratio: float = 0.1
    test_ratio: float = 0.1
    seed: int = 42
    require_train_coverage: bool = False

    @property
    def ratios(self) -> tuple[float, float, float]:
        """Train, val, test."""
        return (self.train_ratio, self.val_ratio, self.test_ratio)

    def check(self) -> None:
        """Refuse ratios that are negative, have no train or do not sum to 1, and a bad threshold."""
        if any(ratio < 0 for ratio in self.ratios) or abs(sum(self.ratios) - 1.0) > RATIO_TOLERANCE:
            raise InputError(f"{PREFIX}: the ratios {self.ratios} must be at least 0 and sum to 1")
        if self.train_ratio == 0:
            raise InputError(f"{PREFIX}: --train-ratio must be above 0")
        require_threshold(self.near_threshold, PREFIX)


@dataclass(frozen=True)
class Divided:
    """One dataset divided: all records with their splits, and the report."""

    records: list[dict[str, Any]]
    report: SplitReport


@dataclass(frozen=True)
class Gathered:
    """What a split needs of all records: the resolved ones as a pool, and why the others stay out."""

    pool: Pool
    empty_key: array[int]
    """For each record 1 + the place of its empty group key in ``Plan.group_key``, or 0."""
    excluded: Counter[str]
    """Records by the reason why they have no split."""
    carries_split: bool


@dataclass(frozen=True)
class Assigned:
    """For each record of the file the number of its split in ``SPLITS`` (-1: none) and why it has none."""

    splits: NDArray[np.int8]
    empty_key: array[int]
    group_key: Sequence[str]
    report: SplitReport

    def place(self, record: dict[str, Any], number: int) -> dict[str, Any]:
        """Record ``number`` of the file with its split, or with the reason why it has none."""
        split, reason = self.splits[number], None
        if split < 0:
            empty = self.empty_key[number]
            reason = _empty_key_reason(self.group_key[empty - 1]) if empty else _unresolved_reason(record)
        return {**record, "split": None if split < 0 else SPLITS[split], "split_exclusion_reason": reason}


def gather(records: Iterable[dict[str, Any]], plan: Plan, folder: Path | None = None) -> Gathered:
    """Read all records once; what is kept of each is small. Their texts go to an unnamed file in ``folder``."""
    writer = PoolWriter(folder)
    empty_key = array("b")
    excluded: Counter[str] = Counter()
    carries_split = False
    with progress.bar(f"{PREFIX}: read", None, "records") as bar:
        for number, record in enumerate(records):
            bar.advance()
            carries_split = carries_split or bool(record.get("split"))
            empty_key.append(0)
            if not is_resolved(record):
                excluded[_unresolved_reason(record)] += 1
                continue
            texts: tuple[str, ...] = ()
            if plan.split_type == "group":
                texts = tuple(dotted(record, key) for key in plan.group_key)
                if not all(texts):
                    empty_key[-1] = texts.index("") + 1
                    excluded[_empty_key_reason(plan.group_key[texts.index("")])] += 1
                    continue
            writer.add(record, number, texts)
    return Gathered(writer.pool(), empty_key, excluded, carries_split)


def divide_records(dataset: str, records: Sequence[dict[str, Any]], plan: Plan) -> Divided:
    """Assign every resolved record to a split; pure. Raises ``InputError`` F061 or F062."""
    plan.check()
    done = divide_pool(dataset, gather(records, plan), plan)
    return Divided([done.place(record, number) for number, record in enumerate(records)], done.report)


def divide_pool(dataset: str, gathered: Gathered, plan: Plan) -> Assigned:
    """Assign every member of a pool to a split; pure. Raises ``InputError`` F041, F061 or F062."""
    pool = gathered.pool
    if not len(pool):
        raise InputError(f"{PREFIX}: dataset {dataset} has no resolved record to divide")
    _refuse_repeated_ids(dataset, pool)
    if plan.split_type == "random":
        assigned = divide(pool, plan.ratios, plan.seed)
        covered = cover_train(pool, assigned)
    else:
        assigned = divide_groups(pool, _groups(dataset, pool, plan), plan.ratios, plan.seed)
        covered = coverage(pool, assigned)
    sizes = dict(zip(SPLITS, np.bincount(assigned, minlength=len(SPLITS)).tolist(), strict=True))
    for split, ratio in zip(SPLITS, plan.ratios, strict=True):
        if ratio > 0 and not sizes[split]:
            item = finding(
                "F061",
                place=f"dataset {dataset}, {split}",
                rule=f"has a ratio of {ratio} and received none of {len(pool)} records",
                remedy="give more records or groups, or a ratio of 0",
            )
            raise InputError(f"{PREFIX}: {item.message()}.", [item])
    if plan.require_train_coverage and (covered.category_gaps or covered.level_gaps):
        gaps = ", ".join((*covered.category_gaps, *covered.level_gaps))
        item = finding(
            "F062",
            place=f"dataset {dataset}",
            value=gaps,
            rule="stand in val or test and not in train",
            remedy="label more fields of these, or leave out --require-train-coverage",
        )
        raise InputError(f"{PREFIX}: {item.message()}.", [item])
    block = leakage_block(pool, assigned, plan.near_threshold)
    excluded = gathered.excluded
    found = distributions(pool, assigned)
    report = SplitReport(
        dataset=dataset,
        sizes=sizes,
        input_size=len(pool) + excluded.total(),
        included_size=len(pool),
        excluded=Excluded(count=excluded.total(), by_reason=dict(sorted(excluded.items()))),
        seed=plan.seed,
        split_type=plan.split_type,
        ratios=dict(zip(SPLITS, plan.ratios, strict=True)),
        group_key=tuple(plan.group_key) if plan.split_type == "group" else None,
        distributions=found,
        coverage=coverage_block(covered),
        warnings=warnings(found),
        leakage=block,
    )
    splits = np.full(len(gathered.empty_key), -1, dtype=np.int8)
    splits[pool.record] = assigned
    return Assigned(splits, gathered.empty_key, plan.group_key, report)


def _refuse_repeated_ids(dataset: str, pool: Pool) -> None:
    """A record file with an id twice was not made by ``data build``, and an id can be in one split only."""
    repeated = pool.repeated_ids()
    if repeated.is_empty():
        return
    item = finding(
        "F041",
        place=f"dataset {dataset}",
        value=str(repeated[0]),
        rule=f"stands on {int((pool.ids == repeated[0]).sum())} records ({repeated.n_unique()} such ids)",
        remedy="run data build again",
    )
    raise InputError(f"{PREFIX}: {item.message()}.", [item])


def _groups(dataset: str, pool: Pool, plan: Plan) -> NDArray[np.int32]:
    """The groups that must stay whole, numbered in an order that only their content decides."""
    if plan.split_type == "group":
        ranks = np.empty(len(pool.groups), dtype=np.int32)
        ranks[sorted(range(len(pool.groups)), key=pool.groups.__getitem__)] = np.arange(len(ranks), dtype=np.int32)
        ranked: NDArray[np.int32] = ranks[pool.group]
        return ranked
    found = clusters(pool, plan.near_threshold)
    quota = largest_remainder(len(pool), plan.ratios)[0]
    largest = int(np.bincount(found).max())
    if largest > quota:
        dominant = finding(
            "F063",
            place=f"dataset {dataset}",
            rule=f"a cluster of {largest} records is larger than the quota of train, {quota}; it goes there whole",
            remedy="raise --near-threshold, or split by table",
        )
        progress.event(PREFIX, dominant.message(), level="warning")
    return found


def _empty_key_reason(key: str) -> str:
    return f"empty_group_key:{key}"


def _unresolved_reason(record: dict[str, Any]) -> str:
    return f"resolution_status:{record['resolution_status']}"


def _refuse_existing(folder: Path, carries_split: bool) -> None:
    names = [*(f"{split}.json" for split in SPLITS), REPORT_NAME]
    there = next((name for name in names if (folder / name).exists()), None)
    if there is None and not carries_split:
        return
    what = f"{there} exists" if there else "records already carry a split"
    item = finding("F060", place=folder.name, rule=what, remedy="give --overwrite to split again")
    raise RefusedError(f"{PREFIX}: {item.message()}.", [item])


def _write(folder: Path, done: Assigned, together: Together) -> None:
    """The three views, all records and the report; the records are read again, one by one."""
    views = {part: RecordFile(together.open(folder / f"{part}.json")) for part in SPLITS}
    every = RecordFile(together.open(folder / RECORDS_NAME))
    with progress.bar(f"{PREFIX}: write", len(done.splits), "records") as bar:
        for number, record in enumerate(stream_canonical(folder / RECORDS_NAME, PREFIX)):
            placed = done.place(record, number)
            line = record_line(placed).encode()
            every.write(line)
            if placed["split"] is not None:
                views[placed["split"]].write(line)
            bar.advance()
    for file in (*views.values(), every):
        file.close()
    together.open(folder / REPORT_NAME).write(json_text(done.report.model_dump(mode="json")).encode("utf-8"))


def _warn_of_tables(dataset: str, block: LeakageBlock) -> None:
    """A random split says how many tables of val and test train also holds."""
    seen = block.val.tables_seen_in_train + block.test.tables_seen_in_train
    total = block.val.tables + block.test.tables
    if seen:
        share = f"{seen} of {total} tables of val and test ({seen / total:.0%}) are also in train"
        hint = "scores will look better than on new tables; --split-type group keeps tables whole"
        progress.event(PREFIX, f"dataset {dataset}: {share}; {hint}", level="warning")


@without_collector()
def split(
    canonical_dir: str | Path, datasets: Sequence[str], plan: Plan | None = None, *, overwrite: bool = False
) -> dict[str, SplitReport]:
    """``data split``: write splits into ``all.json``, the three views and the report of each dataset, all or none.

    Raises ``InputError`` (F061, F062, bad ratios) and ``RefusedError`` (F060); then nothing was written.
    """
    plan = plan or Plan()
    plan.check()
    if not datasets:
        raise InputError(f"{PREFIX}: --dataset is needed")
    results: dict[str, Assigned] = {}
    for name in datasets:
        folder = Path(canonical_dir) / name
        gathered = gather(stream_canonical(folder / RECORDS_NAME, PREFIX), plan, nearest_folder(folder))
        if not overwrite:
            _refuse_existing(folder, gathered.carries_split)
        results[name] = divide_pool(name, gathered, plan)
    with Together() as together:
        for name, done in results.items():
            _write(Path(canonical_dir) / name, done, together)
    for name, done in results.items():
        if plan.split_type == "random":
            _warn_of_tables(name, done.report.leakage)
    return {name: done.report for name, done in results.items()}
