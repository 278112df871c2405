"""Are the files that a verdict judged still there, and still the same? (training.md 8.1, ``gate show``; 8.5)

An entry of ``judged`` names a file (``sha256``), a tree (``tree_sha256``, perhaps ``files``) or a release
(``report_sha256``, ``files``), with a path relative to the verdict where the gate wrote one. Without a path, or when
the folder was moved, the name is looked for around the verdict. Only what lies at a recorded path can be ``changed``:
another file that happens to have the name proves nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from autoresearch.files import sha256_file, tree_files, tree_sha256
from autoresearch.training.plan import MODEL_EXCLUDE
from autoresearch.verdict import Verdict

REPORT = "export_report.json"
FOLDERS_ABOVE = 3
DEEPEST = 4
MOST_LOOKED_AT = 20_000
FILE_IN_MODEL = {"template": "chat_template.jinja", "tokenizer": "tokenizer.json"}
"""Verdicts name these by the model folder they were read from."""


@dataclass(frozen=True)
class Recheck:
    """One judged thing, looked at again."""

    role: str
    name: str
    state: Literal["same", "changed", "absent"]
    detail: str = ""
    """The file that changed, or the place where the same bytes were found."""


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
    recorded = (folder / str(entry["path"])).resolve() if "path" in entry else None
    differing = ""
    for place in _places(folder, role, entry):
        change = _change(place, entry)
        if not change:
            return Recheck(role, name, "same", "" if place == recorded else f"found as {place}")
        if place == recorded:
            return Recheck(role, name, "changed", change)
        differing = f"what has this name nearby differs: {place}"
    return Recheck(role, name, "absent", differing)


def _places(folder: Path, role: str, entry: Mapping[str, Any]) -> Iterator[Path]:
    """Where it may lie: its recorded path first, then its name in the folders around the verdict."""
    seen: set[Path] = set()
    is_file = "sha256" in entry
    candidates = [folder / str(entry["path"])] if "path" in entry else []
    for candidate in [*candidates, *_named(folder, str(entry.get("name", "")))]:
        place = candidate.resolve()
        if is_file and place.is_dir() and role in FILE_IN_MODEL:
            place = place / FILE_IN_MODEL[role]
        if place not in seen and (place.is_file() if is_file else place.is_dir()):
            seen.add(place)
            yield place


def _named(folder: Path, name: str) -> Iterator[Path]:
    """Files and folders called ``name``: in the folders above the verdict, then below the folder that holds it."""
    if not name:
        return
    above = [folder.resolve(), *list(folder.resolve().parents)[:FOLDERS_ABOVE]]
    yield from (place / name for place in above)
    top = folder.resolve().parent
    looked_at = 0
    for place, folders, files in os.walk(top):
        looked_at += len(folders) + len(files)
        if looked_at > MOST_LOOKED_AT:
            return
        if len(Path(place).relative_to(top).parts) >= DEEPEST:
            folders.clear()
        if name in folders or name in files:
            yield Path(place) / name


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
