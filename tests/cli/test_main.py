"""The command line: exit codes, one JSON object on stdout, messages on stderr, no traceback for a user's mistake."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autoresearch.cli.main import COMMANDS, GROUPS, run


def call(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "autoresearch", *words], capture_output=True, text=True, check=False)


def test_an_unknown_flag_is_exit_2_with_one_object_and_no_traceback() -> None:
    done = call("quickstart", "--nonsense", "1")
    assert done.returncode == 2
    assert json.loads(done.stdout)["status"] == "usage"
    assert "Traceback" not in done.stderr
    assert "--nonsense" in done.stderr


def test_a_missing_file_is_exit_2_and_names_it(tmp_path: Path) -> None:
    path = str(tmp_path / "gone.mapping.json")
    sheet = tmp_path / "a.csv"
    sheet.write_text("x\n1\n")
    done = call(
        "data",
        "preprocess",
        "--input",
        str(sheet),
        "--mapping",
        path,
        "--output",
        str(tmp_path / "o.json"),
        "--dataset",
        "d",
    )
    assert done.returncode == 2
    result = json.loads(done.stdout)
    assert result["status"] == "refused"
    assert "gone.mapping.json" in result["message"]
    assert "Traceback" not in done.stderr


def test_an_unknown_command_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["nonsense"]) == 2
    assert json.loads(capsys.readouterr().out)["exit_code"] == 2


@pytest.mark.parametrize("words", [["--help"], *([name, "--help"] for name in (*GROUPS, *COMMANDS))], ids=" ".join)
def test_every_group_has_help(words: list[str]) -> None:
    done = call(*words)
    assert done.returncode == 0, done.stderr
    assert "Usage" in done.stdout
