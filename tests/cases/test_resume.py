"""A run that is taken up again: nothing is repeated, nothing is lost (formal-case.md 6.3, 18)."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from runner_archive import wait_for
from stub_runs import RUN, Recorder, run_cases, stub_work
from test_run import ONE, of_size

from autoresearch.cases.attempt import Over
from autoresearch.cases.events import RowFiles, RunOpened
from autoresearch.errors import RefusedError
from autoresearch.hosts import rows
from autoresearch.hosts.local import LocalHost

CHILD = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[4].split(':')
from stub_runs import run_cases, stub_work
from autoresearch.hosts.local import LocalHost
import json
folder, archive, workdir, _, told = sys.argv[1:]
run_cases(LocalHost('local', workdir), stub_work(Path(folder), Path(archive), **json.loads(told)), lambda event: None)
"""
LADDER = {"ladder": {"batch_sizes": [1, 2, 4]}}


def orchestrate(host: LocalHost, archive: Path, folder: Path, told: dict[str, Any]) -> subprocess.Popen[bytes]:
    """The run in a process of its own."""
    here = Path(__file__).parent
    paths = ":".join([str(here), str(here.parent / "fixtures")])
    words = [str(folder), str(archive), host.workdir, paths, json.dumps(told)]
    return subprocess.Popen([sys.executable, "-c", CHILD, *words], stderr=subprocess.DEVNULL)


def row_path(host: LocalHost, case: str, attempt: int = 1) -> Path:
    """The attempt's folder."""
    return Path(rows.row_folder(host, RUN, f"{case}.a{attempt}"))


def test_fault_2_after_kill_9_of_the_orchestrator_no_row_is_repeated(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "started"
    told = {"told": {"mark": str(mark)}, "of_case": {of_size(2): {"wait": 2}}, "keys": LADDER}
    child = orchestrate(host, archive, tmp_path, told)
    wait_for(row_path(host, of_size(2)) / "owner.json")
    time.sleep(0.3)
    child.kill()
    child.wait()
    seen = Recorder()
    ending = run_cases(host, stub_work(tmp_path, archive, resumed=True, **told), seen)
    assert [row for row, status, _ in seen.judged() if status == "passed"] == [
        f"{of_size(batch)}.a1" for batch in (1, 2, 4)
    ]
    assert mark.read_text().split() == [f"{of_size(batch)}.a1" for batch in (1, 2, 4)]
    assert ending.experiment["ok"] is True
    opened = seen.events[0]
    assert isinstance(opened, RunOpened) and opened.resumed


def test_rows_whose_files_are_here_are_judged_from_them_and_not_brought_again(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    work = stub_work(tmp_path, archive)
    run_cases(host, work, Recorder())
    kept = tmp_path / "kept"
    (work.folder / "rows" / f"{ONE}.a1").rename(kept)
    (row_path(host, ONE) / "trainer.log").unlink()
    (row_path(host, ONE) / "metrics.jsonl").unlink()
    held = {f"{ONE}.a1": Over("finished", RowFiles(kept, kept))}
    seen = Recorder()
    run_cases(host, stub_work(tmp_path, archive, resumed=True, held=held.get), seen)
    assert seen.judged() == [(f"{ONE}.a1", "passed", None)]


def test_an_interrupted_case_gets_a_new_attempt_when_the_run_is_resumed(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    told = {"of_case": {f"{ONE}.a1": {"wait": 60}}}
    child = orchestrate(host, archive, tmp_path, told)
    wait_for(row_path(host, ONE) / "heartbeat.json")
    time.sleep(0.3)
    child.send_signal(2)
    assert child.wait(timeout=20) == 0
    seen = Recorder()
    run_cases(host, stub_work(tmp_path, archive, resumed=True, **told), seen)
    assert seen.judged() == [(f"{ONE}.a1", "failed", "interrupted"), (f"{ONE}.a2", "passed", None)]
    assert json.loads((row_path(host, ONE, 2) / "row.json").read_text())["cause"] == "retry:interrupted"


def test_rerun_gives_a_case_one_more_attempt_by_hand(host: LocalHost, archive: Path, tmp_path: Path) -> None:
    run_cases(host, stub_work(tmp_path, archive, keys=LADDER), Recorder())
    seen = Recorder()
    run_cases(host, stub_work(tmp_path, archive, keys=LADDER, resumed=True, rerun=of_size(2)), seen)
    expected = [f"{ONE}.a1", f"{of_size(2)}.a1", f"{of_size(2)}.a2", f"{of_size(4)}.a1"]
    assert [row for row, _, _ in seen.judged()] == expected
    assert json.loads((row_path(host, of_size(2), 2) / "row.json").read_text())["cause"] == "manual"


def test_a_collection_starts_nothing_and_takes_what_is_over(host: LocalHost, archive: Path, tmp_path: Path) -> None:
    told = {"of_case": {of_size(2): {"wait": 60}}, "keys": LADDER}
    child = orchestrate(host, archive, tmp_path, told)
    wait_for(row_path(host, of_size(2)) / "heartbeat.json")
    child.kill()
    child.wait()
    seen = Recorder()
    ending = run_cases(host, stub_work(tmp_path, archive, resumed=True, collect_only=True, **told), seen)
    assert seen.judged() == [(f"{ONE}.a1", "passed", None)]
    assert ending.state == "interrupted" and ending.message == f"not over: {of_size(2)}, {of_size(4)}"
    assert not row_path(host, of_size(4)).exists()


def test_a_resumed_run_with_another_config_is_refused(host: LocalHost, archive: Path, tmp_path: Path) -> None:
    run_cases(host, stub_work(tmp_path, archive), Recorder())
    with pytest.raises(RefusedError) as refused:
        run_cases(host, stub_work(tmp_path, archive, keys=LADDER, resumed=True), Recorder())
    assert refused.value.findings[0].code == "V602"


def test_bisected_and_promoted_rows_are_found_again_in_their_own_locks(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    told: dict[str, Any] = {
        "told": {"oom_from": 3, "mark": str(tmp_path / "started")},
        "of_case": {of_size(4, 2): {"oom_from": 1000}},
        "devices": 2,
        "keys": {"ladder": {"batch_sizes": [1, 2, 4], "bisect_limit": 1}},
    }
    first = Recorder()
    run_cases(host, stub_work(tmp_path, archive, **told), first)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / f".{RUN}.work" / "locks").iterdir()}
    assert len(before) == 8
    second = Recorder()
    run_cases(host, stub_work(tmp_path, archive, resumed=True, **told), second)
    assert second.judged() == first.judged() and second.kinds() == first.kinds()
    assert {path: path.stat().st_mtime_ns for path in before} == before
    started = (tmp_path / "started").read_text().split()
    assert len(started) == len(set(started))


def test_fault_13_a_second_signal_ends_at_once_and_resume_still_works(
    host: LocalHost, archive: Path, tmp_path: Path
) -> None:
    told: dict[str, Any] = {"of_case": {f"{ONE}.a1": {"stubborn": 1, "wait": 60}}}
    child = orchestrate(host, archive, tmp_path, told)
    wait_for(row_path(host, ONE) / "heartbeat.json")
    time.sleep(0.5)
    child.send_signal(2)
    time.sleep(0.3)
    child.send_signal(2)
    began = time.monotonic()
    assert child.wait(timeout=10) != 0 and time.monotonic() - began < 3
    seen = Recorder()
    run_cases(host, stub_work(tmp_path, archive, resumed=True, **told), seen)
    assert seen.judged() == [(f"{ONE}.a1", "failed", "interrupted"), (f"{ONE}.a2", "passed", None)]
