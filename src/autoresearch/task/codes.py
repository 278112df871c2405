"""Finding and hiding many canonical ids and codes in a text at once, by the boundary rule of data-line 5.6.1."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from autoresearch.standards.text import contains_code, redact_codes, searchable_code

if TYPE_CHECKING:
    from autoresearch.standards.registry import Leaf, LeafRegistry

_SEGMENT = re.compile(r"[0-9A-Za-z]+(?:[-._][0-9A-Za-z]+)*")

ROUNDS = 4
"""Of redaction; more could only be needed by a code that the placeholder itself holds."""


def leaf_codes(leaf: Leaf) -> tuple[str, ...]:
    """The canonical id and the code of a leaf: what a prompt for its field must not hold.

    An id or code that is the leaf's own name (a registry of bare names) is no secret: the catalogue shows it.
    """
    return tuple(code for code in dict.fromkeys((leaf.category_id, leaf.code)) if code and code != leaf.name)


def hidden_codes(registry: LeafRegistry) -> tuple[str, ...]:
    """Every canonical id and code of a registry, longest first: what no text for the model may hold."""
    codes = {code for leaf in registry.leaves for code in leaf_codes(leaf)}
    return tuple(sorted(codes, key=lambda code: (-len(code), code)))


class CodeFinder:
    """Finds those of a fixed set of codes that stand alone in a text, in time of the text and not of the set.

    A code that stands alone puts each of its ASCII segments (letters and digits joined by ``-``, ``.``, ``_``) whole
    into the text's own segments. So one segment a code, the rarest, is looked up in a table; codes without any are
    searched one by one.
    """

    def __init__(self, codes: Iterable[str]) -> None:
        self.codes = tuple(sorted({code for code in codes if searchable_code(code)}, key=lambda c: (-len(c), c)))
        segments = {code: _SEGMENT.findall(code) for code in self.codes}
        frequency = Counter(segment for found in segments.values() for segment in set(found))
        self._by_segment: defaultdict[str, list[str]] = defaultdict(list)
        self._plain: list[str] = []
        for code, found in segments.items():
            if found:
                self._by_segment[min(found, key=lambda segment: (frequency[segment], segment))].append(code)
            else:
                self._plain.append(code)

    def find(self, text: str) -> tuple[str, ...]:
        """The codes that ``text`` holds, longest first."""
        found = {code for code in self._candidates(text) if contains_code(text, code)}
        return tuple(code for code in self.codes if code in found) if found else ()

    def redact(self, text: str) -> str:
        """``text`` with each of the codes replaced by ``[redacted-id]``, longest first.

        Two codes that touch hide each other's boundary, so the text is searched again after a replacement.
        """
        for _ in range(ROUNDS):
            found = self.find(text)
            if not found:
                break
            text = redact_codes(text, found)
        return text

    def _candidates(self, text: str) -> Iterable[str]:
        for segment in set(_SEGMENT.findall(text)):
            yield from self._by_segment.get(segment, ())
        for code in self._plain:
            if code in text:
                yield code
