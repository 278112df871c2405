"""Every public standard and field list through the real commands: a counted result, or one message with a code."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from autoresearch.cli.main import run
from autoresearch.files import read_json, read_records, write_json, write_records
from autoresearch.standards.corpus import Corpus
from autoresearch.standards.registry import LeafRegistry

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FIELDS, STANDARDS = DATA / "fields", DATA / "standards"
REGISTRIES, LABELLED = STANDARDS / "registries", STANDARDS / "fides_datasets"
pytestmark = [pytest.mark.field, pytest.mark.skipif(not STANDARDS.is_dir(), reason="the public files are not here")]
CODES = {"id_strategy": "code"}
THREE_LEVELS = {"path_fields": ["level_1", "level_2", "level_3"], "leaf_level": "level_3"}
SQL_FILES = (
    "AI_LG_LD_ORC V3.9.2_2__add_jimuchatbi apolloconfigdb apolloportaldb coal_production_system mall",
    "mysql-sakila-schema quartz ruoyi-vue-pro ry_20260417",
)
SCHEMAS = ["mes_tables", *(f"{name}.sql" for line in SQL_FILES for name in line.split())]
FIELD_FILES = {
    *SCHEMAS,
    ".~massive_column_metadata.xlsx",
    "data45Nohead.txt",
    "eval_column_metadata.csv",
    "massive_column_metadata.csv",
    "massive_column_metadata.xlsx",
}
LABELLED_FIELDS = {
    "bigquery_example_test_dataset": (69, 3),
    "dynamodb_example_test_dataset": (19, 0),
    "email_dataset": (16, 2),
    "example_test_datasets": (96, 0),
    "mongo_example_test_dataset": (66, 23),
    "mssql_example_test_dataset": (48, 0),
    "mysql_example_test_dataset": (50, 0),
    "postgres_example_invalid_masking_strategy_override_dataset": (7, 0),
    "postgres_example_test_dataset": (48, 0),
    "scylladb_example_test_dataset": (29, 0),
}
"""Fields, and those without a category."""
CATEGORIES = {"infra": 233, "company_a": 233, "finance": 233, "pers_info": 18}


class Commands:
    """The commands of one working folder and what they said last."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        self.said: dict[str, Any] = {}
        write_records(folder / "processed" / "ds" / "all.json", [])

    def run(self, *words: object) -> int:
        self._capsys.readouterr()
        code = run([str(word) for word in words])
        shown = self._capsys.readouterr()
        self.said = json.loads(shown.out)
        assert "Traceback" not in shown.err
        return code

    def preprocess(self, path: Path, mapping: dict[str, str]) -> int:
        write_json(self.folder / "mapping.json", mapping)
        output = self.folder / "processed" / "ds" / "all.json"
        words = ("--input", path, "--mapping", self.folder / "mapping.json", "--dataset", "ds", "--output", output)
        return self.run("data", "preprocess", *words, "--overwrite")

    def build(self, config: dict[str, Any], *more: object, std: Path | None = None) -> int:
        write_json(self.folder / "datasets.json", {"datasets": {"ds": config}})
        std = std or self.folder / "std"
        words = ["--processed-dir", self.folder / "processed", "--canonical-dir", self.folder / "canonical"]
        words += ["--config-file", self.folder / "datasets.json", "--registry-dir", std, "--corpus-dir", std]
        return self.run("data", "build", *words, "--dataset", "ds", "--overwrite", *more)

    @property
    def registry(self) -> LeafRegistry:
        return LeafRegistry.from_path(self.folder / "std" / "ds.registry.json")

    def refused(self, code: str) -> str:
        """The message of a refusal: one line with this code."""
        message = str(self.said["message"])
        assert self.said["exit_code"] == 2
        assert [item["code"] for item in self.said["findings"]] == [code]
        assert "\n" not in message
        return message


@pytest.fixture
def commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(tmp_path, capsys)


def test_the_files_are_those_that_the_tests_know() -> None:
    """A file that is added needs a test: here, or in ``test_public_fields``."""
    assert {path.name for path in FIELDS.iterdir()} == FIELD_FILES
    assert {path.name for path in STANDARDS.iterdir()} == {"fides_datasets", "fideslang", "registries"}
    known = {f"{name}.{kind}.json" for name in CATEGORIES for kind in ("registry", "corpus")}
    assert {path.name for path in REGISTRIES.iterdir()} == known | {
        "education_dict.json",
        "financial_standards_dict.json",
    }


@pytest.mark.parametrize("name", sorted(CATEGORIES))
def test_registries_and_corpora_load_and_build_by_a_plain_count(commands: Commands, name: str) -> None:
    std = commands.folder / "std"
    for kind in ("registry", "corpus"):
        content = json.loads((REGISTRIES / f"{name}.{kind}.json").read_text(encoding="utf-8"))
        write_json(std / f"ds.{kind}.json", content)
        ids = [item["category_id"] for item in content["categories"]]
        assert len(set(ids)) == len(ids) == CATEGORIES[name]
    assert commands.build(CODES if name in ("infra", "company_a") else {}) == 0
    said = commands.said["datasets"]["ds"]["registry"]
    assert (said["size"], said["sha256"]) == (CATEGORIES[name], commands.registry.digest)
    Corpus.from_path(std / "ds.corpus.json").require_equal(commands.registry)


def test_equal_registries_of_two_names_have_one_hash() -> None:
    paths = [REGISTRIES / f"{name}.registry.json" for name in ("infra", "company_a")]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert len({LeafRegistry.from_path(path).digest for path in paths}) == 1


def test_the_three_formats_of_a_taxonomy_give_one_registry_hash(commands: Commands) -> None:
    with (STANDARDS / "fideslang" / "data_categories.csv").open(encoding="utf-8", newline="") as handle:
        rows = [row for row in csv.DictReader(handle) if row["parent_key"]]
    keys = [row["fides_key"] for row in rows]
    digests = []
    for suffix in ("csv", "json", "yml"):
        for path in commands.folder.glob("std/*"):
            path.unlink()
        assert commands.build(CODES, "--derive-from", STANDARDS / "fideslang" / f"data_categories.{suffix}") == 0
        digests.append(commands.said["datasets"]["ds"]["registry"]["sha256"])
        assert [leaf.category_id for leaf in commands.registry.leaves] == keys
        assert len(keys) == 85
        for row in rows:
            leaf = commands.registry.leaf(row["fides_key"])
            assert (leaf.name, leaf.description) == (row["name"], row["description"])
            assert len(leaf.path) == row["fides_key"].count(".") + 1
    assert len(set(digests)) == 1


def entries(name: str) -> dict[str, dict[str, str]]:
    content: dict[str, dict[str, str]] = json.loads((REGISTRIES / name).read_text(encoding="utf-8"))
    return content


def test_a_flat_dictionary_of_paths_gives_the_registry_that_lies_beside_it(commands: Commands) -> None:
    """The neighbours ``finance.registry.json`` and ``.corpus.json`` were made of it by somebody else."""
    source = REGISTRIES / "financial_standards_dict.json"
    assert commands.build({**THREE_LEVELS}, "--derive-from", source) == 0
    content = entries(source.name)
    paths = list(dict.fromkeys(entry["category"] for entry in content.values()))
    assert (len(content), len(paths), len(commands.registry)) == (237, 233, 233)
    assert [list(leaf.path) for leaf in commands.registry.leaves] == [path.split("-") for path in paths]
    for kind in ("registry", "corpus"):
        made = read_json(commands.folder / "std" / f"ds.{kind}.json")["categories"]
        theirs = read_json(REGISTRIES / f"finance.{kind}.json")["categories"]
        assert [item["category_id"].removeprefix("ds:") for item in made] == [
            item["category_id"].removeprefix("finance:") for item in theirs
        ]
        for ours, other in zip(made, theirs, strict=True):
            assert (ours["name"], ours["description"], ours["path"]) == (
                other["name"],
                other["description"],
                other["path"],
            )
            assert ours.get("descriptions", []) == other.get("descriptions", [])


def test_a_flat_dictionary_whose_names_repeat_without_paths_is_refused(commands: Commands) -> None:
    """Three names stand under two codes each, and the file does not name the classes above them."""
    source = REGISTRIES / "education_dict.json"
    names = Counter(entry["category"].split(":", 1)[1] for entry in entries(source.name).values())
    assert (sum(names.values()), sum(count > 1 for count in names.values())) == (113, 3)
    assert commands.build(CODES, "--derive-from", source) == 2
    message = commands.refused("F034")
    assert any(name in message for name, count in names.items() if count > 1)
    assert not (commands.folder / "std").exists()


def test_the_same_dictionary_with_its_names_told_apart_gives_every_code(commands: Commands) -> None:
    content = entries("education_dict.json")
    told = {
        text: {**entry, "category": f"{entry['category']}({number})"}
        for number, (text, entry) in enumerate(content.items())
    }
    write_json(commands.folder / "standard.json", told)
    assert commands.build(CODES, "--derive-from", commands.folder / "standard.json") == 0
    codes = [entry["category"].split(":", 1)[0] for entry in content.values()]
    assert [leaf.category_id for leaf in commands.registry.leaves] == codes
    assert len(set(codes)) == 113


def labelled_files() -> list[Path]:
    return sorted(LABELLED.iterdir()) if LABELLED.is_dir() else []


@pytest.mark.parametrize("path", labelled_files(), ids=lambda path: path.name)
def test_data_sets_of_labelled_fields_are_neither_sheet_nor_standard(commands: Commands, path: Path) -> None:
    assert commands.preprocess(path, {"name": "field_name"}) == 2
    assert path.suffix in commands.refused("F001")
    assert commands.build(CODES, "--derive-from", path) == 2
    message = commands.refused("F031")
    assert path.name in message
    assert "labelled fields" in message or path.suffix == ".invalid"


def test_a_file_that_is_no_yaml_is_refused_with_its_place(commands: Commands) -> None:
    copy = commands.folder / "invalid.yml"
    copy.write_bytes((LABELLED / "example_test_dataset.invalid").read_bytes())
    [line] = [number for number, text in enumerate(copy.read_text().splitlines(), 1) if "* fides_key" in text]
    assert commands.build(CODES, "--derive-from", copy) == 2
    assert f"line {line}, column" in commands.refused("F031")


def fields_of(items: list[dict[str, Any]], above: str = "") -> Iterator[tuple[str, list[str]]]:
    """Every field with its category keys, fields inside fields by their path."""
    for item in items:
        name = f"{above}{item['name']}"
        yield name, item.get("data_categories") or []
        yield from fields_of(item.get("fields") or [], f"{name}.")


@pytest.mark.parametrize(
    "path", [path for path in labelled_files() if path.suffix == ".yml"], ids=lambda path: path.stem
)
def test_their_fields_written_as_a_sheet_resolve_against_the_taxonomy(commands: Commands, path: Path) -> None:
    """Counted over the file itself; all its keys are in the taxonomy, and one that is not is added to the sheet."""
    taxonomy = yaml.safe_load((STANDARDS / "fideslang" / "data_categories.yml").read_text(encoding="utf-8"))
    names = {row["fides_key"]: row["name"] for row in taxonomy["data_category"]}
    rows = [
        (data["fides_key"], table["name"], field, keys[0] if keys else "")
        for data in yaml.safe_load(path.read_text(encoding="utf-8"))["dataset"]
        for table in data["collections"]
        for field, keys in fields_of(table["fields"])
    ]
    assert (len(rows), sum(not row[3] for row in rows)) == LABELLED_FIELDS[path.stem]
    rows.append(("added", "added", "added", "user.nowhere"))
    sheet = commands.folder / "fields.csv"
    with sheet.open("w", encoding="utf-8", newline="") as handle:
        csv.writer(handle).writerows([("db", "table", "field", "class")])
        csv.writer(handle).writerows((*row[:3], names.get(row[3], row[3])) for row in rows)
    mapping = {"db": "database_name", "table": "table_name", "field": "field_name", "class": "level_4"}
    assert commands.preprocess(sheet, mapping) == 0
    first = {row[:3]: row[3] for row in reversed(rows)}
    assert commands.said["ledger"]["written"] == len(first)
    assert commands.build(CODES, "--derive-from", STANDARDS / "fideslang" / "data_categories.yml") == 0
    statuses = Counter(
        "resolved" if key in names else "code_unresolved" if key else "unlabeled" for key in first.values()
    )
    found = commands.said["datasets"]["ds"]["status_counts"]
    assert {status: count for status, count in found.items() if count} == statuses
    assert (found["code_unresolved"], found["missing_leaf"], found["path_mismatch"]) == (1, 0, 0)


def test_classes_written_as_joined_paths_go_the_whole_way(commands: Commands) -> None:
    """Paths joined by `` / `` are leaf texts as they stand; levels such as ``3级`` are read."""
    source = FIELDS / "eval_column_metadata.csv"
    with source.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    classes = dict.fromkeys(row["expected_classification_path"] for row in rows if row["expected_classification_path"])
    mapping = {
        "table_name": "table_name",
        "column_name": "field_name",
        "column_description": "field_description",
        "expected_classification_path": "level_4",
        "expected_security_level": "data_level",
    }
    assert commands.preprocess(source, mapping) == 0
    assert commands.said["ledger"]["written"] == len(rows) == 55
    levels = Counter(f"L{row['expected_security_level'].removesuffix('级')}" for row in rows)
    assert commands.said["levels"] == {level: count for level, count in sorted(levels.items()) if level != "L"}
    standard = commands.folder / "standard.json"
    write_json(standard, {"categories": [{"name": text, "path": text.split(" / ")[:-1]} for text in classes]})
    config = {"identity_fields": ["level_4"]}
    assert commands.build(config, "--derive-from", standard) == 0
    assert len(commands.registry) == len(classes)
    found = Counter(
        record["resolution_status"] for record in read_records(commands.folder / "canonical" / "ds" / "all.json")
    )
    assert found == Counter("resolved" if row["expected_classification_path"] else "unlabeled" for row in rows)


@pytest.mark.parametrize(("name", "code"), [(".~massive_column_metadata.xlsx", "F002"), ("data45Nohead.txt", "F001")])
def test_what_is_no_field_list_is_refused_by_the_command(commands: Commands, name: str, code: str) -> None:
    assert commands.preprocess(FIELDS / name, {"a": "field_name"}) == 2
    assert name in commands.refused(code)


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_imported_by_the_command(commands: Commands, name: str) -> None:
    """Tables by a plain count of ``CREATE TABLE`` lines outside comments; each record stands in one of them."""
    output = commands.folder / "processed" / "ds" / "all.json"
    words = ("--dataset", "ds", "--output", output, "--overwrite")
    assert commands.run("data", "import-ddl", FIELDS / name, *words) == 0
    paths = sorted((FIELDS / name).glob("*.sql")) if (FIELDS / name).is_dir() else [FIELDS / name]
    text = "\n".join(path.read_text(encoding="utf-8-sig") for path in paths)
    text = re.sub(r"(?m)^\s*(--|#).*$", "", re.sub(r"(?s)/\*.*?\*/", "", text))
    tables = set(re.findall(r"(?im)^\s*create\s+table\s+(?:if not exists\s+)?(?:\[dbo\]\.)?[`\[]?(\w+)[`\]]?", text))
    records = read_records(output)
    assert {record["metadata"]["table_name"] for record in records} == tables
    assert (commands.said["tables"], commands.said["columns"]) == (len(tables), len(records))
    assert commands.said["lost_tables"] == 0
