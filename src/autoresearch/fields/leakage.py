"""What val and test share with train: tables, equal rows, near rows (data-line.md 8.3)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from autoresearch.errors import InputError, RefusedError
from autoresearch.fields.clusters import Components, TextForms, text_of
from autoresearch.fields.pool import SPLITS, Member, Split, is_resolved, member, stream_canonical
from autoresearch.fields.preprocess import FindingCount
from autoresearch.files import without_collector, write_json
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.loading import Strict

PREFIX = "leakage"
PAIRS_KEPT = 20
NEAR_THRESHOLD = 0.90
Placed = Sequence[tuple[Member, Split]]


class SharedRows(Strict):
    """Rows of a split that train holds too. ``same_label`` rows have a counterpart of their label, ``other_label`` rows
    none.
    """

    rows: int
    share: float
    same_label: int
    other_label: int


class TableCounts(Strict):
    """Tables (database and table name) of a split, and how many of them train holds rows of."""

    rows: int
    tables: int
    tables_seen_in_train: int
    tables_seen_share: float
    rows_in_seen_tables: int
    rows_in_seen_share: float


class SplitLeakage(TableCounts):
    """One split against train."""

    exact: SharedRows
    near: SharedRows
    equal_name_and_description: int


class TrainRepeats(Strict):
    """Repetition inside train: rows whose four texts another row has, and connected sets of two or more equal or near
    rows.
    """

    rows: int
    tables: int
    duplicate_rows: int
    clusters: int
    largest_cluster: int


class Pairs(Strict):
    """Ids of at most 20 pairs a kind: row of val or test, row of train."""

    exact: tuple[tuple[str, str], ...]
    near: tuple[tuple[str, str], ...]


class LeakageBlock(Strict):
    """The block of split reports and of the leakage report."""

    near_threshold: float
    val: SplitLeakage
    test: SplitLeakage
    train: TrainRepeats
    ids_in_two_splits: int
    pairs: Pairs


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


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def table_counts(rows: Iterable[tuple[str, str]], train: Iterable[tuple[str, str]]) -> TableCounts:
    """Table counts of one split; both arguments give (database, table) a row."""
    counts, seen = Counter(rows), set(train)
    held = [table for table in counts if table in seen]
    total, inside = sum(counts.values()), sum(counts[table] for table in held)
    return TableCounts(
        rows=total,
        tables=len(counts),
        tables_seen_in_train=len(held),
        tables_seen_share=_share(len(held), len(counts)),
        rows_in_seen_tables=inside,
        rows_in_seen_share=_share(inside, total),
    )


def leakage_block(placed: Placed, threshold: float = NEAR_THRESHOLD) -> LeakageBlock:
    """Compare val and test with train. ``placed`` may come in any order."""
    ordered = sorted(placed, key=lambda pair: (pair[0].id, pair[1]))
    members = [item for item, _ in ordered]
    where = [split for _, split in ordered]
    forms = TextForms(members, threshold)
    train_of = [[index for index in forms.holders[text] if where[index] == "train"] for text in forms.texts]
    near_train: dict[int, list[int]] = defaultdict(list)
    for one, other in forms.pairs:
        near_train[one] += train_of[other]
        near_train[other] += train_of[one]
    number = {text: place for place, text in enumerate(forms.texts)}
    pairs: dict[str, list[tuple[str, str]]] = {"exact": [], "near": []}
    by_split = {split: _split_block(split, members, where, number, train_of, near_train, pairs) for split in SPLITS[1:]}
    splits_of: dict[str, set[str]] = defaultdict(set)
    for item, split in ordered:
        splits_of[item.id].add(split)
    return LeakageBlock(
        near_threshold=threshold,
        val=by_split["val"],
        test=by_split["test"],
        train=_train_repeats([item for item, split in ordered if split == "train"], members, where, forms),
        ids_in_two_splits=sum(len(splits) > 1 for splits in splits_of.values()),
        pairs=Pairs(exact=tuple(pairs["exact"]), near=tuple(pairs["near"])),
    )


def _split_block(
    split: Split,
    members: Sequence[Member],
    where: Sequence[Split],
    number: Mapping[str, int],
    train_of: Sequence[Sequence[int]],
    near_train: Mapping[int, Sequence[int]],
    pairs: dict[str, list[tuple[str, str]]],
) -> SplitLeakage:
    rows = [index for index, place in enumerate(where) if place == split]
    train = [index for index, place in enumerate(where) if place == "train"]
    found: dict[str, list[int]] = {"exact": [0, 0], "near": [0, 0]}
    for index in rows:
        form = number[text_of(members[index])]
        kind, matches = ("exact", train_of[form]) if train_of[form] else ("near", near_train.get(form, ()))
        if not matches:
            continue
        same = any(members[match].label == members[index].label for match in matches)
        found[kind][0 if same else 1] += 1
        if len(pairs[kind]) < PAIRS_KEPT:
            pairs[kind].append((members[index].id, members[min(matches)].id))
    described = {(members[index].texts[0], members[index].texts[2]) for index in train}
    tables = table_counts((members[index].table for index in rows), (members[index].table for index in train))

    def shared(kind: str) -> SharedRows:
        same, other = found[kind]
        return SharedRows(rows=same + other, share=_share(same + other, len(rows)), same_label=same, other_label=other)

    return SplitLeakage(
        **tables.model_dump(),
        exact=shared("exact"),
        near=shared("near"),
        equal_name_and_description=sum(
            (members[index].texts[0], members[index].texts[2]) in described for index in rows
        ),
    )


def _train_repeats(
    train: Sequence[Member], members: Sequence[Member], where: Sequence[Split], forms: TextForms
) -> TrainRepeats:
    components = Components(len(members))
    inside = [[index for index in forms.holders[text] if where[index] == "train"] for text in forms.texts]
    for group in inside:
        for index in group[1:]:
            components.join(group[0], index)
    for one, other in forms.pairs:
        if inside[one] and inside[other]:
            components.join(inside[one][0], inside[other][0])
    sizes = [len(group) for group in components.sets() if len(group) > 1]
    return TrainRepeats(
        rows=len(train),
        tables=len({item.table for item in train}),
        duplicate_rows=sum(len(group) for group in inside if len(group) > 1),
        clusters=len(sizes),
        largest_cluster=max(sizes, default=1 if train else 0),
    )


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


def placed_records(records: Iterable[dict[str, Any]]) -> list[tuple[Member, Split]]:
    """Resolved records with a split, as members."""
    return [
        (member(record), record["split"]) for record in records if is_resolved(record) and record.get("split") in SPLITS
    ]


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
    datasets: dict[str, DatasetLeakage] = {}
    for dataset, path in canonical.items():
        placed = placed_records(stream_canonical(Path(path), PREFIX))
        if not placed:
            raise InputError(f"{PREFIX}: {path}: no record has a split; run data split first")
        datasets[dataset] = judge(dataset, leakage_block(placed, near_threshold), maxima)
    failed = any(item.status == "failed" for item in datasets.values())
    done = LeakageReport(status="failed" if failed else "passed", maxima=maxima, datasets=datasets)
    write_json(target, done.model_dump(mode="json"))
    return done


def require_threshold(threshold: float, command: str) -> None:
    """Refuse a near threshold outside (0, 1]."""
    if not 0.0 < threshold <= 1.0:
        raise InputError(f"{command}: --near-threshold is above 0 and at most 1, not {threshold}")
