"""The bench of rows runs and says what it measured; no time is judged (formal-case.md 17: B3, B8)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

BENCH = Path(__file__).parents[2] / "bench" / "rows.py"


def figure(*words: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, BENCH, *words], capture_output=True, text=True, timeout=120)
    printed: dict[str, Any] = json.loads(done.stdout)
    assert printed["figure"] == words[0]
    (found,) = printed["results"]
    return dict(found)


def test_the_log_bench_compares_every_byte() -> None:
    found = figure("B3", "--seconds", "0.5")
    assert found["same_bytes"] is True and found["bytes"] > 10_000_000
    assert found["longest_write_ms"] > 0 and found["index_lines"] >= 1


def test_the_bookkeeping_bench_tells_both_ends() -> None:
    found = figure("B8", "--times", "1")
    assert found["n"] == 1 and found["before_seconds"] > 0 and found["after_seconds"] > 0
    assert found["ok"] is True
