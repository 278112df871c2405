"""The bench programs run and say what they measured; no time is judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


def run(program: str, *arguments: object) -> str:
    command = [sys.executable, str(BENCH / program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_read_is_compared_with_the_line_and_the_import(tmp_path: Path) -> None:
    output = tmp_path / "found.json"
    printed = run("data_line.py", "--only", "read", "--rows", 300, "--repeats", 1, "--output", output)
    found = json.loads(printed)
    assert json.loads(output.read_text(encoding="utf-8")) == found
    read = found["beside_the_read"]
    for ratio in ("xlsx_to_canonical_over_read", "full_grid_over_plain", "audit_over_read", "leakage_over_read"):
        assert set(read["workbook"][ratio]) == {"wall", "cpu"}
    assert read["ddl"]["columns"] == 50
    assert found["environment"]["polars"]


def test_growth_has_rates_and_peaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    from data_line import compare  # type: ignore[import-not-found]  # a program, not a package

    found = compare(tmp_path, 30, 300, ("preprocess",))["preprocess"]
    assert found["rows"] == "30 to 300, 10 times"
    assert found["memory"] > 0
    assert found["per_core_second"] > 0


def test_every_step_runs_on_the_output_of_those_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    from step import STEPS, Steps  # type: ignore[import-not-found]
    from worlds import World  # type: ignore[import-not-found]

    world = World(300, 12)
    world.write_standards(tmp_path)
    world.write_csv(tmp_path / "fields.csv")
    steps = Steps(tmp_path)
    for name in STEPS:
        getattr(steps, name)()
    assert sorted(item.name for item in (tmp_path / "releases").iterdir()) == ["pairs", "three", "trajectories"]
    assert (tmp_path / "leakage.json").is_file()
    assert (tmp_path / "audit.json").is_file()


def test_tokens_are_equal_with_the_segment_cache_and_with_the_stock_dataset(tmp_path: Path) -> None:
    for package in ("torch", "transformers", "verl"):
        pytest.importorskip(package)
    output = tmp_path / "found.json"
    printed = run("training.py", "--small", "--rows", 12, "--rounds", 1, "--output", output)
    found = json.loads(printed)
    assert json.loads(output.read_text(encoding="utf-8")) == found
    cache, stock = found["segment_cache"], found["stock_dataset"]
    for part in ("example", "invented"):
        assert cache[part]["equal_ids"] == cache[part]["equal_rows"] == "12 of 12"
        assert cache[part]["tokenisation_times_faster"]["n"] == 1
    assert stock["equal_ids"] == stock["equal_masks_before_the_last_newline"] == "12 of 12"
    assert stock["time_over_stock"]["n"] == 1
    assert set(stock["milliseconds_a_row"]) == {"build stock", "items stock", "build ours", "items ours"}
    assert found["environment"]["verl"] == "0.9.1"
