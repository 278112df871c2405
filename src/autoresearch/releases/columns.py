"""Columns of release parquet files: the Arrow schema of each format, and rows in and out of them (3.11, 3.14, 3.15)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from autoresearch.releases.header import ReleaseHeader
from autoresearch.releases.long_texts import text_array
from autoresearch.releases.pair_columns import PairColumns, pairs_of
from autoresearch.releases.values import rows_of

ROWS_PER_GROUP = 2_000
ROWS_PER_PIECE = 200

_TEXT = pa.string()
_MESSAGES_OF_THREE = pa.list_(pa.struct([("role", _TEXT), ("content", _TEXT)]))
_MESSAGES_OF_CHAT = pa.list_(
    pa.struct([(key, _TEXT) for key in ("role", "content", "reasoning_content", "tool_calls", "name")])
)
_CALLS = pa.list_(pa.struct([("name", _TEXT), ("arguments", _TEXT)]))


def _metadata(fields: Sequence[str]) -> pa.DataType:
    return pa.struct([(field, _TEXT) for field in fields])


def three_message_schema(fields: Sequence[str]) -> pa.Schema:
    """Columns of 3.11; ``mixture_provenance`` is null outside mixtures."""
    provenance = pa.struct([("dataset", _TEXT), ("original_source_sha256", _TEXT), ("replica", pa.int64())])
    return pa.schema(
        [
            ("messages", _MESSAGES_OF_THREE),
            ("stage", _TEXT),
            ("source_id", _TEXT),
            ("metadata", _metadata(fields)),
            ("ground_truth", _TEXT),
            ("candidates", pa.list_(_TEXT)),
            ("ground_truth_level", _TEXT),
            ("mixture_provenance", provenance),
        ]
    )


def trajectory_schema(fields: Sequence[str]) -> pa.Schema:
    """Columns of 3.14."""
    return pa.schema(
        [
            ("messages", _MESSAGES_OF_CHAT),
            ("tools", _TEXT),
            ("enable_thinking", pa.bool_()),
            ("stage", _TEXT),
            ("trajectory_class", _TEXT),
            ("trajectory_format", _TEXT),
            ("source_id", _TEXT),
            ("dataset", _TEXT),
            ("metadata", _metadata(fields)),
            ("ground_truth", _TEXT),
            ("ground_truth_level", _TEXT),
            ("tool_calls", _CALLS),
            ("search_rank", pa.int64()),
            ("search_margin", pa.float64()),
            ("think_source", _TEXT),
            ("think_truncated", pa.bool_()),
            ("think_truncated_turns", pa.int64()),
        ]
    )


def episode_schema(fields: Sequence[str]) -> pa.Schema:
    """Columns of 3.15, of pairs and of the cascade."""
    extra = pa.struct(
        [
            ("dataset", _TEXT),
            ("stage", _TEXT),
            ("source_id", _TEXT),
            ("metadata", _metadata(fields)),
            ("ground_truth_level", _TEXT),
            ("trajectory_format", _TEXT),
            ("candidates", pa.list_(_TEXT)),
        ]
    )
    return pa.schema(
        [
            ("data_source", _TEXT),
            ("prompt", _MESSAGES_OF_THREE),
            ("ability", _TEXT),
            ("reward_model", pa.struct([("style", _TEXT), ("ground_truth", _TEXT)])),
            ("extra_info", extra),
        ]
    )


SCHEMA_OF_FAMILY = {
    "three-message": three_message_schema,
    "sft-mixture": three_message_schema,
    "trajectory": trajectory_schema,
    "rl-pairs": episode_schema,
    "rl-cascade": episode_schema,
}


def expected_schema(header: ReleaseHeader) -> pa.Schema:
    """The exact columns and types that a file with this header must have (without schema metadata)."""
    return SCHEMA_OF_FAMILY[header.family](header.metadata_fields)


def write_rows(path: Path, header: ReleaseHeader, split: str, rows: Iterable[dict[str, Any]]) -> int:
    """``write_tables`` of rows."""
    return write_tables(path, header, split, group_tables(rows, header))


def write_tables(path: Path, header: ReleaseHeader, split: str, tables: Iterable[pa.Table]) -> int:
    """Write tables, each of them one row group, zstd, with the header in the schema. Returns the number of rows;
    holds one table at a time.
    """
    schema = expected_schema(header).with_metadata(header.schema_metadata(split))
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table.replace_schema_metadata(schema.metadata), row_group_size=ROWS_PER_GROUP)
            count += table.num_rows
    return count


def group_tables(rows: Iterable[dict[str, Any]], header: ReleaseHeader) -> Iterator[pa.Table]:
    """Rows as tables of 2,000."""
    schema = expected_schema(header)
    for group in in_groups(rows):
        yield table_of(group, schema)


def table_of(rows: Sequence[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    """``pa.Table.from_pylist``, column by column; texts that begin alike are encoded once."""
    columns = [_array([row.get(field.name) for row in rows], field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if pa.types.is_string(kind):
        return text_array(values)
    if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type) and None not in values:
        flat = [item for value in values for item in value]
        ends = [0, *accumulate(map(len, values))]
        return pa.ListArray.from_arrays(pa.array(ends, type=pa.int32()), _array(flat, kind.value_type))
    if pa.types.is_struct(kind) and None not in values:
        fields = [kind.field(index) for index in range(kind.num_fields)]
        children = [_array([value.get(field.name) for value in values], field.type) for field in fields]
        return pa.StructArray.from_arrays(children, fields=fields)
    return pa.array(values, type=kind)


def in_groups(rows: Iterable[dict[str, Any]], size: int = ROWS_PER_GROUP) -> Iterator[list[dict[str, Any]]]:
    """Cut rows into lists of at most ``size``."""
    group: list[dict[str, Any]] = []
    for row in rows:
        group.append(row)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


class RowBatch:
    """Consecutive rows of a file, decoded when they are asked for."""

    def __init__(self, batch: pa.RecordBatch, apart: Iterator[pa.Array] | None = None) -> None:
        self.batch = batch
        self._apart = apart

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, nested values as plain Python ones; without a column that is read apart."""
        return rows_of(self.batch)

    @cached_property
    def facts(self) -> list[dict[str, Any]]:
        """The rows without their messages, which are nearly all of their bytes; with them once ``rows`` were read."""
        if "rows" in vars(self) or "messages" not in self.batch.schema.names:
            return self.rows
        return rows_of(self.batch.drop_columns(["messages"]))

    @cached_property
    def pairs(self) -> PairColumns | None:
        """``pairs_of`` the rows."""
        return pairs_of(self.batch)

    def pieces(self) -> Iterator[pa.Array]:
        """The values of the column that is read apart, some rows at a time. They are there once, before the next
        batch is asked for.
        """
        assert self._apart is not None
        return self._apart


def read_batches(path: Path, apart: str | None = None) -> Iterator[RowBatch]:
    """The rows of a parquet file, 2,000 at a time. The column ``apart`` is left out of them and read in pieces, which
    stay in the caches of a processor where those of 2,000 rows do not.
    """
    with pq.ParquetFile(path) as file, pq.ParquetFile(path) as beside:
        names = [name for name in file.schema_arrow.names if name != apart]
        pieces = beside.iter_batches(batch_size=ROWS_PER_PIECE, columns=[apart], use_threads=False) if apart else None
        ready = _Pieces(pieces) if pieces else None
        for batch in file.iter_batches(batch_size=ROWS_PER_GROUP, columns=names, use_threads=False):
            yield RowBatch(batch, ready.take(batch.num_rows) if ready else None)


class _Pieces:
    """Pieces of one column, cut where the batches of the others end."""

    def __init__(self, pieces: Iterator[pa.RecordBatch]) -> None:
        self._pieces = pieces
        self._left: pa.Array | None = None

    def take(self, rows: int) -> Iterator[pa.Array]:
        """The next rows. Raises ``pa.ArrowInvalid`` where the column has fewer."""
        while rows:
            piece = self._left
            if piece is None:
                read = next(self._pieces, None)
                if read is None:
                    raise pa.ArrowInvalid("a column ends before the others")
                piece = read.column(0)
            self._left = piece.slice(rows) if len(piece) > rows else None
            piece = piece.slice(0, rows)
            rows -= len(piece)
            yield piece


def read_row_groups(path: Path) -> Iterator[list[dict[str, Any]]]:
    """The rows of a parquet file, one row group at a time, nested values as plain Python ones."""
    for batch in read_batches(path):
        yield batch.rows
