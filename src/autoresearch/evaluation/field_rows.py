"""The rows of an input, kept as columns: a row is made when it is asked for, so that memory does not grow with what
Python needs for it (training 10.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from autoresearch.standards.mapping import LEVEL_FIELDS
from autoresearch.standards.task_config import METADATA_FIELDS
from autoresearch.standards.text import comparison_form

if TYPE_CHECKING:
    import polars as pl

IDENTITY = ("database_name", "table_name", "field_name")
SLICE = 1024


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One row of the input. ``number`` is the row as the user sees it; ``cells`` stand as in the file, typed."""

    number: int
    cells: tuple[Any, ...]
    metadata: Mapping[str, str]
    """The seven texts of 3.2, cleaned; ``field_name`` is ``""`` where there is nothing to predict."""
    label_texts: tuple[str, ...] = ()
    """Level texts from leaf to root, then further names of the leaf, such as its id."""
    level_text: str = ""

    @property
    def identity(self) -> str:
        """Database, table and field name in their comparison form."""
        return "\x1f".join(comparison_form(self.metadata[name]) for name in IDENTITY)


class SheetRows(Sequence[SourceRow]):
    """Rows of a cleaned frame (the mapped columns and ``row``) with their cells.

    Cells are a frame of the same height where all are texts, tuples by row number from 1 where they have types.
    """

    def __init__(self, frame: pl.DataFrame, cells: pl.DataFrame | Sequence[tuple[Any, ...]]) -> None:
        self._frame, self._cells = frame, cells

    def __len__(self) -> int:
        return int(self._frame.height)

    def __iter__(self) -> Iterator[SourceRow]:
        for start in range(0, len(self), SLICE):
            named = self._frame.slice(start, SLICE).iter_rows(named=True)
            if isinstance(self._cells, Sequence):
                yield from (_row(row, self._typed(row["row"])) for row in named)
            else:
                texts = self._cells.slice(start, SLICE).iter_rows()
                yield from (_row(row, shown) for row, shown in zip(named, texts, strict=True))

    @overload
    def __getitem__(self, place: int) -> SourceRow: ...

    @overload
    def __getitem__(self, place: slice) -> SheetRows: ...

    def __getitem__(self, place: int | slice) -> SourceRow | SheetRows:
        if isinstance(place, slice):
            cells = self._cells if isinstance(self._cells, Sequence) else self._cells[place]
            return SheetRows(self._frame[place], cells)
        row = self._frame.row(place, named=True)
        shown = self._typed(row["row"]) if isinstance(self._cells, Sequence) else self._cells.row(place)
        return _row(row, shown)

    def _typed(self, number: int) -> tuple[Any, ...]:
        assert isinstance(self._cells, Sequence)
        return self._cells[number - 1] if number <= len(self._cells) else ()


def _row(row: Mapping[str, Any], cells: tuple[Any, ...]) -> SourceRow:
    labels = tuple([row[name] for name in reversed(LEVEL_FIELDS) if row[name]])
    return SourceRow(row["row"], cells, {name: row[name] for name in METADATA_FIELDS}, labels, row["data_level"])
