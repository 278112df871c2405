"""Source trees mounted into rows: what git would commit, hashed (formal-case.md 6.4)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autoresearch.errors import RefusedError
from autoresearch.files import tree_sha256
from autoresearch.hosts.dependencies import pack_dependency


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


def test_the_tree_is_what_git_would_commit_now(repository: Path, tmp_path: Path) -> None:
    tree = pack_dependency("verl", repository, tmp_path / "scratch")
    names = sorted(path.relative_to(tree.folder).as_posix() for path in tree.folder.rglob("*") if path.is_file())
    assert names == [".gitignore", "verl/a.py", "verl/new.py"]
    assert (tree.folder / "verl" / "a.py").read_text() == "changed" and tree.left_out == ("link",)
    assert (tree_sha256(tree.folder), tree.layout, tree.findings) == (tree.tree_sha256, "", ())


def test_a_package_below_src_is_found_and_mounting_over_an_images_own_build_is_a_finding(
    repository: Path, tmp_path: Path
) -> None:
    for name, place in (("transformers", "src/transformers"), ("vllm", "vllm")):
        (repository / place).mkdir(parents=True)
        (repository / place / "__init__.py").write_text("")
        assert pack_dependency(name, repository, tmp_path / "scratch").layout == place.rpartition("/")[0]
    (found,) = pack_dependency("vllm", repository, tmp_path / "scratch").findings
    assert found.code == "V335" and found.severity == "warning"


@pytest.mark.parametrize("kind", ["missing", "no git tree", "other package", "part of a tree"])
def test_a_path_that_cannot_be_mounted_is_refused(repository: Path, tmp_path: Path, kind: str) -> None:
    path, name = tmp_path / "plain", "verl"
    if kind == "no git tree":
        path.mkdir()
    elif kind == "other package":
        path, name = repository, "mindspeed"
    elif kind == "part of a tree":
        path = repository / "verl"
    with pytest.raises(RefusedError, match=rf"V336 .*dependencies\.{name}\.path.*git clone") as refused:
        pack_dependency(name, path, tmp_path / "scratch")
    assert [item.code for item in refused.value.findings] == ["V336"]


def test_another_verl_than_the_one_that_was_checked_is_refused(repository: Path, tmp_path: Path) -> None:
    stated = repository / "verl" / "version" / "version"
    stated.parent.mkdir()
    stated.write_text("0.8.0\n")
    with pytest.raises(RefusedError, match=r"V310 .*verl 0\.8\.0"):
        pack_dependency("verl", repository, tmp_path / "scratch")
    stated.write_text("0.9.1\n")
    assert pack_dependency("verl", repository, tmp_path / "scratch").left_out == ("link",)
