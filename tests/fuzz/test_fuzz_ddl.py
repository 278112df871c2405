"""Any small SQL text in any dialect: records that can be read again, or one refusal (4.2)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from fuzzing import ANY_TEXT, batches, fuzz, put, refused
from hypothesis import given, note
from hypothesis import strategies as st

from autoresearch.fields.catalog import Catalog
from autoresearch.fields.ddl import import_ddl
from autoresearch.fields.ddl_statements import READ_KINDS, NotUnderstoodError, apply, parse
from autoresearch.fields.processed import ProcessedRecord
from autoresearch.fields.processed_file import load_processed
from autoresearch.fields.statements import Dialect, cut, guess_dialect
from autoresearch.files import read_records
from autoresearch.findings import FindingCounter

NAMES = st.sampled_from(
    ["t", "T", "`t`", "[t]", '"t"', "dbo.t", "[dbo].[t]", "a", "b", "`a b`", "炉号", "", "db.dbo.t"]
)
TYPES = st.sampled_from(
    [
        "int",
        "varchar(20)",
        "decimal(10,2) unsigned",
        "NVARCHAR(MAX)",
        "enum('a','b')",
        "text",
        "serial",
        "x y",
        "",
        "(1",
    ]
)
QUOTED = st.one_of(
    st.sampled_from(["炉号", "it''s", "a\\'b", "a;b", "<|x|>", "-- x", "", "\u200b", "\n"]), ANY_TEXT
).map(lambda text: f"'{text}'")
REST = st.sampled_from(
    ["", "NOT NULL", "DEFAULT NULL", "PRIMARY KEY", "AUTO_INCREMENT", "DEFAULT (", "SPARSE", "COLLATE x", "CHECK (a>0)"]
)
COLUMNS = st.tuples(NAMES, TYPES, REST, st.one_of(st.just(""), QUOTED.map(lambda text: f"COMMENT {text}"))).map(
    " ".join
)
ENDINGS = st.sampled_from(
    ["", ") ENGINE=InnoDB COMMENT='表'", ")", ") ON [PRIMARY]", ") INHERITS (a)", "", ") AS SELECT 1", ") COMMENT 'x'"]
)
STATEMENTS = st.one_of(
    st.tuples(NAMES, st.lists(COLUMNS, max_size=3), ENDINGS).map(
        lambda parts: f"CREATE TABLE {parts[0]} ({', '.join(parts[1])} {parts[2]}"
    ),
    st.tuples(NAMES, st.sampled_from(["ADD", "MODIFY", "DROP", "CHANGE", "RENAME", "ALTER"]), COLUMNS).map(
        lambda parts: f"ALTER TABLE {parts[0]} {parts[1]} COLUMN {parts[2]}"
    ),
    st.tuples(
        NAMES, st.sampled_from(["RENAME TO", "COMMENT =", "ADD INDEX", "RENAME COLUMN a TO", ""]), QUOTED | NAMES
    ).map(lambda parts: f"ALTER TABLE {' '.join(parts)}"),
    st.tuples(
        st.sampled_from(["TABLE", "COLUMN", "VIEW", ""]), NAMES, st.sampled_from(["IS", "", "IS NULL"]), QUOTED
    ).map(lambda parts: f"COMMENT ON {' '.join(parts)}"),
    st.tuples(st.lists(QUOTED, max_size=9), st.sampled_from(["EXEC sys.", "EXECUTE ", "exec "])).map(
        lambda parts: f"{parts[1]}sp_addextendedproperty 'MS_Description', {', '.join(parts[0])}"
    ),
    st.tuples(st.lists(QUOTED, max_size=2), NAMES, NAMES).map(
        lambda parts: (
            f"EXEC sp_updateextendedproperty @name=N'MS_Description', @value=N{''.join(parts[0])}, "
            f"@level1type='TABLE', @level1name={parts[1]}, @level2type='COLUMN', @level2name={parts[2]}"
        )
    ),
    st.tuples(
        st.sampled_from(["USE", "DROP TABLE", "CREATE DATABASE", "CREATE SCHEMA", "CREATE TABLE a LIKE"]), NAMES
    ).map(" ".join),
    st.tuples(NAMES, QUOTED).map(lambda parts: f"INSERT INTO {parts[0]} VALUES ({parts[1]})"),
    st.sampled_from(
        ["GO", "DELIMITER //", "//", "DELIMITER", "/*", "*/", "--", "#", "COPY t FROM stdin", "\\.", "$$", "BEGIN"]
    ),
    st.text(alphabet="CREATEABL t(),;'\"`[]\\/*-#$\n.=@N", max_size=25),
    ANY_TEXT,
)
SIMPLE = st.sampled_from(["a", "b", "`c`", "炉号", "A"])
GOOD_TYPES = st.sampled_from(["int", "varchar(20)", "decimal(10,2)", "text"])
GOOD_COLUMNS = st.tuples(SIMPLE, GOOD_TYPES, st.one_of(st.just(""), QUOTED.map(lambda text: f"COMMENT {text}")))
GOOD_TABLES = st.tuples(
    st.sampled_from(["t", "a", "dbo.t", "db.t"]), st.lists(GOOD_COLUMNS, min_size=1, max_size=3)
).map(lambda parts: f"CREATE TABLE {parts[0]} ({', '.join(' '.join(column) for column in parts[1])})")
PIECES = st.one_of(GOOD_TABLES, STATEMENTS, STATEMENTS)
BETWEEN = st.sampled_from([";", ";\n", ";\nGO\n", ";\n", "\n", "//", ""])
SQL = st.tuples(
    st.one_of(GOOD_TABLES.map(lambda text: f"{text};\n"), GOOD_TABLES.map(lambda text: f"{text};\n"), st.just("")),
    st.lists(st.tuples(PIECES, BETWEEN).map("".join), max_size=4).map("".join),
).map("".join)
GOOD = "CREATE TABLE good_table (good_column int);\n"


def check_output(folder: Path) -> int:
    """Every record is whole, its id is that of its names, and no id stands twice."""
    records = read_records(folder / "all.json")
    for record in records:
        assert ProcessedRecord.model_validate(record).metadata.field_name
    loaded = load_processed(folder / "all.json", "steel")  # refuses stale and repeated ids
    assert sum(loaded.counts.values()) == len(list(loaded.lines)) == len(records)
    return len(records)


def check_catalog(text: str, dialect: Dialect | None) -> None:
    """Every statement is applied or not understood, and tables and columns are found by the names that they have."""
    language = dialect or guess_dialect(text)
    catalog = Catalog(None, FindingCounter())
    for statement in cut(text, language):
        if statement.kind not in READ_KINDS or statement.is_data:
            continue
        with suppress(NotUnderstoodError):
            apply(parse(statement, language), catalog, f"line {statement.line}")
    for key, table in catalog.tables.items():
        assert key == (table.database.casefold(), table.name.casefold())
        assert [column.name.casefold() for column in table.columns.values()] == list(table.columns)


@pytest.mark.parametrize("dialect", ["mysql", "postgres", "tsql", None])
def test_any_sql_gives_readable_records_or_one_refusal(tmp_path: Path, dialect: Dialect | None) -> None:
    met = {True: 0, False: 0}

    out = tmp_path / "out"

    @fuzz(80, batched=True, share=4)
    @given(texts=batches(SQL))
    def run(texts: list[str]) -> None:
        for number, text in enumerate(texts):
            text = GOOD + text if number % 2 else text
            note(text)
            if number > 1:  # the parser alone, which is what differs from text to text
                check_catalog(text, dialect)
                continue
            path = put(tmp_path / "a.sql", text)
            made, message = refused(lambda path=path: import_ddl([path], out, "steel", dialect=dialect, overwrite=True))  # type: ignore[misc]
            met[made is not None] += 1
            if made is None:
                assert message.startswith("import-ddl: F")
                continue
            assert check_output(out) == made.columns > 0
            assert made.lost_tables <= made.unparsed

    run()
    print(f"{dialect}: {met[True]} imported, {met[False]} refused")
    assert min(met.values()) > 0, met


@fuzz(80, batched=True)
@given(texts=batches(SQL), dialect=st.sampled_from(["mysql", "postgres", "tsql"]))
def test_statements_are_pieces_of_the_text_in_order_with_their_lines(texts: list[str], dialect: Dialect) -> None:
    for text in texts:
        note(text)
        check_pieces(text, dialect)


def check_pieces(sql: str, dialect: Dialect) -> None:
    at = 0
    for statement in cut(sql, dialect):
        found = sql.find(statement.text, at)
        assert found >= at
        assert statement.line >= 1 + sql.count("\n", 0, at)
        assert statement.line == 1 + sql.count("\n", 0, found) or statement.text in sql[found + 1 :]
        at = found
        assert statement.words
        assert statement.kind


@fuzz(80, share=10)
@given(sql=SQL)
def test_a_good_table_in_front_is_read_whatever_follows(tmp_path: Path, sql: str) -> None:
    path = put(tmp_path / "a.sql", GOOD + sql.replace("good", ""))
    made, message = refused(lambda: import_ddl([path], tmp_path / "out", "steel", dialect="mysql", overwrite=True))
    if made is None:
        assert "F023" in message  # a control token in what follows is refused as a whole
        return
    assert "good_column" in {record["metadata"]["field_name"] for record in read_records(tmp_path / "out" / "all.json")}


@fuzz(share=10)
@given(data=st.binary(max_size=80))
def test_any_bytes_are_refused_or_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.sql"
    path.write_bytes(data)
    refused(lambda: import_ddl([path], tmp_path / "out", "steel", overwrite=True))
