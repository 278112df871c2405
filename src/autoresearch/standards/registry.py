"""The registry: the ordered, closed set of leaves that may be answered (data-line.md 3.5).

Order is meaning: item k (from 0) has the choice id ``str(k + 1)``. Lookups by id, choice id and display name are built
once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, field_validator

from autoresearch.files import content_digest
from autoresearch.standards.loading import CodedProblem, Lenient, load

SMALLEST_REGISTRY = 5
PATH_SEPARATOR = " / "
REMEDY = "correct the registry (data format: registry)"


class Leaf(Lenient):
    """One lowest class of the classification standard."""

    category_id: str = Field(min_length=1)
    name: str = ""
    description: str = ""
    path: tuple[str, ...] = ()
    """Texts from root to leaf; may be empty."""
    code: str | None = None

    @field_validator("description", mode="before")
    @classmethod
    def _no_null(cls, value: Any) -> Any:
        return "" if value is None else value

    @field_validator("path", mode="before")
    @classmethod
    def _path(cls, value: Any) -> Any:
        return () if value is None else value


def _item(value: Any) -> Any:
    return {"category_id": value} if isinstance(value, str) else value


Item = Annotated[Leaf, BeforeValidator(_item, json_schema_input_type=Leaf | str)]
"""A leaf of the file; one that is only an id may be written as that text."""


class RegistryFile(Lenient):
    """A registry file that is an object."""

    categories: Annotated[tuple[Item, ...], Field(json_schema_extra={"minItems": SMALLEST_REGISTRY})]
    """Order is meaning: item k (from 0) has the choice id k + 1."""
    groups: dict[str, str] = Field(default_factory=dict)
    """Letter group -> its name."""
    standard: dict[str, str] = Field(default_factory=dict)
    """Name and version of the classification standard."""

    @field_validator("groups", "standard", mode="before")
    @classmethod
    def _no_null(cls, value: Any) -> Any:
        return {} if value is None else value


RegistryContent = RegistryFile | tuple[Item, ...]
"""What a registry file may hold: the object, or the bare array of its categories."""


def _named(leaf: Leaf) -> Leaf:
    return leaf if leaf.name else leaf.model_copy(update={"name": leaf.category_id})


def _display_names(leaves: Sequence[Leaf]) -> list[str]:
    """The shortest suffix of each leaf's path (leaf name last) that is unique; ``ValueError`` if none can be."""
    full = [
        (*leaf.path[:-1], leaf.name) if leaf.path and leaf.path[-1] == leaf.name else (*leaf.path, leaf.name)
        for leaf in leaves
    ]
    counts: Counter[tuple[str, ...]] = Counter()
    for parts in full:
        for size in range(1, len(parts) + 1):
            counts[parts[-size:]] += 1
    names = []
    for leaf, parts in zip(leaves, full, strict=True):
        suffix = next((parts[-size:] for size in range(1, len(parts) + 1) if counts[parts[-size:]] == 1), None)
        if suffix is None:
            if full.count(parts) > 1:
                raise CodedProblem(
                    "F034", f"{leaf.category_id}: another leaf has the same name and path, {PATH_SEPARATOR.join(parts)}"
                )
            suffix = parts
        names.append(PATH_SEPARATOR.join(suffix))
    if len(set(names)) != len(names):
        twice = next(name for name, count in Counter(names).items() if count > 1)
        raise CodedProblem("F034", f"the display name {twice!r} would stand twice")
    return names


class LeafRegistry:
    """Ordered leaves with constant-time lookups. Build with ``from_path`` or ``from_obj``."""

    def __init__(
        self, leaves: Sequence[Leaf], groups: Mapping[str, str] | None = None, standard: Mapping[str, str] | None = None
    ) -> None:
        if len(leaves) < SMALLEST_REGISTRY:
            raise ValueError(f"{len(leaves)} categories; at least {SMALLEST_REGISTRY} are needed")
        repeated = [item for item, count in Counter(leaf.category_id for leaf in leaves).items() if count > 1]
        if repeated:
            raise ValueError(f"category_id {repeated[0]!r} stands twice")
        self.leaves = tuple(leaves)
        self.groups = dict(groups or {})
        self.standard = dict(standard or {})
        self._names = _display_names(self.leaves)
        self._index = {leaf.category_id: position for position, leaf in enumerate(self.leaves)}
        self._by_name = {name: position for position, name in enumerate(self._names)}
        self.digest = content_digest(self.as_obj())

    @classmethod
    def from_obj(cls, obj: Any) -> LeafRegistry:
        """From parsed JSON: an object with ``categories``, or the bare array. ``ValueError`` if it is no registry."""
        content = {"categories": obj} if isinstance(obj, list) else obj
        if not isinstance(content, dict) or not isinstance(content.get("categories"), list):
            raise ValueError("a registry is an object with an array 'categories', or that array")
        form = RegistryFile.model_validate(content)
        return cls([_named(leaf) for leaf in form.categories], form.groups, form.standard)

    @classmethod
    def from_path(cls, path: str | Path) -> LeafRegistry:
        """Load and validate a registry file; ``InputError`` F031 with place and rule."""
        return load(Path(path), "F031", cls.from_obj, REMEDY)

    def as_obj(self) -> dict[str, Any]:
        """The content over which the digest is taken: categories in registry order, groups, standard."""
        categories = [leaf.model_dump(mode="json") for leaf in self.leaves]
        return {"categories": categories, "groups": self.groups, "standard": self.standard}

    def __len__(self) -> int:
        return len(self.leaves)

    def index(self, category_id: str) -> int:
        """Position from 0; ``KeyError`` if unknown."""
        return self._index[category_id]

    def get(self, category_id: str) -> Leaf | None:
        """The leaf of an id, or None."""
        position = self._index.get(category_id)
        return None if position is None else self.leaves[position]

    def leaf(self, category_id: str) -> Leaf:
        """The leaf of an id; ``KeyError`` if unknown."""
        return self.leaves[self._index[category_id]]

    def choice_id(self, category_id: str) -> str:
        """``"1"``…``"N"``; ``KeyError`` if unknown."""
        return str(self._index[category_id] + 1)

    def by_choice(self, choice_id: str) -> Leaf | None:
        """The leaf of a choice id in its canonical form (no sign, no leading zero), or None."""
        if not (choice_id.isascii() and choice_id.isdigit()) or choice_id.startswith("0") or len(choice_id) > 9:
            return None
        position = int(choice_id) - 1
        return self.leaves[position] if position < len(self.leaves) else None

    def display_name(self, category_id: str) -> str:
        """The shortest unique suffix of the leaf's path, parts joined by `` / ``."""
        return self._names[self._index[category_id]]

    def by_display_name(self, name: str) -> Leaf | None:
        """The leaf of a display name, or None."""
        position = self._by_name.get(name)
        return None if position is None else self.leaves[position]

    def group_name(self, letters: str) -> str | None:
        """The name of a letter group, or None."""
        return self.groups.get(letters)

    def codes(self) -> frozenset[str]:
        """Every category id and code, that is, what must never reach the model."""
        return frozenset(text for leaf in self.leaves for text in (leaf.category_id, leaf.code) if text)
