"""Whole runs over ssh: lost connections, a changed host key, a silent host (18)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import ssh_server
from row_stub import end_rows
from runner_archive import owner_with_trainer
from ssh_server import SshServer
from stub_runs import RUN, Recorder, run_cases, stub_work
from test_run import ONE, of_size

from autoresearch.assets.settings import build_settings
from autoresearch.cases.attempt import Pace
from autoresearch.cases.events import RowJudged, RowStarted
from autoresearch.hosts.config import Server
from autoresearch.hosts.ssh import SshHost
from autoresearch.hosts.ssh_link import SshOptions

pytestmark = [pytest.mark.services, pytest.mark.skipif(not ssh_server.PRESENT, reason=ssh_server.WHY_NOT)]


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
