"""What was used: git state, installed distributions, machine (formal-case.md 8.3, 8.4). Git is only ever read."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from autoresearch.errors import InputError
from autoresearch.evidence.locks import Repository, SavedDiff
from autoresearch.files import sha256_bytes, sha256_file, sha256_text
from autoresearch.gates.git_read import DIFF_OPTIONS, copied_index, git, git_text, patch_of

STACK = (
    "verl",
    "torch",
    "transformers",
    "ray",
    "tensordict",
    "TransferQueue",
    "numpy",
    "pyarrow",
    "polars",
    "pydantic",
    "vllm",
    "flash-linear-attention",
    "wandb",
)
"""Distributions whose versions stand in the lock by name; the full list is ``packages.txt``."""

Role = Literal["orchestrator", "mounted", "in_image", "recorded"]


@dataclass(frozen=True)
class SourceState:
    """The state of our own code, and the patch of its modifications (None when there is none)."""

    repository: Repository
    patch: bytes | None


def _without_user(url: str | None) -> str | None:
    """A remote's address without user and password; a local path is no public fact and becomes None."""
    if not url or url.startswith(("/", ".", "file:")):
        return None
    return re.sub(r"^([a-z+]+://)[^@/]*@", r"\1", url)


def _commit_url(url: str | None, commit: str | None) -> str | None:
    if url is None or commit is None:
        return None
    match = re.fullmatch(r"(?:https://|git@|ssh://git@)(github\.com|gitlab\.com|gitee\.com)[:/](.+?)(?:\.git)?/?", url)
    return f"https://{match[1]}/{match[2]}/commit/{commit}" if match else None


def installed_distribution(name: str, role: str = "recorded") -> Repository | None:
    """An installed distribution with its version and the sha256 of its RECORD, or None when it is not installed."""
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return None
    record = distribution.read_text("RECORD")
    return Repository.model_validate(
        {
            "name": name,
            "role": role,
            "version": distribution.version,
            "record_sha256": None if record is None else sha256_text(record),
        }
    )


def source_state(package_file: Path, name: str, diff_path: str) -> SourceState:
    """State of the tree that holds ``package_file``: git facts when git tracks it, else the installed distribution.

    ``diff_path`` is where the patch will lie inside the bundle.
    """
    folder = package_file.resolve().parent
    if git(folder, "ls-files", "--error-unmatch", "--", package_file.name) is None:
        found = installed_distribution(name, "orchestrator")
        return SourceState(found or Repository(name=name, role="orchestrator"), None)
    return tree_state(folder, name, diff_path, role="orchestrator")


def tree_state(
    folder: Path, name: str, diff_path: str, *, role: Role = "recorded", fork_url: str | None = None
) -> SourceState:
    """State of the git working tree that ``folder`` lies in, and the patch of its tracked modifications.

    Git is only read: no index is refreshed, no hook, pager or external diff of the user's is run. ``diff_path`` is
    where the patch will lie inside the bundle. Raises ``InputError`` when ``folder`` is no git tree with a commit.
    """
    top_text = git_text(folder, "rev-parse", "--show-toplevel")
    commit = git_text(folder, "rev-parse", "--verify", "HEAD^{commit}")
    if not top_text or not commit:
        raise InputError(
            f"{name}: {folder} is no git working tree with a commit; give a clone of it, or install it as a package"
        )
    top = Path(top_text)
    branch = git_text(top, "symbolic-ref", "--quiet", "--short", "HEAD")
    with copied_index(top) as index:
        names = _names(top, "diff", "--name-only", "-z", *DIFF_OPTIONS, "HEAD", index=index)
    patch = patch_of(top) if names else None
    url = _without_user(git_text(top, "remote", "get-url", "origin"))
    pushed = None if url is None else bool(git_text(top, "branch", "-r", "--contains", "HEAD"))
    repository = Repository(
        name=name,
        role=role,
        upstream_url=url,
        fork_url=_without_user(fork_url),
        branch=branch,
        detached=branch is None,
        commit_sha=commit,
        describe=git_text(top, "describe", "--always", "--tags"),
        dirty=bool(names),
        dirty_files=[_shown(each) for each in sorted(names)],
        untracked_files=[
            {"path": _shown(each), "sha256": sha256_file(top / each)}
            for each in sorted(_names(top, "ls-files", "--others", "--exclude-standard", "-z"))
            if _is_file(top / each)
        ],
        diff=SavedDiff(path=diff_path, sha256=sha256_bytes(patch)) if patch else None,
        tree_sha256=_tracked_tree(top),
        commit_url=_commit_url(url, commit),
        pushed=pushed,
        submodules=[line.strip() for line in (git_text(top, "submodule", "status") or "").split("\n") if line.strip()],
    )
    return SourceState(repository, patch or None)


def dependency_state(name: str, folder: Path | None, diff_path: str, *, role: Role = "recorded") -> SourceState:
    """State of a dependency: its git tree, or without a folder its installed distribution.

    Raises ``InputError`` for a folder that is no git tree and for a name that is not installed.
    """
    if folder is not None:
        return tree_state(folder, name, diff_path, role=role)
    found = installed_distribution(name, role)
    if found is None:
        raise InputError(f"{name}: neither a git working tree nor an installed distribution of that name")
    return SourceState(found, None)


def observe_trees(folders: Mapping[str, Path]) -> list[dict[str, Any]]:
    """The same trees after the run, for ``observed.json``: what must not have changed of each."""
    found = []
    for name, folder in folders.items():
        try:
            now = tree_state(folder, name, "").repository
        except InputError as error:
            found.append({"name": name, "commit_sha": None, "gone": error.message})
            continue
        found.append({key: getattr(now, key) for key in ("name", "commit_sha", "branch", "dirty", "tree_sha256")})
    return found


def _names(top: Path, *arguments: str, index: Path | None = None) -> list[str]:
    """Paths that git prints with zero bytes between them, whatever bytes they hold."""
    return [each for each in os.fsdecode(git(top, *arguments, index=index) or b"").split("\0") if each]


def _shown(name: str) -> str:
    """A path as text that any JSON can hold."""
    return os.fsencode(name).decode("utf-8", errors="backslashreplace")


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _tracked_tree(top: Path) -> str:
    digest = hashlib.sha256()
    for name in sorted(_names(top, "ls-files", "-z")):
        if _is_file(top / name):
            digest.update(os.fsencode(f"{sha256_file(top / name)}  {name}\n"))
    return digest.hexdigest()


def packages_text() -> str:
    """All installed distributions, ``name==version`` a line, sorted without regard to case."""
    heads = (each.metadata for each in importlib.metadata.distributions())  # parsed anew at every access
    found = {head["Name"].lower(): f"{head['Name']}=={head['Version']}" for head in heads if head["Name"]}
    return "".join(found[name] + "\n" for name in sorted(found))


def versions() -> dict[str, str | None]:
    """Version of each distribution of ``STACK``; null where it is not installed."""
    out: dict[str, str | None] = {}
    for name in STACK:
        try:
            out[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            out[name] = None
    return out


def environment(packages: str) -> dict[str, Any]:
    """The machine and its software: no host name, no user."""
    memory = None
    with contextlib.suppress(ValueError, OSError, AttributeError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "system": platform.system(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "python": platform.python_version(),
        "cpu_count": os.cpu_count(),
        "memory_bytes": memory,
        "image": None,
        "driver": None,
        "versions": versions(),
        "packages_sha256": sha256_text(packages),
    }


def own_version() -> str | None:
    """Version of the installed ``autoresearch``, or None when it runs from a folder that is not installed."""
    try:
        return importlib.metadata.version("autoresearch")
    except importlib.metadata.PackageNotFoundError:
        return None
