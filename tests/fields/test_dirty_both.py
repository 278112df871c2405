"""The dirty-input table, 4.1.1 of the data line, for what both a workbook and a CSV can hold: one content, one answer.

``test_dirty_sheets`` has what only a workbook can hold, ``test_delimited`` what only a text file can,
``test_dirty_ddl`` the rows that a schema can hold; the last test here checks that no row is without its test.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sheets import HEADERS, MAPPING, counts, first, read, row, texts, workbook

from autoresearch.errors import InputError
from autoresearch.fields.preprocess import Processed
from autoresearch.standards.mapping import ColumnMapping

Made = Callable[..., Path]


@pytest.fixture(params=["xlsx", "csv"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Made:
    """Writes a table of texts as a workbook or as a CSV."""

    def make(rows: Sequence[Sequence[str]], headers: Sequence[str] = HEADERS, name: str = "a") -> Path:
        path = tmp_path / f"{name}.{request.param}"
        if request.param == "xlsx":
            return workbook(path, rows, headers)
        with path.open("w", encoding="utf-8", newline="") as handle:
            csv.writer(handle).writerows([headers, *rows])
        return path

    return make


def place(path: Path, number: int, column: str | None = None) -> str:
    """How a row is named: by its row in a sheet, by its line in a text file."""
    source = f"{path.name}, sheet 字段, row" if path.suffix == ".xlsx" else f"{path.name}, line"
    return f"{source} {number}" + (f", column {column}" if column else "")


def refused(path: Path, code: str, mapping: ColumnMapping = MAPPING, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(path, mapping, **options)
    assert {item.code for item in caught.value.findings} == {code}
    return caught.value.message


def severities(done: Processed, code: str) -> list[str]:
    return [item.severity for item in done.report.findings if item.code == code]


def test_row_7_texts_that_look_like_numbers_are_kept_as_they_are(made: Made) -> None:
    values = ["0012", "1.0", "1e5", "20260101", "9007199254740993"]
    done = read(made([row(field_name=f"F{index}", field_description=text) for index, text in enumerate(values)]))
    assert texts(done, "field_description") == values
    assert "F021" not in counts(done)


def test_row_8_levels_written_as_numbers_or_words(made: Made) -> None:
    written = ["2", "2.0", "Ｌ3", "level 4", "1级", "第二级", "l1", "三级", " L4 ", ""]
    done = read(made([row(field_name=f"F{index}", data_level=text) for index, text in enumerate(written)]))
    assert texts(done, "data_level") == ["L2", "L2", "L3", "L4", "L1", "L2", "L1", "L3", "L4", ""]


@pytest.mark.parametrize("text", ["2.5", "L5", "5级", "0", "秘密", "L 2", "第级", "22"])
def test_row_8_other_levels_are_refused_with_their_place(made: Made, text: str) -> None:
    path = made([row(), row(field_name="G", data_level=text)])
    assert f'{place(path, 3, "G")}: "{text}" is not a level of L1 L2 L3 L4' in refused(path, "F016")


def test_row_10_a_byte_order_mark_is_no_part_of_the_first_header_or_of_a_mapping(made: Made, tmp_path: Path) -> None:
    path = made([row()])
    if path.suffix == ".csv":
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    mapping = tmp_path / "mapping.json"
    mapping.write_bytes(b"\xef\xbb\xbf" + '{"库名": "database_name", "字段名": "field_name"}'.encode())
    assert texts(read(path, ColumnMapping.from_path(mapping)), "database_name") == ["DB"]


def test_row_11_duplicate_headers_are_refused_if_mapped_and_noted_if_not(made: Made) -> None:
    message = refused(made([(*row(), "x")], (*HEADERS, " 字段名 ")), "F008")
    assert "C1 and H1" in message
    done = read(made([(*row(), "x", "y")], (*HEADERS, "备注", "备注"), "c"))
    assert severities(done, "F008") == ["note"]
    assert "H1 and I1" in first(done, "F008")[0]


def test_row_12_an_absent_header_names_the_three_nearest(made: Made) -> None:
    headers = ("库名", "表名", "字段名称", "字段", "字段中文名", "四级分类", "级别")
    mapping = ColumnMapping({"库名": "database_name", "字段名": "field_name"})
    message = refused(made([row()], headers), "F007", mapping)
    assert '"字段名" is mapped and is no header of row 1' in message
    nearest = message.partition("the nearest are ")[2].partition(";")[0].split(", ")
    assert len(nearest) == 3
    assert {"字段名称", "字段", "字段中文名"} == set(nearest)


def test_row_13_a_blank_header_over_data_is_noted_and_over_nothing_is_not(made: Made) -> None:
    path = made([(*row(), "x", "")], (*HEADERS, " ", ""))
    done = read(path)
    source = "a.xlsx, sheet 字段" if path.suffix == ".xlsx" else "a.csv"
    assert first(done, "F009") == (f"{source}, column H",)


def test_row_14_blank_rows_are_counted_with_their_places(made: Made) -> None:
    blank = ("", " ", "\u3000", "", "\t", "", "")
    path = made([row(field_name="A"), blank, row(field_name="B"), ("", "", "", "", "", "", "")])
    done = read(path)
    ledger = done.report.ledger
    assert ledger.written == 2
    assert ledger.read == ledger.written + ledger.blank_skipped
    assert first(done, "F015")[0] == place(path, 3)
    only_unmapped = made([(*row(), "x"), ("", "", "", "", "", "", "", "x")], (*HEADERS, "备注"), "b")
    assert read(only_unmapped).report.ledger.blank_skipped == 1


def test_row_18_a_date_written_as_text_is_kept_and_is_no_level(made: Made) -> None:
    assert texts(read(made([row(field_description="2024-01-02")])), "field_description") == ["2024-01-02"]
    path = made([row(data_level="2024-01-02")], name="b")
    assert place(path, 2, "G") in refused(path, "F016")


def test_row_19_booleans_written_as_text_are_kept(made: Made) -> None:
    done = read(made([row(field_name="A", field_description="TRUE"), row(field_name="B", field_description="false")]))
    assert texts(done, "field_description") == ["TRUE", "false"]


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\t", "\n", "\u2003", "\u2028", "\u2029", "\u0085", "  "])
def test_row_20_every_white_space_run_is_one_space_and_ends_are_trimmed(made: Made, space: str) -> None:
    done = read(made([row(field_description=f"{space}炉{space}{space}号{space}", field_name=f"F{space}G")]))
    assert texts(done, "field_description") == ["炉 号"]
    assert texts(done, "field_name") == ["F G"]


@pytest.mark.parametrize(
    "character", ["\u200b", "\u200e", "\u200f", "\u202a", "\u202e", "\u2060", "\ufeff", "\u0084", "\u009f"]
)
def test_row_21_invisible_characters_are_removed_and_noted(made: Made, character: str) -> None:
    path = made([row(field_name="A"), row(field_name=f"B{character}C", field_description=f"炉{character}号")])
    done = read(path)
    assert texts(done, "field_description")[1] == "炉号"
    assert texts(done, "field_name") == ["A", "BC"]
    assert counts(done)["F024"] == 2
    assert set(first(done, "F024")) == {place(path, 3, "C"), place(path, 3, "D")}
    assert severities(done, "F024") == ["note"]


def test_row_22_full_width_texts_stay_and_twins_are_warned_of(made: Made) -> None:
    path = made([row(field_name="ＡＢ", field_description="ＡＢ１"), row(field_name="ab"), row(field_name="other")])
    done = read(path)
    assert texts(done, "field_name") == ["ＡＢ", "ab", "other"]
    assert texts(done, "field_description")[0] == "ＡＢ１"
    assert severities(done, "F025") == ["warning"]
    assert first(done, "F025") == (place(path, 2), place(path, 3))


TOKENS = ["<|im_end|>", "<|x y|>", "<function=", "<parameter="]
TOKENS += [f"<{sign}{word}>" for word in ("think", "tool_call", "tool_response") for sign in ("", "/")]


@pytest.mark.parametrize("token", TOKENS)
def test_row_23_control_tokens_are_refused_or_stripped(made: Made, token: str) -> None:
    path = made([row(), row(field_name="G", field_description=f"前{token}后", level_4=f"订单{token}")])
    message = refused(path, "F023")
    assert place(path, 3, "D") in message
    assert "2 in all" in message
    done = read(path, control_tokens="strip")
    assert texts(done, "field_description") == ["描述", "前 后"]
    assert texts(done, "level_4") == ["订单", "订单"]
    assert f'"cleaned_from":{{"field_description":"前{token}后"}}' in done.content.decode()
    assert severities(done, "F023") == ["note"]


@pytest.mark.parametrize("text", ["-", "/", "无", "null", "N/A", "——", "NULL", ""])
def test_row_24_dash_like_descriptions_are_kept_and_counted(made: Made, text: str) -> None:
    path = made([row(field_description=text), row(field_name="B")])
    done = read(path)
    assert texts(done, "field_description")[0] == text
    assert done.report.missing["field_description"] == 1
    assert first(done, "F026") == (place(path, 2, "D"),)


def test_row_24_descriptions_that_only_hold_such_words_are_not_missing(made: Made) -> None:
    done = read(made([row(field_description="无缝钢管"), row(field_name="B", field_description="a-b")]))
    assert done.report.missing["field_description"] == 0


def test_row_25_texts_over_two_thousand_characters_are_kept_with_a_warning(made: Made) -> None:
    path = made([row(field_description="长" * 2001), row(field_name="B", field_description="长" * 2000)])
    done = read(path)
    assert [len(text) for text in texts(done, "field_description")] == [2001, 2000]
    assert severities(done, "F027") == ["warning"]
    assert first(done, "F027") == (place(path, 2, "D"),)


def test_row_27_equal_rows_are_one(made: Made) -> None:
    path = made([row(), row(), row(field_name="B"), row(field_description=" 描述\u3000")])
    done = read(path)
    assert (done.report.ledger.exact_duplicates, done.report.ledger.written) == (2, 2)
    assert first(done, "F013") == (place(path, 3), place(path, 5))


def test_row_27a_other_texts_are_merged_and_contradictions_warned_of(made: Made) -> None:
    path = made([row(field_description=""), row(field_description="甲"), row(field_description="乙", field_type="")])
    done = read(path)
    assert (texts(done, "field_description"), texts(done, "field_type")) == (["甲"], ["INTEGER"])
    assert done.report.ledger.merged_duplicates == 2
    assert severities(done, "F029") == ["warning"]


def test_row_28_different_labels_of_one_field_are_refused_with_their_rows(made: Made) -> None:
    path = made([row(), row(data_level="L3"), row(field_name="B"), row(field_name="B", level_4="库存")])
    message = refused(path, "F012")
    assert place(path, 2) + ", 3" in message
    assert "one says 订单/L2, one says 订单/L3" in message
    assert "2 in all" in message


def test_row_29_a_label_beside_no_label_is_refused(made: Made) -> None:
    message = refused(made([row(), row(level_4="", data_level="")]), "F012")
    assert "one says 订单/L2, one says nothing" in message


def test_row_30_a_header_without_data_is_refused(made: Made) -> None:
    refused(made([]), "F004")
    refused(made([("", "", "", "", "", "", "")], name="b"), "F004")


FORMATS = {
    "test_dirty_sheets": "1 2 3 4 5 6 7 8 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 27 27a 28 29 30",
    "test_delimited": "5 6 9 10 12 26 30",
    "test_dirty_both": "7 8 10 11 12 13 14 18 19 20 21 22 23 24 25 27 27a 28 29 30",
    "test_dirty_ddl": "6 9 10 20 21 22 23 24 25 30",
}
"""Which lines of the table can occur where."""


def test_no_line_of_the_table_is_without_its_test() -> None:
    tested: set[str] = set()
    for name, lines in FORMATS.items():
        source = Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
        found = {
            number
            for names in re.findall(r"def test_row_((?:\d+a?_)(?:and_\d+a?_)*)", source)
            for number in re.findall(r"\d+a?", names)
        }
        assert found == set(lines.split()), name
        tested |= found
    assert tested == {*map(str, range(1, 31)), "27a"}
