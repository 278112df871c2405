"""Validating a trajectory release from Python with standards that are loaded already (data-line.md section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError
from autoresearch.releases.folder_checks import GivenAssets
from autoresearch.releases.validate import ValidationOptions, validate_given
from autoresearch.standards.corpus import Corpus, CorpusCategory
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import TaskConfig


def validate_tool_trajectory_dataset(
    release: Path | str,
    registry: LeafRegistry,
    *,
    corpus: Corpus | Mapping[str, CorpusCategory] | Iterable[CorpusCategory],
    task_config: TaskConfig,
    grading: GradingConfig,
    dataset: str,
    max_think_tokens: int | None = None,
) -> dict[str, Any]:
    """The checks of ``sft validate --family trajectory`` against these standards; returns the report of 7.0.

    Class policy, caps and thinking are read from the header. ``corpus`` may be the categories in any of the usual
    containers. Raises ``InputError`` when the folder cannot be judged.
    """
    given = GivenAssets(
        registry_sha256=registry.digest,
        corpus_sha256=_corpus(corpus).digest,
        task_sha256=task_config.digest,
        grading_sha256=grading.digest,
        metadata_fields=task_config.metadata_fields,
        dataset=dataset,
    )
    options = ValidationOptions(family="trajectory", max_think_tokens=max_think_tokens)
    return validate_given(Path(release), given, options)


def _corpus(corpus: Corpus | Mapping[str, CorpusCategory] | Iterable[CorpusCategory]) -> Corpus:
    if isinstance(corpus, Corpus):
        return corpus
    try:
        return Corpus.from_categories(corpus.values() if isinstance(corpus, Mapping) else corpus)
    except ValueError as error:
        raise InputError(f"corpus: {error}") from error
