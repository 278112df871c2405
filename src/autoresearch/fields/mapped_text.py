"""The mapped columns of a CSV or TSV, batch by batch (data-line.md 4.1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

import polars as pl

from autoresearch.errors import raise_if_errors
from autoresearch.fields import delimited
from autoresearch.fields.columns import find_columns, nameless_with_text, report_nameless
from autoresearch.fields.sheet import TableHead, TextTable
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.mapping import TARGETS, ColumnMapping

PREFIX = "preprocess"


def targets(frame: pl.DataFrame, columns: Mapping[str, int]) -> pl.DataFrame:
    """``row`` and a column for each target; those that are not mapped are ``""``."""
    texts = [
        pl.col(f"c{columns[name]}").alias(name) if name in columns else pl.lit("", dtype=pl.String).alias(name)
        for name in TARGETS
    ]
    return frame.select("row", *texts)


def refuse_empty(table: TableHead, rule: str, findings: FindingCounter) -> None:
    """Raise ``InputError`` with F004 and the errors before it."""
    findings.add(finding("F004", place=table.source, rule=rule, remedy="give the sheet that holds the fields"))
    raise_if_errors(findings, PREFIX)


class MappedText:
    """Iterate over the batches, then ``finish``: what is wrong with the lines and the header is told after the last.

    Raises ``InputError`` for headers that are mapped and absent or stand twice.
    """

    def __init__(self, table: TextTable, mapping: ColumnMapping, findings: FindingCounter) -> None:
        self.table = table
        self.columns = find_columns(table, mapping, findings)
        """Target → column."""
        self.places = table.places(self.columns)
        self._findings = findings
        self._nameless: set[int] = set()
        self._read = 0
        if findings.errors:
            deque(table.rows.batches(), maxlen=0)
            self._refuse_long_rows()

    def batches(self, rows_at_once: int = delimited.ROWS_AT_ONCE) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """Each batch as it stands in the file (``row``, ``c0``, ``c1``…) and by target."""
        for batch in self.table.rows.batches(rows_at_once):
            self._nameless |= nameless_with_text(self.table, batch)
            self._read += batch.height
            yield batch, targets(batch, self.columns)

    def finish(self, findings: FindingCounter) -> None:
        """Once all rows are read: raise ``InputError`` for lines with too many cells or a table without rows, and add
        the notes on columns without a header and the errors of short lines to ``findings``.
        """
        self._refuse_long_rows()
        report_nameless(self.table, self._nameless, findings)
        if not self._read:
            refuse_empty(self.table, "has a header and no data rows", findings)
        findings.extend(delimited.short_rows(self.table.rows.short, max(self.columns.values()), self.table.source))

    def _refuse_long_rows(self) -> None:
        """Lines with too many cells and what is wrong with the header. Nothing else is told, as these may have moved
        what the other columns hold.
        """
        self._findings.extend(delimited.long_rows(self.table.rows, self.table.path.name))
        raise_if_errors(self._findings, PREFIX)
