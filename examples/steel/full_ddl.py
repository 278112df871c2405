"""The same tables as DDL in three dialects, with statements around them that an import must pass over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from full_sheet import Row

MARKER = "DATA-MUST-NOT-BE-READ"
"""A value of the INSERT statements; it may appear in no output."""
POSTGRES_TYPES = {"DATETIME": "TIMESTAMP", "DOUBLE": "DOUBLE PRECISION", "INT": "INTEGER"}
TSQL_TYPES = {"DATETIME": "DATETIME2", "DOUBLE": "FLOAT"}


def tables_of(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """(database, table) -> its rows in order; blank rows, repeated rows and twins by case are left out."""
    tables: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if not row.blank and row.in_ddl:
            tables.setdefault((row.cells["库名"], row.cells["表名"]), []).append(row)
    return tables


def quoted(text: str) -> str:
    """A string literal of SQL; white space runs are written as one space, since a comment stands on one line."""
    return "'" + " ".join(text.split()).replace("'", "''") + "'"


def _type(text: str, changed: dict[str, str], number: str) -> str:
    if text.startswith("NUMBER"):
        return text.replace("NUMBER", number)
    return changed.get(text, text)


def mysql(tables: dict[tuple[str, str], list[Row]]) -> Iterator[str]:
    """CREATE TABLE with COMMENT clauses; the database comes from USE."""
    database = ""
    for (name, table), rows in tables.items():
        if name != database:
            database = name
            yield f"CREATE DATABASE IF NOT EXISTS `{name}` DEFAULT CHARACTER SET utf8mb4;\nUSE `{name}`;\n"
        columns = []
        for row in rows:
            comment = f" COMMENT {quoted(row.cells['字段描述'])}" if row.cells["字段描述"] else ""
            columns.append(f"  `{row.cells['字段名']}` {_type(row.cells['字段类型'], {}, 'DECIMAL')}{comment}")
        text = rows[0].cells["表描述"]
        comment = f" COMMENT={quoted(text)}" if text else ""
        yield f"DROP TABLE IF EXISTS `{table}`;\nCREATE TABLE `{table}` (\n" + ",\n".join(columns)
        yield f"\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4{comment};\n"
        if table.upper().endswith("DICT_MAIN"):
            yield f"INSERT INTO `{table}` VALUES ('{MARKER}');\n"


def postgres(tables: dict[tuple[str, str], list[Row]]) -> Iterator[str]:
    """CREATE TABLE in a schema of the database's name, then COMMENT ON."""
    for (name, table), rows in tables.items():
        columns = [
            f'  "{row.cells["字段名"]}" {_type(row.cells["字段类型"], POSTGRES_TYPES, "NUMERIC")}' for row in rows
        ]
        yield f'CREATE TABLE "{name}"."{table}" (\n' + ",\n".join(columns) + "\n);\n"
        if rows[0].cells["表描述"]:
            yield f'COMMENT ON TABLE "{name}"."{table}" IS {quoted(rows[0].cells["表描述"])};\n'
        for row in rows:
            if row.cells["字段描述"]:
                text = quoted(row.cells["字段描述"])
                yield f'COMMENT ON COLUMN "{name}"."{table}"."{row.cells["字段名"]}" IS {text};\n'
        if table.upper().endswith("DICT_MAIN"):
            yield f'INSERT INTO "{name}"."{table}" VALUES (\'{MARKER}\');\n'


def tsql(tables: dict[tuple[str, str], list[Row]]) -> Iterator[str]:
    """CREATE TABLE in dbo with extended properties; batches end in GO, the database comes from USE."""
    database = ""
    for (name, table), rows in tables.items():
        if name != database:
            database = name
            yield f"USE [{name}]\nGO\n"
        columns = [f"  [{row.cells['字段名']}] {_type(row.cells['字段类型'], TSQL_TYPES, 'DECIMAL')}" for row in rows]
        yield f"CREATE TABLE [dbo].[{table}] (\n" + ",\n".join(columns) + "\n)\nGO\n"
        place = f"N'SCHEMA', N'dbo', N'TABLE', N'{table}'"
        if rows[0].cells["表描述"]:
            text = quoted(rows[0].cells["表描述"])
            yield f"EXEC sp_addextendedproperty N'MS_Description', N{text}, {place}\nGO\n"
        for row in rows:
            if row.cells["字段描述"]:
                text, column = quoted(row.cells["字段描述"]), row.cells["字段名"]
                yield f"EXEC sp_addextendedproperty N'MS_Description', N{text}, {place}, N'COLUMN', N'{column}'\nGO\n"
        if table.upper().endswith("DICT_MAIN"):
            yield f"INSERT INTO [dbo].[{table}] VALUES (N'{MARKER}')\nGO\n"


DIALECTS: dict[str, Callable[[dict[tuple[str, str], list[Row]]], Iterator[str]]] = {
    "mysql": mysql,
    "postgres": postgres,
    "tsql": tsql,
}


def write_ddl(folder: Path, rows: Sequence[Row]) -> None:
    """Write one file a dialect."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, statements in DIALECTS.items():
        text = "".join(statements(tables_of(rows)))
        (folder / f"{name}.sql").write_text(text, encoding="utf-8", newline="\n")
