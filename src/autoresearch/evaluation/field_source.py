"""Fields to label, read from whatever they came in: a sheet, CSV, DDL or record file (training 10.1).

Nothing is dropped or reordered: each row of the file is one ``SourceRow`` with its cells as they stand and the cleaned
texts that a prompt may show. Rows without a field name are kept and get no prediction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InputError, raise_if_errors
from autoresearch.fields.labels import level_code, split_trailing_code
from autoresearch.files import content_digest, read_json, read_records, sha256_file, strict_json_loads
from autoresearch.findings import FindingCounter
from autoresearch.standards.mapping import LEVEL_FIELDS, ColumnMapping, header_form
from autoresearch.standards.task_config import METADATA_FIELDS
from autoresearch.standards.text import comparison_form

if TYPE_CHECKING:
    from autoresearch.fields.sheet import Table
    from autoresearch.fields.xlsx_scan import MergedRange
    from autoresearch.task.assets import TaskAssets

PREFIX = "predict"
RECORD_COLUMNS = ("database_name", "table_name", "table_description", "field_name", "field_description", "field_type")
IDENTITY = ("database_name", "table_name", "field_name")


@dataclass(frozen=True)
class SourceRow:
    """One row of the input. ``number`` is the row as the user sees it; ``cells`` stand as in the file, typed."""

    number: int
    cells: tuple[Any, ...]
    metadata: Mapping[str, str]
    """The seven texts of 3.2, cleaned; ``field_name`` is ``""`` where there is nothing to predict."""
    label_texts: tuple[str, ...] = ()
    """Level texts from leaf to root, then further names of the leaf, such as its id."""
    level_text: str = ""

    @property
    def identity(self) -> str:
        """Database, table and field name in their comparison form."""
        return "\x1f".join(comparison_form(self.metadata[name]) for name in IDENTITY)


@dataclass(frozen=True)
class FieldTable:
    """All rows of an input in its order, with what stands above and around them."""

    name: str
    sha256: str
    sheet: str
    columns: tuple[str, ...]
    """The header as it stands in the file; the block of predictions goes behind it."""
    rows: tuple[SourceRow, ...]
    above: tuple[tuple[Any, ...], ...] = ()
    """Rows above the header."""
    merged: tuple[MergedRange, ...] = ()
    """Merged ranges with rows counted from 0 in the file."""
    notes: tuple[Mapping[str, Any], ...] = ()
    """Findings of the reading, as in the preprocess report."""
    delimited: bool = field(default=False)

    @cached_property
    def with_name(self) -> tuple[int, ...]:
        """Places of the rows that have a field name."""
        return tuple(place for place, row in enumerate(self.rows) if row.metadata["field_name"])


def read_fields(
    path: Path,
    mapping: Path | None = None,
    *,
    sheet: str | None = None,
    header_row: int = 1,
    encoding: str | None = None,
    limit: int | None = None,
) -> FieldTable:
    """Read ``.xlsx .xlsm .xls .csv .tsv .sql``, a folder of SQL, or a record file (processed or canonical ``.json``).

    Raises ``InputError`` for a file that none of the readers takes, and for headers that name no field.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{PREFIX}: there is no file {path}")
    suffix = ".sql" if path.is_dir() else path.suffix.lower()
    if suffix == ".json":
        table = _from_records(path, _record_list(path))
    elif suffix == ".sql":
        table = _from_ddl(path, encoding)
    else:
        table = _from_sheet(path, mapping, sheet, header_row, encoding)
    if limit is None or limit >= len(table.rows):
        return table
    from dataclasses import replace

    return replace(table, rows=table.rows[: max(limit, 0)], merged=())


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


def _from_sheet(
    path: Path, mapping: Path | None, sheet: str | None, header_row: int, encoding: str | None
) -> FieldTable:
    from autoresearch.fields.cleaning import clean_texts, settle_control_tokens
    from autoresearch.fields.preprocess import mapped_frame
    from autoresearch.fields.sheet import open_table
    from autoresearch.standards.mapping import TARGETS

    table = open_table(path, sheet=sheet, header_row=header_row, encoding=encoding)
    names = [header.text for header in table.headers]
    columns = ColumnMapping.from_path(mapping) if mapping is not None else guess_mapping(names)
    findings = FindingCounter()
    findings.extend(table.notes)
    cells = _typed_cells(path, table)
    frame, places = mapped_frame(table, columns, findings)
    mapped = [name for name in TARGETS if name in places.columns]
    frame = clean_texts(frame, mapped, places, findings)
    frame, _ = settle_control_tokens(frame, mapped, "strip", places, findings)
    raise_if_errors(findings, PREFIX)
    rows = []
    for row in frame.iter_rows(named=True):
        labels = tuple(row[name] for name in reversed(LEVEL_FIELDS) if row[name])
        metadata = {name: row[name] for name in METADATA_FIELDS}
        shown = cells[row["row"] - 1] if row["row"] <= len(cells) else ()
        rows.append(SourceRow(row["row"], shown, metadata, labels, row["data_level"]))
    header = cells[header_row - 1]
    width = max([len(header), *(len(row.cells) for row in rows)])
    texts = tuple("" if value is None else str(value) for value in header) + ("",) * (width - len(header))
    return FieldTable(
        name=path.name,
        sha256=table.sha256,
        sheet=table.sheet or path.stem,
        columns=texts,
        rows=tuple(rows),
        above=tuple(cells[: header_row - 1]),
        merged=tuple(table.merged),
        notes=tuple(findings.summary()),
        delimited=table.sheet is None,
    )


def _typed_cells(path: Path, table: Table) -> list[tuple[Any, ...]]:
    """Every cell from the first row on: text, number, date or boolean in a workbook, text in a CSV."""
    if table.sheet is not None:
        from python_calamine import CalamineWorkbook

        with CalamineWorkbook.from_path(str(path)) as book:
            return [tuple(row) for row in book.get_sheet_by_name(table.sheet).to_python(skip_empty_area=False)]
    last = max(header.column for header in table.headers)
    shown = table.frame.select(f"c{column}" for column in range(last + 1) if f"c{column}" in table.frame.columns)
    header = [tuple(header.text for header in table.headers)]
    numbers = table.frame["row"].to_list()
    cells: list[tuple[Any, ...]] = [()] * (table.header_row - 1) + header
    for number, row in zip(numbers, shown.iter_rows(), strict=True):
        cells.extend([()] * (number - 1 - len(cells)))
        cells.append(row)
    return cells


def _record_list(path: Path) -> list[Any]:
    try:
        data = read_json(path)
        return read_records(path) if isinstance(data, list) else [data]
    except ValueError as error:
        raise InputError(f"{PREFIX}: {error}; give processed or canonical records") from error


def _from_records(path: Path, records: Sequence[Any]) -> FieldTable:
    rows = []
    for number, record in enumerate(records, start=1):
        if not isinstance(record, dict) or not isinstance(record.get("metadata"), dict):
            raise InputError(
                f"{PREFIX}: {path.name}, record {number}: has no metadata; give processed or canonical records"
            )
        metadata = {name: str(record["metadata"].get(name) or "") for name in METADATA_FIELDS}
        classes = record.get("classification") or {}
        target = record.get("target") or {}
        labels = [target.get("category_id"), *(classes.get(name) for name in reversed(LEVEL_FIELDS))]
        rows.append(
            SourceRow(
                number,
                tuple(metadata[name] for name in RECORD_COLUMNS),
                metadata,
                tuple(text for text in labels if text),
                str(record.get("data_level") or ""),
            )
        )
    return FieldTable(path.name, sha256_file(path), path.stem, RECORD_COLUMNS, tuple(rows))


def _from_ddl(path: Path, encoding: str | None) -> FieldTable:
    """The columns of a schema file, or of all schema files in a folder, in the order of their tables."""
    from dataclasses import replace
    from tempfile import TemporaryDirectory

    from autoresearch.fields.ddl import import_ddl

    with TemporaryDirectory(prefix="autoresearch-predict-") as scratch:
        records = Path(scratch) / "all.json"
        report = import_ddl([path], records, "predict", encoding=encoding)
        table = _from_records(records, read_records(records))
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
