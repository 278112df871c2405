"""Git, only ever read: no index is refreshed, no hook, pager, monitor or external diff of the user's is run."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

DIFF_OPTIONS = ("--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "--src-prefix=a/", "--dst-prefix=b/")
"""So that a patch is the same whatever the user's git settings are, and can be applied."""


def git(folder: Path, *arguments: str, index: Path | None = None) -> bytes | None:
    """What git prints in ``folder``, within 60 s; None when it fails or is not there. ``index`` is used in place of the
    tree's own.
    """
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    if index is not None:
        environment["GIT_INDEX_FILE"] = str(index)
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "-c", "core.fsmonitor=false", *arguments],
            capture_output=True,
            env=environment,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def git_text(folder: Path, *arguments: str) -> str | None:
    """The same as text without the newline at its end."""
    out = git(folder, *arguments)
    return None if out is None else out.decode("utf-8", errors="replace").strip()


def patch_of(top: Path) -> bytes:
    """The tracked modifications of the tree at ``top`` against its commit, as a patch; empty when there are none."""
    with copied_index(top) as index:
        return git(top, "diff", "--binary", *DIFF_OPTIONS, "HEAD", index=index) or b""


@contextlib.contextmanager
def copied_index(top: Path) -> Iterator[Path | None]:
    """A copy of the tree's index for ``git diff``, which writes the file times that it saw into the one it is given,
    whatever ``GIT_OPTIONAL_LOCKS`` says. None where there is no index.
    """
    named = git_text(top, "rev-parse", "--git-path", "index")
    own = top / named if named else None
    if own is None or not own.is_file():
        yield None
        return
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "index"
        shutil.copy2(own, copy)  # with its time: git reads again what was changed no earlier than the index
        yield copy
