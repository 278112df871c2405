"""Containers: the docker command lines word for word, and rows through a fake docker (formal-case.md 6.4; fault 20)."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from row_stub import RUN, make_lock, make_spec, python
from runner_archive import lines, owner_with_trainer

from autoresearch.errors import RefusedError
from autoresearch.hosts import rows
from autoresearch.hosts.containers import (
    ASCEND_MOUNTS,
    ContainerPlan,
    container_name,
    judge_reuse,
    reused_container,
    row_container,
)
from autoresearch.hosts.local import LocalHost
from autoresearch.hosts.reuse import check_reuse, require_same
from autoresearch.hosts.row_spec import RowDevice
from autoresearch.runner.processes import is_same

FAKES = Path(__file__).parents[1] / "fixtures" / "fake_programs"
GOLDEN = Path(__file__).with_name("golden")
LIMITS: dict[str, Any] = {"inner_timeout": 60.0, "outer_timeout": 200.0}
ASCEND = ContainerPlan(
    run_id="Qwen35-2B-GRPO-1Kto2K",
    row="train-2npu-sync-bs2-n4.a1",
    folder="/srv/ar/runs/r/rows/train-2npu-sync-bs2-n4.a1",
    image="registry.example/verl@sha256:0a",
    accelerator="ascend",
    devices=[RowDevice(id=4), RowDevice(id=6), RowDevice(id=6, chip=1)],
    argv=["python3", "-m", "verl.trainer.main_ppo", "trainer.logger=[console,file]", "a b"],
    env={"VLLM_USE_V1": "1", "ASCEND_RT_VISIBLE_DEVICES": "4,6"},
    read_only=["/srv/models/Qwen", "/srv/data", "/srv/data"],
    scratch=["/tmp/ar-0123456789"],
    present=ASCEND_MOUNTS[:2],
)
NVIDIA = replace(
    ASCEND,
    accelerator="nvidia",
    devices=[RowDevice(id=0, uuid="GPU-aa"), RowDevice(id=1, uuid="MIG-bb")],
    env={"CUDA_VISIBLE_DEVICES": "GPU-aa,MIG-bb"},
    present=(),
)


@pytest.mark.parametrize(("name", "plan"), [("ascend", ASCEND), ("nvidia", NVIDIA)])
def test_the_command_line_of_a_profile_is_word_for_word_the_golden_one(name: str, plan: ContainerPlan) -> None:
    found = row_container(plan).model_dump(mode="json")
    golden = json.loads((GOLDEN / f"container-{name}.json").read_text(encoding="utf-8"))
    assert found == golden


def test_a_reused_container_is_entered_and_never_stopped_or_removed() -> None:
    found = reused_container(ASCEND, "mine").model_dump(mode="json")
    assert found == json.loads((GOLDEN / "container-reused.json").read_text(encoding="utf-8"))
    assert not {"stop", "kill", "rm"} & {word for key in ("stop", "kill", "remove") for word in found[key][:2]}


def test_names_are_legal_short_and_no_two_rows_share_one() -> None:
    names = {container_name(run, row) for run in ("Qwen35-x", "新") for row in ("train-1npu.a1", "train-1npu.a2", "..")}
    assert len(names) == 6
    assert all(len(name) <= 63 and name.startswith("autoresearch-") and name.isascii() for name in names)


INSPECTED = {
    "State": {"Running": True},
    "Image": "sha256:1",
    "Mounts": [
        {"Source": "/srv/ar", "Destination": "/srv/ar", "RW": True},
        {"Source": "/tmp", "Destination": "/tmp", "RW": True},
        {"Source": "/srv/models", "Destination": "/srv/models", "RW": False},
        {"Source": "/srv/data", "Destination": "/srv/data", "RW": False},
    ],
    "HostConfig": {"Devices": [{"PathOnHost": "/dev/davinci4"}, {"PathOnHost": "/dev/davinci6"}]},
}


def test_a_container_that_fits_is_taken_and_each_misfit_is_named() -> None:
    assert judge_reuse(ASCEND, INSPECTED, "sha256:1", 1) == []
    assert judge_reuse(ASCEND, {**INSPECTED, "State": {"Running": False}}, "sha256:1", 1) == ["it is not running"]
    assert "its image is sha256:1" in judge_reuse(ASCEND, INSPECTED, "sha256:2", 1)[0]
    moved = [{"Source": "/elsewhere", "Destination": "/srv/ar", "RW": True}, *INSPECTED["Mounts"][1:]]  # type: ignore[index]
    assert (
        "not mounted at the same path, writable"
        in judge_reuse(ASCEND, {**INSPECTED, "Mounts": moved}, "sha256:1", 1)[0]
    )
    fewer = {**INSPECTED, "HostConfig": {"Devices": [{"PathOnHost": "/dev/davinci4"}]}}
    assert judge_reuse(ASCEND, fewer, "sha256:1", 1) == ["it has no /dev/davinci6"]
    assert "not idle: 3 processes" in judge_reuse(ASCEND, INSPECTED, "sha256:1", 3)[0]
    requests = {"HostConfig": {"DeviceRequests": [{"Count": 0, "DeviceIDs": ["GPU-aa"]}]}}
    assert judge_reuse(NVIDIA, {**INSPECTED, **requests}, "sha256:1", 1) == ["it has no device MIG-bb"]
    everything = {"HostConfig": {"DeviceRequests": [{"Count": -1}]}}
    assert judge_reuse(NVIDIA, {**INSPECTED, **everything}, "sha256:1", 1) == []


# Rows through the fake docker ----------------------------------------------------------------------------------------


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the fake docker, which stands first on the PATH."""
    monkeypatch.setenv("PATH", f"{FAKES}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_DOCKER", str(tmp_path / "docker"))
    (tmp_path / "docker").mkdir()
    return tmp_path / "docker"


Start = Callable[..., Path]


@pytest.fixture
def start(host: LocalHost, archive: Path, tmp_path: Path, docker: Path) -> Start:
    """Launches a row in a container; keywords change the row's limits."""

    def start(argv: list[str], **limits: float) -> Path:
        folder = Path(rows.row_folder(host, RUN, "case.a1"))
        plan = ContainerPlan(
            RUN, "case.a1", str(folder), "verl:1", "cpu", [], argv, {"WANDB_MODE": "offline"}, scratch=[]
        )
        spec = make_spec(make_lock(folder.parents[1]), argv, container=row_container(plan), limits=limits)
        rows.launch(host, spec, str(folder), archive=archive, scratch=tmp_path / "scratch")
        return folder

    return start


def finished(host: LocalHost, folder: Path, seconds: float = 120.0) -> dict[str, Any]:
    deadline = time.monotonic() + seconds
    while True:
        state = rows.observe(host, str(folder), **LIMITS)
        if state.name == "finished":
            assert state.seen.result is not None
            return state.seen.result
        assert time.monotonic() < deadline, f"{state.name}: {state.reason}"
        time.sleep(0.1)


def calls(docker: Path, verb: str) -> list[list[str]]:
    return [call for call in map(json.loads, (docker / "calls.jsonl").read_text().splitlines()) if call[0] == verb]


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_row_runs_in_its_container_with_its_environment_and_leaves_readable_files(
    host: LocalHost, start: Start, docker: Path
) -> None:
    program = "import os\nopen('secret', 'w').close(); os.chmod('secret', 0)\nprint(os.environ['WANDB_MODE'])\nexit(3)"
    folder = start(python(program))
    result = finished(host, folder)
    assert (result["exit_code"], result["signal"], result["synthetic"]) == (3, None, True)
    assert "offline\n" in (folder / "trainer.log").read_text()
    assert (folder / "secret").stat().st_mode & 0o444 == 0o444
    assert json.loads((folder / "container-environment.json").read_text()) == {"sourced": []}
    assert result["container"]["name"] == container_name(RUN, "case.a1") and not result["container"]["adopted"]
    assert not list(docker.glob("autoresearch-*.json"))


def test_the_inner_limit_stops_the_container_too(host: LocalHost, start: Start, docker: Path) -> None:
    folder = start(python("import time\nprint('up', flush=True)\ntime.sleep(60)"), inner_timeout=2.0, term_seconds=5.0)
    result = finished(host, folder)
    assert result["limit"] == "inner_timeout" and len(calls(docker, "stop")) == 1
    assert not list(docker.glob("autoresearch-*.json"))
    assert json.loads((folder / "owner.json").read_text())["container_id"] == result["container"]["id"] is not None


@pytest.mark.parametrize("trouble", ["name taken", "image gone"])
def test_fault_20_a_container_that_cannot_start_is_exit_code_125_with_the_cause_in_the_log(
    host: LocalHost, start: Start, docker: Path, trouble: str
) -> None:
    name = container_name(RUN, "case.a1")
    taken = {"name": name, "Id": "1", "State": {"Running": True, "Pid": 0}, "Config": {"Labels": {}}}
    if trouble == "name taken":
        (docker / f"{name}.json").write_text(json.dumps(taken))
    else:
        (docker / "images.json").write_text('["other:1"]')
    folder = start(["true"])
    result = finished(host, folder)
    assert result["exit_code"] == 125
    cause = "already in use" if trouble == "name taken" else "No such image"
    assert cause in (folder / "trainer.log").read_text()
    if trouble == "name taken":  # somebody else's container of that name is left alone
        assert json.loads((docker / f"{name}.json").read_text()) == taken


def test_fault_20_a_container_that_outlives_its_client_is_adopted_to_its_end(
    host: LocalHost, start: Start, docker: Path
) -> None:
    folder = start(python("import time\nfor n in range(40): print('tick', n, flush=True); time.sleep(0.1)\nexit(5)"))
    owner = owner_with_trainer(folder)
    until(lambda: json.loads((folder / "owner.json").read_text())["container_id"] is not None)
    (docker / "daemon-down").touch()
    os.kill(owner["trainer_pid"], signal.SIGKILL)
    time.sleep(0.7)
    (docker / "daemon-down").unlink()
    result = finished(host, folder)
    assert (result["exit_code"], result["signal"], result["container"]["adopted"]) == (5, None, True)
    assert "tick 39" in (folder / "trainer.log").read_text()
    assert "container-adopted" in [event["event"] for event in lines(folder / "events.jsonl")]


def test_the_container_of_a_lost_supervisor_is_ended_by_name_and_only_with_our_label(
    host: LocalHost, archive: Path, start: Start, docker: Path
) -> None:
    folder = start(["sleep", "60"])
    name = container_name(RUN, "case.a1")
    place = docker / f"{name}.json"
    until(lambda: place.exists() and json.loads(place.read_text())["State"]["Pid"] > 0)
    inside = json.loads(place.read_text())
    owner = owner_with_trainer(folder)
    os.kill(owner["supervisor_pid"], signal.SIGKILL)
    place.write_text(json.dumps({**inside, "Config": {"Labels": {"autoresearch.run": "another"}}}))
    runner = rows.ensure_runner(host, archive)
    rows.end_row(host, str(folder), runner)
    assert not calls(docker, "kill") and not calls(docker, "rm")
    place.write_text(json.dumps(inside))
    rows.end_row(host, str(folder), runner)
    assert calls(docker, "kill") == [["kill", name]]
    assert not is_same(owner["trainer_pid"], owner["trainer_start_ticks"])


def test_a_named_container_is_entered_when_it_fits_and_computes_and_is_left_running(
    host: LocalHost, archive: Path, docker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (tmp_path / "bin" / "python3").chmod(0o755)
    folder = Path(rows.row_folder(host, RUN, "case.a1"))
    plan = ContainerPlan(RUN, "case.a1", str(folder), "verl:1", "cpu", [], python("print('inside')"), {})
    mine = {
        "name": "mine",
        "Id": "abc",
        "Image": "sha256:" + hashlib.sha256(b"verl:1").hexdigest(),
        "State": {"Running": True, "Pid": 0, "StartedAt": "2026-11-30T00:00:00Z"},
        "Config": {"Labels": {}},
        "Mounts": [{"Source": str(tmp_path), "Destination": str(tmp_path), "RW": True}],
    }
    (docker / "mine.json").write_text(json.dumps({**mine, "Image": "sha256:other"}))
    runner = rows.ensure_runner(host, archive)
    with pytest.raises(RefusedError, match="V337 .*its image is sha256:other"):
        check_reuse(host, plan, "mine", runner)
    with pytest.raises(RefusedError, match="V337 .*is no container there"):
        check_reuse(host, plan, "yours", runner)
    (docker / "mine.json").write_text(json.dumps(mine))
    with monkeypatch.context() as patch:
        patch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
        found = check_reuse(host, plan, "mine", runner)
    require_same(host, "mine", found.id)
    for name, began in (("mine", "another"), ("mine", None), ("yours", found.id)):
        with pytest.raises(RefusedError, match="V337 .*the run began in"):
            require_same(host, name, began)
    assert (found.id, found.finding.code, found.mounts) == ("abc", "V334", (f"{tmp_path}:{tmp_path}",))
    spec = make_spec(make_lock(folder.parents[1]), plan.argv, container=reused_container(plan, "mine"))
    rows.launch(host, spec, str(folder), archive=archive, scratch=tmp_path / "scratch")
    result = finished(host, folder)
    assert (
        result["exit_code"] == 0 and result["container"]["reused"] and "inside" in (folder / "trainer.log").read_text()
    )
    assert json.loads((docker / "mine.json").read_text()) == mine and not calls(docker, "stop")
