"""The catalogue as the model may see it: every text of a leaf redacted once, its scope key resolved once (data-line
5.4, 5.6).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autoresearch.errors import InputError
from autoresearch.findings import finding
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.text import comparison_form
from autoresearch.task.codes import CodeFinder, hidden_codes

if TYPE_CHECKING:
    from autoresearch.standards.corpus import Corpus
    from autoresearch.standards.registry import Leaf

SUMMARY_CHARACTERS = 240
_LETTERS = re.compile(r"[A-Za-z]+")
_SEPARATORS = re.compile(r"[-._]")


@dataclass(frozen=True)
class Entry:
    """One leaf with the texts that a prompt or a tool may show."""

    index: int
    """Position in the registry, from 0."""
    choice_id: str
    category_id: str
    name: str
    """Display name, unique in the registry."""
    leaf_name: str
    path: tuple[str, ...]
    registry_description: str
    description: str
    """The corpus description, else that of the registry."""
    descriptions: tuple[str, ...]
    examples: tuple[str, ...]
    summary: str
    """``description`` with white space collapsed, at most 240 characters."""
    scope_key: str


def cut(text: str, limit: int) -> str:
    """At most ``limit`` characters, the last one ``…`` if something was cut; nothing for a limit of 0."""
    if len(text) <= limit:
        return text
    return text[: limit - 1] + "…" if limit > 0 else ""


def scope_letters(leaf: Leaf) -> str | None:
    """The leading letter group of a leaf without path, taken from its code, else from its id after ``:``; None without
    letters.
    """
    if leaf.path:
        return None
    found = _LETTERS.match(_bare_code(leaf))
    return found.group() if found else None


def _bare_code(leaf: Leaf) -> str:
    return leaf.code or leaf.category_id.rpartition(":")[2]


class Catalogue:
    """All leaves of a registry in its order, with what the corpus says about them.

    Raises ``InputError`` (F033) from the corpus when a leaf is not covered.
    """

    def __init__(self, registry: LeafRegistry, corpus: Corpus) -> None:
        corpus.require_cover(registry)
        self.registry = registry
        self.corpus = corpus
        self.finder = CodeFinder(hidden_codes(registry))
        self._redact = self.finder.redact
        self._group_names = Counter(registry.groups.values())
        self._names = self._display_names()
        self.entries = tuple(self._entry(index, leaf) for index, leaf in enumerate(registry.leaves))
        self._by_choice = {entry.choice_id: entry for entry in self.entries}
        self._by_category = {entry.category_id: entry for entry in self.entries}
        self.scope_counts = dict(sorted(Counter(entry.scope_key for entry in self.entries).items()))
        self._scopes = self._scope_names()
        self._members = {
            key: tuple(entry for entry in self.entries if entry.scope_key == key) for key in self.scope_counts
        }

    def __len__(self) -> int:
        return len(self.entries)

    def by_choice(self, choice_id: str) -> Entry | None:
        """The entry of a choice id, None if there is none."""
        return self._by_choice.get(choice_id)

    def by_category(self, category_id: str) -> Entry:
        """The entry of a category id. Raises ``KeyError``."""
        return self._by_category[category_id]

    def scope(self, text: str) -> str | None:
        """The scope key that a model's text names, by key or by letters, compared by data-line 3.0.4."""
        return self._scopes.get(comparison_form(text))

    def members(self, scope_key: str) -> tuple[Entry, ...]:
        """The leaves of a scope in registry order. Raises ``KeyError``."""
        return self._members[scope_key]

    def redact(self, text: str) -> str:
        """``text`` with every canonical id and code replaced by ``[redacted-id]``."""
        return self._redact(text)

    def _entry(self, index: int, leaf: Leaf) -> Entry:
        item = self.corpus.get(leaf.category_id)
        registry_description = self._redact(leaf.description)
        description = self._redact(item.description) if item and item.description else registry_description
        return Entry(
            index=index,
            choice_id=self.registry.choice_id(leaf.category_id),
            category_id=leaf.category_id,
            name=self._names[index],
            leaf_name=self._redact(leaf.name),
            path=tuple(self._redact(part) for part in leaf.path),
            registry_description=registry_description,
            description=description,
            descriptions=self._texts(item.descriptions if item else ()),
            examples=self._texts(item.examples if item else ()),
            summary=cut(" ".join(description.split()), SUMMARY_CHARACTERS),
            scope_key=self._redact(self._scope_key(leaf)),
        )

    def _display_names(self) -> list[str]:
        """Display names of the redacted leaves, made unique after redaction. Raises ``InputError`` (F034) when they
        cannot be.
        """
        names, paths = (
            [self._redact(leaf.name) for leaf in self.registry.leaves],
            [self._texts(leaf.path) for leaf in self.registry.leaves],
        )
        leaves = [
            leaf.model_copy(update={"name": name, "path": path})
            for leaf, name, path in zip(self.registry.leaves, names, paths, strict=True)
        ]
        try:
            shown = LeafRegistry(leaves, self.registry.groups, self.registry.standard)
        except ValueError as error:
            item = finding(
                "F034",
                place="registry",
                rule=f"display names without codes are not unique ({error})",
                remedy="give each leaf a name in words",
            )
            raise InputError(item.message(), [item]) from error
        return [shown.display_name(leaf.category_id) for leaf in leaves]

    def _texts(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._redact(text) for text in texts)

    def _scope_key(self, leaf: Leaf) -> str:
        if leaf.path:
            return leaf.path[0]
        letters = scope_letters(leaf)
        if letters is None:
            return _SEPARATORS.split(_bare_code(leaf), maxsplit=1)[0]
        name = self.registry.group_name(letters)
        if name is None:
            return letters
        return f"{name} ({letters})" if self._group_names[name] > 1 else name

    def _scope_names(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for leaf, entry in zip(self.registry.leaves, self.entries, strict=True):
            letters = scope_letters(leaf)
            if letters is not None:
                names.setdefault(comparison_form(letters), entry.scope_key)
        names.update({comparison_form(key): key for key in self.scope_counts})
        return names
