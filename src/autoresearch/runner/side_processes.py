"""Samplers and pusher beside a trainer: processes of their own, restarted up to three times (formal-case.md 6.2, 10.2).

A slow push or a slow ``npu-smi`` delays nothing but itself. Standard library only, Python 3.8 grammar.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Sequence  # noqa: UP035 - Python 3.8 on hosts

RESTARTS = 3
STOP_SECONDS = 5.0


class SideProcess:
    """One program beside the trainer. It ends by itself on TERM; after 5 s it is killed."""

    def __init__(self, name: str, argv: Sequence[str], folder: Path) -> None:
        self.name = name
        self.argv = list(argv)
        self.folder = folder
        self.restarts = 0
        self.exit_code: int | None = None
        self.seconds: float | None = None
        """User and system time of the process, when it has ended and been waited for."""
        self._given_up = False
        self._child = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with (self.folder / "launcher.log").open("ab") as log:
            return subprocess.Popen(self.argv, cwd=str(self.folder), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def check(self) -> str | None:
        """Restart it when it died; what happened as one line, or None while all is well."""
        code = self._child.poll()
        if code is None or self._given_up:
            return None
        if self.restarts >= RESTARTS:
            self._given_up = True
            self.exit_code = code
            return f"{self.name} ended with exit code {code}; it was restarted {RESTARTS} times and is left alone"
        self.restarts += 1
        self._child = self._start()
        return f"{self.name} ended with exit code {code}; restart {self.restarts} of {RESTARTS}"

    def stop(self) -> None:
        """TERM, 5 s, KILL; the processor time it took is kept."""
        self._child.terminate()
        try:
            self._child.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self.exit_code = self._child.returncode

    def facts(self) -> dict[str, object]:
        """For ``result.json``."""
        return {"name": self.name, "restarts": self.restarts, "exit_code": self.exit_code}


class RoundCounter:
    """Counts rounds in a growing sample file: JSON lines, or the stamp lines of raw ``npu-smi`` text."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rounds = 0
        self._mark = b"# ar " if path.suffix == ".log" else b""
        self._position = 0

    def count(self) -> int:
        """Whole lines counted so far."""
        try:
            with self.path.open("rb") as handle:
                handle.seek(self._position)
                block = handle.read()
        except OSError:
            return self.rounds
        whole = block[: block.rfind(b"\n") + 1]
        self._position += len(whole)
        self.rounds += sum(1 for line in whole.splitlines() if line.startswith(self._mark))
        return self.rounds


def processor_seconds() -> float:
    """User and system time of all children that were waited for."""
    times = os.times()
    return times.children_user + times.children_system
