"""The field list as a customer would send it: rows, what is awkward about them, workbook and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import xlsxwriter
from full_fields import Field
from standard import HEADERS
from workbook import write_workbook

COLUMNS = ["序号", *HEADERS, "", "备注"]
"""The header of the sheet: an unmapped one at each end and a blank one over data."""
SHEET = "字段清单"


@dataclass
class Row:
    """One row: texts by header, and how the workbook stores those that are no plain texts."""

    cells: dict[str, str]
    source: Field | None = None
    stored: dict[str, str] = field(default_factory=dict)
    in_ddl: bool = True

    @property
    def blank(self) -> bool:
        """True for a row that only separates."""
        return not any(self.cells.values())


@dataclass
class Sheet:
    """All rows, the merged blocks (table, headers) and what stands around them."""

    rows: list[Row]
    merges: list[tuple[str, list[str]]] = field(default_factory=list)
    further: list[tuple[str, bool]] = field(default_factory=list)
    formatted_end: int = 0
    blank_header: bool = False

    def of_table(self, name: str) -> list[Row]:
        """The rows of one table; the name must exist."""
        found = [row for row in self.rows if row.cells["表名"] == name]
        if not found:
            raise ValueError(f"awkward.yaml names the table {name}, which the vocabulary does not give")
        return found


class Labels:
    """What the label columns of a leaf hold."""

    def __init__(self, groups: Mapping[str, Any], leaves: Sequence[Mapping[str, Any]]) -> None:
        self.groups = groups
        self.names = {leaf["code"]: leaf["name"] for leaf in leaves}

    def cells(self, code: str, level: str) -> dict[str, str]:
        return {
            "一级分类": self.groups["groups"][code[0]]["name"],
            "二级分类": self.groups["areas"][code[:2]],
            "三级分类": "",
            "四级分类": self.names[code],
            "级别": level,
        }


def make_row(item: Field, labels: Labels) -> Row:
    """The row of one field, with labels if the sheet shows them."""
    none = dict.fromkeys(["一级分类", "二级分类", "三级分类", "四级分类", "级别"], "")
    return Row(
        {
            "库名": item.table.database,
            "库描述": item.table.database_description,
            "表名": item.table.name,
            "表描述": item.table.description,
            "字段名": item.name,
            "字段描述": item.description,
            "字段类型": item.type,
            **(labels.cells(item.leaf, item.level if item.with_level else "") if item.labelled else none),
        },
        item,
    )


def _labelled(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.cells["级别"]]


def _insert(sheet: Sheet, after: Row, rows: Sequence[Row]) -> None:
    place = sheet.rows.index(after) + 1
    sheet.rows[place:place] = rows


def _merge(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    first, *others = case["columns"]
    for row in sheet.of_table(case["table"]):
        row.cells.update(dict.fromkeys(others, row.cells[first]))
    sheet.merges.append((case["table"], case["columns"]))


def _sheet(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    sheet.further.append((case["name"], case["hidden"]))


def _numeric_levels(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    for row in _labelled(sheet.of_table(case["table"])):
        row.cells["级别"], row.stored["级别"] = row.cells["级别"][1:], "number"


def _level_text(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    row = next(row for row in sheet.of_table(case["table"]) if row.cells["级别"] == case["level"])
    row.cells["级别"] = case["text"]


def _describe(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    rows = [row for row in sheet.of_table(case["table"]) if row.source is not None and not row.source.common]
    row = next(row for row in rows if bool(row.cells["级别"]) == (case["kind"] != "long"))
    text = case["text"]
    row.cells["字段描述"] = (text * case["length"])[: case["length"]] if case["kind"] == "long" else text
    if case["kind"] in ("date", "number", "formula"):
        row.stored["字段描述"] = case["kind"]


def _blank_rows(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    for name in case["after_tables"]:
        _insert(sheet, sheet.of_table(name)[-1], [Row(dict.fromkeys(HEADERS, ""))])


def _formatted_end(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    sheet.formatted_end = case["rows"]


def _blank_header(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    sheet.blank_header = True


def _duplicate(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    rows = sheet.of_table(case["table"])
    row = _labelled(rows)[0]
    _insert(sheet, rows[-1], [Row(dict(row.cells), row.source, in_ddl=False)])


def _trailing_code(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    rows = [row for row in _labelled(sheet.rows) if row.cells["四级分类"] == labels.names[case["leaf"]]]
    for row in rows[: case["count"]]:
        row.cells["四级分类"] += f"（{case['leaf']}）"


def _leaf_text(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    rows = [
        row for row in sheet.rows if not row.blank and not row.cells["四级分类"] and len(row.cells["字段描述"]) < 100
    ]
    for row in rows[:: max(1, len(rows) // case["count"])][: case["count"]]:
        row.cells["四级分类"] = case["text"]


def _wrong_path(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    rows = [row for row in _labelled(sheet.rows) if row.cells["四级分类"] == labels.names[case["leaf"]]]
    for row in rows[: case["count"]]:
        row.cells["一级分类"], row.cells["二级分类"] = "生产数据", "轧钢"


def _twin_table(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    database = next(row.cells for row in sheet.rows if row.cells["库名"] == case["database"])
    copies = [
        Row(
            row.cells | {"库名": database["库名"], "库描述": database["库描述"], "表描述": case["description"]},
            row.source,
        )
        for row in sheet.of_table(case["table"])
    ]
    _insert(sheet, [row for row in sheet.rows if row.cells["库名"] == case["database"]][-1], copies)


def _add(sheet: Sheet, case: Mapping[str, Any], labels: Labels) -> None:
    last = sheet.of_table(case["table"])[-1]
    cells = last.cells | {"字段名": case["name"], "字段描述": case["description"], "字段类型": case["type"]}
    cells |= labels.cells(case["leaf"], case["level"])
    _insert(sheet, last, [Row(cells, in_ddl=case.get("in_ddl", True))])


CASES: dict[str, Callable[[Sheet, Mapping[str, Any], Labels], None]] = {
    "merge": _merge,
    "sheet": _sheet,
    "numeric_levels": _numeric_levels,
    "level_text": _level_text,
    "describe": _describe,
    "blank_rows": _blank_rows,
    "formatted_end": _formatted_end,
    "blank_header": _blank_header,
    "duplicate": _duplicate,
    "trailing_code": _trailing_code,
    "leaf_text": _leaf_text,
    "wrong_path": _wrong_path,
    "twin_table": _twin_table,
    "add": _add,
}
ORDER = ["add", "twin_table", "leaf_text", "trailing_code", "wrong_path", "numeric_levels", "level_text", "describe"]
"""Rows are added before others are changed; what is not named here comes last."""


def make_awkward(sheet: Sheet, cases: Sequence[Mapping[str, Any]], labels: Labels) -> None:
    """Do to the sheet what awkward.yaml says."""
    for case in sorted(cases, key=lambda case: ORDER.index(case["do"]) if case["do"] in ORDER else len(ORDER)):
        CASES[case["do"]](sheet, case, labels)


def _blocks(sheet: Sheet) -> dict[tuple[int, str], tuple[int, list[str]]]:
    """(first row, first header) -> (last row, headers) of each merged block."""
    blocks = {}
    for name, headers in sheet.merges:
        numbers = [number for number, row in enumerate(sheet.rows, start=1) if row.cells["表名"] == name]
        blocks[numbers[0], headers[0]] = (numbers[-1], headers)
    return blocks


def write_sheet(path: Path, sheet: Sheet) -> None:
    """Write the workbook: merged blocks, typed cells, a second and a hidden sheet, formats after the end."""

    def fill(book: xlsxwriter.Workbook) -> None:
        page = book.add_worksheet(SHEET)
        bold, day = (
            book.add_format({"bold": True, "bg_color": "#DDEBF7"}),
            book.add_format({"num_format": "yyyy-mm-dd"}),
        )
        centre = book.add_format({"valign": "vcenter"})
        page.write_row(0, 0, COLUMNS, bold)
        page.freeze_panes(1, 0)
        page.set_column(0, len(COLUMNS) - 1, 16)
        blocks, covered = _blocks(sheet), set()
        for (first, header), (last, headers) in blocks.items():
            left, right = COLUMNS.index(header), COLUMNS.index(headers[-1])
            page.merge_range(first, left, last, right, sheet.rows[first - 1].cells[header], centre)
            covered |= {(row, COLUMNS.index(name)) for row in range(first, last + 1) for name in headers}
        for number, row in enumerate(sheet.rows, start=1):
            if row.blank:
                continue
            page.write_number(number, 0, number)
            for header, text in row.cells.items():
                column, kind = COLUMNS.index(header), row.stored.get(header)
                if not text or (number, column) in covered:
                    continue
                if kind == "number":
                    page.write_number(number, column, int(text))
                elif kind == "date":
                    page.write_datetime(number, column, date.fromisoformat(text), day)
                elif kind == "formula":
                    page.write_formula(number, column, f'="{text[:2]}"&"{text[2:]}"', None, text)
                else:
                    page.write_string(number, column, text)
            if sheet.blank_header and number % 200 == 0:
                page.write_string(number, COLUMNS.index(""), "已核对")
        for number in range(len(sheet.rows) + 1, len(sheet.rows) + 1 + sheet.formatted_end):
            for column in range(len(COLUMNS)):
                page.write_blank(number, column, None, centre)
        for name, hidden in sheet.further:
            other = book.add_worksheet(name)
            other.write_column(0, 0, ["说明", "本清单由各系统管理员填写", "级别按分级标准填写"])
            if hidden:
                other.hide()

    write_workbook(path, fill)


def write_csv(path: Path, sheet: Sheet, encoding: str) -> None:
    """Write the same rows as CSV: blocks filled, typed cells as the texts that they stand for."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for number, row in enumerate(sheet.rows, start=1):
        cells = {**row.cells, "序号": "" if row.blank else str(number)}
        cells[""] = "已核对" if sheet.blank_header and number % 200 == 0 and not row.blank else ""
        writer.writerow([cells.get(header, "") for header in COLUMNS])
    path.write_bytes(lines.getvalue().encode(encoding))
