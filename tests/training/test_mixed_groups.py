"""Shares of mixed groups, by hand and by counting (training.md 8.4, T110)."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoresearch.training.mixed_groups import (
    mixed_group_shares,
    mixed_share_extrapolated,
    mixed_share_measured,
    mixed_share_pooled,
    share_of_verdict,
)


@given(st.integers(2, 8).flatmap(lambda k: st.tuples(st.just(k), st.integers(2, k), st.integers(0, k))))
def test_the_measured_mixed_share_is_the_mean_over_all_groups_of_that_size(case: tuple[int, int, int]) -> None:
    played, size, successes = case
    episodes = [1] * successes + [0] * (played - successes)
    groups = list(itertools.combinations(episodes, size))
    mixed = sum(len(set(group)) > 1 for group in groups) / len(groups)
    assert mixed_share_measured([successes], played, size) == pytest.approx(mixed)


def test_a_larger_group_than_was_played_is_extrapolated_and_said_to_be_low() -> None:
    shares = mixed_group_shares([0, 0, 4, 8], 8, (4, 8, 16))
    assert [shares[key]["method"] for key in ("4", "8", "16")] == ["measured", "measured", "extrapolated, low"]
    assert shares["16"]["share"] == mixed_share_extrapolated([0, 0, 4, 8], 8, 16)
    with pytest.raises(ValueError, match="16"):
        mixed_share_measured([1], 8, 16)


def test_the_pooled_share_is_an_upper_bound_when_prompts_differ() -> None:
    successes = [0, 0, 0, 8, 8, 4]
    for size, entry in mixed_group_shares(successes, 8, (4, 8)).items():
        assert entry["share"] < entry["pooled"] == mixed_share_pooled(20 / 48, int(size))


@pytest.mark.parametrize(("size", "percent"), [(4, 18.5), (8, 33.7), (16, 56.0)])
def test_at_five_percent_the_pooled_shares_are_those_of_the_table(size: int, percent: float) -> None:
    assert round(100 * mixed_share_pooled(0.05, size), 1) == percent


VERDICT = {
    "mixed_group_share": {"4": {"share": 0.25, "method": "measured", "pooled": 0.5}},
    "per_prompt": [
        {"source_id": "a", "nonzero": 0, "episodes": 8},
        {"source_id": "b", "nonzero": 4, "episodes": 8},
        {"source_id": "c", "nonzero": 7, "episodes": 7},
    ],
}


def test_the_share_of_a_verdict_is_its_own_entry_where_it_has_one() -> None:
    assert share_of_verdict(VERDICT, 4) == (0.25, "measured")


@pytest.mark.parametrize("size", [2, 3, 5, 6, 7, 12, 32])
def test_any_other_group_size_is_computed_from_the_counts_of_whole_prompts(size: int) -> None:
    found = share_of_verdict(VERDICT, size)
    formula = mixed_share_measured if size <= 8 else mixed_share_extrapolated
    assert found == (formula([0, 4], 8, size), "measured" if size <= 8 else "extrapolated, low")


def test_a_verdict_without_counts_says_nothing_about_groups() -> None:
    assert share_of_verdict({"mixed_group_share": {"4": {"share": 0.25}}}, 6) is None
    assert share_of_verdict({}, 4) is None
