"""SQL schemas of three dialects (data-line 4.2; 12.8, 12.15, 12.16)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sheets import MAPPING, row, workbook

from autoresearch.cli.main import run
from autoresearch.errors import InputError, RefusedError
from autoresearch.fields.ddl import DdlReport, import_ddl
from autoresearch.fields.statements import cut, guess_dialect
from autoresearch.files import read_records

MYSQL = """
CREATE DATABASE mes; USE mes;
CREATE TABLE `t_heat` ( -- 炉次; with a ; in a comment
  `heat_no` varchar(20) NOT NULL COMMENT '炉号',
  `weight` decimal(10,2) COMMENT 'it''s; heavy',
  PRIMARY KEY (`heat_no`), KEY `i` (`weight`) COMMENT 'an index is no column'
) ENGINE=InnoDB COMMENT='炉次表';
"""
POSTGRES = """
CREATE TABLE mes.t_heat (heat_no varchar(20) NOT NULL, weight numeric(10,2), PRIMARY KEY (heat_no));
COMMENT ON TABLE mes.t_heat IS '炉次表';
COMMENT ON COLUMN mes.t_heat.heat_no IS '炉号';
COMMENT ON COLUMN mes.t_heat.weight IS 'it''s; heavy';
"""
TSQL = """
USE mes
GO
CREATE TABLE [dbo].[t_heat] (
  [heat_no] NVARCHAR(20) COLLATE Chinese_PRC_CI_AS NOT NULL,
  [weight] DECIMAL(10, 2) SPARSE NULL
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'炉次表', @level0type=N'SCHEMA', @level0name=N'dbo',
  @level1type=N'TABLE', @level1name=N't_heat'
EXECUTE sp_addextendedproperty 'MS_Description', N'炉号', 'SCHEMA', N'dbo', 'TABLE', N't_heat', 'COLUMN', N'heat_no'
go
exec sp_updateextendedproperty 'MS_Description', 'it''s; heavy', 'SCHEMA', 'dbo', 'TABLE', 't_heat', 'COLUMN', 'weight'
"""


def imported(folder: Path, sql: str, **options: Any) -> tuple[dict[str, dict[str, str]], DdlReport]:
    """Import one file; returns ``table.column`` → metadata, and the report."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.sql").write_text(sql, encoding="utf-8")
    report = import_ddl([folder / "a.sql"], folder / "out", "steel", overwrite=True, **options)
    records = [item["metadata"] for item in read_records(folder / "out" / "all.json")]
    return {f"{item['table_name']}.{item['field_name']}": item for item in records}, report


def codes(report: DdlReport) -> dict[str, int]:
    return {item.code: item.count for item in report.findings}


@pytest.mark.parametrize(("sql", "dialect"), [(MYSQL, "mysql"), (POSTGRES, "postgres"), (TSQL, "tsql")])
def test_the_three_dialects_give_equal_records(tmp_path: Path, sql: str, dialect: str) -> None:
    found, report = imported(tmp_path, sql)
    assert report.files[0].dialect == dialect
    common = {"database_name": "mes", "database_description": "", "table_name": "t_heat", "table_description": "炉次表"}
    assert found == {
        "t_heat.heat_no": {**common, "field_name": "heat_no", "field_description": "炉号", "field_type": "STRING"},
        "t_heat.weight": {
            **common,
            "field_name": "weight",
            "field_description": "it's; heavy",
            "field_type": "DECIMAL",
        },
    }
    assert (report.tables, report.columns, report.commented_columns, report.unparsed) == (1, 2, 2, 0)
    written = json.loads((tmp_path / "out" / "ddl_import_report.json").read_text(encoding="utf-8"))
    assert DdlReport.model_validate(written) == report


def test_statements_apply_in_order(tmp_path: Path) -> None:
    found, report = imported(
        tmp_path,
        """
        CREATE TABLE t (a int COMMENT 'first', b int COMMENT '乙', c int, d int);
        ALTER TABLE t MODIFY a bigint COMMENT 'second', CHANGE b e varchar(3) COMMENT '戊', DROP COLUMN c;
        ALTER TABLE t ADD COLUMN f date COMMENT '己' AFTER a;
        ALTER TABLE t MODIFY d int;
        ALTER TABLE t COMMENT='表';
        ALTER TABLE t ADD INDEX i (a);
        /* ALTER TABLE t MODIFY a int COMMENT 'never'; */
        -- ALTER TABLE t MODIFY a int COMMENT 'never';
        # ALTER TABLE t MODIFY a int COMMENT 'never';
        """,
    )
    assert {key: (item["field_description"], item["field_type"]) for key, item in found.items()} == {
        "t.a": ("second", "INTEGER"),
        "t.e": ("戊", "STRING"),
        "t.d": ("", "INTEGER"),
        "t.f": ("己", "DATE"),
    }
    assert {item["table_description"] for item in found.values()} == {"表"}
    assert codes(report)["F052"] == 1


def test_comments_hold_before_and_after_alter_and_may_be_removed(tmp_path: Path) -> None:
    found, _ = imported(
        tmp_path,
        """
        CREATE TABLE public.t (a integer, b integer);
        COMMENT ON COLUMN public.t.a IS '甲';
        COMMENT ON COLUMN t.b IS '乙';
        ALTER TABLE t RENAME COLUMN a TO c;
        ALTER TABLE t ALTER COLUMN c TYPE text;
        COMMENT ON COLUMN t.b IS NULL;
        """,
        dialect="postgres",
    )
    assert {key: item["field_description"] for key, item in found.items()} == {"t.c": "甲", "t.b": ""}
    assert found["t.c"]["field_type"] == "STRING"
    assert found["t.c"]["database_name"] == ""


def test_dropped_and_created_again_is_no_finding_but_created_twice_is(tmp_path: Path) -> None:
    create = "CREATE TABLE `t` (a int COMMENT '{}', b int);"
    found, report = imported(tmp_path / "a", create.format("old") + "DROP TABLE IF EXISTS `t`;" + create.format("new"))
    assert found["t.a"]["field_description"] == "new"
    assert "F051" not in codes(report)
    found, report = imported(tmp_path / "b", create.format("old") + create.format("new"))
    assert found["t.a"]["field_description"] == "new"
    assert codes(report)["F051"] == 1


def test_columns_of_like_and_inherits_are_copied(tmp_path: Path) -> None:
    sql = """CREATE TABLE p (a int, b int);
        COMMENT ON COLUMN p.a IS '甲';
        CREATE TABLE q (LIKE p, c int);
        CREATE TABLE r (d int) INHERITS (p);"""
    found, _ = imported(tmp_path, sql, dialect="postgres")
    assert [key for key in found if key[0] in "qr"] == ["q.a", "q.b", "q.c", "r.a", "r.b", "r.d"]
    assert found["r.a"]["field_description"] == "甲"


@pytest.mark.parametrize(
    ("sql", "options", "database"),
    [
        ("USE one; CREATE TABLE `two`.`t` (a int);", {}, "two"),
        ("USE one; CREATE TABLE `t` (a int);", {}, "one"),
        ("CREATE DATABASE one; CREATE TABLE `t` (a int);", {}, "one"),
        ("USE one; CREATE TABLE `two`.`t` (a int);", {"database": "three"}, "three"),
        ("CREATE TABLE `t` (a int);", {}, ""),
        ("CREATE TABLE [mydb].[dbo].[t] (a int)", {}, "mydb"),
        ("CREATE TABLE [dbo].[t] (a int)", {}, ""),
    ],
)
def test_the_database_is_named_by_flag_qualifier_or_use(tmp_path: Path, sql: str, options: Any, database: str) -> None:
    found, _ = imported(tmp_path, sql, **options)
    assert found["t.a"]["database_name"] == database


def test_what_does_not_parse_is_counted_and_the_rest_goes_on(tmp_path: Path) -> None:
    found, report = imported(
        tmp_path, "CREATE TABLE `x` (a int b c d);\nCREATE TABLE `t` (a int);\nALTER TABLE `t` ADD COLUMN,;"
    )
    assert list(found) == ["t.a"]
    assert (report.lost_tables, report.unparsed) == (1, 2)
    assert next(item.first for item in report.findings if item.code == "F050") == ("a.sql, line 1", "a.sql, line 3")


def test_a_comment_without_its_target_is_told(tmp_path: Path) -> None:
    _, report = imported(
        tmp_path, "CREATE TABLE t (a int); COMMENT ON COLUMN t.x IS 'x'; COMMENT ON TABLE u IS 'u';", dialect="postgres"
    )
    assert codes(report)["F054"] == 2


def test_views_procedures_and_indexes_are_counted_only(tmp_path: Path) -> None:
    sql = """CREATE TABLE `t` (a int); CREATE VIEW v AS SELECT a FROM t; CREATE UNIQUE INDEX i ON t (a);
DELIMITER //
CREATE PROCEDURE p() BEGIN CREATE TABLE `inside` (x int); END//
DELIMITER ;
CREATE TABLE `u` (b int);"""
    found, report = imported(tmp_path, sql)
    assert list(found) == ["t.a", "u.b"]
    assert report.skipped == {"CREATE INDEX": 1, "CREATE PROCEDURE": 1, "CREATE VIEW": 1}


def test_tsql_procedures_run_to_the_end_of_their_batch(tmp_path: Path) -> None:
    procedure = "CREATE PROC p AS\nCREATE TABLE x (b int);\nSELECT 1\n"
    sql = f"CREATE TABLE [dbo].[t] (a int)\nGO\n{procedure}GO\nCREATE TABLE [dbo].[u] (c int)\n"
    found, report = imported(tmp_path, sql)
    assert list(found) == ["t.a", "u.c"]
    assert report.skipped == {"CREATE PROCEDURE": 1}


def test_texts_are_cleaned_like_those_of_a_sheet(tmp_path: Path) -> None:
    found, report = imported(tmp_path, "CREATE TABLE `t` (a int COMMENT '\u3000炉\u200b号\\n二 ');")
    assert found["t.a"]["field_description"] == "炉号 二"
    assert codes(report)["F024"] == 1
    with pytest.raises(InputError, match=r"F023.*a\.sql, line 1, table t, column a"):
        imported(tmp_path, "CREATE TABLE `t` (a int COMMENT '<|im_end|>');")


def test_labels_are_joined_by_identity(tmp_path: Path) -> None:
    rows = [row(database_name="mes", table_name="t_heat", field_name="heat_no"), row()]
    _, report = imported(tmp_path, MYSQL, labels=workbook(tmp_path / "l.xlsx", rows), mapping=MAPPING)
    assert report.labels is not None
    assert (report.labels.rows, report.labels.matched) == (2, 1)
    records = read_records(tmp_path / "out" / "all.json")
    assert [(item["label_status"], item["data_level"]) for item in records] == [("labeled", "L2"), ("unlabeled", "")]


MARKER = "ZQX_SECRET"
VALUES = st.lists(
    st.text(alphabet="ab'\";`\\-/*#(),\n$ CREATETABLE", max_size=30).map(
        lambda text: MARKER + text.replace("\\", "\\\\").replace("'", "''")
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=VALUES)
def test_no_value_of_an_insert_appears_anywhere(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], values: list[str]
) -> None:
    """12.15: whatever stands in the data, it is neither written nor shown, and the statements around it are read."""
    inserted = ", ".join(f"('{value}')" for value in values)
    tables = ("CREATE TABLE `t` (a int COMMENT '甲');", "CREATE TABLE `u` (b int COMMENT '乙');")
    sql = f"{tables[0]}\nINSERT INTO `t` VALUES {inserted};\n{tables[1]}"
    found, report = imported(tmp_path, sql)
    assert list(found) == ["t.a", "u.b"]
    assert report.skipped == {"INSERT": 1}
    shown = capfd.readouterr()
    for path in (tmp_path / "out").iterdir():
        assert MARKER not in path.read_text(encoding="utf-8")
    assert MARKER not in shown.out + shown.err


DATA = {
    "mysql": [
        "INSERT INTO t VALUES ('{}');",
        "insert ignore into `t` (a) values\n('{}'),('{}')\non duplicate key update a='{}';",
        "REPLACE INTO t VALUES ('{}');", "/*!40000 ALTER TABLE `t` DISABLE KEYS */;\nINSERT INTO `t` VALUES ('{}');",
        "LOAD DATA INFILE '{}' INTO TABLE t;", "UPDATE t SET a = '{}';", "DELETE FROM t WHERE a = '{}';",
        "INSERT INTO t SELECT '{}' FROM u;", "CALL p('{}');", "INSERT INTO t VALUES ('{}", "SET @a = '{}';",
        "CREATE PROCEDURE p() BEGIN INSERT INTO t VALUES ('{}'); END;", "CREATE VIEW v AS SELECT '{}';",
    ],
    "postgres": [
        "INSERT INTO t VALUES ('{}') RETURNING a;", "COPY t (a) FROM stdin;\n{}\t{}\n\\.\n",
        "INSERT INTO t VALUES (E'{}\\'');",
        "INSERT INTO t VALUES ($${}$$);", "INSERT INTO t VALUES ($q${}$q$);", "SELECT setval('{}', 1);",
        "VALUES ('{}');",
        "WITH x AS (SELECT '{}') INSERT INTO t SELECT * FROM x;", "DO $$ BEGIN INSERT INTO t VALUES ('{}'); END $$;",
    ],
    "tsql": [
        "INSERT [dbo].[t] ([a]) VALUES (N'{}')\nGO\n", "SET IDENTITY_INSERT t ON\nINSERT INTO t VALUES (N'{}')\nGO\n",
        "MERGE t USING u ON 1=1 WHEN MATCHED THEN UPDATE SET a='{}';\nGO\n", "EXEC p N'{}'\nGO\n", "PRINT N'{}'\nGO\n",
        "BULK INSERT t FROM '{}'\nGO\n", "UPDATE t SET a = N'{}'\nGO\n", "DECLARE @x nvarchar(9) = N'{}'\nGO\n",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "statement"), [(dialect, text) for dialect, texts in DATA.items() for text in texts]
)
@pytest.mark.parametrize("told", [True, False], ids=["told", "guessed"])
def test_no_value_of_any_data_statement_appears_anywhere(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], dialect: str, statement: str, told: bool
) -> None:
    """12.15 for all that carries values, whole or broken, also by the command with ``--debug``."""
    end = "\nGO\n" if dialect == "tsql" else ";\n"
    (tmp_path / "a.sql").write_text(
        f"CREATE TABLE t (a int){end}{statement.replace('{}', MARKER)}\nCREATE TABLE u (b int){end}", encoding="utf-8"
    )
    words = ["data", "import-ddl", str(tmp_path / "a.sql"), "--dataset", "steel", "--output", str(tmp_path / "out")]
    assert run([*words, *(["--dialect", dialect] if told else [])], debug=True) in (0, 1)
    shown = capfd.readouterr()
    assert MARKER not in shown.out + shown.err
    for path in (tmp_path / "out").iterdir():
        assert MARKER not in path.read_text(encoding="utf-8")
    names = {record["metadata"]["field_name"] for record in read_records(tmp_path / "out" / "all.json")}
    assert names == {"a", "b"} or statement.count("'") % 2


def test_a_word_that_may_be_a_value_is_counted_as_other(tmp_path: Path) -> None:
    _, report = imported(tmp_path, f"CREATE TABLE t (a int);\n{MARKER};\nGRANT ALL ON t TO u;\nSTRAY {MARKER};")
    assert report.skipped == {"GRANT": 1, "OTHER": 2}


def test_rows_of_copy_are_skipped_whatever_marks_of_other_dialects_they_hold(tmp_path: Path) -> None:
    rows = f"`{MARKER}`\nGO\nCREATE TABLE {MARKER} (x int);"
    sql = f"CREATE TABLE t (a int);\nCOPY t (a) FROM stdin;\n{rows}\n\\.\nCREATE TABLE u (c int);\n"
    found, report = imported(tmp_path, sql)
    assert (list(found), report.files[0].dialect, report.skipped) == (["t.a", "u.c"], "postgres", {"COPY": 1})
    assert list(imported(tmp_path, sql, dialect="mysql")[0]) == ["t.a", "u.c"]


def test_rows_of_copy_from_stdin_are_not_read(tmp_path: Path) -> None:
    copied = "COPY public.t (a) FROM stdin;\nCREATE TABLE x (b int);\t1\n\\.\n"
    sql = f"CREATE TABLE t (a int);\n{copied}CREATE TABLE u (c int);\n"
    found, report = imported(tmp_path, sql, dialect="postgres")
    assert list(found) == ["t.a", "u.c"]
    assert codes(report)["F053"] == 1


def test_statements_know_their_lines() -> None:
    sql = "-- one\n\nCREATE TABLE a (x int);\n/* two\n */ INSERT INTO a VALUES (';');\nUSE b;"
    assert [(item.line, item.kind) for item in cut(sql, "mysql")] == [(3, "CREATE TABLE"), (5, "INSERT"), (6, "USE")]


def test_quotes_of_each_dialect_hide_terminators() -> None:
    assert [item.text for item in cut("A 'x\\';y'; B", "mysql")] == ["A 'x\\';y'", "B"]
    assert [item.text for item in cut("A 'x\\'; B", "postgres")] == ["A 'x\\'", "B"]
    assert [item.text for item in cut("A $f$ ; $$ ; $f$; B", "postgres")] == ["A $f$ ; $$ ; $f$", "B"]
    assert [item.text for item in cut("A [x;y]; B", "tsql")] == ["A [x;y]", "B"]


def test_the_dialect_is_guessed_by_what_only_one_writes() -> None:
    assert guess_dialect("create table t (a int) engine=InnoDB") == "mysql"
    assert guess_dialect("create table t (a serial)") == "postgres"
    assert guess_dialect("create table t (a int)\ngo\n") == "tsql"


def test_folders_are_read_in_path_order_and_refusals_say_why(tmp_path: Path) -> None:
    for name in ("b.sql", "a.sql", "c.txt"):
        (tmp_path / "in" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_text(f"CREATE TABLE `{name[0]}` (x int);", encoding="utf-8")
    report = import_ddl([tmp_path / "in"], tmp_path / "out", "steel")
    assert [item.name for item in report.files] == ["a.sql", "b.sql"]
    with pytest.raises(RefusedError, match="--overwrite"):
        import_ddl([tmp_path / "in"], tmp_path / "out", "steel")
    with pytest.raises(InputError, match="no file or folder"):
        import_ddl([tmp_path / "nowhere"], tmp_path / "x", "steel")
    (tmp_path / "in" / "c.txt").write_text("SELECT 1;", encoding="utf-8")
    with pytest.raises(InputError, match="no table with columns"):
        import_ddl([tmp_path / "in" / "c.txt"], tmp_path / "y", "steel")
    with pytest.raises(InputError, match="import-ddl: F005"):
        import_ddl([tmp_path / "in" / "c.txt"], tmp_path / "y", "steel", encoding="utf-16")
