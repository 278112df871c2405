"""What ``run verl-case`` refuses before its first row: exit 2, one message with the remedy, nothing written (20.2-7).

The changed host key is in ``test_case_hosts``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from case_calls import STUB, CaseFile, called, heard

Shown = dict[str, Any]
SECRET = "hunter2"


def files(root: Path) -> dict[str, bytes]:
    """Everything below a folder but the runner, which readiness puts on every server."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.parent.name != "bin"
    }


def refused(capsys: pytest.CaptureFixture[str], root: Path, code: str, *words: str) -> Shown:
    """The result of a call that is refused with that code, by one message, and that writes nothing below ``root``."""
    before = files(root)
    exit_code, result, said = heard(capsys, *words)
    assert (exit_code, result["status"], result["ok"], result["bundle"]) == (2, "refused", False, None), result
    assert said == f"run verl-case: {result['message']}\n" and "Traceback" not in said
    found = next(item for item in result["findings"] if item["code"] == code)
    assert found["remedy"] and found["remedy"] in result["message"] and result["message"].count(code) == 1
    assert files(root) == before and not (root / "cache").exists()
    return result


@pytest.mark.parametrize(
    ("keys", "more", "code"),
    [
        ({"modes": "training"}, "", "V101"),
        ({}, "network: {proxy_url: 'http://127.0.0.1:1', proxy: x}\n", "V101"),
        ({"group_size": 1}, "", "V203"),
        ({"train_samples": 1}, "", "V206"),
    ],
    ids=["unknown key", "unknown key of the network", "n of a plan", "too few samples"],
)
def test_a_config_that_cannot_be_run_is_refused(
    write_config: CaseFile,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    keys: dict[str, Any],
    more: str,
    code: str,
) -> None:
    result = refused(capsys, tmp_path, code, "--config", str(write_config(more, **keys)), "--skip-readiness")
    if "modes" in keys:
        assert "write mode" in result["message"]


def test_two_steps_are_too_few(write_config: CaseFile, capsys: pytest.CaptureFixture[str]) -> None:
    code, result = called(capsys, "--config", str(write_config(training_steps=2)))
    assert code == 2 and "training_steps: 2" in result["message"]


def test_a_literal_secret_is_refused_and_never_repeated(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_config()
    content = yaml.safe_load(path.read_text())
    content["servers"][0]["password"] = SECRET
    path.write_text(yaml.safe_dump(content))
    assert SECRET not in json.dumps(refused(capsys, tmp_path, "V102", "--config", str(path)))


def test_another_verl_is_refused(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other" / "verl-0.8.0.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: verl\nVersion: 0.8.0\n")
    path = write_config()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(other.parent), str(STUB)]))
    result = refused(capsys, tmp_path, "V310", "--config", str(path), "--skip-readiness")
    assert "0.8.0" in result["message"] and "0.9.1" in result["message"]
    assert result["steps"][0]["status"] == "fail" and result["steps"][0]["diagnosis"] == result["message"]


@pytest.mark.parametrize(("keys", "code"), [({"group_size": 1}, "V201"), ({}, "V105")], ids=["n 1", "no model"])
def test_a_geometry3k_case_is_refused_before_anything_is_fetched(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str], keys: dict[str, Any], code: str
) -> None:
    path = write_config(task="geo3k-grpo", plan=None, **keys)
    registry = (Path(__file__).parents[2] / "config" / "data.example.yaml").read_text()
    (tmp_path / "data.yaml").write_text(registry.replace("~/autoresearch-data", str(tmp_path / "assets")))
    refused(capsys, tmp_path, code, "--config", str(path), "--skip-readiness", "--offline")


@pytest.mark.parametrize("held", ["sealed", "open", "only begun"])
def test_a_taken_run_id_is_refused_and_what_is_there_is_not_touched(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str], held: str
) -> None:
    name = f"taken-{os.getpid()}"
    folder = tmp_path / "bundles" / {"sealed": name, "open": f".{name}.partial", "only begun": f".{name}.work"}[held]
    folder.mkdir(parents=True)
    (folder / "run.json").write_text("{}")
    path = write_config(artifact_root=str(tmp_path / "bundles"))
    refused(capsys, tmp_path, "V601", "--config", str(path), "--run-id", name, "--skip-readiness")
    assert [each.name for each in (tmp_path / "bundles").iterdir()] == [folder.name]


@pytest.mark.parametrize("flag", ["--config", "--data-config"])
def test_a_file_that_is_not_there_is_refused(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str
) -> None:
    words = {"--config": str(write_config()), flag: str(tmp_path / "absent.yaml")}
    result = refused(capsys, tmp_path, "V112", *(word for pair in words.items() for word in pair))
    assert flag in result["message"] and "absent.yaml" in result["message"]


@pytest.mark.parametrize("kind", ["missing", "no git tree"])
def test_a_dependency_that_is_no_working_tree_is_refused(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    if kind != "missing":
        (tmp_path / "verl").mkdir()
    path = write_config(dependencies={"verl": {"path": str(tmp_path / "verl")}})
    refused(capsys, tmp_path, "V336", "--config", str(path), "--skip-readiness")


@pytest.mark.parametrize("flags", [["--resume"], ["--collect-only"], ["--rerun", "x"], ["--seal"]], ids=" ".join)
def test_flags_that_need_others_say_so(
    write_config: CaseFile, capsys: pytest.CaptureFixture[str], flags: list[str]
) -> None:
    code, result = called(capsys, "--config", str(write_config()), *flags)
    assert code == 2 and flags[0] in result["message"]
