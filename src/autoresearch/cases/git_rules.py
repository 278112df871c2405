"""Git around a run (formal-case.md 8.4): only read, unless the user allows a push; then tracked changes are committed
and pushed, and nothing else.

No command here makes, deletes, renames or merges a branch, tags, rewrites history or forces a push. All trees are
looked at before the first of them is touched.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autoresearch.errors import RefusedError
from autoresearch.findings import finding

LARGEST_BYTES = 5 << 20
GIT_SECONDS = 120.0
MESSAGE = "Save the state that run {run_id} uses"
SecretFinder = Callable[[Path], Iterable[tuple[int, str]]]
"""(line, what it looks like) of every secret in a file."""


@dataclass(frozen=True)
class Tree:
    """A working tree that takes part in a run."""

    name: str
    path: Path
    fork_url: str | None = None


@dataclass(frozen=True)
class Pushed:
    """What was done to one tree, in the order of 8.4."""

    name: str
    dirty_before: bool
    committed: bool
    pushed_to: str
    commit_sha: str
    dirty_after: bool
    untracked: tuple[str, ...]
    """Not pushed."""

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**asdict(self), "untracked": list(self.untracked)}


@dataclass(frozen=True)
class _Ready:
    tree: Tree
    top: Path
    branch: str
    remote: str
    changed: tuple[str, ...]


def normal_url(url: str) -> str:
    """``git@github.com:o/r.git``, ``ssh://git@github.com/o/r`` and ``https://github.com/o/r/`` are one address."""
    text = url.strip()
    match = re.fullmatch(r"(?:[^@/:]+@)?([^/:]+):(?!//)(.+)", text)
    if match and "://" not in text:
        text = f"{match[1]}/{match[2]}"
    else:
        text = re.sub(r"^[a-z][a-z0-9+.-]*://", "", text, flags=re.IGNORECASE)
        text = re.sub(r"^[^/@]*@", "", text)
        text = re.sub(r"^([^/:]+):\d+/", r"\1/", text)
    text = re.sub(r"(\.git)?/*$", "", text)
    host, slash, rest = text.partition("/")
    return host.lower() + slash + rest


def fork_of(owner: str | None, origin: str | None) -> str | None:
    """The fork of a repository under ``owner``: the origin's address with another owner; None without one of both."""
    if not owner or not origin:
        return None
    parts = normal_url(origin).split("/")
    return f"https://{parts[0]}/{owner}/{parts[-1]}" if len(parts) >= 3 and parts[0] else None


def push_trees(trees: Sequence[Tree], run_id: str, find_secrets: SecretFinder) -> list[Pushed]:
    """Commit tracked changes of each tree's current branch and push it to the fork's remote, or else ``origin``.

    Called only with ``--allow-git-push``, before the lock is written. Raises ``RefusedError`` (V321) for a detached
    HEAD, a missing remote, a secret or a file above 5 MiB among the changes, and a push that the remote would reject or
    rejects.
    """
    ready = [_look(tree, find_secrets) for tree in trees]
    return [_push(each, run_id) for each in ready]


def _git(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    return subprocess.run(
        ["git", "-C", str(path), *words],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        env=environment,
        timeout=GIT_SECONDS,
    )


def _names(path: Path, *words: str) -> tuple[str, ...]:
    return tuple(sorted(set(filter(None, _git(path, *words).stdout.split("\0")))))


def _refuse(tree: Tree, value: str, rule: str, remedy: str) -> RefusedError:
    item = finding("V321", place=tree.name, value=value, rule=rule, remedy=remedy)
    return RefusedError(item.message(), [item])


def _look(tree: Tree, find_secrets: SecretFinder) -> _Ready:
    found = _git(tree.path, "rev-parse", "--show-toplevel")
    if found.returncode:
        raise _refuse(tree, str(tree.path), "is no git working tree", "give the working tree, or run without the flag")
    top = Path(found.stdout.strip())
    branch = _git(top, "symbolic-ref", "--quiet", "--short", "HEAD").stdout.strip()
    if not branch:
        remedy = "check out the branch that the run belongs to; none is made here"
        raise _refuse(tree, "detached HEAD", "a push needs the current branch", remedy)
    remote = _remote(tree, top)
    changed = _names(top, "diff", "--name-only", "-z", "HEAD")
    for name in changed:
        _fit_to_push(tree, top / name, name, find_secrets)
    tried = _git(top, "push", "--dry-run", "--porcelain", remote, f"HEAD:refs/heads/{branch}")
    if tried.returncode:
        raise _refuse(tree, _last(tried), f"{remote} would reject the push of {branch}", "fetch and merge there first")
    return _Ready(tree, top, branch, remote, changed)


def _remote(tree: Tree, top: Path) -> str:
    remotes = _git(top, "remote").stdout.split()
    if tree.fork_url is not None:
        wanted = normal_url(tree.fork_url)
        for name in remotes:
            urls = _git(top, "remote", "get-url", "--push", "--all", name).stdout.splitlines()
            if wanted in [normal_url(url) for url in urls]:
                return name
    if "origin" in remotes:
        return "origin"
    value = f"remotes {', '.join(remotes) or 'none'}"
    rule = f"none is {tree.fork_url}, and there is no origin" if tree.fork_url else "there is no origin"
    raise _refuse(tree, value, rule, "git remote add origin URL in that tree")


def _fit_to_push(tree: Tree, path: Path, name: str, find_secrets: SecretFinder) -> None:
    if path.is_symlink() or not path.is_file():
        return
    if path.stat().st_size > LARGEST_BYTES:
        value = f"{name}, {path.stat().st_size / 2**20:.1f} MiB"
        raise _refuse(tree, value, "no file above 5 MiB is pushed", "leave it out of the tracked files")
    for line, looks_like in find_secrets(path):
        raise _refuse(tree, f"{name}:{line}", f"looks like a {looks_like}", "take it out, and make it invalid")


def _push(ready: _Ready, run_id: str) -> Pushed:
    tree, top = ready.tree, ready.top
    if ready.changed:
        done = _git(top, "commit", "--all", "--quiet", "--message", MESSAGE.format(run_id=run_id))
        if done.returncode:
            raise _refuse(tree, _last(done), "the changes could not be committed", "commit them by hand")
    commit = _git(top, "rev-parse", "HEAD").stdout.strip()
    done = _git(top, "push", "--porcelain", ready.remote, f"HEAD:refs/heads/{ready.branch}")
    if done.returncode:
        raise _refuse(tree, _last(done), f"{ready.remote} rejected {commit[:12]}", "fetch and merge there first")
    return Pushed(
        tree.name,
        bool(ready.changed),
        bool(ready.changed),
        ready.remote,
        commit,
        bool(_names(top, "diff", "--name-only", "-z", "HEAD")),
        _names(top, "ls-files", "--others", "--exclude-standard", "-z"),
    )


def _last(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip() and line != "Done"]
    told = [line for line in lines if "rejected" in line or "fatal" in line or "error" in line]
    return " ".join((told or lines or ["git said nothing"])[0].split())
