"""The bench of telemetry runs and says what it measured; no time is judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from local_services import needed

BENCH = Path(__file__).parents[2] / "bench" / "telemetry.py"


def figure(*words: object) -> dict[str, Any]:
    """The printed object of one figure."""
    done = subprocess.run([sys.executable, str(BENCH), *map(str, words)], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)
    assert found["ok"] is (done.returncode == 0)
    assert found["cores"] > 0
    return dict(found)


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (
            ("B1", "--seconds", 1, "--kinds", "ascend"),
            {"sampler_share_of_a_core", "called_program_share_of_a_core", "rounds"},
        ),
        (("B2", "--seconds", 2, "--kinds", "host"), {"median_seconds", "p95_seconds", "n"}),
        (("B6", "--cases", 2, "--hours", 0.01), {"table_samples", "peak_mib", "seconds_of_expositions", "promtool"}),
    ],
)
def test_a_figure_is_printed_with_its_numbers(words: tuple[object, ...], keys: set[str]) -> None:
    (result,) = figure(*words)["results"]
    assert keys <= set(result)


def test_the_cost_of_a_push_is_told_for_the_first_and_the_last_part() -> None:
    needed("prometheus-pushgateway", "pushgateway")
    (result,) = figure("B10", "--seconds", 4)["results"]
    assert result["failed"] == 0
    assert result["median_ms"] > 0
