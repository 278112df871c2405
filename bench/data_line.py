"""Budgets of the data line, measured on this machine as ratios and rates; no absolute time is judged.

Prints one JSON object and writes it beside this file. Every step runs in a process of its own (``step.py``), so that
peaks of memory are its own; ratios to a plain read are taken within one process (``beside_read.py``).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure import MEBIBYTE, Cost, child, environment
from step import LINE

HERE = Path(__file__).parent
LEAVES = (12, 50, 233)
"""Sizes of the standard below the largest."""
EXPORTS = ("sft_export", "sft_assemble", "rl_export", "sft_validate")
TARGETS = {
    "xlsx_to_canonical_over_read": 3.0,
    "audit_over_read": 1.0,
    "leakage_over_read": 15.0,
    "import_over_parse": 1.5,
    "sft_export_records_per_core_second": 6000,
    "sft_assemble_rows_per_core_second": 3000,
    "time_growth_for_ten_times_the_rows": 12.0,
    "time_growth_from_233_to_2000_leaves": 12.0,
    "bytes_for_each_further_row_from_fields_to_audit": 200,
}


def made(root: Path, rows: int, leaves: int, steps: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Step → cost and peak over a new world."""
    place = ("--root", root)
    child(HERE / "step.py", ["make", *place, "--rows", rows, "--leaves", leaves])
    return {step: child(HERE / "step.py", [step, *place]) for step in steps}


def cost(found: dict[str, Any]) -> Cost:
    """The cost of a step."""
    return Cost(found["wall"], found["cpu"])


def growth(small: dict[str, Any], large: dict[str, Any], times: float) -> dict[str, Any]:
    """How time and memory grow from one size to another, ``times`` as large."""
    added = (large["peak_bytes"] - small["peak_bytes"]) / (large["rows"] - small["rows"])
    return {
        "rows": f"{small['rows']} to {large['rows']}, {times:g} times",
        "time": cost(large).over(cost(small))["cpu"],
        "seconds": [round(cost(item).wall, 1) for item in (small, large)],
        "memory": round(large["peak_bytes"] / small["peak_bytes"], 2),
        "peak_mebibytes": [round(item["peak_bytes"] / MEBIBYTE) for item in (small, large)],
        "bytes_for_each_further_row": round(added),
    }


def compare(root: Path, small: int, large: int, steps: Sequence[str], before: Sequence[str] = ()) -> dict[str, Any]:
    """Growth of each step between two sizes, and its rate at the larger one."""
    found = []
    for rows in (small, large):
        with tempfile.TemporaryDirectory(dir=root) as scratch:
            costs = made(Path(scratch), rows, 233, (*before, *steps))
        found.append({step: {**costs[step], "rows": rows} for step in steps})
    first, second = found
    return {
        step: {**cost(second[step]).rate(large), **growth(first[step], second[step], large / small)} for step in steps
    }


def leaves_growth(root: Path, rows: int, sizes: Sequence[int]) -> dict[str, Any]:
    """Budget 4: the exporters at several sizes of the standard."""
    found: dict[int, dict[str, dict[str, Any]]] = {}
    for leaves in sizes:
        with tempfile.TemporaryDirectory(dir=root) as scratch:
            costs = made(Path(scratch), rows, leaves, ("preprocess", "build", "split_group", *EXPORTS))
            found[leaves] = {step: costs[step] for step in EXPORTS}
    return over_leaves(rows, found)


def over_leaves(rows: int, found: dict[int, dict[str, dict[str, Any]]]) -> dict[str, Any]:
    """Leaves → step → cost as the rate of each step at each size, and its growth from the last but one to the last."""
    few, many = list(found)[-2:]
    steps = list(found[many])
    return {
        "rows": rows,
        "per_core_second": {
            step: {str(leaves): cost(costs[step]).rate(rows)["per_core_second"] for leaves, costs in found.items()}
            for step in steps
        },
        f"time_at_{many}_over_{few}": {step: cost(found[many][step]).over(cost(found[few][step])) for step in steps},
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000, help="fields of the workbook and records of the exporters")
    parser.add_argument("--scale", type=int, default=1_000_000, help="fields of the largest run")
    parser.add_argument("--leaves", type=int, default=2_000, help="leaves of the largest standard")
    parser.add_argument("--repeats", type=int, default=3, help="runs of which the fastest counts, beside a plain read")
    parser.add_argument("--only", choices=("read", "releases", "leaves", "scale"), action="append")
    parser.add_argument("--output", type=Path, default=HERE / "data_line.json")
    given = parser.parse_args()
    parts = given.only or ["read", "releases", "leaves", "scale"]
    rows = given.rows
    found: dict[str, Any] = {}
    if given.only and given.output.exists():
        found = json.loads(given.output.read_text(encoding="utf-8"))  # the other parts stay
    found.update({"repeats": given.repeats, "targets": TARGETS, "environment": environment()})
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        if "read" in parts:
            sizes = ["--rows", rows, "--ddl-rows", max(rows // 6, 30), "--repeats", given.repeats]
            found["beside_the_read"] = child(HERE / "beside_read.py", sizes)
        if "releases" in parts:
            found["releases"] = compare(root, rows // 10, rows, EXPORTS, ("preprocess", "build", "split_group"))
        if "leaves" in parts:
            found["leaves"] = leaves_growth(root, rows // 20, (*LEAVES, given.leaves))
        if "scale" in parts:
            found["scale"] = compare(root, given.scale // 10, given.scale, LINE)
    text = json.dumps(found, indent=2)
    print(text)
    given.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
