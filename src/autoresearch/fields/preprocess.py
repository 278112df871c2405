"""A sheet of fields to processed records (data-line.md 4.1): read, map, clean, check, one record a field.

``preprocess`` writes the record file and its report; ``process`` is the same without writing and hands the columns over
in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import polars as pl

from autoresearch.errors import InputError, RefusedError, raise_if_errors
from autoresearch.fields import cleaning, labels, processed
from autoresearch.fields.cells import fill_merged, settle_cells
from autoresearch.fields.columns import find_columns
from autoresearch.fields.duplicates import deduplicate, report_twins
from autoresearch.fields.places import Places
from autoresearch.fields.sheet import Table, open_table
from autoresearch.files import json_text, without_collector
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.datasets import DATASET_NAME
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.loading import Strict
from autoresearch.standards.mapping import LEVEL_FIELDS, TARGETS, ColumnMapping
from autoresearch.standards.task_config import METADATA_FIELDS

PREFIX = "preprocess"
REPORT_NAME = "preprocess_report.json"


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
class Options:
    """How to read a sheet; the defaults are those of the command."""

    sheet: str | None = None
    header_row: int = 1
    encoding: str | None = None
    delimiter: str | None = None
    missing_field_policy: Literal["error", "skip"] = "error"
    control_tokens: cleaning.ControlPolicy = "error"
    strip_trailing_codes: bool = False
    rewrite_rules: Sequence[labels.RewriteRule] = ()
    levels: Sequence[str] = labels.DEFAULT_LEVELS


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
    raise_if_errors(findings, PREFIX)
    if table.frame.is_empty():
        findings.add(
            finding(
                "F004",
                place=table.source,
                rule="has a header and no data rows",
                remedy="give the sheet that holds the fields",
            )
        )
        raise_if_errors(findings, PREFIX)
    last = max(columns.values())
    for line, count in table.short_rows.items():
        if count <= last:
            rule = f"cells; the mapped columns need {last + 1}"
            place = f"{table.source}, line {line}"
            findings.add(
                finding(
                    "F028", place=place, value=str(count), rule=rule, remedy="complete the line, or give --delimiter"
                )
            )
    fill_merged(table, columns.values(), findings)
    settle_cells(table, columns, findings)
    texts = [
        pl.col(f"c{columns[name]}").alias(name) if name in columns else pl.lit("", dtype=pl.String).alias(name)
        for name in TARGETS
    ]
    return table.frame.select("row", *texts), table.places(columns)


@without_collector()
def process(path: Path, mapping: ColumnMapping, dataset: str, options: Options | None = None) -> Processed:
    """All steps of 4.1 without writing. Raises ``InputError`` with every error finding at once."""
    options = options or Options()
    require_dataset_name(dataset)
    table = open_table(
        path, sheet=options.sheet, header_row=options.header_row, encoding=options.encoding, delimiter=options.delimiter
    )
    findings = FindingCounter()
    findings.extend(table.notes)
    frame, places = mapped_frame(table, mapping, findings)
    mapped = [name for name in TARGETS if name in places.columns]
    frame = cleaning.clean_texts(frame, mapped, places, findings)
    read = frame.height
    frame, cleaned = cleaning.settle_control_tokens(frame, mapped, options.control_tokens, places, findings)
    frame, rewritten = labels.rewrite(frame, options.rewrite_rules, places, findings)
    frame, codes = labels.note_codes(frame, LEVEL_FIELDS, options.strip_trailing_codes, places, findings)
    frame = frame.with_columns(
        processed.notes_json(
            codes, read, as_list="stripped_code" if options.strip_trailing_codes else "kept_code"
        ).alias("label_notes"),
        processed.notes_json(rewritten, read).alias("rewritten_from"),
        processed.notes_json({name: texts for name, texts in cleaned.items() if name in METADATA_FIELDS}, read).alias(
            "cleaned_from"
        ),
    )
    frame, blank, nameless = _drop_rows(frame, mapped, options.missing_field_policy, places, findings)
    if frame.is_empty() and not findings.errors:
        findings.add(
            finding("F004", place=table.source, rule="has no data rows", remedy="give the sheet that holds the fields")
        )
    frame = cleaning.normalise_types(frame)
    frame = labels.normalise_levels(frame, options.levels, places, findings)
    frame = frame.with_columns(processed.record_ids(dataset, frame))
    unique = deduplicate(frame, places, findings)
    raise_if_errors(findings, PREFIX)
    report_twins(unique.frame, places, findings)
    cleaning.report_texts(unique.frame, mapped, places, findings)
    done = unique.frame.with_columns(processed.key_text(), processed.label_status())
    done = done.with_columns(processed.json_lines(done))
    facts = InputFacts(
        name=path.name,
        sha256=table.sha256,
        sheet=table.sheet,
        header_row=table.header_row,
        encoding=table.encoding,
        rows=read,
    )
    ledger = Ledger(
        read=read,
        blank_skipped=blank,
        no_name_skipped=nameless,
        exact_duplicates=unique.exact,
        merged_duplicates=unique.merged,
        written=done.height,
    )
    return Processed(dataset, done, _report(dataset, facts, ledger, done, findings))


def _drop_rows(
    frame: pl.DataFrame,
    mapped: Sequence[str],
    policy: Literal["error", "skip"],
    places: Places,
    findings: FindingCounter,
) -> tuple[pl.DataFrame, int, int]:
    """Rows whose mapped cells are all empty are skipped (F015); those without a field name are F011 or skipped."""
    blank = pl.all_horizontal(pl.col(name) == "" for name in mapped)
    nameless = pl.col("field_name") == ""
    if not (frame["field_name"] == "").any():
        return frame, 0, 0
    blanks = places.report(findings, "F015", frame, blank)
    frame = frame.filter(~blank)
    counted = places.report(
        findings,
        "F011",
        frame,
        nameless,
        "field_name",
        rule="the field name is empty",
        remedy="fill it in, or give --missing-field-policy skip",
        severity=None if policy == "error" else "note",
    )
    return frame.filter(~nameless), blanks, counted


def _report(
    dataset: str, facts: InputFacts, ledger: Ledger, done: pl.DataFrame, findings: FindingCounter
) -> PreprocessReport:
    missing = done.select(cleaning.dash_like(name).sum().alias(name) for name in METADATA_FIELDS).row(0, named=True)
    levels = done.filter(pl.col("data_level") != "")["data_level"].value_counts().sort("data_level")
    labeled = int((done["label_status"] == "labeled").sum())
    return PreprocessReport(
        dataset=dataset,
        input=facts,
        ledger=ledger,
        labeled=labeled,
        unlabeled=done.height - labeled,
        missing=missing,
        levels=dict(levels.iter_rows()),
        findings=tuple(FindingCount.model_validate(item) for item in findings.summary()),
    )


def output_file(output: Path) -> Path:
    """The record file that ``--output`` means: itself if it ends in ``.json``, else ``all.json`` in that folder."""
    return output if output.suffix == ".json" else output / "all.json"


def refuse_existing(prefix: str, paths: Sequence[Path], overwrite: bool) -> None:
    """Raise ``RefusedError`` if one of ``paths`` exists and ``overwrite`` was not given."""
    there = [path for path in paths if path.exists()]
    if there and not overwrite:
        raise RefusedError(f"{prefix}: {there[0]} exists; give --overwrite to replace it, or another --output")


def write(done: Processed, output: Path, report_name: str = REPORT_NAME, *, handed_over: bool = True) -> None:
    """Write the record file, then the report beside it. The bytes stay in memory if the records are
    ``handed_over``: who takes them needs their hash.
    """
    report = json_text(report_json(done.report)).encode("utf-8")
    records = done.content if handed_over else done.frame["json"]
    processed.write_together({output: records, output.parent / report_name: report})


def report_json(report: Strict) -> dict[str, Any]:
    """A report as the JSON object that is written."""
    return report.model_dump(mode="json")


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
    done = process(Path(path), columns, dataset, options)
    write(done, target, handed_over=False)
    return done.report
