"""Real public schemas and field lists, counted independently over the text (data-line 12.15; skipped where absent)."""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from autoresearch.errors import InputError
from autoresearch.fields.ddl import DdlReport, import_ddl
from autoresearch.fields.preprocess import Processed, process
from autoresearch.files import read_records
from autoresearch.standards.mapping import ColumnMapping

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FIELDS = DATA / "fields"
pytestmark = [pytest.mark.field, pytest.mark.skipif(not FIELDS.is_dir(), reason="the public files are not here")]

COLUMN_COMMENT = re.compile(r"(?im)^[ \t,]*(`?\w+`?)[ \t]+\w+.*?\bcomment\s+'((?:[^'\\]|''|\\.)*)'\s*,?[ \t]*\r?$")
NO_COLUMN = ("unique", "key", "index", "primary", "alter", "insert", "create", "drop", "constraint", "fulltext")
MYSQL = {
    "ry_20260417.sql": (20, 226),
    "quartz.sql": (11, 79),
    "mall.sql": (76, 377),
    "ruoyi-vue-pro.sql": (48, 711),
    "coal_production_system.sql": (3, 118),
    "V3.9.2_2__add_jimuchatbi.sql": (10, 124),
    "apolloconfigdb.sql": (19, 210),
    "apolloportaldb.sql": (20, 180),
    "AI_LG_LD_ORC.sql": (1, 15),
    "mysql-sakila-schema.sql": (16, 0),
}


def imported(folder: Path, *names: str) -> tuple[DdlReport, list[dict[str, Any]]]:
    report = import_ddl([FIELDS / name for name in names], folder, "field")
    return report, read_records(folder / "all.json")


def without_comments(text: str) -> str:
    """The text without its ``--``, ``#`` and ``/* */`` comments, found by line."""
    return re.sub(r"(?m)^\s*(--|#).*$", "", re.sub(r"(?s)/\*.*?\*/", "", text))


@pytest.mark.parametrize("name", sorted(MYSQL))
def test_tables_and_comments_of_mysql_files_equal_a_plain_count(tmp_path: Path, name: str) -> None:
    """Plain counts over the whole text are one higher where an index has a comment (ry, ruoyi-vue-pro), and higher by
    what stands in ``--`` lines (jimu: one table, two columns).
    """
    report, records = imported(tmp_path, name)
    text = without_comments((FIELDS / name).read_text(encoding="utf-8-sig"))
    tables = {match.lower() for match in re.findall(r"(?im)^\s*create\s+table\s+(?:if not exists\s+)?`?(\w+)`?", text)}
    comments = Counter(
        column.lower().strip("`")
        for column, comment in COLUMN_COMMENT.findall(text)
        if column.lower() not in NO_COLUMN and comment
    )
    found = Counter(item["metadata"]["field_name"].lower() for item in records if item["metadata"]["field_description"])
    assert found == comments
    assert (report.tables, report.commented_columns) == (len(tables), sum(comments.values())) == MYSQL[name]
    assert (report.unparsed, report.lost_tables) == (0, 0)


def test_sql_server_descriptions_equal_a_plain_count(tmp_path: Path) -> None:
    """692 statements; two of them describe a column of another file's table a second and third time."""
    report, records = imported(tmp_path, "mes_tables")
    columns: dict[tuple[str, str], set[str]] = defaultdict(set)
    tables: set[str] = set()
    statements = 0
    for path in (FIELDS / "mes_tables").glob("*.sql"):
        for batch in re.split(r"(?im)^\s*GO\s*$", path.read_text(encoding="utf-8-sig")):
            if "MS_Description" not in batch:
                continue
            statements += 1
            texts = re.findall(r"N?'((?:[^']|'')*)'", batch)
            if "COLUMN" in texts:
                columns[texts[texts.index("TABLE") + 1], texts[texts.index("COLUMN") + 1]].add(texts[1])
            else:
                tables.add(texts[texts.index("TABLE") + 1])
    assert statements == 692
    assert (report.tables, report.commented_columns, report.commented_tables) == (20, len(columns), len(tables))
    assert report.files[0].dialect == "tsql"
    described = {
        (item["metadata"]["table_name"], item["metadata"]["field_name"]): item["metadata"]["field_description"]
        for item in records
    }
    assert all(
        " ".join(described[key].split()) in {" ".join(text.split()) for text in texts} for key, texts in columns.items()
    )
    assert report.unparsed == 0


def test_all_schemas_together_keep_no_row_of_data(tmp_path: Path) -> None:
    """The public dumps mark every text of their INSERTs as ``sampleNNNN`` or ``示例NNNN``."""
    import_ddl([FIELDS], tmp_path, "field")
    written = "".join(path.read_text(encoding="utf-8") for path in tmp_path.iterdir())
    assert re.search(r"sample\d{4}|示例\d{4}", written) is None


def massive(suffix: str) -> Processed:
    mapping = {
        "database_name": "database_name",
        "table_name": "table_name",
        "column_name": "field_name",
        "column_type": "field_type",
        "column_description": "field_description",
    }
    return process(FIELDS / f"massive_column_metadata.{suffix}", ColumnMapping(mapping), "hospital")


def test_the_big_list_gives_equal_records_from_both_formats_and_its_ledger_adds_up() -> None:
    done, other = massive("xlsx"), massive("csv")
    assert done.content == other.content
    with (FIELDS / "massive_column_metadata.csv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    identity = [(item["database_name"], item["table_name"], item["column_name"]) for item in rows]
    texts = {
        (*key, item["column_type"].upper(), item["column_description"].strip())
        for key, item in zip(identity, rows, strict=True)
    }
    ledger = done.report.ledger
    assert ledger.read == len(rows) == 1508
    assert sum(not item["column_description"].strip() for item in rows) == 88
    assert ledger.written == len(set(identity)) == 583
    assert ledger.exact_duplicates + ledger.merged_duplicates == len(rows) - len(set(identity))
    assert ledger.merged_duplicates <= len(texts) - len(set(identity))
    described = {key for key, item in zip(identity, rows, strict=True) if item["column_description"].strip()}
    assert done.report.missing["field_description"] == len(set(identity)) - len(described)
    assert done.report.unlabeled == 583


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        ("fields/.~massive_column_metadata.xlsx", "F002", "close it"),
        ("fields/data45Nohead.txt", "F001", "header row"),
    ],
)
def test_what_is_no_field_list_is_refused_with_one_message(name: str, code: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        process(DATA / name, ColumnMapping({"a": "field_name"}), "field")
    assert [item.code for item in caught.value.findings] == [code]
    assert "\n" not in caught.value.message


def test_values_without_a_header_are_refused_by_their_headers(tmp_path: Path) -> None:
    copy = tmp_path / "data45Nohead.tsv"
    copy.write_bytes((FIELDS / "data45Nohead.txt").read_bytes())
    with pytest.raises(InputError, match="F007"):
        process(copy, ColumnMapping({"字段名": "field_name"}), "field")


def test_a_pointer_of_git_lfs_is_told_as_such(tmp_path: Path) -> None:
    copy = tmp_path / "fields.xlsx"
    copy.write_bytes((DATA / "logs" / "full_hh_rlhf_rm_test.parquet").read_bytes())
    with pytest.raises(InputError, match="F003.*Git LFS pointer.*git lfs pull"):
        process(copy, ColumnMapping({"a": "field_name"}), "field")


def test_levels_written_in_chinese_are_read(tmp_path: Path) -> None:
    mapping = {
        "table_name": "table_name",
        "column_name": "field_name",
        "column_description": "field_description",
        "expected_classification_path": "level_4",
        "expected_security_level": "data_level",
    }
    done = process(FIELDS / "eval_column_metadata.csv", ColumnMapping(mapping), "hospital")
    with (FIELDS / "eval_column_metadata.csv").open(encoding="utf-8", newline="") as handle:
        written = Counter(item["expected_security_level"] for item in csv.DictReader(handle))
    assert done.report.ledger.written == 55
    assert done.report.levels == {f"L{text[0]}": count for text, count in sorted(written.items()) if text}
