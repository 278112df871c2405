"""The run loop on this machine with the stub trainer: what ends a row and what follows (formal-case.md 1, 5, 18)."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from runner_archive import owner_with_trainer
from stub_runs import RUN, Recorder, run_cases, stub_work

from autoresearch.cases.events import LockWritten, RowStarted
from autoresearch.errors import RefusedError
from autoresearch.files import read_json, sha256_file
from autoresearch.hosts import rows
from autoresearch.hosts.local import LocalHost
from autoresearch.runner.processes import is_same

ONE = "train-1cpu-sync-bs1-n4-mini1-micro1-1024-2048"


def of_size(batch: int, devices: int = 1) -> str:
    """Case id of a ladder's row."""
    return f"train-{devices}cpu-sync-bs{batch}-n4-mini{batch}-micro1-1024-2048"


def test_a_run_opens_locks_runs_judges_and_ends(
    host: LocalHost, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = Recorder()
    work = stub_work(tmp_path, archive, {"pause": 0.4})
    ending = run_cases(host, work, seen)
    assert seen.kinds() == ["RunOpened", "LockWritten", "LockWritten", "RowStarted", "RowJudged", "RunEnded"]
    assert seen.judged() == [(f"{ONE}.a1", "passed", None)]
    assert ending.state == "finished"
    assert ending.experiment == {"ok": True, "rows": 1, "passed": 1, "failed": 0, "skipped": 0, "first_failure": None}
    assert [event.name for event in seen.events if isinstance(event, LockWritten)] == ["provenance", "config"]
    for event in seen.events:
        if isinstance(event, LockWritten):
            assert sha256_file(event.path) == event.sha256 and event.path.stat().st_mode & 0o222 == 0
    lock = read_json(work.folder / "locks" / "config.lock.json")
    folder = Path(rows.row_folder(host, RUN, f"{ONE}.a1"))
    row = read_json(folder / "row.json")
    assert lock["rows"][0]["argv"] == row["argv"] and row["extra"]["numbers"]["B"] == 1
    assert row["lock_sha256"] == sha256_file(folder.parents[1] / "config.lock.json")
    told = [json.loads(line.partition("=")[2]) for line in capsys.readouterr().err.splitlines()]
    assert [each["stage"] for each in told if each["stage"] != "row.heartbeat"] == ["row.start", "row.result"]
    beats = [each for each in told if each["stage"] == "row.heartbeat"]
    assert beats and {"step", "target", "elapsed", "peak_memory_mib", "last_log_age"} <= set(beats[0])


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"stop_after": 2}, "incomplete_training_steps"),
        ({"stop_after": 0}, "incomplete_training_steps"),
        ({"exit": 3, "stop_after": 1}, "trainer_exit"),
    ],
    ids=["two of three", "exit 0 without steps", "exit 3"],
)
def test_a_row_without_all_its_steps_fails_whatever_its_exit_code(
    host: LocalHost, archive: Path, tmp_path: Path, told: dict[str, Any], expected: str
) -> None:
    seen = Recorder()
    ending = run_cases(host, stub_work(tmp_path, archive, told), seen)
    assert seen.judged() == [(f"{ONE}.a1", "failed", expected)]
    assert ending.experiment["ok"] is False and ending.experiment["first_failure"] == f"{ONE}.a1: {expected}"


def test_memory_failures_stop_the_ladder_and_are_bisected_and_the_best_case_goes_to_all_devices(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    seen = Recorder()
    ladder = {"batch_sizes": [1, 2, 8, 9, 10], "bisect_limit": 2}
    work = stub_work(
        tmp_path,
        archive,
        {"oom_from": 4},
        devices=2,
        keys={"ladder": ladder},
        of_case={of_size(batch, 2): {"oom_from": 1000} for batch in (2, 4, 6)},
    )
    ending = run_cases(host, work, seen)
    status = {row.removesuffix(".a1"): status for row, status, _ in seen.judged()}
    singles = {of_size(1): "passed", of_size(2): "passed", of_size(8): "failed", of_size(9): "failed"}
    assert {case: status[case] for case in singles} == singles
    assert (of_size(10), "early_stop_memory") in seen.skipped()
    assert status[of_size(5)] == "failed" and status[of_size(3)] == "passed"
    assert status[of_size(6, 2)] == "passed"
    names = [event.path.name for event in seen.events if isinstance(event, LockWritten)]
    assert names[2:] == ["config.lock.bisect-1.json", "config.lock.bisect-2.json", "config.lock.promotion.json"]
    locks = work.folder / "locks"
    for before, after in pairwise(names[1:]):
        assert read_json(locks / after)["parent"] == {"path": before, "sha256": sha256_file(locks / before)}
    promotion = read_json(locks / "config.lock.promotion.json")
    assert promotion["derived_from"] == [of_size(3)]
    for row in promotion["rows"]:
        n = row["numbers"]
        assert n["D"] == 2 and n["B"] % n["m"] == 0 and n["m"] * n["n"] % 2 == 0
    started = [event.case_id for event in seen.events if isinstance(event, RowStarted)]
    assert started.index(of_size(5)) < started.index(of_size(3)) < started.index(of_size(2, 2))
    assert ending.experiment["ok"] is True


def test_a_class_that_would_repeat_stops_the_run(host: LocalHost, archive: Path, tmp_path: Path) -> None:
    seen = Recorder()
    told = {"say": "ModuleNotFoundError: No module named 'verl'", "stop_after": 0, "exit": 1}
    text = "Traceback (most recent call last):\n" + told["say"]
    work = stub_work(tmp_path, archive, told | {"say": text}, keys={"ladder": {"batch_sizes": [1, 2]}})
    run_cases(host, work, seen)
    assert seen.judged() == [(f"{ONE}.a1", "failed", "import_error")]
    assert seen.skipped() == [(of_size(2), "stopped: import_error")]


def test_fault_1_a_killed_supervisor_is_lost_its_trainer_ended_and_the_next_row_runs(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    owners: list[dict[str, Any]] = []

    def kill(event: object) -> None:
        if isinstance(event, RowStarted) and event.row == f"{ONE}.a1":
            threading.Thread(target=strike, args=(event.row,)).start()

    def strike(row: str) -> None:
        owner = owner_with_trainer(Path(rows.row_folder(host, RUN, row)))
        owners.append(owner)
        os.kill(owner["supervisor_pid"], signal.SIGKILL)

    seen = Recorder(kill)
    work = stub_work(tmp_path, archive, of_case={ONE: {"wait": 60}}, keys={"ladder": {"batch_sizes": [1, 2]}})
    run_cases(host, work, seen)
    assert seen.judged() == [(f"{ONE}.a1", "failed", "supervisor_lost"), (f"{of_size(2)}.a1", "passed", None)]
    assert not is_same(owners[0]["trainer_pid"], owners[0]["trainer_start_ticks"])


def test_a_retried_class_gets_one_more_attempt_under_its_own_number(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    seen = Recorder()
    told = {"say": "RuntimeError: error code 507899, resources are busy", "stop_after": 0, "exit": 1}
    ending = run_cases(host, stub_work(tmp_path, archive, of_case={f"{ONE}.a1": told}), seen)
    assert seen.judged() == [(f"{ONE}.a1", "failed", "resource_busy"), (f"{ONE}.a2", "passed", None)]
    second = read_json(Path(rows.row_folder(host, RUN, f"{ONE}.a2")) / "row.json")
    assert (second["cause"], second["attempt_of"]) == ("retry:resource_busy", f"{ONE}.a1")
    assert ending.experiment["ok"] is True and ending.experiment["rows"] == 2


def test_fault_13_one_signal_ends_the_row_and_leaves_a_run_that_can_go_on(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    def interrupt(event: object) -> None:
        if isinstance(event, RowStarted):
            threading.Thread(target=strike, args=(event.row,)).start()

    def strike(row: str) -> None:
        owner_with_trainer(Path(rows.row_folder(host, RUN, row)))
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    seen = Recorder(interrupt)
    work = stub_work(tmp_path, archive, {"wait": 60}, keys={"ladder": {"batch_sizes": [1, 2]}})
    ending = run_cases(host, work, seen)
    assert seen.judged() == [(f"{ONE}.a1", "failed", "interrupted")] and seen.skipped() == []
    assert ending.state == seen.ended().state == "interrupted" and ending.message and "--resume" in ending.message
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_fault_11_a_run_id_that_the_host_knows_is_refused_and_the_first_run_untouched(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    first = Recorder()
    run_cases(host, stub_work(tmp_path / "one", archive), first)
    folder = Path(rows.run_folder(host, RUN))
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    second = Recorder()
    with pytest.raises(RefusedError) as refused:
        run_cases(host, stub_work(tmp_path / "two", archive, {"stop_after": 1}), second)
    assert refused.value.findings[0].code == "V602"
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    assert "RowStarted" not in second.kinds()


def test_no_row_is_started_without_the_space_that_it_needs(host: LocalHost, archive: Path, tmp_path: Path) -> None:
    seen = Recorder()
    run_cases(host, stub_work(tmp_path, archive, need_bytes=1 << 62), seen)
    assert seen.skipped() == [(ONE, "disk_space")] and seen.judged() == []
