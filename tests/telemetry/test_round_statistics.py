"""Gaps, coverage and achieved intervals are those of the stamps, not of what was asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoresearch.telemetry.samples import HostRounds
from autoresearch.telemetry.schedule import Deadlines
from autoresearch.telemetry.statistics import coverage, gaps, host_statistics, quantile, value_summary


def rounds(stamps: list[int]) -> HostRounds:
    """Rounds at these milliseconds."""
    return HostRounds(tuple({"epoch_ms": stamp, "memory_used_bytes": 10, "source": "psutil"} for stamp in stamps), 0, 0)


def test_an_interval_beyond_three_medians_is_a_gap_and_lowers_the_coverage() -> None:
    stamps = [0, 1000, 2000, 3000, 13000, 14000]
    found = gaps(stamps, (0, 14000))
    assert [(gap["from"], gap["to"]) for gap in found] == [(3000, 13000)]
    assert coverage(found, (0, 14000)) == pytest.approx(4 / 14)


def test_a_sampler_that_starts_late_and_ends_early_leaves_gaps_at_both_ends() -> None:
    found = gaps([10_000, 11_000, 12_000], (0, 20_000))
    assert [(gap["from"], gap["to"]) for gap in found] == [(0, 10_000), (12_000, 20_000)]


def test_no_sample_at_all_is_one_gap_over_the_whole_life() -> None:
    assert coverage(gaps([], (0, 10_000)), (0, 10_000)) == 0.0


def test_short_pauses_are_no_gaps_when_sampling_is_quick() -> None:
    assert gaps([0, 100, 200, 2100], None) == []


def test_statistics_show_the_achieved_interval_beside_the_asked_one() -> None:
    found = host_statistics(rounds([0, 1500, 3000, 4500]), "sft.a1", (0, 4500))
    assert found["interval"]["median"] == 1.5
    assert found["asked_interval"] is None
    assert found["coverage"] == 1.0
    assert found["rounds"] == 4


def test_unknown_values_stay_out_of_the_summary() -> None:
    assert value_summary([]) == {"n": 0, "min": None, "p50": None, "p95": None, "max": None, "mean": None}


@given(st.lists(st.floats(-1e9, 1e9), min_size=1), st.floats(0, 1))
def test_a_quantile_lies_between_the_extremes(values: list[float], share: float) -> None:
    assert min(values) <= quantile(values, share) <= max(values)


def test_deadlines_do_not_drift_and_count_what_they_skip() -> None:
    deadlines = Deadlines(100.0, 1.0)
    assert [deadlines.next_after(now) for now in (100.2, 101.9, 105.5)] == [101.0, 102.0, 106.0]
    assert deadlines.missed == 3
