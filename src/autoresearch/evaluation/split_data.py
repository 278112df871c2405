"""What an evaluation reads of a release: the rows of a split, what train says of labels and tables, and the floors that
every report prints (training.md 9).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autoresearch.errors import InputError
from autoresearch.evaluation.results import RowResult, lookup_levels, row_result
from autoresearch.gates.rollout import require_release
from autoresearch.gates.rollout_numbers import majority_pair
from autoresearch.releases.header import FORMAT_OF_FAMILY
from autoresearch.releases.release import Release
from autoresearch.training.engines.options import DEFAULTS, EngineOptions
from autoresearch.training.episodes import EpisodeRow, read_rows

if TYPE_CHECKING:
    from autoresearch.evaluation.retrieval_baseline import BaselineAnswer, LabelledField
    from autoresearch.task.assets import TaskAssets

TWO_STAGE_FAMILY = "three-message"
STAGE1 = "stage1"


@dataclass(frozen=True)
class EvalOptions:
    """Flags of ``eval episodes`` and ``eval two-stage``. ``model`` None means the baseline without training."""

    release: Path
    out: Path
    model: Path | None = None
    split: str = "test"
    samples: int = 1
    temperature: float | None = None
    """None: greedy with one sample, 1.0 with several."""
    greedy: bool = False
    seed: int = 42
    engine: str = "transformers"
    engine_options: EngineOptions = DEFAULTS
    max_prompt: int | None = None
    max_response: int = 1024
    limit: int | None = None
    """Only the first rows of the split, for a quick look; the report says so."""
    unbound: bool = False

    @property
    def is_greedy(self) -> bool:
        """Whether tokens are chosen without chance."""
        return self.greedy or (self.samples == 1 and self.temperature is None)


@dataclass(frozen=True)
class SplitData:
    """A release's split as an evaluation needs it, with what train says about labels and tables."""

    release: Release
    assets: TaskAssets
    rows: list[EpisodeRow]
    train: list[EpisodeRow]
    total: int
    """Rows of the whole split."""

    @cached_property
    def tables(self) -> set[str]:
        """Table names of train."""
        return {row.metadata.get("table_name") or "" for row in self.train}

    @cached_property
    def lookup(self) -> Mapping[str, str]:
        """Category → its most frequent train level, ties to the more sensitive; empty without levels."""
        labels = [(row.ground_truth, row.ground_truth_level) for row in self.train]
        return lookup_levels([(c, level) for c, level in labels if c and level], self.assets.levels)

    @cached_property
    def train_counts(self) -> Counter[str]:
        """Train rows by category."""
        return Counter(row.ground_truth or "" for row in self.train)

    @cached_property
    def baseline(self) -> list[BaselineAnswer]:
        """What the retrieval baseline with the train labels answers to each row (10.4)."""
        from autoresearch.evaluation.retrieval_baseline import RetrievalBaseline

        baseline = RetrievalBaseline(self.assets, labelled_fields(self.train))
        fields = [{name: value or "" for name, value in row.metadata.items()} for row in self.rows]
        return baseline.answer_many(fields, [row.source_id for row in self.rows])


def read_split(path: Path, split: str, limit: int | None = None) -> SplitData:
    """A split of a release with episodes.

    Raises ``InputError`` for a split without rows, ``RefusedError`` for a changed release.
    """
    release = Release(path)
    require_release(release, path)
    train = read_rows(path, "train")
    return _split_data(release, train, train if split == "train" else read_rows(path, split), split, limit)


def read_two_stage(path: Path, split: str, limit: int | None = None) -> SplitData:
    """The fields of a split of a three-message release, each with its stage 1 prompt. Raises as ``read_split``, and
    ``InputError`` for another family.
    """
    release = Release(path)
    if release.family != TWO_STAGE_FAMILY:
        raise InputError(
            f"{path}: family {release.family!r} has no two stages; give a {TWO_STAGE_FAMILY} release, "
            "or use eval episodes"
        )
    require_release(release, path)
    train = _shortlist_rows(release, "train")
    return _split_data(release, train, train if split == "train" else _shortlist_rows(release, split), split, limit)


def _split_data(
    release: Release, train: list[EpisodeRow], rows: list[EpisodeRow], split: str, limit: int | None
) -> SplitData:
    if not rows:
        raise InputError(f"{release.path}: the split {split} has no rows; choose another --split")
    return SplitData(release, release.assets(), rows[:limit], train, len(rows))


def labelled_fields(rows: Sequence[EpisodeRow]) -> list[LabelledField]:
    """Labelled rows of a release as neighbours; the source id is their identity."""
    from autoresearch.evaluation.retrieval_baseline import LabelledField

    return [
        LabelledField(
            field_name=row.metadata.get("field_name") or "",
            table_name=row.metadata.get("table_name") or "",
            field_description=row.metadata.get("field_description") or "",
            category_id=row.ground_truth or "",
            level=row.ground_truth_level or "",
            identity=row.source_id,
        )
        for row in rows
    ]


def rows_of_release(release: Release, split: str) -> list[EpisodeRow]:
    """One row a field of a split, whatever the family. Raises ``InputError`` where rows have no prompt of ours."""
    if release.header.format == FORMAT_OF_FAMILY[TWO_STAGE_FAMILY]:
        return _shortlist_rows(release, split)
    return read_rows(release.path, split)


def _shortlist_rows(release: Release, split: str) -> list[EpisodeRow]:
    return [
        EpisodeRow(
            source_id=record["source_id"],
            prompt=[{"role": message["role"], "content": message["content"]} for message in record["messages"][:2]],
            extra_info={},
            ground_truth=record["ground_truth"],
            ground_truth_level=record["ground_truth_level"],
            metadata=dict(record["metadata"]),
            data_source=release.header.dataset,
        )
        for record in release.records(split)
        if record["stage"] == STAGE1
    ]


def baseline_results(data: SplitData, *, shortlists: bool = False) -> list[RowResult]:
    """The retrieval baseline's answers, scored; with ``shortlists`` its five best leaves stand for stage 1."""
    return [
        row_result(
            row,
            data.assets,
            data.tables,
            predicted=None if answer.category_id is None else (answer.category_id, answer.level),
            reason="ok" if answer.category_id is not None else "nothing_found",
            shortlist=answer.candidates if shortlists and answer.candidates else None,
        )
        for row, answer in zip(data.rows, data.baseline, strict=True)
    ]


def majority_results(data: SplitData) -> list[RowResult]:
    """Always the most frequent (category, level) pair of train."""
    pair: tuple[str, str | None] | None = majority_pair(data.train)
    if pair is not None and not data.release.header.graded:
        pair = (pair[0], None)
    return [row_result(row, data.assets, data.tables, predicted=pair, reason="ok") for row in data.rows]
