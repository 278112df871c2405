"""Files of the example whose bytes depend on nothing but their content."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import xlsxwriter

CREATED = datetime(2026, 1, 5, 8, 0, 0)
ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def write_workbook(
    path: Path,
    fill: Callable[[xlsxwriter.Workbook], None],
    change: Callable[[bytes], bytes] = lambda part: part,
) -> None:
    """Write a workbook with a fixed date; parts are stored, since deflate differs between zlib builds.

    `change` edits the XML of the first sheet, for what the library does not write.
    """
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    book.set_properties({"author": "", "created": CREATED})
    fill(book)
    book.close()
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as target:
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, ZIP_TIME)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            part = source.read(name)
            target.writestr(entry, change(part) if name == "xl/worksheets/sheet1.xml" else part)


def write_plain_sheet(path: Path, sheet: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write one sheet of plain cells with a bold, frozen header."""

    def fill(book: xlsxwriter.Workbook) -> None:
        page = book.add_worksheet(sheet)
        page.write_row(0, 0, header, book.add_format({"bold": True}))
        page.freeze_panes(1, 0)
        for number, row in enumerate(rows, start=1):
            for column, value in enumerate(row):
                if value != "":
                    page.write(number, column, value)
        page.set_column(0, len(header) - 1, 16)

    write_workbook(path, fill)


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a document: UTF-8, two spaces, a newline at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8", newline="\n")
