from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoresearch.gates.statistics import (
    cluster_bootstrap,
    mcnemar_exact,
    paired_cluster_bootstrap,
    share,
    wilson,
)


@pytest.mark.parametrize(
    ("numerator", "denominator", "low", "high"),
    [(9, 512, 0.0093, 0.0331), (26, 512, 0.0349, 0.0733), (51, 1024, 0.0381, 0.0649), (0, 10, 0.0, 0.2775)],
)
def test_wilson_gives_the_published_intervals(numerator: int, denominator: int, low: float, high: float) -> None:
    assert wilson(numerator, denominator) == pytest.approx((low, high), abs=2e-4)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate_and_mirrors(counts: tuple[int, int]) -> None:
    numerator, denominator = counts
    low, high = wilson(numerator, denominator)
    assert 0 <= low <= numerator / denominator + 1e-12 and numerator / denominator - 1e-12 <= high <= 1
    mirrored = wilson(denominator - numerator, denominator)
    assert mirrored == pytest.approx((1 - high, 1 - low))


def test_a_share_of_nothing_has_no_rate() -> None:
    assert share(0, 0) == {"numerator": 0, "denominator": 0, "rate": None, "wilson95": [0.0, 1.0]}


def test_the_bootstrap_is_wider_when_items_of_a_cluster_agree() -> None:
    values = [1.0] * 200 + [0.0] * 200
    own = list(range(400))
    shared = [n // 20 for n in range(400)]
    narrow, wide = (cluster_bootstrap(values, names, seed=1) for names in (own, shared))
    assert wide[1] - wide[0] > 3 * (narrow[1] - narrow[0])
    assert narrow[0] < 0.5 < narrow[1]


def test_the_bootstrap_of_single_items_agrees_with_the_normal_approximation() -> None:
    source = random.Random(7)
    values = [float(source.random() < 0.3) for _ in range(1000)]
    low, high = cluster_bootstrap(values, list(range(1000)), seed=3)
    rate = sum(values) / 1000
    half = 1.96 * math.sqrt(rate * (1 - rate) / 1000)
    assert (low, high) == pytest.approx((rate - half, rate + half), abs=0.004)


def test_the_bootstrap_weighs_clusters_by_their_size_and_not_equally() -> None:
    values = [1.0] * 90 + [0.0] * 10
    low, high = cluster_bootstrap(values, ["big"] * 90 + ["small"] * 10, seed=1)
    assert (low, high) == (0.0, 1.0)
    assert cluster_bootstrap([0.9] * 100, [n % 7 for n in range(100)], seed=1) == pytest.approx((0.9, 0.9))


def test_the_same_seed_gives_the_same_interval_and_another_a_near_one() -> None:
    values, names = [float(n % 3 == 0) for n in range(300)], [n // 10 for n in range(300)]
    assert cluster_bootstrap(values, names, seed=5) == cluster_bootstrap(values, names, seed=5)
    assert cluster_bootstrap(values, names, seed=5) == pytest.approx(cluster_bootstrap(values, names, seed=6), abs=0.02)


def test_values_and_clusters_must_be_parallel() -> None:
    with pytest.raises(ValueError, match="3 values but 2"):
        cluster_bootstrap([1, 0, 1], ["a", "b"], seed=1)
    with pytest.raises(ValueError, match="at least one"):
        cluster_bootstrap([], [], seed=1)


def test_pairing_removes_what_both_sides_share() -> None:
    before = [float(n % 2) for n in range(200)]
    after = [max(value, float(n % 10 == 0)) for n, value in enumerate(before)]
    names = [n // 4 for n in range(200)]
    low, high = paired_cluster_bootstrap(before, after, names, seed=1)
    assert 0 < low < 0.1 < high
    assert paired_cluster_bootstrap(after, before, names, seed=1) == pytest.approx((-high, -low))


@pytest.mark.parametrize(
    ("gained", "lost", "p"), [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625), (6, 0, 0.03125), (8, 2, 0.109375), (3, 3, 1.0)]
)
def test_mcnemar_is_the_exact_binomial_test(gained: int, lost: int, p: float) -> None:
    assert mcnemar_exact(gained, lost) == pytest.approx(p)
    assert mcnemar_exact(lost, gained) == mcnemar_exact(gained, lost)


def test_mcnemar_gives_the_p_value_of_a_published_table() -> None:
    """M. P. Fay, "Exact McNemar's Test and Matching Confidence Intervals" (vignette of exact2x2): pairs 21, 9, 2, 12,
    of which 2 and 9 differ; p-value = 0.06543.
    """
    assert round(mcnemar_exact(2, 9), 5) == 0.06543


def test_mcnemar_of_thousands_of_pairs_is_a_number() -> None:
    assert 0 <= mcnemar_exact(3000, 2000) < 1e-40
