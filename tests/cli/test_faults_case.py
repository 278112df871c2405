"""Faults of a formal case that a user sees at the command line (formal-case.md 18: 2, 7, 8, 9, 11, 13)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from case_calls import CaseFile, called
from row_stub import end_rows
from runner_archive import owner_with_trainer, wait_for
from test_run_case import CASE

from autoresearch.evidence.verify import verify

ONE = f"{CASE.format(1, 1)}.a1"


def start(*words: str) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    program = [sys.executable, "-c", "from autoresearch.cli.main import main; main()", "run", "verl-case", *words]
    return subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def rows_of(tmp_path: Path, run: str) -> Path:
    return tmp_path / "host" / "autoresearch" / "runs" / run / "rows"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 MiB in the place of the cache; skipped where this user may not mount one."""
    place = tmp_path / "cache"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(place)], capture_output=True)
    if done.returncode:
        pytest.skip("no small file system can be mounted here: " + done.stderr.decode().strip())
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path) -> Path:
    """Take every free byte."""
    filler = place / "filler"
    with filler.open("wb", buffering=0) as handle:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    handle.write(b"x" * size)
            except OSError:
                continue
    return filler


@pytest.mark.skipif(shutil.which("mount") is None or os.getuid() != 0, reason="mounting needs root; not run")
def test_fault_7_on_a_full_disk_here_the_run_stops_in_words_and_is_finished_when_there_is_room(
    write_config: CaseFile,
    tmp_path: Path,
    small_disk: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = f"case-7-{os.getpid()}"
    monkeypatch.setenv("STUB_VERL", json.dumps({"wait": 1.5}))
    words = ["--config", str(write_config(ladder={"batch_sizes": [1]})), "--run-id", run, "--skip-readiness"]
    child = start(*words)
    row = rows_of(tmp_path, run) / ONE
    owner_with_trainer(row)
    filler = fill(small_disk)
    out, _ = child.communicate(timeout=90)
    result = json.loads(out)
    assert (child.returncode, result["status"], result["bundle_state"]) == (2, "refused", "open"), result
    assert "No space left on device" in result["message"] and "--collect-only" in result["message"]
    manifest = json.loads((Path(result["bundle"]) / "manifest.json").read_text())
    assert (manifest["state"], manifest["rows"]) == ("open", [])
    wait_for(row / "result.json")
    assert (row / "trainer.log").read_text().count("step:") >= 3, "the host still has everything"
    filler.unlink()
    code, result = called(capsys, *words, "--collect-only")
    assert (code, result["bundle_state"], result["experiment"]["passed"]) == (0, "complete", 1), result
    assert verify(Path(result["bundle"])).findings() == []


def test_faults_11_and_13_of_two_runs_at_once_one_is_refused_and_two_signals_end_the_other_which_goes_on_later(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, mark = f"case-8-{os.getpid()}", tmp_path / "started"
    monkeypatch.setenv("STUB_VERL", json.dumps({"wait": 60, "mark": str(mark)}))
    words = ["--config", str(write_config(ladder={"batch_sizes": [1]})), "--run-id", run, "--skip-readiness"]
    children = [start(*words), start(*words)]
    try:
        deadline = time.monotonic() + 60
        while not (ended := [each for each in children if each.poll() is not None]):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        (second,), (first,) = ended, [each for each in children if each not in ended]
        refused = json.loads(second.communicate()[0])
        assert (second.returncode, refused["findings"][-1]["code"]) == (2, "V601"), refused
        wait_for(mark)
        first.send_signal(signal.SIGINT)
        time.sleep(0.2)
        first.send_signal(signal.SIGINT)
        began = time.monotonic()
        result = json.loads(first.communicate(timeout=30)[0])
        assert time.monotonic() - began < 5
        assert (first.returncode, result["status"], result["bundle_state"]) == (130, "interrupted", "open"), result
    finally:
        for child in children:
            child.kill()
            child.wait()
    monkeypatch.setenv("STUB_VERL", json.dumps({"mark": str(mark)}))
    code, result = called(capsys, *words, "--resume")
    assert (code, result["bundle_state"]) == (0, "complete"), json.dumps(result)
    assert mark.read_text().split() == [ONE, ONE.replace(".a1", ".a2")]
    assert verify(Path(result["bundle"])).findings() == []
    end_rows(tmp_path)


@pytest.fixture
def silent() -> Iterator[str]:
    """A service that takes connections and answers nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_faults_8_and_9_services_that_hang_leave_their_status_and_a_sealed_bundle_and_the_exit_code_as_it_is(
    write_config: CaseFile,
    silent: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("wandb")
    monkeypatch.setenv("STUB_VERL", json.dumps({"wandb": [ONE]}))
    monkeypatch.setattr("autoresearch.evidence.wandb_sync.ANSWER_SECONDS", 1.0)
    services = json.dumps({"wandb": {"url": silent}, "pushgateway": {"url": silent}})
    path = write_config(
        f"services: {services}\n", ladder={"batch_sizes": [1]}, wandb_mode="online", telemetry={"push": True}
    )
    words = ["--config", str(path), "--run-id", f"case-9-{os.getpid()}", "--skip-readiness"]
    code, result = called(capsys, *words)
    assert (code, result["status"], result["bundle_state"]) == (0, "pass", "complete"), json.dumps(result)
    live = result["live"]
    assert (live["ok"], live["wandb_synced"], live["pushes_ok"]) == (False, 0, 0) and live["pushes_failed"] >= 1
    bundle = Path(result["bundle"])
    (run,) = json.loads((bundle / "1-wandb" / "source-runs.json").read_text())["source_runs"]
    assert run["synced"] is False and "no answer" in run["sync_error"]
    assert verify(bundle).findings() == []


def test_fault_2_a_run_that_was_killed_before_its_locks_were_written_is_continued_too(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = f"case-10-{os.getpid()}"
    words = ["--config", str(write_config(ladder={"batch_sizes": [1]})), "--run-id", run, "--skip-readiness"]
    program = """
import os, signal, sys
from autoresearch.cli.verl_case import work
work._sources = lambda *words: os.kill(os.getpid(), signal.SIGKILL)
from autoresearch.cli.main import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program, "run", "verl-case", *words], capture_output=True, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert [path.name for path in (tmp_path / "cache" / "runs").iterdir()] == [f".{run}.work"]
    code, result = called(capsys, *words)
    assert (code, result["findings"][-1]["code"]) == (2, "V601"), "its name is taken"
    code, result = called(capsys, *words, "--resume")
    assert (code, result["bundle_state"]) == (0, "complete"), json.dumps(result)
