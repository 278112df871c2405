"""``predict --baseline``: fields a second of one core, and the peak of memory at two sizes with what a further field
costs, beside a plain read.

Prints one JSON object and writes it beside this file. Each run is a process of its own with one thread, so that seconds
of the processor are those of one core; the plain read of the same file is taken in the same process. No time is judged.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import polars as pl
import xlsxwriter
from measure import MEBIBYTE, Cost, best, child, environment, peak_bytes
from worlds import HEADERS, World

HERE = Path(__file__).parent
TARGETS = {"fields_per_core_second": 2000, "bytes_for_each_further_field": {"csv": 200, "workbook": 400}}
"""What is aimed at; the libraries that read a workbook hold it whole and take more."""
UNLABELLED = 6
"""Columns before the class and the level."""
LABELLED = 5_000


def make(root: Path, rows: int, leaves: int) -> None:
    """The fields without labels, labelled ones, and their standards."""
    world = World(rows, leaves)
    world.write_standards(root)
    World(LABELLED, leaves).write_csv(root / "labelled.csv")
    with (root / "fields.csv").open("w", encoding="utf-8", newline="") as handle:
        table = csv.writer(handle)
        table.writerow(list(HEADERS)[:UNLABELLED])
        table.writerows(row[:UNLABELLED] for row in world.fields())
    book = xlsxwriter.Workbook(str(root / "fields.xlsx"), {"constant_memory": True})
    sheet = book.add_worksheet()
    for number, cells in enumerate([tuple(HEADERS), *world.fields()]):
        sheet.write_row(number, 0, cells[:UNLABELLED])
    book.close()


def measure(root: Path, rows: int, source: str, suffix: str, labelled: bool) -> dict[str, Any]:
    """One prediction and the plain read of its input, in this process."""
    from autoresearch.evaluation.predict import predict
    from autoresearch.evaluation.prediction_request import Request

    neighbours = root / "labelled.csv" if labelled else None
    request = Request(root / f"fields.{source}", root, root / f"out.{suffix}", labelled=neighbours, overwrite=True)
    whole = best(lambda: predict(request), 1)
    peak = peak_bytes()
    plain = best(lambda: pl.read_csv(root / "fields.csv", infer_schema=False), 3)
    return {"rows": rows, **whole._asdict(), "peak_bytes": peak, "plain": plain._asdict()}


def shown(found: dict[str, Any]) -> dict[str, Any]:
    """What the page shows of one run."""
    whole, plain = Cost(found["wall"], found["cpu"]), Cost(**found["plain"])
    return {
        "rows": found["rows"],
        "fields_per_core_second": whole.rate(found["rows"])["per_core_second"],
        "over_plain_read": whole.over(plain),
        "peak_mebibytes": round(found["peak_bytes"] / MEBIBYTE),
    }


def compare(rows: int, leaves: int) -> dict[str, Any]:
    """Both sizes of both forms of the input and of the sheet, with and without labelled fields."""
    runs: dict[str, list[dict[str, Any]]] = {}
    for size in (max(rows // 10, 1), rows):
        with tempfile.TemporaryDirectory() as scratch:
            place = ["--root", scratch, "--rows", size]
            child(HERE / "predict_baseline.py", ["make", *place, "--leaves", leaves])
            for name, more in (
                ("csv", []),
                ("workbook", ["--source", "xlsx"]),
                ("csv_to_workbook", ["--form", "xlsx"]),
                ("labelled", ["--labelled"]),
            ):
                runs.setdefault(name, []).append(child(HERE / "predict_baseline.py", ["run", *place, *more]))
    found: dict[str, Any] = {}
    for name, (small, large) in runs.items():
        added = (large["peak_bytes"] - small["peak_bytes"]) / (large["rows"] - small["rows"])
        found[name] = {"small": shown(small), "large": shown(large), "bytes_for_each_further_field": round(added)}
    return found


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("make", "run", "all"), nargs="?", default="all")
    parser.add_argument("--root", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--leaves", type=int, default=233)
    parser.add_argument("--source", choices=("csv", "xlsx"), default="csv")
    parser.add_argument("--form", choices=("csv", "xlsx"), default="csv")
    parser.add_argument("--labelled", action="store_true")
    parser.add_argument("--output", type=Path, default=HERE / "predict_baseline.json")
    given = parser.parse_args()
    if given.step == "make":
        make(given.root, given.rows, given.leaves)
        print("{}")
        return
    if given.step == "run":
        print(json.dumps(measure(given.root, given.rows, given.source, given.form, given.labelled)))
        return
    os.environ.update({"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"})
    found = {"leaves": given.leaves, "labelled_fields": LABELLED, "targets": TARGETS, "environment": environment()}
    found["predict_baseline"] = compare(given.rows, given.leaves)
    text = json.dumps(found, indent=2)
    print(text)
    given.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
