"""Splits that keep groups together: by table, or by cluster of near-duplicates (data-line.md 4.4)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from autoresearch.fields.pool import SPLITS, Member, Split, largest_remainder

Label = tuple[str, str]


def _labels(item: Member) -> list[Label]:
    return [("category", item.category_id), ("level", item.level)]


def divide_groups(groups: Sequence[Sequence[Member]], ratios: Sequence[float], seed: int) -> dict[str, Split]:
    """Id → split, each group whole. ``groups`` come in a fixed order (sorted by their key).

    Groups are shuffled, then taken largest first. The first ones seed a split each; each later one goes where the
    deviation of the
    size plus the mean deviation of its label counts grows least.
    """
    draw = random.Random(seed)
    order = list(groups)
    draw.shuffle(order)
    order.sort(key=len, reverse=True)
    size = sum(len(group) for group in order)
    quotas = largest_remainder(size, ratios)
    totals: Counter[Label] = Counter(label for group in order for item in group for label in _labels(item))
    filled = [0, 0, 0]
    held: list[Counter[Label]] = [Counter(), Counter(), Counter()]
    assigned: dict[str, Split] = {}
    unseeded = [index for index in range(3) if quotas[index]]
    for group in order:
        counts = Counter(label for item in group for label in _labels(item))
        best = unseeded.pop(0) if unseeded else _least(group, counts, quotas, ratios, totals, filled, held)
        filled[best] += len(group)
        held[best].update(counts)
        for item in group:
            assigned[item.id] = SPLITS[best]
    return assigned


def _growth(now: float, added: float, expected: float) -> float:
    """How much the squared deviation from ``expected`` grows, over ``max(expected, 1)``."""
    return (2 * (now - expected) + added) * added / max(expected, 1.0)


def _least(
    group: Sequence[Member],
    counts: Counter[Label],
    quotas: Sequence[int],
    ratios: Sequence[float],
    totals: Counter[Label],
    filled: Sequence[int],
    held: Sequence[Counter[Label]],
) -> int:
    def cost(index: int) -> tuple[float, float, int]:
        by_label = [
            _growth(held[index][label], added, totals[label] * ratios[index]) for label, added in counts.items()
        ]
        size = _growth(filled[index], len(group), quotas[index])
        return (size + sum(by_label) / len(by_label), filled[index] / quotas[index], index)

    return min((index for index in range(3) if quotas[index]), key=cost)
