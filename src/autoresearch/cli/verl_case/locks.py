"""Content of the two locks of a formal case (formal-case.md 8.2, 8.3), but for its rows."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.cases.locks import config_lock_head
from autoresearch.errors import RefusedError
from autoresearch.evidence import provenance
from autoresearch.evidence.locks import ProvenanceLock, Repository

if TYPE_CHECKING:
    from autoresearch.cases.config import CaseConfig
    from autoresearch.cases.git_rules import Tree
    from autoresearch.cli.verl_case.host import HostFacts
    from autoresearch.cli.verl_case.inputs import Inputs

SOURCE, INSTALLED = "source", "installed"
"""Roles of a mounted source tree, and of an installed dependency, among the assets of a lock."""
DIFF = "5-provenance/diffs/autoresearch.patch"


def public_server(config: CaseConfig, facts: HostFacts) -> dict[str, str | None]:
    """Name, accelerator, container, image: no address, no user."""
    server = config.server(facts.server)
    return {
        "name": server.name,
        "accelerator": facts.accelerator,
        "container": server.container,
        "image": facts.image if server.container == "docker" else None,
    }


def config_lock(
    config: CaseConfig, facts: HostFacts, inputs: Inputs, run_id: str, created_at: str, runner_sha256: str
) -> dict[str, Any]:
    """Everything of ``config.lock.json`` but its rows."""
    case = config.verl_case
    return config_lock_head(
        case,
        run_id=run_id,
        created_at=created_at,
        server=public_server(config, facts),
        devices=[each.model_dump() for each in facts.devices],
        device_source=facts.device_source,
        assets=inputs.assets,
        prompt=inputs.prompt,
        reward=inputs.reward,
        plan=inputs.plan,
        seed=case.seed if inputs.plan is None else inputs.plan["seed"],
        version=provenance.own_version(),
        runner_sha256=runner_sha256,
    )


def own_state() -> provenance.SourceState:
    """The state of our own code."""
    import autoresearch

    return provenance.source_state(Path(autoresearch.__file__), "autoresearch", DIFF)


def provenance_lock(
    facts: HostFacts,
    run_id: str,
    created_at: str,
    folder: Path,
    trees: Sequence[Tree],
    pushed: Sequence[dict[str, Any]],
    *,
    assets: Sequence[Mapping[str, Any]] = (),
    more: Mapping[str, Any] | None = None,
) -> tuple[dict[str, Any], list[Path]]:
    """``provenance.lock.json``, and the files that belong to it, written below ``folder``. ``assets``: those of
    the config lock, among them the mounted sources; ``more`` goes into the environment."""
    state = own_state()
    repositories = [state.repository]
    beside: list[Path] = []
    folder.mkdir(parents=True, exist_ok=True)
    if state.patch is not None:
        path = folder / "diffs" / Path(DIFF).name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(state.patch)
        beside.append(path)
    mounted = [dict(each) for each in assets if each.get("role") == SOURCE]
    names = {each["name"] for each in mounted}
    for tree in trees:
        found = _dependency(tree, folder, beside)
        repositories.append(found.model_copy(update={"role": "mounted" if tree.name in names else "recorded"}))
    named = [str(each["name"]) for each in assets if each.get("role") == INSTALLED]
    repositories += [each for name in named if (each := provenance.installed_distribution(name)) is not None]
    stack = facts.part("stack")
    versions = {name: text for name, text in (stack.get("versions") or {}).items() if text}
    for name in ("verl", "vllm"):
        if name in versions and all(each.name != name for each in repositories):
            repositories.append(Repository(name=name, role="in_image", version=versions[name]))
    packages = provenance.packages_text()
    (folder / "packages.txt").write_text(packages, encoding="utf-8")
    beside.append(folder / "packages.txt")
    hardware = facts.part("hardware")
    environment = {
        **provenance.environment(packages),
        "image": facts.image,
        "driver": hardware.get("driver"),
        "firmware": hardware.get("firmware"),
        "host": {
            "python": stack.get("python"),
            "versions": versions,
            "packages_sha256": stack.get("packages_sha256"),
            "cores": facts.cores,
        },
        "git_push": list(pushed),
        "mounted": mounted,
        **(more or {}),
    }
    lock = ProvenanceLock(run_id=run_id, created_at=created_at, repositories=repositories, environment=environment)
    return lock.model_dump(mode="json"), beside


def _dependency(tree: Tree, folder: Path, beside: list[Path]) -> Repository:
    """A dependency's working tree: read by git through one of its tracked files."""
    listed = subprocess.run(["git", "-C", str(tree.path), "ls-files", "-z"], capture_output=True, text=True)
    tracked = [tree.path / name for name in listed.stdout.split("\0") if name and (tree.path / name).is_file()]
    if listed.returncode or not tracked:
        raise RefusedError(f"dependencies.{tree.name}.path: {tree.path} holds no file that git tracks")
    state = provenance.source_state(tracked[0], tree.name, f"5-provenance/diffs/{tree.name}.patch")
    if state.patch is not None:
        path = folder / "diffs" / f"{tree.name}.patch"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(state.patch)
        beside.append(path)
    return state.repository.model_copy(update={"fork_url": tree.fork_url})
