"""What a ``.wandb`` file of an offline run holds: history steps, exit record, damage (formal-case.md 11.2).

Files are read with the SDK's own reader (``wandb-core leet inspect``), which writes nothing and asks no server. SDKs
that have none are read by the frames of the file, a LevelDB log of the SDK's protobuf records, each with its checksum.
Imports nothing of this program: a bundle carries the file beside its replay script.
"""

from __future__ import annotations

import importlib.util
import json
import os
import struct
import subprocess
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HEADER = b":W&B\xe1\xbe\x00"
BLOCK = 32768
FRAME = struct.Struct("<IHB")
FULL, FIRST, MIDDLE, LAST = 1, 2, 3, 4
STEP = "_step"
READER_SECONDS = 600.0
Records = tuple[list[dict[str, Any]], "str | None"]
"""Records that matter, as ``{type: history, step}``, ``{type: run, …}``, ``{type: exit}``, and where reading ended
early."""


@dataclass(frozen=True)
class OfflineRun:
    """One ``.wandb`` file. ``damage`` says what is cut or corrupt (null: nothing)."""

    run_id: str | None
    project: str | None
    display_name: str | None
    steps: tuple[int, ...]
    """Distinct steps of the history, ascending."""
    exited: bool
    """The exit record is there: the run was finished and not torn away."""
    damage: str | None


def read_offline_run(path: Path) -> OfflineRun:
    """Read a ``.wandb`` file as far as it is whole. Raises ``OSError``, and ``ImportError`` without the wandb SDK."""
    records, damage = inspected(path) or framed(path)
    run = next((each for each in records if each["type"] == "run"), {})
    return OfflineRun(
        run_id=run.get("run_id"),
        project=run.get("project"),
        display_name=run.get("display_name"),
        steps=tuple(sorted({each["step"] for each in records if each["type"] == "history"})),
        exited=any(each["type"] == "exit" for each in records),
        damage=damage,
    )


def inspected(path: Path) -> Records | None:
    """What the SDK's own reader says; None where the installed SDK has none. Raises ``OSError`` for an absent file."""
    path.stat()
    spec = importlib.util.find_spec("wandb")
    core = Path(spec.origin).parent / "bin" / "wandb-core" if spec is not None and spec.origin else None
    if core is None or not core.is_file():
        return None
    done = subprocess.run(
        [str(core), "leet", "inspect", "-no-observability", "-json", "-run-file", str(path)],
        capture_output=True,
        env={**os.environ, "WANDB_ERROR_REPORTING": "false"},
        timeout=READER_SECONDS,
        check=False,
    )
    if done.returncode:
        return None
    said = done.stderr.decode("utf-8", "replace").strip().replace("wandb leet inspect: ", "")
    lines = done.stdout.split(b"\n")
    if not said and not any(lines):
        said = "the file holds no record"
    return list(_from_json(lines)), said or None


def _from_json(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        record = json.loads(line) if line.strip() else {}
        kind = record.get("type")
        if kind == "run":
            yield {"type": "run", **{key: record["run"].get(key) for key in ("run_id", "project", "display_name")}}
        elif kind == "exit":
            yield {"type": "exit"}
        elif kind == "history":
            history = record["history"]
            step = (history.get("item") or {}).get(STEP, (history.get("step") or {}).get("num"))
            if isinstance(step, int):
                yield {"type": "history", "step": step}


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


def framed(path: Path) -> Records:
    """The same from the file's frames, as far as they are whole. Raises ``OSError`` or ``ImportError``."""
    from google.protobuf.message import DecodeError
    from wandb.proto.wandb_internal_pb2 import Record

    found: list[dict[str, Any]] = []
    try:
        for data in frames(path.read_bytes()):
            record = Record.FromString(data)
            kind = record.WhichOneof("record_type")
            step = _step(record.history) if kind == "history" else None
            if step is not None:
                found.append({"type": "history", "step": step})
            elif kind == "run":
                run = record.run
                names = {"run_id": run.run_id, "project": run.project, "display_name": run.display_name}
                found.append({"type": "run", **names})
            elif kind == "exit":
                found.append({"type": "exit"})
    except (ValueError, DecodeError) as error:
        return found, str(error)
    return found, None
