"""Source trees of ``verl_case.dependencies``: recorded, and where the config says so mounted into rows (6.4, 8.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.cases.git_rules import Tree
from autoresearch.cli.verl_case.locks import SOURCE

if TYPE_CHECKING:
    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.cli.verl_case.inputs import Inputs
    from autoresearch.cli.verl_case.sender import Sender, Sent
    from autoresearch.findings import Finding


@dataclass(frozen=True)
class Mounted:
    """A source tree that rows see before the package of its name."""

    python_path: str
    entry: dict[str, Any]
    """For the ``assets`` of the config lock."""
    sent: Sent
    findings: tuple[Finding, ...]


def dependency_trees(call: CaseRun) -> list[Tree]:
    """Working trees of the dependencies. Raises ``RefusedError`` (V336) for a path that is none."""
    from autoresearch.hosts.dependencies import require_tree

    found = []
    for name, dependency in call.config.verl_case.dependencies.items():
        path = Path(dependency.path).expanduser()
        require_tree(name, path)
        found.append(Tree(name, path))
    return found


def mount_sources(call: CaseRun, sender: Sender) -> list[Mounted]:
    """The trees with ``mount: true``, packed, hashed and ready to be sent. Raises ``RefusedError`` (V336, V310)."""
    from autoresearch.hosts.dependencies import pack_dependency

    found = []
    for name, dependency in call.config.verl_case.dependencies.items():
        if dependency.mount:
            tree = pack_dependency(name, Path(dependency.path).expanduser(), sender.scratch)
            sent = sender.send(name, tree.folder, tree.tree_sha256, packed=True)
            path = f"{sent.path}/{tree.layout}".rstrip("/")
            entry = {**sent.entry, "role": SOURCE, "name": name, "left_out": list(tree.left_out)}
            found.append(Mounted(path, entry, sent, tree.findings))
    return found


def with_sources(inputs: Inputs, sources: list[Mounted], *, container: bool) -> Inputs:
    """The inputs of rows that read the mounted trees too; our own code stays last."""
    return replace(
        inputs,
        python_path=(*(each.python_path for each in sources), *inputs.python_path),
        read_only=(*inputs.read_only, *(each.entry["path"] for each in sources if container)),
        assets=(*inputs.assets, *(each.entry for each in sources)),
        to_send=(*inputs.to_send, *(each.sent for each in sources)),
    )
