"""``autoresearch config``: schemas that do not drift, and files judged by name or content (data-line.md 3.0.6, 7.6)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from autoresearch.cli.formats import FORMATS, field_docs, form_of, schema_text
from autoresearch.cli.main import run
from autoresearch.files import sha256_file, write_json

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "schemas"
SMALL = ROOT / "examples" / "steel" / "small"
OWN_FILES = {
    "registry": SMALL / "assets/registries/steel.registry.json",
    "corpus": SMALL / "assets/corpora/steel.corpus.json",
    "mapping": SMALL / "assets/mappings/steel.mapping.json",
    "datasets": SMALL / "config/datasets.json",
    "task": SMALL / "config/steel.task.json",
    "grading": SMALL / "standards/steel.grading.json",
    "classification": SMALL / "standards/steel.classification.json",
}


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    def run_it(*words: Any) -> tuple[int, dict[str, Any], str]:
        code = run([str(word) for word in words])
        shown = capsys.readouterr()
        return code, json.loads(shown.out), shown.err

    return run_it


def loaded(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_committed_schema_is_that_of_the_model(name: str) -> None:
    path = SCHEMAS / f"{name}.json"
    wanted = "run: autoresearch config schemas --out docs/schemas"
    assert path.is_file() and loaded(path) == json.loads(schema_text(name)), wanted


def test_a_schema_says_what_stands_below_a_field_of_its_model() -> None:
    class Older(BaseModel):
        one: int
        """The first."""

    class Younger(Older):
        """Not a field's text."""

        two: int
        three: int = 3
        """The third,
        in two lines."""

    assert field_docs(Younger) == {"one": "The first.", "three": "The third,\nin two lines."}
    schema = json.loads(schema_text("verdict"))
    assert schema["properties"]["rule"]["description"] == "The rule in words and numbers, as it was applied."


def test_no_schema_lies_there_that_no_format_has() -> None:
    assert {path.stem for path in SCHEMAS.glob("*.json")} == set(FORMATS)


def test_schemas_are_written_once_and_a_foreign_file_is_named_and_kept(tmp_path: Path, call: Any) -> None:
    (tmp_path / "older.json").write_text("{}", encoding="utf-8")
    code, shown, _ = call("config", "schemas", "--out", tmp_path)
    assert (code, shown["written"], shown["unknown"]) == (0, sorted(FORMATS), ["older"])
    (tmp_path / "plan.json").write_text("{}", encoding="utf-8")
    _, shown, _ = call("config", "schemas", "--out", tmp_path)
    assert shown["written"] == ["plan"]
    assert (tmp_path / "older.json").read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize("name", sorted(OWN_FILES))
def test_the_example_is_valid_by_model_and_by_schema(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    content = loaded(OWN_FILES[name])
    form_of(name).validate_python(content)
    jsonschema.validate(content, loaded(SCHEMAS / f"{name}.json"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(3, loaded(SCHEMAS / f"{name}.json"))


def test_what_the_data_commands_write_is_valid_by_model_and_by_schema(tmp_path: Path, call: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    processed, canonical = tmp_path / "processed", tmp_path / "canonical"
    sheet = ("--input", SMALL / "raw/steel.xlsx", "--mapping", OWN_FILES["mapping"], "--dataset", "steel")
    folders = ("--processed-dir", processed, "--canonical-dir", canonical, "--config-file", OWN_FILES["datasets"])
    assets = ("--registry-dir", OWN_FILES["registry"].parent, "--corpus-dir", OWN_FILES["corpus"].parent)
    assert call("data", "preprocess", *sheet, "--output", processed / "steel/all.json")[0] == 0
    assert call("data", "build", *folders, *assets, "--dataset", "steel")[0] == 0
    assert call("data", "split", "--canonical-dir", canonical, "--dataset", "steel")[0] == 0
    records = canonical / "steel/all.json"
    assert call("data", "leakage", "--canonical", f"steel={records}", "--report", tmp_path / "leakage.json")[0] == 0
    standards = ("--classification-standard", OWN_FILES["classification"], "--grading-standard", OWN_FILES["grading"])
    audit = ("--report", tmp_path / "audit.json", "--verdict", tmp_path / "verdict.json")
    assert call("data", "audit", "--canonical", records, *standards, *audit)[0] == 0
    (tmp_path / "a.sql").write_text("CREATE TABLE t (a INT COMMENT '炉号');", encoding="utf-8")
    assert call("data", "import-ddl", tmp_path / "a.sql", "--dataset", "steel", "--output", tmp_path / "ddl")[0] == 0
    written = {
        "preprocess-report": [loaded(processed / "steel/preprocess_report.json")],
        "processed-record": [*loaded(processed / "steel/all.json"), *loaded(tmp_path / "ddl/all.json")],
        "canonical-record": loaded(records),
        "resolution-report": [loaded(canonical / "steel/resolution_report.json")],
        "split-report": [loaded(canonical / "steel/split_report.json")],
        "leakage-report": [loaded(tmp_path / "leakage.json")],
        "prompt-audit": [loaded(tmp_path / "audit.json")],
        "verdict": [loaded(tmp_path / "verdict.json")],
        "ddl-import-report": [loaded(tmp_path / "ddl/ddl_import_report.json")],
    }
    for name, documents in written.items():
        form, judge = form_of(name), jsonschema.Draft202012Validator(loaded(SCHEMAS / f"{name}.json"))
        for content in documents:
            form.validate_python(content)
            judge.validate(content)
        with pytest.raises(ValueError, match="not_a_key"):
            form.validate_python({**documents[0], "not_a_key": 1})
        assert not judge.is_valid({**documents[0], "not_a_key": 1})


FILLED = {
    "name or address, or a Host of your ssh config": "npu-b.example",
    "login user there": "trainer",
    "folder for rows and inputs, absolute": "/srv/autoresearch",
    "image with verl 0.9.1": "registry.example/verl:0.9.1",
    "folder for models and datasets, absolute": "/srv/autoresearch-assets",
}


def test_init_writes_both_files_and_the_check_takes_them_once_every_named_place_is_filled(
    tmp_path: Path, call: Any
) -> None:
    folder = tmp_path / "config"
    code, shown, _ = call("config", "init", "--dir", folder, "--server", "npu-b")
    assert (code, shown["files"]) == (0, [str(folder / "config.yaml"), str(folder / "data.yaml")])
    assert [place.rpartition(": ")[2] for place in shown["fill_in"]] == [
        *(f"servers[0].{key}" for key in ("host", "user", "workdir", "image")),
        "defaults.remote_root",
    ]
    check = ("check", "config", "--config", folder / "config.yaml")
    for path in map(Path, shown["files"]):
        code, answer, _ = call(*check)
        assert code == 1 and {item["code"] for item in answer["findings"]} == {"V113"}
        assert {item["place"].partition(",")[0] for item in answer["findings"]} == {path.name}
        text = path.read_text(encoding="utf-8")
        for what, value in FILLED.items():
            text = text.replace(f'"<fill in: {what}>"', value)
        path.write_text(text, encoding="utf-8")
    code, answer, _ = call(*check)
    assert (code, answer["data"]["servers"]) == (0, ["npu-b"])
    assert answer["data"]["data_file"] == str(folder / "data.yaml")
    comments = [line for line in text.splitlines() if "#" in line]
    assert len(comments) > 3 and "npu-a" not in text


def test_init_for_this_machine_leaves_nothing_to_fill_in(tmp_path: Path, call: Any) -> None:
    code, shown, _ = call("config", "init", "--dir", tmp_path / "new", "--kind", "local")
    assert (code, shown["fill_in"]) == (0, [])
    code, answer, _ = call("check", "config", "--config", tmp_path / "new" / "config.yaml")
    assert (code, answer["data"]["servers"]) == (0, ["local"])


@pytest.mark.parametrize("there", ["config.yaml", "data.yaml"])
def test_init_overwrites_nothing_and_leaves_no_half(tmp_path: Path, call: Any, there: str) -> None:
    (tmp_path / there).write_text("mine", encoding="utf-8")
    code, shown, error = call("config", "init", "--dir", tmp_path)
    assert (code, shown["status"]) == (2, "refused") and there in error and "--dir" in error
    assert [path.name for path in tmp_path.iterdir()] == [there] and (tmp_path / there).read_text() == "mine"


@pytest.mark.parametrize("name", ["config", "data"])
def test_init_and_the_shipped_examples_are_of_one_text(name: str) -> None:
    template, shipped = f"src/autoresearch/cli/templates/{name}.yaml", f"config/{name}.example.yaml"
    assert (ROOT / template).read_bytes() == (ROOT / shipped).read_bytes(), f"cp {shipped} {template}"


def manifest(folder: Path) -> Path:
    shutil.copyfile(OWN_FILES["grading"], folder / "grading.json")
    entry = {"path": "grading.json", "sha256": sha256_file(folder / "grading.json")}
    write_json(folder / "grading-manifest.json", {"datasets": {"steel": entry}})
    return folder / "grading-manifest.json"


def test_each_kind_is_recognised_by_its_name_and_without_it_by_its_content(tmp_path: Path, call: Any) -> None:
    files = {**OWN_FILES, "manifest": manifest(tmp_path)}
    code, shown, _ = call("config", "validate", *files.values())
    assert (code, shown["valid"]) == (0, True)
    assert [item["kind"] for item in shown["files"]] == list(files)
    for kind, path in files.items():
        unnamed = tmp_path / f"{kind}-without-a-word.txt"
        shutil.copyfile(path, unnamed)
        code, shown, _ = call("config", "validate", unnamed)
        assert (code, shown["files"][0]["kind"]) == (0, kind)


BROKEN: list[tuple[str, Any, str]] = [
    ("steel.mapping.json", {"字段名": "no_such_field"}, "F006"),
    ("datasets.json", {"datasets": {"Steel": {}}}, "F030"),
    ("steel.registry.json", {"categories": ["a", "b"]}, "F031"),
    ("steel.registry.json", {"categories": [{"category_id": str(k), "name": "x"} for k in range(5)]}, "F034"),
    ("steel.corpus.json", {"categories": [{"category_id": "a"}]}, "F032"),
    ("steel.grading.json", {"levels": ["L1", "L1"]}, "F035"),
    ("steel.task.json", {"metadata_fields": []}, "F036"),
    ("grading-manifest.json", {"datasets": {"steel": {"path": "no.json", "sha256": "0" * 64}}}, "F037"),
]


@pytest.mark.parametrize(("name", "content", "code"), BROKEN)
def test_a_file_that_is_not_valid_is_answered_with_its_finding(
    tmp_path: Path, call: Any, name: str, content: Any, code: str
) -> None:
    write_json(tmp_path / name, content)
    exit_code, shown, error = call("config", "validate", tmp_path / name, OWN_FILES["task"])
    assert (exit_code, shown["valid"]) == (1, False)
    assert [item["valid"] for item in shown["files"]] == [False, True]
    assert shown["files"][0]["findings"][0]["code"] == code
    assert code in error and "Traceback" not in error


def test_a_corpus_is_checked_against_the_registry_beside_it(tmp_path: Path, call: Any) -> None:
    corpus = loaded(OWN_FILES["corpus"])
    corpus["categories"].pop()
    write_json(tmp_path / "steel.corpus.json", corpus)
    assert call("config", "validate", tmp_path / "steel.corpus.json")[0] == 0
    code, shown, _ = call("config", "validate", OWN_FILES["registry"], tmp_path / "steel.corpus.json")
    assert (code, shown["files"][1]["findings"][0]["code"]) == (1, "F033")


def test_what_cannot_be_judged_is_refused(tmp_path: Path, call: Any) -> None:
    (tmp_path / "what.json").write_text('{"a": 1}', encoding="utf-8")
    for words in ((), (tmp_path / "absent.task.json",), (tmp_path / "what.json",)):
        code, shown, _ = call("config", "validate", *words)
        assert (code, shown["status"]) == (2, "refused")
    code, shown, _ = call("config", "validate", tmp_path / "what.json", "--kind", "task")
    assert (code, shown["files"][0]["findings"][0]["code"]) == (1, "F036")
