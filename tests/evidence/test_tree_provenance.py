"""Git trees of a run: what is recorded of them, git only read, and how they are had again from the bundle."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autoresearch.errors import InputError
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.observed import observed_content
from autoresearch.evidence.provenance import dependency_state, observe_trees, tree_state
from autoresearch.files import sha256_bytes, sha256_file

PICTURE = bytes(range(256)) * 4
PATCH = "5-provenance/diffs/verl.patch"


def git(folder: Path, *words: str) -> str:
    """Run git as a user would."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", "-C", str(folder), *who, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A bare repository with one commit that holds text, a picture and a name outside ASCII."""
    work, bare = tmp_path / "author", tmp_path / "origin.git"
    work.mkdir()
    git(work, "init", "-q")
    (work / "code.py").write_text("one\ntwo\n")
    (work / "picture.bin").write_bytes(PICTURE)
    (work / "gone.txt").write_text("gone")
    (work / "名.txt").write_text("name")
    git(work, "add", "-A")
    git(work, "commit", "-q", "-m", "first")
    git(tmp_path, "clone", "-q", "--bare", str(work), str(bare))
    return bare


@pytest.fixture
def clone(origin: Path, tmp_path: Path) -> Path:
    """A clone with a changed text, a changed picture, a deleted, a staged new and an untracked file."""
    folder = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(origin), str(folder))
    (folder / "code.py").write_text("one\n2\n")
    (folder / "picture.bin").write_bytes(PICTURE[::-1])
    (folder / "gone.txt").unlink()
    (folder / "staged.txt").write_text("new")
    git(folder, "add", "staged.txt")
    (folder / "loose.txt").write_text("loose")
    return folder


def read_everything(folder: Path) -> dict[str, str]:
    """What reading must leave alone: refs, HEAD, the index's bytes and the state."""
    return {
        "refs": git(folder, "for-each-ref"),
        "head": (folder / ".git" / "HEAD").read_text(),
        "index": sha256_file(folder / ".git" / "index"),
        "status": git(folder, "status", "--porcelain=v1"),
        "config": (folder / ".git" / "config").read_text(),
    }


def test_a_modified_tree_is_recorded_with_its_patch_and_untracked_hashes(clone: Path) -> None:
    os.utime(clone / "code.py", ns=(1, 1))
    before = sha256_file(clone / ".git" / "index")
    state = tree_state(clone, "verl", PATCH)
    assert sha256_file(clone / ".git" / "index") == before, "the index is not even refreshed"
    found = state.repository
    assert (found.role, found.branch, found.detached, found.dirty) == ("recorded", "main", False, True)
    assert found.commit_sha == git(clone, "rev-parse", "HEAD")
    assert found.dirty_files == ["code.py", "gone.txt", "picture.bin", "staged.txt"]
    assert found.untracked_files == [{"path": "loose.txt", "sha256": sha256_file(clone / "loose.txt")}]
    assert state.patch is not None
    assert found.diff is not None
    assert (found.diff.path, found.diff.sha256) == (PATCH, sha256_bytes(state.patch))
    assert b"GIT binary patch" in state.patch


def test_git_is_only_read(clone: Path) -> None:
    before = read_everything(clone)
    tree_state(clone, "verl", PATCH)
    observe_trees({"verl": clone})
    assert read_everything(clone) == before


def test_the_patch_does_not_depend_on_the_users_settings(clone: Path) -> None:
    plain = tree_state(clone, "verl", PATCH)
    for key, value in (("diff.noprefix", "true"), ("diff.external", "/bin/false"), ("color.ui", "always")):
        git(clone, "config", key, value)
    assert tree_state(clone, "verl", PATCH).patch == plain.patch


def test_a_detached_head_and_an_unpushed_commit_are_told(clone: Path) -> None:
    git(clone, "remote", "set-url", "origin", "https://user:secret@github.com/lab/verl.git")
    git(clone, "checkout", "-q", "--detach")
    found = tree_state(clone, "verl", PATCH, fork_url="https://token@github.com/own/verl").repository
    assert (found.branch, found.detached, found.pushed) == (None, True, True)
    assert found.upstream_url == "https://github.com/lab/verl.git"
    assert found.fork_url == "https://github.com/own/verl"
    assert found.commit_url == f"https://github.com/lab/verl/commit/{found.commit_sha}"
    git(clone, "commit", "-q", "-m", "local")
    assert tree_state(clone, "verl", PATCH).repository.pushed is False


def test_a_folder_that_is_no_tree_is_refused_unless_it_is_a_distribution(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no git working tree"):
        dependency_state("verl", tmp_path, PATCH)
    with pytest.raises(InputError, match="nor an installed distribution"):
        dependency_state("no-such-package", None, PATCH)
    found = dependency_state("numpy", None, PATCH).repository
    assert found.version
    assert found.record_sha256


def test_a_tree_that_changed_during_the_run_is_a_finding(clone: Path, case_copied: Path) -> None:
    bundle = Bundle(case_copied)
    lock = bundle.path("provenance_lock")
    lock.chmod(0o644)
    content = json.loads(lock.read_text())
    content["repositories"] = [tree_state(clone, "verl", PATCH).repository.model_dump(mode="json")]
    lock.write_text(json.dumps(content))
    (found,) = observed_content(bundle, {"repositories": observe_trees({"verl": clone})})["findings"]
    assert (found["code"], found["place"], found["value"]) == ("V320", "verl", "modified files: 4")
    assert PATCH in found["rule"]
    (clone / "code.py").write_text("three\n")
    found = observed_content(bundle, {"repositories": observe_trees({"verl": clone})})
    assert [(each["code"], each["place"]) for each in found["findings"][1:]] == [("V322", "verl: tree_sha256")]


def test_the_tree_is_had_again_from_the_bundle(clone: Path, origin: Path, case_copied: Path, tmp_path: Path) -> None:
    bundle = Bundle(case_copied)
    state = tree_state(clone, "verl", PATCH)
    assert state.patch is not None
    (case_copied / PATCH).parent.mkdir(exist_ok=True)
    (case_copied / PATCH).write_bytes(state.patch)
    lock = bundle.path("provenance_lock")
    lock.chmod(0o644)
    content = json.loads(lock.read_text())
    content["repositories"] = [state.repository.model_dump(mode="json")]
    lock.write_text(json.dumps(content))
    script = ["bash", str(case_copied / "restore" / "rebuild-environment.sh")]
    environment = {**os.environ, "PYTHON": sys.executable, "RESTORE_DIR": str(tmp_path / "out")}
    done = subprocess.run(
        script, capture_output=True, text=True, env={**environment, "REPOSITORY_VERL": str(origin)}, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"verl ok: {state.repository.commit_sha}, tree {state.repository.tree_sha256}" in done.stdout
    again = tmp_path / "out" / "environment" / "verl"
    assert (again / "picture.bin").read_bytes() == PICTURE[::-1]
    assert not (again / "gone.txt").exists()
    assert "image x@sha256:1" in done.stdout
    done = subprocess.run(script, capture_output=True, text=True, env=environment, check=False)
    assert "no address is recorded; set REPOSITORY_VERL" in done.stdout
    content["repositories"][0]["tree_sha256"] = "0" * 64
    lock.write_text(json.dumps(content))
    done = subprocess.run(
        script, capture_output=True, text=True, env={**environment, "REPOSITORY_VERL": str(origin)}, check=False
    )
    assert done.returncode == 1
    assert "FAILED: tree hash" in done.stdout
