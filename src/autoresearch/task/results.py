"""Result texts of the tools, each at most 4,000 characters (data-line 5.4, *Result length*).

A result is joined from one JSON fragment a leaf. If it is too long, the fragments are made again from shorter texts,
rung by rung; after the last rung entries are left out from the end of the list and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from autoresearch.task.catalogue import SUMMARY_CHARACTERS, Catalogue, Entry, cut
from autoresearch.task.prompts import spaced

MOST_CHARACTERS = 4_000
LONGEST_KEY = 500
"""Only a scope key or a name beyond this, which no catalogue for people has, is itself cut."""
UNCUT = 1 << 30
SUMMARY_RUNGS = (SUMMARY_CHARACTERS, 120, 60, 30, 0)
DETAIL_RUNGS = ((UNCUT, UNCUT, UNCUT), (600, 200, 3), (300, 100, 3), (150, 100, 1), (60, 0, 0))
"""Characters of the description, characters of each further one, number of further ones."""
EXAMPLE_RUNGS = (UNCUT, 200, 100, 60, 30)

Fragments = Callable[[int], list[str]]


class ResultWriter:
    """Writes the results of the four tools over one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._entries = catalogue.entries
        self._summary_part = lru_cache(maxsize=65_536)(self._make_summary_part)
        self._detail_part = lru_cache(maxsize=65_536)(self._make_detail_part)
        self._example_part = lru_cache(maxsize=65_536)(self._make_example_part)

    def search(self, entries: Sequence[Entry]) -> str:
        """``{"candidates": [{choice_id, name, summary}]}``."""
        return _fit(
            "candidates", {}, lambda rung: [self._summary_part(e.index, rung) for e in entries], len(SUMMARY_RUNGS)
        )

    def details(self, entries: Sequence[Entry]) -> str:
        """``{"categories": [{choice_id, name, description, descriptions}]}``."""
        return _fit(
            "categories", {}, lambda rung: [self._detail_part(e.index, rung) for e in entries], len(DETAIL_RUNGS)
        )

    def examples(self, entries: Sequence[Entry], limit: int) -> str:
        """``{"categories": [{choice_id, name, examples}]}`` with at most ``limit`` examples each."""
        return _fit(
            "categories",
            {},
            lambda rung: [self._example_part(e.index, limit, rung) for e in entries],
            len(EXAMPLE_RUNGS),
        )

    def groups(self, counts: Mapping[str, int]) -> str:
        """``{"groups": [{scope_key, leaf_count}]}`` in the order given."""
        parts = [spaced({"scope_key": cut(key, LONGEST_KEY), "leaf_count": count}) for key, count in counts.items()]
        return _fit("groups", {}, lambda rung: parts, 1)

    def leaves(self, scope_key: str, entries: Sequence[Entry]) -> str:
        """``{scope_key, leaf_count, leaves: [{choice_id, name, summary}]}``."""
        head = {"scope_key": cut(scope_key, LONGEST_KEY), "leaf_count": len(entries)}
        return _fit(
            "leaves", head, lambda rung: [self._summary_part(e.index, rung) for e in entries], len(SUMMARY_RUNGS)
        )

    def _make_summary_part(self, index: int, rung: int) -> str:
        entry = self._entries[index]
        return spaced({**_head(entry), "summary": cut(entry.summary, SUMMARY_RUNGS[rung])})

    def _make_detail_part(self, index: int, rung: int) -> str:
        entry = self._entries[index]
        own, each, count = DETAIL_RUNGS[rung]
        further = [cut(text, each) for text in entry.descriptions[:count]]
        return spaced({**_head(entry), "description": cut(entry.description, own), "descriptions": further})

    def _make_example_part(self, index: int, limit: int, rung: int) -> str:
        entry = self._entries[index]
        return spaced({**_head(entry), "examples": [cut(text, EXAMPLE_RUNGS[rung]) for text in entry.examples[:limit]]})


def _head(entry: Entry) -> dict[str, str]:
    return {"choice_id": entry.choice_id, "name": cut(entry.name, LONGEST_KEY)}


def _fit(key: str, head: Mapping[str, Any], fragments: Fragments, rungs: int) -> str:
    """The first rung that fits; after the last one the longest prefix of the list that fits, with ``omitted``."""
    opening = spaced({**head, key: []})[:-2]
    parts: list[str] = []
    for rung in range(rungs):
        parts = fragments(rung)
        text = f"{opening}{', '.join(parts)}]}}"
        if len(text) <= MOST_CHARACTERS:
            return text
    kept, length = 0, len(opening) + len(f'], "omitted": {len(parts)}}}')
    for part in parts:
        length += len(part) + (2 if kept else 0)
        if length > MOST_CHARACTERS:
            break
        kept += 1
    return f'{opening}{", ".join(parts[:kept])}], "omitted": {len(parts) - kept}}}'
