"""CSV and TSV: rows that keep the number of the line they begin on (data-line.md 4.1.1 rows 9, 10, 26).

The standard reader is used and not a columnar one, because a row with a wrong number of cells must be named by its
line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO

import polars as pl

from autoresearch.findings import Finding, finding

MAX_CELL = 1 << 24
ROWS_AT_ONCE = 50_000
"""Rows that are Python objects at one time; the others are columns."""


@dataclass
class Cells:
    """The header and the rows below it; ``short_rows`` maps a line to its number of cells, ``overfull`` lines hold
    further texts.
    """

    header: list[str]
    frame: pl.DataFrame
    short_rows: dict[int, int] = field(default_factory=dict)
    overfull: dict[int, int] = field(default_factory=dict)


def parse(text: str, delimiter: str, header_row: int) -> Cells | None:
    """Split ``text``; None when there is no header row. Lines count from 1; a cell may hold line breaks."""
    csv.field_size_limit(MAX_CELL)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    header: list[str] | None = None
    parts: list[pl.DataFrame] = []
    rows: list[list[str]] = []
    lines: list[int] = []
    short: dict[int, int] = {}
    overfull: dict[int, int] = {}
    begin = 1
    for index, cells in enumerate(reader, start=1):
        line, begin = begin, reader.line_num + 1
        if index < header_row:
            continue
        if header is None:
            header = cells
            continue
        width = len(header)
        if len(cells) != width:
            if len(cells) > width:
                if any(cell.strip() for cell in cells[width:]):
                    overfull[line] = len(cells)
                cells = cells[:width]
            else:
                if cells:  # a line with nothing on it is a blank row, not a short one
                    short[line] = len(cells)
                cells = cells + [""] * (width - len(cells))
        rows.append(cells)
        lines.append(line)
        if len(rows) == ROWS_AT_ONCE:
            parts.append(_columns(rows, lines, len(header)))
            rows, lines = [], []
    if header is None or not any(cell.strip() for cell in header):
        return None
    parts.append(_columns(rows, lines, len(header)))
    return Cells(header, pl.concat(parts, rechunk=True), short, overfull)


def _columns(rows: list[list[str]], lines: list[int], width: int) -> pl.DataFrame:
    data: dict[str, pl.Series] = {
        f"c{index}": pl.Series(column, dtype=pl.String)
        for index, column in enumerate(zip(*rows, strict=True) if rows else [()] * width)
    }
    data["row"] = pl.Series(lines, dtype=pl.Int64)
    return pl.DataFrame(data)


def long_rows(cells: Cells, name: str) -> Iterator[Finding]:
    """F028 for each row with more texts than the header has columns."""
    for line, count in cells.overfull.items():
        yield finding(
            "F028",
            place=f"{name}, line {line}",
            value=str(count),
            rule=f"cells, and the header has {len(cells.header)}",
            remedy="quote a text that holds the delimiter, or give --delimiter",
        )
