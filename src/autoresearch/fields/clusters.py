"""Connected sets of records: same table, equal texts, or near-duplicate texts (data-line.md 4.4, 8.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from autoresearch.fields.near import near_pairs
from autoresearch.fields.pool import Member

SEPARATOR = "\x1f"


class Components:
    """Union-find over ``size`` things."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def root(self, item: int) -> int:
        """The representative of the set that holds ``item``."""
        while self._parent[item] != item:
            self._parent[item] = self._parent[self._parent[item]]
            item = self._parent[item]
        return item

    def join(self, one: int, other: int) -> None:
        """Make one set of two; the lower number represents it."""
        first, second = sorted((self.root(one), self.root(other)))
        self._parent[second] = first

    def sets(self) -> list[list[int]]:
        """All sets, members ascending, in the order of their first members."""
        found: dict[int, list[int]] = defaultdict(list)
        for item in range(len(self._parent)):
            found[self.root(item)].append(item)
        return list(found.values())


def text_of(item: Member) -> str:
    """The native four in comparison form, joined by U+001F: what near-duplicates are measured on."""
    return SEPARATOR.join(item.texts)


class TextForms:
    """Members by their distinct texts, and all near pairs among these."""

    def __init__(self, members: Sequence[Member], threshold: float) -> None:
        self.holders: dict[str, list[int]] = defaultdict(list)
        for index, item in enumerate(members):
            self.holders[text_of(item)].append(index)
        self.texts = list(self.holders)
        self.pairs = sorted(near_pairs(self.texts, threshold))

    def join(self, components: Components) -> None:
        """Join members with equal or near-duplicate texts."""
        groups = [self.holders[text] for text in self.texts]
        for group in groups:
            for index in group[1:]:
                components.join(group[0], index)
        for one, other in self.pairs:
            components.join(groups[one][0], groups[other][0])


def clusters(members: Sequence[Member], threshold: float) -> list[list[Member]]:
    """Groups connected by table or by near-duplicate texts; ``members`` come sorted by id."""
    components = Components(len(members))
    TextForms(members, threshold).join(components)
    _join_equal(components, (item.table for item in members))
    return [[members[index] for index in group] for group in components.sets()]


def _join_equal(components: Components, keys: Iterable[Hashable]) -> None:
    first: dict[Hashable, int] = {}
    for index, key in enumerate(keys):
        components.join(first.setdefault(key, index), index)
