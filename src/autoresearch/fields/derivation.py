"""Registry and corpus from a classification standard (data-line.md 3.7, 4.3 ``--derive-from``)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pydantic import Field

from autoresearch.errors import InputError, RefusedError
from autoresearch.fields.resolution import path_category_id
from autoresearch.fields.sheet import open_table
from autoresearch.files import write_json
from autoresearch.standards.corpus import Corpus, CorpusCategory
from autoresearch.standards.datasets import DatasetConfig
from autoresearch.standards.loading import Lenient, load
from autoresearch.standards.mapping import LEVEL_FIELDS, header_form
from autoresearch.standards.registry import LeafRegistry

SHEET_SUFFIXES = (".xlsx", ".xlsm", ".xls", ".csv", ".tsv")
EXAMPLE_SEPARATOR = re.compile(r"[；\n]")
REMEDY = (
    'a classification standard is {"categories": [{"code", "name", "path", "description", "examples"}]}, '
    "or a sheet with the columns code, name, level_1 to level_4, description, examples"
)


class StandardCategory(Lenient):
    """One leaf of a classification standard."""

    name: str = Field(min_length=1)
    code: str | None = None
    path: tuple[str, ...] = ()
    description: str = ""
    descriptions: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


class ClassificationStandard(Lenient):
    """A classification standard as ``--derive-from`` reads it; the audit takes it as opaque bytes."""

    name: str = ""
    version: str = ""
    groups: dict[str, str] = Field(default_factory=dict)
    categories: tuple[StandardCategory, ...] = Field(min_length=1)


def load_standard(path: Path) -> ClassificationStandard:
    """Read a standard from JSON or a sheet. Raises ``InputError``."""
    if path.suffix.lower() not in SHEET_SUFFIXES:
        return load(path, "F031", ClassificationStandard.model_validate, REMEDY)
    table = open_table(path)
    columns = {header_form(header.text).lower(): f"c{header.column}" for header in table.headers}
    if "name" not in columns:
        raise InputError(f"build: {table.source}: there is no column 'name'; {REMEDY}")
    items = []
    for row in table.frame.iter_rows(named=True):
        texts = {name: str(row[column]).strip() for name, column in columns.items()}
        if not texts["name"]:
            continue
        examples = [part.strip() for part in EXAMPLE_SEPARATOR.split(texts.get("examples", "")) if part.strip()]
        path_texts = [texts[name] for name in LEVEL_FIELDS if texts.get(name)]
        items.append(
            StandardCategory(
                name=texts["name"],
                code=texts.get("code") or None,
                path=tuple(path_texts),
                description=texts.get("description", ""),
                examples=tuple(examples),
            )
        )
    if not items:
        raise InputError(f"build: {table.source}: holds no category; {REMEDY}")
    return ClassificationStandard(categories=tuple(items))


def category_id(item: StandardCategory, config: DatasetConfig) -> str:
    """The id that records of ``config`` resolve to: the code, or the id of the path."""
    if config.id_strategy == "code":
        if not item.code:
            raise InputError(
                f"build: {item.name!r} has no code in the standard, and {config.dataset} has the code strategy"
            )
        return item.code
    above = item.path[:-1] if item.path and item.path[-1] == item.name else item.path
    slots = [name for name in config.path_fields if name != config.leaf_level]
    if len(above) > len(slots):
        raise InputError(
            f"build: {item.name!r} stands under {len(above)} classes, path_fields has room for {len(slots)}"
        )
    texts = {**dict(zip(slots, above, strict=False)), config.leaf_level: item.name}
    return path_category_id(config.registry_source or config.dataset, [texts.get(name, "") for name in config.identity])


def derive(path: Path, config: DatasetConfig, registry_dir: Path, corpus_dir: Path) -> None:
    """Write ``<ds>.registry.json`` and ``<ds>.corpus.json`` where absent; refuse existing ones with another content
    digest.
    """
    standard = load_standard(path)
    ids = [category_id(item, config) for item in standard.categories]
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
    except ValueError as error:
        raise InputError(f"build: {path.name}: {error}; {REMEDY}") from error
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
