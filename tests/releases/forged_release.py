"""A release held in memory, changed and sealed again as a forger would: hashes, ledger and counts follow the rows."""

from __future__ import annotations

import copy
import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from autoresearch.files import sha256_bytes, sha256_file
from autoresearch.releases.columns import rows_of

SPLITS = ("train", "val", "test")
REPORT = "export_report.json"
KEY = b"autoresearch"

Row = dict[str, Any]


def source_of(row: Row) -> Any:
    """The source id of a row of any family."""
    return row["extra_info"]["source_id"] if "extra_info" in row else row["source_id"]


@dataclass
class Forgery:
    """One release in memory. Rows are copied before they are given out, so that the original stays."""

    rows: dict[str, list[Row]]
    schemas: dict[str, pa.Schema]
    headers: dict[str, dict[str, Any]]
    report: dict[str, Any]
    assets: dict[str, bytes]
    tables: dict[str, pa.Table] = field(default_factory=dict)
    """Splits whose table is given as it is, columns and all."""
    touched: set[str] = field(default_factory=set)

    @classmethod
    def read(cls, folder: Path) -> Forgery:
        """All of a published folder."""
        tables = {split: pq.read_table(folder / f"{split}.parquet") for split in SPLITS}
        return cls(
            rows={split: rows_of(table) for split, table in tables.items()},
            schemas={split: table.schema.remove_metadata() for split, table in tables.items()},
            headers={split: json.loads(table.schema.metadata[KEY]) for split, table in tables.items()},
            report=json.loads((folder / REPORT).read_text(encoding="utf-8")),
            assets={path.name: path.read_bytes() for path in (folder / "assets").iterdir()},
        )

    def copy(self) -> Forgery:
        """A copy whose header, report and assets may be changed; rows are copied by ``change``."""
        report, headers = copy.deepcopy(self.report), copy.deepcopy(self.headers)
        return Forgery(dict(self.rows), dict(self.schemas), headers, report, dict(self.assets))

    def change(self, split: str) -> list[Row]:
        """The rows of a split, to be changed in place."""
        if split not in self.touched:
            self.rows[split] = copy.deepcopy(self.rows[split])
            self.touched.add(split)
        return self.rows[split]

    def table(self, split: str) -> pa.Table:
        """The rows of a split as Arrow, without the header."""
        if split in self.tables:
            return self.tables[split]
        return pa.Table.from_pylist(self.rows[split], schema=self.schemas[split])

    def put_header(self, change: dict[str, Any], splits: tuple[str, ...] = SPLITS, report: bool = True) -> None:
        """Write header keys into the files of ``splits`` and, if asked, wherever the report repeats them."""
        for split in splits:
            self.headers[split].update(change)
            self.touched.add(split)
        if report:
            self.report["header"].update(change)
            validation = self.report["validation"]
            validation["header"] = copy.deepcopy(self.report["header"])
            validation["dataset"] = self.report["header"]["dataset"]

    def write(self, folder: Path) -> None:
        """Write the changed files over a copy of the original and seal the report; nothing else is touched."""
        for split in self.touched:
            text = json.dumps(self.headers[split], ensure_ascii=False, sort_keys=True).encode()
            table = self.table(split).replace_schema_metadata({KEY: text})
            pq.write_table(table, folder / f"{split}.parquet", compression="zstd")
        for path in (folder / "assets").iterdir():
            if path.name not in self.assets:
                path.unlink()
        for name, data in self.assets.items():
            (folder / "assets" / name).write_bytes(data)
        self.write_report(folder)

    def seal(self, folder: Path) -> None:
        """``write``, then the report's hashes, row counts and ledger made equal to what is on disk."""
        self.write(folder)
        files = self.report["release"]["files"]
        for name in list(files):
            if (folder / name).is_file():
                files[name] = sha256_file(folder / name)
            else:
                del files[name]
        for split in self.touched:
            self._seal_split(split)
        if self.touched:
            self._seal_counts()
        self._seal_inputs()
        self.write_report(folder)

    def write_report(self, folder: Path) -> None:
        """Write the report as it stands."""
        text = json.dumps(self.report, ensure_ascii=False, indent=2)
        (folder / REPORT).write_text(text + "\n", encoding="utf-8")

    def _seal_split(self, split: str) -> None:
        report, count = self.report, self.table(split).num_rows
        report["splits"][split].update(sha256=report["release"]["files"][f"{split}.parquet"], rows=count)
        report["validation"]["splits"][split]["rows"] = count
        ledger = report["ledger"][split]
        each = 2 if report["family"] in ("three-message", "rl-pairs", "sft-mixture") else 1
        ledger.update(rows=count, exported_sources=-(-count // each))
        ledger["records"] = ledger["exported_sources"] + sum(ledger["skipped"].values())

    def _seal_counts(self) -> None:
        report, dataset = self.report, self.report["header"]["dataset"]
        report["records"]["resolved"] = sum(item["records"] for item in report["ledger"].values())
        if "sampling" in report:
            count = report["ledger"]["train"]["exported_sources"]
            report["sampling"]["train_input_source_counts"] = {dataset: count}
            report["sampling"]["train_source_counts"] = {dataset: count}
            report["sampling"]["train_achieved_weights"] = {dataset: 1.0}
        if "think" in report and not self.tables:
            rows = [row for split in SPLITS for row in self.rows[split]]
            report["think"]["truncated_rows"] = sum(bool(row["think_truncated"]) for row in rows)
            report["think"]["truncated_turns"] = sum(row["think_truncated_turns"] or 0 for row in rows)

    def _seal_inputs(self) -> None:
        for item in self.report["inputs"]:
            name = f"{item['role'].replace('_', '-')}.json"
            if name in self.assets:
                item.update(sha256=sha256_bytes(self.assets[name]), bytes=len(self.assets[name]))
        manifest = self.report.get("grading_manifest")
        if manifest is not None and "grading-manifest.json" in self.assets:
            manifest["sha256"] = sha256_bytes(self.assets["grading-manifest.json"])


def restore(original: Path, folder: Path) -> None:
    """Make ``folder`` a byte copy of ``original`` again."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(original, folder)
