"""The commands of a formal case in a process that can import no trainer and no W&B (formal-case.md 20.2-10)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from case_calls import CaseFile
from hub_stub import write_model
from test_assets_cli import FILE
from test_services import config as services_config
from test_services import images

from autoresearch.hosts.local_services import HEALTH

PROGRAM = """
import json, sys
from importlib.machinery import PathFinder

class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] in ABSENT else super().find_spec(name, path, target)

ABSENT = set(json.loads(sys.argv[1]))
sys.meta_path[sys.meta_path.index(PathFinder)] = Finder
import autoresearch
from autoresearch.cli.main import run
for words in json.loads(sys.argv[2]):
    code = run(words)
    print(f"\\n=== {code}", flush=True)
loaded = sorted(ABSENT & {name.split(".")[0] for name in sys.modules})
assert not loaded, loaded
"""
GRADING = Path(__file__).parents[2] / "examples" / "steel" / "small" / "standards" / "steel.grading.json"
TRAINER = ["torch", "ray", "verl", "wandb"]
Ask = Callable[..., list[tuple[int, dict[str, Any]]]]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Exit code and answer of each command, all in one process without the packages of ``absent``."""

    def ask(absent: list[str], *commands: list[str]) -> list[tuple[int, dict[str, Any]]]:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, json.dumps(absent), json.dumps(commands)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path / "home")},
        )
        assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr[-3000:]
        parts = done.stdout.split("\n=== ")
        codes = [int(part.partition("\n")[0]) for part in parts[1:]]
        texts = [parts[0], *(part.partition("\n")[2] for part in parts[1:-1])]
        return list(zip(codes, map(json.loads, texts), strict=True))

    return ask


def test_every_command_of_a_case_works_without_torch_ray_verl_and_wandb(
    ask: Ask, write_config: CaseFile, tmp_path: Path
) -> None:
    config = ["--config", str(write_config(ladder={"batch_sizes": [1]}))]
    name = f"bare-{os.getpid()}"
    bundle = tmp_path / "cache" / "runs" / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "key")], check=True)
    (tmp_path / "signers").write_text(f"me {(tmp_path / 'key.pub').read_text()}")
    answers = ask(
        TRAINER,
        ["config", "init", "--dir", "new", "--kind", "local"],
        ["config", "show", *config],
        ["check", "config", *config],
        ["check", "hardware", *config],
        ["check", "network", *config],
        ["check", "reach", *config],
        ["services", "status", *config],
        ["assets", "list", "--data-config", "new/data.yaml"],
        ["run", "verl-case", *config, "--dry-run"],
        ["run", "verl-case", *config, "--run-id", name, "--skip-readiness"],
        ["bundle", "verify", str(bundle)],
        ["bundle", "restore", str(bundle), "--to", "restored", "--only", "report", "--rehearse"],
        ["report", "check", str(bundle)],
        ["report", "render", "--bundle", str(bundle), "--out", "page.html"],
        ["check", "services", *config],
        ["check", "stack", *config],
        ["check", "all", *config],
        ["run", "smoke", *config, "--seconds", "1", "--run-id", f"{name}-smoke"],
        ["run", "verl-case", *config, "--run-id", f"{name}-b", "--skip-readiness"],
        ["bundle", "merge", str(bundle), f"{bundle}-b", "--out", "merged"],
        ["bundle", "sign", "merged", "--key", "key"],
        ["bundle", "verify", "merged", "--allowed-signers", "signers", "--signer", "me"],
    )
    told = [(answer["command"], code, answer.get("message")) for code, answer in answers]
    # No service runs and no hub is reached here; the stub writes no W&B run.
    answer_no = {"services status", "check network", "check all", "report check"}
    wrong = [each for each in told if each[1] > (each[0] in answer_no)]
    assert not wrong, json.dumps(wrong)
    assert answers[9][1]["bundle_state"] == "complete" and (tmp_path / "page.html").is_file()


def test_the_commands_of_services_and_assets_work_without_them_too(
    ask: Ask, healthy: str, docker: Callable[..., list[dict[str, Any]]], tmp_path: Path
) -> None:
    docker()
    (tmp_path / "data.yaml").write_text(FILE.format(root=tmp_path / "root"), encoding="utf-8")
    config = ["--config", str(services_config(tmp_path, **dict.fromkeys(HEALTH, healthy)))]
    folder = ["--dir", str(tmp_path / "services")]
    answers = ask(
        TRAINER,
        ["services", "start", *config, *folder, "--images", str(images(tmp_path))],
        ["services", "status", *config],
        ["services", "stop", *config, *folder],
        ["assets", "register", "tiny", "--path", str(write_model(tmp_path / "weights")), *config],
        ["assets", "fetch", "tiny", "--offline", *config],
        ["assets", "verify", *config],
        ["assets", "discover", *config],
        ["config", "validate", str(GRADING)],
        ["config", "schemas", "--out", "schemas"],
    )
    wrong = [(answer["command"], answer.get("message")) for code, answer in answers if code != 0]
    assert not wrong and len(docker()) == 2


def test_an_optional_package_that_is_missing_is_named_with_its_install_line_before_anything_runs(
    ask: Ask, write_config: CaseFile, tmp_path: Path
) -> None:
    config = str(write_config())
    away = tmp_path / "away.yaml"
    away.write_text("servers: [{name: a, host: h.example, workdir: /w, password: <env:HOME>}]\n")
    answers = ask(
        ["asyncssh", "keyring", "bokeh"],
        ["run", "verl-case", "--config", config, "--skip-readiness"],
        ["run", "verl-case", "--config", str(away), "--dry-run"],
        ["config", "secret", "npu-a"],
    )
    wanted = [("bokeh", "report"), ("asyncssh", "hosts"), ("keyring", "hosts")]
    for (code, answer), (package, extra) in zip(answers, wanted, strict=True):
        assert code == 2 and package in answer["message"], answer
        assert f"pip install 'autoresearch[{extra}]'" in answer["message"]
    assert not (tmp_path / "cache").exists()
