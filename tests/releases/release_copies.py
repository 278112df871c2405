"""The inputs of the small steel fixture, and copies of releases that a test may change."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from autoresearch.files import sha256_file, write_json
from autoresearch.releases.columns import rows_of
from autoresearch.releases.inputs import ExportInputs
from autoresearch.releases.validate import ValidationOptions, validate

MINI = Path(__file__).parents[1] / "fixtures" / "steel_mini"
DATASET = "steelmini"


def mini_inputs(**changes: Any) -> ExportInputs:
    """The inputs of the small fixture."""
    given: dict[str, Any] = {
        "canonical": MINI / "canonical.json",
        "registry": MINI / "registry.json",
        "corpus": MINI / "corpus.json",
        "task_config": MINI / "task.json",
        "grading_config": MINI / "grading.json",
    }
    return ExportInputs(**{**given, **changes})


def write_manifest(folder: Path, grading: Path = MINI / "grading.json") -> Path:
    """A grading manifest with the grading standard beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(grading, folder / "grading.json")
    entry = {"path": "grading.json", "sha256": sha256_file(grading)}
    write_json(folder / "grading-manifest.json", {"datasets": {DATASET: entry}})
    return folder / "grading-manifest.json"


@dataclass
class Copy:
    """A copy of a release. Changes keep the report's hashes in step, so that only the change itself can be found."""

    folder: Path

    def rows(self, split: str = "train") -> list[dict[str, Any]]:
        """The rows of a split."""
        return rows_of(pq.read_table(self.folder / f"{split}.parquet"))

    def change_rows(self, change: Callable[[list[dict[str, Any]]], Any], split: str = "train") -> None:
        """Write the rows of a split again after ``change`` worked on them; schema and header stay."""
        path = self.folder / f"{split}.parquet"
        table = pq.read_table(path)
        rows = rows_of(table)
        change(rows)
        pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path, compression="zstd")
        self.rehash()

    def change_header(self, change: Callable[[dict[str, Any]], Any], splits: tuple[str, ...] = ("train",)) -> None:
        """Change the header inside the parquet files of ``splits``."""
        for split in splits:
            path = self.folder / f"{split}.parquet"
            table = pq.read_table(path)
            header = json.loads(table.schema.metadata[b"autoresearch"])
            change(header)
            text = json.dumps(header, ensure_ascii=False, sort_keys=True).encode()
            pq.write_table(table.replace_schema_metadata({b"autoresearch": text}), path, compression="zstd")
        self.rehash()

    def change_report(self, change: Callable[[dict[str, Any]], Any]) -> None:
        """Change the report file."""
        path = self.folder / "export_report.json"
        report = json.loads(path.read_text(encoding="utf-8"))
        change(report)
        self._agree(report)
        write_json(path, report)

    def _agree(self, report: dict[str, Any]) -> None:
        """The judgement that the exporter recorded repeats the header and the rows of the report."""
        report["validation"]["header"] = report["header"]
        for split, item in report["splits"].items():
            report["validation"]["splits"][split]["rows"] = item["rows"]

    def rehash(self) -> None:
        """Write the present hashes of all files into the report."""

        def put(report: dict[str, Any]) -> None:
            for name in report["release"]["files"]:
                report["release"]["files"][name] = sha256_file(self.folder / name)
            for item in report["splits"].values():
                item["sha256"] = report["release"]["files"][item["file"]]

        self.change_report(put)

    def judge(self, **options: Any) -> dict[str, Any]:
        """The validator's report."""
        return validate(self.folder, ValidationOptions(**options))

    def errors(self, **options: Any) -> set[str]:
        """The codes of all findings that are errors."""
        report = self.judge(**options)
        codes = {item["code"] for item in report["findings"] if item["severity"] == "error"}
        assert report["valid"] == (not codes)
        return codes
