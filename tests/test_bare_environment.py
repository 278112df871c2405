"""An environment with the core dependencies only: importing works, and so does every data and release command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent / "fixtures"))

from bare_environment import ABSENT, bare_interpreter

pytestmark = pytest.mark.bare
ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "steel" / "small"
NATIVE = ["field_name", "table_name", "field_description", "table_description"]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a new environment that holds the core dependencies and nothing else."""
    return bare_interpreter(tmp_path_factory.mktemp("bare") / "env")


def run(python: Path, *words: object, exit_code: int = 0) -> dict[str, Any]:
    done = subprocess.run(
        [str(python), "-m", "autoresearch", *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == exit_code, f"{words}: {done.stderr[-2000:]}{done.stdout[-2000:]}"
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_the_bare_environment_lacks_the_training_stack_and_the_package_imports(python: Path, tmp_path: Path) -> None:
    program = (
        "import autoresearch, importlib.util as u, json; from autoresearch.training import plan;"
        f"print(json.dumps([name for name in {ABSENT!r} if u.find_spec(name)]))"
    )
    done = subprocess.run([str(python), "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_every_data_and_release_command_works_without_the_training_stack(python: Path, tmp_path: Path) -> None:
    registry = EXAMPLE / "assets" / "registries" / "steel.registry.json"
    corpus = EXAMPLE / "assets" / "corpora" / "steel.corpus.json"
    mapping = EXAMPLE / "assets" / "mappings" / "steel.mapping.json"
    grading = EXAMPLE / "standards" / "steel.grading.json"
    classification = EXAMPLE / "standards" / "steel.classification.json"
    task = EXAMPLE / "config" / "steel.task.json"
    sheet = EXAMPLE / "raw" / "steel.xlsx"
    processed, canonical = tmp_path / "processed", tmp_path / "canonical"
    records = canonical / "steel" / "all.json"
    run(
        python,
        "data",
        "preprocess",
        "--input",
        sheet,
        "--mapping",
        mapping,
        "--output",
        processed / "steel" / "all.json",
        "--dataset",
        "steel",
    )
    ddl = tmp_path / "a.sql"
    ddl.write_text("CREATE TABLE t (id INT COMMENT '编号') COMMENT='表';", encoding="utf-8")
    run(python, "data", "import-ddl", ddl, "--dataset", "ddl", "--output", tmp_path / "ddl" / "all.json")
    run(
        python,
        "data",
        "build",
        "--processed-dir",
        processed,
        "--canonical-dir",
        canonical,
        "--config-file",
        EXAMPLE / "config" / "datasets.json",
        "--registry-dir",
        registry.parent,
        "--corpus-dir",
        corpus.parent,
        "--dataset",
        "steel",
    )
    run(python, "data", "split", "--canonical-dir", canonical, "--dataset", "steel", "--split-type", "group")
    run(
        python,
        "data",
        "audit",
        "--bundle",
        "--canonical",
        f"steel={records}",
        "--classification-standard",
        f"steel={classification}",
        "--grading-standard",
        f"steel={grading}",
        "--report",
        tmp_path / "audit.json",
    )
    run(python, "data", "leakage", "--canonical", records, "--report", tmp_path / "leakage.json")
    identity = json.loads(records.read_text(encoding="utf-8"))[0]["id"]
    assert run(python, "data", "explain", identity, "--canonical", records)["exit_code"] == 0
    shared = ["--canonical", records, "--registry", registry, "--corpus", corpus, "--metadata-fields", *NATIVE]
    shared += ["--task-config", task, "--grading-config", grading]
    run(python, "sft", "collect", *shared, "--collect-dir", tmp_path / "collect")
    run(python, "sft", "assemble", *shared, "--output-dir", tmp_path / "trajectory")
    run(python, "sft", "export", *shared, "--output-dir", tmp_path / "three")
    run(python, "sft", "stats", "--dataset-dir", tmp_path / "trajectory", "--report", tmp_path / "stats.json")
    for name in ("trajectory", "three"):
        assert run(python, "sft", "validate", "--dataset-dir", tmp_path / name)["valid"] is True
    run(python, "rl", "export", *shared, "--dataset", "steel", "--output-dir", tmp_path / "pairs")
    manifest = tmp_path / "grading-manifest.json"
    (tmp_path / "grading.json").write_bytes(grading.read_bytes())
    digest = subprocess.run(["sha256sum", grading], capture_output=True, text=True, check=True).stdout.split()[0]
    manifest.write_text(json.dumps({"datasets": {"steel": {"path": "grading.json", "sha256": digest}}}))
    run(
        python,
        "rl",
        "mixture",
        "--family",
        "rl-cascade",
        "--input",
        f"steel={tmp_path / 'pairs'}",
        "--grading-manifest",
        manifest,
        "--output-dir",
        tmp_path / "cascade",
    )
    assert run(python, "rl", "validate", "--dataset-dir", tmp_path / "cascade")["valid"] is True
    out = tmp_path / "labelled.xlsx"
    run(
        python,
        "predict",
        EXAMPLE / "raw" / "unlabelled.xlsx",
        "--baseline",
        "--mapping",
        mapping,
        "--standards",
        tmp_path / "cascade",
        "--labelled",
        records,
        "--out",
        out,
    )
    assert out.stat().st_size > 5000


def test_the_data_part_of_the_quickstart_ends_with_the_numbers_of_the_example(python: Path, tmp_path: Path) -> None:
    """data-line 12.44."""
    expected = json.loads((ROOT / "examples" / "steel" / "expected.json").read_text(encoding="utf-8"))
    steps = run(python, "quickstart", "--until", "data", "--dir", tmp_path / "run")["steps"]
    assert steps["fields"]["ledger"] == expected["ledger"]
    assert steps["split"]["sizes"] == expected["splits"]["random"]["sizes"]


def test_what_needs_the_training_stack_says_how_to_install_it(python: Path, tmp_path: Path) -> None:
    result = run(python, "quickstart", "--dir", tmp_path / "run", exit_code=2)
    assert "pip install 'autoresearch[train]'" in result["message"]
