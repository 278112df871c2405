"""The bench of telemetry runs and says what it measured; no time is judged."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from local_services import needed

BENCH = Path(__file__).parents[2] / "bench"


def figure(*words: object, program: str = "telemetry.py") -> dict[str, Any]:
    """The printed object of one figure."""
    argv = [sys.executable, str(BENCH / program), *map(str, words)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)
    assert found["ok"] is (done.returncode == 0)
    assert found["environment"]["cores"] > 0
    assert found["whole"] is False
    return dict(found)


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (
            ("B1", "--seconds", 1, "--kinds", "ascend"),
            {"sampler_share_of_a_core", "called_program_share_of_a_core", "rounds", "spread"},
        ),
        (("B2", "--seconds", 2, "--kinds", "host"), {"median_seconds", "p95_seconds", "n"}),
        (
            ("B6", "--cases", 2, "--hours", 0.01),
            {"table_samples", "peak_mib", "seconds_of_expositions", "strict_parser"},
        ),
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


def test_the_log_parser_is_measured_in_all_three_dialects() -> None:
    results = figure("--mebibytes", 1, "--repeats", 2, program="log_parser.py")["results"]
    assert [each["dialect"] for each in results] == [1, 2, 3]
    assert all(each["records"] > 0 and each["megabytes_a_core_second"]["n"] == 2 for each in results)


def test_the_page_of_figures_holds_what_the_files_hold(tmp_path: Path) -> None:
    out = tmp_path / "figures.md"
    argv = [sys.executable, str(BENCH / "figures.py"), "--out", str(out)]
    subprocess.run(argv, check=True, timeout=60)
    page = BENCH.parent / "docs" / "figures.md"
    assert page.read_text(encoding="utf-8") == out.read_text(encoding="utf-8"), "run: make bench-page"


def test_every_figure_has_a_target_that_runs_a_script_that_is_there() -> None:
    lines = (BENCH.parent / "Makefile").read_text(encoding="utf-8").splitlines()
    for number in range(1, 11):
        head = next(i for i, line in enumerate(lines) if re.match(rf"[^:.]*\bbench-B{number}\b.*: environment", line))
        script = re.search(r"bench/(\w+\.py)", lines[head + 1])
        assert script and (BENCH / script[1]).is_file(), f"B{number}"
