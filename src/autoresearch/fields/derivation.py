"""Registry and corpus from a classification standard (data-line.md 3.7, 4.3 ``--derive-from``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from autoresearch.errors import RefusedError
from autoresearch.fields.resolution import path_category_id
from autoresearch.fields.standard_formats import ClassificationStandard, StandardCategory, load_standard, refuse
from autoresearch.files import write_json
from autoresearch.standards.corpus import Corpus, CorpusCategory
from autoresearch.standards.datasets import DatasetConfig
from autoresearch.standards.loading import CodedProblem, first_problem
from autoresearch.standards.registry import LeafRegistry

__all__ = ["ClassificationStandard", "category_id", "derive", "load_standard"]


def category_id(item: StandardCategory, config: DatasetConfig) -> str:
    """The id that records of ``config`` resolve to: the code, or the id of the path. Raises ``ValueError``."""
    if config.id_strategy == "code":
        if not item.code:
            raise ValueError(f"{item.name!r} has no code in the standard, and {config.dataset} has the code strategy")
        return item.code
    above = item.path[:-1] if item.path and item.path[-1] == item.name else item.path
    slots = [name for name in config.path_fields if name != config.leaf_level]
    if len(above) > len(slots):
        raise ValueError(f"{item.name!r} stands under {len(above)} classes, path_fields has room for {len(slots)}")
    texts = {**dict(zip(slots, above, strict=False)), config.leaf_level: item.name}
    return path_category_id(config.registry_source or config.dataset, [texts.get(name, "") for name in config.identity])


def derive(path: Path, config: DatasetConfig, registry_dir: Path, corpus_dir: Path) -> None:
    """Write ``<ds>.registry.json`` and ``<ds>.corpus.json`` where absent; refuse existing ones with another content
    digest.
    """
    standard = load_standard(path)
    try:
        ids = [category_id(item, config) for item in standard.categories]
    except ValueError as error:
        refuse(path, str(error), remedy="complete the standard, or correct the dataset config")
    common = [
        {
            "category_id": key,
            "name": item.name,
            "description": item.description,
            "path": list(item.path),
            "code": item.code,
        }
        for key, item in zip(ids, standard.categories, strict=True)
    ]
    facts = {key: text for key, text in (("name", standard.name), ("version", standard.version)) if text}
    registry: dict[str, Any] = {"groups": standard.groups, "standard": facts, "categories": common}
    corpus = [
        {**shared, "descriptions": list(item.descriptions), "examples": list(item.examples)}
        for shared, item in zip(common, standard.categories, strict=True)
    ]
    try:
        registry_digest = LeafRegistry.from_obj(registry).digest
        corpus_digest = Corpus.from_categories(CorpusCategory.model_validate(item) for item in corpus).digest
    except CodedProblem as error:
        refuse(path, str(error), error.code, "give each class the classes above it, or another name")
    except ValidationError as error:
        refuse(path, first_problem(error))
    except ValueError as error:
        refuse(path, str(error))
    name = config.registry_source or config.dataset
    registry_path, corpus_path = registry_dir / f"{name}.registry.json", corpus_dir / f"{name}.corpus.json"
    for target, digest, present in (
        (
            registry_path,
            registry_digest,
            LeafRegistry.from_path(registry_path).digest if registry_path.exists() else None,
        ),
        (corpus_path, corpus_digest, Corpus.from_path(corpus_path).digest if corpus_path.exists() else None),
    ):
        if present not in (None, digest):
            raise RefusedError(
                f"build: {target} exists and differs from what {path.name} gives; remove it or leave out --derive-from"
            )
    if not registry_path.exists():
        write_json(registry_path, registry)
    if not corpus_path.exists():
        write_json(corpus_path, {"categories": corpus})
