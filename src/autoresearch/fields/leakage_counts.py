"""What val and test share with train, counted over the columns of a pool (data-line.md 8.3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autoresearch.fields.clusters import Components
from autoresearch.fields.near import near_pairs
from autoresearch.fields.pool import Pool
from autoresearch.standards.loading import Strict

PAIRS_KEPT = 20
NEAR_THRESHOLD = 0.90
ROWS_AT_ONCE = 1 << 12
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
NO_ROW = np.iinfo(np.int64).max


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


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _first_rows(numbers: NDArray[np.int32], rows: Numbers, count: int) -> Numbers:
    """For each number below ``count`` the lowest of ``rows`` (ascending) that has it, or ``NO_ROW``."""
    first = np.full(count, NO_ROW, dtype=np.int64)
    first[numbers[rows][::-1]] = rows[::-1]  # the last write is the lowest row
    return first


class _Train:
    """What is known of the rows of train, by form, label, table and description."""

    def __init__(self, pool: Pool, where: NDArray[np.int8], pairs: Numbers) -> None:
        self.pool = pool
        self.rows = np.flatnonzero(where == 0)
        forms = len(pool.texts)
        self.by_form = np.bincount(pool.form[self.rows], minlength=forms)
        self.first = _first_rows(pool.form, self.rows, forms)
        self.labels = int(pool.label.max(initial=0)) + 1
        self.form_labels = np.unique(self._form_label(pool.form[self.rows], pool.label[self.rows]))
        self.tables = np.bincount(pool.table[self.rows], minlength=int(pool.table.max(initial=-1)) + 1)
        self.described = np.bincount(pool.described[self.rows], minlength=int(pool.described.max(initial=-1)) + 1) > 0
        self._set_neighbours(pairs, forms)

    def _form_label(self, forms: Numbers | NDArray[np.int32], labels: Numbers) -> Numbers:
        return forms.astype(np.int64) * self.labels + labels

    def _set_neighbours(self, pairs: Numbers, forms: int) -> None:
        """For each form its near forms that train holds: ``near[starts[i]:starts[i + 1]]``."""
        ends = np.concatenate((pairs, pairs[:, ::-1]))
        ends = ends[self.by_form[ends[:, 1]] > 0]
        ends = ends[np.argsort(ends[:, 0], kind="stable")]
        self.near = ends[:, 1]
        self.starts = np.searchsorted(ends[:, 0], np.arange(forms + 1))

    def same_label(self, rows: Numbers) -> Flags:
        """Which rows have a row of their form and label in train."""
        return np.isin(self._form_label(self.pool.form[rows], self.pool.label[rows]), self.form_labels)

    def near_rows(self, rows: Numbers) -> tuple[Flags, Flags, Numbers]:
        """Which rows have a near row in train, which have one of their label, and the lowest near row of each."""
        form = self.pool.form[rows]
        begins, counts = self.starts[form], self.starts[form + 1] - self.starts[form]
        owner = np.repeat(np.arange(len(rows)), counts)
        ends = np.cumsum(counts)
        near = self.near[np.repeat(begins - (ends - counts), counts) + np.arange(len(owner))]
        same = np.zeros(len(rows), dtype=np.bool_)
        same[owner[np.isin(self._form_label(near, self.pool.label[rows][owner]), self.form_labels)]] = True
        lowest = np.full(len(rows), NO_ROW, dtype=np.int64)
        np.minimum.at(lowest, owner, self.first[near])
        return counts > 0, same, lowest


def leakage_block(pool: Pool, where: NDArray[np.int8], threshold: float = NEAR_THRESHOLD) -> LeakageBlock:
    """Compare val and test with train; ``where`` is the number of each record's split in ``SPLITS``."""
    pairs = near_pairs(pool.texts, threshold)
    train = _Train(pool, where, pairs)
    kept: dict[str, list[tuple[str, str]]] = {"exact": [], "near": []}
    val, test = (_split_block(pool, np.flatnonzero(where == split), train, kept) for split in (1, 2))
    return LeakageBlock(
        near_threshold=threshold,
        val=val,
        test=test,
        train=_train_repeats(train, pairs),
        ids_in_two_splits=_ids_in_two_splits(pool, where),
        pairs=Pairs(exact=tuple(kept["exact"]), near=tuple(kept["near"])),
    )


def _ids_in_two_splits(pool: Pool, where: NDArray[np.int8]) -> int:
    repeated = pool.repeated_ids()
    if repeated.is_empty():
        return 0
    rows = np.flatnonzero(pool.ids.is_in(repeated.unique().implode()).to_numpy())
    found: dict[str, set[int]] = {}
    for record_id, split in zip(pool.ids.gather(rows), where[rows].tolist(), strict=True):
        found.setdefault(record_id, set()).add(split)
    return sum(len(splits) > 1 for splits in found.values())


def _split_block(pool: Pool, rows: Numbers, train: _Train, kept: dict[str, list[tuple[str, str]]]) -> SplitLeakage:
    exact = train.by_form[pool.form[rows]] > 0
    found = {"exact": [0, 0], "near": [0, 0]}

    def count(kind: str, hit: Numbers, same: Flags, counterpart: Numbers) -> None:
        found[kind][0] += int(same.sum())
        found[kind][1] += len(hit) - int(same.sum())
        for row, other in zip(hit.tolist(), counterpart.tolist(), strict=True):
            if len(kept[kind]) == PAIRS_KEPT:
                break
            kept[kind].append((pool.ids[row], pool.ids[other]))

    equal, others = rows[exact], rows[~exact]
    count("exact", equal, train.same_label(equal), train.first[pool.form[equal]])
    for at in range(0, len(others), ROWS_AT_ONCE):
        part = others[at : at + ROWS_AT_ONCE]
        near, same, lowest = train.near_rows(part)
        count("near", part[near], same[near], lowest[near])

    def shared(kind: str) -> SharedRows:
        same, other = found[kind]
        return SharedRows(rows=same + other, share=_share(same + other, len(rows)), same_label=same, other_label=other)

    return SplitLeakage(
        **_table_counts(pool, rows, train).model_dump(),
        exact=shared("exact"),
        near=shared("near"),
        equal_name_and_description=int(train.described[pool.described[rows]].sum()),
    )


def _table_counts(pool: Pool, rows: Numbers, train: _Train) -> TableCounts:
    counts = np.bincount(pool.table[rows], minlength=len(train.tables))
    seen = train.tables > 0
    tables, held, inside = int((counts > 0).sum()), int((counts[seen] > 0).sum()), int(counts[seen].sum())
    return TableCounts(
        rows=len(rows),
        tables=tables,
        tables_seen_in_train=held,
        tables_seen_share=_share(held, tables),
        rows_in_seen_tables=inside,
        rows_in_seen_share=_share(inside, len(rows)),
    )


def _train_repeats(train: _Train, pairs: Numbers) -> TrainRepeats:
    components = Components(len(train.by_form))
    held = train.by_form > 0
    for one, other in pairs[held[pairs].all(axis=1)]:
        components.join(int(one), int(other))
    sizes = np.bincount(components.roots(), weights=train.by_form, minlength=len(held)).astype(np.int64)
    sizes = sizes[sizes > 1]
    return TrainRepeats(
        rows=len(train.rows),
        tables=int((train.tables > 0).sum()),
        duplicate_rows=int(train.by_form[train.by_form > 1].sum()),
        clusters=len(sizes),
        largest_cluster=int(sizes.max(initial=1 if len(train.rows) else 0)),
    )
