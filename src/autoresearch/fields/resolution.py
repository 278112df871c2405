"""From label texts to a leaf of the standard, or the reason why not (data-line.md 4.3)."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from autoresearch.errors import InputError
from autoresearch.fields.labels import split_trailing_code
from autoresearch.findings import finding
from autoresearch.standards.corpus import Corpus
from autoresearch.standards.datasets import DatasetConfig
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.text import comparison_form

Status = Literal[
    "resolved", "unlabeled", "placeholder", "missing_leaf", "path_mismatch", "code_unresolved", "invalid_record"
]
STATUSES: tuple[Status, ...] = (
    "resolved",
    "unlabeled",
    "placeholder",
    "missing_leaf",
    "path_mismatch",
    "code_unresolved",
    "invalid_record",
)


@dataclass(frozen=True)
class Resolution:
    """What a label resolves to. ``category_id`` only when resolved; ``tried_id`` is the id that the path strategy
    formed.
    """

    status: Status
    category_id: str | None
    reason: str
    tried_id: str | None = None


def path_category_id(dataset: str, values: Sequence[str]) -> str:
    """``<ds>:`` and the identity texts without any white space, joined by ``.``, empty slots kept."""
    return f"{dataset}:" + ".".join("".join(text.split()) for text in values)


def _placeholder_form(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip()


class Resolver:
    """Resolves the label texts of one dataset. Build once; ``resolve`` is a pure function of the texts.

    The code strategy reads names and codes from the corpus and, where that has no code, from the registry.
    """

    def __init__(self, config: DatasetConfig, registry: LeafRegistry, corpus: Corpus | None) -> None:
        self.config = config
        self.registry = registry
        self._placeholders = {_placeholder_form(text) for text in config.placeholder_labels}
        self._excluded = frozenset(config.projection_excluded_category_ids)
        self._names = {comparison_form(leaf.name) for leaf in registry.leaves}
        self._by_code = {leaf.code or leaf.category_id: leaf.category_id for leaf in registry.leaves}
        self._by_code.update({leaf.category_id: leaf.category_id for leaf in registry.leaves})
        self._codes: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
        for item in corpus or ():
            leaf = registry.get(item.category_id)
            code = item.code or (leaf.code if leaf else None) or item.category_id
            path = item.path or (leaf.path if leaf else ())
            self._codes[comparison_form(item.name)][code] = tuple(comparison_form(text) for text in path)

    def resolve(self, classification: Mapping[str, str], labeled: bool) -> Resolution:
        """The first rule of 4.3 that applies. Raises ``InputError`` F038 or F039."""
        if not labeled or not any(classification.values()):
            return Resolution("unlabeled", None, "no label text")
        leaf = classification[self.config.leaf_level]
        if not leaf:
            return Resolution("invalid_record", None, f"labeled, and {self.config.leaf_level} is empty")
        if _placeholder_form(leaf) in self._placeholders:
            return Resolution("placeholder", None, "the leaf text is a placeholder")
        by_code = self.config.id_strategy == "code"
        found = self._by_leaf_code(classification, leaf) if by_code else self._by_path(classification, leaf)
        if found.category_id in self._excluded:
            item = finding(
                "F039",
                place=f"dataset {self.config.dataset}",
                value=str(found.category_id),
                rule="is excluded by projection_excluded_category_ids, and a record resolves to it",
                remedy="correct the dataset config or the labels",
            )
            raise InputError(f"build: {item.message()}.", [item])
        return found

    def _by_path(self, classification: Mapping[str, str], leaf: str) -> Resolution:
        prefix = self.config.registry_source or self.config.dataset
        category_id = path_category_id(prefix, [classification[name] for name in self.config.identity])
        if self.registry.get(category_id) is not None:
            return Resolution("resolved", category_id, "the path is in the registry", category_id)
        if comparison_form(leaf) in self._names:
            return Resolution("path_mismatch", None, "the leaf name is known, its path is not", category_id)
        return Resolution("missing_leaf", None, "the leaf text is unknown to the registry", category_id)

    def _by_leaf_code(self, classification: Mapping[str, str], leaf: str) -> Resolution:
        name, written = split_trailing_code(leaf)
        codes = self._codes.get(comparison_form(leaf))
        if codes:
            written = None  # the brackets belong to the name
        else:
            codes = self._codes.get(comparison_form(name), {})
        if not codes:
            known = "the leaf text is unknown to the corpus"
            return Resolution("code_unresolved", None, known)
        if written is not None and written not in codes:
            return Resolution("code_unresolved", None, "the trailing code disagrees with the code of the leaf text")
        code = written if written is not None else self._one_code(codes, classification, leaf)
        category_id = self._by_code.get(code)
        if category_id is None:
            return Resolution("code_unresolved", None, "the code is not in the registry")
        return Resolution("resolved", category_id, "the leaf text has this code", category_id)

    def _one_code(self, codes: Mapping[str, tuple[str, ...]], classification: Mapping[str, str], leaf: str) -> str:
        if len(codes) == 1:
            return next(iter(codes))
        above = {
            comparison_form(classification[name])
            for name in self.config.path_fields
            if name != self.config.leaf_level and classification[name]
        }
        fitting = [code for code, path in codes.items() if above and above <= set(path)]
        if len(fitting) == 1:
            return fitting[0]
        item = finding(
            "F038",
            place=f"dataset {self.config.dataset}",
            value=leaf,
            rule=f"has the codes {', '.join(sorted(codes))}, and the record's path does not tell them apart",
            remedy="complete the level texts, or write the code in brackets after the leaf text",
        )
        raise InputError(f"build: {item.message()}.", [item])
