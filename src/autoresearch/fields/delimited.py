"""CSV and TSV: rows that keep the number of the line they begin on (data-line.md 4.1.1 rows 9, 10, 26).

The standard reader is used and not a columnar one, because a row with a wrong number of cells must be named by its
line.
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import polars as pl

from autoresearch.findings import Finding, finding

MAX_CELL = 1 << 24
ROWS_AT_ONCE = 20_000
"""Rows that are Python objects at one time; the others are columns."""


@dataclass
class RaggedLines:
    """Lines with another number of cells than the header: line and number, twelve bytes each."""

    lines: array[int] = field(default_factory=lambda: array("q"))
    cells: array[int] = field(default_factory=lambda: array("i"))

    def append(self, line: int, cells: int) -> None:
        """One more line."""
        self.lines.append(line)
        self.cells.append(cells)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.lines, self.cells, strict=True)


class Rows:
    """The header of a text table (None where there is none in ``header_row``), and the rows below it in batches.

    ``lines`` are the lines of the file with their ends; they count from 1, and a cell may hold line breaks. What
    ``short`` (fewer cells than the header) and ``overfull`` (further texts) hold is complete after the last batch.
    """

    def __init__(self, lines: Iterable[str], delimiter: str, header_row: int) -> None:
        csv.field_size_limit(MAX_CELL)
        self._reader = csv.reader(lines, delimiter=delimiter)
        self._begin = 1
        self.short, self.overfull = RaggedLines(), RaggedLines()
        self.header: list[str] | None = None
        for index, cells in enumerate(self._reader, start=1):
            self._begin = self._reader.line_num + 1
            if index == header_row:
                self.header = cells if any(cell.strip() for cell in cells) else None
                break

    def batches(self, rows_at_once: int = ROWS_AT_ONCE) -> Iterator[pl.DataFrame]:
        """The rows as columns ``c0``, ``c1``… and ``row``, the line; at least one batch, which may be empty."""
        width = len(self.header or ())
        rows: list[list[str]] = []
        lines: list[int] = []
        given = False
        for cells in self._reader:
            line, self._begin = self._begin, self._reader.line_num + 1
            rows.append(cells if len(cells) == width else self._fitted(cells, line, width))
            lines.append(line)
            if len(rows) == rows_at_once:
                yield _columns(rows, lines, width)
                rows, lines, given = [], [], True
        if rows or not given:
            yield _columns(rows, lines, width)

    def _fitted(self, cells: list[str], line: int, width: int) -> list[str]:
        if len(cells) > width:
            if any(cell.strip() for cell in cells[width:]):
                self.overfull.append(line, len(cells))
            return cells[:width]
        if cells:  # a line with nothing on it is a blank row, not a short one
            self.short.append(line, len(cells))
        return cells + [""] * (width - len(cells))


def _columns(rows: list[list[str]], lines: list[int], width: int) -> pl.DataFrame:
    data: dict[str, pl.Series] = {
        f"c{index}": pl.Series(column, dtype=pl.String)
        for index, column in enumerate(zip(*rows, strict=True) if rows else [()] * width)
    }
    data["row"] = pl.Series(lines, dtype=pl.Int64)
    return pl.DataFrame(data)


def long_rows(rows: Rows, name: str) -> Iterator[Finding]:
    """F028 for each row with more texts than the header has columns."""
    for line, count in rows.overfull:
        yield finding(
            "F028",
            place=f"{name}, line {line}",
            value=str(count),
            rule=f"cells, and the header has {len(rows.header or ())}",
            remedy="quote a text that holds the delimiter, or give --delimiter",
        )


def short_rows(short: RaggedLines, last: int, source: str) -> Iterator[Finding]:
    """F028 for each row that ends before ``last``, the last mapped column."""
    for line, count in short:
        if count <= last:
            yield finding(
                "F028",
                place=f"{source}, line {line}",
                value=str(count),
                rule=f"cells; the mapped columns need {last + 1}",
                remedy="complete the line, or give --delimiter",
            )
