"""The corpus: the texts about each leaf that tools may show (data-line.md 3.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from autoresearch.errors import InputError
from autoresearch.files import content_digest
from autoresearch.findings import finding
from autoresearch.standards.loading import Lenient, load
from autoresearch.standards.registry import LeafRegistry

REMEDY = "correct the corpus (data format: corpus)"


class CorpusCategory(Lenient):
    """What may be told about one leaf. Examples must be public to the model: never from val or test records."""

    category_id: str = Field(min_length=1)
    name: str = Field(min_length=1)
    description: str = ""
    descriptions: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    code: str | None = None

    @field_validator("description", mode="before")
    @classmethod
    def _no_null(cls, value: Any) -> Any:
        return "" if value is None else value

    @field_validator("descriptions", "path", "examples", mode="before")
    @classmethod
    def _no_null_list(cls, value: Any) -> Any:
        return () if value is None else value


class CorpusFile(Lenient):
    """A corpus file that is an object; further keys are ignored."""

    categories: tuple[CorpusCategory, ...]


CorpusContent = CorpusFile | tuple[CorpusCategory, ...]
"""What a corpus file may hold: the object, or the bare array of its categories."""


def _parse(obj: Any) -> list[CorpusCategory]:
    items = obj.get("categories") if isinstance(obj, dict) else obj
    if not isinstance(items, list):
        raise ValueError("a corpus is an object with an array 'categories', or that array")
    return list(CorpusFile.model_validate({"categories": items}).categories)


def load_corpus_categories(path: str | Path) -> list[CorpusCategory]:
    """The categories of a corpus file in file order; ``InputError`` F032."""
    return load(Path(path), "F032", _parse, REMEDY)


class Corpus:
    """Corpus categories by id. ``digest`` is over the items sorted by id."""

    def __init__(self, categories: Iterable[CorpusCategory]) -> None:
        self._items: dict[str, CorpusCategory] = {}
        for item in categories:
            if item.category_id in self._items:
                raise ValueError(f"category_id {item.category_id!r} stands twice")
            self._items[item.category_id] = item
        ordered = [self._items[key].model_dump(mode="json") for key in sorted(self._items)]
        self.digest = content_digest(ordered)

    @classmethod
    def from_categories(cls, categories: Iterable[CorpusCategory]) -> Corpus:
        """From parsed categories; ``ValueError`` when an id stands twice."""
        return cls(categories)

    @classmethod
    def from_path(cls, path: str | Path) -> Corpus:
        """Load and validate a corpus file; ``InputError`` F032."""
        return load(Path(path), "F032", lambda obj: cls(_parse(obj)), REMEDY)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[CorpusCategory]:
        return iter(self._items.values())

    def get(self, category_id: str) -> CorpusCategory | None:
        """The category of an id, or None."""
        return self._items.get(category_id)

    def require_cover(self, registry: LeafRegistry) -> None:
        """Every registry id must be here, else ``InputError`` F033."""
        self._require(
            [leaf.category_id for leaf in registry.leaves if leaf.category_id not in self._items],
            "is in the registry only",
        )

    def require_equal(self, registry: LeafRegistry) -> None:
        """The id sets must be equal (tools and the RL line need it), else ``InputError`` F033."""
        self.require_cover(registry)
        self._require([key for key in self._items if registry.get(key) is None], "is in the corpus only")

    @staticmethod
    def _require(missing: list[str], what: str) -> None:
        if missing:
            rule = f"{what} ({len(missing)} in all); both must hold the same categories"
            item = finding("F033", place="corpus", value=missing[0], rule=rule, remedy="complete the corpus")
            raise InputError(item.message(), [item])
