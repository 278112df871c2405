"""The four standards of a task, loaded together (data-line 5.4)."""

from __future__ import annotations

from pathlib import Path

import pytest
from steel_task import FIELDS, write_assets

from autoresearch.errors import InputError
from autoresearch.files import sha256_file, write_json
from autoresearch.task.assets import CORPUS_VARIABLE, MANIFEST_VARIABLE, REGISTRY_VARIABLE, TaskAssets


def test_assets_folder_is_loaded_whole(tmp_path: Path) -> None:
    task = TaskAssets.load(write_assets(tmp_path))
    assert (len(task.registry), task.fields, task.levels) == (8, FIELDS, ("L1", "L2", "L3"))


def test_without_a_grading_file_the_task_is_ungraded(tmp_path: Path) -> None:
    write_assets(tmp_path)
    (tmp_path / "grading.json").unlink()
    task = TaskAssets.load(tmp_path)
    assert task.grading is None
    assert task.levels == ()


@pytest.mark.parametrize("name", ["registry.json", "corpus.json", "task.json"])
def test_missing_file_is_named(tmp_path: Path, name: str) -> None:
    write_assets(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(InputError, match=name):
        TaskAssets.load(tmp_path)


def test_corpus_that_lacks_a_leaf_is_refused_when_the_catalogue_is_built(tmp_path: Path) -> None:
    from steel_task import corpus_items

    task = TaskAssets.load(write_assets(tmp_path, corpus=corpus_items()[1:]))
    with pytest.raises(InputError, match="F033"):
        task.catalogue.redact("x")


def test_environment_names_the_files_of_a_worker(tmp_path: Path) -> None:
    write_assets(tmp_path)
    grading = {"path": "grading.json", "sha256": sha256_file(tmp_path / "grading.json")}
    write_json(tmp_path / "manifest.json", {"datasets": {"demo": grading}})
    environ = {
        REGISTRY_VARIABLE: str(tmp_path / "registry.json"),
        CORPUS_VARIABLE: str(tmp_path / "corpus.json"),
        MANIFEST_VARIABLE: str(tmp_path / "manifest.json"),
    }
    task = TaskAssets.from_environment(environ, "demo")
    assert (task.levels, task.fields) == (("L1", "L2", "L3"), FIELDS)
    with pytest.raises(InputError, match="other"):
        TaskAssets.from_environment(environ, "other")
    with pytest.raises(InputError, match=CORPUS_VARIABLE):
        TaskAssets.from_environment({REGISTRY_VARIABLE: environ[REGISTRY_VARIABLE]}, "demo")
