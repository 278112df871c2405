"""Fields to label, read from whatever they came in: a sheet, CSV, DDL or record file (training 10.1).

Nothing is dropped or reordered: each row of the file is one ``SourceRow`` with its cells as they stand and the cleaned
texts that a prompt may show. Rows without a field name are kept and get no prediction.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InputError, raise_if_errors
from autoresearch.evaluation.field_rows import LABELS, PIECE, SourceRow, StoredRows
from autoresearch.fields.cleaning import clean_texts, settle_control_tokens
from autoresearch.fields.labels import level_code, split_trailing_code
from autoresearch.fields.mapped_text import MappedText
from autoresearch.fields.places import ColumnFindings
from autoresearch.fields.sheet import TextTable, begin_table
from autoresearch.fields.table_file import HEAD_BYTES
from autoresearch.files import content_digest, read_json, sha256_file, stream_records, strict_json_loads
from autoresearch.findings import FindingCounter
from autoresearch.standards.mapping import LEVEL_FIELDS, TARGETS, ColumnMapping, header_form
from autoresearch.standards.task_config import METADATA_FIELDS
from autoresearch.standards.text import comparison_form

if TYPE_CHECKING:
    import polars as pl

    from autoresearch.fields.places import Places
    from autoresearch.fields.sheet import Table
    from autoresearch.fields.xlsx_scan import MergedRange
    from autoresearch.task.assets import TaskAssets

PREFIX = "predict"
RECORD_COLUMNS = ("database_name", "table_name", "table_description", "field_name", "field_description", "field_type")


@dataclass(frozen=True)
class FieldTable:
    """All rows of an input in its order, with what stands above and around them."""

    name: str
    sha256: str
    sheet: str
    columns: tuple[str, ...]
    """The header as it stands in the file; the block of predictions goes behind it."""
    rows: StoredRows
    above: tuple[tuple[Any, ...], ...] = ()
    """Rows above the header."""
    merged: tuple[MergedRange, ...] = ()
    """Merged ranges with rows counted from 0 in the file."""
    notes: tuple[Mapping[str, Any], ...] = ()
    """Findings of the reading, as in the preprocess report."""


def read_fields(
    path: Path,
    mapping: Path | None = None,
    *,
    sheet: str | None = None,
    header_row: int = 1,
    encoding: str | None = None,
    limit: int | None = None,
    scratch: Path | None = None,
) -> FieldTable:
    """Read ``.xlsx .xlsm .xls .csv .tsv .sql``, a folder of SQL, or a record file (processed or canonical ``.json``).

    The rows lie in unnamed files in the folder ``scratch`` (default: the system's folder for temporary files).
    Raises ``InputError`` for a file that none of the readers takes, and for headers that name no field.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{PREFIX}: there is no file {path}")
    suffix = ".sql" if path.is_dir() else path.suffix.lower()
    rows = StoredRows(scratch)
    if suffix == ".json":
        table = _from_records(path, _records(path), rows)
    elif suffix == ".sql":
        table = _from_ddl(path, encoding, rows)
    else:
        begun = begin_table(path, sheet=sheet, header_row=header_row, encoding=encoding)
        given = None if mapping is None else ColumnMapping.from_path(mapping)
        columns = given or guess_mapping([header.text for header in begun.headers])
        table = _from_text(begun, columns, rows) if isinstance(begun, TextTable) else _from_book(begun, columns, rows)
    if limit is None or limit >= len(rows):
        return table
    rows.keep(limit)
    return replace(table, merged=())


def guess_mapping(headers: Sequence[str]) -> ColumnMapping:
    """The mapping of headers that have a usual name. Raises ``InputError`` when none of them is a field's name."""
    text = resources.files("autoresearch.evaluation").joinpath("header_aliases.json").read_text(encoding="utf-8")
    aliases = {
        header_form(name).casefold(): target for target, names in strict_json_loads(text).items() for name in names
    }
    found: dict[str, str] = {}
    for header in headers:
        target = aliases.get(header_form(header).casefold())
        if target is not None and target not in found.values():
            found[header_form(header)] = target
    if "field_name" not in found.values():
        shown = ", ".join(header for header in headers if header.strip()) or "none"
        raise InputError(
            f"{PREFIX}: no column is known to hold field names (headers: {shown}); "
            'give --mapping FILE with {"your header": "field_name", …}'
        )
    return ColumnMapping(found)


def _from_text(table: TextTable, mapping: ColumnMapping, rows: StoredRows) -> FieldTable:
    """Rows of a CSV or TSV, read a piece at a time; their cells are texts."""
    before = FindingCounter()
    text = MappedText(table, mapping, before)
    findings = ColumnFindings(TARGETS, before)
    names = [f"c{column}" for column in range(len(table.headers))]
    for batch, frame in text.batches(PIECE):
        rows.append(_cleaned(frame, text.places, findings))
        rows.append_cells(batch.select(names))
    text.finish(findings)
    raise_if_errors(findings, PREFIX)
    return FieldTable(
        name=table.path.name,
        sha256=table.sha256,
        sheet=table.path.stem,
        columns=tuple(header.text for header in table.headers),
        rows=rows,
        notes=tuple(findings.summary()),
    )


def _from_book(table: Table, mapping: ColumnMapping, rows: StoredRows) -> FieldTable:
    """Rows of a workbook; their cells have types (text, number, date, boolean)."""
    from autoresearch.fields.preprocess import mapped_frame

    findings = FindingCounter()
    findings.extend(table.notes)
    frame, places = mapped_frame(table, mapping, findings)
    for piece in _cleaned(frame, places, findings).iter_slices(PIECE):
        rows.append(piece)
    del frame
    table.frame = table.frame.clear()  # before the workbook is read once more, for the types of its cells
    table.kinds.clear()
    raise_if_errors(findings, PREFIX)
    typed = TypedCells(table.path, table.sheet or "")
    cells = iter(typed)
    above = tuple(islice(cells, table.header_row - 1))
    header = next(cells)
    rows.append_typed(cells)
    texts = tuple("" if value is None else str(value) for value in header) + ("",) * (typed.width - len(header))
    return FieldTable(
        name=table.path.name,
        sha256=table.sha256,
        sheet=table.sheet or table.path.stem,
        columns=texts,
        rows=rows,
        above=above,
        merged=tuple(table.merged),
        notes=tuple(findings.summary()),
    )


def _cleaned(frame: pl.DataFrame, places: Places, findings: FindingCounter) -> pl.DataFrame:
    mapped = [name for name in TARGETS if name in places.columns]
    frame = clean_texts(frame, mapped, places, findings)
    return settle_control_tokens(frame, mapped, "strip", places, findings)[0]


class TypedCells:
    """The rows of a worksheet as tuples of typed cells, absent ones ``""``; all are ``width`` long."""

    def __init__(self, path: Path, sheet: str) -> None:
        self._path, self._sheet = path, sheet
        self.width = 0

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        from python_calamine import CalamineWorkbook

        with CalamineWorkbook.from_path(str(self._path)) as book:
            page = book.get_sheet_by_name(self._sheet)
            left = ("",) * (page.start[1] if page.start else 0)
            self.width = len(left) + page.width
            for row in page.iter_rows():
                yield (*left, *row)


def _records(path: Path) -> Iterator[Any]:
    """The records of a file one by one, or the one that it holds."""
    try:
        with path.open("rb") as handle:
            listed = handle.read(HEAD_BYTES).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")
        data = stream_records(path) if listed else read_json(path)
        yield from data if listed or isinstance(data, list) else [data]
    except ValueError as error:
        raise InputError(f"{PREFIX}: {error}; give processed or canonical records") from error


def _from_records(path: Path, records: Iterator[Any], rows: StoredRows) -> FieldTable:
    import polars as pl

    shown = {f"c{place}": pl.col(name) for place, name in enumerate(RECORD_COLUMNS)}
    numbered = enumerate(records, start=1)
    schema = {"row": pl.Int64, **dict.fromkeys((*METADATA_FIELDS, *LABELS, "data_level"), pl.String)}
    while piece := [_record_row(path, number, record) for number, record in islice(numbered, PIECE)]:
        frame = pl.DataFrame(piece, schema=schema, orient="row")
        rows.append(frame)
        rows.append_cells(frame.select(**shown))
    return FieldTable(path.name, sha256_file(path), path.stem, RECORD_COLUMNS, rows)


def _record_row(path: Path, number: int, record: Any) -> tuple[Any, ...]:
    """Number, metadata, id of the leaf, levels from leaf to root, and level."""
    if not isinstance(record, dict) or not isinstance(record.get("metadata"), dict):
        raise InputError(
            f"{PREFIX}: {path.name}, record {number}: has no metadata; give processed or canonical records"
        )
    classes, target = record.get("classification") or {}, record.get("target") or {}
    labels = [target.get("category_id"), *(classes.get(name) for name in reversed(LEVEL_FIELDS))]
    texts = [*(record["metadata"].get(name) for name in METADATA_FIELDS), *labels, record.get("data_level")]
    return (number, *(str(text or "") for text in texts))


def _from_ddl(path: Path, encoding: str | None, rows: StoredRows) -> FieldTable:
    """The columns of a schema file, or of all schema files in a folder, in the order of their tables."""
    from tempfile import TemporaryDirectory

    from autoresearch.fields.ddl import import_ddl

    with TemporaryDirectory(prefix="autoresearch-predict-") as scratch:
        records = Path(scratch) / "all.json"
        report = import_ddl([path], records, "predict", encoding=encoding)
        table = _from_records(records, stream_records(records), rows)
    digest = report.files[0].sha256 if len(report.files) == 1 else content_digest([f.sha256 for f in report.files])
    notes = tuple(item.model_dump(mode="json") for item in report.findings)
    return replace(table, name=path.name, sha256=digest, sheet=path.stem, notes=notes)


def resolve_label(row: SourceRow, assets: TaskAssets, names: Mapping[str, str]) -> tuple[str | None, str]:
    """(category id, level) of a row's own label; None where it has none or the standard does not know it.

    ``names`` is ``leaf_names`` of the same assets. The level is ``""`` where there is none or no standard names it.
    """
    category_id = None
    for text in row.label_texts:
        plain, code = split_trailing_code(text)
        category_id = names.get(comparison_form(text)) or names.get(comparison_form(plain))
        category_id = category_id or (names.get(comparison_form(code)) if code else None)
        if category_id is not None:
            break
    if not assets.levels:
        return category_id, row.level_text
    return category_id, level_code(row.level_text, assets.levels) or ""


def leaf_names(assets: TaskAssets) -> dict[str, str]:
    """Comparison form → category id, for ids, codes, display names and those leaf names that one leaf has alone."""
    registry = assets.registry
    names: dict[str, str] = {}
    twice: set[str] = set()
    for leaf in registry.leaves:
        form = comparison_form(leaf.name)
        twice |= {form} & names.keys()
        names[form] = leaf.category_id
    for form in twice:
        del names[form]
    for leaf in registry.leaves:
        for text in (registry.display_name(leaf.category_id), leaf.code, leaf.category_id):
            if text:
                names[comparison_form(text)] = leaf.category_id
    return names
