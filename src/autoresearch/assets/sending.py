"""Sending a folder of this machine to another: staged, hashed there, renamed (formal-case.md 4.1, 16, "Sending")."""

from __future__ import annotations

import tarfile
import tempfile
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from autoresearch.assets.check import File, Tree, look_at_tree
from autoresearch.assets.machine import Machine
from autoresearch.assets.placing import make_folder, move_into_place, remove_staged, staging_path
from autoresearch.assets.registry import GB
from autoresearch.errors import InfrastructureError, RefusedError
from autoresearch.files import sha256_text
from autoresearch.findings import finding

SPARE_BYTES = GB
"""Left free on the disk that a folder is loaded or sent to."""
UNPACK_SECONDS = 1800.0


def digest_of(files: Iterable[File], exclude: Collection[str] = ()) -> str:
    """The tree hash of files that were hashed elsewhere, without those that are excluded."""
    kept = sorted((file.path, file.sha256) for file in files if file.path not in exclude)
    return sha256_text("".join(f"{digest}  {path}\n" for path, digest in kept))


def begun(machine: Machine, staged: str) -> bool:
    """Something lies in a staged folder from an earlier try."""
    return bool(machine.place.run(["ls", "-A", staged]).stdout.strip())


def settle(machine: Machine, staged: Tree, path: str) -> None:
    """Rename a checked tree; where another process was first with the same files, take those."""
    try:
        move_into_place(machine, staged.path, path)
    except InfrastructureError:
        there = look_at_tree(machine, path)
        if there is None or there.tree_sha256 != staged.tree_sha256:
            raise
        remove_staged(machine, staged.path)


def send_tree(
    machine: Machine,
    source: Path,
    path: str,
    tree_sha256: str,
    size: int,
    exclude: Collection[str] = (),
    *,
    packed: bool = False,
) -> Tree:
    """Send a folder of ``size`` bytes to ``path``; the tree there, which has that hash without what is excluded.

    ``packed``: as one file, for many small ones. A sending that was broken off goes on. Raises ``InfrastructureError``
    for a full disk or another hash.
    """
    staged = staging_path(path, f"sent-{tree_sha256[:12]}")
    make_folder(machine, staged)
    if machine.place.free_space(staged) < size + SPARE_BYTES and not begun(machine, staged):
        machine.place.run(["rmdir", staged])
        raise InfrastructureError(f"{machine.server}: {size / GB:.1f} GB are needed at {path}; free space")
    if packed:
        _send_packed(machine, source, staged)
    else:
        machine.place.put(source, staged)
    tree = look_at_tree(machine, staged)
    if tree is None or digest_of(tree.files, exclude) != tree_sha256:
        remove_staged(machine, staged)
        raise InfrastructureError(f"{machine.server}:{staged} is not what was sent from here; check the disk there")
    settle(machine, tree, path)
    return replace(tree, path=path)


def _send_packed(machine: Machine, source: Path, staged: str) -> None:
    archive = f"{staged}.tar"
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch) / "packed.tar"
        with tarfile.open(place, "w") as handle:
            handle.add(source, ".")
        machine.place.put(place, archive)
    done = machine.place.run(["tar", "-xf", archive, "--no-same-owner", "-C", staged], timeout=UNPACK_SECONDS)
    machine.place.run(["rm", "-f", "--", archive])
    if not done.ok:
        raise InfrastructureError(f"{machine.server}:{archive} cannot be unpacked: {done.stderr.strip()[-200:]}")


def keep_tree(
    machine: Machine,
    source: Path,
    path: str,
    tree_sha256: str,
    size: int,
    exclude: Collection[str] = (),
    *,
    packed: bool = False,
    fresh: bool = False,
) -> Tree:
    """The folder as it lies at ``path``, hashed there; sent when nothing is there. ``fresh``: no hash is remembered.

    Raises ``RefusedError`` (V108) when another tree lies there, and what ``send_tree`` raises.
    """
    there = look_at_tree(machine, path, fresh=fresh)
    if there is None:
        return send_tree(machine, source, path, tree_sha256, size, exclude, packed=packed)
    found = digest_of(there.files, exclude)
    if found != tree_sha256:
        item = finding(
            "V108",
            place=f"{machine.server}, {path}",
            value=found[:12],
            rule=f"is its tree hash, {tree_sha256[:12]} was sent there",
            remedy="move the folder away there; it is sent again",
        )
        raise RefusedError(item.message(), [item])
    return there
