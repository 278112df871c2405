"""Whole runs over ssh: lost connections, a changed host key, containers with eight fake devices (18; 20.2-4)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import ssh_server
from row_stub import end_rows
from runner_archive import owner_with_trainer
from ssh_server import SshServer
from stub_runs import LIMITS, RUN, Recorder, StubTask, stub_work
from test_run import ONE, of_size

from autoresearch.assets.settings import build_settings
from autoresearch.cases.attempt import Pace
from autoresearch.cases.events import LockWritten, RowJudged, RowStarted
from autoresearch.cases.planned import DataFacts
from autoresearch.cases.run import run_cases
from autoresearch.cases.specs import RowSettings
from autoresearch.cases.task_matrix import TaskMatrix
from autoresearch.files import read_json
from autoresearch.hosts.config import Server
from autoresearch.hosts.ssh import SshHost
from autoresearch.hosts.ssh_link import SshOptions

pytestmark = [pytest.mark.services, pytest.mark.skipif(not ssh_server.PRESENT, reason=ssh_server.WHY_NOT)]
FAKES = Path(__file__).parents[1] / "fixtures" / "fake_programs"


@contextmanager
def opened(sshd: SshServer, tmp_path: Path, **changes: Any) -> Iterator[SshHost]:
    """The server as a host."""
    server = build_settings(Server, sshd.server_settings(tmp_path / "host", **changes), "config.yaml")
    options = SshOptions(sshd.known_hosts, tmp_path / "none", keepalive_seconds=0.5, pause_last=1.0)
    with SshHost(server, options) as host:
        yield host


@pytest.fixture
def sshd(tmp_path: Path) -> Iterator[SshServer]:
    """A server that can be killed."""
    server = SshServer(tmp_path / "sshd")
    server.start()
    yield server
    server.kill_all()
    end_rows(tmp_path)


def when_running(tmp_path: Path, row: str, strike: Any) -> Recorder:
    """A listener that strikes once the row's trainer runs."""

    def look(event: object) -> None:
        if isinstance(event, RowStarted) and event.row == row:
            threading.Thread(target=wait_and_strike).start()

    def wait_and_strike() -> None:
        owner_with_trainer(tmp_path / "host" / "autoresearch" / "runs" / RUN / "rows" / row)
        strike()

    return Recorder(look)


def test_fault_3_a_lost_connection_counts_no_attempt(archive: Path, sshd: SshServer, tmp_path: Path) -> None:
    def cut() -> None:
        sshd.kill_all()
        sshd.start()

    seen = when_running(tmp_path, f"{ONE}.a1", cut)
    with opened(sshd, tmp_path) as host:
        host.forward("pushgateway", ("127.0.0.1", 9), 0)
        work = stub_work(tmp_path, archive, {"wait": 3}, keys={"ladder": {"batch_sizes": [1, 2]}})
        ending = run_cases(host, work, seen)
    assert seen.judged() == [(f"{ONE}.a1", "passed", None), (f"{of_size(2)}.a1", "passed", None)]
    assert ending.experiment["rows"] == 2
    judged = next(event for event in seen.events if isinstance(event, RowJudged))
    assert [each["name"] for each in judged.tunnel["tunnels"]] == ["pushgateway"]
    assert abs(judged.tunnel["clock_offset_ms"]) < 5000


def test_fault_22_a_changed_host_key_ends_the_run_and_resume_finds_the_row(
    archive: Path, sshd: SshServer, tmp_path: Path
) -> None:
    def other_key() -> None:
        sshd.kill_all()
        sshd.new_host_key()
        sshd.start()

    told: dict[str, Any] = {"wait": 3}
    seen = when_running(tmp_path, f"{ONE}.a1", other_key)
    with opened(sshd, tmp_path) as host:
        ending = run_cases(host, stub_work(tmp_path, archive, told), seen)
    assert ending.state == "unreachable" and [item.code for item in ending.findings] == ["V302"]
    assert seen.judged() == []
    again = Recorder()
    with opened(sshd, tmp_path) as host:  # the new key is the one that is pinned now
        run_cases(host, stub_work(tmp_path, archive, told, resumed=True), again)
    assert again.judged() == [(f"{ONE}.a1", "passed", None)]


def test_a_silent_host_is_lost_after_its_window_and_the_row_is_found_by_resume(
    archive: Path, sshd: SshServer, tmp_path: Path
) -> None:
    seen = when_running(tmp_path, f"{ONE}.a1", sshd.kill_all)
    pace = Pace(poll=0.2, report=1.0, window=2.0)
    with opened(sshd, tmp_path) as host:
        ending = run_cases(host, stub_work(tmp_path, archive, {"wait": 1}, pace=pace), seen)
    assert ending.state == "unreachable" and seen.judged() == [(f"{ONE}.a1", "failed", "ssh_lost")]
    sshd.start()
    again = Recorder()
    with opened(sshd, tmp_path) as host:
        ending = run_cases(host, stub_work(tmp_path, archive, {"wait": 1}, resumed=True), again)
    assert again.judged() == [(f"{ONE}.a1", "passed", None)] and ending.experiment["ok"] is True


def test_a_ladder_on_eight_fake_devices_in_containers_is_promoted_to_all_of_them(archive: Path, tmp_path: Path) -> None:
    state = tmp_path / "docker"
    state.mkdir()
    play = tmp_path / "play.json"
    play.write_text(json.dumps({"devices": 8}))
    env = {"FAKE_DOCKER": str(state), "FAKE_NPU_SMI": str(play)}
    sshd = SshServer(tmp_path / "sshd", path=FAKES, env=env)
    sshd.start()
    ladder = {"batch_sizes": [1, 3], "bisect_limit": 1}
    base = stub_work(tmp_path, archive, devices=8, keys={"ladder": ladder, "seed": 1})
    cpu = base.matrix
    assert isinstance(cpu, TaskMatrix)
    facts = replace(
        cpu.facts,
        accelerator="ascend",
        cores=64,
        data=DataFacts(train_rows=3000, val_rows=64),
        names=replace(cpu.facts.names, accelerator="ascend"),
    )
    matrix = TaskMatrix(StubTask(facts.case, {"oom_from": 3}, _all_pass(8)), facts, cpu.places)
    image = "registry.example/verl@sha256:" + "0" * 64
    limits = {**LIMITS, "free_wait_seconds": 5.0}
    settings = RowSettings(RUN, "npu-a", "geo3k-grpo", "ascend", image=image, host_samples=False, limits=limits)
    work = replace(base, matrix=matrix, rows=settings)
    seen = Recorder()
    try:
        with opened(sshd, tmp_path) as host:
            ending = run_cases(host, work, seen)
    finally:
        sshd.kill_all()
        end_rows(tmp_path)
    assert ending.experiment["ok"] is True, seen.judged()
    status = {row.removesuffix(".a1"): (what, name) for row, what, name in seen.judged()}
    assert status[_npu(1, 3)] == ("failed", "oom") and status[_npu(1, 2)] == ("passed", None)
    locks = [event.path for event in seen.events if isinstance(event, LockWritten)]
    assert [path.name for path in locks[2:]] == ["config.lock.bisect-1.json", "config.lock.promotion.json"]
    promoted = read_json(locks[-1])["rows"]
    assert {row["numbers"]["D"] for row in promoted} == {8}
    assert [row["numbers"]["B"] for row in promoted] == [8, 16, 24]
    folder = tmp_path / "host" / "autoresearch" / "runs" / RUN / "rows"
    for row in (f"{_npu(1, 1)}.a1", f"{_npu(8, 8)}.a1"):
        result = read_json(folder / row / "result.json")
        assert result["synthetic"] is True and (folder / row / "npu-smi-watch.raw.log").stat().st_size > 0
    calls = [json.loads(line) for line in (state / "calls.jsonl").read_text().splitlines()]
    words = [call if isinstance(call, list) else call["argv"] for call in calls]
    first = next(each for each in words if "run" in each)
    assert "--device=/dev/davinci0" in first and "--device=/dev/davinci1" not in first and image in first


def _npu(devices: int, batch: int) -> str:
    return f"train-{devices}npu-sync-bs{batch}-n4-mini{batch}-micro1-1024-2048"


def _all_pass(devices: int) -> dict[str, dict[str, Any]]:
    return {_npu(devices, batch): {"oom_from": 1000} for batch in (8, 16, 24)}
