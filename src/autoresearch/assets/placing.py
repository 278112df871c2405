"""Putting an asset in its place: the log of tries, the folder it is staged in, the check, the rename, the registry
(formal-case.md 16).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.assets.check import File, Tree, facts
from autoresearch.assets.discover import now
from autoresearch.assets.machine import Machine
from autoresearch.assets.registry import Entry, Location, RegistryFile, Status
from autoresearch.assets.write_back import set_location
from autoresearch.errors import InfrastructureError
from autoresearch.progress import event
from autoresearch.training.model_folder import ModelFolder

Step = str
"""``registry``, ``discovery``, a hub, a hub with ``-proxy``, ``send`` or ``verify``."""


@dataclass(frozen=True)
class ReadyAsset:
    """An asset that was checked where it lies."""

    key: str
    entry: Entry
    server: str
    path: str
    revision: str | None
    """The commit of ``source``; None where no hub named one: the tree hash pins the content."""
    source: str | None
    tree_sha256: str
    bytes: int
    files: tuple[File, ...]
    first_seen: tuple[str, ...]
    """Files whose hash no hub gave: what they are is what was seen first."""
    model: ModelFolder | None

    def as_lock(self) -> dict[str, Any]:
        """What a lock keeps: id, place, commit, tree hash, sizes."""
        return {
            "canonical_id": self.entry.canonical_id,
            "kind": self.entry.kind,
            "server": self.server,
            "path": self.path,
            "source": self.source,
            "revision": self.revision,
            "tree_sha256": self.tree_sha256,
            "bytes": self.bytes,
            "files": len(self.files),
        }


@dataclass(frozen=True)
class AssetLog:
    """``assets.log.jsonl``: one line a try, with its reason. ``path`` None: progress only."""

    path: Path | None

    def write(self, asset: str, server: str, step: Step, ok: bool, reason: str, **more: Any) -> None:
        """Append one line."""
        record = {"ts": now(), "asset": asset, "server": server, "step": step, "ok": ok, "reason": reason, **more}
        event("assets", f"{asset} on {server}, {step}: {reason}", "info" if ok else "warning")
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as handle:
                handle.write(json.dumps(record, ensure_ascii=False) + "\n")


@dataclass(frozen=True)
class Asking:
    """One asset that is wanted on one machine."""

    file: RegistryFile
    machine: Machine
    section: str
    key: str
    entry: Entry
    log: AssetLog

    @property
    def path(self) -> str:
        """Where it lies, or is to lie; absolute."""
        path = self.file.registry.path_for(self.entry, self.machine.server)
        return str(Path(path).expanduser()) if self.machine.here else path

    def note(self, step: Step, ok: bool, reason: str, **more: Any) -> None:
        """A line of the log."""
        self.log.write(self.key, self.machine.server, step, ok, reason, **more)

    def register(self, path: str, status: Status, **more: Any) -> None:
        """Write the place; keys that are not given keep what stood there. Nothing where no ``data.yaml`` exists."""
        if self.file.is_example:
            return
        before = self.entry.location(self.machine.server)
        kept = before.model_dump() if before is not None and status not in ("ready", "downloading") else {}
        written = _as_written(path, before, self.machine)
        location = Location.model_validate({**kept, "path": written, "status": status, **more})
        set_location(self.file.path, self.section, self.key, self.machine.server, location)

    def ready(self, tree: Tree, model: ModelFolder | None, **more: Any) -> ReadyAsset:
        """The checked asset."""
        known = {"revision": None, "source": None, "first_seen": (), **more}
        return ReadyAsset(
            key=self.key,
            entry=self.entry,
            server=self.machine.server,
            path=tree.path,
            tree_sha256=tree.tree_sha256,
            bytes=tree.bytes,
            files=tree.files,
            model=model,
            **known,
        )

    def accept(
        self, tree: Tree, model: ModelFolder | None, step: Step, reason: str, proof: Mapping[str, Any]
    ) -> ReadyAsset:
        """Register a checked tree as ready and say so. ``proof``: revision, source, first_seen."""
        place = {name: proof.get(name) for name in ("revision", "source")}
        self.register(tree.path, "ready", **place, tree_sha256=tree.tree_sha256, verified_at=now())
        self.note(step, True, reason, **facts(tree), **proof)
        return self.ready(tree, model, **{**proof, "first_seen": tuple(proof.get("first_seen", ()))})


def _as_written(path: str, before: Location | None, machine: Machine) -> str:
    """A path of this machine that the file writes with ``~`` stays written so."""
    if before is not None and machine.here and str(Path(before.path).expanduser()) == path:
        return before.path
    home = str(Path.home())
    return f"~{path[len(home) :]}" if machine.here and path.startswith(f"{home}/") else path


def staging_path(path: str, mark: str) -> str:
    """The hidden sibling that an asset is loaded into; the same for the same ``mark``, so that a loading goes on."""
    parent, _, name = path.rstrip("/").rpartition("/")
    return f"{parent}/.{name}.{mark}.fetching"


def make_folder(machine: Machine, path: str) -> None:
    """Make a folder of the login user. Raises ``InfrastructureError`` with the machine's words."""
    done = machine.place.run(["mkdir", "-p", path])
    if not done.ok:
        raise InfrastructureError(f"{machine.server}:{path} cannot be made: {done.stderr.strip()}")


def move_into_place(machine: Machine, staged: str, path: str) -> None:
    """Rename the staged folder. Raises ``InfrastructureError`` when something is there by now."""
    machine.place.run(["rmdir", path])
    if machine.place.run(["test", "-e", path]).ok:
        raise InfrastructureError(f"{machine.server}:{path} appeared meanwhile; look what it is, then run this again")
    done = machine.place.run(["mv", staged, path])
    if not done.ok:
        raise InfrastructureError(f"{machine.server}:{staged} cannot be renamed to {path}: {done.stderr.strip()}")


def remove_staged(machine: Machine, staged: str) -> None:
    """Remove a staged folder whose content is wrong."""
    machine.place.run(["rm", "-rf", "--", staged], timeout=600.0)


class Clock:
    """Milliseconds since it was made."""

    def __init__(self) -> None:
        self.began = time.monotonic()

    def __int__(self) -> int:
        return int((time.monotonic() - self.began) * 1000)
