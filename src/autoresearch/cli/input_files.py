"""Which of the user's own files a file is, and whether it is valid (data-line.md 7.6). Loading one is validating it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError
from autoresearch.fields.derivation import load_standard
from autoresearch.files import read_json
from autoresearch.standards.corpus import Corpus
from autoresearch.standards.datasets import load_datasets
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.manifest import GradingManifest
from autoresearch.standards.mapping import TARGETS, ColumnMapping
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import TaskConfig

LOADERS: dict[str, Callable[[Path], Any]] = {
    "registry": LeafRegistry.from_path,
    "corpus": Corpus.from_path,
    "classification": load_standard,
    "grading": GradingConfig.from_path,
    "task": TaskConfig.from_path,
    "datasets": load_datasets,
    "mapping": ColumnMapping.from_path,
    "manifest": GradingManifest.from_path,
}
"""Kind -> what loads, and so validates, a file of it."""
MANIFEST_NAME = "grading-manifest"
TEXTS_OF_TOOLS = {"descriptions", "examples"}
REMEDY = f"say what it is with --kind {'|'.join(LOADERS)}"


@dataclass(frozen=True)
class Judged:
    """One file: what it was taken for, and its finding when it is not valid."""

    path: Path
    kind: str
    content: Any = None
    error: InputError | None = None

    def as_dict(self) -> dict[str, Any]:
        """``{file, kind, valid, findings}``."""
        findings = [item.as_dict() for item in self.error.findings] if self.error else []
        message = {"message": self.error.message} if self.error else {}
        return {"file": str(self.path), "kind": self.kind, "valid": self.error is None, **message, "findings": findings}


def kind_of_name(path: Path) -> str | None:
    """The kind that a file's name says, such as ``steel.registry.json``; None when it says none."""
    words = path.name.lower().split(".")[:-1]
    last = words[-1] if words else ""
    if last == "manifest" or last.endswith(MANIFEST_NAME):
        return "manifest"
    return last if last in LOADERS else None


def kind_of_content(content: Any) -> str | None:
    """The kind that a parsed file looks like; None when it looks like none."""
    items = content.get("categories") if isinstance(content, dict) else content
    if isinstance(content, dict) and "categories" not in content:
        if "levels" in content:
            return "grading"
        if "metadata_fields" in content:
            return "task"
        if "datasets" in content:
            return _datasets_or_manifest(content["datasets"])
        return "mapping" if any(isinstance(value, str) and value in TARGETS for value in content.values()) else None
    if not isinstance(items, list) or not items:
        return None
    objects = [item for item in items if isinstance(item, dict)]
    keys = {key for item in objects for key in item}
    if "dataset" in keys and "category_id" not in keys:
        return "datasets"
    if len(objects) < len(items) or "category_id" in keys:
        return "corpus" if keys & TEXTS_OF_TOOLS else "registry"
    return "classification" if "name" in keys else None


def _datasets_or_manifest(datasets: Any) -> str:
    entries = list(datasets.values()) if isinstance(datasets, dict) else []
    return "manifest" if any(isinstance(entry, dict) and "sha256" in entry for entry in entries) else "datasets"


def recognise(path: Path) -> str:
    """The kind of a file, by its name, else by its content. Raises ``InputError`` when it cannot be told."""
    if not path.is_file():
        raise InputError(f"validate: {path}: no such file; give the path of an existing file")
    named = kind_of_name(path)
    if named is not None:
        return named
    try:
        found = kind_of_content(read_json(path))
    except ValueError as error:
        raise InputError(f"validate: {error}; its name does not say what it is either: {REMEDY}") from error
    if found is None:
        raise InputError(f"validate: {path}: neither name nor content say what it is; {REMEDY}")
    return found


def judge_files(paths: Sequence[Path], kind: str | None = None) -> list[Judged]:
    """Load each file; a registry and a corpus of one dataset are also checked against each other.

    Raises ``InputError`` when a file is absent or of no kind.
    """
    judged = [_judge(path, given) for path, given in [(path, kind or recognise(path)) for path in paths]]
    return [_covered(item, judged) for item in judged]


def _judge(path: Path, kind: str) -> Judged:
    if not path.is_file():
        raise InputError(f"validate: {path}: no such file; give the path of an existing file")
    try:
        return Judged(path, kind, LOADERS[kind](path))
    except InputError as error:
        return Judged(path, kind, error=error)


def _covered(item: Judged, judged: Sequence[Judged]) -> Judged:
    """A valid corpus with the finding (F033, F034) that its registry gives, if there is one."""
    if item.kind != "corpus" or item.content is None:
        return item
    registries = [other for other in judged if other.kind == "registry" and other.content is not None]
    own = [other for other in registries if _dataset(other.path) == _dataset(item.path)]
    corpora = [other for other in judged if other.kind == "corpus"]
    partner = own[0] if len(own) == 1 else registries[0] if len(registries) == len(corpora) == 1 else None
    if partner is None:
        return item
    from autoresearch.task.catalogue import Catalogue

    try:
        Catalogue(partner.content, item.content)
    except InputError as error:
        return Judged(item.path, item.kind, error=error)
    return item


def _dataset(path: Path) -> tuple[str, ...]:
    return tuple(path.name.split(".")[:-2])


def summary(judged: Sequence[Judged]) -> Mapping[str, Any]:
    """``{valid, files}`` of all files in the order given."""
    return {"valid": all(item.error is None for item in judged), "files": [item.as_dict() for item in judged]}
