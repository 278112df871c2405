"""Cells that hold no text of their own: merged ranges, numbers, dates, booleans, errors, formulas (data-line.md 4.1.1
rows 1, 7, 16-19).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Literal

import polars as pl

from autoresearch.fields.places import Places
from autoresearch.fields.sheet import Table
from autoresearch.fields.xlsx_scan import CellKind
from autoresearch.findings import FindingCounter, finding

DATE_TIME = r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
BROKEN_NUMBER = r"[.eE]|^-0$"
"""A stored number that is not plain digits."""
MIDNIGHT = "00:00:00"
EXCEL_EPOCHS = ("1899-12-30", "1899-12-31", "1904-01-01")
"""Days that a time without a date is given by the reader."""
LOSSY_MAGNITUDE = 2.0**53
TRUE_TEXTS = ("1", "true")
REFUSED: tuple[tuple[CellKind, Literal["F019", "F020"], str, str], ...] = (
    ("no-result", "F019", "is a formula without a stored result", "open and save the file in an office program"),
    ("error", "F020", "is an error cell", "correct its formula or empty it"),
)


def fill_merged(table: Table, columns: Iterable[int], findings: FindingCounter) -> None:
    """Give every cell of a merged range of data rows the upper-left text, in ``columns`` only; note F014 a range."""
    wanted = set(columns)
    fills: dict[int, tuple[list[int], list[str]]] = {}
    first, frame = table.header_row, table.frame
    for span in table.merged:
        top, bottom = span.top, min(span.bottom, first + frame.height - 1)
        hit = [column for column in range(span.left, span.right + 1) if column in wanted]
        if top < first or top > bottom or not hit or f"c{span.left}" not in frame.columns:
            continue
        text = frame[f"c{span.left}"][top - first]
        findings.add(finding("F014", place=f"{table.source}, range {span.reference}"))
        for column in hit:
            rows, texts = fills.setdefault(column, ([], []))
            rows.extend(range(top - first, bottom - first + 1))
            texts.extend([text] * (bottom - top + 1))
    for column, (rows, texts) in fills.items():
        frame = frame.with_columns(frame[f"c{column}"].scatter(rows, pl.Series(texts, dtype=pl.String)))
    table.frame = frame


def settle_cells(table: Table, columns: Mapping[str, int], findings: FindingCounter) -> None:
    """Report cells without a text (F019, F020) and give numbers, dates and booleans theirs, in the mapped ``columns``
    only.
    """
    places = table.places(columns)
    target = {column: name for name, column in columns.items()}
    for kind, code, rule, remedy in REFUSED:
        for column, (rows, raws) in _by_column(table, kind, target).items():
            numbers = [table.header_row + 1 + row for row in rows]
            places.count(findings, code, numbers, len(rows), raws, target[column], rule, remedy)
    for column, (rows, raws) in _by_column(table, "boolean", target).items():
        _put(
            table, column, rows, pl.Series(["TRUE" if raw in TRUE_TEXTS else "FALSE" for raw in raws], dtype=pl.String)
        )
    for column, (rows, raws) in _by_column(table, "number", target).items():
        texts = table.frame[f"c{column}"].gather(rows)
        dates = texts.str.contains(DATE_TIME)
        _report_numbers(table, places, target[column], rows, raws, texts, dates, findings)
        broken = pl.Series(raws).str.contains(BROKEN_NUMBER) & ~dates
        if broken.any():
            settled = zip(raws, texts, broken, strict=True)
            texts = pl.Series([_number_text(raw, text) if own else text for raw, text, own in settled], dtype=pl.String)
        if dates.any():
            texts = _date_texts(texts, dates)
        if dates.any() or broken.any():
            _put(table, column, rows, texts)


def _by_column(table: Table, kind: CellKind, columns: Mapping[int, str]) -> dict[int, tuple[list[int], list[str]]]:
    """Cells of one kind in mapped columns: column → (rows of the frame, raw texts)."""
    found: dict[int, tuple[list[int], list[str]]] = {}
    first, end = table.header_row, table.header_row + table.frame.height
    for row, column, raw in table.kinds.get(kind, []):
        if column in columns and first <= row < end:
            rows, raws = found.setdefault(column, ([], []))
            rows.append(row - first)
            raws.append(raw)
    return found


def _put(table: Table, column: int, rows: list[int], texts: pl.Series) -> None:
    table.frame = table.frame.with_columns(table.frame[f"c{column}"].scatter(rows, texts))


def _report_numbers(
    table: Table,
    places: Places,
    name: str,
    rows: list[int],
    raws: list[str],
    texts: pl.Series,
    dates: pl.Series,
    findings: FindingCounter,
) -> None:
    """Dates: note F022, in the level column error F016. Numbers in text columns: note F021, a warning from 2^53 on."""
    numbers = pl.Series([table.header_row + 1 + row for row in rows])
    dated = numbers.filter(dates).to_list()
    if name == "data_level":
        places.count(
            findings,
            "F016",
            dated,
            len(dated),
            texts.filter(dates).to_list(),
            name,
            "is a date, not a level",
            "correct the cell",
        )
        return
    places.count(findings, "F022", dated, len(dated), [], name)
    lossy = pl.Series(raws).cast(pl.Float64, strict=False).abs().fill_null(0.0) >= LOSSY_MAGNITUDE
    large = numbers.filter(lossy & ~dates).to_list()
    rule = "is a number so large that digits may have been lost"
    places.count(
        findings, "F021", large, len(large), texts.filter(lossy & ~dates).to_list(), name, rule, severity="warning"
    )
    others = numbers.filter(~lossy & ~dates).to_list()
    places.count(findings, "F021", others, len(others), [], name)


def _number_text(raw: str, text: str) -> str:
    """A number as an office program knows it: fifteen digits, here without an exponent. The reader keeps nine decimals.

    ``text`` where the stored text is no finite number.
    """
    try:
        number = Decimal(f"{float(raw):.15g}")
    except ValueError:
        return text
    if not number.is_finite():
        return text
    return format(number.normalize() + 0, "f")  # the sum makes a zero of a negative one


def _date_texts(texts: pl.Series, dates: pl.Series) -> pl.Series:
    """``2024-01-02``, or with a time ``2024-01-02T03:04:05``; a time without a day is the time alone."""
    day, time = pl.col("text").str.head(10), pl.col("text").str.slice(11, 8)
    return (
        pl.DataFrame({"text": texts, "date": dates})
        .select(
            pl.when(~pl.col("date"))
            .then(pl.col("text"))
            .when(day.is_in(EXCEL_EPOCHS) & (time != MIDNIGHT))
            .then(time)
            .when(time == MIDNIGHT)
            .then(day)
            .otherwise(day + "T" + time)
        )
        .to_series()
    )
