"""Git around a run: bare origins, modified, detached and rejected trees (formal-case.md 8.4)."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from autoresearch.cases.git_rules import Tree, fork_of, normal_url, push_trees
from autoresearch.errors import RefusedError

WHO = ["-c", "user.name=T", "-c", "user.email=t@example.org"]


def git(path: Path, *words: str) -> str:
    """Run git in a tree; its output."""
    done = subprocess.run(["git", "-C", str(path), *WHO, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def nothing(path: Path) -> Iterator[tuple[int, str]]:
    """A scan that finds nothing."""
    return iter(())


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working tree with one commit, pushed to a bare origin."""
    for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setenv(f"{name}_NAME", "T")
        monkeypatch.setenv(f"{name}_EMAIL", "t@example.org")
    origin, path = tmp_path / "origin.git", tmp_path / "tree"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=work", str(origin))
    git(tmp_path, "clone", "--quiet", str(origin), str(path))
    git(path, "checkout", "--quiet", "-B", "work")
    (path / "code.py").write_text("one\n")
    git(path, "add", "code.py")
    git(path, "commit", "--quiet", "--message", "one")
    git(path, "push", "--quiet", "origin", "work")
    return path


def state(path: Path) -> tuple[str, ...]:
    """Refs, HEAD, index and files of a tree."""
    head = (path / ".git" / "HEAD").read_text()
    return (git(path, "for-each-ref"), head, git(path, "ls-files", "--stage"), git(path, "status", "--porcelain"))


def test_tracked_changes_are_committed_and_pushed_and_untracked_files_told(tree: Path, tmp_path: Path) -> None:
    (tree / "code.py").write_text("two\n")
    (tree / "notes.txt").write_text("mine\n")
    (done,) = push_trees([Tree("code", tree)], "run-1", nothing)
    assert done.as_dict() == {
        "name": "code",
        "dirty_before": True,
        "committed": True,
        "pushed_to": "origin",
        "commit_sha": git(tree, "rev-parse", "HEAD"),
        "dirty_after": False,
        "untracked": ["notes.txt"],
    }
    origin = tmp_path / "origin.git"
    assert git(origin, "rev-parse", "work") == done.commit_sha
    assert git(origin, "show", "work:code.py") == "two" and "notes.txt" not in git(origin, "ls-tree", "work")
    assert git(origin, "for-each-ref", "--format=%(refname)") == "refs/heads/work"


def test_a_clean_tree_gets_no_commit(tree: Path) -> None:
    before = git(tree, "rev-parse", "HEAD")
    (done,) = push_trees([Tree("code", tree)], "run-1", nothing)
    assert (done.committed, done.commit_sha) == (False, before)


def test_the_remote_of_the_fork_is_taken_before_origin(tree: Path, tmp_path: Path) -> None:
    fork = tmp_path / "fork.git"
    git(tmp_path, "init", "--quiet", "--bare", str(fork))
    git(tree, "remote", "add", "mine", str(fork))
    (tree / "code.py").write_text("two\n")
    (done,) = push_trees([Tree("code", tree, fork_url=str(fork))], "run-1", nothing)
    assert done.pushed_to == "mine" and git(fork, "rev-parse", "work") == done.commit_sha
    assert git(tmp_path / "origin.git", "rev-parse", "work") != done.commit_sha


def test_what_may_not_be_pushed_stops_before_any_tree_is_touched(tree: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(tmp_path, "clone", "--quiet", str(tmp_path / "origin.git"), str(other))
    (other / "code.py").write_text("theirs\n")
    (tree / "code.py").write_text("token\n")
    both = [Tree("other", other), Tree("code", tree)]

    def refused(finds: str = "", trees: list[Tree] = both) -> str:
        states = [state(each.path) for each in trees]
        with pytest.raises(RefusedError) as error:
            push_trees(trees, "run-1", lambda path: [(1, finds)] if finds and path.parent == tree else [])
        assert error.value.findings[0].code == "V321"
        assert [state(each.path) for each in trees] == states
        return error.value.message

    assert '"code.py:1" looks like a key' in refused("key")
    (tree / "code.py").write_bytes(b"x" * ((5 << 20) + 1))
    assert "5 MiB" in refused()
    (tree / "code.py").write_text("two\n")
    git(tree, "checkout", "--quiet", "--detach")
    assert "detached HEAD" in refused()
    git(tree, "checkout", "--quiet", "work")
    git(tree, "remote", "rename", "origin", "upstream")
    assert "there is no origin" in refused()
    git(tree, "remote", "rename", "upstream", "origin")
    git(other, "commit", "--quiet", "--all", "--message", "theirs")
    git(other, "push", "--quiet", "origin", "work")
    (tree / "code.py").write_text("ours\n")
    git(tree, "commit", "--quiet", "--all", "--message", "ours")
    assert "would reject the push of work" in refused(trees=[Tree("code", tree)])


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:owner/repo.git",
        "ssh://git@GitHub.com/owner/repo",
        "https://user:secret@github.com/owner/repo.git/",
        "ssh://git@github.com:22/owner/repo.git",
    ],
)
def test_one_repository_has_one_normal_address(url: str) -> None:
    assert normal_url(url) == "github.com/owner/repo"


def test_a_fork_has_the_name_of_its_origin_and_another_owner() -> None:
    assert fork_of("me", "git@github.com:owner/repo.git") == "https://github.com/me/repo"
    assert fork_of(None, "git@github.com:owner/repo.git") is None and fork_of("me", None) is None
