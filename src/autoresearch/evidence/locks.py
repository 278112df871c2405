"""The two locks (formal-case.md 8): what was asked and what was used. Sorted keys, no NaN, exclusive create, sha256
beside the file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from autoresearch.errors import RefusedError
from autoresearch.evidence.layout import sidecar
from autoresearch.files import sha256_file, sha256_text


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LockRow(_Form):
    """One planned case: its numbers (S = steps, B = batch, n = group size, …), command and environment."""

    case_id: str
    stage: Literal["single", "bisect", "node"]
    numbers: dict[str, int | float | None]
    argv: list[str]
    env: dict[str, str]
    plan: dict[str, str] | None = None
    """``{path, sha256}`` of the plan that was run."""
    inner_timeout: int | None = None
    outer_timeout: int | None = None


class ConfigLock(_Form):
    """``config.lock.json`` (8.2)."""

    schema_version: Literal[1] = 1
    run_id: str
    created_at: str | None
    task: str
    mode: Literal["training", "validation"]
    trainer_val_only: bool
    server: dict[str, str | None]
    devices: list[dict[str, Any]] = []
    device_source: Literal["configured", "detected"] = "detected"
    case: dict[str, Any] = {}
    assets: list[dict[str, Any]] = []
    prompt: dict[str, Any] = {}
    reward: dict[str, Any] = {}
    plan: dict[str, Any] | None = None
    seeds: dict[str, int | None] = {}
    rows: list[LockRow]
    ladder: dict[str, Any] | None = None
    name_clock: Literal["UTC"] = "UTC"
    autoresearch: dict[str, str | None] = {}


class SavedDiff(_Form):
    """The saved difference of a modified tree."""

    path: str
    sha256: str


class Repository(_Form):
    """One source of code: a git tree (commit and state) or an installed distribution (version and RECORD hash)."""

    name: str
    role: Literal["orchestrator", "mounted", "in_image", "recorded"]
    version: str | None = None
    record_sha256: str | None = None
    upstream_url: str | None = None
    fork_url: str | None = None
    branch: str | None = None
    detached: bool | None = None
    commit_sha: str | None = None
    describe: str | None = None
    dirty: bool | None = None
    dirty_files: list[str] = []
    untracked_files: list[dict[str, str]] = []
    diff: SavedDiff | None = None
    tree_sha256: str | None = None
    commit_url: str | None = None
    pushed: bool | None = None
    submodules: list[str] = []


class ProvenanceLock(_Form):
    """``provenance.lock.json`` (8.3)."""

    schema_version: Literal[1] = 1
    run_id: str
    created_at: str | None
    repositories: list[Repository]
    environment: dict[str, Any]


def lock_text(lock: BaseModel) -> str:
    """The bytes of a lock: sorted keys, two-space indent, no NaN, newline at the end."""
    content = lock.model_dump(mode="json")
    return json.dumps(content, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False) + "\n"


def write_lock(path: Path, lock: BaseModel) -> str:
    """Write lock and sidecar by exclusive create; returns the sha256. Raises ``RefusedError`` when the lock exists."""
    text = lock_text(lock)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as handle:
            handle.write(text)
    except FileExistsError as error:
        raise RefusedError(f"{path} exists: a lock is written once; start a run with another id") from error
    digest = sha256_text(text)
    Path(sidecar(str(path))).write_text(f"{digest}  {path.name}\n", encoding="utf-8")
    return digest


def sidecar_digest(path: Path) -> str | None:
    """The sha256 that the sidecar of a lock states, or None when there is none."""
    beside = Path(sidecar(str(path)))
    if not beside.is_file():
        return None
    return beside.read_text(encoding="utf-8", errors="replace").split("  ", 1)[0].strip()


def file_digest(path: Path) -> str | None:
    """sha256 of a file, or None when it is absent."""
    return sha256_file(path) if path.is_file() else None
