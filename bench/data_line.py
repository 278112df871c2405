"""Ratios of the data line, measured in one process on this machine: no absolute time is judged.

Prints one JSON object; ``--rows`` (100,000) sets the size of the sheet. Run it on an idle machine: ``make bench``.
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import fastexcel
import polars as pl
import xlsxwriter

from autoresearch.fields import canonical, preprocess
from autoresearch.files import write_json
from autoresearch.standards.mapping import ColumnMapping

HEADERS = {
    "库名": "database_name",
    "表名": "table_name",
    "表描述": "table_description",
    "字段名": "field_name",
    "字段描述": "field_description",
    "类型": "field_type",
    "四级分类": "level_4",
    "级别": "data_level",
}
LEAVES = 233
REPEATS = 3


def make_sheet(path: Path, rows: int) -> None:
    """A sheet of ``rows`` distinct fields, one table for fifteen of them."""
    book = xlsxwriter.Workbook(str(path), {"constant_memory": True})
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, list(HEADERS))
    for row in range(rows):
        leaf = row * 7 % LEAVES
        table = row // 15
        cells = [
            f"DB{table % 9}",
            f"T_{table}",
            f"第{table}张表",
            f"FIELD_{row}",
            f"第{row}个字段的描述",
            "VARCHAR(20)",
        ]
        sheet.write_row(row + 1, 0, [*cells, f"分类{leaf}", f"L{1 + leaf % 4}"])
    book.close()


def best(action: Callable[[], object]) -> float:
    """Seconds of the fastest of ``REPEATS`` runs."""
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        make_sheet(root / "fields.xlsx", rows)
        write_json(root / "datasets.json", {"datasets": {"bench": {"identity_fields": ["level_4"]}}})
        leaves = [{"category_id": f"bench:分类{leaf}", "name": f"分类{leaf}", "path": []} for leaf in range(LEAVES)]
        (root / "registries").mkdir()
        write_json(root / "registries" / "bench.registry.json", {"categories": leaves})
        mapping = ColumnMapping(HEADERS)

        def read() -> None:
            fastexcel.read_excel(str(root / "fields.xlsx")).load_sheet(0, dtypes="string").to_polars()

        def line() -> None:
            done = preprocess.process(root / "fields.xlsx", mapping, "bench")
            preprocess.write(done, root / "processed" / "bench" / "all.json")
            canonical.build(
                root / "processed",
                root / "canonical",
                root / "datasets.json",
                root / "registries",
                ["bench"],
                overwrite=True,
                in_memory={"bench": done},
            )

        read_seconds, line_seconds = best(read), best(line)
    print(
        json.dumps(
            {
                "rows": rows,
                "repeats": REPEATS,
                "xlsx_to_canonical_over_plain_read": round(line_seconds / read_seconds, 2),
                "target": 3.0,
                "plain_read_seconds": round(read_seconds, 3),
                "python": platform.python_version(),
                "polars": pl.__version__,
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
