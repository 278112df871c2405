"""The four standards of one task, loaded together, with the catalogue and index that are built from them once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autoresearch.errors import InputError
from autoresearch.standards.corpus import Corpus
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import NATIVE_FOUR, TaskConfig
from autoresearch.task.catalogue import Catalogue

if TYPE_CHECKING:
    from autoresearch.task.retrieval import SearchIndex

REGISTRY_VARIABLE = "AUTORESEARCH_REGISTRY"
CORPUS_VARIABLE = "AUTORESEARCH_CORPUS"
MANIFEST_VARIABLE = "AUTORESEARCH_GRADING_MANIFEST"


@dataclass(frozen=True, eq=False)
class TaskAssets:
    """Registry, corpus, task and (when graded) grading standard of one dataset."""

    registry: LeafRegistry
    corpus: Corpus
    task: TaskConfig
    grading: GradingConfig | None = None

    @classmethod
    def load(cls, folder: Path) -> TaskAssets:
        """Read ``registry.json corpus.json task.json [grading.json]`` of a release's ``assets/`` folder.

        Raises ``InputError`` naming the file that is missing or invalid.
        """
        folder = Path(folder)
        grading = folder / "grading.json"
        return cls.from_paths(
            folder / "registry.json",
            folder / "corpus.json",
            folder / "task.json",
            grading if grading.exists() else None,
        )

    @classmethod
    def from_paths(
        cls, registry: Path, corpus: Path, task: Path | None = None, grading: Path | None = None
    ) -> TaskAssets:
        """Read the standards from their files; without a task file the native four fields are used."""
        for path in (registry, corpus, task, grading):
            if path is not None and not Path(path).is_file():
                raise InputError(f"{path} is missing; a task needs its registry, corpus and task file")
        return cls(
            registry=LeafRegistry.from_path(registry),
            corpus=Corpus.from_path(corpus),
            task=TaskConfig.from_path(task) if task else TaskConfig(metadata_fields=NATIVE_FOUR),
            grading=GradingConfig.from_path(grading) if grading else None,
        )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], dataset: str) -> TaskAssets:
        """The assets that ``AUTORESEARCH_REGISTRY``, ``…_CORPUS`` and ``…_GRADING_MANIFEST`` name (data-line 5.4).

        Raises ``InputError`` when a variable is unset or the manifest does not name ``dataset``.
        """
        from autoresearch.standards.manifest import GradingManifest

        for variable in (REGISTRY_VARIABLE, CORPUS_VARIABLE):
            if not environ.get(variable):
                raise InputError(f"{variable} is not set; give the path of the file, or use a release's assets folder")
        grading = None
        if environ.get(MANIFEST_VARIABLE):
            manifest = Path(environ[MANIFEST_VARIABLE])
            content = GradingManifest.from_path(manifest)
            if dataset not in content.datasets:
                raise InputError(f"{manifest.name} has no grading standard for the dataset {dataset!r}; add it")
            grading = content.grading_path(manifest, dataset)
        return cls.from_paths(
            Path(environ[REGISTRY_VARIABLE]), Path(environ[CORPUS_VARIABLE]), task=None, grading=grading
        )

    @property
    def levels(self) -> tuple[str, ...]:
        """Level codes, least sensitive first; empty when not graded."""
        return tuple(self.grading.levels) if self.grading else ()

    @property
    def fields(self) -> tuple[str, ...]:
        """The metadata fields that the model sees, in order."""
        return tuple(self.task.metadata_fields)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The leaves as the model may see them, built once."""
        return Catalogue(self.registry, self.corpus)

    @cached_property
    def index(self) -> SearchIndex:
        """The search index, built once."""
        from autoresearch.task.retrieval import SearchIndex

        return SearchIndex(self.registry, self.corpus, self.catalogue)
