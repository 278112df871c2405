"""The rows of an input, laid aside in unnamed files: a row is made when it is asked for, so that memory does not grow
with what Python needs for it (training 10.1).
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice, pairwise, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from autoresearch.fields.spilled import SpilledFrames
from autoresearch.standards.mapping import LEVEL_FIELDS
from autoresearch.standards.task_config import METADATA_FIELDS
from autoresearch.standards.text import comparison_form

if TYPE_CHECKING:
    import polars as pl

IDENTITY = ("database_name", "table_name", "field_name")
LEAF = "leaf"
"""A further column of records: the id of the leaf."""
LABELS = (LEAF, *reversed(LEVEL_FIELDS))
TYPED = "typed"
PIECE = 2_048
"""Rows of one frame of the file."""
GATHERED = 8_192
"""Rows that are looked up at one time."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One row of the input. ``number`` is the row as the user sees it; ``cells`` stand as in the file, typed."""

    number: int
    cells: tuple[Any, ...]
    metadata: Mapping[str, str]
    """The seven texts of 3.2, cleaned; ``field_name`` is ``""`` where there is nothing to predict."""
    label_texts: tuple[str, ...] = ()
    """Level texts from leaf to root, after the id of the leaf where there is one."""
    level_text: str = ""

    @property
    def identity(self) -> str:
        """Database, table and field name in their comparison form."""
        return "\x1f".join(comparison_form(self.metadata[name]) for name in IDENTITY)


class StoredRows(Sequence[SourceRow]):
    """Rows of cleaned frames (``row``, the metadata, the levels, ``data_level``) with their cells. ``append`` the
    frames, then the cells of each, before reading.

    ``folder`` is where the files lie (default: the system's folder for temporary files). Eight bytes of each named row
    stay in memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._texts, self._cells = SpilledFrames(folder), SpilledFrames(folder)
        self._heights: list[int] = []
        self._named: list[NDArray[np.int64]] = []
        self._length = 0

    def append(self, frame: pl.DataFrame) -> None:
        """The texts of at most ``PIECE`` further rows."""
        named = (frame["field_name"] != "").to_numpy()
        self._named.append(np.flatnonzero(named) + self._length)
        self._texts.append(frame)
        self._heights.append(frame.height)
        self._length += frame.height

    def append_cells(self, cells: pl.DataFrame) -> None:
        """The cells of the next frame, all of them texts."""
        self._cells.append(cells)

    def append_typed(self, cells: Iterator[tuple[Any, ...]]) -> None:
        """The cells of all frames, each with its own type; rows beyond the last have none."""
        import polars as pl

        more = chain(cells, repeat(()))
        for height in self._heights:
            content = pickle.dumps(list(islice(more, height)), pickle.HIGHEST_PROTOCOL)
            self._cells.append(pl.DataFrame({TYPED: [content]}, schema={TYPED: pl.Binary}))

    def keep(self, count: int) -> None:
        """Forget all but the first ``count`` rows."""
        self._length = max(0, min(count, self._length))

    @property
    def named(self) -> NDArray[np.int64]:
        """Places of the rows that have a field name."""
        places = np.concatenate([np.empty(0, dtype=np.int64), *self._named])
        return places[places < self._length]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[SourceRow]:
        return islice(chain.from_iterable(map(self._piece, range(len(self._texts)))), self._length)

    @overload
    def __getitem__(self, place: int) -> SourceRow: ...

    @overload
    def __getitem__(self, place: slice) -> list[SourceRow]: ...

    def __getitem__(self, place: int | slice) -> SourceRow | list[SourceRow]:
        if isinstance(place, slice):
            wanted = range(*place.indices(self._length))
            if wanted.step == 1:
                return list(islice(self, wanted.start, wanted.stop))
            return [self[each] for each in wanted]
        if not 0 <= place < self._length:
            raise IndexError(place)
        return next(islice(self, place, None))

    def labelled(self) -> Iterator[tuple[int, SourceRow]]:
        """Place and row, without its cells, of each row that has a field name and a label of its own."""
        import polars as pl

        for number, start in enumerate(self._starts()):
            frame = self._texts.frame(number)
            names = [name for name in LABELS if name in frame.columns]
            marked = (pl.col("field_name") != "") & pl.any_horizontal(pl.col(name) != "" for name in names)
            chosen = frame.with_row_index("place", start).filter(marked & (pl.col("place") < self._length))
            yield from ((row["place"], _row(row, ())) for row in chosen.iter_rows(named=True))

    def named_rows(self) -> Iterator[tuple[int, SourceRow]]:
        """Place and row, without its cells, of each row that has a field name."""
        for number, start in enumerate(self._starts()):
            for place, row in enumerate(self._texts.frame(number).iter_rows(named=True), start):
                if row["field_name"] and place < self._length:
                    yield place, _row(row, ())

    def texts(self, places: NDArray[np.int64], names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Some columns (``row`` or metadata) of the rows at ``places``, in their order."""
        import polars as pl

        bounds = np.array([*self._starts(), sum(self._heights)])
        for start in range(0, len(places), GATHERED):
            asked = places[start : start + GATHERED]
            order = np.argsort(asked, kind="stable")
            ascending = asked[order]
            cuts = np.searchsorted(ascending, bounds)
            parts = [
                self._texts.frame(number, names).select(names)[ascending[begin:end] - bounds[number]]
                for number, (begin, end) in enumerate(pairwise(cuts.tolist()))
                if begin < end
            ]
            yield from pl.concat(parts)[np.argsort(order, kind="stable")].iter_rows()

    def _starts(self) -> list[int]:
        """The place of the first row of each frame."""
        return list(accumulate(self._heights, initial=0))[:-1]

    def _piece(self, number: int) -> Iterator[SourceRow]:
        rows, cells = self._texts.frame(number).iter_rows(named=True), self._cells.frame(number)
        shown = pickle.loads(cells[TYPED][0]) if cells.columns == [TYPED] else cells.iter_rows()
        return (_row(row, found) for row, found in zip(rows, shown, strict=True))


def _row(row: Mapping[str, Any], cells: tuple[Any, ...]) -> SourceRow:
    labels = tuple([row[name] for name in LABELS if row.get(name)])
    return SourceRow(row["row"], cells, {name: row[name] for name in METADATA_FIELDS}, labels, row["data_level"])
