"""CSV and TSV: encodings, byte-order marks, ragged rows, and equality with the workbook (data-line 4.1.1 rows 9, 10,
26; 12.8).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from sheets import HEADERS, first, read, row, texts, workbook

from autoresearch.errors import InputError

LINES = [",".join(HEADERS), "DB,T,F,炉号,INT,订单,L2", 'DB,T,G,"两\n行",INT,订单,L2']
TEXT = "\n".join(LINES) + "\n"


@pytest.mark.parametrize(
    ("encoding", "named"), [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("gb18030", "gb18030"), ("utf-16", "utf-16")]
)
def test_row_9_encodings_are_found_without_statistics(tmp_path: Path, encoding: str, named: str) -> None:
    (tmp_path / "a.csv").write_bytes(TEXT.encode(encoding))
    done = read(tmp_path / "a.csv")
    assert texts(done, "database_name") == ["DB", "DB"]
    assert texts(done, "field_description") == ["炉号", "两 行"]
    assert done.report.input.encoding == named


def test_row_9_an_encoding_nobody_knows_asks_for_the_flag(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(TEXT.encode() + b"\xff\xff\n")
    with pytest.raises(InputError, match="F005.*--encoding"):
        read(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_bytes(TEXT.encode("utf-16-le"))
    assert read(tmp_path / "b.csv", encoding="UTF_16LE").report.input.encoding == "utf-16-le"
    with pytest.raises(InputError, match="no encoding 'klingon'"):
        read(tmp_path / "b.csv", encoding="klingon")


def test_row_10_a_byte_order_mark_is_no_part_of_the_first_header(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    assert texts(read(tmp_path / "a.csv"), "database_name") == ["DB", "DB"]


def test_workbook_and_csv_of_one_content_give_equal_bytes(tmp_path: Path) -> None:
    rows = [row(field_name="A", field_description="含,逗号"), row(field_name="B", field_description='引"号\\')]
    lines = [",".join('"' + str(text).replace('"', '""') + '"' for text in cells) for cells in (HEADERS, *rows)]
    (tmp_path / "a.csv").write_bytes("\r\n".join(lines).encode("gb18030"))
    assert read(tmp_path / "a.csv").content == read(workbook(tmp_path / "a.xlsx", rows)).content


def test_tabs_separate_tsv_and_a_delimiter_may_be_given(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(TEXT.replace(",", "\t"), encoding="utf-8")
    (tmp_path / "a.csv").write_text(TEXT.replace(",", ";"), encoding="utf-8")
    assert read(tmp_path / "a.tsv").content == read(tmp_path / "a.csv", delimiter=";").content


@pytest.mark.parametrize("name", ["~$a.csv", ".~lock.a.csv", ".~a.tsv"])
def test_row_5_locks_of_text_files_are_told_apart(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x07tester")
    with pytest.raises(InputError, match="F002.*close it or give the file itself"):
        read(tmp_path / name)


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "zero bytes"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        (b"PK\x03\x04" + bytes(64), "a zipped workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64), r"\.xls"),
    ],
)
def test_row_6_text_files_that_are_none_are_named(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=f"F003.*{told}"):
        read(tmp_path / name)


@pytest.mark.parametrize("content", ["\n", " , ,\nx,y,z\n", LINES[0], LINES[0] + "\n\n\n"])
def test_row_30_a_text_file_without_header_or_data_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.csv").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="F004"):
        read(tmp_path / "a.csv")


def test_a_delimiter_is_one_character(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TEXT, encoding="utf-8")
    for wrong in (";;", "\n", '"'):
        with pytest.raises(InputError, match="--delimiter is one character"):
            read(tmp_path / "a.csv", delimiter=wrong)


def test_row_26_short_rows_lack_unmapped_columns_only(tmp_path: Path) -> None:
    head = ",".join((*HEADERS, "备注"))
    (tmp_path / "a.csv").write_text(f"{head}\n{LINES[1]}\n", encoding="utf-8")
    assert read(tmp_path / "a.csv").report.ledger.written == 1
    (tmp_path / "b.csv").write_text(f"{head}\n{LINES[1]},\nDB,T,G\n", encoding="utf-8")
    with pytest.raises(InputError, match='F028 ragged-row: b.csv, line 3: "3"'):
        read(tmp_path / "b.csv")


def test_row_26_long_rows_may_hold_further_empty_cells_only(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{LINES[0]}\n{LINES[1]},, \n", encoding="utf-8")
    assert read(tmp_path / "a.csv").report.ledger.written == 1
    (tmp_path / "b.csv").write_text(f"{LINES[0]}\n{LINES[1]},,x\n", encoding="utf-8")
    with pytest.raises(InputError, match="F028 ragged-row: b.csv, line 2"):
        read(tmp_path / "b.csv")


def test_row_12_a_header_that_is_half_the_file_is_shown_in_one_short_line(tmp_path: Path) -> None:
    lines = [TEXT.splitlines()[0].replace("级别", '"级'), *["DB,T,F,炉号,INT,订单,L2"] * 9]
    (tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match="F007.*the nearest are .*级 DB,T,F") as caught:
        read(tmp_path / "a.csv")
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 300


def test_places_are_lines_also_after_a_text_with_line_breaks(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TEXT + "\nDB,T,H,,INT,订单,L2\n", encoding="utf-8")
    done = read(tmp_path / "a.csv")
    assert first(done, "F015") == ("a.csv, line 5",)
    assert first(done, "F026") == ("a.csv, line 6, column D",)


def test_a_csv_has_no_sheets(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TEXT, encoding="utf-8")
    with pytest.raises(InputError, match="has no sheets"):
        read(tmp_path / "a.csv", sheet="x")
