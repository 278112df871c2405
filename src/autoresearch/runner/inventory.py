"""Role ``inventory assets | tree``: large folders of models and data on a host, and tree hashes (formal-case.md 16).

The search goes six folders deep, follows no link to a folder, runs at the lowest priority, and reads no contents but
``config.json`` and the length of safetensors headers. Hashes are remembered by size, time and inode. Standard library
only, Python 3.8 grammar.
"""

from __future__ import annotations

import glob
import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Iterable  # noqa: UP035 - Python 3.8 on hosts

from autoresearch.files import sha256_file, sha256_text, tree_files, write_json

DEPTH = 6
LARGE_BYTES = 10 * 10**9
SAMPLES_KEPT = 5
KINDS = {
    ".safetensors": "safetensors",
    ".bin": "bin",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".jsonl": "jsonl",
}
PROGRESS_SECONDS = 5.0
MEMORY_BYTES = 1 << 28
HEAD_BYTES = 512
LFS_POINTER = b"version https://git-lfs.github.com/spec/"
HTML = (b"<!doctype html", b"<html")
PAGES = (".html", ".htm", ".md")


def find_assets(roots: Iterable[Path], large_bytes: int = LARGE_BYTES) -> list[dict[str, Any]]:
    """Folders of at least ``large_bytes`` that hold weights or data, sorted by path; roots may be patterns.

    Each: ``path, bytes, size_gb, kind_guess, name_guess, evidence {index, config, safetensors, parquet, arrow, jsonl,
    bin, samples}``. A folder below one that was found is part of it.
    """
    with suppress(OSError):
        os.nice(19)
    found: dict[str, dict[str, Any]] = {}
    places = sorted({path for root in roots for path in glob.glob(str(root))})  # noqa: PTH207 - absolute patterns
    for place in places:
        for folder in _asset_folders(Path(place), DEPTH):
            real = str(folder.resolve())
            if real not in found:
                entry = _describe(folder)
                if entry["bytes"] >= large_bytes:
                    found[real] = entry
    return [found[key] for key in sorted(found)]


def _asset_folders(folder: Path, depth: int) -> Iterable[Path]:
    try:
        entries = sorted(os.scandir(str(folder)), key=lambda each: each.name)
    except OSError:
        return
    if any(_kind(each.name) for each in entries if not each.is_dir()):
        yield folder
        return
    below = [each for each in entries if each.is_dir(follow_symlinks=False)]
    data = [each for each in below if each.name == "data"]
    if data and any(_kind(name) for name in _names(Path(data[0].path))):
        yield folder  # a dataset whose files lie in data/
        return
    if depth > 0:
        for each in below:
            yield from _asset_folders(Path(each.path), depth - 1)


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


def _kind(name: str) -> str | None:
    return KINDS.get(os.path.splitext(name)[1])  # noqa: PTH122 - a name, no path


def _describe(folder: Path) -> dict[str, Any]:
    size = 0
    counts = dict.fromkeys(KINDS.values(), 0)
    samples: list[str] = []
    for place, _, names in os.walk(str(folder)):
        for name in sorted(names):
            path = Path(place) / name
            try:
                size += path.stat().st_size
            except OSError:
                continue
            kind = _kind(name)
            if kind is not None:
                counts[kind] += 1
                if len(samples) < SAMPLES_KEPT:
                    samples.append(path.relative_to(folder).as_posix())
    names_here = _names(folder)
    config = _config(folder / "config.json")
    index = any(name.endswith(".index.json") for name in names_here)
    weights = counts["safetensors"] + counts["bin"]
    data = counts["parquet"] + counts["arrow"] + counts["jsonl"]
    return {
        "path": str(folder),
        "bytes": size,
        "size_gb": round(size / 10**9, 3),
        "kind_guess": "model" if weights and (config or weights >= data) else "dataset",
        "name_guess": _name(folder, config),
        "evidence": {"index": index, "config": bool(config), **counts, "samples": samples},
    }


def _config(path: Path, limit: int = 1 << 20) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8")[:limit])
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _name(folder: Path, config: dict[str, Any]) -> str:
    """``org/name`` from the usual ways of naming a copy."""
    name = folder.name
    for part in reversed(folder.parts):
        if part.startswith(("models--", "datasets--")):
            return "/".join(part.split("--")[1:])
    if "__" in name:
        return name.replace("__", "/", 1)
    given = config.get("_name_or_path")
    return given if isinstance(given, str) and "/" in given and not given.startswith(("/", ".")) else name


def spoiled(path: Path, size: int) -> str | None:
    """What a file is instead of its content: nothing, a Git LFS pointer, a page that tells of an error; else None."""
    if size == 0:
        return "zero bytes"
    with path.open("rb") as handle:
        head = handle.read(HEAD_BYTES)
    if head.startswith(LFS_POINTER):
        return "a Git LFS pointer"
    if path.suffix.lower() not in PAGES and head.lstrip().lower().startswith(HTML):
        return "an HTML page"
    return None


def hash_tree(root: Path, memory: Path | None = None, progress: Path | None = None) -> dict[str, Any]:
    """``{tree_sha256, files, bytes, hashed, seconds, entries: [{path, bytes, sha256}], spoiled: [{path, what}]}`` of a
    folder.

    ``memory`` is a JSON file of what was hashed before; a file whose size, time and inode are the same is not read
    again, even under another name. It is written every few seconds, so that what was hashed before a loss stays known.
    Progress goes to stderr and into the file ``progress``. Raises ``ValueError`` for a link, ``OSError`` for a file
    that cannot be read.
    """
    began = told = time.monotonic()
    known = _config(memory, MEMORY_BYTES) if memory is not None else {}
    by_identity = {tuple(each[:3]): str(each[3]) for each in known.values() if isinstance(each, list)}
    names = tree_files(root)
    total = sum((root / name).stat().st_size for name in names)
    fresh: dict[str, list[Any]] = {}
    odd: list[dict[str, str]] = []
    hashed = done = 0
    for name in names:
        path = root / name
        facts = path.stat()
        identity = [facts.st_size, facts.st_mtime_ns, facts.st_ino]
        digest = by_identity.get(tuple(identity), "")
        if not digest:
            digest = sha256_file(path)
            hashed += 1
        fresh[str(path)] = [*identity, digest]
        what = spoiled(path, facts.st_size)
        if what is not None:
            odd.append({"path": name, "what": what})
        done += facts.st_size
        if time.monotonic() - told > PROGRESS_SECONDS:
            told = time.monotonic()
            line = {"hashed_bytes": done, "of_bytes": total, "files": len(fresh), "of": len(names)}
            print(json.dumps(line), file=sys.stderr, flush=True)
            if progress is not None:
                write_json(progress, line)
            if memory is not None:
                write_json(memory, {**known, **fresh})
    if memory is not None:
        write_json(memory, {**known, **fresh})
    entries = [
        {"path": name, "bytes": fresh[str(root / name)][0], "sha256": fresh[str(root / name)][3]} for name in names
    ]
    return {
        "tree_sha256": sha256_text("".join("{sha256}  {path}\n".format(**entry) for entry in entries)),
        "files": len(entries),
        "bytes": done,
        "hashed": hashed,
        "seconds": round(time.monotonic() - began, 3),
        "entries": entries,
        "spoiled": odd,
    }
