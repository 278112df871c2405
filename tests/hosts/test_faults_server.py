"""A server that two runs want, and one that is away for a while (formal-case.md 18: faults 1, 3 and 12)."""

from __future__ import annotations

import http.server
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import ssh_server
from row_stub import RUN, end_rows, make_lock, make_spec
from runner_archive import lines, owner_with_trainer
from ssh_server import SshServer, free_port

from autoresearch.assets.settings import build_settings
from autoresearch.errors import RefusedError
from autoresearch.hosts import readiness, rows
from autoresearch.hosts.check_result import CheckResult
from autoresearch.hosts.config import Config, Server
from autoresearch.hosts.local import LocalHost
from autoresearch.hosts.protocol import Host
from autoresearch.hosts.readiness import Need, check_candidate, find_ready
from autoresearch.hosts.row_spec import RowDevice
from autoresearch.hosts.ssh import SshHost
from autoresearch.hosts.ssh_link import SshOptions
from autoresearch.runner.processes import is_same

FAKES = Path(__file__).parents[1] / "fixtures" / "fake_programs"
WAITING = "while [ ! -e enough ]; do sleep 0.1; done"
LIMITS: dict[str, Any] = {"inner_timeout": 60.0, "outer_timeout": 200.0}


def until(condition: Callable[[], Any], seconds: float = 60.0) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found


def start(host: Host, archive: Path, tmp_path: Path, run: str, argv: list[str], **changes: Any) -> Path:
    folder = Path(rows.row_folder(host, run, "case.a1"))
    spec = make_spec(make_lock(folder.parents[1]), argv, run_id=run, server=host.name, **changes)
    rows.launch(host, spec, str(folder), archive=archive, scratch=tmp_path / "scratch")
    return folder


def result_of(host: Host, folder: Path) -> dict[str, Any]:
    found = until(lambda: rows.observe(host, str(folder), **LIMITS).seen.result)
    assert isinstance(found, dict)
    return found


def test_fault_12_a_second_run_is_told_who_holds_its_device_and_runs_beside_on_another(
    host: LocalHost, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{FAKES}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_NPU_SMI", str(tmp_path / "play.json"))
    (tmp_path / "play.json").write_text('{"devices": 2}')
    on_npu: dict[str, Any] = {"accelerator": "ascend"}
    first = start(host, archive, tmp_path, "run-1", ["sleep", "60"], devices=[{"id": 0}], **on_npu)
    owner = owner_with_trainer(first)
    held = {"device": 0, "chip": 0, "pid": owner["trainer_pid"], "name": "sleep", "memory": 99}
    (tmp_path / "play.json").write_text(json.dumps({"devices": 2, "processes": [held]}))
    server = Server(name="local", kind="local", accelerator="ascend", workdir=host.workdir)
    with pytest.raises(RefusedError) as refused:
        find_ready(Config(servers=[server]), None, Need(archive, [RowDevice(id=0)]))
    who = f"pid {owner['trainer_pid']}"
    assert who in refused.value.message
    assert [(item.code, who in item.value) for item in refused.value.findings if item.severity == "error"] == [
        ("V333", True)
    ]
    same = start(host, archive, tmp_path, "run-2", ["true"], devices=[{"id": 0}], **on_npu)
    other = start(host, archive, tmp_path, "run-3", ["true"], devices=[{"id": 1}], **on_npu)
    assert result_of(host, other)["exit_code"] == 0
    busy = result_of(host, same)["refused"]
    assert (busy["reason"], busy["holders"][0]["pid"]) == ("resource_busy", owner["trainer_pid"])
    assert rows.observe(host, str(first), **LIMITS).name == "running"
    rows.interrupt(host, str(first))
    assert result_of(host, first)["limit"] == "interrupted"


def test_fault_1_what_a_lost_supervisor_left_on_a_device_is_ended_before_the_next_run_asks_for_it(
    host: LocalHost, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "check_stack", lambda *words, **more: CheckResult("stack", "ok", "not asked"))
    lost = start(host, archive, tmp_path, "run-1", ["sleep", "90"])
    alive = start(host, archive, tmp_path, "run-2", ["sleep", "90"])
    owner, other = owner_with_trainer(lost), owner_with_trainer(alive)
    os.kill(owner["supervisor_pid"], signal.SIGKILL)
    server = Server(name="local", kind="local", accelerator="cpu", workdir=host.workdir)
    assert "stale" not in check_candidate(host, server, Need(archive, skip=True)).result.data
    assert is_same(owner["trainer_pid"], owner["trainer_start_ticks"])
    found = check_candidate(host, server, Need(archive)).result
    message = found.data["stale"]["message"]
    assert message.startswith(f"ended pid {owner['trainer_pid']}: ") and str(lost) in message
    assert not is_same(owner["trainer_pid"], owner["trainer_start_ticks"])
    assert is_same(other["trainer_pid"], other["trainer_start_ticks"]), "a row with a supervisor is left alone"
    rows.interrupt(host, str(alive))
    assert result_of(host, alive)["limit"] == "interrupted"


class Gateway:
    """A gateway on this machine that takes every push and keeps when."""

    def __init__(self) -> None:
        seen = self.seen = list[float]()

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                seen.append(time.monotonic())
                self.send_response(200)
                self.end_headers()

            do_DELETE = do_PUT

            def log_message(self, *words: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    made = Gateway()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.mark.services
@pytest.mark.skipif(not ssh_server.PRESENT, reason=ssh_server.WHY_NOT)
def test_fault_3_a_lost_connection_is_a_gap_in_live_pushes_and_in_nothing_else(
    archive: Path, tmp_path: Path, gateway: Gateway
) -> None:
    sshd = SshServer(tmp_path / "sshd")
    sshd.start()
    settings = build_settings(Server, sshd.server_settings(tmp_path / "host"), "config.yaml")
    options = SshOptions(sshd.known_hosts, tmp_path / "none", keepalive_seconds=0.5, pause_last=0.5)
    try:
        with SshHost(settings, options) as host:
            tunnel = host.forward("pushgateway", ("127.0.0.1", gateway.server.server_address[1]), free_port())
            telemetry = {
                "host": True,
                "interval_seconds": 0.2,
                "push_url": f"http://127.0.0.1:{tunnel.remote_port}",
            }
            folder = start(host, archive, tmp_path, RUN, ["sh", "-c", WAITING], telemetry=telemetry)
            until(lambda: len(gateway.seen) >= 2)
            sshd.kill_all()
            cut = time.monotonic()
            time.sleep(2.0)
            assert max(gateway.seen) < cut + 0.5
            sshd.start()
            back = time.monotonic()
            until(lambda: max(gateway.seen) > back)
            (folder / "enough").touch()
            result = result_of(host, folder)
            assert host.tunnels()[0].remote_port == tunnel.remote_port and host.link.connects == 2
    finally:
        sshd.kill_all()
        end_rows(tmp_path)
    assert (result["exit_code"], result["limit"]) == (0, None)
    assert result["pushes"]["ok"] >= 4 and result["pushes"]["failed"] >= 1 and result["pushes"]["first_error"]
    stamps = [each["mono_ms"] for each in lines(folder / "host-samples.jsonl")]
    assert max(later - earlier for earlier, later in pairwise(stamps)) < 2000
    assert stamps[0] <= result["trainer_started_mono_ms"] and stamps[-1] >= result["trainer_finished_mono_ms"] - 2000
