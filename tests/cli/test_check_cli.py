"""``autoresearch check``: one JSON object, exit 0 or 1 (formal-case.md 2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autoresearch.cli.main import run


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("AUTORESEARCH_CONFIG", raising=False)


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = run(words)
    return code, json.loads(capsys.readouterr().out)


def test_without_a_config_this_machine_is_the_server(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = called(capsys, "check", "hardware")
    assert code == 0 and answer["ok"] and answer["data"]["local"]["data"]["accelerator"] in ("cpu", "nvidia", "ascend")
    code, answer = called(capsys, "check", "config")
    assert code == 0 and answer["data"]["servers"] == ["local"]


def test_a_secret_that_cannot_be_looked_up_fails_the_config(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    server = "{name: a, host: h.example, workdir: /w, password: <env:AR_ABSENT_SECRET>}"
    (tmp_path / "c.yaml").write_text(f"servers: [{server}]\n")
    code, answer = called(capsys, "check", "config", "--config", "c.yaml")
    assert code == 1 and answer["data"]["unset"] == ["<env:AR_ABSENT_SECRET>"]


def test_a_broken_config_skips_the_other_checks_and_names_the_key(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "c.yaml").write_text("servrs: []\n")
    code, answer = called(capsys, "check", "all", "--config", "c.yaml")
    assert code == 1 and answer["data"]["counts"] == {"checked": 1, "warned": 0, "failed": 1}
    assert answer["findings"][0]["code"] == "V101"


def test_a_server_that_does_not_answer_fails_its_check_and_no_other(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "c.yaml").write_text(
        "servers: [{name: gone, host: 127.0.0.1, port: 9, workdir: /w}, {name: here, kind: local, workdir: ./w}]\n"
    )
    code, answer = called(capsys, "check", "hardware", "--all", "--config", "c.yaml")
    assert code == 1 and not answer["data"]["gone"]["ok"] and answer["data"]["here"]["ok"]


def test_an_unknown_server_is_refused_with_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = called(capsys, "check", "stack", "--server", "npu-z")
    assert code == 2 and "it has local" in answer["message"]
