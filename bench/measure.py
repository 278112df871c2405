"""Times and memory of one action, and of a step that runs in a process of its own."""

from __future__ import annotations

import gc
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

MEBIBYTE = 1 << 20
LIBRARIES = ("polars", "pyarrow", "fastexcel", "sqlglot", "numpy", "bm25s")


class Cost(NamedTuple):
    """Seconds of the fastest run: on the clock, and of all cores together."""

    wall: float
    cpu: float

    def over(self, other: Cost) -> dict[str, float]:
        """This cost as a multiple of another."""
        return {"wall": round(self.wall / other.wall, 2), "cpu": round(self.cpu / other.cpu, 2)}

    def rate(self, count: int) -> dict[str, int]:
        """Things a second, and a second of one core."""
        return {"per_second": round(count / self.wall), "per_core_second": round(count / self.cpu)}

    def as_dict(self) -> dict[str, float]:
        """Seconds, rounded."""
        return {"wall": round(self.wall, 3), "cpu": round(self.cpu, 3)}


def best(action: Callable[[], object], repeats: int) -> Cost:
    """The cost of the fastest of ``repeats`` runs, clock and cores each for itself."""
    costs = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        action()
        costs.append((time.perf_counter() - wall, time.process_time() - cpu))
    return Cost(min(wall for wall, _ in costs), min(cpu for _, cpu in costs))


def in_turn(actions: Mapping[str, Callable[[], object]], rounds: int, together: int = 1) -> dict[str, list[Cost]]:
    """The cost of each action in each of ``rounds`` rounds, after one round that is not counted.

    The actions of a round follow each other, so that a change of the machine meets all of them; groups of ``together``
    neighbours change places from round to round. Garbage is collected between actions, not within them.
    """
    names = list(actions)
    groups = [names[at : at + together] for at in range(0, len(names), together)]
    costs: dict[str, list[Cost]] = {name: [] for name in names}
    for number in range(rounds + 1):
        for name in chain.from_iterable(groups if number % 2 else reversed(groups)):
            gc.collect()
            gc.disable()
            cost = best(actions[name], 1)
            gc.enable()
            if number:
                costs[name].append(cost)
    return costs


def spread(values: Sequence[float]) -> dict[str, float | int]:
    """Median, smallest and largest of measured values, and how many there are."""
    shown = {"median": median(values), "least": min(values), "most": max(values)}
    return {**{name: round(value, 4) for name, value in shown.items()}, "n": len(values)}


def peak_bytes() -> int:
    """The most memory that this process held at one time (Linux)."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def child(program: Path, arguments: Sequence[object]) -> dict[str, Any]:
    """The JSON object that a program prints last, run in a new process. Raises ``RuntimeError`` when it fails."""
    command = [sys.executable, str(program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def environment(libraries: Sequence[str] = LIBRARIES) -> dict[str, Any]:
    """What the numbers depend on besides the code; on a busy machine they are worse."""
    return {
        "load_average": round(os.getloadavg()[0], 1),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        **{name: version(name) for name in libraries},
    }


def publish(figure: str, results: Sequence[Mapping[str, Any]], whole: bool, output: Path | None) -> int:
    """Print a figure of formal-case.md 17 as one JSON object, write it to ``output`` if given; the exit code: 1 when
    one of the ``results`` is not ``ok``. ``whole`` is false when less was measured than the figure asks for.
    """
    ok = all(each["ok"] for each in results)
    found = {"figure": figure, "ok": ok, "whole": whole, "environment": environment(()), "results": list(results)}
    text = json.dumps(found, indent=2)
    print(text)
    if output is not None:
        output.write_text(text + "\n", encoding="utf-8")
    return 0 if ok else 1
