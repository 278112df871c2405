#!/usr/bin/env python3
"""Reads this bundle's provenance lock for ``rebuild-environment.sh``. Standard library only."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

BUNDLE = Path(__file__).resolve().parent.parent


def artifact(name: str) -> Path:
    """Where the manifest says that an artefact lies."""
    manifest = json.loads((BUNDLE / "manifest.json").read_text(encoding="utf-8"))
    return BUNDLE / str(manifest["artifact_layout"]["artifacts"][name])


def lock() -> dict[str, Any]:
    """The provenance lock."""
    content: dict[str, Any] = json.loads(artifact("provenance_lock").read_text(encoding="utf-8"))
    return content


def repositories() -> None:
    """One line a git tree: name, address, commit, saved difference, tree hash; ``-`` where there is none."""
    for each in lock()["repositories"]:
        if each.get("commit_sha"):
            diff = each.get("diff") or {}
            address = each.get("fork_url") or each.get("upstream_url")
            fields = (each["name"], address, each["commit_sha"], diff.get("path"), each.get("tree_sha256"))
            print(*(field or "-" for field in fields), sep="\t")


def tree(folder: Path) -> None:
    """Tree hash of the tracked files whose names come on standard input, each ended by a zero byte."""
    names = sorted(name for name in sys.stdin.buffer.read().decode("utf-8", "surrogateescape").split("\0") if name)
    digest = hashlib.sha256()
    for name in names:
        path = folder / name
        if path.is_file() and not path.is_symlink():
            line = f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n"
            digest.update(line.encode("utf-8", "surrogateescape"))
    print(digest.hexdigest())


def constraints() -> None:
    """The package list; lines that name no released version are left out."""
    path = artifact("packages")
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
        if "==" in line and "@" not in line:
            print(line)


def image() -> None:
    """The container image by its digest, or ``none``."""
    environment = lock().get("environment") or {}
    found = environment.get("image")
    if isinstance(found, dict):
        found = found.get("digest") or found.get("ref")
    print(found or "none")


if __name__ == "__main__":
    if sys.argv[1] == "tree":
        tree(Path(sys.argv[2]))
    else:
        {"repositories": repositories, "constraints": constraints, "image": image}[sys.argv[1]]()
