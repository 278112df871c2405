"""The random split: strata in proportion, then swaps until train covers what it can (data-line.md 4.4)."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autoresearch.fields.pool import Pool, largest_remainder

Assignment = NDArray[np.int8]
"""For each record of a pool the number of its split in ``SPLITS``."""
TRAIN = 0


@dataclass(frozen=True)
class Coverage:
    """Categories and levels of val and test that train lacks, and the swaps that were made."""

    swaps: int
    category_gaps: tuple[str, ...]
    level_gaps: tuple[str, ...]


def divide(pool: Pool, ratios: Sequence[float], seed: int) -> Assignment:
    """The split of each record. Equal pools give equal results."""
    draw = random.Random(seed)
    quotas = largest_remainder(len(pool), ratios)
    order = np.argsort(pool.stratum, kind="stable").astype(np.int32)
    ends = np.cumsum(np.bincount(pool.stratum, minlength=len(pool.strata)))
    strata = sorted(range(len(pool.strata)), key=pool.strata.__getitem__)
    draw.shuffle(strata)
    strata.sort(key=lambda number: int(ends[number] - (ends[number - 1] if number else 0)), reverse=True)
    filled = [0, 0, 0]
    assigned = np.empty(len(pool), dtype=np.int8)
    for number in strata:
        rows = array("i", order[ends[number - 1] if number else 0 : ends[number]].tobytes())
        draw.shuffle(rows)
        expected = [len(rows) * ratio for ratio in ratios]
        scale = [max(value, 1.0) for value in expected]
        taken = [0, 0, 0]
        for row in rows:
            best = min(
                (index for index in range(3) if filled[index] < quotas[index]),
                key=lambda index: (
                    (2 * (taken[index] - expected[index]) + 1) / scale[index],
                    filled[index] / quotas[index],
                    index,
                ),
            )
            taken[best] += 1
            filled[best] += 1
            assigned[row] = best
    return assigned


def _has_level(pool: Pool) -> NDArray[np.bool_]:
    """Which records have a level."""
    return np.array([bool(text) for text in pool.levels], dtype=np.bool_)[pool.level]


def _counted(pool: Pool) -> NDArray[np.bool_]:
    """The records whose labels count for coverage: where the dataset has levels, only those with one (exporters skip
    the others).
    """
    graded = _has_level(pool)
    return graded if graded.any() else np.ones(len(pool), dtype=np.bool_)


def _counts(
    pool: Pool, rows: NDArray[np.bool_], graded: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many of ``rows`` have each category, and each level."""
    categories = np.bincount(pool.category[rows], minlength=len(pool.categories))
    levels = np.bincount(pool.level[rows & graded], minlength=len(pool.levels))
    return categories, levels


def coverage(pool: Pool, assigned: Assignment, swaps: int = 0) -> Coverage:
    """What val and test hold and train does not."""
    counted, graded = _counted(pool), _has_level(pool)
    inside = _counts(pool, counted & (assigned == TRAIN), graded)
    outside = _counts(pool, counted & (assigned != TRAIN), graded)
    gaps = [np.flatnonzero((out > 0) & (held == 0)) for out, held in zip(outside, inside, strict=True)]
    return Coverage(
        swaps,
        tuple(sorted(pool.categories[number] for number in gaps[0].tolist())),
        tuple(sorted(pool.levels[number] for number in gaps[1].tolist())),
    )


def cover_train(pool: Pool, assigned: Assignment) -> Coverage:
    """Swap records into train until every category and level that it can hold is there; changes ``assigned``.

    The lowest id that closes a gap comes in; the lowest id whose labels stay covered goes out to its place.
    """
    counted, graded = _counted(pool), _has_level(pool)
    categories, levels = _counts(pool, counted & (assigned == TRAIN), graded)
    swaps = 0
    while True:
        open_level = graded & (levels == 0)[pool.level]
        incoming = np.flatnonzero(counted & (assigned != TRAIN) & ((categories == 0)[pool.category] | open_level))
        if not len(incoming):
            break
        into = int(incoming[0])
        categories[pool.category[into]] += 1
        levels[pool.level[into]] += graded[into]
        stays = (categories > 1)[pool.category] & (~graded | (levels > 1)[pool.level])
        donors = np.flatnonzero((assigned == TRAIN) & (stays | ~counted))
        if not len(donors):
            break
        out = int(donors[0])
        assigned[out], assigned[into] = assigned[into], TRAIN
        if counted[out]:
            categories[pool.category[out]] -= 1
            levels[pool.level[out]] -= graded[out]
        swaps += 1
    return coverage(pool, assigned, swaps)
