"""Devices before, beside and after a trainer: holders, samplers, pusher (formal-case.md 6.2, 6.5, 10.2, 10.5)."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from row_stub import make_row
from runner_archive import Runs, lines, wait_for

from autoresearch.runner.occupancy import OccupancyError, ascend_holders, nvidia_holders, wait_until_free
from autoresearch.runner.processes import all_processes

FAKES = Path(__file__).parents[1] / "fixtures" / "fake_programs"
ASCEND: dict[str, Any] = {"accelerator": "ascend", "devices": [{"id": 0}, {"id": 1}]}
Play = Callable[..., None]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Puts the fake npu-smi on the PATH; called with what it plays."""
    monkeypatch.setenv("PATH", f"{FAKES}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_NPU_SMI", str(tmp_path / "play.json"))

    def write(**content: Any) -> None:
        waiting = tmp_path / "play.new"
        waiting.write_text(json.dumps({"devices": 2, **content}))
        waiting.replace(tmp_path / "play.json")

    write()
    return write


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(["sleep", "120"])
    yield child
    child.kill()
    child.wait()


def command_line(pid: int) -> bytes:
    """Of a process; nothing where it has just ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def held_by(pid: int, device: int = 0) -> dict[str, Any]:
    return {"processes": [{"device": device, "chip": 0, "pid": pid, "name": "python3", "memory": 2048}]}


def test_fault_23_a_device_that_a_stranger_holds_is_waited_for_and_then_refused_with_the_holder(
    runs: Runs, tmp_path: Path, play: Play, stranger: subprocess.Popen[bytes]
) -> None:
    play(**held_by(stranger.pid))
    result = runs.supervise(make_row(tmp_path, ["touch", "started"], **ASCEND))
    refused = result["refused"]
    assert (refused["reason"], refused["code"]) == ("resource_busy", "V333")
    (holder,) = refused["holders"]
    assert (holder["pid"], holder["command"], holder["device"], holder["memory_mib"]) == (
        stranger.pid,
        "sleep",
        "0:0",
        2048,
    )
    assert f"pid {stranger.pid}" in refused["message"] and stranger.poll() is None
    assert result["exit_code"] is None and result["elapsed_seconds"] >= 1.0


def test_fault_12_a_device_held_by_another_run_does_not_matter_when_the_lists_are_disjoint(
    runs: Runs, tmp_path: Path, play: Play, stranger: subprocess.Popen[bytes]
) -> None:
    play(**held_by(stranger.pid, device=0))
    result = runs.supervise(make_row(tmp_path, ["true"], accelerator="ascend", devices=[{"id": 1}]))
    assert result["refused"] is None and result["exit_code"] == 0


def test_a_device_that_becomes_free_in_time_lets_the_row_start(
    runs: Runs, tmp_path: Path, play: Play, stranger: subprocess.Popen[bytes]
) -> None:
    play(**held_by(stranger.pid))
    folder = make_row(tmp_path, ["true"], limits={"free_wait_seconds": 30.0}, **ASCEND)
    child = runs.start("supervise", folder)
    wait_for(folder / "heartbeat.json")
    while json.loads((folder / "heartbeat.json").read_text())["state"] != "waiting":
        time.sleep(0.05)
    play()
    assert child.wait(90) == 0
    assert json.loads((folder / "result.json").read_text())["exit_code"] == 0


def test_devices_that_a_dead_process_of_the_row_still_holds_are_told_as_v332(
    runs: Runs, tmp_path: Path, play: Play
) -> None:
    folder = make_row(tmp_path, ["sh", "-c", "sleep 0.5"], **ASCEND)
    child = runs.start("supervise", folder)
    wait_for(folder / "npu-smi-watch.raw.log")
    while "trainer-start" not in (folder / "events.jsonl").read_text():
        time.sleep(0.02)
    play(**held_by(4_190_000))
    assert child.wait(90) == 0
    (held,) = json.loads((folder / "result.json").read_text())["devices_still_held"]
    assert (held["device"], held["pid"]) == ("0:0", 4_190_000)
    assert [each["code"] for each in lines(folder / "events.jsonl") if "code" in each] == ["V332"]


def test_a_tool_that_does_not_answer_refuses_the_row_instead_of_guessing(
    runs: Runs, tmp_path: Path, play: Play
) -> None:
    play(fail=list(range(100)))
    result = runs.supervise(make_row(tmp_path, ["touch", "started"], **ASCEND))
    assert result["refused"]["reason"] == "launcher_error" and "npu-smi" in result["refused"]["message"]


def test_samples_cover_the_trainer_and_a_killed_sampler_is_started_again(
    runs: Runs, tmp_path: Path, play: Play
) -> None:
    folder = make_row(tmp_path, ["sleep", "3"], telemetry={"interval_seconds": 0.2, "host": True}, **ASCEND)
    child = runs.start("supervise", folder)
    wait_for(folder / "npu-smi-watch.raw.log")
    (sampler,) = [
        each.pid for each in all_processes() if f"sample\0ascend\0{folder}".encode() in command_line(each.pid)
    ]
    os.kill(sampler, signal.SIGKILL)
    assert child.wait(90) == 0
    result = json.loads((folder / "result.json").read_text())
    raw = (folder / "npu-smi-watch.raw.log").read_bytes()
    assert result["rounds"]["npu-smi-watch.raw.log"] == raw.count(b"# ar epoch_ms=") >= 3
    host = lines(folder / "host-samples.jsonl")
    assert host[0]["mono_ms"] <= result["trainer_started_mono_ms"]
    assert host[-1]["mono_ms"] >= result["trainer_finished_mono_ms"] - 3000
    restarts = {each["name"]: each["restarts"] for each in result["samplers"]}
    assert restarts == {"device-sampler": 1, "host-sampler": 0}
    (event,) = [each for each in lines(folder / "events.jsonl") if each["event"] == "side-process"]
    assert event["process"] == "device-sampler" and "restart 1 of 3" in event["message"]
    assert 3000 < json.loads((folder / "heartbeat.json").read_text())["peak_memory_mib"] < 65536
    assert result["synthetic"] is True and json.loads((folder / "heartbeat.json").read_text())["samples"] >= 5


def test_the_groups_of_a_row_whose_supervisor_was_killed_are_deleted_by_cleanup(runs: Runs, tmp_path: Path) -> None:
    requests: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as gateway:

        def serve() -> None:
            while True:
                try:
                    client, _ = gateway.accept()
                except OSError:
                    return
                requests.append(client.recv(65536).split(b"\r\n", 1)[0])
                client.sendall(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                client.close()

        threading.Thread(target=serve, daemon=True).start()
        url = f"http://127.0.0.1:{gateway.getsockname()[1]}"
        folder = make_row(tmp_path, ["sleep", "60"], telemetry={"host": False, "push_url": url})
        child = runs.start("supervise", folder)
        wait_for(folder / "push-status.json")
        child.kill()
        child.communicate()
        cleanup = runs.start("cleanup", folder)
        out, errors = cleanup.communicate(timeout=90)
        assert cleanup.returncode == 0, errors
        assert json.loads(out)["terminated"]
    deleted = [line for line in requests if line.startswith(b"DELETE")]
    assert any(b"/case_id/case/attempt/1" in line for line in deleted)
    assert any(b"/autoresearch_machine/server/local" in line for line in deleted)


def test_holders_are_read_strictly_and_an_empty_table_is_no_holder() -> None:
    text = "GPU-a, 4102, 512\nGPU-b, 87;rm, 3\nGPU-c, 12, [N/A]\n\n"
    assert [tuple(each) for each in nvidia_holders(text)] == [("GPU-a", 4102, 512), ("GPU-c", 12, None)]
    with pytest.raises(OccupancyError, match="no device"):
        ascend_holders("dcmi module initialize failed. ret is -8020")


def test_a_processor_is_held_by_nobody() -> None:
    assert wait_until_free("cpu", [{"id": 0}], 30.0) == []
