"""Connected sets of records: same table, equal texts, or near-duplicate texts (data-line.md 4.4, 8.3)."""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from autoresearch.fields.near import near_pairs
from autoresearch.fields.pool import Pool


class Components:
    """Union-find over ``size`` things."""

    def __init__(self, size: int) -> None:
        self._parent = array("i", range(size))

    def root(self, item: int) -> int:
        """The representative of the set that holds ``item``."""
        parent = self._parent
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    def join(self, one: int, other: int) -> None:
        """Make one set of two; the lower number represents it."""
        first, second = sorted((self.root(one), self.root(other)))
        self._parent[second] = first

    def roots(self) -> NDArray[np.int32]:
        """The representative of every thing: the lowest number of its set."""
        found = np.array(self._parent, dtype=np.int32)
        while True:
            further = found[found]
            if np.array_equal(further, found):
                return found
            found = further


def clusters(pool: Pool, threshold: float) -> NDArray[np.int32]:
    """The cluster of each record: connected by table or by equal or near-duplicate texts. Numbered in the order of
    their first records.
    """
    components = Components(len(pool))
    firsts = []
    for column in (pool.form, pool.table):
        first = np.full(int(column.max(initial=-1)) + 1, -1, dtype=np.int32)
        first[column[::-1]] = np.arange(len(pool) - 1, -1, -1, dtype=np.int32)  # the last write is the lowest row
        leads = first[column]
        for row in np.flatnonzero(leads != np.arange(len(pool))):
            components.join(int(leads[row]), int(row))
        firsts.append(first)
    for one, other in near_pairs(pool.texts, threshold):
        components.join(int(firsts[0][one]), int(firsts[0][other]))
    roots = components.roots()
    lowest = roots == np.arange(len(pool))
    numbers = np.cumsum(lowest, dtype=np.int32) - 1
    found: NDArray[np.int32] = numbers[roots]
    return found
