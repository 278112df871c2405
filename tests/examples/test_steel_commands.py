"""The commands of the runbook's data part on the example, and the example against itself (data-line 11)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from autoresearch.cli.main import run
from autoresearch.files import read_records
from autoresearch.findings import Finding
from autoresearch.standards.corpus import Corpus
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import NATIVE_FOUR

STEEL = Path(__file__).resolve().parents[2] / "examples" / "steel"
MARKER = "DATA-MUST-NOT-BE-READ"


def call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = run([str(word) for word in words])
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, printed


def canonical(capsys: pytest.CaptureFixture[str], sheet: Path, folder: Path, split: str = "random") -> Path:
    mapping = STEEL / "assets/mappings/steel.mapping.json"
    records = folder / "processed/steel/all.json"
    steps: list[list[object]] = [
        ["preprocess", "--input", sheet, "--mapping", mapping, "--output", records, "--dataset", "steel"],
        [
            *["build", "--processed-dir", folder / "processed", "--canonical-dir", folder / "canonical"],
            *["--config-file", STEEL / "config/datasets.json", "--registry-dir", STEEL / "assets/registries"],
            *["--corpus-dir", STEEL / "assets/corpora", "--dataset", "steel"],
        ],
        ["split", "--canonical-dir", folder / "canonical", "--dataset", "steel", "--split-type", split],
    ]
    for words in steps:
        code, printed = call(capsys, "data", *words)
        assert code == 0, printed
    return folder / "canonical/steel/all.json"


def audit(capsys: pytest.CaptureFixture[str], records: Path, folder: Path) -> tuple[int, dict[str, Any]]:
    standards = ["--classification-standard", STEEL / "standards/steel.classification.json"]
    standards += ["--grading-standard", STEEL / "standards/steel.grading.json"]
    report = ["--report", folder / "audit.json", "--split", "all"]
    return call(capsys, "data", "audit", "--canonical", records, *standards, *report)


@pytest.mark.parametrize("split", ["random", "group", "cluster"])
def test_commands_pass_as_printed_and_the_audit_finds_no_conflict(
    split: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = audit(capsys, canonical(capsys, STEEL / "raw/steel.xlsx", tmp_path, split), tmp_path)
    assert (code, printed["status"], printed["conflict_keys"]) == (0, "passed", 0)
    assert printed["records_audited"] == 1800


def test_conflict_file_has_exactly_two_conflicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = canonical(capsys, STEEL / "broken/conflict.xlsx", tmp_path)
    code, printed = audit(capsys, records, tmp_path)
    assert (code, printed["status"]) == (1, "failed")
    assert (printed["conflict_keys"], printed["conflicting_records"]) == (2, 4)
    assert printed["rendered"]["conflict_keys"] == 0  # descriptions tell them apart
    message = (STEEL / "broken/conflict.txt").read_text(encoding="utf-8").strip()
    assert [Finding(**item).message() for item in printed["findings"]] == [message]


def test_hard_negatives_vary_with_the_field_and_those_of_the_fixture_policy_are_nearly_constant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """data-line 12.33."""
    words = ["--canonical", canonical(capsys, STEEL / "raw/steel.xlsx", tmp_path), "--metadata-fields", *NATIVE_FOUR]
    words += ["--registry", STEEL / "assets/registries/steel.registry.json"]
    words += ["--corpus", STEEL / "assets/corpora/steel.corpus.json"]
    words += ["--grading-config", STEEL / "standards/steel.grading.json"]
    found = {}
    for policy in ("hard_negatives", "gold_first4"):
        out = tmp_path / policy
        code, printed = call(capsys, "sft", "export", *words, "--candidate-policy", policy, "--output-dir", out)
        assert code == 0, printed
        report = json.loads((out / "export_report.json").read_text(encoding="utf-8"))
        found[policy] = report["candidate_report"]
    assert found["hard_negatives"]["most_frequent_negative_share"] < 0.2
    assert found["hard_negatives"]["distinct_negatives"] == 54
    assert found["gold_first4"]["most_frequent_negative_share"] > 0.95


def test_three_dialects_give_equal_records_apart_from_the_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """data-line 12.8, 12.15."""
    found = {}
    for dialect in ("mysql", "postgres", "tsql"):
        output = tmp_path / dialect / "all.json"
        source = STEEL / f"raw/ddl/{dialect}.sql"
        code, printed = call(capsys, "data", "import-ddl", source, "--dataset", "steel", "--output", output)
        assert code == 0, printed
        assert MARKER in source.read_text(encoding="utf-8")
        assert MARKER not in output.read_text(encoding="utf-8") + json.dumps(printed)
        records = read_records(output)
        for record in records:
            record["metadata"]["field_type"] = ""
        found[dialect] = records
    assert len(found["mysql"]) == 2398
    assert found["mysql"] == found["postgres"] == found["tsql"]


def test_registry_and_corpus_are_what_the_standard_derives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """data-line 4.3, ``--derive-from``."""
    shutil.copytree(STEEL / "config", tmp_path / "config")
    records = tmp_path / "processed/steel/all.json"
    mapping = STEEL / "assets/mappings/steel.mapping.json"
    words = ["--mapping", mapping, "--output", records, "--dataset", "steel"]
    assert call(capsys, "data", "preprocess", "--input", STEEL / "raw/steel.xlsx", *words)[0] == 0
    code, printed = call(
        *[
            capsys,
            "data",
            "build",
            "--processed-dir",
            tmp_path / "processed",
            "--canonical-dir",
            tmp_path / "canonical",
        ],
        *["--config-file", tmp_path / "config/datasets.json", "--dataset", "steel"],
        *["--registry-dir", tmp_path / "registries", "--corpus-dir", tmp_path / "corpora"],
        *["--derive-from", STEEL / "standards/steel.classification.json"],
    )
    assert code == 0, printed
    registry = LeafRegistry.from_path(tmp_path / "registries/steel.registry.json")
    corpus = Corpus.from_path(tmp_path / "corpora/steel.corpus.json")
    assert registry.digest == LeafRegistry.from_path(STEEL / "assets/registries/steel.registry.json").digest
    assert corpus.digest == Corpus.from_path(STEEL / "assets/corpora/steel.corpus.json").digest


def test_small_example_splits_by_table_with_every_leaf_in_every_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = STEEL / "small"
    records = tmp_path / "processed/steel/all.json"
    mapping = small / "assets/mappings/steel.mapping.json"
    words = ["--mapping", mapping, "--output", records, "--dataset", "steel"]
    assert call(capsys, "data", "preprocess", "--input", small / "raw/steel.xlsx", *words)[0] == 0
    folders = ["--registry-dir", small / "assets/registries", "--corpus-dir", small / "assets/corpora"]
    for seed in range(42, 48):
        out = tmp_path / str(seed)
        build = ["--processed-dir", tmp_path / "processed", "--canonical-dir", out, "--dataset", "steel", *folders]
        assert call(capsys, "data", "build", "--config-file", small / "config/datasets.json", *build)[0] == 0
        ratios = ["--train-ratio", 64 / 90, "--val-ratio", 6 / 90, "--test-ratio", 20 / 90]
        split = ["--canonical-dir", out, "--dataset", "steel", "--split-type", "group", "--seed", seed, *ratios]
        code, printed = call(capsys, "data", "split", *split)
        assert code == 0, printed
        assert printed["datasets"]["steel"]["sizes"] == {"train": 640, "val": 60, "test": 200}
        parts: dict[str, set[str]] = {}
        for record in read_records(out / "steel/all.json"):
            parts.setdefault(record["split"], set()).add(record["target"]["category_id"])
        assert {name: len(leaves) for name, leaves in parts.items()} == {"train": 12, "val": 12, "test": 12}
