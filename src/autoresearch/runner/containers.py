"""The container of a row, from outside: its id, its memory kills, its end (formal-case.md 6.2, 6.4).

Every command line comes from ``row.json``, composed in ``hosts.containers``; a container is touched by its name only,
which no other row has. Standard library only, Python 3.8 grammar.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Sequence  # noqa: UP035 - Python 3.8 on hosts

from autoresearch.runner.machine import oom_kills
from autoresearch.runner.row_file import Container

ASK_SECONDS = 10.0


class ContainerWatch:
    """Follows the container named in ``row.json``; does nothing where there is none."""

    def __init__(self, container: Container | None) -> None:
        self.container = container
        self.id: str | None = None
        self.pid: int | None = None
        self.image: str | None = None
        self.oom: dict[str, Any] = {}

    def look(self) -> str | None:
        """The container's id, once, when it is first seen; its memory counter is read at every call."""
        if self.container is None:
            return None
        if self.pid is not None:
            number = oom_kills(self.pid)["cgroup"]
            if number is not None:
                self.oom["container"] = number
            return None
        state = inspect(self.container.inspect)
        if state is None or not state["State"].get("Running"):
            return None
        self.id, self.pid, self.image = state["Id"], int(state["State"]["Pid"]), state.get("Image")
        return self.id

    def running(self) -> bool:
        """True when the container is ours and alive now."""
        state = inspect(self.container.inspect) if self.container is not None else None
        return state is not None and bool(state["State"].get("Running"))

    def holds(self, pid: int) -> bool:
        """True when the process ran inside this container."""
        if self.id is None:
            return False
        try:
            return self.id in Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8")
        except OSError:
            return False

    def stop(self) -> subprocess.Popen[bytes] | None:
        """Begin ``docker stop -t 20``; the process to wait for, or None."""
        if self.container is None:
            return None
        return _start(self.container.stop)

    def kill(self) -> None:
        """``docker kill``."""
        if self.container is not None:
            _ask(self.container.kill)

    def remove(self) -> None:
        """Make sure that nothing of the container is left when the row ends (``docker rm --force``)."""
        if self.container is not None and (self.id is not None or self.running()):
            _ask(self.container.remove)

    def facts(self) -> dict[str, Any] | None:
        """For ``result.json``."""
        if self.container is None:
            return None
        return {"name": self.container.name, "id": self.id, "image": self.image}


def inspect(argv: Sequence[str]) -> dict[str, Any] | None:
    """The one object of a ``docker inspect``; None when there is no such container or no answer."""
    text = _ask(argv)
    try:
        content = json.loads(text) if text else None
    except ValueError:
        return None
    if not isinstance(content, list) or not content or not isinstance(content[0], dict):
        return None
    return content[0] if isinstance(content[0].get("State"), dict) else None


def _ask(argv: Sequence[str]) -> str | None:
    try:
        done = subprocess.run(list(argv), stdin=subprocess.DEVNULL, capture_output=True, timeout=ASK_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def _start(argv: Sequence[str]) -> subprocess.Popen[bytes] | None:
    quiet = subprocess.DEVNULL
    try:
        return subprocess.Popen(list(argv), stdin=quiet, stdout=quiet, stderr=quiet)
    except OSError:
        return None
