"""Source trees of ``verl_case.dependencies``: recorded, and where the config says so mounted into rows (6.4, 8.3)."""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.cases.git_rules import Tree
from autoresearch.cli.verl_case.locks import INSTALLED, SOURCE

if TYPE_CHECKING:
    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.cli.verl_case.inputs import Inputs
    from autoresearch.cli.verl_case.sender import Sender, Sent
    from autoresearch.findings import Finding


@dataclass(frozen=True)
class Source:
    """A source that is more than recorded from its git tree."""

    entry: dict[str, Any]
    """For the ``assets`` of the config lock."""
    python_path: str | None = None
    """Mounted: rows see it before the package of its name. None: an installed distribution, recorded by its RECORD."""
    sent: Sent | None = None
    findings: tuple[Finding, ...] = ()


def dependency_trees(call: CaseRun) -> list[Tree]:
    """Git working trees of the dependencies. Raises ``RefusedError`` (V336) for a path that is none, unless the
    distribution of that name is installed there."""
    from autoresearch.hosts.dependencies import require_tree

    found = []
    for name, dependency in call.config.verl_case.dependencies.items():
        path = Path(dependency.path).expanduser()
        if dependency.mount or not _is_installed(name, path):
            require_tree(name, path)
            found.append(Tree(name, path))
    return found


def _is_installed(name: str, path: Path) -> bool:
    """The path is where the distribution of that name is installed: its package, or the folder around it."""
    try:
        place = Path(str(importlib.metadata.distribution(name).locate_file(name)))
    except importlib.metadata.PackageNotFoundError:
        return False
    return not (path / ".git").exists() and path.resolve() in (place.resolve(), place.parent.resolve())


def mount_sources(call: CaseRun, sender: Sender) -> list[Source]:
    """The trees with ``mount: true``, packed, hashed and ready to be sent, and installed distributions by their
    version. Raises ``RefusedError`` (V336, V310)."""
    from autoresearch.hosts.dependencies import pack_dependency

    found = []
    for name, dependency in call.config.verl_case.dependencies.items():
        path = Path(dependency.path).expanduser()
        if dependency.mount:
            tree = pack_dependency(name, path, sender.scratch)
            sent = sender.send(name, tree.folder, tree.tree_sha256, packed=True)
            entry = {**sent.entry, "role": SOURCE, "name": name, "left_out": list(tree.left_out)}
            found.append(Source(entry, f"{sent.path}/{tree.layout}".rstrip("/"), sent, tree.findings))
        elif _is_installed(name, path):
            version = importlib.metadata.version(name)
            found.append(Source({"role": INSTALLED, "name": name, "path": str(path), "version": version}))
    return found


def with_sources(inputs: Inputs, sources: list[Source], *, container: bool) -> Inputs:
    """The inputs of rows that read the mounted trees too; our own code stays last."""
    mounted = [(each.python_path, each.sent) for each in sources if each.python_path and each.sent]
    return replace(
        inputs,
        python_path=(*(path for path, _ in mounted), *inputs.python_path),
        read_only=(*inputs.read_only, *(sent.path for _, sent in mounted if container)),
        assets=(*inputs.assets, *(each.entry for each in sources)),
        to_send=(*inputs.to_send, *(sent for _, sent in mounted)),
    )
