"""Ctrl-C in a run (formal-case.md 18, fault 13): once asks the running row to end, twice ends this program at once."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType, TracebackType
from typing import Any

SLICE_SECONDS = 0.1


class Interrupts:
    """Counts SIGINT and SIGTERM while the block is open; the second one raises ``KeyboardInterrupt``.

    Outside the main thread nothing is caught: there the signals are somebody else's.
    """

    def __init__(self) -> None:
        self.count = 0
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for name in (signal.SIGINT, signal.SIGTERM):
                self._before[name] = signal.signal(name, self._caught)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name, handler in self._before.items():
            signal.signal(name, handler)

    def _caught(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.count > 1:
            raise KeyboardInterrupt

    def pause(self, seconds: float) -> None:
        """Sleep, but not longer than until the first signal."""
        until, before = time.monotonic() + seconds, self.count
        while self.count == before and (left := until - time.monotonic()) > 0:
            time.sleep(min(SLICE_SECONDS, left))
