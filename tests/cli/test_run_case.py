"""``run verl-case`` as a user calls it: a field case on this machine, with a stub in verl's place (20.2, 20.3)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from case_calls import CaseFile, called
from row_stub import end_rows
from runner_archive import wait_for

from autoresearch.cli.main import run
from autoresearch.evidence.verify import verify

pytest.importorskip("bokeh")
CASE = "train-1cpu-sync-bs{}-n4-mini{}-micro1-2048-320"


def git(tree: Path, *words: str) -> str:
    """Run git in a tree; its output."""
    who = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    return subprocess.run(["git", "-C", str(tree), *who, *words], capture_output=True, text=True, check=True).stdout


def modified_tree(tree: Path) -> Path:
    """A working tree on a branch, with a change that is not committed."""
    tree.mkdir()
    git(tree, "init", "--quiet", "--initial-branch=work")
    (tree / "code.py").write_text("one\n")
    git(tree, "add", "code.py")
    git(tree, "commit", "--quiet", "--message", "one")
    (tree / "code.py").write_text("two\n")
    return tree


def git_state(tree: Path) -> tuple[str, ...]:
    """Refs, HEAD, index and status."""
    shown = (git(tree, "for-each-ref"), git(tree, "ls-files", "--stage"), git(tree, "status", "--porcelain"))
    return (*shown, (tree / ".git" / "HEAD").read_text(), (tree / "code.py").read_text())


def test_a_case_runs_to_a_sealed_bundle_and_says_so_in_one_object(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = modified_tree(tmp_path / "tree")
    before = git_state(tree)
    dependencies = {"transformers": {"path": str(tree)}}
    words = [
        "--config",
        str(write_config(dependencies=dependencies)),
        "--run-id",
        f"case-1-{os.getpid()}",
        "--skip-readiness",
    ]
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    code, result = called(capsys, *words, "--open", "--lang", "en", "--timeout", "100")
    assert git_state(tree) == before  # git is only read (8.4)
    assert (code, result["status"], result["bundle_state"]) == (0, "pass", "complete"), result
    assert result["experiment"] == {
        "ok": True,
        "rows": 2,
        "passed": 2,
        "failed": 0,
        "skipped": 0,
        "first_failure": None,
    }
    assert [step["id"] for step in result["steps"]] == [
        "readiness",
        "assets",
        "lock",
        "rows",
        "collect",
        "report",
        "seal",
    ]
    assert {step["status"] for step in result["steps"]} <= {"pass", "warn"}
    bundle = Path(result["bundle"])
    used = json.loads((bundle / "5-provenance" / "provenance.lock.json").read_text())["repositories"]
    seen = next(each for each in used if each["name"] == "transformers")
    assert (seen["role"], seen["dirty"], seen["branch"]) == ("recorded", True, "work")
    assert "+two" in (bundle / seen["diff"]["path"]).read_text()
    assert verify(bundle).findings() == [] and (bundle / "0-report" / "report.html").is_file()
    page = bundle / "0-report" / "report.html"
    assert '<html lang="en"' in page.read_text()[:1000] and opened.read_text().strip() == page.as_uri()
    assert json.loads((bundle / "5-provenance" / "run.json").read_text())["settings"]["overrides"] == {"timeout": 100}
    assert sorted(path.name for path in (tmp_path / "cache" / "runs").iterdir()) == [f"case-1-{os.getpid()}"]
    assert not (tmp_path / "host" / "autoresearch" / "runs" / f"case-1-{os.getpid()}").exists()
    code, result = called(capsys, *words)
    assert (code, result["status"], result["findings"][0]["code"]) == (2, "refused", "V601")
    code, result = called(capsys, *words, "--resume")
    assert (code, result["findings"][0]["code"]) == (2, "V601")


def test_after_kill_9_the_same_command_with_resume_goes_on_and_repeats_no_row(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    mark = tmp_path / "started"
    monkeypatch.setenv("STUB_VERL", json.dumps({"mark": str(mark), "wait": 3}))
    words = ["--config", str(write_config()), "--run-id", f"case-2-{os.getpid()}", "--skip-readiness"]
    program = [sys.executable, "-c", "from autoresearch.cli.main import main; main()", "run", "verl-case", *words]
    child = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        second = (
            tmp_path / "host" / "autoresearch" / "runs" / f"case-2-{os.getpid()}" / "rows" / f"{CASE.format(2, 2)}.a1"
        )
        wait_for(second / "owner.json", 90)
    finally:
        child.kill()
        child.wait()
    code, result = called(capsys, *words, "--resume")
    assert code == 0, result
    assert mark.read_text().split() == [f"{CASE.format(size, size)}.a1" for size in (1, 2)]
    assert result["experiment"]["passed"] == 2
    end_rows(tmp_path)


def test_sealing_while_a_row_runs_leaves_that_row_on_the_host(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUB_VERL", json.dumps({"wait": 6}))
    name = f"case-6-{os.getpid()}"
    words = ["--config", str(write_config()), "--run-id", name, "--skip-readiness"]
    program = [sys.executable, "-c", "from autoresearch.cli.main import main; main()", "run", "verl-case", *words]
    child = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    second = tmp_path / "host" / "autoresearch" / "runs" / name / "rows" / f"{CASE.format(2, 2)}.a1"
    try:
        wait_for(second / "owner.json", 90)
    finally:
        child.kill()
        child.wait()
    code, result = called(capsys, *words, "--collect-only", "--seal")
    assert (code, result["bundle_state"]) == (0, "partial"), result
    assert any("not over" in warning for warning in result["warnings"])
    wait_for(second / "result.json", 60)
    end_rows(tmp_path)


def test_ctrl_c_leaves_a_partial_bundle_that_can_be_sealed(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setenv("STUB_VERL", json.dumps({"wait": 60}))
    words = ["--config", str(write_config()), "--run-id", f"case-3-{os.getpid()}", "--skip-readiness"]
    program = [sys.executable, "-c", "from autoresearch.cli.main import main; main()", "run", "verl-case", *words]
    child = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    row = tmp_path / "host" / "autoresearch" / "runs" / f"case-3-{os.getpid()}" / "rows" / f"{CASE.format(1, 1)}.a1"
    wait_for(row / "heartbeat.json", 90)
    child.send_signal(2)
    out, _ = child.communicate(timeout=60)
    result = json.loads(out)
    assert (child.returncode, result["status"], result["bundle_state"]) == (130, "interrupted", "open")
    assert result["experiment"]["first_failure"] == f"{CASE.format(1, 1)}.a1: interrupted"
    assert len(result["next"]) == 2 and "--resume" in result["next"][0] and "--seal" in result["next"][1]
    code, result = called(capsys, *words, "--collect-only", "--seal")
    assert (code, result["bundle_state"], result["experiment"]["ok"]) == (1, "partial", False), result
    assert verify(Path(result["bundle"])).findings() == []


def test_a_dry_run_shows_locks_and_rows_and_starts_nothing(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, result = called(capsys, "--config", str(write_config()), "--dry-run")
    assert code == 0, result
    assert [row["case_id"] for row in result["rows"]] == [CASE.format(1, 1), CASE.format(2, 2)]
    assert "verl.trainer.main_ppo" in result["rows"][0]["argv"]
    assert [Path(lock["path"]).name for lock in result["locks"]] == ["config.lock.json", "provenance.lock.json"]
    assert not (tmp_path / "cache").exists() and not (tmp_path / "host" / "autoresearch" / "runs").exists()


def test_a_smoke_run_computes_on_this_machine_and_leaves_a_verified_bundle_of_its_kind(
    write_config: CaseFile, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    code = run(["run", "smoke", "--config", str(write_config()), "--seconds", "1", "--run-id", f"smoke-{os.getpid()}"])
    result = json.loads(capsys.readouterr().out)
    assert (code, result["command"], result["status"], result["bundle_state"]) == (0, "run smoke", "pass", "complete")
    bundle = Path(result["bundle"])
    manifest = json.loads((bundle / "manifest.json").read_text())
    assert (manifest["kind"], manifest["rows"][0]["row"]) == ("smoke", "smoke-1cpu.a1")
    answer = (bundle / "3-raw-logs" / "cases" / "smoke-1cpu.a1" / "trainer.log").read_text()
    assert json.loads(answer.splitlines()[-1])["ok"] is True and verify(bundle).findings() == []


def test_a_bisected_ladder_seals_with_its_added_lock(
    write_config: CaseFile, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setenv("STUB_VERL", json.dumps({"oom_from": 3}))
    ladder = {"batch_sizes": [1, 4, 5, 6], "bisect_limit": 1}
    words = ["--config", str(write_config(ladder=ladder)), "--run-id", f"case-5-{os.getpid()}", "--skip-readiness"]
    code, result = called(capsys, *words)
    assert code == 0, result
    assert result["experiment"] == {
        "ok": True,
        "rows": 5,
        "passed": 2,
        "failed": 2,
        "skipped": 1,
        "first_failure": f"{CASE.format(4, 4)}.a1: oom",
    }
    bundle = Path(result["bundle"])
    added = json.loads((bundle / "4-config" / "config.lock.bisect-1.json").read_text())
    assert [row["case_id"] for row in added["rows"]] == [CASE.format(2, 2)]
    lines = map(json.loads, (bundle / "6-rows" / "matrix-results.jsonl").read_text().splitlines())
    told = {line["case_id"]: {each["code"] for each in line["findings"]} & {"V220", "V221"} for line in lines}
    found = {case: codes for case, codes in told.items() if codes}
    assert found == {CASE.format(2, 2): {"V221"}, CASE.format(6, 6): {"V220"}}
    assert verify(bundle).findings() == []
