"""Rows on a server whose sshd dies in the middle of them (formal-case.md 6.3; faults 3 and 22)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ssh_server
from row_stub import RUN, end_rows, make_lock, make_spec, python
from ssh_server import SshServer

from autoresearch.assets.settings import build_settings
from autoresearch.errors import RefusedError
from autoresearch.hosts import rows
from autoresearch.hosts.config import Server
from autoresearch.hosts.ssh import SshHost
from autoresearch.hosts.ssh_link import SshOptions
from autoresearch.hosts.state import State

pytestmark = [pytest.mark.services, pytest.mark.skipif(not ssh_server.PRESENT, reason=ssh_server.WHY_NOT)]
LIMITS: dict[str, Any] = {"inner_timeout": 60.0, "outer_timeout": 200.0}


@pytest.fixture
def sshd(tmp_path: Path) -> Iterator[SshServer]:
    server = SshServer(tmp_path / "sshd")
    server.start()
    yield server
    server.kill_all()
    end_rows(tmp_path)


@pytest.fixture
def host(sshd: SshServer, tmp_path: Path) -> Iterator[SshHost]:
    server = build_settings(Server, sshd.server_settings(tmp_path / "host"), "config.yaml")
    options = SshOptions(sshd.known_hosts, tmp_path / "none", keepalive_seconds=0.5, pause_last=1.0)
    with SshHost(server, options) as opened:
        yield opened


def start(host: SshHost, archive: Path, tmp_path: Path, program: str) -> Path:
    folder = Path(rows.row_folder(host, RUN, "case.a1"))
    spec = make_spec(make_lock(folder.parents[1]), python(program), server=host.name)
    rows.launch(host, spec, str(folder), archive=archive, scratch=tmp_path / "scratch")
    return folder


def until(host: SshHost, folder: Path, *names: str, seconds: float = 90.0) -> State:
    deadline = time.monotonic() + seconds
    while True:
        state = rows.observe(host, str(folder), **LIMITS)
        if state.name in names:
            return state
        assert time.monotonic() < deadline, f"{state.name}: {state.reason}"
        time.sleep(0.1)


COUNTING = "import time\nfor n in range({n}): print('tick', n, flush=True); time.sleep(0.1)"


def test_fault_3_a_row_goes_on_while_sshd_is_killed_and_started_again(
    host: SshHost, archive: Path, sshd: SshServer, tmp_path: Path
) -> None:
    folder = start(host, archive, tmp_path, COUNTING.format(n=40))
    assert until(host, folder, "running").elapsed_seconds is not None
    sshd.kill_all()
    state = until(host, folder, "unknown")
    assert not state.over
    time.sleep(1.0)
    sshd.start()
    assert until(host, folder, "running", "finished").name in ("running", "finished")
    result = until(host, folder, "finished").seen.result
    assert result is not None and result["exit_code"] == 0 and result["limit"] is None
    assert rows.collect(host, str(folder), tmp_path / "bundle") == []
    log = (tmp_path / "bundle" / "trainer.log").read_text().splitlines()
    assert log == [f"tick {n}" for n in range(40)]


def test_fault_22_a_changed_host_key_stops_us_and_not_the_row(
    host: SshHost, archive: Path, sshd: SshServer, tmp_path: Path
) -> None:
    folder = start(host, archive, tmp_path, COUNTING.format(n=50))
    sshd.kill_all()
    sshd.new_host_key()
    sshd.start()
    with pytest.raises(RefusedError, match="V302"):
        until(host, folder, "finished")
    settings = build_settings(Server, sshd.server_settings(tmp_path / "host"), "config.yaml")
    with SshHost(settings, host.link.options) as again:
        result = until(again, folder, "finished").seen.result
    assert result is not None and result["exit_code"] == 0
