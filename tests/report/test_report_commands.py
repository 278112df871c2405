"""The commands of bundle and report: one JSON object, exit 0, 1 or 2, and a message that says what to do."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from autoresearch.cli.main import run
from autoresearch.evidence.writer import make_writable


def called(capsys: pytest.CaptureFixture[str], *tokens: object) -> tuple[int, dict[str, Any], str]:
    """Exit code, the JSON object and what stood on standard error."""
    code = run([str(token) for token in tokens])
    out = capsys.readouterr()
    content: dict[str, Any] = json.loads(out.out)
    return code, content, out.err


def test_verify_says_ok_with_one_line_a_check(page_bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, content, _ = called(capsys, "bundle", "verify", page_bundle)
    assert (code, content["ok"]) == (0, True)
    names = [check["id"] for check in content["checks"]]
    assert names == ["sums", "schema", "chain", "steps", "class", "telemetry", "wandb", "report", "secrets_paths"]


def test_verify_exits_1_with_the_file_and_2_without_a_bundle(
    page_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(page_bundle, copied)
    make_writable(copied)
    (copied / "README.md").write_text("changed")
    code, content, _ = called(capsys, "bundle", "verify", copied)
    assert code == 1
    assert content["checks"][0]["findings"][0]["place"] == "README.md"
    code, content, message = called(capsys, "bundle", "verify", tmp_path)
    assert code == 2
    assert "is no bundle" in message
    code, content, message = called(capsys, "bundle", "verify", tmp_path / "absent")
    assert code == 2
    assert "manifest.json" in message


def test_render_writes_page_and_numbers_beside_the_bundle(
    page_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page" / "report.html"
    code, content, _ = called(capsys, "report", "render", "--bundle", page_bundle, "--out", out, "--lang", "en")
    assert code == 0
    assert Path(content["report_data"]).read_bytes() == (page_bundle / "0-report" / "report-data.json").read_bytes()
    code, content, _ = called(capsys, "report", "check", out, "--bundle", page_bundle)
    assert (code, content["ok"]) == (0, True)
    out.write_text(out.read_text().replace('data-chapter="limits"', ""))
    code, content, _ = called(capsys, "report", "check", out, "--bundle", page_bundle)
    assert (code, content["missing"]) == (1, ["limits"])
    code, _, message = called(capsys, "report", "check", out)
    assert code == 2
    assert "--bundle" in message


def test_check_takes_a_bundle_or_its_page(page_bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (page_bundle, page_bundle / "0-report" / "report.html"):
        code, content, _ = called(capsys, "report", "check", path)
        assert (code, content["missing"]) == (0, [])


def test_render_finds_a_run_by_its_id_in_artifact_root(
    case_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(f"version: 1\nverl_case: {{artifact_root: {case_bundle.parent}}}\n")
    out = tmp_path / "page" / "report.html"
    code, content, _ = called(
        capsys, "report", "render", "--run-id", case_bundle.name, "--config", config, "--out", out, "--lang", "en"
    )
    assert (code, content["bundle"]) == (0, str(case_bundle))
    assert 'data-lang="en"' in out.read_text()
    code, _, message = called(capsys, "report", "render", "--run-id", "other", "--config", config, "--out", out)
    assert code == 2
    assert "--run-id other: no bundle in" in message
    code, _, message = called(capsys, "report", "render", "--out", out)
    assert code == 2
    assert "either --bundle DIR or --run-id ID" in message


def test_a_damaged_file_is_one_message_with_the_way_to_find_it(
    case_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(case_bundle, copied)
    make_writable(copied)
    table = copied / "2-prometheus" / "telemetry.parquet"
    table.write_bytes(table.read_bytes()[:2000])
    for tokens in (("check", copied), ("render", "--bundle", copied, "--out", tmp_path / "p" / "report.html")):
        code, _, message = called(capsys, "report", *tokens)
        assert code == 2
        assert "is damaged" in message and f"autoresearch bundle verify {copied} names it" in message
