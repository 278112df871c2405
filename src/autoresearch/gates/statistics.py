"""Intervals and tests for counted outcomes, with numpy alone (training.md 8.4, 9). Every function is pure and
seeded.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054
RESAMPLES = 2000
CHUNK = 250
"""Resamples drawn at a time, so that memory stays small for many clusters."""

Interval = tuple[float, float]


def wilson(numerator: int, denominator: int) -> Interval:
    """The 95 % Wilson score interval of a share; (0, 1) when nothing was counted."""
    if denominator == 0:
        return 0.0, 1.0
    rate, spread = numerator / denominator, Z95 * Z95 / denominator
    middle = (rate + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(rate * (1 - rate) / denominator + spread / (4 * denominator)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def share(numerator: int, denominator: int) -> dict[str, Any]:
    """A share as reports and verdicts hold it: numerator, denominator, rate (null when nothing was counted), Wilson
    interval.
    """
    rate = numerator / denominator if denominator else None
    return {
        "numerator": numerator,
        "denominator": denominator,
        "rate": rate,
        "wilson95": list(wilson(numerator, denominator)),
    }


def cluster_bootstrap(
    values: Sequence[float], clusters: Sequence[Hashable], *, seed: int, resamples: int = RESAMPLES
) -> Interval:
    """The 95 % percentile interval of the mean when whole clusters are drawn with replacement.

    ``values`` and ``clusters`` are parallel. Items of one cluster are not independent of each other, which a Wilson
    interval ignores. Raises ``ValueError`` without values.
    """
    if len(values) == 0:
        raise ValueError("an interval needs at least one value")
    means = _resampled_means(np.asarray(values, dtype=float), clusters, seed, resamples)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def paired_cluster_bootstrap(
    before: Sequence[float],
    after: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    seed: int,
    resamples: int = RESAMPLES,
) -> Interval:
    """The 95 % interval of mean(after) − mean(before) over the same items, whole clusters drawn with replacement."""
    difference = np.asarray(after, dtype=float) - np.asarray(before, dtype=float)
    return cluster_bootstrap(difference.tolist(), clusters, seed=seed, resamples=resamples)


def _resampled_means(
    values: NDArray[np.float64], clusters: Sequence[Hashable], seed: int, resamples: int
) -> NDArray[np.float64]:
    names = {name: index for index, name in enumerate(dict.fromkeys(clusters))}
    place = np.fromiter((names[name] for name in clusters), dtype=np.int64, count=len(clusters))
    if len(place) != len(values):
        raise ValueError(f"{len(values)} values but {len(place)} cluster names")
    sums = np.bincount(place, weights=values, minlength=len(names))
    sizes = np.bincount(place, minlength=len(names)).astype(float)
    source = np.random.default_rng(seed)
    means = np.empty(resamples)
    for start in range(0, resamples, CHUNK):
        drawn = source.integers(0, len(names), size=(min(CHUNK, resamples - start), len(names)))
        means[start : start + len(drawn)] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    return means


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided exact McNemar p-value of the discordant pairs; 1.0 when there are none."""
    total, fewer = only_first + only_second, min(only_first, only_second)
    tail = sum(math.comb(total, count) for count in range(fewer + 1))
    return min(1.0, float(tail * 2 / 2**total))
