"""SQL schema files to processed records (data-line.md 4.2). Data statements are cut off unread and only counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import polars as pl

from autoresearch import progress
from autoresearch.errors import InputError, raise_if_errors
from autoresearch.fields import cleaning, ddl_statements, processed, table_file
from autoresearch.fields.catalog import Catalog
from autoresearch.fields.ddl_statements import READ_KINDS, NotUnderstoodError
from autoresearch.fields.duplicates import report_twins
from autoresearch.fields.places import Places
from autoresearch.fields.preprocess import FindingCount, output_file, process, refuse_existing, require_dataset_name
from autoresearch.fields.statements import Dialect, Statement, cut, guess_dialect
from autoresearch.files import json_text, sha256_bytes
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.loading import Strict
from autoresearch.standards.mapping import LEVEL_FIELDS, ColumnMapping
from autoresearch.standards.task_config import METADATA_FIELDS

PREFIX = "import-ddl"
REPORT_NAME = "ddl_import_report.json"
LABEL_COLUMNS = (*LEVEL_FIELDS, "data_level", *processed.NOTES[:2])
HARMLESS_IN_ALTER = ("COMMENT", "COLUMN", "MODIFY", "CHANGE", "RENAME", "DROP")


class DdlFile(Strict):
    """One SQL file that was read."""

    name: str
    sha256: str
    dialect: Dialect
    encoding: str
    statements: int
    skipped: dict[str, int]


class LabelsFile(Strict):
    """The sheet of labels that was joined by identity."""

    name: str
    sha256: str
    rows: int
    matched: int


class DdlReport(Strict):
    """``ddl_import_report.json``."""

    format: Literal["autoresearch-ddl-import-v1"] = "autoresearch-ddl-import-v1"
    dataset: str
    files: tuple[DdlFile, ...]
    tables: int
    columns: int
    commented_tables: int
    commented_columns: int
    skipped: dict[str, int]
    unparsed: int
    lost_tables: int
    labels: LabelsFile | None
    findings: tuple[FindingCount, ...]


class _NamedPlaces(Places):
    """Places whose row text already names file, table and column."""

    def of(self, row: int | str, name: str | None = None) -> str:
        return str(row)


def sql_files(inputs: Sequence[Path]) -> list[tuple[str, Path]]:
    """The files of ``inputs`` with their names; ``*.sql`` of folders in path order. Raises ``InputError``."""
    found: list[tuple[str, Path]] = []
    for item in inputs:
        if item.is_dir():
            found += [(path.relative_to(item).as_posix(), path) for path in sorted(item.rglob("*.sql"))]
        elif item.is_file():
            found.append((item.name, item))
        else:
            raise InputError(f"{PREFIX}: there is no file or folder {item}")
    if not found:
        raise InputError(f"{PREFIX}: no .sql file in {', '.join(item.name for item in inputs) or 'no input'}")
    return found


class _Import:
    """One run: the catalog, the counts and the findings."""

    def __init__(self, database: str | None) -> None:
        self.findings = FindingCounter()
        self.catalog = Catalog(database, self.findings)
        self.unparsed = 0
        self.lost_tables = 0

    def read(self, name: str, path: Path, dialect: Dialect | None, encoding: str | None) -> DdlFile:
        data = path.read_bytes()
        if data.startswith(table_file.LFS_HEAD):
            rule = "this is a Git LFS pointer, not the file it stands for"
            table_file.refuse("F003", path, rule, "run git lfs pull", command=PREFIX)
        text, used = table_file.decode(path, data, encoding, PREFIX)
        language = dialect or guess_dialect(text)
        self.catalog.current_database = ""
        skipped: Counter[str] = Counter()
        count = 0
        for statement in cut(text, language):
            count += 1
            if statement.is_data:
                self.findings.add(finding("F053", place=f"{name}, line {statement.line}"))
                skipped[statement.kind] += 1
            elif statement.kind not in READ_KINDS:
                skipped[statement.kind] += 1
            else:
                self._apply(statement, language, f"{name}, line {statement.line}")
        return DdlFile(
            name=name,
            sha256=sha256_bytes(data),
            dialect=language,
            encoding=used,
            statements=count,
            skipped=dict(sorted(skipped.items())),
        )

    def _apply(self, statement: Statement, dialect: Dialect, place: str) -> None:
        try:
            ddl_statements.apply(ddl_statements.parse(statement, dialect), self.catalog, place)
        except NotUnderstoodError:
            if statement.kind == "ALTER TABLE" and not any(
                word in statement.text.upper() for word in HARMLESS_IN_ALTER
            ):
                return
            if statement.kind == "EXECUTE" and "EXTENDEDPROPERTY" not in statement.text.upper():
                return
            self.unparsed += 1
            self.lost_tables += statement.kind == "CREATE TABLE"
            rule = f"a {statement.kind} statement was not understood and left out"
            self.findings.add(finding("F050", place=place, rule=rule, remedy="check it, or give --dialect"))

    def frame(self) -> pl.DataFrame:
        """All columns of all tables as rows of a processed frame, cleaned (rows 20 to 25 of 4.1.1)."""
        rows = [
            (
                f"{table.place}, table {table.name}, column {column.name}",
                *_texts(table.database, table.name, table.comment, column),
            )
            for table in self.catalog.tables.values()
            for column in table.columns.values()
        ]
        schema = dict.fromkeys(("row", *METADATA_FIELDS), pl.String)
        places = _NamedPlaces("")
        frame = cleaning.clean_texts(
            pl.DataFrame(rows, schema=schema, orient="row"), METADATA_FIELDS, places, self.findings
        )
        frame, _ = cleaning.settle_control_tokens(frame, METADATA_FIELDS, "error", places, self.findings)
        frame = cleaning.normalise_types(frame)
        report_twins(frame, places, self.findings)
        cleaning.report_texts(frame, METADATA_FIELDS, places, self.findings)
        places.report(self.findings, "F052", frame, pl.col("field_description") == "")
        unnamed = pl.col("field_name") == ""
        places.report(self.findings, "F011", frame, unnamed, rule="the name holds no visible sign", remedy="correct it")
        same = pl.struct(processed.IDENTITY).is_duplicated() & ~unnamed
        rule = "is the same name as another column's once white space is one space"
        places.report(self.findings, "F012", frame, same, rule=rule, remedy="rename one of them")
        raise_if_errors(self.findings, PREFIX)
        return frame


def _texts(database: str, table: str, comment: str, column: object) -> tuple[str, ...]:
    name, declared, text = (getattr(column, part) for part in ("name", "type", "comment"))
    return (database, "", table, comment, name, text, declared)


def import_ddl(
    inputs: Sequence[str | Path],
    output: str | Path,
    dataset: str,
    *,
    dialect: Dialect | None = None,
    database: str | None = None,
    labels: str | Path | None = None,
    mapping: str | Path | ColumnMapping | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
) -> DdlReport:
    """``data import-ddl``: write processed records and ``ddl_import_report.json``, and return the report.

    ``lost_tables`` above 0 means that a ``CREATE TABLE`` was not understood (exit 1); the output is written all the
    same.
    Raises ``InputError`` (nothing is written) or ``RefusedError`` for an existing output.
    """
    target = output_file(Path(output))
    refuse_existing(PREFIX, [target], overwrite)
    require_dataset_name(dataset)
    run = _Import(database)
    files = sql_files([Path(item) for item in inputs])
    read: list[DdlFile] = []
    with progress.bar(PREFIX, len(files), "files") as bar:
        for name, path in files:
            read.append(run.read(name, path, dialect, encoding))
            bar.advance(1, name)
    frame = run.frame()
    if frame.is_empty():
        empty = finding(
            "F004",
            place=", ".join(name for name, _ in files),
            rule=f"no table with columns ({run.unparsed} statements were not understood)",
            remedy="give the files that create the tables, or --dialect",
        )
        raise InputError(f"{PREFIX}: {empty.message()}.", [empty])
    frame = frame.with_columns(processed.record_ids(dataset, frame))
    frame, joined = _with_labels(frame, dataset, labels, mapping)
    frame = frame.with_columns(processed.key_text(), processed.label_status())
    skipped: Counter[str] = Counter()
    for item in read:
        skipped.update(item.skipped)
    report = DdlReport(
        dataset=dataset,
        files=tuple(read),
        tables=len(run.catalog.tables),
        columns=frame.height,
        commented_tables=sum(table.comment != "" for table in run.catalog.tables.values()),
        commented_columns=int((frame["field_description"] != "").sum()),
        skipped=dict(sorted(skipped.items())),
        unparsed=run.unparsed,
        lost_tables=run.lost_tables,
        labels=joined,
        findings=tuple(FindingCount.model_validate(item) for item in run.findings.summary()),
    )
    content = json_text(report.model_dump(mode="json")).encode("utf-8")
    processed.write_together({target: processed.json_lines(frame), target.parent / REPORT_NAME: content})
    return report


def _with_labels(
    frame: pl.DataFrame, dataset: str, labels: str | Path | None, mapping: str | Path | ColumnMapping | None
) -> tuple[pl.DataFrame, LabelsFile | None]:
    """Join the labels of a sheet by identity; without one every record is unlabelled."""
    if labels is None:
        empty = [pl.lit("", dtype=pl.String).alias(name) for name in (*LEVEL_FIELDS, "data_level")]
        nothing = [pl.lit(None, dtype=pl.String).alias(name) for name in processed.NOTES]
        return frame.with_columns(*empty, *nothing), None
    if mapping is None:
        raise InputError(f"{PREFIX}: --labels needs --mapping, which says what its columns are")
    columns = mapping if isinstance(mapping, ColumnMapping) else ColumnMapping.from_path(mapping)
    sheet = process(Path(labels), columns, dataset)
    joined = frame.join(sheet.frame.select("id", *LABEL_COLUMNS), on="id", how="left", maintain_order="left")
    filled = [pl.col(name).fill_null("") for name in (*LEVEL_FIELDS, "data_level")]
    done = joined.with_columns(*filled, pl.lit(None, dtype=pl.String).alias("cleaned_from"))
    facts = sheet.report.input
    matched = sheet.frame.join(frame.select("id"), on="id", how="semi").height
    return done, LabelsFile(name=facts.name, sha256=facts.sha256, rows=sheet.frame.height, matched=matched)
