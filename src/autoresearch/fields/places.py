"""Where in the user's file a row and a text stand: findings for whole columns without one object a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from autoresearch.fields.xlsx_scan import column_letters
from autoresearch.findings import PLACES_KEPT, Finding, FindingCounter, Severity, finding

VALUE_SHOWN = 80


class ColumnFindings(FindingCounter):
    """Findings of a table that comes in batches. Of each code the first places are kept column by column, in the order
    of ``columns``, as if all rows had come at once; those of ``before`` and those of no column stand first.
    """

    def __init__(self, columns: Sequence[str], before: FindingCounter) -> None:
        super().__init__({}, dict(before.counts))
        self._order: list[str | None] = [None, *columns]
        self._by_column: dict[str, dict[str | None, list[Finding]]] = {}
        for code, items in before.kept.items():
            self._keep(code, None, items)

    def add(self, item: Finding, count: int = 1) -> None:
        """Count ``item``, which is of no column."""
        self.add_in(None, item, count)

    def add_in(self, column: str | None, item: Finding, count: int) -> None:
        """Count ``item`` of one column ``count`` times."""
        self.counts[item.code] = self.counts.get(item.code, 0) + count
        self._keep(item.code, column, [item])

    def _keep(self, code: str, column: str | None, items: Sequence[Finding]) -> None:
        columns = self._by_column.setdefault(code, {})
        places = columns.setdefault(column, [])
        if len(places) < PLACES_KEPT:
            places += items
            ordered = [item for name in self._order for item in columns.get(name, ())]
            self.kept[code] = ordered[:PLACES_KEPT]


@dataclass(frozen=True)
class Places:
    """``columns`` maps a target to its column in the file; ``row_word`` is ``row`` for a workbook, ``line`` for a text
    file.
    """

    source: str
    row_word: str = "row"
    columns: Mapping[str, int] = field(default_factory=dict)

    def of(self, row: int | str, name: str | None = None) -> str:
        """``steel.xlsx, sheet 字段清单, row 37, column K``."""
        column = self.columns.get(name) if name is not None else None
        text = f"{self.source}, {self.row_word} {row}"
        return text if column is None else f"{text}, column {column_letters(column)}"

    def report(
        self,
        findings: FindingCounter,
        code: str,
        frame: pl.DataFrame,
        mask: pl.Expr,
        name: str | None = None,
        *,
        rule: str = "",
        remedy: str = "",
        severity: Severity | None = None,
        values: bool = False,
    ) -> int:
        """Count one finding for each row of ``frame`` where ``mask`` holds; the first ten are named. Returns how
        many.
        """
        columns = ["row", *([name] if values and name is not None else [])]
        hit = frame.filter(mask).select(columns)
        texts = hit[name].head(PLACES_KEPT).to_list() if values and name is not None else [""] * PLACES_KEPT
        self.count(
            findings, code, hit["row"].head(PLACES_KEPT).to_list(), hit.height, texts, name, rule, remedy, severity
        )
        return hit.height

    def count(
        self,
        findings: FindingCounter,
        code: str,
        rows: Sequence[int | str],
        total: int,
        values: Sequence[str],
        name: str | None = None,
        rule: str = "",
        remedy: str = "",
        severity: Severity | None = None,
    ) -> None:
        """Count ``total`` findings of which the first ``rows`` are named."""
        last = min(len(rows), PLACES_KEPT) - 1
        for index, row in enumerate(rows[:PLACES_KEPT]):
            value = values[index] if index < len(values) else ""
            shown = value if len(value) <= VALUE_SHOWN else value[: VALUE_SHOWN - 1] + "…"
            item = finding(code, place=self.of(row, name), value=shown, rule=rule, remedy=remedy, severity=severity)
            count = total - last if index == last else 1
            if isinstance(findings, ColumnFindings):
                findings.add_in(name, item, count)
            else:
                findings.add(item, count)
