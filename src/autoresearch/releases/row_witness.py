"""What the rows of a release say together: their order, the tables they show, their bundles, and in mixtures the facts
to hold against the source (R008, R098, R099).

A witness reads rows beside the row checks and passes over what those refuse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from autoresearch.releases.dossier import Dossier
from autoresearch.releases.episode_rows import STAGE1, STAGE2
from autoresearch.releases.header import MIXTURES, SPLITS
from autoresearch.releases.judgement import Place
from autoresearch.releases.pair_columns import PairColumns
from autoresearch.releases.report_checks import WITH_CANDIDATES
from autoresearch.releases.row_checks import RowContext
from autoresearch.releases.trajectory_rows import STAGE
from autoresearch.task.candidates import visible_query

if TYPE_CHECKING:
    from autoresearch.releases.columns import RowBatch

STAGES = (STAGE, STAGE1, STAGE2)


class Told(NamedTuple):
    """One row of any family: what it says of its source."""

    source_id: str
    stage: str
    category_id: str
    level: str | None
    metadata: Mapping[str, str]
    candidates: Sequence[str] | None

    @property
    def fact(self) -> int:
        """Truth, level and shown metadata as one number, equal in this process for equal ones."""
        return hash((self.category_id, self.level, tuple(self.metadata.items())))


def told(row: Mapping[str, Any]) -> Told | None:
    """A row as ``Told``; None where a part of it is absent or of another type."""
    holder, truth = row, row.get("ground_truth")
    if "extra_info" in row:
        holder, model = row["extra_info"], row["reward_model"]
        truth = model["ground_truth"] if model else None
    if not holder:
        return None
    source_id, stage, metadata = holder["source_id"], holder["stage"], holder["metadata"]
    if not (isinstance(source_id, str) and isinstance(stage, str) and isinstance(truth, str)):
        return None
    if not metadata or None in metadata.values():
        return None
    return Told(source_id, stage, truth, holder["ground_truth_level"], metadata, holder.get("candidates"))


Facts = dict[str, dict[str, set[int]]]
"""Split -> source id -> facts of its rows."""


def facts_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, set[int]]:
    """Source id -> facts of its rows."""
    found: dict[str, set[int]] = {}
    for row in rows:
        item = told(row)
        if item is not None:
            found.setdefault(item.source_id, set()).add(item.fact)
    return found


def _skipped_ids(report: Mapping[str, Any]) -> frozenset[str]:
    """The ids in ``skipped_sources``, whatever form the report has."""
    named = report.get("skipped_sources")
    lists = named.values() if isinstance(named, dict) else ()
    return frozenset(item for ids in lists if isinstance(ids, list) for item in ids if isinstance(item, str))


class RowWitness:
    """Takes all rows in order; ``finish`` compares them with the report."""

    def __init__(self, context: RowContext) -> None:
        self.context = context
        self.mixture = context.header.family in MIXTURES
        self.facts: Facts = {split: {} for split in SPLITS}
        self._bundles = context.header.family in WITH_CANDIDATES and not self.mixture
        self._last: dict[str, tuple[str, str]] = {}
        self._tables: dict[str, set[str]] = {split: set() for split in SPLITS}
        self._negatives: Counter[str] = Counter()
        self._recalled = self._sources = self._first = self._unread = 0
        self._skipped = _skipped_ids(context.report)
        context.judgement.ran("R099", *(("R098",) if self._bundles else ()))

    def hear(self, split: str, first_row: int, batch: RowBatch) -> None:
        """Hear a batch of rows, as columns where they can be."""
        if not self._bundles or batch.pairs is None or not self._pairs(split, batch.pairs):
            self.add(split, first_row, batch.facts)

    def _pairs(self, split: str, pairs: PairColumns) -> bool:
        """Hear whole pairs; false, and nothing is heard, where a row needs a word of its own."""
        ids = [subject.source_id for subject in pairs.subjects]
        golds = [subject.gold for subject in pairs.subjects]
        registry = self.context.assets.registry
        if ids != sorted(ids) or (ids[0], STAGE1) < self._last.get(split, ("", "")):
            return False
        if not self._skipped.isdisjoint(ids) or not all(map(registry.get, set(golds))):
            return False
        self._last[split] = (ids[-1], STAGE2)
        self._tables[split].update(subject.metadata.get("table_name", "") for subject in pairs.subjects)
        self._first += len(ids)
        self._sources += len(ids)
        self._recalled += sum(best.recalled for best in pairs.search(self.context.assets))
        sources = zip(golds, pairs.candidates, strict=True)
        self._negatives.update([other for gold, five in sources for other in five if other != gold])
        return True

    def add(self, split: str, first_row: int, rows: Sequence[Mapping[str, Any]]) -> None:
        """Hear consecutive rows of a split."""
        second: list[Told] = []
        for number, row in enumerate(rows, start=first_row):
            item = told(row)
            if item is None:
                self._unread += 1
                continue
            if self.mixture:
                self.facts[split].setdefault(item.source_id, set()).add(item.fact)
            elif item.stage in STAGES:
                self._order(split, number, item)
            if item.source_id in self._skipped:
                place = Place(split, number, item.source_id)
                self.context.add("R008", place, "the source is exported and among the skipped ones of the report")
            self._tables[split].add(item.metadata.get("table_name", ""))
            if item.stage == STAGE2 and item.candidates and self.context.assets.registry.get(item.category_id):
                second.append(item)
            elif item.stage == STAGE1:
                self._first += 1
            elif item.stage != STAGE:
                self._unread += 1
        if self._bundles:
            self._count(second)

    def _order(self, split: str, number: int, item: Told) -> None:
        key = (item.source_id, item.stage)
        if key < self._last.get(split, ("", "")):
            place, rule = Place(split, number, item.source_id), "ids ascend, stage1 comes first"
            self.context.add("R099", place, f"the row stands after one that it precedes: {rule}")
        self._last[split] = key

    def _count(self, second: Sequence[Told]) -> None:
        fields, index = self.context.assets.fields, self.context.assets.index
        queries = [visible_query(item.metadata, fields) for item in second]
        found = index.best_many(queries, [item.category_id for item in second])
        self._sources += len(second)
        self._recalled += sum(best.recalled for best in found)
        self._negatives.update(
            [other for item in second for other in item.candidates or () if other != item.category_id]
        )

    def finish(self, dossier: Dossier) -> None:
        """R008 of the table counts, R098 of the candidate report."""
        report = dossier.parsed
        if report is None or set(dossier.usable) != set(SPLITS):
            return
        for split in SPLITS:
            if split in report.splits and split in report.ledger:
                item = report.splits[split]
                self._check_tables(split, item.tables, item.tables_seen_in_train, report.ledger[split].exported_sources)
        found = report.candidate_report
        if not self._bundles or found is None or self._unread or self._first != self._sources:
            return
        counted = {
            "policy": self.context.header.candidate_policy,
            "gold_recall_of_search_at_5": round(self._recalled / self._sources, 4),
            "distinct_negatives": len(self._negatives),
            "most_frequent_negative_share": round(max(self._negatives.values(), default=0) / self._sources, 4),
        }
        if found.model_dump() != counted:
            self.context.judgement.add("R098", "candidate_report", f"the rows give {counted}")

    def _check_tables(self, split: str, tables: int, seen: int, sources: int) -> None:
        """Rows show table names and not always their databases, so that they give bounds of the table counts."""
        shown, train = self._tables[split], self._tables["train"]
        if "table_name" not in self.context.header.metadata_fields or self._unread:
            return
        unseen = len(shown - train)
        fits = len(shown) <= tables <= sources and 0 <= seen <= tables - unseen
        if not fits or (split == "train" and seen != tables):
            self.context.add("R008", Place(split), f"{tables} tables, {seen} seen in train: the rows cannot be these")
