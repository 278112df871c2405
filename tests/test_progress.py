"""Progress: a bar on a terminal, a line every two seconds elsewhere."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from autoresearch import progress

COUNTED = """
from autoresearch import progress
with progress.bar("build: read", 50_000, "records") as bar:
    for _ in range(50_000):
        bar.advance()
"""


def test_a_terminal_shows_the_whole_count_however_often_it_advances() -> None:
    master, slave = pty.openpty()
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(progress.__file__).parents[1]),
        "COLUMNS": "120",
        "TERM": "xterm",
    }
    with subprocess.Popen([sys.executable, "-c", COUNTED], stderr=slave, env=environment) as process:
        os.close(slave)
        shown = b""
        try:
            while block := os.read(master, 1 << 16):
                shown += block
        except OSError:  # the other end is closed
            pass
        assert process.wait(timeout=60) == 0
    os.close(master)
    assert b"build: read" in shown
    assert b"50000/50000" in shown
    assert len(shown) < 200_000  # drawn some times a second, not once a record


def test_elsewhere_lines_hold_count_rate_and_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "MIN_SECONDS_BETWEEN_LINES", 0.0)
    with progress.bar("split: read", 4, "records") as bar:
        bar.advance(3)
    lines = [json.loads(line.removeprefix("__AR_PROGRESS__=")) for line in capsys.readouterr().err.splitlines()]
    assert [(line["stage"], line["done"], line["total"], line["unit"]) for line in lines] == [
        ("split: read", 3, 4, "records")
    ]
    assert lines[0]["eta_seconds"] >= 0


def test_what_is_soon_done_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.bar("split: read", None, "records") as bar:
        bar.advance(5)
    assert capsys.readouterr().err == ""
