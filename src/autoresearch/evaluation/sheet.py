"""The labelled spreadsheet: the customer's columns as they were, a block of predictions on the right (training 10.1).

Rows come in the order of the input; the workbook has a fixed date, so equal predictions give equal bytes. Written to a
temporary name, then renamed.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from autoresearch.files import replacing, strict_json_loads

if TYPE_CHECKING:
    import numpy as np
    import xlsxwriter
    from numpy.typing import NDArray
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

    from autoresearch.evaluation.field_source import FieldTable

Language = Literal["zh", "en"]
CertaintyName = Literal["confidence", "margin"]
CREATED = datetime(2020, 1, 1)
LONGEST_CELL = 32_767
MOST_ROWS_WITH_MERGES = 20_000
"""Above it the workbook is written row by row, which cannot keep merged ranges."""
SAMPLED_ROWS = 300
NARROWEST, WIDEST = 8, 42
BLOCK_WIDTHS = {"answer": 22, "level": 9, "path": 30, "category_id": 14, "certainty": 9, "second": 22, "reason": 60}
REVIEW_WIDTH, BASELINE_WIDTH = 36, 24
SHEET_NAME_LENGTH = 31


@dataclass(frozen=True, slots=True)
class Labelled:
    """The block of one row; ``certainty`` is the agreement of a model or the margin of the baseline."""

    answer: str = ""
    level: str = ""
    path: str = ""
    category_id: str = ""
    certainty: float | None = None
    second: str = ""
    reason: str = ""
    review: str = ""
    baseline: str = ""

    def cells(self) -> tuple[Any, ...]:
        """The block in column order."""
        return (
            self.answer,
            self.level,
            self.path,
            self.category_id,
            self.certainty,
            self.second,
            self.reason,
            self.review,
            self.baseline,
        )


@dataclass(frozen=True)
class LabelledSheet:
    """Everything that goes into the file. ``blocks`` has one entry a row, None for rows without a field name."""

    table: FieldTable
    blocks: Sequence[Labelled | None]
    to_review: Sequence[int] | NDArray[np.int64]
    """Places of the rows to review, most urgent first."""
    summary: Sequence[tuple[str, Any]]
    certainty: CertaintyName
    language: Language = "zh"


@cache
def texts(language: Language) -> dict[str, Any]:
    """All words of the sheets in one language."""
    data = resources.files("autoresearch.evaluation").joinpath("sheet_texts.json").read_text(encoding="utf-8")
    chosen: dict[str, Any] = strict_json_loads(data)[language]
    return chosen


def block_headers(certainty: CertaintyName, language: Language) -> list[str]:
    """Headers of the block, in the order of ``Labelled.cells``."""
    names: Mapping[str, str] = texts(language)["columns"]
    keys = ("answer", "level", "path", "category_id", certainty, "second", "reason", "review", "baseline")
    return [names[key] for key in keys]


def write_labelled(path: Path, sheet: LabelledSheet) -> None:
    """Write ``.csv`` or ``.xlsx`` by the ending of ``path``, whole or not at all."""
    write = _write_csv if path.suffix.lower() == ".csv" else _write_workbook
    with replacing(path) as scratch:
        write(scratch, sheet)


def _write_csv(path: Path, sheet: LabelledSheet) -> None:
    width = len(sheet.table.columns)
    # Office programs read UTF-8 only with the mark.
    with path.open("w", encoding="utf-8-sig", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow([*sheet.table.columns, *block_headers(sheet.certainty, sheet.language)])
        for row, block in zip(sheet.table.rows, sheet.blocks, strict=True):
            cells = [_csv_text(value) for value in row.cells] + [""] * (width - len(row.cells))
            writer.writerow([*cells, *(_csv_text(value) for value in (block or Labelled()).cells())])


def _csv_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _write_workbook(path: Path, sheet: LabelledSheet) -> None:
    import xlsxwriter

    by_row = len(sheet.table.rows) > MOST_ROWS_WITH_MERGES
    book = xlsxwriter.Workbook(str(path), {"constant_memory": by_row})
    book.set_properties({"author": "", "created": CREATED})
    words = texts(sheet.language)
    taken = {words["sheets"][name] for name in ("summary", "review", "legend")}
    name = _sheet_name(sheet.table.sheet, taken)
    formats = _formats(book)
    _write_rows(book.add_worksheet(name), sheet, formats, merges=not by_row)
    _write_pairs(book.add_worksheet(words["sheets"]["summary"]), sheet.summary, formats)
    _write_review(book.add_worksheet(words["sheets"]["review"]), sheet, formats)
    _write_pairs(book.add_worksheet(words["sheets"]["legend"]), words["legend"], formats)
    book.close()


def _formats(book: xlsxwriter.Workbook) -> dict[str, Format]:
    top = {"valign": "top"}
    return {
        "header": book.add_format({"bold": True, "bottom": 1, "bg_color": "#EEEEEE", **top}),
        "block": book.add_format({"bold": True, "bottom": 1, "bg_color": "#DDEBF7", "text_wrap": True, **top}),
        "plain": book.add_format(top),
        "wrap": book.add_format({"text_wrap": True, **top}),
        "share": book.add_format({"num_format": "0.00", **top}),
        "day": book.add_format({"num_format": "yyyy-mm-dd", **top}),
        "moment": book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss", **top}),
        "clock": book.add_format({"num_format": "hh:mm:ss", **top}),
        "flag": book.add_format({"bg_color": "#FFF2CC", "text_wrap": True, **top}),
    }


def _sheet_name(name: str, taken: set[str]) -> str:
    plain = "".join("_" if sign in "[]:*?/\\" else sign for sign in name).strip("'")[:SHEET_NAME_LENGTH] or "fields"
    return plain if plain not in taken else f"{plain[: SHEET_NAME_LENGTH - 2]}_1"


def _write_cell(page: Worksheet, row: int, column: int, value: Any, formats: Mapping[str, Format]) -> None:
    """Write one value with its own type; texts are never read as formulas or links."""
    if value is None or value == "":
        return
    if isinstance(value, bool):
        page.write_boolean(row, column, value, formats["plain"])
    elif isinstance(value, (int, float)):
        page.write_number(row, column, value, formats["plain"])
    elif isinstance(value, datetime):
        page.write_datetime(row, column, value, formats["moment"])
    elif isinstance(value, date):
        page.write_datetime(row, column, value, formats["day"])
    elif isinstance(value, (time, timedelta)):
        page.write_datetime(row, column, value, formats["clock"])
    else:
        page.write_string(row, column, str(value)[:LONGEST_CELL], formats["plain"])


def _write_rows(page: Worksheet, sheet: LabelledSheet, formats: Mapping[str, Format], *, merges: bool) -> None:
    import numpy as np

    table = sheet.table
    width, head = len(table.columns), len(table.above)
    flagged = np.zeros(len(table.rows), dtype=np.bool_)
    flagged[np.asarray(sheet.to_review, dtype=np.int64)] = True
    _size_columns(page, sheet)
    covered = _merge(page, sheet, formats) if merges else set()
    for number, cells in enumerate(table.above):
        for column, value in enumerate(cells):
            if (number, column) not in covered:
                _write_cell(page, number, column, value, formats)
    for column, text in enumerate(table.columns):
        if (head, column) not in covered:
            page.write_string(head, column, text, formats["header"])
    for column, text in enumerate(block_headers(sheet.certainty, sheet.language), start=width):
        page.write_string(head, column, text, formats["block"])
    for place, (row, block) in enumerate(zip(table.rows, sheet.blocks, strict=True)):
        number = head + 1 + place
        for column, value in enumerate(row.cells):
            if (number, column) not in covered:
                _write_cell(page, number, column, value, formats)
        if block is not None:
            _write_block(page, number, width, block, formats, bool(flagged[place]))
    page.freeze_panes(head + 1, 0)
    page.autofilter(head, 0, head + max(1, len(table.rows)), width + 8)


def _write_block(
    page: Worksheet, number: int, left: int, block: Labelled, formats: Mapping[str, Format], flagged: bool
) -> None:
    for column, value in enumerate(block.cells(), start=left):
        if value is None or value == "":
            continue
        if isinstance(value, float):
            page.write_number(number, column, value, formats["share"])
        else:
            flag = flagged and column == left + 7
            page.write_string(number, column, str(value)[:LONGEST_CELL], formats["flag" if flag else "plain"])


def _merge(page: Worksheet, sheet: LabelledSheet, formats: Mapping[str, Format]) -> set[tuple[int, int]]:
    """Write merged ranges of the input again; returns the cells that they cover."""
    covered: set[tuple[int, int]] = set()
    rows = [*sheet.table.above, sheet.table.columns, *(row.cells for row in sheet.table.rows)]
    for span in sheet.table.merged:
        inside = span.bottom < len(rows) and span.left < len(rows[span.top])
        cells = {
            (row, column) for row in range(span.top, span.bottom + 1) for column in range(span.left, span.right + 1)
        }
        if not inside or span.right >= len(sheet.table.columns) or cells & covered or len(cells) < 2:
            continue
        page.merge_range(span.top, span.left, span.bottom, span.right, "", formats["plain"])
        _write_cell(page, span.top, span.left, rows[span.top][span.left], formats)
        covered |= cells
    return covered


def _size_columns(page: Worksheet, sheet: LabelledSheet) -> None:
    sample = sheet.table.rows[:SAMPLED_ROWS]
    for column, header in enumerate(sheet.table.columns):
        longest = max([_width(row.cells[column]) for row in sample if column < len(row.cells)], default=0)
        page.set_column(column, column, min(max(longest, _width(header), NARROWEST) + 1, WIDEST))
    widths = [*BLOCK_WIDTHS.values(), REVIEW_WIDTH, BASELINE_WIDTH]
    for column, width in enumerate(widths, start=len(sheet.table.columns)):
        page.set_column(column, column, width)


def _width(value: Any) -> int:
    """Columns that a text takes; East Asian characters take two."""
    text = "" if value is None else str(value)[:WIDEST]
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _write_pairs(page: Worksheet, pairs: Sequence[Sequence[Any]], formats: Mapping[str, Format]) -> None:
    page.set_column(0, 0, 40)
    page.set_column(1, 1, 80)
    for number, (name, value) in enumerate(pairs):
        page.write_string(number, 0, str(name), formats["header"])
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            page.write_number(number, 1, value, formats["plain"])
        else:
            page.write_string(number, 1, str(value), formats["wrap"])


def _write_review(page: Worksheet, sheet: LabelledSheet, formats: Mapping[str, Format]) -> None:
    """The rows to review, most urgent first: order, row number, what names the field, then the block."""
    import numpy as np

    words = texts(sheet.language)
    headers = [words["urgency"], words["row"], *words["fields"].values()]
    headers += block_headers(sheet.certainty, sheet.language)
    for column, text in enumerate(headers):
        page.write_string(0, column, text, formats["header" if column < 6 else "block"])
    for column, width in enumerate([8, 8, 16, 24, 24, 36, *BLOCK_WIDTHS.values(), REVIEW_WIDTH, BASELINE_WIDTH]):
        page.set_column(column, column, width)
    places = np.asarray(sheet.to_review, dtype=np.int64)
    shown = sheet.table.rows.texts(places, ["row", *words["fields"]])
    for order, (place, values) in enumerate(zip(places, shown, strict=True), start=1):
        block = sheet.blocks[int(place)]
        for column, value in enumerate([order, *values]):
            _write_cell(page, order, column, value, formats)
        if block is not None:
            _write_block(page, order, 6, block, formats, flagged=True)
    page.freeze_panes(1, 0)
    page.autofilter(0, 0, max(1, len(sheet.to_review)), len(headers) - 1)
