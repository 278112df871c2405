"""Inputs of an exporter: the files it was given, read once, and the assets folder that a release keeps of them
(3.16).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from autoresearch.errors import InputError
from autoresearch.files import json_text, sha256_bytes, sha256_file
from autoresearch.findings import finding
from autoresearch.releases.report import InputFile
from autoresearch.standards.corpus import Corpus
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import TaskConfig
from autoresearch.task.assets import TaskAssets

ASSET_NAMES = {
    "registry": "registry.json",
    "corpus": "corpus.json",
    "task": "task.json",
    "grading": "grading.json",
    "grading_manifest": "grading-manifest.json",
}


@dataclass(frozen=True)
class ExportInputs:
    """What the exporters of canonical records share (4.5, 4.6)."""

    canonical: Path
    registry: Path
    corpus: Path
    metadata_fields: Sequence[str] | None = None
    """Replaces the list of the task file; needed when there is none."""
    task_config: Path | None = None
    grading_config: Path | None = None
    dataset: str | None = None
    """Default: the records' own."""
    split_dir: Path | None = None
    """Join splits by id from ``train.json``, ``val.json``, ``test.json`` of this folder."""
    allow_label_gaps: Sequence[str] = ()
    allow_any_label_gap: bool = False


@dataclass(frozen=True)
class AssetFiles:
    """The standards of a release, parsed and as bytes."""

    assets: TaskAssets
    content: dict[str, bytes]
    """Role (a key of ``ASSET_NAMES``) -> file bytes."""
    entries: tuple[InputFile, ...]
    """How the report names the files it was given."""

    def write(self, folder: Path) -> None:
        """Write the byte copies into ``folder``, which is made."""
        folder.mkdir(parents=True)
        for role, data in self.content.items():
            (folder / ASSET_NAMES[role]).write_bytes(data)

    def with_manifest_bytes(self, path: Path, data: bytes) -> AssetFiles:
        """The same files and a grading manifest read from ``path``, for mixtures; ``data`` is what the
        release keeps of it.
        """
        entry = input_entry("grading_manifest", path, path.read_bytes())
        return AssetFiles(self.assets, {**self.content, "grading_manifest": data}, (*self.entries, entry))


def input_entry(role: str, path: Path, data: bytes) -> InputFile:
    """One line of the report's ``inputs``."""
    return InputFile(role=role, name=path.name, sha256=sha256_bytes(data), bytes=len(data))


def file_entry(role: str, path: Path) -> InputFile:
    """``input_entry`` of a file that is not held in memory. Raises ``InputError`` as ``read_file``."""
    try:
        return InputFile(role=role, name=path.name, sha256=sha256_file(path), bytes=path.stat().st_size)
    except OSError as error:
        raise _unreadable(role, path, error) from error


def _unreadable(role: str, path: Path, error: OSError) -> InputError:
    return InputError(f"{role} {path}: {error.strerror or error}; give a readable file")


def read_file(role: str, path: Path) -> bytes:
    """The bytes of an input. Raises ``InputError`` that names the role and the path."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(role, path, error) from error


def effective_task(
    task_config: Path | None, metadata_fields: Sequence[str] | None
) -> tuple[TaskConfig, bytes, Path | None]:
    """The task as used, its file bytes, and the file when its bytes could be kept unchanged (3.7)."""
    given = TaskConfig.from_path(task_config) if task_config is not None else None
    if given is not None and (metadata_fields is None or list(metadata_fields) == list(given.metadata_fields)):
        assert task_config is not None
        return given, read_file("task", task_config), task_config
    if metadata_fields is None:
        raise InputError("the metadata fields are not known: give --metadata-fields or --task-config")
    content: dict[str, Any] = {"metadata_fields": list(metadata_fields)}
    if given is not None:
        content["task_name"] = given.task_name
    try:
        task = TaskConfig.model_validate(content)
    except ValidationError as error:
        found = finding(
            "F036", place="--metadata-fields", value=" ".join(metadata_fields), rule=error.errors()[0]["msg"]
        )
        raise InputError(found.message(), [found]) from error
    content["task_name"] = task.task_name
    return task, json_text(content).encode("utf-8"), None


def load_assets(inputs: ExportInputs) -> AssetFiles:
    """Read registry, corpus, task and grading. Raises ``InputError`` with the finding of the file that is wrong
    (7.6).
    """
    content = {"registry": read_file("registry", inputs.registry), "corpus": read_file("corpus", inputs.corpus)}
    entries = [
        input_entry("registry", inputs.registry, content["registry"]),
        input_entry("corpus", inputs.corpus, content["corpus"]),
    ]
    registry = LeafRegistry.from_path(inputs.registry)
    corpus = Corpus.from_path(inputs.corpus)
    corpus.require_cover(registry)
    task, content["task"], task_path = effective_task(inputs.task_config, inputs.metadata_fields)
    if task_path is not None:
        entries.append(input_entry("task", task_path, content["task"]))
    grading = None
    if inputs.grading_config is not None:
        content["grading"] = read_file("grading", inputs.grading_config)
        entries.append(input_entry("grading", inputs.grading_config, content["grading"]))
        grading = GradingConfig.from_path(inputs.grading_config)
    return AssetFiles(TaskAssets(registry, corpus, task, grading), content, tuple(entries))


def load_release_assets(folder: Path) -> AssetFiles:
    """The assets of a published release, for a mixture made from it."""
    content = {role: (folder / name).read_bytes() for role, name in ASSET_NAMES.items() if (folder / name).is_file()}
    return AssetFiles(TaskAssets.load(folder), content, ())
