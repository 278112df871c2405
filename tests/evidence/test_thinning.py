"""Which points of a curve are drawn, and what its table says of all of them (formal-case.md 15.3)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from autoresearch.evidence.thinning import summary, thin, with_gaps
from autoresearch.telemetry.statistics import value_summary

VALUES = st.lists(st.floats(-1e9, 1e9), max_size=400)


@settings(max_examples=60, deadline=None)
@given(VALUES)
def test_the_summary_is_that_of_the_statistics_bit_for_bit(values: list[float]) -> None:
    wanted = value_summary(values)
    del wanted["mean"]
    assert summary(np.array(values, dtype=np.float64)) == wanted


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 9000), min_size=1, max_size=300), st.integers(8, 60))
def test_no_line_is_drawn_across_a_gap_however_few_points_are_kept(steps: list[int], most: int) -> None:
    stamps = np.cumsum(np.array([0, *steps], dtype=np.int64))
    values = np.sin(stamps.astype(np.float64))
    at, known = with_gaps(stamps, values, 2000)
    kept = thin(known, most)
    for before, after in pairwise(kept):
        both = not np.isnan(known[before]) and not np.isnan(known[after])
        crossed = [gap for gap in np.flatnonzero(np.isnan(known)) if before < gap < after]
        assert not (both and crossed), (at[before], at[after])
    drawn = known[kept]
    assert np.nanmin(drawn) == values.min() and np.nanmax(drawn) == values.max()
    assert len(known) - len(values) == sum(step > 2000 for step in steps)
