"""Which steps of a quickstart are done, so that a second start goes on where the first one stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autoresearch import progress
from autoresearch.errors import RefusedError
from autoresearch.files import read_json, write_json

NAME = "journal.json"


class Journal:
    """``journal.json`` of the run folder: the settings, and for each finished step its seconds and facts.

    A folder that was begun with other settings is refused: its numbers would not be of one run.
    """

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self.folder = folder
        self.path = folder / NAME
        content = read_json(self.path) if self.path.exists() else {"settings": settings, "steps": {}}
        changed = sorted(key for key, value in settings.items() if content["settings"].get(key) != value)
        if changed:
            key = changed[0]
            before = content["settings"].get(key)
            raise RefusedError(
                f"quickstart: {folder} was begun with {key} {before!r}, now it is {settings[key]!r};"
                " give another --dir, or start it as before"
            )
        self.steps: dict[str, dict[str, Any]] = content["steps"]
        self._settings = settings
        self._save()

    def run(self, name: str, action: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The facts of step ``name``; ``action`` makes them unless the step is done already."""
        if name in self.steps:
            progress.event("quickstart", f"{name}: done before", step=name)
            facts: dict[str, Any] = self.steps[name]["facts"]
            return facts
        progress.event("quickstart", f"{name} …", step=name, done=len(self.steps))
        started = time.monotonic()
        facts = action()
        self.steps[name] = {"seconds": round(time.monotonic() - started, 1), "facts": facts}
        self._save()
        progress.event("quickstart", f"{name}: done", step=name, seconds=self.steps[name]["seconds"])
        return facts

    def seconds(self) -> dict[str, float]:
        """Step -> wall seconds."""
        return {name: step["seconds"] for name, step in self.steps.items()}

    def _save(self) -> None:
        write_json(self.path, {"settings": self._settings, "steps": self.steps})


def now() -> str:
    """This moment in UTC, whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def set_aside(folder: Path) -> None:
    """Move what an interrupted step left to ``<name>.interrupted-<k>``, and lose nothing."""
    if not folder.exists():
        return
    number = 1
    while (target := folder.with_name(f"{folder.name}.interrupted-{number}")).exists():
        number += 1
    folder.rename(target)
