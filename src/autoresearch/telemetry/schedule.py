"""Absolute deadlines for sampling (formal-case.md 10.2): ``t0 + k * interval`` on the monotonic clock, and what ends a
loop over them. Standard library only, Python 3.8; the runner carries it.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable


class Deadlines:
    """Deadlines that do not drift: a late round skips to the next one and the skipped ones are counted as missed.

    ``start`` and all times are seconds of a monotonic clock; ``interval`` is in seconds and greater than zero.
    """

    def __init__(self, start: float, interval: float) -> None:
        if not interval > 0:
            raise ValueError(f"a sampling interval is greater than zero seconds, not {interval}")
        self.start = start
        self.interval = interval
        self.missed = 0
        self._index = 0

    def next_after(self, now: float) -> float:
        """The first deadline after ``now`` that was not handed out yet; deadlines passed over are added to
        ``missed``."""
        wanted = self._index + 1
        index = max(wanted, int((now - self.start) // self.interval) + 1)
        self.missed += index - wanted
        self._index = index
        return self.start + index * self.interval


class Stop:
    """Says when a loop has to end: ``set`` was called, or, with ``with_parent``, the parent process is gone.

    Waiting is done by ``select`` on a pipe, so that a step of the system's clock neither shortens nor lengthens it
    (locks of Python 3.8 wait by the wall clock).
    """

    def __init__(self, with_parent: bool = False) -> None:
        self._read, self._write = os.pipe()
        self._parent = os.getppid() if with_parent else None

    def set(self) -> None:
        """End the loop; may be called from another thread or from a signal handler, any number of times."""
        os.write(self._write, b"x")

    def wait(self, seconds: float) -> bool:
        """Wait up to ``seconds``; true as soon as the loop has to end."""
        ready = bool(select.select([self._read], [], [], max(0.0, seconds))[0])
        return ready or (self._parent is not None and os.getppid() != self._parent)

    def on_signals(self) -> Stop:
        """Let SIGTERM and SIGINT end the loop. For a process of its own; call it from its main thread."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.set())
        return self


def run_rounds(interval: float, stop: Stop, read: Callable[[int, int], None]) -> int:
    """Call ``read(round, missed)`` now and at every deadline until ``stop``; returns the number of rounds."""
    deadlines = Deadlines(time.monotonic(), interval)
    number = 0
    while True:
        read(number, deadlines.missed)
        number += 1
        now = time.monotonic()
        if stop.wait(deadlines.next_after(now) - now):
            return number
