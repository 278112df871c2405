"""``config secret`` and ``config show``: secrets go into the keyring and are never shown (formal-case.md 3)."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import keyring.backend
import keyring.errors
import pytest

from autoresearch.assets.settings import SecretRef
from autoresearch.cli.main import run


class Memory(keyring.backend.KeyringBackend):
    """A keyring in memory."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[(service, username)] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.held.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError("no such password")


@pytest.fixture(autouse=True)
def memory() -> Iterator[Memory]:
    before = keyring.get_keyring()
    made = Memory()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any], str]:
    code = run(words)
    captured = capsys.readouterr()
    return code, json.loads(captured.out), captured.out + captured.err


def test_a_secret_is_stored_found_by_its_reference_and_removed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("s3cr3t-word\n"))
    code, answer, shown = called(capsys, "config", "secret", "npu-a")
    assert code == 0 and answer["reference"] == "<keyring:npu-a>" and "s3cr3t" not in shown
    assert SecretRef("<keyring:npu-a>").resolve() == "s3cr3t-word"
    assert called(capsys, "config", "secret", "npu-a", "--delete")[0] == 0
    code, answer, _ = called(capsys, "config", "secret", "npu-a", "--delete")
    assert code == 2 and "no such password" in answer["message"]


def test_nothing_and_an_illegal_name_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert called(capsys, "config", "secret", "npu-a")[0] == 2
    assert "letters" in called(capsys, "config", "secret", "a b")[1]["message"]


def test_the_config_is_shown_with_references_and_without_secrets(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, memory: Memory
) -> None:
    memory.set_password("autoresearch", "npu-a", "s3cr3t-word")
    path = tmp_path / "config.yaml"
    path.write_text("servers: [{name: a, host: h.example, workdir: /w, password: <keyring:npu-a>}]\n")
    code, answer, shown = called(capsys, "config", "show", "--config", str(path))
    assert code == 0 and answer["config"]["servers"][0]["password"] == "<keyring:npu-a>"
    assert answer["config"]["services"]["pushgateway"]["remote_port"] == 17891 and "s3cr3t" not in shown
