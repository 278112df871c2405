"""``run verl-case`` over ssh: a training ladder of geometry3k on eight fake NPUs in fake containers, through a real
sshd that is killed and started again while a row runs (formal-case.md 4.4, 5, 6.3, 20.2)."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("bokeh")
pytest.importorskip("PIL.Image", reason="Pillow draws the pictures of these tests")
sys.path.append(str(Path(__file__).parents[1] / "cases"))
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

import ssh_server
from geo3k_world import FAKES, STUB_VERL, Geo3kWorld, called, grader
from local_services import free_port, get, pushgateway
from row_stub import end_rows
from runner_archive import owner_with_trainer
from ssh_server import SshServer

from autoresearch.evidence.verify import verify
from autoresearch.files import read_json, sha256_file
from autoresearch.hosts import rows

pytestmark = [pytest.mark.services, pytest.mark.skipif(not ssh_server.PRESENT, reason=ssh_server.WHY_NOT)]
RUN = f"geo3k-ssh-{os.getpid()}"
IMAGE = "registry.example/verl"


def case_id(devices: int, batch: int) -> str:
    """A case of the ladder."""
    return f"train-{devices}npu-sync-bs{batch}-n4-mini{batch}-micro1-1024-2048"


FIRST = f"{case_id(1, 1)}.a1"
TOLD = {"oom_from": 7, "slow": {FIRST: 5}, "wandb": [FIRST]}
"""Seven prompts a device are too many; the first row takes long enough to lose its connection."""
WANTED = {
    case_id(1, 1): "passed",
    case_id(1, 2): "passed",
    case_id(1, 4): "passed",
    case_id(1, 8): "oom",
    case_id(1, 6): "passed",
    case_id(8, 8): "passed",
    case_id(8, 16): "passed",
    case_id(8, 32): "passed",
    case_id(8, 48): "passed",
    case_id(8, 64): "oom",
}


class Ran(NamedTuple):
    """One run of the command, and what was left behind."""

    code: int
    result: dict[str, Any]
    bundle: Path
    host: Path
    calls: list[list[str]]
    owners: list[dict[str, Any]]
    cut_epoch_ms: int
    connections: int
    left: list[str]
    tunnel_answers: bool
    pushed: str

    def lines(self) -> dict[str, dict[str, Any]]:
        """The matrix by case."""
        text = (self.bundle / "6-rows" / "matrix-results.jsonl").read_text(encoding="utf-8")
        return {line["case_id"]: line for line in map(json.loads, text.splitlines())}


class Cut(threading.Thread):
    """Kills the server and every connection while a row's trainer runs, and starts it again a moment later."""

    def __init__(self, sshd: SshServer, row: Path) -> None:
        super().__init__(daemon=True)
        self.sshd, self.row = sshd, row
        self.owners: list[dict[str, Any]] = []
        self.at = 0

    def run(self) -> None:
        """Strike once."""
        self.owners.append(owner_with_trainer(self.row))
        time.sleep(1.0)
        self.sshd.kill_all()
        self.at = int(time.time() * 1000)
        time.sleep(1.0)
        self.owners.append(owner_with_trainer(self.row))
        self.sshd.start()


def image(docker: Path) -> None:
    """The fake docker's images have a Python whose verl is the stub."""
    python = docker / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{STUB_VERL}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)


def alive(root: Path) -> list[str]:
    """Command lines of the processes that run in, or name, a folder below ``root``; this process is none of them."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            folder = str((place / "cwd").readlink())
        except OSError:
            continue
        if int(place.name) != os.getpid() and (str(root) in words or folder.startswith(str(root))):
            found.append(words)
    return found


def answers(port: int) -> bool:
    """Something listens on the port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1.0).close()
    except OSError:
        return False
    return True


def none_left(count: Any, seconds: float = 10.0) -> Any:
    """``count()`` once it is empty or 0, or what it is at the end of the time."""
    deadline = time.monotonic() + seconds
    while (found := count()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    """The whole ladder, with the connection cut in its first row."""
    root = tmp_path_factory.mktemp("ssh")
    world, host = Geo3kWorld(root, train=200, test=4), root / "host"
    (root / "play.json").write_text(json.dumps({"devices": 8}))
    docker = root / "docker"
    image(docker)
    env = {"FAKE_DOCKER": str(docker), "FAKE_NPU_SMI": str(root / "play.json")}
    sshd = SshServer(root / "sshd", path=FAKES, env=env)
    server = sshd.server_settings(
        host, name="npu-a", accelerator="ascend", container="docker", image=IMAGE, env={"STUB_VERL": json.dumps(TOLD)}
    )
    port = free_port()
    cut = Cut(sshd, host / "autoresearch" / "runs" / RUN / "rows" / FIRST)
    try:
        with pushgateway(tmp_path_factory.mktemp("gateway")) as url, pytest.MonkeyPatch.context() as patch, grader():
            services = {"pushgateway": {"url": url, "remote_port": port}}
            config = world.write({"keep_remote": "never", "ladder": {"bisect_limit": 1}}, server, services=services)
            patch.setitem(rows.POLL_SECONDS, "ssh", 0.3)
            sshd.start()
            cut.start()
            words = ("--config", str(config), "--run-id", RUN, "--offline", "--skip-readiness", "--server", "npu-a")
            code, result = called(*words)
            cut.join(60)
            connections, listens = none_left(sshd.connections), none_left(lambda: answers(port))
            pushed = get(f"{url}/metrics").decode()
        sshd.kill_all()
        calls = [json.loads(line) for line in (docker / "calls.jsonl").read_text().splitlines()]
        bundle = Path(result["bundle"] or root)
        left = none_left(lambda: alive(root))
        yield Ran(code, result, bundle, host, calls, cut.owners, cut.at, connections, left, listens, pushed)
    finally:
        sshd.kill_all()
        end_rows(root)


def test_the_ladder_fails_at_eight_is_bisected_and_promoted_to_all_devices(ran: Ran) -> None:
    assert ran.result["bundle_state"] == "complete" and verify(ran.bundle).findings() == [], ran.result
    lines = ran.lines()
    assert {case: line["failure_class"] or line["status"] for case, line in lines.items()} == WANTED
    assert [line["stage"] for line in lines.values()] == ["single"] * 4 + ["bisect"] + ["node"] * 5
    assert {line["attempt"] for line in lines.values()} == {1}
    for line in lines.values():
        done = line["completed_training_steps"]
        assert (done, line["target_training_steps"]) == (3 if line["status"] == "passed" else 0, 3)
    told = {
        case: [each["value"] for each in line["findings"] if each["code"] == "V221"] for case, line in lines.items()
    }
    assert {case: values for case, values in told.items() if values} == {case_id(1, 6): ["6"]}
    assert ran.result["experiment"]["first_failure"] == f"{case_id(1, 8)}.a1: oom"


def test_every_promoted_row_satisfies_verls_arithmetic(ran: Ran) -> None:
    promoted = read_json(ran.bundle / "4-config" / "config.lock.promotion.json")["rows"]
    assert [row["numbers"]["B"] for row in promoted] == [8, 16, 32, 48, 64]
    for row in promoted:
        number = row["numbers"]
        n, m, u, batch = number["n"], number["m"], number["u"], number["B"]
        assert number["D"] == 8 and n >= 2 and 1 <= m <= batch and batch % m == 0
        assert m * n % 8 == 0 and batch * n % 8 == 0 and (m * n // 8) % u == 0
        assert number["N"] >= batch * number["S"] == batch * 3 and batch % number["W"] == 0 and 8 % number["TP"] == 0
        keys = dict(word.lstrip("+").split("=", 1) for word in row["argv"] if "=" in word)
        assert (int(keys["trainer.n_gpus_per_node"]), int(keys["data.train_batch_size"])) == (8, batch)
        assert row["env"]["ASCEND_RT_VISIBLE_DEVICES"] == "0,1,2,3,4,5,6,7"
        assert row["outer_timeout"] - row["inner_timeout"] >= 120


def test_each_added_lock_names_the_one_before_it(ran: Ran) -> None:
    folder = ran.bundle / "4-config"
    names = ["config.lock.json", "config.lock.bisect-1.json", "config.lock.promotion.json"]
    assert sorted(path.name for path in folder.glob("*.json")) == sorted(names)
    for before, after in pairwise(names):
        lock = read_json(folder / after)
        assert lock["parent"] == {"path": before, "sha256": sha256_file(folder / before)} and lock["run_id"] == RUN
    assert read_json(folder / names[1])["derived_from"] == [case_id(1, 4), case_id(1, 8)]
    assert read_json(folder / names[2])["derived_from"] == [case_id(1, 6)]
    planned = [row["case_id"] for name in names for row in read_json(folder / name)["rows"]]
    assert planned == list(ran.lines())


def test_a_row_goes_on_while_its_connection_is_gone_and_is_collected(ran: Ran) -> None:
    first = ran.lines()[case_id(1, 1)]
    assert first["started_epoch_ms"] < ran.cut_epoch_ms < first["finished_epoch_ms"] - 1000
    before, after = ran.owners
    owner = read_json(ran.bundle / "6-rows" / "cases" / FIRST / "owner.json")
    for key in ("supervisor_pid", "start_ticks", "trainer_pid", "trainer_start_ticks", "started_epoch_ms"):
        assert before[key] == after[key] == owner[key]
    assert first["telemetry"]["devices"]["coverage"] > 0.9, "the host sampled on"
    pushes = read_json(ran.bundle / "6-rows" / "cases" / FIRST / "result.json")["pushes"]
    assert pushes["ok"] > 0 and pushes["failed"] > 0, "live views have the gap, nothing else has"
    tunnel = read_json(ran.bundle / "6-rows" / "cases" / FIRST / "tunnel.json")["tunnels"][0]
    assert tunnel["name"] == "pushgateway" and tunnel["up_seconds"] > 0
    later = read_json(ran.bundle / "6-rows" / "cases" / f"{case_id(8, 8)}.a1" / "result.json")["pushes"]
    assert later["ok"] > 0, "the tunnel came back"


def test_the_bundle_is_marked_synthetic_and_has_curves_with_their_achieved_interval(ran: Ran) -> None:
    manifest = read_json(ran.bundle / "manifest.json")
    assert (manifest["synthetic_hardware"], manifest["server"], manifest["accelerator"]) == (True, "npu-a", "ascend")
    assert (ran.code, manifest["experiment"]["ok"]) == (1, False)
    for case in WANTED:
        assert (ran.bundle / "6-rows" / "cases" / f"{case}.a1" / "npu-smi-watch.raw.log").stat().st_size > 0
    devices = ran.lines()[case_id(1, 1)]["telemetry"]["devices"]
    assert devices["asked_interval"] == 0.5 and 0.45 < devices["interval"]["median"] <= devices["interval"]["p95"]
    numbers = {each["id"]: each["value"] for each in read_json(ran.bundle / "0-report" / "report-data.json")["numbers"]}
    assert numbers[f"device.{FIRST}.interval_median"] == devices["interval"]["median"]
    exposed = (ran.bundle / "2-prometheus" / "telemetry-openmetrics.prom").read_text().splitlines()
    used = [line for line in exposed if line.startswith("autoresearch_npu_hbm_used_mib{") and case_id(1, 1) in line]
    assert len(used) == 8 * devices["rounds"] >= 8 * 5, "eight chips in each round"
    (source,) = read_json(ran.bundle / "1-wandb" / "source-runs.json")["source_runs"]
    assert (source["row"], source["history_steps"], source["whole"]) == (FIRST, 3, True)


def test_rows_ran_in_containers_that_saw_the_wanted_devices_and_no_other(ran: Ran) -> None:
    started = [words for words in ran.calls if words[0] == "run" and "--name" in words]
    image = read_json(ran.bundle / "4-config" / "config.lock.json")["server"]["image"]
    assert image.startswith("registry.example/verl@sha256:"), "the name is resolved, and the digest is used"
    assert len(started) == len(WANTED) and all(image in words for words in started)
    first, last = started[0], started[-1]
    assert "--device=/dev/davinci0" in first and "--device=/dev/davinci1" not in first
    assert {f"--device=/dev/davinci{number}" for number in range(8)} <= set(last)
    assert f"autoresearch.run={RUN}" in first and "--rm" in first and "--network=host" in first
    mounts = [words[place + 1] for words in started[:1] for place, word in enumerate(words) if word == "--volume"]
    assert any(text.endswith("/assets/model:ro") for text in mounts) and any("geometry3k-" in text for text in mounts)


def test_the_rollouts_are_graded_again(ran: Ran) -> None:
    observed = read_json(ran.bundle / "5-provenance" / "observed.json")
    batches = [line["numbers"]["B"] for line in ran.lines().values() if line["status"] == "passed"]
    assert observed["graded_again"] == {"lines": sum(batches) * 4 * 3, "different": 0, "reason": None}


def test_nothing_is_left_behind(ran: Ran) -> None:
    assert (ran.connections, ran.tunnel_answers, ran.left) == (0, False, [])
    assert "pushgateway_http_requests_total" in ran.pushed
    assert RUN not in ran.pushed and "autoresearch_npu" not in ran.pushed, "groups are deleted when their row ends"
    assert not (ran.host / "autoresearch" / "runs" / RUN).exists(), "keep_remote: never"
    folders = [ran.bundle / "6-rows" / "cases" / f"{case}.a1" for case in WANTED]
    scratch = [Path(path) for folder in folders for path in read_json(folder / "row.json")["scratch"]]
    assert len(scratch) == len(WANTED) and not any(path.exists() for path in scratch)
