"""Finding the mapped columns of a table by their headers (data-line.md 4.1.1 rows 2, 11 to 13)."""

from __future__ import annotations

from collections import defaultdict

import polars as pl

from autoresearch.fields.sheet import Header, Table
from autoresearch.fields.xlsx_scan import column_letters
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.mapping import ColumnMapping

NEAREST = 3


def find_columns(table: Table, mapping: ColumnMapping, findings: FindingCounter) -> dict[str, int]:
    """Target → column. Adds F007 for an absent header, F008 for one that stands twice, F009 for a column without a
    header.
    """
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
        if not name:
            for header in headers:
                if table.frame.select((pl.col(f"c{header.column}").str.strip_chars() != "").any()).item():
                    findings.add(finding("F009", place=f"{table.source}, column {column_letters(header.column)}"))
        elif len(headers) > 1:
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


def _report_absent(table: Table, name: str, present: list[str], findings: FindingCounter) -> None:
    from rapidfuzz import process

    near = [text for text, _, _ in process.extract(name, present, limit=NEAREST)]
    rule = (
        f"is mapped and is no header of row {table.header_row}; the nearest are {', '.join(near)}"
        if near
        else "is mapped; there are no headers"
    )
    remedy = "correct the mapping, or give --sheet or --header-row"
    findings.add(finding("F007", place=table.source, value=name, rule=rule, remedy=remedy))
