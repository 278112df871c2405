"""Figure B9 of formal-case.md 17: `run verl-case --dry-run` below 2 s without network, `--help` below 0.5 s.

Each is started as a user starts it, in a new process, ten times; the median counts. Where the system allows it the
process has no network at all (`unshare`). Run it when nothing else runs: `make bench-B9`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "cli")]

from case_calls import CaseFile  # noqa: E402
from made_field_plans import FieldWorld  # noqa: E402  # its folder is named by case_calls
from measure import publish, spread  # noqa: E402

LIMITS = {"run verl-case --dry-run": 2.0, "--help": 0.5, "run verl-case --help": 0.5}
REPEATS = 10


def no_network() -> list[str]:
    """Words before a command that take its network away; none where the system does not allow it."""
    words = ["unshare", "--map-root-user", "--net"]
    there = shutil.which("unshare") is not None
    return words if there and subprocess.run([*words, "true"], capture_output=True).returncode == 0 else []


def seconds(command: Sequence[str], repeats: int) -> tuple[list[float], list[float]]:
    """Seconds on the clock and of all cores, of each run. Raises ``RuntimeError`` when the command fails."""
    walls, cores = [], []
    for _ in range(repeats):
        before, began = os.times(), time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        walls.append(time.perf_counter() - began)
        after = os.times()
        cores.append(after.children_user - before.children_user + after.children_system - before.children_system)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr[-2000:]}")
    return walls, cores


def measure(root: Path, repeats: int) -> list[dict[str, Any]]:
    """The cost of each command of ``LIMITS``."""
    config = CaseFile(root, FieldWorld(root / "world").rl_plan("rl"))()
    cut = no_network()
    results = []
    for name, limit in LIMITS.items():
        words = [*name.split(), *(["--config", str(config)] if "--dry-run" in name else [])]
        command = [*cut, sys.executable, "-m", "autoresearch", *words]
        seconds(command, 1)  # byte-code and the page cache
        walls, cores = seconds(command, repeats)
        wall = spread(walls)
        results.append(
            {
                "command": name,
                "ok": wall["median"] < limit,
                "limit_seconds": limit,
                "seconds": wall,
                "core_seconds": spread(cores),
                "network": "none" if cut else "not used, not taken away",
            }
        )
    return results


def main() -> int:
    """Measure, print, and say by the exit code whether the limits hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=REPEATS, help="runs of each command")
    parser.add_argument("--output", type=Path, help="write the numbers there too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = measure(Path(folder), given.repeats)
    return publish("B9", results, given.repeats >= REPEATS, given.output)


if __name__ == "__main__":
    sys.exit(main())
