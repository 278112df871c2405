"""``run verl-case`` of a field task on another host: behind a real sshd, in containers of a fake docker (4.1, 6.4)."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.append(str(Path(__file__).parents[1] / "cases"))
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

import ssh_server
from made_field_plans import FieldWorld
from row_stub import end_rows
from ssh_server import SshServer

from autoresearch.cli.main import run
from autoresearch.evidence.verify import verify
from autoresearch.files import tree_sha256
from autoresearch.hosts import rows

pytest.importorskip("bokeh")
pytestmark = [pytest.mark.services, pytest.mark.skipif(not ssh_server.PRESENT, reason=ssh_server.WHY_NOT)]
FIXTURES = Path(__file__).parents[1] / "fixtures"
CASE = "train-1cpu-sync-bs1-n4-mini1-micro1-2048-320"
IMAGE = "registry.example/verl:0.9.1"
DOCKER = {"container": "docker", "image": IMAGE}


class Server:
    """A host behind sshd: this machine's Python, the fake docker, and a working tree of verl that is the stub."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.world = FieldWorld(root / "world")
        self.plan = self.world.rl_plan("rl")
        self.verl = root / "src" / "verl"
        shutil.copytree(FIXTURES / "stub_verl" / "verl", self.verl / "verl", ignore=shutil.ignore_patterns("__pyc*"))
        (self.verl / "verl" / "version").mkdir()
        (self.verl / "verl" / "version" / "version").write_text("0.9.1\n")
        git = ["git", "-C", str(self.verl), "-c", "user.name=t", "-c", "user.email=t@example.org"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
            subprocess.run([*git, *words], check=True)
        programs = root / "bin"
        programs.mkdir()
        (programs / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        (programs / "python3").chmod(0o755)
        (programs / "docker").symlink_to(FIXTURES / "fake_programs" / "docker")
        self.docker = root / "docker"
        self.docker.mkdir()
        home = root / "home"  # the user's own shell settings would put other programs first
        home.mkdir()
        self.sshd = SshServer(root / "sshd", path=programs, env={"FAKE_DOCKER": str(self.docker), "HOME": str(home)})
        self.sshd.start()

    @property
    def inputs(self) -> Path:
        """What was sent."""
        return self.root / "host" / "autoresearch" / "inputs"

    def row(self, run_id: str) -> Path:
        """The first attempt's folder on the host."""
        return self.root / "host" / "autoresearch" / "runs" / run_id / "rows" / f"{CASE}.a1"

    def calls(self) -> list[list[str]]:
        """Command lines that the fake docker was given."""
        place = self.docker / "calls.jsonl"
        return [json.loads(line) for line in place.read_text().splitlines()] if place.exists() else []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One host for all tests of this file."""
    root = tmp_path_factory.mktemp("server")
    made = Server(root)
    yield made
    made.sshd.kill_all()
    end_rows(root)


Call = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def call(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run the command with one row of a batch of one; keywords change ``verl_case``, ``settings`` the server."""
    monkeypatch.setitem(rows.POLL_SECONDS, "ssh", 0.2)

    def called(*words: str, settings: dict[str, Any] | None = None, **keys: Any) -> tuple[int, dict[str, Any]]:
        case = {
            "task": "field-grpo",
            "plan": str(server.plan),
            "cache_root": str(tmp_path / "cache"),
            "row_timeout_seconds": 120,
            "ladder": {"batch_sizes": [1]},
            "telemetry": {"push": False},
            "keep_remote": "always",
            "dependencies": {"verl": {"path": str(server.verl), "mount": True}},
            **keys,
        }
        own = {**server.sshd.server_settings(server.root / "host"), **(settings or {})}
        path = tmp_path / "config.yaml"
        path.write_text(yaml.safe_dump({"version": 1, "servers": [own], "verl_case": case}))
        capsys.readouterr()
        code = run(["run", "verl-case", "--config", str(path), *words])
        result: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert result["exit_code"] == code
        return code, result

    return called


def lock_of(result: dict[str, Any], name: str) -> dict[str, Any]:
    """A lock of the sealed bundle."""
    folder = {"config": "4-config", "provenance": "5-provenance"}[name]
    content: dict[str, Any] = json.loads((Path(result["bundle"]) / folder / f"{name}.lock.json").read_text())
    return content


def run_name(word: str) -> str:
    """Rows of one name share a scratch folder: each process has its own."""
    return f"{word}-{os.getpid()}"


def test_what_a_plan_needs_reaches_the_host_and_the_row_runs_on_it_alone(server: Server, call: Call) -> None:
    code, result = call("--run-id", run_name("ssh"), "--skip-readiness")
    assert (code, result["experiment"].get("passed"), result["bundle_state"]) == (0, 1, "complete"), result
    bundle = Path(result["bundle"])
    assert verify(bundle).findings() == []
    lock = lock_of(result, "config")
    sent = {each.get("name") or each["role"]: each for each in lock["assets"]}
    assert set(sent) == {"release", "model", "plan", "code", "verl"}
    for each in sent.values():
        assert each["place"] == "remotes.test-host" and tree_sha256(Path(each["path"])) == each["tree_sha256"]
    plan = Path(sent["plan"]["path"])
    assert (plan / "plan.json").read_bytes() == (server.plan / "plan.json").read_bytes()
    there = sorted(path.name for path in (plan / "verdicts").iterdir())
    assert there == sorted(path.name for path in (bundle / "5-provenance" / "verdicts").iterdir())
    assert "host-rl.json" in there and "rollout.json" in there
    row = server.row(run_name("ssh"))
    described = json.loads((row / "row.json").read_text())
    told = json.dumps([described["argv"], described["env"]])
    told += "".join((row / name).read_text() for name in ("loop.yaml", "tools.yaml"))
    assert str(server.world.root) not in told and str(server.inputs) in told
    assert f"data.train_files={sent['release']['path']}/train.parquet" in described["argv"]
    assert described["env"]["PYTHONPATH"] == f"{sent['verl']['path']}:{sent['code']['path']}"
    program = "import autoresearch, importlib.metadata as m; print(autoresearch.__file__, *m.entry_points())"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": sent["code"]["path"], "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(sent["code"]["path"]) and "verl.plugins" in done.stdout


@pytest.mark.parametrize("algorithm", ["sft", "rloo"])
def test_no_path_of_this_machine_stays_in_a_plans_command_and_sources_are_in_both_locks(
    server: Server, call: Call, algorithm: str
) -> None:
    name = f"plan-{algorithm}"
    plan = server.world.sft_plan(name) if algorithm == "sft" else server.world.rl_plan(name, algorithm)
    ladder = {"batch_sizes": [1], "mini_batch": "batch"}
    code, result = call("--dry-run", task=f"field-{algorithm}", plan=str(plan), ladder=ladder)
    assert code == 0, result.get("message", result)
    (row,) = result["rows"]
    told = json.dumps([row["argv"], row["env"]])
    assert str(server.world.root) not in told and f"{server.inputs}/model-" in told
    assert row["argv"][0] == "python3"
    config, provenance = (json.loads(Path(each["path"]).read_text()) for each in result["locks"])
    assert [(each["name"], each["role"]) for each in provenance["repositories"]][1] == ("verl", "mounted")
    (source,) = [each for each in config["assets"] if each["role"] == "source"]
    assert source["tree_sha256"] == tree_sha256(server.verl, exclude=git_files(server.verl))
    code_path = next(each["path"] for each in config["assets"] if each["role"] == "code")
    assert row["env"]["PYTHONPATH"] == f"{source['path']}:{code_path}"


def git_files(tree: Path) -> list[str]:
    """What lies in ``.git``."""
    return [path.relative_to(tree).as_posix() for path in (tree / ".git").rglob("*")]


def test_in_a_container_the_row_sees_models_code_and_sources_read_only(server: Server, call: Call) -> None:
    code, result = call("--run-id", run_name("box"), "--skip-readiness", settings=DOCKER)
    assert (code, result["bundle_state"]) == (0, "complete"), result
    sent = {each.get("name") or each["role"]: each["path"] for each in lock_of(result, "config")["assets"]}
    (words,) = [words for words in server.calls() if words[:2] == ["run", "--rm"] and "--label" in words]
    for role in ("release", "model", "code", "verl"):
        assert f"{sent[role]}:{sent[role]}:ro" in words
    assert f"PYTHONPATH={sent['verl']}:{sent['code']}" in words
    assert lock_of(result, "config")["server"]["image"].startswith(f"{IMAGE}@sha256:")


def mine(server: Server, **changes: Any) -> None:
    """A container of the user's that runs, idle, with everything mounted."""
    digest = hashlib.sha256(IMAGE.encode()).hexdigest()
    found = {
        "name": "mine",
        "Id": "4f" * 32,
        "Image": "sha256:" + hashlib.sha256(f"{IMAGE}@sha256:{digest}".encode()).hexdigest(),
        "State": {"Running": True, "Pid": 0, "StartedAt": "2026-11-30T00:00:00Z"},
        "Config": {"Labels": {}},
        "Mounts": [{"Source": "/tmp", "Destination": "/tmp", "RW": True}],
        **changes,
    }
    (server.docker / "mine.json").write_text(json.dumps(found))


def test_a_named_container_is_checked_entered_recorded_and_left_running(
    server: Server, call: Call, tmp_path: Path
) -> None:
    words = ("--reuse-container", "mine", "--run-id", run_name("mine"), "--skip-readiness")
    mine(server, Image="sha256:other", Mounts=[])
    code, result = call(*words, settings=DOCKER)
    assert (code, [item["code"] for item in result["findings"]][-1]) == (2, "V337"), result
    assert "its image is" in result["message"] and "not mounted at the same path" in result["message"]
    assert not (tmp_path / "cache").exists()
    mine(server)
    code, result = call(*words, settings=DOCKER)
    assert (code, result["bundle_state"]) == (0, "complete"), result
    assert "V334" in [item["code"] for item in result["findings"]]
    assert lock_of(result, "config")["case"]["reuse_container"] == "mine"
    assert lock_of(result, "provenance")["environment"]["reused_container"] == {
        "name": "mine",
        "id": "4f" * 32,
        "image": json.loads((server.docker / "mine.json").read_text())["Image"],
        "mounts": ["/tmp:/tmp"],
        "started_at": "2026-11-30T00:00:00Z",
    }
    run_facts = json.loads((Path(result["bundle"]) / "5-provenance" / "run.json").read_text())
    assert run_facts["settings"]["container_reused"] == "mine"
    entered = [words for words in server.calls() if words[0] == "exec"]
    assert "device-op" in entered[0] and any("verl.trainer.main_ppo" in words for words in entered)
    assert not [words for words in server.calls() if words[0] in ("stop", "kill", "rm") and "mine" in words]


def test_nothing_is_sent_for_a_row_that_verl_would_refuse(server: Server, call: Call, tmp_path: Path) -> None:
    few = {"train_samples": 1, "ladder": {"batch_sizes": [1, 2]}}
    code, result = call("--run-id", run_name("few"), "--skip-readiness", settings=elsewhere(tmp_path), **few)
    assert code == 2 and "V206" in [item["code"] for item in result["findings"]], result
    assert sorted(path.name for path in (tmp_path / "elsewhere" / "autoresearch").iterdir()) == ["bin"]


def elsewhere(tmp_path: Path) -> dict[str, Any]:
    """Another work folder on the host."""
    return {"workdir": str(tmp_path / "elsewhere")}


def test_a_container_is_named_only_where_rows_run_in_one(server: Server, call: Call, tmp_path: Path) -> None:
    code, result = call("--reuse-container", "mine", "--skip-readiness")
    assert code == 2 and "run in no container" in result["message"] and not (tmp_path / "cache").exists()


def test_the_host_gate_is_asked_there_and_what_it_says_no_to_is_not_started(
    server: Server, call: Call, tmp_path: Path
) -> None:
    code, result = call("--run-id", run_name("gate"))  # the stub in verl's place is no verl that the plug-in fits
    assert (code, [item["code"] for item in result["findings"]]) == (2, ["V312"]), result
    assert "plug-in" in result["message"] or "seams" in result["message"]
    assert not (tmp_path / "cache").exists() and not server.row(run_name("gate")).parents[1].exists()
    assert not list((server.root / "host" / "autoresearch" / "gates").iterdir())


def test_the_stack_check_of_a_field_case_asks_the_host_gate_with_the_code_that_it_sends(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = server.sshd.server_settings(server.root / "host", **DOCKER)
    path = tmp_path / "config.yaml"
    case = {"task": "field-grpo", "plan": str(server.plan)}
    path.write_text(yaml.safe_dump({"version": 1, "servers": [own], "verl_case": case}))
    code = run(["check", "stack", "--config", str(path)])
    answer = json.loads(capsys.readouterr().out)
    assert code == 0, answer
    gate = answer["data"]["test-host"]["data"]["gate"]
    assert gate["ok"] and gate["data"]["verdict"]["settings"]["for"] == "rl" and gate["data"]["verdict"]["passed"]
    asked = next(words for words in server.calls() if "gate" in words)
    sent = next(word.removeprefix("PYTHONPATH=") for word in asked if word.startswith("PYTHONPATH="))
    assert asked[:2] == ["run", "--rm"] and Path(sent).parent == server.inputs and f"{sent}:{sent}:ro" in asked
    assert not list((server.root / "host" / "autoresearch" / "gates").iterdir())


def test_another_tree_in_the_place_of_an_input_stops_the_run(server: Server, call: Call, tmp_path: Path) -> None:
    digest = json.loads((server.plan / "plan.json").read_text())["settings"]["model_tree"]
    there = tmp_path / "elsewhere" / "autoresearch" / "inputs" / f"model-{digest[:16]}"
    shutil.copytree(server.world.model, there)
    (there / "config.json").write_text("{}")
    code, result = call("--run-id", run_name("changed"), "--skip-readiness", settings=elsewhere(tmp_path))
    assert (code, [item["code"] for item in result["findings"]][-1]) == (2, "V108"), result
    assert str(there) in result["message"] and not (tmp_path / "cache").exists()


@pytest.mark.parametrize("pinned", [True, False], ids=["another key than the pinned one", "a key that nobody pinned"])
def test_a_host_key_that_is_not_the_pinned_one_is_refused(
    server: Server, call: Call, tmp_path: Path, pinned: bool
) -> None:
    key = {"host_key": "SHA256:" + "A" * 43} if pinned else {"host_key": None}
    code, result = call("--run-id", run_name("key"), settings=key)
    assert (code, result["findings"][-1]["code"]) == (2, "V302" if pinned else "V301"), result
    assert server.sshd.fingerprint() in result["message"] and "host_key" in result["message"]
    assert not (tmp_path / "cache").exists()
