"""Dividing resolved records into train, val and test (data-line.md 4.4)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autoresearch import progress
from autoresearch.errors import InputError, RefusedError
from autoresearch.fields.clusters import clusters
from autoresearch.fields.group_split import divide_groups
from autoresearch.fields.leakage import LeakageBlock, leakage_block, require_threshold
from autoresearch.fields.pool import (
    DEFAULT_GROUP_KEY,
    SPLITS,
    Member,
    Split,
    dotted,
    is_resolved,
    largest_remainder,
    member,
    record_line,
    stream_canonical,
)
from autoresearch.fields.processed import RecordFile, Together
from autoresearch.fields.random_split import cover_train, coverage, divide
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


@dataclass
class Pool:
    """What a split needs of all records: the resolved ones as members, and why the others stay out."""

    members: list[Member] = field(default_factory=list)
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Group key texts by id, in a split by group."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Why a resolved record has no split, by id."""
    unresolved: Counter[str] = field(default_factory=Counter)
    carries_split: bool = False


@dataclass(frozen=True)
class Assigned:
    """Which split each id has, and the report."""

    splits: dict[str, Split]
    reasons: dict[str, str]
    report: SplitReport


def gather(records: Iterable[dict[str, Any]], plan: Plan) -> Pool:
    """Read all records once; what is kept of each is small."""
    pool = Pool()
    for record in records:
        pool.carries_split = pool.carries_split or bool(record.get("split"))
        if not is_resolved(record):
            pool.unresolved[_unresolved_reason(record)] += 1
            continue
        if plan.split_type == "group":
            texts = tuple(dotted(record, key) for key in plan.group_key)
            empty = next((key for key, text in zip(plan.group_key, texts, strict=True) if not text), None)
            if empty is not None:
                pool.reasons[record["id"]] = f"empty_group_key:{empty}"
                continue
            pool.keys[record["id"]] = texts
        pool.members.append(member(record))
    pool.members.sort(key=lambda item: item.id)
    return pool


def divide_records(dataset: str, records: Sequence[dict[str, Any]], plan: Plan) -> Divided:
    """Assign every resolved record to a split; pure. Raises ``InputError`` F061 or F062."""
    plan.check()
    done = divide_pool(dataset, gather(records, plan), plan)
    return Divided([_with_split(record, done) for record in records], done.report)


def divide_pool(dataset: str, gathered: Pool, plan: Plan) -> Assigned:
    """Assign every member of a pool to a split; pure. Raises ``InputError`` F061 or F062."""
    pool, keys, reasons = gathered.members, gathered.keys, gathered.reasons
    if not pool:
        raise InputError(f"{PREFIX}: dataset {dataset} has no resolved record to divide")
    if plan.split_type == "random":
        assigned = divide(pool, plan.ratios, plan.seed)
        covered = cover_train(pool, assigned)
    else:
        assigned = divide_groups(_groups(dataset, pool, keys, plan), plan.ratios, plan.seed)
        covered = coverage(pool, assigned)
    sizes = Counter(assigned.values())
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
    block = leakage_block([(item, assigned[item.id]) for item in pool], plan.near_threshold)
    excluded = gathered.unresolved + Counter(reasons.values())
    found = distributions(pool, assigned)
    report = SplitReport(
        dataset=dataset,
        sizes={split: sizes[split] for split in SPLITS},
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
    return Assigned(assigned, reasons, report)


def _groups(dataset: str, pool: Sequence[Member], keys: dict[str, tuple[str, ...]], plan: Plan) -> list[list[Member]]:
    """The groups that must stay whole, in an order that only their content decides."""
    if plan.split_type == "group":
        by_key: dict[tuple[str, ...], list[Member]] = defaultdict(list)
        for item in pool:
            by_key[keys[item.id]].append(item)
        return [by_key[key] for key in sorted(by_key)]
    found = clusters(pool, plan.near_threshold)
    quota = largest_remainder(len(pool), plan.ratios)[0]
    largest = max(found, key=len)
    if len(largest) > quota:
        dominant = finding(
            "F063",
            place=f"dataset {dataset}",
            rule=f"a cluster of {len(largest)} records is larger than the quota of train, {quota}; it goes there whole",
            remedy="raise --near-threshold, or split by table",
        )
        progress.event(PREFIX, dominant.message(), level="warning")
    return found


def _unresolved_reason(record: dict[str, Any]) -> str:
    return f"resolution_status:{record['resolution_status']}"


def _with_split(record: dict[str, Any], done: Assigned) -> dict[str, Any]:
    resolved = is_resolved(record)
    split = done.splits.get(record["id"]) if resolved else None
    reason = None
    if split is None:
        reason = done.reasons[record["id"]] if resolved else _unresolved_reason(record)
    return {**record, "split": split, "split_exclusion_reason": reason}


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
    for record in stream_canonical(folder / RECORDS_NAME, PREFIX):
        placed = _with_split(record, done)
        line = record_line(placed)
        every.write(line)
        if placed["split"] is not None:
            views[placed["split"]].write(line)
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
        pool = gather(stream_canonical(folder / RECORDS_NAME, PREFIX), plan)
        if not overwrite:
            _refuse_existing(folder, pool.carries_split)
        results[name] = divide_pool(name, pool, plan)
    with Together() as together:
        for name, done in results.items():
            _write(Path(canonical_dir) / name, done, together)
    for name, done in results.items():
        if plan.split_type == "random":
            _warn_of_tables(name, done.report.leakage)
    return {name: done.report for name, done in results.items()}
