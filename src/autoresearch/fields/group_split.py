"""Splits that keep groups together: by table, or by cluster of near-duplicates (data-line.md 4.4)."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autoresearch import progress
from autoresearch.fields.pool import Pool, largest_remainder
from autoresearch.fields.random_split import Assignment

GROUPS_A_STEP = 1_000


def divide_groups(pool: Pool, group: NDArray[np.int32], ratios: Sequence[float], seed: int) -> Assignment:
    """The split of each record, each group whole. ``group`` numbers the groups in a fixed order, without gaps.

    Groups are shuffled, then taken largest first. The first ones seed a split each; each later one goes where the
    deviation of the size plus the mean deviation of its label counts grows least.
    """
    draw = random.Random(seed)
    sizes = np.bincount(group)
    ends = np.cumsum(sizes)
    rows = np.argsort(group, kind="stable").astype(np.int32)
    shuffled = array("i", range(len(sizes)))
    draw.shuffle(shuffled)
    order = np.array(shuffled)[np.argsort(-sizes[np.array(shuffled)], kind="stable")]
    quotas = largest_remainder(len(pool), ratios)
    labels = np.stack((pool.category, pool.level + len(pool.categories)), axis=1)
    totals: list[int] = np.bincount(labels.ravel()).tolist()
    filled = [0, 0, 0]
    held: list[Counter[int]] = [Counter(), Counter(), Counter()]
    assigned = np.empty(len(pool), dtype=np.int8)
    unseeded = [index for index in range(3) if quotas[index]]
    with progress.bar("groups", len(order), "groups") as bar:
        for place, number in enumerate(order.tolist(), start=1):
            members = rows[ends[number] - sizes[number] : ends[number]]
            counts = Counter(labels[members].ravel().tolist())
            size = len(members)
            best = unseeded.pop(0) if unseeded else _least(size, counts, quotas, ratios, totals, filled, held)
            filled[best] += size
            held[best].update(counts)
            assigned[members] = best
            if place % GROUPS_A_STEP == 0:
                bar.advance(GROUPS_A_STEP)
    return assigned


def _growth(now: float, added: float, expected: float) -> float:
    """How much the squared deviation from ``expected`` grows, over ``max(expected, 1)``."""
    return (2 * (now - expected) + added) * added / max(expected, 1.0)


def _least(
    group_size: int,
    counts: Counter[int],
    quotas: Sequence[int],
    ratios: Sequence[float],
    totals: Sequence[int],
    filled: Sequence[int],
    held: Sequence[Counter[int]],
) -> int:
    def cost(index: int) -> tuple[float, float, int]:
        by_label = [
            _growth(held[index][label], added, totals[label] * ratios[index]) for label, added in counts.items()
        ]
        size = _growth(filled[index], group_size, quotas[index])
        return (size + sum(by_label) / len(by_label), filled[index] / quotas[index], index)

    return min((index for index in range(3) if quotas[index]), key=cost)
