"""The small files of an attempt that tell the orchestrator what goes on (formal-case.md 6.2).

``owner.json`` by exclusive create (so that one attempt has one supervisor), then by replace; ``heartbeat.json`` by
replace; ``events.jsonl`` appended; ``result.json`` once, by rename, at the very end. A full disk never stops the
supervisor: a heartbeat or event that cannot be written is passed over and counted. Standard library only, Python 3.8
grammar.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from autoresearch.files import create_text, json_text, write_json

OWNER, HEARTBEAT, EVENTS, RESULT = "owner.json", "heartbeat.json", "events.jsonl", "result.json"


def now_ms() -> tuple[int, int]:
    """The wall clock and the monotonic clock, in milliseconds."""
    return int(time.time() * 1000), int(time.monotonic() * 1000)


def boot_ms() -> int:
    """Milliseconds since the boot, sleep included: what ``/proc/uptime`` shows, so that a reader without our
    monotonic clock can tell how old a heartbeat is."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)


class AttemptFiles:
    """Writes the files of one attempt's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sequence = 0
        self.write_errors = 0
        self._owner: dict[str, Any] = {}

    def claim(self, owner: dict[str, Any]) -> None:
        """Write ``owner.json`` by exclusive create, whole from its first moment on: who looks never sees half of it.

        Raises ``FileExistsError`` when the attempt has an owner, ``OSError`` on a full disk; then there is no owner.
        """
        create_text(self.folder / OWNER, json_text(owner))
        self._owner = owner

    def own(self, **facts: Any) -> None:
        """Add facts to ``owner.json``. Raises ``OSError``: without them nobody could end the trainer after us."""
        self._owner = {**self._owner, **facts}
        write_json(self.folder / OWNER, self._owner)

    def beat(self, state: str, **facts: Any) -> None:
        """Replace ``heartbeat.json``; ``seq`` grows by one."""
        epoch_ms, mono_ms = now_ms()
        self.sequence += 1
        stamps = {"seq": self.sequence, "epoch_ms": epoch_ms, "mono_ms": mono_ms, "boot_ms": boot_ms()}
        content = {**stamps, "state": state, **facts}
        try:
            write_json(self.folder / HEARTBEAT, content)
        except OSError:
            self.write_errors += 1

    def event(self, name: str, **facts: Any) -> None:
        """Append one line to ``events.jsonl``."""
        epoch_ms, mono_ms = now_ms()
        line = {"event": name, "epoch_ms": epoch_ms, "mono_ms": mono_ms, **facts}
        try:
            with (self.folder / EVENTS).open("a", encoding="utf-8") as handle:
                handle.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError:
            self.write_errors += 1

    def finish(self, result: dict[str, Any]) -> None:
        """Write ``result.json``. Raises ``OSError`` when even that does not fit on the disk."""
        write_json(self.folder / RESULT, result)
