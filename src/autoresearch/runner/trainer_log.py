"""``trainer.log``: the exact bytes of a trainer, moved by one thread that does nothing else (formal-case.md 6.2).

The reader moves bytes with large reads and notes when each chunk came. Everything that looks into the bytes follows the
file from behind (``log_follower``). Beyond the size limit the head stays in ``trainer.log``, the newest bytes rotate
through ``trainer.log.tail.<k>``, and ``join_log`` puts head, one marker line and tail together. Standard library only,
Python 3.8 grammar.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from autoresearch.files import read_json, write_json

LOG = "trainer.log"
CUT = "log-cut.json"
READ_BYTES = 1 << 20
PIPE_BYTES = 1 << 20
F_SETPIPE_SZ = 1031
CHUNKS_KEPT = 1 << 16


class Chunk(NamedTuple):
    """When the bytes from ``offset`` on (of the stream) were read."""

    offset: int
    epoch_ms: int
    mono_ms: int


def tail_path(folder: Path, number: int) -> Path:
    """File of the ``number``-th segment behind the head, from 0."""
    return folder / f"{LOG}.tail.{number}"


class LogWriter:
    """Moves the bytes of a pipe into the folder. ``log_bytes`` counts what the trainer wrote, kept or not.

    ``limit`` bytes are kept at most: the first ``limit - tail`` and, where there is more, between ``tail / 2`` and
    ``tail`` of the end. A write that fails (a full disk) sets ``failure`` and the pipe is drained on, so that the
    trainer is never blocked by us; what was lost is counted in ``lost_bytes``.
    """

    def __init__(self, folder: Path, limit: int, tail: int) -> None:
        self.folder = folder
        self.head_bytes = limit - tail
        self.segment_bytes = max(1, tail // 2)
        self.log_bytes = 0
        self.lost_bytes = 0
        self.left_out_bytes = 0
        self.failure: OSError | None = None
        self.last_mono_ms: int | None = None
        self.last_epoch_ms: int | None = None
        self.chunks: deque[Chunk] = deque(maxlen=CHUNKS_KEPT)
        self._segment = -1
        self._segment_lines = 0
        self._dropped: dict[str, Any] = {"bytes": 0, "lines": 0, "from_epoch_ms": None, "to_epoch_ms": None}
        self._spans: list[dict[str, int]] = []
        self._handle: BinaryIO | None = None
        self._thread: threading.Thread | None = None

    def start(self, pipe: BinaryIO) -> None:
        """Begin to read; the pipe is closed at its end. A second pipe may follow when the first has ended."""
        with suppress(OSError):  # a smaller pipe is slower, not wrong
            fcntl.fcntl(pipe.fileno(), F_SETPIPE_SZ, PIPE_BYTES)
        if self._handle is None:
            self._handle = (self.folder / LOG).open("wb", buffering=0)
        self._thread = threading.Thread(target=self._read, args=(pipe,), name="trainer-log", daemon=True)
        self._thread.start()

    def join(self, seconds: float) -> bool:
        """Wait for the end of the pipe; False when something still holds it open."""
        if self._thread is not None:
            self._thread.join(seconds)
            return not self._thread.is_alive()
        return True

    def close(self) -> None:
        """Close the file, when no pipe follows any more."""
        if self._handle is not None:
            self._handle.close()

    def _read(self, pipe: BinaryIO) -> None:
        descriptor = pipe.fileno()
        while True:
            chunk = os.read(descriptor, READ_BYTES)
            if not chunk:
                break
            stamp = Chunk(self.log_bytes, int(time.time() * 1000), int(time.monotonic() * 1000))
            self.chunks.append(stamp)
            self.last_mono_ms, self.last_epoch_ms = stamp.mono_ms, stamp.epoch_ms
            self._keep(chunk, stamp.epoch_ms)
            self.log_bytes += len(chunk)
        pipe.close()

    def _keep(self, chunk: bytes, epoch_ms: int) -> None:
        position = self.log_bytes
        view = memoryview(chunk)
        while view:
            if self.failure is None:
                try:
                    room = self._room(position, epoch_ms)
                    taken = self._write(view[:room])
                except OSError as error:
                    self.failure = error
                    continue
                if self._segment >= 0:
                    self._spans[-1]["lines"] += bytes(view[:taken]).count(b"\n")
                    self._spans[-1]["bytes"] += taken
                    self._spans[-1]["to_epoch_ms"] = epoch_ms
            else:
                taken = len(view)
                self.lost_bytes += taken
            view = view[taken:]
            position += taken

    def _write(self, view: memoryview) -> int:
        assert self._handle is not None
        return self._handle.write(view)

    def _room(self, position: int, epoch_ms: int) -> int:
        """Bytes that the current file still takes; a full one is followed by the next segment."""
        if position < self.head_bytes:
            return self.head_bytes - position
        number, used = divmod(position - self.head_bytes, self.segment_bytes)
        if number != self._segment:
            self._next_segment(number, epoch_ms)
        return self.segment_bytes - used

    def _next_segment(self, number: int, epoch_ms: int) -> None:
        assert self._handle is not None
        self._handle.close()
        self._segment = number
        if number >= 2:
            dropped = self._spans.pop(0)
            self._dropped["bytes"] += dropped["bytes"]
            self._dropped["lines"] += dropped["lines"]
            self._dropped["from_epoch_ms"] = self._dropped["from_epoch_ms"] or dropped["from_epoch_ms"]
            self._dropped["to_epoch_ms"] = dropped["to_epoch_ms"]
            self.left_out_bytes = self._dropped["bytes"]
            write_json(self.folder / CUT, {**self._dropped, "head_bytes": self.head_bytes, "first_segment": number - 1})
            tail_path(self.folder, number - 2).unlink()
        self._handle = tail_path(self.folder, number).open("wb", buffering=0)
        self._spans.append({"bytes": 0, "lines": 0, "from_epoch_ms": epoch_ms, "to_epoch_ms": epoch_ms})


def marker_line(cut: dict[str, Any]) -> bytes:
    """The line that stands where the middle was left out."""
    text = "\n# ar log-cut bytes={bytes} lines={lines} from_epoch_ms={from_epoch_ms} to_epoch_ms={to_epoch_ms}\n"
    return text.format(**cut).encode("ascii")


def join_log(folder: Path) -> dict[str, Any] | None:
    """Put the segments behind the head, with the marker line where bytes were left out; the log index is moved along.

    Returns ``{bytes, lines, from_epoch_ms, to_epoch_ms, head_bytes}`` of what is left out, None when nothing is. Done
    once by the supervisor, or by ``cleanup`` when the supervisor is gone. Raises ``OSError`` when the disk is full.
    """
    segments = sorted(folder.glob(LOG + ".tail.*"), key=lambda path: int(path.suffix[1:]))
    cut_path = folder / CUT
    cut: dict[str, Any] | None = read_json(cut_path) if cut_path.is_file() else None
    if not segments:
        return None if cut is None else {key: value for key, value in cut.items() if key != "first_segment"}
    with (folder / LOG).open("ab") as log:
        if cut is not None:
            segments = [path for path in segments if int(path.suffix[1:]) >= cut["first_segment"]]
            log.write(marker_line(cut))
        for path in segments:
            with path.open("rb") as segment:
                shutil.copyfileobj(segment, log, READ_BYTES)
    if cut is not None:
        _move_index(folder / "log-index.jsonl", cut)
    for path in folder.glob(LOG + ".tail.*"):
        path.unlink()
    return None if cut is None else {key: value for key, value in cut.items() if key != "first_segment"}


def _move_index(path: Path, cut: dict[str, Any]) -> None:
    import json

    if not path.is_file():
        return
    head, left_out, marker = cut["head_bytes"], cut["bytes"], len(marker_line(cut))
    kept = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
            offset = entry["offset"]
        except (ValueError, KeyError, TypeError):
            continue
        if offset >= head + left_out:
            entry["offset"] = offset - left_out + marker
        elif offset >= head:
            continue
        kept.append(json.dumps(entry) + "\n")
    path.write_text("".join(kept), encoding="utf-8")
