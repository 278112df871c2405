"""``autoresearch sft`` and ``autoresearch rl``: flags as printed, one JSON object, exit codes 0, 1, 2 (4.0)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autoresearch.cli.main import run
from autoresearch.files import sha256_file, write_json

MINI = Path(__file__).parents[1] / "fixtures" / "steel_mini"
FIELDS = ["--metadata-fields", "field_name", "table_name", "field_description", "table_description"]
STANDARDS = ["--registry", str(MINI / "registry.json"), "--corpus", str(MINI / "corpus.json")]
GRADING = ["--grading-config", str(MINI / "grading.json")]
CANONICAL = ["--canonical", str(MINI / "canonical.json")]


def call(capsys: pytest.CaptureFixture[str], *tokens: Any) -> tuple[int, dict[str, Any]]:
    """Runs a command line; gives its exit code and the one object of its standard output."""
    code = run([str(token) for token in tokens])
    shown: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, shown


def test_trajectories_are_assembled_validated_counted_and_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "t"
    words = [
        "sft",
        "assemble",
        *CANONICAL,
        *STANDARDS,
        *GRADING,
        *FIELDS,
        "--dataset",
        "steelmini",
        "--output-dir",
        out,
    ]
    code, shown = call(capsys, *words, "--no-enable-thinking", "--class-policy", "hash")
    assert (code, shown["status"], shown["rows"]) == (0, "done", {"train": 16, "val": 4, "test": 4})
    code, shown = call(capsys, "sft", "validate", "--dataset-dir", out, "--report", out / "validation.json", *STANDARDS)
    assert (code, shown["valid"]) == (0, True)
    code, shown = call(capsys, "sft", "validate", "--release", out, "--family", "trajectory")
    assert (code, shown["valid"]) == (0, True)
    code, shown = call(capsys, "sft", "validate", "--release", out, "--family", "three-message")
    assert (code, shown["findings"][0]["code"]) == (1, "R003")
    code, shown = call(capsys, "sft", "stats", "--dataset-dir", out, "--report", tmp_path / "stats.json")
    assert code == 0
    code, shown = call(capsys, *words)
    assert (code, shown["findings"][0]["code"]) == (2, "R001")


def test_pairs_become_a_cascade(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs, cascade = tmp_path / "pairs", tmp_path / "cascade"
    code, _ = call(
        capsys,
        "rl",
        "export",
        *CANONICAL,
        *STANDARDS,
        *GRADING,
        *FIELDS,
        "--dataset",
        "steelmini",
        "--output-dir",
        pairs,
    )
    assert code == 0
    entry = {"path": str(MINI / "grading.json"), "sha256": sha256_file(MINI / "grading.json")}
    manifest = tmp_path / "grading-manifest.json"
    write_json(manifest, {"datasets": {"steelmini": entry}})
    words = ["rl", "mixture", "--family", "rl-cascade", "--grading-manifest", manifest, *STANDARDS, *FIELDS]
    code, shown = call(capsys, *words, "--input", f"steelmini={pairs}", "--output-dir", cascade)
    assert (code, shown["sampling"]["train_achieved_weights"]) == (0, {"steelmini": 1.0})
    code, shown = call(
        capsys, "rl", "validate", "--dataset-dir", cascade, "--require-sources", "--grading-manifest", manifest
    )
    assert (code, shown["family"]) == (0, "rl-cascade")
    code, shown = call(capsys, *words, "--input", str(pairs), "--output-dir", tmp_path / "x")
    assert (code, "give <ds>=DIR" in shown["message"]) == (2, True)
    code, _ = call(capsys, "rl", "validate", "--dataset-dir", tmp_path / "nowhere")
    assert code == 2


def test_three_message_rows_and_collected_shards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = call(
        capsys, "sft", "export", *CANONICAL, *STANDARDS, *GRADING, *FIELDS, "--output-dir", tmp_path / "three"
    )
    assert (code, shown["rows"]["train"]) == (0, 32)
    code, shown = call(
        capsys, "sft", "collect", *CANONICAL, *STANDARDS, *GRADING, *FIELDS, "--collect-dir", tmp_path / "thoughts"
    )
    assert (code, shown["total_samples"]) == (0, 24)
    code, shown = call(capsys, "sft", "assemble", *CANONICAL, *STANDARDS, *FIELDS, "--output-dir", tmp_path / "t")
    assert (code, shown["status"]) == (2, "usage")
