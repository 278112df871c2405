"""Fields to label, read from whatever they came in: a sheet, CSV, DDL or record file (training 10.1).

Nothing is dropped or reordered: each row of the file is one ``SourceRow`` with its cells as they stand and the cleaned
texts that a prompt may show. Rows without a field name are kept and get no prediction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InputError, raise_if_errors
from autoresearch.evaluation.field_rows import SheetRows, SourceRow
from autoresearch.fields.labels import level_code, split_trailing_code
from autoresearch.files import content_digest, read_json, read_records, sha256_file, strict_json_loads
from autoresearch.findings import FindingCounter
from autoresearch.standards.mapping import LEVEL_FIELDS, ColumnMapping, header_form
from autoresearch.standards.task_config import METADATA_FIELDS
from autoresearch.standards.text import comparison_form

if TYPE_CHECKING:
    import polars as pl

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
    rows: Sequence[SourceRow]
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
        return tuple(place for place, _ in self.named_rows())

    def named_rows(self) -> Iterator[tuple[int, SourceRow]]:
        """Place and row of each row that has a field name."""
        return ((place, row) for place, row in enumerate(self.rows) if row.metadata["field_name"])


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
    import polars as pl

    from autoresearch.fields.cleaning import clean_texts, settle_control_tokens
    from autoresearch.fields.preprocess import mapped_frame
    from autoresearch.fields.sheet import open_table
    from autoresearch.standards.mapping import TARGETS

    table = open_table(path, sheet=sheet, header_row=header_row, encoding=encoding)
    names = [header.text for header in table.headers]
    columns = ColumnMapping.from_path(mapping) if mapping is not None else guess_mapping(names)
    findings = FindingCounter()
    findings.extend(table.notes)
    frame, places = mapped_frame(table, columns, findings)
    mapped = [name for name in TARGETS if name in places.columns]
    frame = clean_texts(frame, mapped, places, findings)
    frame, _ = settle_control_tokens(frame, mapped, "strip", places, findings)
    raise_if_errors(findings, PREFIX)
    cells = _cells(path, table, frame, header_row)
    header, shown = cells
    width = max(len(header), shown.width if isinstance(shown, pl.DataFrame) else max(map(len, shown), default=0))
    texts = tuple("" if value is None else str(value) for value in header) + ("",) * (width - len(header))
    return FieldTable(
        name=path.name,
        sha256=table.sha256,
        sheet=table.sheet or path.stem,
        columns=texts,
        rows=SheetRows(frame, shown),
        above=() if isinstance(shown, pl.DataFrame) else tuple(shown[: header_row - 1]),
        merged=tuple(table.merged),
        notes=tuple(findings.summary()),
        delimited=table.sheet is None,
    )


def _cells(
    path: Path, table: Table, frame: pl.DataFrame, header_row: int
) -> tuple[tuple[Any, ...], pl.DataFrame | list[tuple[Any, ...]]]:
    """The header, and the cells of the rows of ``frame``: typed ones by row number in a workbook (text, number, date,
    boolean), texts as a frame of the same height in a CSV.
    """
    import polars as pl

    if table.sheet is not None:
        from python_calamine import CalamineWorkbook

        with CalamineWorkbook.from_path(str(path)) as book:
            typed = [tuple(row) for row in book.get_sheet_by_name(table.sheet).to_python(skip_empty_area=False)]
        return typed[header_row - 1], typed
    last = max(header.column for header in table.headers)
    names = [f"c{column}" for column in range(last + 1) if f"c{column}" in table.frame.columns]
    shown = table.frame.select("row", *names)
    if not shown["row"].equals(frame["row"].cast(shown["row"].dtype)):
        own = frame.select(pl.col("row").cast(shown["row"].dtype))
        shown = own.join(shown, on="row", how="left", maintain_order="left")
    return tuple(header.text for header in table.headers), shown.select(names)


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
