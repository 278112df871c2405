"""What a ``.wandb`` file of an offline run holds: history steps, exit record, damage (formal-case.md 11.2).

The file is a LevelDB log of the SDK's own protobuf records. The records are read with the SDK's record form; the log's
frames, which newer SDKs no longer read in Python, are read here, each with its checksum. Imports nothing of this
program: a bundle carries the file beside its replay script.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HEADER = b":W&B\xe1\xbe\x00"
BLOCK = 32768
FRAME = struct.Struct("<IHB")
FULL, FIRST, MIDDLE, LAST = 1, 2, 3, 4
STEP = "_step"


@dataclass(frozen=True)
class OfflineRun:
    """One ``.wandb`` file. ``damage`` says where reading ended early (null: at the end of the file)."""

    run_id: str | None
    project: str | None
    display_name: str | None
    steps: tuple[int, ...]
    """Distinct steps of the history, ascending."""
    exited: bool
    """The exit record is there: the run was finished and not torn away."""
    records: int
    damage: str | None


def frames(data: bytes) -> Iterator[bytes]:
    """The whole records of a ``.wandb`` file. Raises ``ValueError`` at the first damaged or cut one."""
    if data[: len(HEADER)] != HEADER:
        raise ValueError("the file does not begin as a W&B record file")
    position, parts = len(HEADER), [b""]
    while position < len(data):
        left = BLOCK - position % BLOCK
        if left < FRAME.size:
            position += left
            continue
        if position + FRAME.size > len(data):
            raise ValueError(f"cut at byte {len(data)}")
        checksum, size, kind = FRAME.unpack_from(data, position)
        if kind == 0 and not size:
            position += left
            continue
        body = data[position + FRAME.size : position + FRAME.size + size]
        if len(body) < size:
            raise ValueError(f"cut at byte {len(data)}")
        if not FULL <= kind <= LAST or zlib.crc32(body, zlib.crc32(bytes([kind]))) != checksum:
            raise ValueError(f"damaged at byte {position}")
        parts = [body] if kind in (FULL, FIRST) else [*parts, body]
        position += FRAME.size + size
        if kind in (FULL, LAST):
            yield b"".join(parts)


def _step(history: Any) -> int | None:
    for item in history.item:
        if (item.key or ".".join(item.nested_key)) == STEP:
            value = json.loads(item.value_json)
            return value if isinstance(value, int) else None
    return int(history.step.num) if history.HasField("step") else None


def read_offline_run(path: Path) -> OfflineRun:
    """Read a ``.wandb`` file as far as it is whole. Raises ``OSError``, and ``ImportError`` without the wandb SDK."""
    from google.protobuf.message import DecodeError
    from wandb.proto.wandb_internal_pb2 import Record

    steps: set[int] = set()
    run: Any = None
    exited, count, damage = False, 0, None
    try:
        for data in frames(path.read_bytes()):
            record = Record.FromString(data)
            count += 1
            kind = record.WhichOneof("record_type")
            if kind == "history":
                step = _step(record.history)
                steps.update(() if step is None else (step,))
            elif kind == "run":
                run = record.run
            elif kind == "exit":
                exited = True
    except (ValueError, DecodeError) as error:
        damage = str(error)
    return OfflineRun(
        run_id=run.run_id if run is not None else None,
        project=run.project if run is not None else None,
        display_name=run.display_name if run is not None else None,
        steps=tuple(sorted(steps)),
        exited=exited,
        records=count,
        damage=damage,
    )
