"""What happens to a run when a supervisor, a host or a device is taken away under it (formal-case.md 18)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from runner_archive import lines, owner_with_trainer
from stub_runs import LIMITS, RUN, Recorder, run_cases, stub_work
from test_judge import Folder, whole
from test_run import ONE, of_size

from autoresearch.cases.events import RowJudged, RowStarted
from autoresearch.cases.specs import RowSettings
from autoresearch.cases.work import Work
from autoresearch.files import read_json
from autoresearch.hosts import rows
from autoresearch.hosts.local import LocalHost
from autoresearch.hosts.row_spec import RowLimits
from autoresearch.runner.processes import is_same

FAKES = Path(__file__).parents[1] / "fixtures" / "fake_programs"
TWO = {"ladder": {"batch_sizes": [1, 2]}}
Play = Callable[..., None]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Puts the fake npu-smi on the PATH; called with the pids that hold device 0."""
    monkeypatch.setenv("PATH", f"{FAKES}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_NPU_SMI", str(tmp_path / "play.json"))

    def write(*pids: int) -> None:
        held = [{"device": 0, "chip": 0, "pid": pid, "name": "python3", "memory": 2048} for pid in pids]
        (tmp_path / "play.new").write_text(json.dumps({"devices": 2, "processes": held}))
        (tmp_path / "play.new").replace(tmp_path / "play.json")

    write()
    return write


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(["sleep", "120"])
    yield child
    child.kill()
    child.wait()


def on_npu(work: Work, seconds: float) -> Work:
    """The same run with rows on device 0 of an Ascend host, which wait that long for it."""
    settings = RowSettings(
        RUN, "local", "geo3k-grpo", "ascend", host_samples=False, limits={**LIMITS, "free_wait_seconds": seconds}
    )
    return replace(work, rows=settings)


def folder_of(host: LocalHost, row: str) -> Path:
    return Path(rows.row_folder(host, RUN, row))


def strike_at(host: LocalHost, row: str, strike: Callable[[dict[str, Any]], None]) -> Recorder:
    """A listener that strikes, with ``owner.json``, once the row's trainer runs."""

    def look(event: object) -> None:
        if isinstance(event, RowStarted) and event.row == row:
            threading.Thread(target=lambda: strike(owner_with_trainer(folder_of(host, row)))).start()

    return Recorder(look)


def test_fault_1_the_row_after_a_lost_one_starts_only_when_its_devices_are_free(
    host: LocalHost, archive: Path, tmp_path: Path, play: Play
) -> None:
    freed: list[float] = []

    def strike(owner: dict[str, Any]) -> None:
        play(owner["trainer_pid"])
        os.kill(owner["supervisor_pid"], signal.SIGKILL)
        while not (folder_of(host, f"{of_size(2)}.a1") / "heartbeat.json").exists():
            time.sleep(0.05)
        assert not is_same(owner["trainer_pid"], owner["trainer_start_ticks"])
        time.sleep(0.5)
        freed.append(time.time() * 1000)
        play()

    seen = strike_at(host, f"{ONE}.a1", strike)
    run_cases(host, on_npu(stub_work(tmp_path, archive, of_case={ONE: {"wait": 60}}, keys=TWO), 20.0), seen)
    assert seen.judged() == [(f"{ONE}.a1", "failed", "supervisor_lost"), (f"{of_size(2)}.a1", "passed", None)]
    began = {each["event"]: each["epoch_ms"] for each in lines(folder_of(host, f"{of_size(2)}.a1") / "events.jsonl")}
    assert began["start"] < freed[0] - 500 and began["trainer-start"] >= freed[0]


def test_fault_1_a_row_that_was_whole_when_its_supervisor_was_killed_has_passed(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    def strike(owner: dict[str, Any]) -> None:
        metrics = folder_of(host, f"{ONE}.a1") / "metrics.jsonl"
        while not metrics.exists() or metrics.read_bytes().count(b"\n") < 3:
            time.sleep(0.05)
        os.kill(owner["supervisor_pid"], signal.SIGKILL)

    seen = strike_at(host, f"{ONE}.a1", strike)
    ending = run_cases(host, stub_work(tmp_path, archive, {"hang": 60}), seen)
    assert seen.judged() == [(f"{ONE}.a1", "passed", None)] and ending.experiment["ok"] is True
    assert not (folder_of(host, f"{ONE}.a1") / "result.json").exists()


def test_fault_5_after_a_reboot_in_a_row_the_other_rows_go_on(host: LocalHost, archive: Path, tmp_path: Path) -> None:
    def reboot(owner: dict[str, Any]) -> None:
        """Nothing of the row is left, the boot has another id, and the pid of the supervisor is somebody else's."""
        path = folder_of(host, f"{ONE}.a1") / "owner.json"
        waiting = path.with_name("owner.new")
        waiting.write_text(json.dumps({**owner, "boot_id": "before", "supervisor_pid": os.getpid()}))
        waiting.replace(path)
        for pid in (owner["supervisor_pid"], owner["trainer_pid"]):
            os.kill(pid, signal.SIGKILL)

    seen = strike_at(host, f"{ONE}.a1", reboot)
    ending = run_cases(host, stub_work(tmp_path, archive, of_case={ONE: {"wait": 60}}, keys=TWO), seen)
    assert seen.judged() == [(f"{ONE}.a1", "failed", "supervisor_lost"), (f"{of_size(2)}.a1", "passed", None)]
    assert ending.state == "finished"
    evidence = next(event for event in seen.events if isinstance(event, RowJudged)).judged.failure_evidence
    assert evidence is not None and evidence["text"] == "the host was restarted"


def test_fault_23_a_device_taken_between_rows_fails_the_next_row_with_its_holder_who_is_left_alone(
    host: LocalHost, archive: Path, tmp_path: Path, play: Play, stranger: subprocess.Popen[bytes]
) -> None:
    def take(event: object) -> None:
        if isinstance(event, RowJudged) and event.row == f"{ONE}.a1":
            play(stranger.pid)

    seen = Recorder(take)
    work = stub_work(tmp_path, archive, keys={"ladder": {"batch_sizes": [1, 2, 4]}}, max_attempts=1)
    run_cases(host, on_npu(work, 1.0), seen)
    assert seen.judged() == [
        (f"{ONE}.a1", "passed", None),
        (f"{of_size(2)}.a1", "failed", "resource_busy"),
        (f"{of_size(4)}.a1", "failed", "resource_busy"),
    ]
    evidence = [event.judged.failure_evidence for event in seen.events if isinstance(event, RowJudged)][1]
    assert evidence is not None and f"pid {stranger.pid}" in evidence["text"] and stranger.poll() is None
    result = read_json(folder_of(host, f"{of_size(2)}.a1") / "result.json")
    assert result["elapsed_seconds"] >= 1.0 and result["refused"]["code"] == "V333"
    assert RowLimits(inner_timeout=1, outer_timeout=2).free_wait_seconds == 60.0


def test_fault_17_a_log_without_newlines_with_nul_and_invalid_text_is_judged_by_its_records(folder: Folder) -> None:
    made = whole(folder).result()
    log = made.path / "trainer.log"
    flood = b"\x00\xff\xfe out of memorx \xc3(" * (6 << 20 >> 4)
    log.write_bytes(flood + b"\n" + log.read_bytes() + flood)
    began = time.process_time()
    judged = made.judge()
    assert (judged.status, judged.completed_steps) == ("passed", 3)
    made.result(exit_code=1)
    judged = made.judge()
    assert (judged.status, judged.failure_class) == ("failed", "trainer_exit") and judged.failure_evidence
    assert time.process_time() - began < 10
