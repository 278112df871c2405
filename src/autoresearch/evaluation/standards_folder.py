"""The standards of a prediction: a release's assets, or a folder that holds one registry and its corpus."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from autoresearch.errors import InputError
from autoresearch.files import json_text, sha256_file

if TYPE_CHECKING:
    from autoresearch.task.assets import TaskAssets

RELEASE_NAMES = {"registry": "registry.json", "corpus": "corpus.json", "task": "task.json", "grading": "grading.json"}
LOOKED_IN = {
    "registry": (".", "registries", "assets/registries"),
    "corpus": (".", "corpora", "assets/corpora"),
    "task": (".", "config"),
    "grading": (".", "standards"),
}
"""Where the four files of a folder may lie, as in the shipped example."""


@dataclass(frozen=True)
class StandardsFolder:
    """The paths of the standards; ``task`` and ``grading`` may be absent."""

    registry: Path
    corpus: Path
    task: Path | None = None
    grading: Path | None = None

    def load(self) -> TaskAssets:
        """Read them. Raises ``InputError`` naming the file that is wrong."""
        from autoresearch.task.assets import TaskAssets

        return TaskAssets.from_paths(self.registry, self.corpus, self.task, self.grading)

    def digests(self) -> dict[str, str | None]:
        """File hashes by role."""
        paths = {"registry": self.registry, "corpus": self.corpus, "grading": self.grading}
        return {role: None if path is None else sha256_file(path) for role, path in paths.items()}

    @contextmanager
    def as_release_assets(self) -> Iterator[Path]:
        """A folder with the names of a release's ``assets/``, for what reads those; scratch unless it is one."""
        paths = {"registry": self.registry, "corpus": self.corpus, "task": self.task, "grading": self.grading}
        if all(path == self.registry.parent / RELEASE_NAMES[role] for role, path in paths.items() if path is not None):
            yield self.registry.parent
            return
        with TemporaryDirectory(prefix="autoresearch-assets-") as name:
            folder = Path(name)
            for role, path in paths.items():
                if path is not None:
                    shutil.copyfile(path, folder / RELEASE_NAMES[role])
            if self.task is None:
                task = self.load().task
                (folder / RELEASE_NAMES["task"]).write_text(json_text(task.model_dump(mode="json")), encoding="utf-8")
            yield folder


def find_standards(folder: Path) -> StandardsFolder:
    """The standards in ``folder``: a release, its ``assets``, or one ``*.registry.json`` with the files of its name.

    Raises ``InputError`` when there is no registry, more than one, or no corpus.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"predict: there is no folder {folder}; give the assets of a release, or a registry's folder")
    for assets in (folder, folder / "assets"):
        if (assets / RELEASE_NAMES["registry"]).is_file():
            paths = {role: assets / name for role, name in RELEASE_NAMES.items()}
            return StandardsFolder(
                paths["registry"],
                paths["corpus"],
                paths["task"] if paths["task"].is_file() else None,
                paths["grading"] if paths["grading"].is_file() else None,
            )
    registries = _files(folder, "registry")
    if len(registries) != 1:
        found = ", ".join(path.name for path in registries) or "none"
        raise InputError(f"predict: {folder} must hold one *.registry.json; it holds {found}; give a folder with one")
    name = registries[0].name.removesuffix(".registry.json")
    corpora = [path for path in _files(folder, "corpus") if path.name == f"{name}.corpus.json"]
    if not corpora:
        raise InputError(f"predict: {folder} has {name}.registry.json and no {name}.corpus.json; put it beside")
    return StandardsFolder(registries[0], corpora[0], _one(folder, "task", name), _one(folder, "grading", name))


def _files(folder: Path, role: str) -> list[Path]:
    return sorted(path for place in LOOKED_IN[role] for path in (folder / place).glob(f"*.{role}.json"))


def _one(folder: Path, role: str, name: str) -> Path | None:
    """The file of this role: the one of the registry's name, else the only one."""
    found = _files(folder, role)
    named = [path for path in found if path.name == f"{name}.{role}.json"]
    chosen = named or found
    return chosen[0] if len(chosen) == 1 else None
