"""Finding the mapped columns of a table by their headers (data-line.md 4.1.1 rows 2, 11 to 13)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import polars as pl

from autoresearch.fields.sheet import Header, TableHead
from autoresearch.fields.xlsx_scan import column_letters
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.mapping import ColumnMapping

NEAREST = 3
SHOWN = 40
"""Characters of a header that a message shows: a quote that is not closed makes a header of half a file."""


def find_columns(table: TableHead, mapping: ColumnMapping, findings: FindingCounter) -> dict[str, int]:
    """Target → column. Adds F007 for an absent header, F008 for one that stands twice."""
    by_name: dict[str, list[Header]] = defaultdict(list)
    for header in table.headers:
        by_name[header.name].append(header)
    found: dict[str, int] = {}
    for name, target in mapping.columns.items():
        headers = by_name.get(name, [])
        if headers:
            found[target] = headers[0].column
        else:
            _report_absent(table, name, [text for text in by_name if text], findings)
    for name, headers in by_name.items():
        cells = " and ".join(f"{column_letters(header.column)}{table.header_row}" for header in headers)
        if name and len(headers) > 1:
            mapped = name in mapping.columns
            findings.add(
                finding(
                    "F008",
                    place=f"{table.source}, cells {cells}",
                    value=headers[0].text.strip(),
                    rule="is the header of two columns, and it is mapped" if mapped else "is the header of two columns",
                    remedy="rename one of them" if mapped else "",
                    severity=None if mapped else "note",
                )
            )
    return found


def nameless_with_text(table: TableHead, frame: pl.DataFrame) -> set[int]:
    """The columns without a header that hold a text in ``frame``."""
    nameless = [header.column for header in table.headers if not header.name]
    return {column for column in nameless if frame.select((pl.col(f"c{column}").str.strip_chars() != "").any()).item()}


def report_nameless(table: TableHead, columns: Iterable[int], findings: FindingCounter) -> None:
    """Note F009 for each of ``columns``: they hold texts and have no header."""
    for column in sorted(columns):
        findings.add(finding("F009", place=f"{table.source}, column {column_letters(column)}"))


def _report_absent(table: TableHead, name: str, present: list[str], findings: FindingCounter) -> None:
    from rapidfuzz import process

    near = [" ".join(text.split())[:SHOWN] for text, _, _ in process.extract(name, present, limit=NEAREST)]
    rule = (
        f"is mapped and is no header of row {table.header_row}; the nearest are {', '.join(near)}"
        if near
        else "is mapped; there are no headers"
    )
    remedy = "correct the mapping, or give --sheet or --header-row"
    findings.add(finding("F007", place=table.source, value=name, rule=rule, remedy=remedy))
