"""One child process of a launch: its own session, its exact bytes in a log, an index of times, and an end for all.

The reader moves bytes from the pipe to ``trainer.log`` without parsing. ``log-index.jsonl`` holds an offset every half
second and at each ``step:`` line (formal-case.md 6.2).
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

READ_BYTES = 1 << 16
INDEX_SECONDS = 0.5
TERMINATE_SECONDS = 20.0
STEP_LINE = re.compile(rb"step:\d{1,18} - ")
LONGEST_STEP_MARK = 26
MARK_VARIABLE = "AUTORESEARCH_LAUNCH"
"""Environment variable that every process of a launch inherits, so that stragglers outside the group are found."""


class TrainerProcess:
    """A running trainer. ``log_bytes`` grows as it writes."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], folder: Path, mark: str) -> None:
        self.folder = folder
        self.mark = mark
        self.log_bytes = 0
        self.started = time.monotonic()
        self._child = subprocess.Popen(
            list(argv),
            env={**os.environ, **environment, MARK_VARIABLE: mark},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.pid = self._child.pid
        self._reader = threading.Thread(target=self._read, name="trainer-log", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        pipe = self._child.stdout
        assert pipe is not None
        descriptor = pipe.fileno()
        last_index = 0.0
        tail = b""
        with (self.folder / "trainer.log").open("wb") as log, (self.folder / "log-index.jsonl").open("w") as index:
            while True:
                chunk = os.read(descriptor, READ_BYTES)
                if not chunk:
                    break
                now = time.monotonic()
                window = tail + chunk
                start = self.log_bytes - len(tail)
                offsets = [start + hit.start() for hit in STEP_LINE.finditer(window) if hit.end() > len(tail)]
                if not offsets and now - last_index >= INDEX_SECONDS:
                    offsets = [self.log_bytes]
                for offset in offsets:
                    last_index = now
                    entry = {"offset": offset, "epoch_ms": int(time.time() * 1000), "mono_ms": int(now * 1000)}
                    index.write(json.dumps(entry) + "\n")
                    index.flush()
                log.write(chunk)
                log.flush()
                self.log_bytes += len(chunk)
                tail = window[-LONGEST_STEP_MARK:]
        pipe.close()

    def returncode(self) -> int | None:
        """The exit code, negative for a signal, or None while it runs."""
        return self._child.poll()

    def stop(self) -> int:
        """Terminate the group, after 20 s kill it, then end stragglers; returns the exit code."""
        self._signal(signal.SIGTERM)
        try:
            self._child.wait(TERMINATE_SECONDS)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
        return self.finish()

    def finish(self) -> int:
        """Wait for the end, end what the launch left running, and close the log."""
        code = self._child.wait()
        self._signal(signal.SIGKILL)
        for pid in marked_processes(self.mark):
            end_process(pid)
        self._reader.join(TERMINATE_SECONDS)
        return code

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return


def marked_processes(mark: str) -> list[int]:
    """Processes whose environment holds the launch's mark: our own children, wherever they moved themselves."""
    wanted = f"{MARK_VARIABLE}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


def end_process(pid: int) -> None:
    """Kill one process; one that is gone is no error."""
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
