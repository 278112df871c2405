"""Source trees mounted into rows: what git would commit, hashed, sent once (formal-case.md 6.4)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autoresearch.errors import RefusedError
from autoresearch.files import tree_sha256
from autoresearch.hosts.dependencies import pack_dependency, send_dependency
from autoresearch.hosts.local import LocalHost


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    path = tmp_path / "verl"
    (path / "verl").mkdir(parents=True)
    git = ["git", "-C", str(path), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", "init", "-q", str(path)], check=True)
    (path / ".gitignore").write_text("ignored\n")
    for name in ("verl/a.py", "verl/deleted.py", "ignored"):
        (path / name).write_text(name)
    subprocess.run([*git, "add", "verl", ".gitignore"], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    (path / "verl" / "a.py").write_text("changed")
    (path / "verl" / "new.py").write_text("untracked")
    (path / "verl" / "deleted.py").unlink()
    (path / "link").symlink_to("verl/a.py")
    return path


def test_the_tree_is_what_git_would_commit_now_and_is_sent_under_its_hash(
    repository: Path, host: LocalHost, tmp_path: Path
) -> None:
    tree = pack_dependency("verl", repository, tmp_path / "scratch")
    target = Path(send_dependency(host, tree, f"{host.workdir}/sources"))
    names = sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file())
    assert names == [".gitignore", "verl/a.py", "verl/new.py"]
    assert (target / "verl" / "a.py").read_text() == "changed" and tree.left_out == ("link",)
    assert tree_sha256(target) == tree.tree_sha256 and tree.tree_sha256[:16] in target.name and tree.findings == ()


def test_mounting_over_an_images_own_build_is_a_finding(repository: Path, tmp_path: Path) -> None:
    (found,) = pack_dependency("vllm", repository, tmp_path / "scratch").findings
    assert found.code == "V335" and found.severity == "warning"


@pytest.mark.parametrize("kind", ["missing", "no git tree"])
def test_a_path_that_is_missing_or_no_git_tree_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "plain"
    if kind != "missing":
        path.mkdir()
        (path / "x").write_text("")
    with pytest.raises(RefusedError, match=r"dependencies\.verl\.path"):
        pack_dependency("verl", path, tmp_path / "scratch")
