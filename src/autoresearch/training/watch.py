"""Watching a run: text markers, not finite numbers and stalls become one trouble that stops it (training.md 5.5).

Pure: bytes, records and a clock go in, a ``Trouble`` or None comes out.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from typing import Literal, NamedTuple

from autoresearch.training.steps import RL_KEYS, SFT_KEYS, Record, is_training_record

TRACEBACK = b"Traceback (most recent call last)"
PLUGIN_FAILED = b"AUTORESEARCH-PLUGIN-FAILED"
OUT_OF_MEMORY = re.compile(rb"\bout of memory\b|OutOfMemoryError", re.IGNORECASE)
NOT_FINITE = b"grad_norm is not finite"
GRACE_SECONDS = 5.0
"""A traceback is given this long to end, so that its last frame is in the log."""
ENDING_SECONDS = 60.0
"""The same once the last asked step is recorded: workers that are put away at the end may complain, and the process
then still says by its exit code whether it made it."""
STALL_SECONDS = 600.0
STALL_MEDIANS = 20.0
LONGEST_MARKER = 64
KEPT_BYTES = 64 * 1024

FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<name>\S+)')
EXCEPTION = re.compile(r"^ ?[A-Za-z_][\w.]*(: .*)?$")
PREFIX = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|^\[rank\d+\]: ?|\([\w.:]+ pid=\d+[^)]*\) ?")
CHAIN = re.compile("During handling of the above exception|The above exception was the direct cause")
LONGEST_MESSAGE = 400


class Trouble(NamedTuple):
    """Why a run is stopped."""

    kind: Literal["crash", "oom", "nonfinite", "stalled"]
    text: str


class Watch:
    """Collects what a run shows, says when it must stop. ``kind`` is ``sft`` or ``rl``, ``steps`` the last step that
    was asked for; times are monotonic seconds.
    """

    def __init__(self, kind: str, started: float, steps: int) -> None:
        self.kind = kind
        self.steps = steps
        self.started = started
        self._tail = b""
        self._text = b""
        self._crash_seen: float | None = None
        self._found: Trouble | None = None
        self._ending = False
        self._step_times: list[float] = []
        self._last_record: float | None = None

    def see_log(self, chunk: bytes, now: float) -> None:
        """Look at the next bytes of the log."""
        window = self._tail + chunk
        if self._crash_seen is not None:
            self._text += chunk
        elif TRACEBACK in window or PLUGIN_FAILED in window:
            self._crash_seen = now
            positions = [window.find(mark) for mark in (TRACEBACK, PLUGIN_FAILED) if mark in window]
            self._text = window[min(positions) :]
        self._text = self._text[-KEPT_BYTES:]
        if self._found is None:
            memory = OUT_OF_MEMORY.search(window)
            if memory:
                self._found = Trouble("oom", line_around(window, memory.start()))
            elif NOT_FINITE in window:
                self._found = Trouble("nonfinite", line_around(window, window.find(NOT_FINITE)))
        self._tail = window[-LONGEST_MARKER:]

    def see_records(self, records: Sequence[Record], now: float) -> None:
        """Look at new records of the metrics file."""
        for record in records:
            if not is_training_record(record, self.kind):
                continue
            if self._last_record is not None:
                self._step_times.append(now - self._last_record)
            self._last_record = now
            self._ending = self._ending or record.step >= self.steps
            bad = [key for key in SFT_KEYS + RL_KEYS if key in record.data and record.data[key] is None]
            if bad and self._found is None:
                self._found = Trouble("nonfinite", f"step {record.step}: {', '.join(bad)} is not finite")

    def trouble(self, now: float) -> Trouble | None:
        """What must stop the run at ``now``, if anything."""
        if self._found is not None:
            return self._found
        grace = ENDING_SECONDS if self._ending else GRACE_SECONDS
        if self._crash_seen is not None and now - self._crash_seen >= grace:
            return self.crash()
        if self._last_record is not None and now - self._last_record > self.stall_limit():
            return Trouble("stalled", f"no step for {now - self._last_record:.0f} s")
        return None

    def crash(self) -> Trouble | None:
        """The traceback seen so far as a trouble, without waiting for it to end."""
        return None if self._crash_seen is None else Trouble("crash", last_frame(self._text))

    def stall_limit(self) -> float:
        """Seconds without a step after which a run counts as stalled."""
        median = statistics.median(self._step_times) if self._step_times else 0.0
        return max(STALL_SECONDS, STALL_MEDIANS * median)

    def at_exit(self, returncode: int) -> Trouble | None:
        """The trouble of a process that ended by itself; None when it returned 0."""
        if returncode == 0:
            return None
        if self._found is not None:
            return self._found
        if returncode in (-9, 137):
            return Trouble("oom", "the process was killed (signal 9): most often the kernel, out of memory")
        return self.crash() or Trouble("crash", f"the process ended with exit code {returncode}")


def line_around(data: bytes, position: int) -> str:
    """The line of ``data`` that holds ``position``, as text without prefixes."""
    start = data.rfind(b"\n", 0, position) + 1
    end = data.find(b"\n", position)
    return PREFIX.sub("", data[start : end if end >= 0 else len(data)].decode("utf-8", "replace")).strip()[:400]


def last_frame(text: bytes) -> str:
    """Message, file, line and function of the last frame of the first traceback in ``text``, chained ones followed.

    Later tracebacks are those of launchers, which only say that a child failed.
    """
    frame = message = ""
    chained = False
    for raw in text.decode("utf-8", "replace").splitlines():
        line = PREFIX.sub("", raw).rstrip()
        match = FRAME.search(line)
        if CHAIN.search(line):
            chained = True
        elif match and (not message or chained):
            frame, message, chained = f"{match['file']}:{match['line']} in {match['name']}", "", False
        elif match:
            break
        elif frame and not message and EXCEPTION.match(line):
            message = line.strip()
    if frame and message:
        return f"{message[:LONGEST_MESSAGE]} ({frame})"
    return message or frame or "a traceback without a frame"
