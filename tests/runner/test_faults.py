"""Full disks, killed trainers, moving clocks (formal-case.md 18: faults 6, 10, 18; memory kills of 6.2)."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from row_stub import MIB, make_row, python
from runner_archive import Runs, lines

from autoresearch.runner.machine import ClockWatch


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 6 MiB; skipped where this user may not mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(place)], capture_output=True)
    if done.returncode:
        pytest.skip("no small file system can be mounted here: " + done.stderr.decode().strip())
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.skipif(shutil.which("mount") is None or os.getuid() != 0, reason="mounting needs root; not run")
def test_fault_6_on_a_full_disk_the_row_is_ended_and_its_result_written_thanks_to_the_ballast(
    runs: Runs, small_disk: Path
) -> None:
    program = "import time\nwhile True: print('x' * 1000, flush=True); time.sleep(0.0005)"
    folder = make_row(small_disk, python(program), limits={"ballast_bytes": 2 * MIB})
    result = runs.supervise(folder)
    assert (result["limit"], result["signal"]) == ("disk_space", signal.SIGTERM)
    assert result["log"]["lost_bytes"] >= 0 and result["log"]["failure"] is not None
    kept = (folder / "trainer.log").stat().st_size
    assert kept == result["log"]["bytes"] - result["log"]["lost_bytes"] > MIB
    assert result["disk_free_bytes"] > MIB and not (folder / ".ballast").exists()
    assert json.loads((folder / "heartbeat.json").read_text())["state"] == "finished"


@pytest.mark.skipif(shutil.which("mount") is None or os.getuid() != 0, reason="mounting needs root; not run")
def test_a_disk_without_room_for_the_ballast_starts_nothing(runs: Runs, small_disk: Path) -> None:
    folder = make_row(small_disk, ["touch", "started"], limits={"ballast_bytes": 7 * MIB})
    result = runs.supervise(folder)
    assert result["refused"]["reason"] == "disk_space" and not (folder / "started").exists()


def test_a_disk_below_its_floor_ends_the_row_before_records_are_torn(runs: Runs, tmp_path: Path) -> None:
    folder = make_row(tmp_path, ["sleep", "30"], limits={"disk_floor_bytes": 1 << 60})
    assert runs.supervise(folder)["limit"] == "disk_space"


def test_fault_18_a_trainer_that_hangs_after_its_last_step_hits_the_inner_limit_with_all_steps_shown(
    runs: Runs, tmp_path: Path
) -> None:
    step = "step:{n} - training/global_step:{n} - actor/grad_norm:0.5 - actor/pg_loss:0.1"
    program = "import time\n" + "".join(f"print({step.format(n=n)!r}, flush=True)\n" for n in (1, 2, 3))
    folder = make_row(tmp_path, python(program + "time.sleep(60)"), limits={"inner_timeout": 2.5})
    result = runs.supervise(folder)
    assert (result["limit"], result["last_step"]) == ("inner_timeout", 3)


def test_a_trainer_that_somebody_else_killed_is_told_by_its_signal(runs: Runs, tmp_path: Path) -> None:
    result = runs.supervise(make_row(tmp_path, python("import os; os.kill(os.getpid(), 9)")))
    assert (result["signal"], result["limit"], result["exit_code"]) == (9, None, None)


def test_fault_10_a_step_of_the_clock_is_seen_once_with_its_size_and_small_drift_is_not() -> None:
    watch = ClockWatch(1_000_000, 5_000)
    assert watch.look(1_000_400, 5_200) is None
    assert watch.look(1_001_000 - 28_800_000, 6_000) == -28_800_000
    assert watch.look(1_001_500 - 28_800_000, 6_500) is None
    assert watch.look(1_002_000, 7_000) == 28_800_000
    assert [step["step_ms"] for step in watch.steps] == [-28_800_000, 28_800_000]


@pytest.fixture
def memory_group() -> Iterator[Path]:
    """A control group with 60 MB of memory; skipped where this user may not make one."""
    legacy = Path("/sys/fs/cgroup/memory")
    group = (legacy if legacy.is_dir() else Path("/sys/fs/cgroup")) / f"autoresearch-test-{os.getpid()}"
    limit = "memory.limit_in_bytes" if legacy.is_dir() else "memory.max"
    try:
        group.mkdir()
        (group / limit).write_text(str(60 * 10**6))
    except OSError as error:
        with contextlib.suppress(OSError):
            group.rmdir()
        pytest.skip(f"no memory control group can be made here: {error}")
    yield group
    group.rmdir()


def test_a_trainer_that_the_kernel_kills_for_memory_leaves_the_counter_as_a_witness(
    runs: Runs, tmp_path: Path, memory_group: Path
) -> None:
    enter = f'echo $$ > {memory_group}/cgroup.procs; exec "$@"'
    program = "held = []\nwhile True: held.append(bytearray(5_000_000))"
    folder = make_row(tmp_path, python(program))
    child = subprocess.run(
        ["sh", "-c", enter, "sh", *runs.command("supervise", folder)], capture_output=True, text=True, timeout=60
    )
    result = json.loads((folder / "result.json").read_text())
    kills = result["oom_kills"]
    assert result["signal"] == signal.SIGKILL, child.stderr
    assert kills["after"]["cgroup"] == kills["before"]["cgroup"] + 1


def test_a_heartbeat_that_cannot_be_written_is_counted_and_stops_nothing(runs: Runs, tmp_path: Path) -> None:
    program = "import os, pathlib, time\nos.rename('heartbeat.json', 'x'); os.mkdir('heartbeat.json')\ntime.sleep(1)"
    result = runs.supervise(make_row(tmp_path, python(program)))
    assert result["exit_code"] == 0 and result["write_errors"] > 0


def test_events_have_both_clocks(runs: Runs, tmp_path: Path) -> None:
    folder = make_row(tmp_path, ["true"])
    runs.supervise(folder)
    for event in lines(folder / "events.jsonl"):
        assert event["epoch_ms"] > 1_600_000_000_000 and event["mono_ms"] >= 0
