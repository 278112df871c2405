"""Are the files that a verdict judged still there, and still the same? (training.md 8.1, ``gate show``; 8.5)

An entry of ``judged`` names a file (``sha256``), a tree (``tree_sha256``, perhaps ``files``) or a release
(``report_sha256``, ``files``), with a path relative to the verdict where the gate wrote one. Without a path, or when
the folder was moved, the name is looked for beside the verdict and in the folders above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from autoresearch.files import sha256_file, tree_files, tree_sha256
from autoresearch.training.plan import MODEL_EXCLUDE
from autoresearch.verdict import Verdict

REPORT = "export_report.json"
FOLDERS_ABOVE = 3


@dataclass(frozen=True)
class Recheck:
    """One judged thing, looked at again."""

    role: str
    name: str
    state: Literal["same", "changed", "absent"]
    detail: str = ""
    """The file that changed, or the place where the same bytes lie now."""


def recheck(path: Path, verdict: Verdict) -> list[Recheck]:
    """Look again at everything the verdict at ``path`` judged."""
    return [_one(path.parent, role, entry) for role, entry in _entries(verdict.judged)]


def _entries(judged: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    for role, entry in judged.items():
        if not isinstance(entry, Mapping):
            continue
        if entry.keys() & {"sha256", "tree_sha256", "report_sha256"}:
            yield f"{prefix}{role}", entry
        else:
            yield from _entries(entry, f"{prefix}{role}.")


def _one(folder: Path, role: str, entry: Mapping[str, Any]) -> Recheck:
    name = str(entry.get("name", role))
    found = list(_places(folder, entry))
    if not found:
        return Recheck(role, name, "absent")
    changes = [_change(place, entry) for place in found]
    for place, change in zip(found, changes, strict=True):
        if not change:
            moved = "path" in entry and place != (folder / str(entry["path"])).resolve()
            return Recheck(role, name, "same", f"now at {place}" if moved else "")
    return Recheck(role, name, "changed", changes[0])


def _places(folder: Path, entry: Mapping[str, Any]) -> Iterator[Path]:
    """Where it may lie: its recorded path first, then its name beside the verdict and above."""
    seen: set[Path] = set()
    candidates = [folder / str(entry["path"])] if "path" in entry else []
    if "name" in entry:
        above = [folder.resolve(), *list(folder.resolve().parents)[:FOLDERS_ABOVE]]
        candidates += [place / str(entry["name"]) for place in above]
    wants_folder = "sha256" not in entry
    for candidate in candidates:
        place = candidate.resolve()
        if place not in seen and (place.is_dir() if wants_folder else place.is_file()):
            seen.add(place)
            yield place


def _change(place: Path, entry: Mapping[str, Any]) -> str:
    """Which file differs, or an empty text."""
    files = entry.get("files")
    if "sha256" in entry:
        return "" if sha256_file(place) == entry["sha256"] else place.name
    if "report_sha256" in entry:
        report = place / REPORT
        if not report.is_file() or sha256_file(report) != entry["report_sha256"]:
            return REPORT
        return _changed_file(place, files if isinstance(files, Mapping) else {})
    if tree_sha256(place, MODEL_EXCLUDE) == entry["tree_sha256"]:
        return ""
    if isinstance(files, Mapping):
        extra = sorted(set(tree_files(place, MODEL_EXCLUDE)) - set(files))
        return _changed_file(place, files) or (f"{extra[0]} was added" if extra else "the tree hash")
    return "the tree hash"


def _changed_file(place: Path, files: Mapping[str, Any]) -> str:
    for name, digest in sorted(files.items()):
        if not (place / name).is_file():
            return f"{name} is gone"
        if sha256_file(place / name) != digest:
            return name
    return ""
