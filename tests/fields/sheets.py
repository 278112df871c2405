"""Small workbooks and CSVs for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import xlsxwriter

from autoresearch.fields.preprocess import Options, Processed, process
from autoresearch.standards.mapping import ColumnMapping

HEADERS = ("库名", "表名", "字段名", "描述", "类型", "四级分类", "级别")
TARGETS = ("database_name", "table_name", "field_name", "field_description", "field_type", "level_4", "data_level")
MAPPING = ColumnMapping(dict(zip(HEADERS, TARGETS, strict=True)))
ROW = ("DB", "T", "F", "描述", "INT", "订单", "L2")


def row(**texts: Any) -> tuple[Any, ...]:
    """A row of ``HEADERS``; name a target to give it another text."""
    values = dict(zip(TARGETS, ROW, strict=True)) | texts
    return tuple(values[name] for name in TARGETS)


def workbook(
    path: Path,
    rows: Sequence[Sequence[Any]],
    headers: Sequence[Any] = HEADERS,
    edit: Callable[[Any, Any], None] | None = None,
) -> Path:
    """Write one sheet 字段 with ``headers`` in row 1; ``edit(book, sheet)`` may add to it."""
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet("字段")
    sheet.write_row(0, 0, headers)
    for index, cells in enumerate(rows, start=1):
        sheet.write_row(index, 0, cells)
    if edit is not None:
        edit(book, sheet)
    book.close()
    return path


def read(path: Path, mapping: ColumnMapping = MAPPING, **options: Any) -> Processed:
    """Process ``path`` as dataset ``steel``."""
    return process(path, mapping, "steel", Options(**options))


def counts(done: Processed) -> dict[str, int]:
    """Finding code → count."""
    return {item.code: item.count for item in done.report.findings}


def first(done: Processed, code: str) -> tuple[str, ...]:
    """The places kept of one code."""
    return next(item.first for item in done.report.findings if item.code == code)


def texts(done: Processed, name: str) -> list[str]:
    """One column of the records."""
    values: list[str] = done.frame[name].to_list()
    return values
