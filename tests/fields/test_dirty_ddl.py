"""The rows of the dirty-input table that a SQL schema can hold (4.1.1 rows 6, 9, 10, 20 to 25, 30; 4.2 rule 5)."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_ddl import codes, imported

from autoresearch.errors import InputError
from autoresearch.fields.ddl import DdlReport, import_ddl
from autoresearch.files import read_records

CREATE = "CREATE TABLE `t` (a int COMMENT '{}', b int COMMENT '乙') COMMENT='表';"


def places(report: DdlReport, code: str) -> tuple[str, ...]:
    return next(item.first for item in report.findings if item.code == code)


def refused(folder: Path, data: bytes) -> str:
    (folder / "a.sql").write_bytes(data)
    with pytest.raises(InputError) as caught:
        import_ddl([folder / "a.sql"], folder / "out", "steel", overwrite=True)
    assert len({item.code for item in caught.value.findings}) == 1
    assert not (folder / "out").exists()
    return caught.value.message


def test_row_6_a_pointer_of_git_lfs_is_told_as_such(tmp_path: Path) -> None:
    message = refused(tmp_path, b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    assert message.startswith("import-ddl: F003")
    assert "git lfs pull" in message


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
def test_row_9_encodings_are_found_without_statistics(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.sql").write_bytes(CREATE.format("炉号").encode(encoding))
    report = import_ddl([tmp_path / "a.sql"], tmp_path / "out", "steel")
    assert report.files[0].encoding == encoding
    assert read_records(tmp_path / "out" / "all.json")[0]["metadata"]["field_description"] == "炉号"


def test_row_9_an_encoding_nobody_knows_asks_for_the_flag(tmp_path: Path) -> None:
    message = refused(tmp_path, CREATE.format("炉号").encode() + b"\xff\xff\n")
    assert "F005" in message
    assert "--encoding" in message


def test_row_10_a_byte_order_mark_is_no_part_of_the_first_word(tmp_path: Path) -> None:
    found, report = imported(tmp_path, "\ufeff" + CREATE.format("甲"))
    assert list(found) == ["t.a", "t.b"]
    assert report.unparsed == 0


def test_row_20_white_space_in_names_and_comments_is_one_space(tmp_path: Path) -> None:
    found, _ = imported(
        tmp_path, "CREATE TABLE `t\u3000 x` (`a\tb` int COMMENT '\u00a0炉\\n\u2003号 ') COMMENT=' 表\u2028一 ';"
    )
    assert found["t x.a b"]["field_description"] == "炉 号"
    assert found["t x.a b"]["table_description"] == "表 一"


def test_row_20_names_that_are_nothing_or_the_same_once_cleaned_are_refused(tmp_path: Path) -> None:
    message = refused(tmp_path, "CREATE TABLE `t` (`\u3000` int, b int);".encode())
    assert "F011 field-name-empty: a.sql, line 1, table t, column" in message
    message = refused(tmp_path, b"CREATE TABLE `t` (`a  b` int, `a b` int);")
    assert "F012 duplicate-field: a.sql, line 1, table t, column a  b" in message


def test_row_21_invisible_characters_are_removed_and_noted(tmp_path: Path) -> None:
    found, report = imported(tmp_path, "CREATE TABLE `t\u200b` (`a\u2060` int COMMENT '炉\u202e号\u0007');")
    assert found["t.a"]["field_description"] == "炉号"
    assert codes(report)["F024"] == 3
    assert set(places(report, "F024")) == {"a.sql, line 1, table t\u200b, column a\u2060"}


def test_row_22_full_width_texts_stay_and_twins_are_warned_of(tmp_path: Path) -> None:
    found, report = imported(tmp_path, "CREATE TABLE `t` (`ＡＢ` int COMMENT 'Ａ', `ab` int, `c` int);")
    assert list(found) == ["t.ＡＢ", "t.ab", "t.c"]
    assert found["t.ＡＢ"]["field_description"] == "Ａ"
    assert codes(report)["F025"] == 2


@pytest.mark.parametrize("token", ["<|im_end|>", "<think>", "</tool_call>", "<function=", "<parameter="])
def test_row_23_control_tokens_are_refused_with_their_place(tmp_path: Path, token: str) -> None:
    message = refused(tmp_path, CREATE.format(f"炉{token}号").encode())
    assert "F023" in message
    assert "a.sql, line 1, table t, column a" in message


@pytest.mark.parametrize("text", ["-", "/", "无", "null", "N/A", "——"])
def test_row_24_dash_like_comments_are_kept_and_counted(tmp_path: Path, text: str) -> None:
    found, report = imported(tmp_path, CREATE.format(text))
    assert found["t.a"]["field_description"] == text
    assert places(report, "F026") == ("a.sql, line 1, table t, column a",)
    assert "F052" not in codes(report)


def test_row_25_long_comments_are_kept_with_a_warning(tmp_path: Path) -> None:
    found, report = imported(tmp_path, CREATE.format("长" * 2001))
    assert len(found["t.a"]["field_description"]) == 2001
    assert [item.severity for item in report.findings if item.code == "F027"] == ["warning"]


@pytest.mark.parametrize("text", ["", "-- nothing\n", "INSERT INTO t VALUES (1);", "CREATE VIEW v AS SELECT 1;"])
def test_row_30_a_schema_without_tables_is_refused(tmp_path: Path, text: str) -> None:
    assert refused(tmp_path, text.encode()).startswith("import-ddl: F004 empty-table: a.sql")
