"""Source trees that a row sees in place of what its image has (formal-case.md 6.4, ``dependencies`` with ``mount``).

A tree is what git would commit now: tracked files and untracked ones that are not ignored. It is hashed as every tree
is and sent once under its hash. Rows read it there, in a container read-only at the same path, before what their
Python has installed.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from autoresearch.errors import RefusedError
from autoresearch.files import tree_sha256
from autoresearch.findings import Finding, finding
from autoresearch.hosts.stack_checks import verl_findings

IN_IMAGES = frozenset({"vllm"})
"""Built for their image: mounting over them is possible, and a finding."""
LAYOUTS = ("", "src")
"""Where a package lies in its working tree."""
VERL_VERSION_FILE = "verl/version/version"


@dataclass(frozen=True)
class SourceTree:
    """A copy of a dependency's working tree, ready to be sent."""

    name: str
    folder: Path
    """The copy on this machine: files only."""
    tree_sha256: str
    layout: str
    """The folder below it that goes onto ``PYTHONPATH``; empty for the tree itself."""
    left_out: tuple[str, ...]
    """Links and submodules, which are not carried."""
    findings: tuple[Finding, ...] = ()


def require_tree(name: str, path: Path) -> None:
    """Raise ``RefusedError`` (V336) for a path that is not the top of a git working tree."""
    if not path.is_dir():
        raise _unusable(name, path, "is no folder")
    if not (path / ".git").exists():
        raise _unusable(name, path, "is no git working tree")


def pack_dependency(name: str, path: Path, scratch: Path) -> SourceTree:
    """Copy the working tree of ``path`` below ``scratch`` and hash it.

    Raises ``RefusedError``: V336 when the path is missing, no git working tree or does not hold the package, V310 for
    another verl than the one that was checked. At lock time, before anything starts.
    """
    require_tree(name, path)
    listed = subprocess.run(
        ["git", "-C", str(path), "ls-files", "--cached", "--others", "--exclude-standard", "-z"], capture_output=True
    )
    if listed.returncode:
        raise _unusable(name, path, f"cannot be read by git: {listed.stderr.decode('utf-8', 'replace').strip()}")
    target = scratch / name
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    left_out = []
    for relative in sorted(set(filter(None, listed.stdout.decode("utf-8", "surrogateescape").split("\0")))):
        source = path / relative
        if source.is_symlink() or source.is_dir():
            left_out.append(relative)
        elif source.is_file():  # a tracked file that was deleted is gone from the tree
            place = target / relative
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, place)
    layout = next((each for each in LAYOUTS if (target / each / name).is_dir()), None)
    if layout is None:
        raise _unusable(name, path, f"holds no package {name}, neither {name}/ nor src/{name}/")
    _require_version(name, target)
    return SourceTree(name, target, tree_sha256(target), layout, tuple(left_out), _over_image(name))


def _unusable(name: str, path: Path, rule: str) -> RefusedError:
    remedy = f"give the working tree of {name}: git clone it there"
    item = finding("V336", place=f"dependencies.{name}.path", value=str(path), rule=rule, remedy=remedy)
    return RefusedError(item.message(), [item])


def _require_version(name: str, tree: Path) -> None:
    stated = tree / VERL_VERSION_FILE
    if name == "verl" and stated.is_file():
        found = verl_findings(stated.read_text(encoding="utf-8").strip(), f"dependencies.{name}.path")
        if found:
            raise RefusedError(found[0].message(), found)


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
