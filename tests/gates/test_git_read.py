"""Git is read without a trace, whatever the user has set."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autoresearch.gates.git_read import git, git_text, patch_of


def _run(folder: Path, *arguments: str) -> None:
    names = {f"GIT_{who}_{what}": "someone" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, env={**os.environ, **names})


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    _run(folder, "init", "-q")
    (folder / "code.py").write_text("one = 1\n")
    (folder / "same.py").write_text("two = 2\n")
    _run(folder, "add", ".")
    _run(folder, "commit", "-q", "-m", "first")
    return folder


def test_a_patch_is_the_modifications_and_leaves_the_index_as_it_is(tree: Path) -> None:
    before = (tree / ".git" / "index").read_bytes()
    assert patch_of(tree) == b""
    os.utime(tree / "same.py", (1, 1))  # git would write that time into its index
    _run(tree, "config", "diff.external", "false")
    (tree / "code.py").write_text("one = 3\n")
    patch = patch_of(tree)
    assert b"a/code.py" in patch and b"+one = 3" in patch and b"same.py" not in patch
    assert (tree / ".git" / "index").read_bytes() == before


def test_what_git_cannot_tell_is_none(tree: Path, tmp_path: Path) -> None:
    assert git(tree, "rev-parse", "no-such-name") is None
    assert git(tmp_path, "rev-parse", "HEAD") is None
    assert git_text(tree, "rev-list", "--count", "HEAD") == "1"
