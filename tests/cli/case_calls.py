"""``run verl-case`` as a user calls it: a field case on this machine, with a stub in verl's place."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.append(str(Path(__file__).parents[1] / "cases"))
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from autoresearch.cli.main import run

STUB = Path(__file__).parents[1] / "fixtures" / "stub_verl"


class CaseFile:
    """Writes a config that keeps everything below ``root``."""

    def __init__(self, root: Path, plan: Path) -> None:
        self.root, self.plan = root, plan

    def __call__(self, more: str = "", **keys: Any) -> Path:
        """The file; keywords change ``verl_case``, None takes a key out, ``more`` is text behind it."""
        case = {
            "task": "field-grpo",
            "plan": str(self.plan),
            "cache_root": str(self.root / "cache"),
            "row_timeout_seconds": 120,
            "ladder": {"batch_sizes": [1, 2]},
            "telemetry": {"push": False},
            **keys,
        }
        case = {name: value for name, value in case.items() if value is not None}
        server = {"name": "local", "kind": "local", "accelerator": "cpu", "workdir": str(self.root / "host")}
        path = self.root / "config.yaml"
        path.write_text(yaml.safe_dump({"version": 1, "servers": [server], "verl_case": case}) + more)
        return path


def called(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    """Exit code and the result object, which is all of stdout."""
    code, content, _ = heard(capsys, *words)
    return code, content


def heard(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any], str]:
    """The same, with what was said on stderr but for progress."""
    capsys.readouterr()
    code = run(["run", "verl-case", *words])
    shown = capsys.readouterr()
    content: dict[str, Any] = json.loads(shown.out)
    assert content["exit_code"] == code
    said = [line for line in shown.err.splitlines(keepends=True) if not line.startswith("__AR_PROGRESS__=")]
    return code, content, "".join(said)
