"""Equal fields give equal bytes of every artefact, whatever the row order, process, hash seed or locale (4.0,
acceptance 7).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from whole_line import line

PROGRAM = Path(__file__).with_name("whole_line.py")
SURROUNDINGS = {
    "another hash seed": {"PYTHONHASHSEED": "4711"},
    "a plain locale, one thread": {"LC_ALL": "C", "PYTHONUTF8": "0", "POLARS_MAX_THREADS": "1", "PYTHONHASHSEED": "1"},
    "a foreign locale and time zone": {"LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Shanghai", "PYTHONHASHSEED": "0"},
}
MADE_OF_ROW_ORDER = {
    "fields.csv",
    "processed/steel/all.json",
    "processed/steel/preprocess_report.json",
}
"""The input itself, its records in the order of the rows, and the report that has its hash."""
EXAMPLES = int(os.environ.get("DETERMINISM_EXAMPLES", "2"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The line in this process, rows in the given order."""
    root = tmp_path_factory.mktemp("whole") / "given"
    return root, line(root)


def test_the_line_makes_every_kind_of_artefact(made: tuple[Path, dict[str, str]]) -> None:
    names = set(made[1])
    releases = ("three", "pairs", "mock", "hash", "filled", "sft", "rl-cascade")
    parquet = {f"releases/{name}/{split}.parquet" for name in releases for split in ("train", "val", "test")}
    reports = {f"releases/{name}/export_report.json" for name in releases}
    splits = {f"splits/{kind}/split_report.json" for kind in ("random", "group", "cluster")}
    single = {"leakage.json", "audit.json", "stats.json", "imported/all.json", "canonical/steel/resolution_report.json"}
    assert parquet | reports | splits | single | {"releases/collected/collect_report.json"} <= names


def test_process_hash_seed_locale_and_threads_change_no_byte(made: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    def run(place: tuple[str, dict[str, str]]) -> dict[str, str]:
        command = [sys.executable, str(PROGRAM), str(tmp_path / place[0]), "given"]
        environment = {**os.environ, **place[1]}
        done = subprocess.run(command, capture_output=True, check=True, env=environment, cwd=tmp_path)
        found: dict[str, str] = json.loads(done.stdout)
        return found

    with ThreadPoolExecutor(2) as pool:
        for name, found in zip(SURROUNDINGS, pool.map(run, SURROUNDINGS.items()), strict=True):
            assert found == made[1], name


def without_input(path: Path) -> dict[str, object]:
    """A resolution report without the hash of the processed file, which has the order of the rows."""
    report: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    del report["input"]
    return report


@pytest.mark.parametrize("order", ["reversed"])
def test_reversed_rows_change_only_what_holds_their_order(
    made: tuple[Path, dict[str, str]], tmp_path: Path, order: str
) -> None:
    compare_order(made, tmp_path / "other", order)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1_000_000))
def test_shuffled_rows_change_only_what_holds_their_order(
    made: tuple[Path, dict[str, str]], tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    compare_order(made, tmp_path_factory.mktemp("shuffled") / "other", str(seed))


def compare_order(made: tuple[Path, dict[str, str]], root: Path, order: str) -> None:
    given_root, expected = made
    found = line(root, order)
    assert set(found) == set(expected)
    different = {name for name in found if found[name] != expected[name]}
    reports = {name for name in different if name.endswith("resolution_report.json")}
    assert different - reports == MADE_OF_ROW_ORDER
    for name in reports:
        assert without_input(root / name) == without_input(given_root / name)
