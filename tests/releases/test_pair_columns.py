"""Batches of whole pairs, judged as columns, and columns that are read apart from the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from autoresearch.releases import columns
from autoresearch.releases.pair_columns import pairs_of
from autoresearch.releases.values import values_of


def batch_of(made: Path, kind: str = "three") -> pa.RecordBatch:
    """All rows of a split, messages aside."""
    table = pq.read_table(made / kind / "train.parquet").drop_columns(["messages"])
    return table.combine_chunks().to_batches()[0]


def with_rows(batch: pa.RecordBatch, rows: list[dict[str, Any]]) -> pa.RecordBatch:
    """Other rows of the same columns."""
    return pa.RecordBatch.from_pylist(rows, schema=batch.schema)


def test_pairs_say_what_the_rows_say(made: Path) -> None:
    batch = batch_of(made)
    rows, pairs = batch.to_pylist(), pairs_of(batch)
    assert pairs is not None
    said = zip(pairs.subjects, pairs.levels, pairs.candidates, strict=True)
    for stage, (subject, level, candidates) in zip(rows[::2], said, strict=True):
        assert (subject.source_id, subject.gold, subject.metadata) == tuple(
            stage[name] for name in ("source_id", "ground_truth", "metadata")
        )
        assert (level, candidates) == (stage["ground_truth_level"], stage["candidates"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stage", "stage2"),
        ("source_id", "another"),
        ("source_id", None),
        ("ground_truth", None),
        ("ground_truth_level", None),
        ("metadata", None),
        ("candidates", None),
        ("candidates", ["a", "b", "c", "d", None]),
        ("candidates", ["a", "b", "c", "d"]),
        ("mixture_provenance", {"dataset": "x", "original_source_sha256": "y", "replica": 0}),
    ],
)
@pytest.mark.parametrize("rows_changed", [1, 2])
def test_rows_that_are_no_pairs_are_left_to_a_look_at_each(
    made: Path, name: str, value: Any, rows_changed: int
) -> None:
    batch = batch_of(made)
    rows = batch.to_pylist()
    for row in rows[:rows_changed]:
        row[name] = value
    whole = name == "source_id" and value is not None and rows_changed == 2
    assert (pairs_of(with_rows(batch, rows)) is not None) == whole


def test_a_batch_that_ends_inside_a_pair_or_is_of_a_mixture_is_no_batch_of_pairs(made: Path) -> None:
    batch = batch_of(made)
    assert pairs_of(batch.slice(0, batch.num_rows - 1)) is None
    assert pairs_of(batch.slice(1, batch.num_rows - 2)) is None
    assert pairs_of(batch.slice(0, 0)) is None
    assert pairs_of(batch_of(made, "mixture")) is None
    assert pairs_of(batch.slice(2)) is not None


@pytest.mark.parametrize(("group", "piece"), [(7, 3), (4, 4), (6, 100), (1000, 5)])
def test_a_column_read_apart_comes_in_pieces_of_the_same_rows(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: int, piece: int
) -> None:
    monkeypatch.setattr(columns, "ROWS_PER_GROUP", group)
    monkeypatch.setattr(columns, "ROWS_PER_PIECE", piece)
    table = pq.read_table(made / "three" / "train.parquet")
    pq.write_table(table, tmp_path / "rows.parquet", row_group_size=5)
    rows, messages = [], []
    for batch in columns.read_batches(tmp_path / "rows.parquet", "messages"):
        pieces = [values_of(item) for item in batch.pieces()]
        assert sum(map(len, pieces)) == len(batch)
        assert max(map(len, pieces)) <= piece
        messages += [value for values in pieces for value in values]
        rows += batch.facts
    assert [{"messages": value, **row} for value, row in zip(messages, rows, strict=True)] == table.to_pylist()
