"""A rehearsal derives every number again from raw files alone, and notices what raw files do not give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autoresearch.cli.main import run
from autoresearch.evidence.rehearse import rehearse, remove_derived


def test_every_number_is_derived_again_bit_for_bit(sealed: Path, tmp_path: Path) -> None:
    found = rehearse(sealed, tmp_path / "work")
    assert found.ok
    assert found.numbers == found.equal > 300
    for name in ("6-rows/steps.jsonl", "6-rows/matrix-results.jsonl", "2-prometheus/telemetry-openmetrics.prom"):
        assert (tmp_path / "work" / name).read_bytes() == (sealed / name).read_bytes()


def test_derived_files_are_really_gone_before_they_are_derived(copied: Path) -> None:
    remove_derived(copied)
    assert not list(copied.rglob("*.prom"))
    for name in (
        "0-report/report-data.json",
        "6-rows/matrix-results.jsonl",
        "6-rows/steps.jsonl",
        "2-prometheus/telemetry.parquet",
    ):
        assert not (copied / name).exists()
    assert (copied / "3-raw-logs" / "cases" / "rl.a1" / "trainer.log").exists()


def test_a_changed_raw_value_is_named_with_both_values_and_its_sources(copied: Path, tmp_path: Path) -> None:
    path = copied / "6-rows" / "cases" / "sft.a1" / "metrics.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    found = rehearse(copied, tmp_path / "work")
    assert not found.ok
    named = {each["id"]: each for each in found.different}
    assert (named["row.sft.a1.completed_steps"]["recorded"], named["row.sft.a1.completed_steps"]["derived"]) == (12, 11)
    assert "6-rows/cases/sft.a1/metrics.jsonl" in named["row.sft.a1.completed_steps"]["sources"]


def test_the_command_restores_beside_the_bundle(
    sealed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["bundle", "restore", str(sealed), "--to", str(tmp_path / "restored"), "--rehearse"])
    content = json.loads(capsys.readouterr().out)
    assert (code, content["ok"], content["numbers_equal"]) == (0, True, True)
    assert (tmp_path / "restored" / "report.html").exists()
    assert run(["bundle", "restore", str(sealed), "--to", str(tmp_path / "restored")]) == 2
    assert "exists" in capsys.readouterr().err
