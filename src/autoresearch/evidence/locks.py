"""The two locks in a bundle (formal-case.md 8), in the forms of ``cases.locks``: sorted keys, no NaN, exclusive create,
sha256 beside the file.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from autoresearch.cases import lock_files
from autoresearch.cases.locks import ConfigLock, LockRow, ProvenanceLock, Repository, SavedDiff
from autoresearch.errors import RefusedError
from autoresearch.evidence.layout import sidecar
from autoresearch.files import sha256_file, sha256_text

__all__ = [
    "ConfigLock",
    "LockRow",
    "ProvenanceLock",
    "Repository",
    "SavedDiff",
    "file_digest",
    "lock_text",
    "sidecar_digest",
    "write_lock",
]


def lock_text(lock: BaseModel) -> str:
    """The bytes of a lock: sorted keys, two-space indent, no NaN, newline at the end."""
    return lock_files.lock_text(lock.model_dump(mode="json"))


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
