"""Rows on this machine: detached, observed, adopted, ended, brought home (formal-case.md 6.2, 6.3, 6.5)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from row_stub import RUN, make_lock, make_spec, python
from runner_archive import owner_with_trainer, wait_for

from autoresearch.errors import InfrastructureError, RefusedError
from autoresearch.hosts import rows
from autoresearch.hosts.local import LocalHost
from autoresearch.hosts.protocol import HostUnreachable
from autoresearch.hosts.state import Seen, State
from autoresearch.runner.processes import is_same, row_processes

LIMITS: dict[str, Any] = {"inner_timeout": 60.0, "outer_timeout": 200.0}


def start(
    host: LocalHost, archive: Path, tmp_path: Path, argv: list[str], row: str = "case.a1", **changes: Any
) -> Path:
    folder = Path(rows.row_folder(host, RUN, row))
    lock = folder.parents[1] / "config.lock.json"
    spec = make_spec(lock if lock.exists() else make_lock(folder.parents[1]), argv, row, **changes)
    rows.launch(host, spec, str(folder), archive=archive, scratch=tmp_path / "scratch")
    return folder


def until(host: LocalHost, folder: Path, name: str, seconds: float = 90.0) -> State:
    deadline = time.monotonic() + seconds
    while True:
        state = rows.observe(host, str(folder), **LIMITS)
        if state.name == name:
            return state
        assert time.monotonic() < deadline, f"{state.name}: {state.reason}"
        time.sleep(0.1)


def test_a_row_is_launched_observed_and_collected(host: LocalHost, archive: Path, tmp_path: Path) -> None:
    program = "import time, pathlib\npathlib.Path('metrics.jsonl').write_text('{}')\ntime.sleep(4)"
    folder = start(host, archive, tmp_path, python(program))
    wait_for(folder / "heartbeat.json")
    state = until(host, folder, "running")
    assert state.elapsed_seconds is not None and 0 <= state.elapsed_seconds < 60
    assert state.heartbeat_age_seconds is not None and state.heartbeat_age_seconds < 20
    assert until(host, folder, "finished").seen.result["exit_code"] == 0  # type: ignore[index]
    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "model.pt").write_bytes(b"x" * 10)
    (folder / "link").symlink_to("trainer.log")
    left = rows.collect(host, str(folder), tmp_path / "bundle")
    assert {(each.path, each.bytes) for each in left} == {("checkpoints/model.pt", 10), ("link", None)}
    for name in ("trainer.log", "result.json", "metrics.jsonl", "row.json", "owner.json", "heartbeat.json"):
        assert (tmp_path / "bundle" / name).read_bytes() == (folder / name).read_bytes()


def test_an_attempt_is_never_launched_twice(host: LocalHost, archive: Path, tmp_path: Path) -> None:
    folder = start(host, archive, tmp_path, ["true"])
    with pytest.raises(RefusedError, match="never overwrites"):
        start(host, archive, tmp_path, ["true"])
    until(host, folder, "finished")


def test_a_launch_that_was_cut_before_the_start_may_be_repeated_and_another_row_not(
    host: LocalHost, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*_: object, **__: object) -> None:
        raise HostUnreachable("cut")

    with monkeypatch.context() as patch, pytest.raises(HostUnreachable):
        patch.setattr(host, "spawn_detached", cut)
        start(host, archive, tmp_path, ["true"])
    with pytest.raises(RefusedError, match="never overwrites"):
        start(host, archive, tmp_path, ["false"])
    folder = start(host, archive, tmp_path, ["true"])
    assert until(host, folder, "finished").seen.result["exit_code"] == 0  # type: ignore[index]


def test_a_row_on_nvidia_names_its_devices_by_uuid(tmp_path: Path) -> None:
    lock = make_lock(tmp_path)
    with pytest.raises(ValueError, match="UUID"):
        make_spec(lock, ["true"], accelerator="nvidia", devices=[{"id": 0}])
    make_spec(lock, ["true"], accelerator="nvidia", devices=[{"id": 0, "uuid": "GPU-a"}])


def test_what_the_runner_says_when_it_does_not_start_is_told(
    host: LocalHost, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "START_SECONDS", 1.0)
    broken = tmp_path / "broken.pyz"
    broken.write_text("raise SystemExit('no such luck')\n")
    with pytest.raises(InfrastructureError, match="no such luck"):
        start(host, broken, tmp_path, ["true"])


def test_fault_1_a_killed_supervisor_is_lost_and_its_trainers_group_is_ended(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    program = "import subprocess, time\nsubprocess.Popen(['sleep', '98'], start_new_session=True)\ntime.sleep(99)"
    folder = start(host, archive, tmp_path, python(program))
    owner = owner_with_trainer(folder)
    while len(row_processes(owner["token"])) < 2:
        time.sleep(0.05)
    os.kill(owner["supervisor_pid"], signal.SIGKILL)
    assert until(host, folder, "supervisor_lost").over
    assert is_same(owner["trainer_pid"], owner["trainer_start_ticks"])
    done = rows.end_row(host, str(folder), rows.ensure_runner(host, archive))
    assert owner["trainer_pid"] in done["terminated"] + done["killed"]
    assert done["result"] is False and done["foreign"] == []
    assert not is_same(owner["trainer_pid"], owner["trainer_start_ticks"]) and row_processes(owner["token"]) == []
    assert not (folder / ".ballast").exists() and not (folder / "result.json").exists()


def test_fault_2_a_row_outlives_a_killed_orchestrator_and_is_found_again(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    spec = make_spec(make_lock(Path(rows.run_folder(host, RUN))), ["sleep", "2"])
    program = """
import sys, time
from pathlib import Path
from autoresearch.hosts import rows
from autoresearch.hosts.local import LocalHost
from autoresearch.hosts.row_spec import RowSpec
spec, workdir, archive, scratch = sys.argv[1:]
host = LocalHost('local', workdir)
rows.launch(host, RowSpec.model_validate_json(spec), rows.row_folder(host, 'run-1', 'case.a1'),
            archive=Path(archive), scratch=Path(scratch))
print('launched', flush=True); time.sleep(99)
"""
    words = [spec.model_dump_json(), host.workdir, str(archive), str(tmp_path / "scratch")]
    child = subprocess.Popen([sys.executable, "-c", program, *words], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "launched\n"
    child.kill()
    child.communicate()
    folder = Path(rows.row_folder(host, RUN, "case.a1"))
    owner = owner_with_trainer(folder)
    assert rows.observe(host, str(folder), **LIMITS).name == "running"
    assert os.getsid(owner["supervisor_pid"]) == owner["supervisor_pid"]
    assert until(host, folder, "finished").seen.result["exit_code"] == 0  # type: ignore[index]


def test_fault_5_after_a_reboot_the_row_is_lost_and_nothing_is_ended_by_an_old_pid(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    stranger = subprocess.Popen(["sleep", "60"])
    try:
        folder = start(host, archive, tmp_path, ["true"])
        until(host, folder, "finished")
        (folder / "result.json").unlink()
        owner = json.loads((folder / "owner.json").read_text())
        owner.update(boot_id="another-boot", supervisor_pid=stranger.pid, trainer_pid=stranger.pid)
        (folder / "owner.json").write_text(json.dumps(owner))
        assert rows.observe(host, str(folder), **LIMITS).reason == "the host was restarted"
        done = rows.end_row(host, str(folder), rows.ensure_runner(host, archive))
        assert (done["terminated"], done["killed"]) == ([], []) and stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_pid_that_was_given_to_somebody_else_is_not_ended(host: LocalHost, archive: Path, tmp_path: Path) -> None:
    stranger = subprocess.Popen(["sleep", "60"])
    time.sleep(0.1)  # so that the supervisor has other start ticks
    try:
        folder = start(host, archive, tmp_path, ["true"])
        until(host, folder, "finished")
        (folder / "result.json").unlink()
        owner = json.loads((folder / "owner.json").read_text())
        owner.update(supervisor_pid=stranger.pid, process_group=stranger.pid, trainer_pid=stranger.pid)
        (folder / "owner.json").write_text(json.dumps(owner))
        assert rows.observe(host, str(folder), **LIMITS).name == "supervisor_lost"
        done = rows.end_row(host, str(folder), rows.ensure_runner(host, archive))
        assert (done["terminated"], done["killed"]) == ([], []) and stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_fault_13_an_interrupted_row_ends_after_term_and_says_so(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    folder = start(host, archive, tmp_path, ["sleep", "99"])
    owner_with_trainer(folder)
    rows.interrupt(host, str(folder))
    result = until(host, folder, "finished").seen.result
    assert result is not None and (result["limit"], result["signal"]) == ("interrupted", signal.SIGTERM)


def test_the_outer_limit_ends_a_living_row_and_the_supervisor_still_writes_its_result(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    folder = start(host, archive, tmp_path, ["sleep", "99"])
    owner = owner_with_trainer(folder)
    time.sleep(0.5)
    state = rows.observe(host, str(folder), inner_timeout=0.1, outer_timeout=0.2)
    assert state.name == "running" and state.outer_limit_hit
    done = rows.end_row(host, str(folder), rows.ensure_runner(host, archive))
    assert done["result"] is True and owner["trainer_pid"] in done["terminated"]
    assert until(host, folder, "finished").seen.result["signal"] == signal.SIGTERM  # type: ignore[index]


def test_fault_7_a_full_disk_here_stops_collecting_and_leaves_the_row_on_the_host(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    folder = start(host, archive, tmp_path, ["echo", "x"])
    until(host, folder, "finished")
    (tmp_path / "bundle").write_text("in the way")
    with pytest.raises(RefusedError, match="--collect-only"):
        rows.collect(host, str(folder), tmp_path / "bundle")
    (tmp_path / "bundle").unlink()
    rows.collect(host, str(folder), tmp_path / "bundle")
    assert (tmp_path / "bundle" / "trainer.log").read_text() == "x\n"


def test_leftovers_of_lost_rows_are_swept_and_running_rows_are_not(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    folder = start(host, archive, tmp_path, ["sleep", "98"])
    lost = owner_with_trainer(folder)
    os.kill(lost["supervisor_pid"], signal.SIGKILL)
    other = Path(rows.row_folder(host, RUN, "case.a2"))
    spec = make_spec(folder.parents[1] / "config.lock.json", ["sleep", "97"], "case.a2")
    runner = rows.launch(host, spec, str(other), archive=archive, scratch=tmp_path / "scratch")
    alive = owner_with_trainer(other)
    swept = rows.end_stale(host, runner)
    assert swept["rows"] == [str(folder)] and lost["trainer_pid"] in swept["terminated"]
    assert is_same(alive["trainer_pid"], alive["trainer_start_ticks"])
    assert rows.end_stale(host, runner)["rows"] == []
    rows.interrupt(host, str(other))
    until(host, other, "finished")


def test_a_lock_is_sent_once_and_another_of_its_name_is_refused(host: LocalHost, tmp_path: Path) -> None:
    lock = tmp_path / "config.lock.json"
    lock.write_text("{}\n")
    digest = rows.send_lock(host, RUN, lock)
    assert digest == rows.send_lock(host, RUN, lock)
    lock.write_text('{"other": 1}\n')
    with pytest.raises(RefusedError) as refused:
        rows.send_lock(host, RUN, lock)
    assert refused.value.findings[0].code == "V602"


def test_fault_4_an_hour_of_sleep_of_this_machine_is_no_silence_of_the_host(
    host: LocalHost, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = start(host, archive, tmp_path, ["sleep", "99"])
    watch = rows.RowWatch(host, str(folder), 60.0, 200.0)
    assert watch.look().name == "running"
    real, slept = time.monotonic, 0.0
    monkeypatch.setattr(rows.time, "monotonic", lambda: real() + slept)
    slept = 3600.0 * 10
    state = watch.look()
    assert state.name == "running" and not state.outer_limit_hit
    monkeypatch.setattr(rows, "look", lambda host, folder, silent: Seen(False, unreachable_seconds=silent))
    assert watch.look().seen.unreachable_seconds < 1
    slept *= 2
    assert watch.look().name == "unknown" and watch.look().seen.unreachable_seconds < 130


def test_fault_4_a_row_on_this_machine_outlives_its_sleep_and_a_supervisor_that_hangs_does_not_outlive_the_limit(
    host: LocalHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = {"supervisor_pid": 7, "start_ticks": 100, "boot_id": "b", "started_mono_ms": 0}
    clock = {"mono": 1000.0, "host_ms": 10_000}

    def seen(host: object, folder: str, silent: float) -> Seen:
        return Seen(True, None, {"seq": 2, "mono_ms": 10_000}, owner, "b", clock["host_ms"], 100)  # type: ignore[arg-type]

    monkeypatch.setattr(rows, "look", seen)
    monkeypatch.setattr(rows.time, "monotonic", lambda: clock["mono"])
    watch = rows.RowWatch(host, str(tmp_path), 60.0, 200.0)
    assert watch.look().name == "running"
    clock.update(mono=4600.0, host_ms=3_610_000)
    assert not watch.look().outer_limit_hit, "an hour of sleep, seen before the first heartbeat after it"
    fired = []
    for _ in range(20):
        clock.update(mono=clock["mono"] + 5.0, host_ms=int(clock["host_ms"]) + 5000)
        fired.append(watch.look().outer_limit_hit)
    assert fired == [False] * 9 + [True] * 11, "a minute of looking at the same heartbeat"
