"""The records that the conflict audit compares, batch by batch, and how its hashes are made (data-line 8.1, 8.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from autoresearch.files import stream_records
from autoresearch.task.conflict_report import SplitChoice

if TYPE_CHECKING:
    import polars as pl

NUL, UNIT = "\0", "\x1f"
BROKEN = "broken"
"""Status given to what is no object at all."""
BLOCK_BYTES = 1 << 23
RECORDS_AT_ONCE = 20_000


class OtherLayoutError(Exception):
    """The file has not one record a line."""


@dataclass
class Counts:
    """What a pass over the records counted besides those that it gave."""

    dataset: str = ""
    """The dataset that the first record names."""
    kept: int = 0
    incomplete: int = 0
    without_level: int = 0


@dataclass(frozen=True)
class Records:
    """The records of one canonical file that count: resolved, of the split, with id, name, target and level.

    They are read again in every pass; ``fields`` always holds ``field_name`` and ``table_name``.
    """

    path: Path
    split: SplitChoice
    level_field: str
    levels: Sequence[str]
    fields: Sequence[str]
    one_a_line: bool

    @classmethod
    def of(
        cls, path: Path, split: SplitChoice, level_field: str, levels: Sequence[str], fields: Sequence[str]
    ) -> Records:
        """The records of ``path`` in whatever JSON layout it has."""
        wanted = tuple(dict.fromkeys((*fields, "field_name", "table_name")))
        return cls(path, split, level_field, levels, wanted, one_a_line=_has_lines(path))

    def batches(self, counts: Counts) -> Iterator[pl.DataFrame]:
        """Those that count, as columns: ``id``, ``category``, ``level`` and the ``fields``. The others are counted in
        ``counts``. Raises ``OtherLayoutError`` when the file has not one record a line after all.
        """
        for every in self._every():
            frame = self._counted(every, counts)
            if frame.height:
                counts.dataset = counts.dataset if counts.kept else frame["dataset"][0]
                counts.kept += frame.height
                yield frame

    def _every(self) -> Iterator[pl.DataFrame]:
        return _read_lines(self) if self.one_a_line else _read_any(self)

    def _counted(self, every: pl.DataFrame, counts: Counts) -> pl.DataFrame:
        import polars as pl

        every = every.with_columns(pl.all().fill_null(""))
        broken = every.filter(pl.col("status") == BROKEN).height
        in_split = pl.lit(True) if self.split == "all" else pl.col("split") == self.split
        frame = every.filter((pl.col("status") == "resolved") & in_split)
        nameless = pl.col("id").eq("") | pl.col("field_name").str.strip_chars().eq("") | pl.col("category").eq("")
        whole = frame.filter(~nameless)
        blank = pl.col("level").str.strip_chars() == ""
        kept = whole.filter(~blank & pl.col("level").is_in(list(self.levels)))
        without_level = whole.filter(blank).height
        counts.without_level += without_level
        counts.incomplete += broken + frame.height - kept.height - without_level
        return kept


def _has_lines(path: Path) -> bool:
    """Whether a file begins and ends as ``data build`` writes it, one record a line."""
    with path.open("rb") as handle:
        begins = handle.read(3) == b"[\n{"
        size = handle.seek(0, 2)
        handle.seek(max(size - 4, 0))
        return begins and handle.read() == b"}\n]\n"


def _blocks(path: Path) -> Iterator[bytes]:
    """The lines between the brackets, some millions of bytes at a time, each line a record without its comma."""
    left = path.stat().st_size - 5
    with path.open("rb") as handle:
        handle.seek(2)
        while left > 0:
            data = handle.read(min(BLOCK_BYTES, left))
            left -= len(data)
            if left:
                rest = handle.readline()
                left -= len(rest)
                data += rest
            yield _without_commas(data.removesuffix(b",\n"))


def _without_commas(data: bytes) -> bytes:
    """``data`` with a space for the comma of each ``},`` at the end of a line that a ``{`` follows."""
    found = np.frombuffer(data, dtype=np.uint8).copy()
    ends = np.flatnonzero(found[:-1] == ord("\n"))
    ends = ends[(found[ends - 2] == ord("}")) & (found[ends - 1] == ord(",")) & (found[ends + 1] == ord("{"))]
    found[ends - 1] = ord(" ")
    return found.tobytes()


def _read_lines(records: Records) -> Iterator[pl.DataFrame]:
    """The columns of a file with one record a line."""
    import polars as pl

    schema: dict[str, Any] = dict.fromkeys(
        ("id", "dataset", "resolution_status", "split", records.level_field), pl.String
    )
    schema["metadata"] = pl.Struct(dict.fromkeys(records.fields, pl.String))
    schema["target"] = pl.Struct({"category_id": pl.String})
    for block in _blocks(records.path):
        try:
            frame = pl.read_ndjson(block, schema=schema)
        except pl.exceptions.PolarsError as error:
            raise OtherLayoutError from error
        yield frame.select(
            "id",
            "dataset",
            "split",
            pl.col("resolution_status").alias("status"),
            pl.col(records.level_field).alias("level"),
            pl.col("target").struct.field("category_id").alias("category"),
            *(pl.col("metadata").struct.field(field) for field in records.fields),
        )


def _read_any(records: Records) -> Iterator[pl.DataFrame]:
    """The same columns from any JSON layout, record by record."""
    import polars as pl

    columns = ("id", "dataset", "split", "status", "level", "category", *records.fields)
    given = stream_records(records.path)
    while rows := [_row(record, records) for record in islice(given, RECORDS_AT_ONCE)]:
        yield pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def _row(record: Any, records: Records) -> tuple[str, ...]:
    if not isinstance(record, dict):
        return ("", "", "", BROKEN, "", "", *("" for _ in records.fields))
    metadata, target = record.get("metadata"), record.get("target")
    shown = metadata if isinstance(metadata, dict) else {}
    values = [
        *(record.get(key) for key in ("id", "dataset", "split", "resolution_status", records.level_field)),
        target.get("category_id") if isinstance(target, dict) else None,
        *(shown.get(field) for field in records.fields),
    ]
    return tuple("" if value is None else str(value) for value in values)


def hash_parts(*parts: str) -> str:
    """sha256 over texts joined by NUL (data-line 8.2)."""
    return hashlib.sha256(NUL.join(parts).encode("utf-8")).hexdigest()
