"""Progress on stderr: bars on a terminal, one ``__AR_PROGRESS__={json}`` line an event otherwise.

Standard output stays free for the one JSON result of a command.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MIN_SECONDS_BETWEEN_LINES = 2.0
MIN_SECONDS_BETWEEN_FRAMES = 0.1


def on_terminal() -> bool:
    """True when stderr is a terminal."""
    return sys.stderr.isatty()


def event(stage: str, message: str = "", level: str = "info", **fields: Any) -> None:
    """Report one event of ``stage``; further ``fields`` are free and must be JSON values."""
    if on_terminal():
        extra = "  ".join(f"{key}={value}" for key, value in fields.items())
        print(f"{stage}: {message} {extra}".rstrip(), file=sys.stderr, flush=True)
        return
    record = {"stage": stage, "ts": round(time.time(), 3), "level": level, "message": message, **fields}
    print("__AR_PROGRESS__=" + json.dumps(record, ensure_ascii=False), file=sys.stderr, flush=True)


class Bar:
    """A running count with a total; what ``bar`` yields. ``advance`` may be called as often as wanted."""

    def __init__(self, stage: str, total: int | None, unit: str) -> None:
        self.stage = stage
        self.total = total
        self.unit = unit
        self.done = 0
        self._started = time.monotonic()
        self._last_line = self._started
        self._rich: Any = None
        self._task: Any = None

    def advance(self, count: int = 1, message: str | None = None) -> None:
        """Add ``count`` to what is done; ``message`` replaces the text beside the bar."""
        self.done += count
        now = time.monotonic()
        if self._rich is not None:
            if message or now - self._last_line >= MIN_SECONDS_BETWEEN_FRAMES:
                self._last_line = now
                self._draw(message)
            return
        if now - self._last_line >= MIN_SECONDS_BETWEEN_LINES:
            self._last_line = now
            self._line(message)

    def _draw(self, message: str | None) -> None:
        text = f"{self.stage}  {message}" if message else self.stage
        self._rich.update(self._task, completed=self.done, description=text)

    def _line(self, message: str | None) -> None:
        seconds = time.monotonic() - self._started
        rate = self.done / seconds if seconds > 0 else 0.0
        fields: dict[str, Any] = {
            "done": self.done,
            "total": self.total,
            "unit": self.unit,
            "per_second": round(rate, 2),
        }
        if self.total and rate > 0:
            fields["eta_seconds"] = round((self.total - self.done) / rate, 1)
        event(self.stage, message or "", **fields)


@contextmanager
def bar(stage: str, total: int | None = None, unit: str = "rows") -> Iterator[Bar]:
    """A progress bar for one stage; lines come at most every two seconds when stderr is no terminal."""
    counter = Bar(stage, total, unit)
    if not on_terminal():
        yield counter
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=False) as display:
        counter._rich = display
        counter._task = display.add_task(stage, total=total)
        yield counter
        display.update(counter._task, completed=counter.done)
