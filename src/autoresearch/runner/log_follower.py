"""What is seen in ``trainer.log`` from behind: times of places in it, and the last step (formal-case.md 6.2).

Runs in a thread beside the writer's; it may be late, it never delays the bytes. ``log-index.jsonl`` gets an offset
every half second and at each ``step:`` line, with the time at which the writer had read that chunk. Standard library
only, Python 3.8 grammar.
"""

from __future__ import annotations

import json
import re
import threading
from bisect import bisect_right
from contextlib import suppress
from pathlib import Path

from autoresearch.runner.trainer_log import LOG, Chunk, LogWriter, tail_path
from autoresearch.training.steps import is_training_record, parse_line

STEP_MARK = re.compile(rb"step:\d{1,18} - ")
READ_BYTES = 1 << 20
LONGEST_LINE = 1 << 16
POLL_SECONDS = 0.1


class LogFollower:
    """Follows a ``LogWriter``. ``step`` is the highest step of a training record seen so far (0: none)."""

    def __init__(self, writer: LogWriter, kind: str, index_seconds: float) -> None:
        self.writer = writer
        self.kind = kind
        self.index_ms = int(index_seconds * 1000)
        self.step = 0
        self.step_lines = 0
        self.skipped_bytes = 0
        self._position = 0
        self._tail = b""
        self._last_index_ms: int | None = None
        self._chunks: list[Chunk] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="log-follower", daemon=True)

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def stop(self) -> None:
        """Read what is left, then end."""
        self._stop.set()
        self._thread.join()

    def _follow(self) -> None:
        with (self.writer.folder / "log-index.jsonl").open("a", encoding="utf-8") as index:
            while True:
                ending = self._stop.is_set()
                block = self._next_block()
                entries = self._chunk_entries()
                if block:
                    entries.update(self._step_entries(block))
                with suppress(OSError):  # a full disk is seen and told by the supervisor
                    for offset in sorted(entries):
                        stamp = entries[offset]
                        line = {"offset": offset, "epoch_ms": stamp.epoch_ms, "mono_ms": stamp.mono_ms}
                        index.write(json.dumps(line) + "\n")
                    index.flush()
                if not block:
                    if ending:
                        return
                    self._stop.wait(POLL_SECONDS)

    def _chunk_entries(self) -> dict[int, Chunk]:
        """Chunks read so far that came at least the index interval after the last one indexed."""
        entries: dict[int, Chunk] = {}
        while self.writer.chunks and self.writer.chunks[0].offset < self._position:
            chunk = self.writer.chunks.popleft()
            self._chunks.append(chunk)
            if self._last_index_ms is None or chunk.mono_ms - self._last_index_ms >= self.index_ms:
                self._last_index_ms = chunk.mono_ms
                entries[chunk.offset] = chunk
        return entries

    def _time_of(self, offset: int) -> Chunk | None:
        place = bisect_right([chunk.offset for chunk in self._chunks], offset) - 1
        return self._chunks[place] if place >= 0 else None

    def _step_entries(self, block: bytes) -> dict[int, Chunk]:
        entries: dict[int, Chunk] = {}
        window = self._tail + block
        start = self._position - len(window)
        line_start = 0
        for hit in STEP_MARK.finditer(window):
            line_start = window.rfind(b"\n", 0, hit.start()) + 1
            end = window.find(b"\n", hit.end())
            if end < 0:
                break
            stamp = self._time_of(start + hit.start())
            if stamp is not None:
                entries[start + hit.start()] = stamp
            for record in parse_line(window[line_start:end].decode("utf-8", errors="replace")):
                if is_training_record(record, self.kind):
                    self.step_lines += 1
                    self.step = max(self.step, record.step)
        # The unfinished last line is looked at again with the next block, within reason.
        self._tail = window[window.rfind(b"\n") + 1 :][-LONGEST_LINE:]
        place = bisect_right([chunk.offset for chunk in self._chunks], self._position - len(self._tail)) - 1
        del self._chunks[: max(0, place)]
        return entries

    def _next_block(self) -> bytes:
        while self._position < self.writer.log_bytes - self.writer.lost_bytes:
            path, offset = self._place()
            try:
                with path.open("rb") as handle:
                    handle.seek(offset)
                    block = handle.read(READ_BYTES)
            except OSError:  # the segment was dropped before it was read
                lost = self.writer.segment_bytes - offset
                self.skipped_bytes += lost
                self._position += lost
                self._tail = b""
                continue
            self._position += len(block)
            return block
        return b""

    def _place(self) -> tuple[Path, int]:
        head = self.writer.head_bytes
        if self._position < head:
            return self.writer.folder / LOG, self._position
        number, offset = divmod(self._position - head, self.writer.segment_bytes)
        return tail_path(self.writer.folder, number), offset
