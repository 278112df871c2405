"""Whatever stands in the small files of a row, looking at it never raises and never takes half a file for a whole one
(formal-case.md 6.3, 20.1)."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoresearch.hosts import rows
from autoresearch.hosts.state import decide
from autoresearch.runner.attempt_files import OWNER, AttemptFiles

LIMITS: dict[str, Any] = {"inner_timeout": 100.0, "outer_timeout": 300.0}
WRITTEN = {
    "result.json": {"last_step": 3},
    "heartbeat.json": {"seq": 2, "mono_ms": 5000, "boot_ms": 5000, "step": 1, "last_log_mono_ms": 4000},
    "owner.json": {"supervisor_pid": 7, "start_ticks": 9, "boot_id": "b", "started_mono_ms": 1, "boot_ms": 1},
    "stat": None,
}
STAT = b"7 (python3) S " + b" ".join(str(number).encode() for number in range(3, 30))
ODD = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
PIECES = st.binary(max_size=40) | st.none()


class Shown:
    """A host that shows these bytes for every file of that name."""

    def __init__(self, files: dict[str, bytes | None]) -> None:
        self.files = files

    def read_many(self, paths: Sequence[str]) -> list[bytes | None]:
        """The files."""
        return [self.files.get(path.rpartition("/")[2]) for path in paths]


def changed(content: dict[str, Any], key: int, value: object, cut: int) -> bytes:
    """The document with another value of one key, cut by that many bytes."""
    names = list(content)
    text = json.dumps({**content, names[key % len(names)]: value}).encode()
    return text[: len(text) - cut] if cut else text


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_row_is_looked_at_whatever_its_files_hold(data: st.DataObject) -> None:
    files: dict[str, bytes | None] = {
        "boot_id": data.draw(st.sampled_from([b"b\n", b"", b"\xff", None])),
        "uptime": data.draw(st.sampled_from([b"9.5 1.0\n", b"", None])),
        "stat": data.draw(st.sampled_from([STAT, b"", b"7 (", None])),
    }
    for name, content in WRITTEN.items():
        if content is not None:
            made = st.builds(changed, st.just(content), st.integers(0, 9), ODD, st.integers(0, 60))
            files[name] = data.draw(made | PIECES)
    seen = rows.look(Shown(files), "/rows/a")  # type: ignore[arg-type]
    assert decide(seen, **LIMITS).name in ("not_started", "running", "stalled", "finished", "supervisor_lost")


def test_an_owner_is_seen_whole_or_not_at_all_and_there_is_only_one(tmp_path: Path) -> None:
    large = {"supervisor_pid": 1, "text": "x" * 2_000_000}
    stop = threading.Event()
    broken: list[int] = []

    def look() -> None:
        while not stop.is_set():
            for path in tmp_path.glob(f"*/{OWNER}"):
                text = path.read_text(encoding="utf-8")
                if not text.endswith("}\n"):
                    broken.append(len(text))

    thread = threading.Thread(target=look)
    thread.start()
    for number in range(20):
        (tmp_path / str(number)).mkdir()
        AttemptFiles(tmp_path / str(number)).claim(large)
    stop.set()
    thread.join()
    assert broken == []
    before = (tmp_path / "0" / OWNER).stat()
    with pytest.raises(FileExistsError):
        AttemptFiles(tmp_path / "0").claim({"supervisor_pid": 2})
    assert (tmp_path / "0" / OWNER).stat().st_ino == before.st_ino
    assert [path.name for path in (tmp_path / "0").iterdir()] == [OWNER]
