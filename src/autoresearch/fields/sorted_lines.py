"""Lines sorted on disk: runs that fit into memory are sorted and written one after another, then read side by side."""

from __future__ import annotations

import heapq
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

RUN_BYTES = 1 << 24
BLOCK_BYTES = 1 << 16


class SortedLines:
    """Takes lines (bytes without line ends) in any order and gives them back in ascending order.

    The file has no name and goes with the object; ``folder`` is where it lies (default: the system's folder for
    temporary files).
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed with this object
        self._run: list[bytes] = []
        self._run_bytes = 0
        self._ends = [0]

    def append(self, line: bytes) -> None:
        """One more line."""
        self._run.append(line)
        self._run_bytes += len(line)
        if self._run_bytes >= RUN_BYTES:
            self._end_run()

    def _end_run(self) -> None:
        self._run.sort()
        for line in self._run:
            self._file.write(line + b"\n")
        self._ends.append(self._file.tell())
        self._run, self._run_bytes = [], 0

    def __iter__(self) -> Iterator[bytes]:
        """All lines, ascending. Nothing may be appended after this."""
        self._end_run()
        self._file.flush()
        runs = zip(self._ends, self._ends[1:], strict=False)
        return heapq.merge(*(self._lines(begin, end) for begin, end in runs))

    def _lines(self, begin: int, end: int) -> Iterator[bytes]:
        """The lines of one run, read in blocks."""
        rest = b""
        while begin < end:
            block = os.pread(self._file.fileno(), min(BLOCK_BYTES, end - begin), begin)
            begin += len(block)
            lines = (rest + block).split(b"\n")
            rest = lines.pop()
            yield from lines
