"""The bench over sizes of the standard gives a rate at each size and the growth between the two largest."""

from __future__ import annotations

from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


def test_each_exporter_has_a_rate_at_each_size_and_a_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    from data_line import over_leaves  # type: ignore[import-not-found]  # a program, not a package

    seconds = {12: 1.0, 233: 2.0, 2000: 8.0}
    costs = {leaves: {"sft_export": {"wall": 2 * cpu, "cpu": cpu}} for leaves, cpu in seconds.items()}
    found = over_leaves(400, costs)
    assert found["per_core_second"] == {"sft_export": {"12": 400, "233": 200, "2000": 50}}
    assert found["time_at_2000_over_233"] == {"sft_export": {"wall": 4.0, "cpu": 4.0}}
