"""Readiness: basics, devices and holders, environment, routes (formal-case.md 2)."""

from __future__ import annotations

import json
import os
import sys
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import ssh_server
from ssh_server import SshServer, free_port

from autoresearch.assets.settings import build_settings
from autoresearch.errors import RefusedError
from autoresearch.hosts import rows
from autoresearch.hosts.check_result import CheckResult, merge
from autoresearch.hosts.config import Config, Server
from autoresearch.hosts.host_checks import check_basics, check_hardware, compare_devices, devices_of
from autoresearch.hosts.local import LocalHost
from autoresearch.hosts.network_checks import check_network, check_reach
from autoresearch.hosts.readiness import Need, find_ready
from autoresearch.hosts.row_spec import RowDevice
from autoresearch.hosts.ssh import SshHost
from autoresearch.hosts.ssh_link import SshOptions
from autoresearch.hosts.stack_checks import check_stack

FAKES = Path(__file__).parents[1] / "fixtures" / "fake_programs"
LOCAL = Server(name="local", kind="local")
ASCEND = Server(name="local", kind="local", accelerator="ascend")
DOCKER = Server(name="local", kind="local", container="docker", image="verl:1")


def result(name: str, severity: Any) -> CheckResult:
    return CheckResult(name, severity, severity, {}, ({"code": name},), 2)


def test_merging_takes_the_worst_and_of_nothing_it_is_ok() -> None:
    merged = merge("all", [result("a", "ok"), result("b", "warn"), result("c", "fail")])
    assert (merged.severity, merged.ok, merged.elapsed_ms) == ("fail", False, 6)
    assert merged.data["counts"] == {"checked": 3, "warned": 1, "failed": 1}
    assert [item["code"] for item in merged.findings] == ["a", "b", "c"] and merged.data["b"]["severity"] == "warn"
    assert (merge("none", []).severity, merge("w", [result("a", "warn")]).ok) == ("ok", True)
    assert set(merged.as_dict()) == {"id", "ok", "severity", "message", "data", "findings", "elapsed_ms"}


def program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


def test_basics_tell_python_space_and_clock(host: LocalHost) -> None:
    found = check_basics(host, 1)
    assert found.severity == "ok" and found.data["python"] == sys.version.split()[0]
    assert abs(found.data["clock_offset_ms"]) < 1000
    assert check_basics(host, 1 << 60).message.endswith("free space or use another workdir")


def test_a_workdir_that_cannot_be_written_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = check_basics(LocalHost("local", str(tmp_path / "file" / "below")))
    assert not found.ok and "cannot be written" in found.message


def test_fault_10_a_clock_that_is_off_by_hours_is_v430_and_a_warning(
    host: LocalHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin", "date", "#!/bin/sh\necho $(($(/bin/date +%s) + 28800)).5\n")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    found = check_basics(host)
    assert found.severity == "warn" and found.findings[0]["code"] == "V430"
    assert 28_799_000 < found.data["clock_offset_ms"] < 28_802_000


def test_an_old_python_is_refused_with_what_is_needed(host: LocalHost, tmp_path: Path) -> None:
    program(tmp_path / "bin", "python", "#!/bin/sh\necho Python 3.6.9\n")
    host.python = str(tmp_path / "bin" / "python")
    assert "3.6.9" in check_basics(host).message and not check_basics(host).ok


# Devices -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def npu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The play file of the fake npu-smi, which is on the PATH."""
    monkeypatch.setenv("PATH", f"{FAKES}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_NPU_SMI", str(tmp_path / "play.json"))
    (tmp_path / "play.json").write_text('{"devices": 2}')
    return tmp_path / "play.json"


def test_free_devices_are_ok_and_a_held_one_is_told_with_its_holder(host: LocalHost, archive: Path, npu: Path) -> None:
    runner = rows.ensure_runner(host, archive)
    found = check_hardware(host, ASCEND, runner)
    assert found.severity == "ok" and "2 devices, all free" in found.message
    assert devices_of(found) == [RowDevice(id=0), RowDevice(id=1)]
    held = {"device": 1, "chip": 0, "pid": os.getpid(), "name": "python3", "memory": 99}
    npu.write_text(json.dumps({"devices": 2, "processes": [held]}))
    found = check_hardware(host, ASCEND, runner)
    assert found.severity == "warn" and found.findings[0]["code"] == "V333" and f"pid {os.getpid()}" in found.message
    busy = check_hardware(host, ASCEND, runner, [RowDevice(id=1)], must_be_free=True)
    assert not busy.ok and busy.findings[0]["severity"] == "error"
    assert check_hardware(host, ASCEND, runner, [RowDevice(id=0)], must_be_free=True).severity == "ok"


def test_a_configured_device_that_is_not_there_is_v110_with_both_lists(
    host: LocalHost, archive: Path, npu: Path
) -> None:
    found = check_hardware(host, ASCEND, rows.ensure_runner(host, archive), [RowDevice(id=7)])
    assert not found.ok and found.findings[0]["code"] == "V110"
    assert "7:0" in found.message and "0:0, 1:0" in found.message


def test_cards_are_compared_by_uuid_and_a_number_stands_for_one() -> None:
    detected = [{"id": 0, "chip": 0, "uuid": "GPU-a"}, {"id": 1, "chip": 0, "uuid": "MIG-b"}]
    assert compare_devices("nvidia", detected, [RowDevice(id=9, uuid="MIG-b"), RowDevice(id=0)], "h") == []
    (item,) = compare_devices("nvidia", detected, [RowDevice(id=0, uuid="GPU-z")], "h")
    assert (item.code, item.value) == ("V110", "GPU-z")


def test_a_host_without_the_devices_it_should_have_fails(host: LocalHost, archive: Path) -> None:
    found = check_hardware(host, ASCEND, rows.ensure_runner(host, archive))
    assert not found.ok and "should have ascend" in found.message
    assert check_hardware(host, LOCAL, rows.ensure_runner(host, archive)).severity == "ok"


# Environment ---------------------------------------------------------------------------------------------------------


def test_the_environment_of_this_machine_computes_and_tells_its_versions(host: LocalHost, archive: Path) -> None:
    found = check_stack(host, LOCAL, rows.ensure_runner(host, archive), "cpu")
    assert found.severity == "ok", found.message
    assert found.data["operation"]["ok"] and found.data["versions"]["verl"] == "0.9.1"


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{FAKES}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_DOCKER", str(tmp_path / "docker"))
    (tmp_path / "docker").mkdir()
    return tmp_path / "docker"


def test_an_image_that_is_missing_fails_and_one_that_can_be_pulled_is_a_warning(
    host: LocalHost, archive: Path, docker: Path
) -> None:
    runner = rows.ensure_runner(host, archive)
    (docker / "images.json").write_text("[]")
    assert "cannot be pulled" in check_stack(host, DOCKER, runner, "cpu").message
    (docker / "registry.json").write_text('["verl:1"]')
    found = check_stack(host, DOCKER, runner, "cpu")
    assert (found.severity, found.data["docker"]) == ("warn", "28.0.0")
    (docker / "daemon-down").touch()
    assert "docker does not answer" in check_stack(host, DOCKER, runner, "cpu").message


def test_another_verl_in_the_image_is_v310_and_the_operation_runs_inside(
    host: LocalHost, archive: Path, docker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = f'#!/bin/sh\nexec {sys.executable} -S "$@"\n'
    program(tmp_path / "bin", "python3", bare)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    found = check_stack(host, DOCKER, rows.ensure_runner(host, archive), "cpu")
    assert not found.ok and "No module named 'torch'" in found.message
    assert [item["code"] for item in found.findings] == ["V310"] and "@sha256:" in found.data["image"]
    calls = [json.loads(line) for line in (docker / "calls.jsonl").read_text().splitlines()]
    assert [call[-2:] for call in calls if call[0] == "run"] == [["inventory", "stack"], ["device-op", "cpu"]]


# Routes --------------------------------------------------------------------------------------------------------------


class Web:
    """A web server on the loopback that is also a proxy for plain HTTP; ``seen`` lists what it was asked."""

    def __init__(self) -> None:
        web = self
        self.seen: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                web.seen.append(self.path)
                body = b"ok"
                if self.path.startswith("http://"):
                    with urllib.request.urlopen(self.path, timeout=5) as answer:
                        body = answer.read()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def web() -> Iterator[Web]:
    made = Web()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def far(tmp_path: Path) -> Iterator[SshHost]:
    """A host over ssh."""
    if not ssh_server.PRESENT:
        pytest.skip(ssh_server.WHY_NOT)
    server = SshServer(tmp_path / "sshd")
    server.start()
    settings = build_settings(Server, server.server_settings(tmp_path / "far"), "config.yaml")
    with SshHost(settings, SshOptions(server.known_hosts, tmp_path / "none")) as opened:
        yield opened
    server.kill_all()


def test_every_route_is_tried_from_here_and_from_the_host(far: SshHost, archive: Path, web: Web) -> None:
    dead = f"http://127.0.0.1:{free_port()}"
    settings = {"network": {"proxy_url": web.url, "remote_proxy_port": free_port()}}
    config = build_settings(Config, settings, "config.yaml")
    targets = {"modelscope": web.url + "/hub", "huggingface": dead, "github": web.url + "/code"}
    found = check_network(config, far, rows.ensure_runner(far, archive), str(archive), targets)
    assert found.severity == "warn" and "huggingface" in found.message
    assert set(found.data["routes"]) == {"here/direct", "here/proxy", "host/direct", "host/proxy"}
    assert found.data["reached"]["modelscope"] == sorted(found.data["routes"])
    assert [path for path in web.seen if path == web.url + "/hub"] == [web.url + "/hub"] * 2
    lost = check_network(config, far, "/no/runner", "/no/runner", dict.fromkeys(targets, dead))
    assert not lost.ok and "no route reaches modelscope or huggingface" in lost.message


def test_services_are_reached_through_tunnels_and_a_moved_port_is_v311(far: SshHost, archive: Path, web: Web) -> None:
    taken = web.server.server_port
    services = {
        "wandb": {"url": web.url, "remote_port": free_port()},
        "pushgateway": {"url": web.url, "remote_port": taken},
    }
    config = build_settings(Config, {"services": services}, "config.yaml")
    found = check_reach(config, far, rows.ensure_runner(far, archive))
    assert found.severity == "warn" and [item["code"] for item in found.findings] == ["V311"]
    assert {name: each["ok"] for name, each in found.data.items()} == {"wandb": True, "pushgateway": True}
    assert sorted(web.seen) == ["/-/healthy", "/ready"] and far.tunnels()[1].remote_port != taken


def test_a_service_that_is_down_is_a_warning_only(host: LocalHost, archive: Path) -> None:
    down = {"url": f"http://127.0.0.1:{free_port()}"}
    config = build_settings(Config, {"services": {"wandb": down, "pushgateway": down}}, "config.yaml")
    found = check_reach(config, host, rows.ensure_runner(host, archive))
    assert (found.severity, found.ok) == ("warn", True) and "wandb" in found.message


# Candidates ----------------------------------------------------------------------------------------------------------


def test_the_first_server_that_qualifies_is_taken_and_skipping_is_v111(archive: Path, tmp_path: Path) -> None:
    gone = {"name": "gone", "host": "127.0.0.1", "port": free_port(), "workdir": "/srv", "host_key": None}
    servers = [gone, {"name": "here", "kind": "local", "workdir": str(tmp_path / "host")}]
    config = build_settings(Config, {"servers": servers}, "config.yaml")
    found = find_ready(config, None, Need(archive, skip=True))
    assert found.server.name == "here" and found.accelerator == "cpu" and found.devices == ()
    assert [item["code"] for item in found.result.findings] == ["V111"]
    with pytest.raises(RefusedError, match="gone: .*does not answer"):
        find_ready(config, "gone", Need(archive))


def test_when_no_server_qualifies_each_says_why(archive: Path, tmp_path: Path) -> None:
    servers = [{"name": name, "kind": "local", "workdir": str(tmp_path / name)} for name in ("one", "two")]
    config = build_settings(Config, {"servers": servers}, "config.yaml")
    with pytest.raises(RefusedError) as refused:
        find_ready(config, None, Need(archive, bytes=1 << 60))
    assert (
        "one: " in refused.value.message and "two: " in refused.value.message and "are needed" in refused.value.message
    )
