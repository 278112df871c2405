"""The line as multiples of the plain read of its input, in one process: a workbook by fastexcel, DDL by sqlglot."""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import fastexcel
import sqlglot
from measure import best
from step import Steps
from worlds import DATASET, MAPPING, World

from autoresearch.fields import canonical, preprocess
from autoresearch.fields.ddl import import_ddl
from autoresearch.fields.sheet import open_table


def workbook(root: Path, rows: int, repeats: int) -> dict[str, Any]:
    """Budgets 1, 6 and 7: a workbook to canonical records, the audit and the leakage over the read of the workbook."""
    world = World(rows)
    world.write_standards(root)
    world.write_sheet(root / "fields.xlsx")

    def read() -> None:
        fastexcel.read_excel(str(root / "fields.xlsx")).load_sheet(0, dtypes="string").to_polars()

    def line() -> None:
        done = preprocess.process(root / "fields.xlsx", MAPPING, DATASET)
        preprocess.write(done, root / "processed" / DATASET / "all.json")
        folders = (root / "processed", root / "canonical", root / "datasets.json", root / "registries")
        canonical.build(*folders, [DATASET], overwrite=True, in_memory={DATASET: done})

    plain, whole = best(read, repeats), best(line, repeats)
    grid = full_grid(root, repeats)
    steps = Steps(root)
    steps.split_group()
    audit, leakage = best(steps.audit, repeats), best(steps.leakage, 1)
    return {
        "rows": rows,
        "plain_read_seconds": plain.as_dict(),
        "xlsx_to_canonical_over_read": whole.over(plain),
        "full_grid_over_plain": grid,
        "audit_over_read": audit.over(plain),
        "leakage_over_read": leakage.over(plain),
    }


def full_grid(root: Path, repeats: int) -> dict[str, Any]:
    """Row 15 of 4.1.1: opening the workbook when it says that it fills the whole grid, over the same that does not."""
    part = "xl/worksheets/sheet1.xml"
    with (
        zipfile.ZipFile(root / "fields.xlsx") as plain,
        zipfile.ZipFile(root / "grid.xlsx", "w", zipfile.ZIP_DEFLATED) as grid,
    ):
        for name in plain.namelist():
            data = plain.read(name)
            if name == part:
                data, said = re.subn(rb'<dimension ref="[^"]*"/>', b'<dimension ref="A1:XFD1048576"/>', data, count=1)
                assert said == 1
            grid.writestr(name, data)
    told = best(lambda: open_table(root / "grid.xlsx"), repeats)
    return told.over(best(lambda: open_table(root / "fields.xlsx"), repeats))


def ddl(root: Path, rows: int, repeats: int) -> dict[str, Any]:
    """Budget 8: the import of tables with data statements over sqlglot's parse of the tables alone."""
    world = World(rows)
    world.write_ddl(root / "tables.sql", inserts=0)
    world.write_ddl(root / "whole.sql", inserts=1)
    text = (root / "tables.sql").read_text(encoding="utf-8")
    output = root / "imported"
    plain = best(lambda: sqlglot.parse(text, read="mysql"), repeats)
    whole = best(lambda: import_ddl([root / "whole.sql"], output, DATASET, overwrite=True), repeats)
    return {"columns": rows, "parse_seconds": plain.as_dict(), "import_over_parse": whole.over(plain)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--ddl-rows", type=int, default=15_000)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        found = {"workbook": workbook(root, given.rows, given.repeats), "ddl": ddl(root, given.ddl_rows, given.repeats)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
