"""Facts of the host that a row needs: limits, out-of-memory counters, free disk, and whether the clock stepped.

Standard library only, Python 3.8 grammar; Linux. What the system does not tell is None, never 0.
"""

from __future__ import annotations

import os
import platform
import resource
import shutil
import sys
from pathlib import Path
from typing import Any

CLOCK_STEP_MS = 1000
LIMITS = {
    "nofile": "RLIMIT_NOFILE",
    "memlock": "RLIMIT_MEMLOCK",
    "nproc": "RLIMIT_NPROC",
    "stack": "RLIMIT_STACK",
    "core": "RLIMIT_CORE",
}


def ulimits() -> dict[str, list[int]]:
    """Soft and hard limit of this process by name; -1 is unlimited."""
    return {name: list(resource.getrlimit(getattr(resource, constant))) for name, constant in LIMITS.items()}


def versions() -> dict[str, str]:
    """What runs here: Python, kernel, architecture."""
    return {"python": sys.version.split()[0], "kernel": platform.release(), "machine": platform.machine()}


def free_disk_bytes(path: Path) -> int | None:
    """Free bytes for this user where ``path`` is."""
    try:
        return shutil.disk_usage(str(path)).free
    except OSError:
        return None


def _cgroup_files(pid: int) -> list[Path]:
    try:
        lines = Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            found.append(Path("/sys/fs/cgroup" + path, "memory.events"))
        elif "memory" in controllers.split(","):
            found.append(Path("/sys/fs/cgroup/memory" + path, "memory.oom_control"))
    return found


def _counter(path: Path, name: str) -> int | None:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return None
    for line in text.splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == name and words[1].isdigit():
            return int(words[1])
    return None


def oom_kills(pid: int) -> dict[str, int | None]:
    """``oom_kill`` of the control group of ``pid`` and of the whole machine (``/proc/vmstat``)."""
    group = [number for path in _cgroup_files(pid) for number in [_counter(path, "oom_kill")] if number is not None]
    return {"cgroup": max(group) if group else None, "machine": _counter(Path("/proc/vmstat"), "oom_kill")}


class ClockWatch:
    """Notices that the wall clock moved against the monotonic one (formal-case.md 18, fault 10)."""

    def __init__(self, epoch_ms: int, mono_ms: int) -> None:
        self._difference = epoch_ms - mono_ms
        self.steps: list[dict[str, Any]] = []

    def look(self, epoch_ms: int, mono_ms: int) -> int | None:
        """The step in milliseconds since the last look, if it is a second or more; it is kept in ``steps``."""
        moved = epoch_ms - mono_ms - self._difference
        if abs(moved) < CLOCK_STEP_MS:
            return None
        self._difference += moved
        self.steps.append({"mono_ms": mono_ms, "epoch_ms": epoch_ms, "step_ms": moved})
        return moved


def make_ballast(path: Path, size: int) -> None:
    """Reserve ``size`` bytes on the disk. Raises ``OSError`` when they are not there."""
    if size <= 0:
        return
    with path.open("wb") as handle:
        try:
            os.posix_fallocate(handle.fileno(), 0, size)
        except OSError as error:
            import errno

            if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
                raise
            for _ in range(0, size, 1 << 20):
                handle.write(b"\1" * min(size, 1 << 20))
