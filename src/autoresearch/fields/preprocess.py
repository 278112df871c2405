"""A sheet of fields to processed records (data-line.md 4.1): read, map, clean, check, one record a field.

``preprocess`` writes the record file and its report; ``process`` is the same without writing and hands the columns over
in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import polars as pl

from autoresearch import progress
from autoresearch.errors import InputError, RefusedError, raise_if_errors
from autoresearch.fields import delimited, labels, processed
from autoresearch.fields.cells import fill_merged, settle_cells
from autoresearch.fields.columns import find_columns, nameless_with_text, report_nameless
from autoresearch.fields.mapped_text import MappedText, refuse_empty, targets
from autoresearch.fields.places import ColumnFindings, Places
from autoresearch.fields.preprocess_options import Options
from autoresearch.fields.record_rows import CleanRows, Frames, RecordRows
from autoresearch.fields.sheet import Table, TableHead, TextTable, begin_table
from autoresearch.fields.spilled import SpilledFrames, nearest_folder
from autoresearch.files import json_text, without_collector
from autoresearch.findings import FindingCounter
from autoresearch.standards.datasets import DATASET_NAME
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.loading import Strict
from autoresearch.standards.mapping import TARGETS, ColumnMapping

PREFIX = "preprocess"
REPORT_NAME = "preprocess_report.json"
ROWS_AT_ONCE = 50_000
"""Rows of a workbook that are cleaned at one time."""


class InputFacts(Strict):
    """What was read: the file's name and hash, never its path."""

    name: str
    sha256: str
    sheet: str | None
    header_row: int
    encoding: str | None
    rows: int


class Ledger(Strict):
    """Where every row went; ``read`` is the sum of the others."""

    read: int
    blank_skipped: int
    no_name_skipped: int
    exact_duplicates: int
    merged_duplicates: int
    written: int


class FindingCount(Strict):
    """One code with its count and the first ten places."""

    code: str
    name: str
    severity: Literal["error", "warning", "note"]
    count: int
    first: tuple[str, ...]


class PreprocessReport(Strict):
    """``preprocess_report.json`` (3.3)."""

    format: Literal["autoresearch-preprocess-v1"] = "autoresearch-preprocess-v1"
    dataset: str
    input: InputFacts
    ledger: Ledger
    labeled: int
    unlabeled: int
    missing: dict[str, int]
    levels: dict[str, int]
    findings: tuple[FindingCount, ...]


@dataclass(frozen=True)
class Processed:
    """The records as columns (those of 3.2, the notes as JSON texts) with ``json``, and the report."""

    dataset: str
    frame: pl.DataFrame
    report: PreprocessReport

    @cached_property
    def content(self) -> bytes:
        """The bytes of the record file."""
        return processed.lines_bytes(self.frame["json"])


def require_dataset_name(dataset: str) -> None:
    """Refuse a dataset name outside ``[a-z][a-z0-9_]{0,31}``."""
    if not DATASET_NAME.fullmatch(dataset):
        raise InputError(f"{PREFIX}: {dataset!r} is no dataset name: a-z first, then a-z 0-9 _, at most 32 characters")


def mapped_frame(table: Table, mapping: ColumnMapping, findings: FindingCounter) -> tuple[pl.DataFrame, Places]:
    """The mapped columns by target (others ``""``), merged ranges filled, numbers and dates as text, and their
    places.
    """
    columns = find_columns(table, mapping, findings)
    report_nameless(table, nameless_with_text(table, table.frame), findings)
    raise_if_errors(findings, PREFIX)
    if table.frame.is_empty():
        refuse_empty(table, "has a header and no data rows", findings)
    findings.extend(delimited.short_rows(table.short_rows, max(columns.values()), table.source))
    fill_merged(table, columns.values(), findings)
    settle_cells(table, columns, findings)
    return targets(table.frame, columns), table.places(columns)


def _clean(
    path: Path, mapping: ColumnMapping, dataset: str, options: Options, frames: Frames
) -> tuple[CleanRows, TableHead]:
    """The first pass over a table; its cleaned batches are laid aside in ``frames``."""
    require_dataset_name(dataset)
    table = begin_table(
        path, sheet=options.sheet, header_row=options.header_row, encoding=options.encoding, delimiter=options.delimiter
    )
    findings = FindingCounter()
    text = MappedText(table, mapping, findings) if isinstance(table, TextTable) else None
    batches: Iterator[pl.DataFrame]
    if text is not None:
        batches, places = (batch for _, batch in text.batches()), text.places
    else:
        assert isinstance(table, Table)
        findings.extend(table.notes)
        frame, places = mapped_frame(table, mapping, findings)
        batches = frame.iter_slices(ROWS_AT_ONCE)
    mapped = [name for name in TARGETS if name in places.columns]
    clean = CleanRows(dataset, mapped, options, places, ColumnFindings(TARGETS, findings), frames)
    with progress.bar(f"{PREFIX}: read", None, "rows") as bar:
        for batch in batches:
            clean.add(batch)
            bar.advance(batch.height)
    if text is not None:
        text.finish(clean.findings)
    if not clean.kept and not clean.findings.errors:
        refuse_empty(table, "has no data rows", clean.findings)
    return clean, table


def _settle(clean: CleanRows) -> RecordRows:
    rows = clean.settle()
    raise_if_errors(clean.findings, PREFIX)
    return rows


@without_collector()
def process(path: Path, mapping: ColumnMapping, dataset: str, options: Options | None = None) -> Processed:
    """All steps of 4.1 without writing. Raises ``InputError`` with every error finding at once."""
    frames: list[pl.DataFrame] = []
    clean, table = _clean(path, mapping, dataset, options or Options(), frames)
    rows = _settle(clean)
    return Processed(dataset, pl.concat(list(rows)), _report(rows, table))


def _report(rows: RecordRows, table: TableHead) -> PreprocessReport:
    """The report of records that were all read."""
    clean, unique = rows.clean, rows.unique
    facts = InputFacts(
        name=table.path.name,
        sha256=table.sha256,
        sheet=table.sheet,
        header_row=table.header_row,
        encoding=table.encoding,
        rows=clean.read,
    )
    ledger = Ledger(
        read=clean.read,
        blank_skipped=clean.blank,
        no_name_skipped=clean.read - clean.blank - clean.kept,
        exact_duplicates=unique.exact,
        merged_duplicates=unique.merged,
        written=rows.written,
    )
    return PreprocessReport(
        dataset=clean.dataset,
        input=facts,
        ledger=ledger,
        labeled=rows.labeled,
        unlabeled=rows.written - rows.labeled,
        missing=dict(rows.missing),
        levels=dict(sorted(rows.levels.items())),
        findings=tuple(FindingCount.model_validate(item) for item in clean.findings.summary()),
    )


def output_file(output: Path) -> Path:
    """The record file that ``--output`` means: itself if it ends in ``.json``, else ``all.json`` in that folder."""
    return output if output.suffix == ".json" else output / "all.json"


def refuse_existing(prefix: str, paths: Sequence[Path], overwrite: bool) -> None:
    """Raise ``RefusedError`` if one of ``paths`` exists and ``overwrite`` was not given."""
    there = [path for path in paths if path.exists()]
    if there and not overwrite:
        raise RefusedError(f"{prefix}: {there[0]} exists; give --overwrite to replace it, or another --output")


def write(done: Processed, output: Path) -> None:
    """Write the record file, then the report beside it."""
    report = json_text(report_json(done.report)).encode("utf-8")
    processed.write_together({output: done.content, output.parent / REPORT_NAME: report})


def report_json(report: Strict) -> dict[str, Any]:
    """A report as the JSON object that is written."""
    return report.model_dump(mode="json")


@without_collector()
def preprocess(
    path: str | Path,
    mapping: str | Path | ColumnMapping,
    output: str | Path,
    dataset: str,
    *,
    options: Options | None = None,
    rewrite_rules: str | Path | None = None,
    grading_config: str | Path | None = None,
    overwrite: bool = False,
) -> PreprocessReport:
    """``data preprocess``: write ``output`` and ``preprocess_report.json`` beside it, and return the report.

    Raises ``InputError`` (nothing is written) or ``RefusedError`` for an existing output.
    """
    target = output_file(Path(output))
    refuse_existing(PREFIX, [target], overwrite)
    options = options or Options()
    if rewrite_rules is not None:
        options = replace(options, rewrite_rules=labels.load_rewrite_rules(Path(rewrite_rules)))
    if grading_config is not None:
        options = replace(options, levels=GradingConfig.from_path(grading_config).levels)
    columns = mapping if isinstance(mapping, ColumnMapping) else ColumnMapping.from_path(mapping)
    frames = SpilledFrames(nearest_folder(target.parent))
    clean, table = _clean(Path(path), columns, dataset, options, frames)
    rows = _settle(clean)
    with processed.Together() as together, progress.bar(f"{PREFIX}: write", clean.kept, "records") as bar:
        file = processed.RecordFile(together.open(target))
        for frame in rows:
            if frame.height:
                file.write(processed.joined_lines(frame["json"]))
            bar.advance(frame.height)
        file.close()
        report = _report(rows, table)
        content = json_text(report_json(report)).encode("utf-8")
        together.open(target.parent / REPORT_NAME).write(content)
    return report
