"""Source trees that a row sees in place of what its image has (formal-case.md 6.4, ``dependencies`` with ``mount``).

A tree is what git would commit now: tracked files and untracked ones that are not ignored. It is hashed as every tree
is, sent once under its hash, and mounted read-only by ``containers`` (``mounted_as``).
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from autoresearch.errors import RefusedError
from autoresearch.files import tree_sha256
from autoresearch.findings import Finding, finding
from autoresearch.hosts.protocol import Host

IN_IMAGES = frozenset({"vllm"})
"""Built for their image: mounting over them is possible, and a finding."""


@dataclass(frozen=True)
class SourceTree:
    """A copy of a dependency's working tree, ready to be sent."""

    name: str
    folder: Path
    """The copy on this machine: files only."""
    tree_sha256: str
    left_out: tuple[str, ...]
    """Links and submodules, which are not carried."""
    findings: tuple[Finding, ...] = ()


def pack_dependency(name: str, path: Path, scratch: Path) -> SourceTree:
    """Copy the working tree of ``path`` below ``scratch`` and hash it.

    Raises ``RefusedError`` when the path is missing or no git working tree: at lock time, before anything starts.
    """
    if not path.is_dir():
        raise RefusedError(f"dependencies.{name}.path: {path} is no folder; give the working tree of {name}")
    listed = subprocess.run(
        ["git", "-C", str(path), "ls-files", "--cached", "--others", "--exclude-standard", "-z"], capture_output=True
    )
    if listed.returncode:
        reason = listed.stderr.decode("utf-8", "replace").strip()
        raise RefusedError(f"dependencies.{name}.path: {path} is no git working tree ({reason}); clone it there")
    target = scratch / name
    if target.exists():
        shutil.rmtree(target)
    left_out = []
    for relative in sorted(set(filter(None, listed.stdout.decode("utf-8", "surrogateescape").split("\0")))):
        source = path / relative
        if source.is_symlink() or source.is_dir():
            left_out.append(relative)
        elif source.is_file():  # a tracked file that was deleted is gone from the tree
            place = target / relative
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, place)
    if not target.is_dir():
        raise RefusedError(f"dependencies.{name}.path: {path} holds no file")
    return SourceTree(name, target, tree_sha256(target), tuple(left_out), _over_image(name))


def _over_image(name: str) -> tuple[Finding, ...]:
    if name not in IN_IMAGES:
        return ()
    item = finding(
        "V335",
        place=f"dependencies.{name}",
        value="mount: true",
        rule="puts a source tree over a build that belongs to its image",
        remedy="leave mount out unless this source is what you want to try",
    )
    return (item,)


def send_dependency(host: Host, tree: SourceTree, folder: str) -> str:
    """Send the tree below ``folder`` of the host, under its hash; its path there."""
    target = f"{folder}/{tree.name}-{tree.tree_sha256[:16]}"
    host.put(tree.folder, target)
    return target
