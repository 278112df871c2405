"""The labelled sheet: the customer's columns stay as they were, the block stands on the right (training 10.1)."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from python_calamine import CalamineWorkbook

from autoresearch.errors import InputError
from autoresearch.evaluation.field_source import FieldTable, guess_mapping, read_fields
from autoresearch.evaluation.sheet import Labelled, LabelledSheet, block_headers, texts, write_labelled

BLOCK = Labelled(
    "转炉炉次", "L2", "生产数据 / 转炉炉次", "B2-1", 0.6, "钢种成分（0.40）", "依据", "是：x", "转炉炉次 / L2"
)


def write_book(path: Path, rows: list[list[Any]], merge: tuple[int, int, int, int] | None = None) -> Path:
    book = xlsxwriter.Workbook(str(path))
    page = book.add_worksheet("字段")
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            if isinstance(value, date):
                page.write_datetime(number, column, value, day)
            elif isinstance(value, str):
                page.write_string(number, column, value)
            else:
                page.write(number, column, value)
    if merge is not None:
        page.merge_range(*merge, rows[merge[0]][merge[1]])
    book.close()
    return path


def labelled(table: FieldTable, to_review: tuple[int, ...] = ()) -> LabelledSheet:
    blocks = [BLOCK if row.metadata["field_name"] else None for row in table.rows]
    return LabelledSheet(table, blocks, to_review, [("行数", len(table.rows))], "confidence")


def cells(path: Path, sheet: int = 0) -> list[list[Any]]:
    with CalamineWorkbook.from_path(str(path)) as book:
        found: list[list[Any]] = book.get_sheet_by_index(sheet).to_python(skip_empty_area=False)
        return found


ROWS: list[list[Any]] = [
    ["表名", "字段名", "数量", "日期", "启用", "编码"],
    ["T_A", "HEAT_NO", 20260101, date(2024, 5, 6), True, "0012"],
    ["T_A", "=NOT(A1)", 0.1, "", False, ""],
    ["", "", "", "", "", ""],
    ["T_B", "TAP_TEMP", 3, "https://x.example", True, "说明"],
]


def test_original_columns_are_unchanged_in_content_type_and_order(tmp_path: Path) -> None:
    source = write_book(tmp_path / "in.xlsx", ROWS)
    out = tmp_path / "out.xlsx"
    write_labelled(out, labelled(read_fields(source)))
    before, after = cells(source), cells(out)
    assert len(after) == len(before)
    assert [row[:6] for row in after] == before
    assert after[0][6:] == block_headers("confidence", "zh")


def test_row_without_a_field_name_gets_no_block(tmp_path: Path) -> None:
    table = read_fields(write_book(tmp_path / "in.xlsx", ROWS))
    write_labelled(tmp_path / "out.xlsx", labelled(table))
    after = cells(tmp_path / "out.xlsx")
    assert after[3][6:] == [""] * 9
    assert after[1][6:] == list(BLOCK.cells())


def test_merged_cells_stay_merged_and_fill_the_prompt(tmp_path: Path) -> None:
    rows = [["表名", "字段名"], ["T_A", "A"], ["", "B"]]
    source = write_book(tmp_path / "in.xlsx", rows, merge=(1, 0, 2, 0))
    table = read_fields(source)
    assert [row.metadata["table_name"] for row in table.rows] == ["T_A", "T_A"]
    write_labelled(tmp_path / "out.xlsx", labelled(table))
    with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
        assert '<mergeCell ref="A2:A3"/>' in archive.read("xl/worksheets/sheet1.xml").decode()
    assert [row[:2] for row in cells(tmp_path / "out.xlsx")] == cells(source)


def test_rows_above_the_header_are_kept(tmp_path: Path) -> None:
    source = write_book(tmp_path / "in.xlsx", [["某公司字段清单", ""], ["表名", "字段名"], ["T_A", "A"]])
    table = read_fields(source, header_row=2)
    write_labelled(tmp_path / "out.xlsx", labelled(table))
    after = cells(tmp_path / "out.xlsx")
    assert after[0][0] == "某公司字段清单"
    assert after[1][:3] == ["表名", "字段名", "预测类别"]
    assert after[2][:3] == ["T_A", "A", "转炉炉次"]


def test_equal_predictions_give_equal_bytes(tmp_path: Path) -> None:
    table = read_fields(write_book(tmp_path / "in.xlsx", ROWS))
    write_labelled(tmp_path / "a.xlsx", labelled(table))
    write_labelled(tmp_path / "b.xlsx", labelled(table))
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


def test_review_sheet_lists_rows_in_the_order_of_urgency(tmp_path: Path) -> None:
    table = read_fields(write_book(tmp_path / "in.xlsx", ROWS))
    write_labelled(tmp_path / "out.xlsx", labelled(table, to_review=(3, 0)))
    listed = cells(tmp_path / "out.xlsx", 2)
    assert [row[:2] for row in listed[1:]] == [[1.0, 5.0], [2.0, 2.0]]
    assert listed[1][4] == "TAP_TEMP"


def test_header_is_frozen_and_texts_are_no_formulas_or_links(tmp_path: Path) -> None:
    table = read_fields(write_book(tmp_path / "in.xlsx", ROWS))
    write_labelled(tmp_path / "out.xlsx", labelled(table))
    with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
        page = archive.read("xl/worksheets/sheet1.xml").decode()
    assert 'ySplit="1"' in page and 'state="frozen"' in page
    assert "<f>" not in page and "<hyperlink" not in page


def test_english_columns_have_english_words_everywhere(tmp_path: Path) -> None:
    assert block_headers("margin", "en")[4] == "margin"
    zh, en = texts("zh"), texts("en")
    assert {key: set(value) for key, value in zh.items() if isinstance(value, dict)} == {
        key: set(value) for key, value in en.items() if isinstance(value, dict)
    }
    assert zh.keys() == en.keys()


def test_csv_in_gives_csv_out_with_every_line(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes('表名,字段名,备注\r\nT_A,HEAT_NO,0012\r\n\r\nT_B,TAP_TEMP,"a,b"\r\n'.encode("gb18030"))
    table = read_fields(source)
    write_labelled(tmp_path / "out.csv", labelled(table))
    read = list(csv.reader(io.StringIO((tmp_path / "out.csv").read_text(encoding="utf-8-sig"))))
    assert read[0][:4] == ["表名", "字段名", "备注", "预测类别"]
    named = [row[:4] for row in read[1:] if row[1]]
    assert named == [["T_A", "HEAT_NO", "0012", "转炉炉次"], ["T_B", "TAP_TEMP", "a,b", "转炉炉次"]]


def test_nothing_is_left_behind_when_writing_fails(tmp_path: Path) -> None:
    table = read_fields(write_book(tmp_path / "in.xlsx", ROWS))
    sheet = LabelledSheet(table, [BLOCK], (), [], "confidence")  # one block for four rows
    with pytest.raises(ValueError, match="zip"):
        write_labelled(tmp_path / "out.xlsx", sheet)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.xlsx"]


def test_usual_headers_need_no_mapping() -> None:
    assert guess_mapping(["Column_Name", "表名", "x"]).columns == {"Column_Name": "field_name", "表名": "table_name"}


def test_unknown_headers_are_named_with_the_remedy() -> None:
    with pytest.raises(InputError, match=r"headers: a, b\); give --mapping FILE"):
        guess_mapping(["a", "b"])


def test_typed_cells_are_read_back_with_their_types(tmp_path: Path) -> None:
    table = read_fields(write_book(tmp_path / "in.xlsx", ROWS))
    assert table.rows[0].cells[2:5] == (20260101.0, date(2024, 5, 6), True)
    assert table.rows[0].cells[5] == "0012"
    assert isinstance(table.rows[0].cells[3], date) and not isinstance(table.rows[0].cells[3], datetime)
