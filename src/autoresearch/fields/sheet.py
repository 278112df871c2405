"""Tables as they were sent: a sheet of a workbook or a CSV, all cells as text, with the place of each (data-line.md
4.1.1).

``open_table`` reads; nothing is cleaned, mapped or dropped here. A column is called ``c<index>``, its rows carry
``row``, the number the
user sees. Absent cells are ``""``.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from pathlib import Path
from xml.etree import ElementTree

import polars as pl

from autoresearch.errors import InputError
from autoresearch.fields import delimited, table_file
from autoresearch.fields.places import Places
from autoresearch.fields.xlsx_scan import CellKind, MergedRange, SheetScan, scan
from autoresearch.files import sha256_file
from autoresearch.findings import Finding, finding
from autoresearch.standards.mapping import header_form


@dataclass(frozen=True)
class Header:
    """One header cell: its text as written and its column, counted from 0."""

    text: str
    column: int

    @property
    def name(self) -> str:
        """The text by which a mapping finds it: trimmed, NFKC."""
        return header_form(self.text)


@dataclass
class TableHead:
    """Which table it is, and its headers."""

    path: Path
    sha256: str
    sheet: str | None
    header_row: int
    encoding: str | None
    headers: tuple[Header, ...]

    @property
    def source(self) -> str:
        """``steel.xlsx, sheet 字段清单``: the table as the user names it."""
        return self.path.name if self.sheet is None else f"{self.path.name}, sheet {self.sheet}"

    def places(self, columns: Mapping[str, int]) -> Places:
        """Places in this table, with the column of each target."""
        return Places(self.source, "line" if self.sheet is None else "row", columns)


@dataclass
class Table(TableHead):
    """One table. ``frame`` has ``row`` (Int64) and ``c<column>`` (String, no nulls); ``kinds`` says which cells hold no
    text.
    """

    frame: pl.DataFrame
    kinds: dict[CellKind, list[tuple[int, int, str]]] = field(default_factory=dict)
    merged: list[MergedRange] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    short_rows: delimited.RaggedLines = field(default_factory=delimited.RaggedLines)


@dataclass
class TextTable(TableHead):
    """A CSV or TSV of which only the header is read yet; ``rows`` gives the others in batches."""

    rows: delimited.Rows

    def whole(self) -> Table:
        """The table with all its rows."""
        frame = pl.concat(self.rows.batches(), rechunk=True)
        head = {item.name: getattr(self, item.name) for item in fields(TableHead)}
        notes = list(delimited.long_rows(self.rows, self.path.name))
        return Table(**head, frame=frame, notes=notes, short_rows=self.rows.short)


def open_table(
    path: Path,
    *,
    sheet: str | None = None,
    header_row: int = 1,
    encoding: str | None = None,
    delimiter: str | None = None,
) -> Table:
    """Read one table. Raises ``InputError`` with F001 to F005, or for a sheet or header row that is not there."""
    begun = begin_table(path, sheet=sheet, header_row=header_row, encoding=encoding, delimiter=delimiter)
    return begun.whole() if isinstance(begun, TextTable) else begun


def begin_table(
    path: Path,
    *,
    sheet: str | None = None,
    header_row: int = 1,
    encoding: str | None = None,
    delimiter: str | None = None,
) -> Table | TextTable:
    """``open_table``, but of a text file the header alone is read: its rows come in batches."""
    if header_row < 1:
        raise InputError(f"preprocess: --header-row counts from 1, not {header_row}")
    kind = table_file.check(path)
    if kind == "delimited":
        if sheet is not None:
            raise InputError(f"preprocess: {path.name} is a text file and has no sheets; leave out --sheet")
        return _begin_delimited(path, header_row, encoding, delimiter)
    return _open_workbook(path, sheet, header_row, scanned=kind == "xlsx")


def _begin_delimited(path: Path, header_row: int, encoding: str | None, delimiter: str | None) -> TextTable:
    lines, used = table_file.text_lines(path, encoding)
    separator = delimiter or ("\t" if path.suffix.lower() == ".tsv" else ",")
    if len(separator) != 1 or separator in '"\r\n\ufeff' or "\ud800" <= separator <= "\udfff":
        raise InputError(f"preprocess: --delimiter is one character and no quote or line end, not {delimiter!r}")
    rows = delimited.Rows(lines, separator, header_row)
    if rows.header is None:
        table_file.refuse(
            "F004", path, f"has no header in row {header_row}", "give the file with its header row and data below it"
        )
    return TextTable(
        path=path,
        sha256=sha256_file(path),
        sheet=None,
        header_row=header_row,
        encoding=used,
        headers=tuple(Header(name, index) for index, name in enumerate(rows.header)),
        rows=rows,
    )


def _open_workbook(path: Path, sheet: str | None, header_row: int, *, scanned: bool) -> Table:
    import fastexcel
    from python_calamine import CalamineError

    try:
        reader = fastexcel.read_excel(path)
        name, notes = _choose_sheet(path, reader, sheet)
        with ThreadPoolExecutor(1) as beside:  # both decompress the sheet, outside the interpreter's lock
            scanning = beside.submit(scan, path, name) if scanned else None
            loaded = reader.load_sheet(name, header_row=None, skip_rows=0, dtypes="string")
            raw = loaded.to_polars()
            found = SheetScan() if scanning is None else scanning.result()
    except (fastexcel.FastExcelError, CalamineError, ElementTree.ParseError, zipfile.BadZipFile, zlib.error) as error:
        reason = " ".join(str(error).splitlines()[:1]) or type(error).__name__
        table_file.refuse(
            "F003", path, f"cannot be opened as a workbook ({reason})", "open and save it as .xlsx in an office program"
        )
    columns = [item.absolute_index for item in loaded.selected_columns]
    raw = raw.rename({old: f"c{index}" for old, index in zip(raw.columns, columns, strict=True)}).fill_null("")
    raw = _fill_merged_header(raw, found.merged, header_row)
    if raw.height < header_row:
        table_file.refuse(
            "F004", path, f"sheet {name} has no header in row {header_row}", "give the sheet with data, or --header-row"
        )
    top = raw.row(header_row - 1)
    frame = raw.slice(header_row).with_columns(
        pl.int_range(header_row + 1, raw.height + 1, dtype=pl.Int64).alias("row")
    )
    return Table(
        path=path,
        sha256=sha256_file(path),
        sheet=name,
        header_row=header_row,
        encoding=None,
        headers=tuple(Header(text, column) for text, column in zip(top, columns, strict=True)),
        frame=frame,
        kinds=found.cells,
        merged=found.merged,
        notes=notes,
    )


def _choose_sheet(path: Path, reader: object, wanted: str | None) -> tuple[str, list[Finding]]:
    """Rows 3 and 4 of 4.1.1: the first visible sheet unless one is named; note F010 for a choice that was made."""
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    with CalamineWorkbook.from_path(str(path)) as book:
        sheets = [item for item in book.sheets_metadata if item.typ == SheetTypeEnum.WorkSheet]
        visible = [item.name for item in sheets if item.visible == SheetVisibleEnum.Visible]
        names = [item.name for item in sheets]
        if wanted is not None:
            chosen = next((name for name in names if header_form(name) == header_form(wanted)), None)
            if chosen is None:
                raise InputError(f"preprocess: {path.name} has no sheet {wanted!r}; its sheets are {', '.join(names)}")
            if chosen in visible:
                return chosen, []
            return chosen, [
                finding(
                    "F010",
                    place=f"{path.name}, sheet {chosen}",
                    rule="is a hidden sheet, read because --sheet names it",
                )
            ]
        if not visible:
            table_file.refuse(
                "F004", path, "has no visible sheet", f"name one with --sheet; hidden are {', '.join(names) or 'none'}"
            )
        notes = [
            finding(
                "F010",
                place=f"{path.name}, sheet {name} ({book.get_sheet_by_name(name).height} rows)",
                rule=f"was not read, {visible[0]} was",
                remedy="name it with --sheet to read it instead",
            )
            for name in visible[1:]
        ]
        return visible[0], notes


def _fill_merged_header(raw: pl.DataFrame, merged: Iterable[MergedRange], header_row: int) -> pl.DataFrame:
    """A merged header cell gives each of its columns the same header (row 2 of 4.1.1)."""
    row = header_row - 1
    for span in merged:
        if (
            span.top <= row <= span.bottom
            and f"c{span.left}" in raw.columns
            and span.top < raw.height
            and row < raw.height
        ):
            text = raw[f"c{span.left}"][span.top]
            for column in range(span.left, span.right + 1):
                if f"c{column}" in raw.columns:
                    raw = raw.with_columns(raw[f"c{column}"].scatter(row, text))
    return raw
