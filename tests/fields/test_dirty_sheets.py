"""Every line of the dirty-input table, 4.1.1 of the data line; the row number is in each name."""

from __future__ import annotations

import datetime
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from sheets import HEADERS, counts, first, read, row, texts, workbook

from autoresearch.errors import InputError
from autoresearch.standards.mapping import ColumnMapping


def refused(path: Path, code: str, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(path, **options)
    assert code in {item.code for item in caught.value.findings}
    return caught.value.message


def replace_part(path: Path, pattern: str, new: str, part: str = "xl/worksheets/sheet1.xml") -> Path:
    """Rewrite one part of a workbook by a regular expression."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    text = parts[part].decode("utf-8")
    changed = re.sub(pattern, new, text)
    assert changed != text
    parts[part] = changed.encode("utf-8")
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def test_row_1_merged_cells_fill_every_mapped_cell_in_two_dimensions(tmp_path: Path) -> None:
    headers = ("库名", "表名", "备注", "字段名")
    mapping = ColumnMapping({"库名": "database_name", "表名": "table_name", "字段名": "field_name"})

    def merge(book: Any, sheet: Any) -> None:
        sheet.merge_range(1, 0, 3, 2, "同名", book.add_format())
        sheet.write_row(4, 0, ("DB2", "T2", "x", "F4"))

    path = workbook(tmp_path / "a.xlsx", [("", "", "", f"F{index}") for index in range(3)], headers, merge)
    done = read(path, mapping)
    assert texts(done, "database_name") == ["同名", "同名", "同名", "DB2"]
    assert texts(done, "table_name") == ["同名", "同名", "同名", "T2"]
    assert first(done, "F014") == ("a.xlsx, sheet 字段, range A2:C4",)


def test_row_2_merged_header_is_a_duplicate_header(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "a.xlsx", [row()], edit=lambda book, sheet: sheet.merge_range(0, 3, 0, 4, "描述", book.add_format())
    )
    assert "D1 and E1" in refused(path, "F008")


def two_sheets(path: Path, hidden: str = "") -> Path:
    def add(book: Any, sheet: Any) -> None:
        other = book.add_worksheet("另一个")
        other.write_row(0, 0, HEADERS)
        other.write_row(1, 0, row(field_name="OTHER"))
        if hidden:
            getattr(sheet, hidden)()
            other.activate()
            other.set_first_sheet()

    return workbook(path, [row()], edit=add)


@pytest.mark.parametrize("hidden", ["hide", "very_hidden"])
def test_row_3_hidden_sheets_are_passed_over_and_may_be_named(tmp_path: Path, hidden: str) -> None:
    path = two_sheets(tmp_path / "a.xlsx", hidden)
    assert texts(read(path), "field_name") == ["OTHER"]
    named = read(path, sheet="字段")
    assert texts(named, "field_name") == ["F"]
    assert counts(named)["F010"] == 1


def test_row_3_hidden_rows_and_columns_are_read_like_others(tmp_path: Path) -> None:
    def hide(book: Any, sheet: Any) -> None:
        sheet.set_row(1, None, None, {"hidden": True})
        sheet.set_column(3, 3, None, None, {"hidden": True})

    done = read(
        workbook(tmp_path / "a.xlsx", [row(field_name="A", field_description="甲"), row(field_name="B")], edit=hide)
    )
    assert texts(done, "field_name") == ["A", "B"]
    assert texts(done, "field_description") == ["甲", "描述"]


def test_row_4_of_several_visible_sheets_the_first_is_used_and_the_others_are_named(tmp_path: Path) -> None:
    done = read(two_sheets(tmp_path / "a.xlsx"))
    assert texts(done, "field_name") == ["F"]
    assert first(done, "F010") == ("a.xlsx, sheet 另一个 (2 rows)",)
    [item] = [item for item in done.report.findings if item.code == "F010"]
    assert (item.count, item.severity) == (1, "note")


def test_an_unknown_sheet_is_refused_with_the_names(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="字段, 另一个"):
        read(two_sheets(tmp_path / "a.xlsx"), sheet="nowhere")


@pytest.mark.parametrize("name", ["~$a.xlsx", ".~a.xlsx"])
def test_row_5_lock_files_are_told_apart(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x07tester")
    assert "close it or give the file itself" in refused(tmp_path / name, "F002")


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.xlsx", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        ("a.csv", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        ("a.xlsx", b"", "zero bytes"),
        ("a.xlsx", b"<!DOCTYPE html><html></html>", "an HTML page"),
        ("a.xlsx", "库名,字段名\nA,B\n".encode(), "plain text"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64), r"\.xls"),
        ("a.xlsx", b"PK\x03\x04" + bytes(64), "unfinished"),
        ("a.xls", b"<html><table></table></html>", "an HTML page"),
        ("a.csv", b"PK\x03\x04" + bytes(64), "workbook"),
    ],
)
def test_row_6_files_that_are_not_what_they_say_are_named(tmp_path: Path, name: str, content: bytes, what: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert re.search(what, refused(tmp_path / name, "F003"))


def test_other_file_types_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1\t2\n")
    refused(tmp_path / "a.txt", "F001")


def test_row_7_numbers_have_their_shortest_text_and_texts_keep_zeros(tmp_path: Path) -> None:
    values = [20260101, 1.0, 0.1, "0012", 2.0**53 + 2]
    rows = [row(field_name=f"F{index}", field_description=value) for index, value in enumerate(values)]
    done = read(workbook(tmp_path / "a.xlsx", rows))
    assert texts(done, "field_description") == ["20260101", "1", "0.1", "0012", "9007199254740994"]
    assert counts(done)["F021"] == 4
    found = next(item for item in done.report.findings if item.code == "F021")
    assert found.severity == "warning"


def test_row_7_numbers_keep_their_digits_and_have_no_exponent(tmp_path: Path) -> None:
    values = {1e-10: "0.0000000001", 1 / 3: "0.333333333333333", 0.1 + 0.2: "0.3", 1.1: "1.1", 1.0: "1", -0.0: "0"}
    values |= {1.5e-7: "0.00000015", -2.50: "-2.5", 1e20: "1" + "0" * 20, 123456.789012345: "123456.789012345"}
    rows = [row(field_name=f"F{index}", field_description=value) for index, value in enumerate(values)]
    assert texts(read(workbook(tmp_path / "a.xlsx", rows)), "field_description") == list(values.values())


def test_row_7_small_numbers_are_a_note(tmp_path: Path) -> None:
    done = read(workbook(tmp_path / "a.xlsx", [row(field_description=7)]))
    assert [item.severity for item in done.report.findings if item.code == "F021"] == ["note"]


def test_row_8_levels_as_numbers(tmp_path: Path) -> None:
    rows = [
        row(field_name="A", data_level=2),
        row(field_name="B", data_level=3.0),
        row(field_name="C", data_level="Ｌ4"),
    ]
    done = read(workbook(tmp_path / "a.xlsx", rows))
    assert texts(done, "data_level") == ["L2", "L3", "L4"]
    assert "F021" not in counts(done)
    message = refused(workbook(tmp_path / "b.xlsx", [row(data_level=2.5)]), "F016")
    assert 'b.xlsx, sheet 字段, row 2, column G: "2.5" is not a level of L1 L2 L3 L4' in message


def test_row_13_blank_header_over_data_is_noted(tmp_path: Path) -> None:
    done = read(workbook(tmp_path / "a.xlsx", [(*row(), "x")]))
    assert first(done, "F009") == ("a.xlsx, sheet 字段, column H",)


def test_row_11_duplicate_headers(tmp_path: Path) -> None:
    message = refused(workbook(tmp_path / "a.xlsx", [(*row(), "x")], (*HEADERS, " 字段名 ")), "F008")
    assert "C1 and H1" in message
    done = read(workbook(tmp_path / "b.xlsx", [(*row(), "x", "y")], (*HEADERS, "备注", "备注")))
    assert [item.severity for item in done.report.findings if item.code == "F008"] == ["note"]


def test_row_12_absent_header_names_the_nearest(tmp_path: Path) -> None:
    message = refused(workbook(tmp_path / "a.xlsx", [row()], ("库名", "表名", "字段名称", *HEADERS[3:])), "F007")
    assert '"字段名"' in message
    assert "字段名称" in message


def test_row_14_blank_rows_are_counted_and_formatted_ones_are_not(tmp_path: Path) -> None:
    def format_only(book: Any, sheet: Any) -> None:
        for index in range(5, 200):
            sheet.write_blank(index, 0, None, book.add_format({"bold": True}))

    rows = [row(field_name="A"), ("", " ", "\u3000", "", "", "", ""), row(field_name="B")]
    done = read(workbook(tmp_path / "a.xlsx", rows, edit=format_only))
    assert done.report.ledger.model_dump() == {
        "read": 3,
        "blank_skipped": 1,
        "no_name_skipped": 0,
        "exact_duplicates": 0,
        "merged_duplicates": 0,
        "written": 2,
    }
    assert first(done, "F015") == ("a.xlsx, sheet 字段, row 3",)


def test_row_15_a_wrong_dimension_is_not_trusted(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [row()])
    replace_part(path, r'<dimension ref="[^"]*"/>', '<dimension ref="A1:XFD1048576"/>')
    assert read(path).report.ledger.read == 1
    replace_part(path, r'<dimension ref="[^"]*"/>', '<dimension ref="A1"/>')
    assert read(path).report.ledger.read == 1


def test_row_16_formulas_count_by_their_stored_result(tmp_path: Path) -> None:
    def formula(result: Any) -> Any:
        return lambda book, sheet: sheet.write_formula(1, 3, '="a"&"b"', None, result)

    assert texts(read(workbook(tmp_path / "a.xlsx", [row()], edit=formula("ab"))), "field_description") == ["ab"]
    missing = workbook(tmp_path / "b.xlsx", [row()], edit=formula("ab"))
    replace_part(missing, r"(</f>)<v>ab</v>", r"\1")
    assert "row 2, column D" in refused(missing, "F019")
    empty = workbook(tmp_path / "c.xlsx", [row()], edit=formula("ab"))
    replace_part(empty, r"(</f>)<v>ab</v>", r"\1<v></v>")
    assert texts(read(empty), "field_description") == [""]


def test_row_16_and_17_faults_outside_mapped_columns_are_ignored(tmp_path: Path) -> None:
    def faults(book: Any, sheet: Any) -> None:
        sheet.write_formula(1, 7, "=NA()", None, "#N/A")

    done = read(workbook(tmp_path / "a.xlsx", [(*row(), "")], (*HEADERS, "备注"), faults))
    assert done.report.ledger.written == 1


def test_row_17_error_cells_are_refused(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "a.xlsx", [row()], edit=lambda book, sheet: sheet.write_formula(1, 3, "=NA()", None, "#N/A")
    )
    assert 'column D: "#N/A"' in refused(path, "F020")


def test_row_18_dates_become_iso_texts_and_are_no_levels(tmp_path: Path) -> None:
    def dates(column: int) -> Any:
        def write(book: Any, sheet: Any) -> None:
            day = book.add_format({"num_format": "yyyy-mm-dd"})
            time = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
            sheet.write_datetime(1, column, datetime.datetime(2024, 1, 2), day)
            sheet.write_datetime(2, column, datetime.datetime(2024, 1, 2, 3, 4, 5), time)

        return write

    rows = [row(field_name="A"), row(field_name="B")]
    done = read(workbook(tmp_path / "a.xlsx", rows, edit=dates(3)))
    assert texts(done, "field_description") == ["2024-01-02", "2024-01-02T03:04:05"]
    assert counts(done)["F022"] == 2
    refused(workbook(tmp_path / "b.xlsx", rows, edit=dates(6)), "F016")


def test_row_19_booleans_are_words(tmp_path: Path) -> None:
    rows = [row(field_name="A", field_description=True), row(field_name="B", field_description=False)]
    assert texts(read(workbook(tmp_path / "a.xlsx", rows)), "field_description") == ["TRUE", "FALSE"]


def test_row_20_white_space_is_one_space(tmp_path: Path) -> None:
    text = "\u3000 炉\u00a0\t号\n  x\u2028y "
    assert texts(read(workbook(tmp_path / "a.xlsx", [row(field_description=text)])), "field_description") == [
        "炉 号 x y"
    ]


def test_row_21_invisible_characters_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(",".join(HEADERS) + "\nDB,T,F,炉\u200b号\u202e\x07\u2060,INT,订单,L2\n", encoding="utf-8")
    done = read(path)
    assert texts(done, "field_description") == ["炉号"]
    assert first(done, "F024") == ("a.csv, line 2, column D",)


def test_row_22_full_width_texts_stay_and_twins_are_warned_of(tmp_path: Path) -> None:
    rows = [row(field_name="ＡＢ"), row(field_name="ab"), row(field_name="other")]
    done = read(workbook(tmp_path / "a.xlsx", rows))
    assert texts(done, "field_name") == ["ＡＢ", "ab", "other"]
    assert counts(done)["F025"] == 2


@pytest.mark.parametrize("token", ["<|im_end|>", "<think>", "</tool_call>", "<function=", "<|x y|>"])
def test_row_23_control_tokens_are_refused_or_stripped(tmp_path: Path, token: str) -> None:
    path = workbook(tmp_path / "a.xlsx", [row(field_description=f"前{token}后")])
    assert "column D" in refused(path, "F023")
    done = read(path, control_tokens="strip")
    assert texts(done, "field_description") == ["前 后"]
    assert f'"cleaned_from":{{"field_description":"前{token}后"}}' in done.content.decode()
    assert [item.severity for item in done.report.findings if item.code == "F023"] == ["note"]


@pytest.mark.parametrize("text", ["-", "/", "无", "null", "N/A", "——", ""])
def test_row_24_dash_like_descriptions_are_kept_and_counted(tmp_path: Path, text: str) -> None:
    done = read(workbook(tmp_path / "a.xlsx", [row(field_description=text), row(field_name="B")]))
    assert texts(done, "field_description")[0] == text
    assert done.report.missing["field_description"] == 1
    assert counts(done)["F026"] == 1


def test_row_25_long_texts_are_kept_with_a_warning(tmp_path: Path) -> None:
    done = read(workbook(tmp_path / "a.xlsx", [row(field_description="长" * 2001), row(field_name="B")]))
    assert len(texts(done, "field_description")[0]) == 2001
    assert counts(done)["F027"] == 1


def test_row_27_equal_rows_are_one(tmp_path: Path) -> None:
    done = read(workbook(tmp_path / "a.xlsx", [row(), row(), row(field_name="B"), row()]))
    assert done.report.ledger.exact_duplicates == 2
    assert done.report.ledger.written == 2
    assert first(done, "F013") == ("a.xlsx, sheet 字段, row 3", "a.xlsx, sheet 字段, row 5")


def test_row_27a_other_texts_are_merged_and_contradictions_warned_of(tmp_path: Path) -> None:
    rows = [row(field_description=""), row(field_description="甲"), row(field_description="乙", field_type="")]
    done = read(workbook(tmp_path / "a.xlsx", rows))
    assert texts(done, "field_description") == ["甲"]
    assert texts(done, "field_type") == ["INTEGER"]
    assert done.report.ledger.merged_duplicates == 2
    assert counts(done)["F029"] == 1


def test_row_28_and_29_contradicting_labels_are_refused(tmp_path: Path) -> None:
    message = refused(workbook(tmp_path / "a.xlsx", [row(), row(data_level="L3")]), "F012")
    assert "row 2, 3" in message
    assert "one says 订单/L2, one says 订单/L3" in message
    message = refused(workbook(tmp_path / "b.xlsx", [row(), row(level_4="", data_level="")]), "F012")
    assert "one says 订单/L2, one says nothing" in message


def test_row_28_counts_all_and_names_ten(tmp_path: Path) -> None:
    rows = [row(field_name=f"F{index // 2}", data_level=f"L{1 + index % 2}") for index in range(24)]
    assert "12 in all" in refused(workbook(tmp_path / "a.xlsx", rows), "F012")


def test_row_30_no_data_rows(tmp_path: Path) -> None:
    refused(workbook(tmp_path / "a.xlsx", []), "F004")
    refused(workbook(tmp_path / "b.xlsx", [("", "", "", "", "", "", "")]), "F004")
    (tmp_path / "c.csv").write_text("\n", encoding="utf-8")
    refused(tmp_path / "c.csv", "F004")


def test_rows_without_a_name_are_an_error_or_skipped(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [row(field_name=""), row()])
    assert "row 2, column C" in refused(path, "F011")
    done = read(path, missing_field_policy="skip")
    assert (done.report.ledger.no_name_skipped, done.report.ledger.written) == (1, 1)


def test_a_table_that_begins_below_and_to_the_right_keeps_its_places(tmp_path: Path) -> None:
    def shifted(book: Any, sheet: Any) -> None:
        for index, cells in enumerate((HEADERS, row(data_level="9")), start=4):
            sheet.write_row(index, 2, cells)

    path = workbook(tmp_path / "a.xlsx", [], headers=(), edit=shifted)
    assert "row 6, column I" in refused(path, "F016", header_row=5)


def test_all_errors_are_told_at_once(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "a.xlsx", [row(data_level="x"), row(field_name="", data_level=""), row(field_name="<think>")]
    )
    with pytest.raises(InputError) as caught:
        read(path)
    assert {item.code for item in caught.value.findings} == {"F011", "F016", "F023"}


def test_mapping_matches_headers_by_width_and_space(tmp_path: Path) -> None:
    mapping = ColumnMapping({"Field Name": "field_name"})
    path = workbook(tmp_path / "a.xlsx", [("F",)], (" Ｆield Ｎame ",))
    assert texts(read(path, mapping), "field_name") == ["F"]
