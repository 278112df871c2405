"""The container of a row, from outside: its id, its memory kills, its end (formal-case.md 6.2, 6.4).

Every command line comes from ``row.json``, composed in ``hosts.containers``. A container is touched by its name, and
only when it carries the labels of this run and row: a stranger's of the same name is left alone. Standard library only,
Python 3.8 grammar.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Sequence  # noqa: UP035 - Python 3.8 on hosts

from autoresearch.runner.machine import oom_kills
from autoresearch.runner.row_file import Row

RUN_LABEL, ROW_LABEL = "autoresearch.run", "autoresearch.row"
ASK_SECONDS = 10.0
NO_SUCH = b"no such"


class ContainerWatch:
    """Follows the container named in ``row.json``; does nothing where there is none."""

    def __init__(self, row: Row) -> None:
        self.container = container = row.container
        self._labels = None if container is None or container.reused else {RUN_LABEL: row.run_id, ROW_LABEL: row.row}
        self.id: str | None = None
        self.pid: int | None = None
        self.image: str | None = None
        self.oom: dict[str, Any] = {}
        self.adopted = False
        self._waiting: subprocess.Popen[bytes] | None = None

    def look(self) -> str | None:
        """The container's id, once, when it is first seen; its memory counter is read at every call."""
        if self.container is None:
            return None
        if self.pid is not None:
            number = oom_kills(self.pid)["cgroup"]
            if number is not None:
                self.oom["container"] = number
            return None
        state = self._state(_run(self.container.inspect))
        if state is None:
            return None
        self.id, self.pid, self.image = state["Id"], int(state["State"]["Pid"]), state.get("Image")
        return self.id

    def alive(self) -> bool | None:
        """Whether the container runs now; None when the daemon does not answer."""
        if self.container is None:
            return False
        answer = _run(self.container.inspect)
        if answer is None or (answer.returncode and NO_SUCH not in answer.stderr.lower()):
            return None
        return self._state(answer) is not None

    def _state(self, answer: subprocess.CompletedProcess[bytes] | None) -> dict[str, Any] | None:
        """What ``docker inspect`` tells of a container that runs and is ours."""
        state = _object(answer.stdout) if answer is not None and answer.returncode == 0 else None
        if state is None or not state["State"].get("Running"):
            return None
        labels = (state.get("Config") or {}).get("Labels") or {}
        wanted = self._labels or {}
        return state if all(labels.get(name) == value for name, value in wanted.items()) else None

    def _may_touch(self) -> bool:
        alive = self.alive()
        return self.container is not None and (alive is True or (alive is None and self.id is not None))

    def adopt(self, since_epoch_ms: int) -> subprocess.Popen[bytes] | None:
        """The client has gone and the container lives: follow its output from ``since_epoch_ms`` on.

        The process whose stdout is that output, or None when the container is not ours, has ended, or was taken over
        before (a client that cannot stay gets no second chance).
        """
        container = self.container
        if container is None or container.reused or self.adopted or self.id is None or not self.alive():
            return None
        self.adopted = True
        pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
        self._waiting = subprocess.Popen(list(container.wait), stdin=quiet, stdout=pipe, stderr=quiet)
        logs = [*container.logs, f"{since_epoch_ms / 1000:.3f}", container.name]
        return subprocess.Popen(
            logs, stdin=quiet, stdout=pipe, stderr=subprocess.STDOUT, start_new_session=True, bufsize=0
        )

    def exit_code(self, client: int) -> int:
        """The exit code of the row: that of an adopted container, else the client's."""
        if self._waiting is None:
            return client
        try:
            out, _ = self._waiting.communicate(timeout=ASK_SECONDS)
        except subprocess.TimeoutExpired:
            self._waiting.kill()
            return client
        text = out.decode("ascii", "replace").strip()
        return int(text) if text.isdigit() else client

    def holds(self, pid: int) -> bool:
        """True when the process ran inside this container, which is ours alone."""
        if self.id is None or self.container is None or self.container.reused:
            return False
        try:
            return self.id in Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8")
        except OSError:
            return False

    def stop(self) -> subprocess.Popen[bytes] | None:
        """Begin ``docker stop -t 20``; the process to wait for, or None."""
        if self.container is None or not self._may_touch():
            return None
        return _start(self.container.stop)

    def kill(self) -> None:
        """``docker kill``."""
        if self.container is not None and self._may_touch():
            _run(self.container.kill)

    def remove(self) -> None:
        """Make sure that nothing of the row is left in or of the container when the row ends."""
        if self.container is not None and self._may_touch():
            _run(self.container.remove)

    def facts(self) -> dict[str, Any] | None:
        """For ``result.json``."""
        if self.container is None:
            return None
        return {
            "name": self.container.name,
            "id": self.id,
            "image": self.image,
            "reused": self.container.reused,
            "adopted": self.adopted,
        }


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(data.decode("utf-8", "replace"))
    except ValueError:
        return None
    if not isinstance(content, list) or not content or not isinstance(content[0], dict):
        return None
    return content[0] if isinstance(content[0].get("State"), dict) else None


def _run(argv: Sequence[str]) -> subprocess.CompletedProcess[bytes] | None:
    try:
        return subprocess.run(list(argv), stdin=subprocess.DEVNULL, capture_output=True, timeout=ASK_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None


def _start(argv: Sequence[str]) -> subprocess.Popen[bytes] | None:
    quiet = subprocess.DEVNULL
    try:
        return subprocess.Popen(list(argv), stdin=quiet, stdout=quiet, stderr=quiet)
    except OSError:
        return None
