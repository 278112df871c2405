"""The tables that SQL statements leave behind, applied in order (data-line.md 4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from autoresearch.findings import FindingCounter, finding

NO_DATABASE = ("", "public", "dbo")
Key = tuple[str, str]


@dataclass(frozen=True)
class Column:
    """One column as last declared; ``type`` is the declared type in upper case."""

    name: str
    type: str
    comment: str = ""


@dataclass
class CatalogTable:
    """One table; columns by case-folded name, in order."""

    database: str
    name: str
    place: str
    comment: str = ""
    columns: dict[str, Column] = field(default_factory=dict)


class Catalog:
    """Tables by (database, name), both case-folded. A column or table is found whatever its case."""

    def __init__(self, database: str | None, findings: FindingCounter) -> None:
        self.fixed_database = database
        self.current_database = ""
        self.findings = findings
        self.tables: dict[Key, CatalogTable] = {}

    def database_of(self, qualifier: str) -> str:
        """``--database``, else the qualifier unless ``public`` or ``dbo``, else the last ``USE``, else ``""``."""
        if self.fixed_database is not None:
            return self.fixed_database
        return qualifier if qualifier.casefold() not in NO_DATABASE else self.current_database

    def key(self, qualifier: str, name: str) -> Key:
        """The key of a table as a statement names it."""
        return (self.database_of(qualifier).casefold(), name.casefold())

    def create(self, qualifier: str, name: str, columns: Iterable[Column], comment: str, place: str) -> CatalogTable:
        """Create a table; the last of two stands (F051 with the columns that differ)."""
        table = CatalogTable(self.database_of(qualifier), name, place, comment)
        for column in columns:
            table.columns[column.name.casefold()] = column
        key = self.key(qualifier, name)
        older = self.tables.pop(key, None)
        if older is not None:
            names = {*older.columns, *table.columns}
            differing = sorted(item for item in names if older.columns.get(item) != table.columns.get(item))
            columns_text = ", ".join(differing) or "none"
            rule = f"was created before in {older.place}; the last stands; differing columns: {columns_text}"
            self.findings.add(finding("F051", place=place, value=name, rule=rule))
        self.tables[key] = table
        return table

    def table(self, qualifier: str, name: str) -> CatalogTable | None:
        """The table a statement names, or None."""
        return self.tables.get(self.key(qualifier, name))

    def drop(self, qualifier: str, name: str) -> None:
        """Forget a table."""
        self.tables.pop(self.key(qualifier, name), None)

    def rename(self, qualifier: str, name: str, new: str) -> None:
        """Rename a table."""
        table = self.tables.pop(self.key(qualifier, name), None)
        if table is not None:
            table.name = new
            self.tables[self.key(qualifier, new)] = table

    def comment_table(self, qualifier: str, name: str, text: str, place: str) -> None:
        """Set the text of a table; F054 when it is unknown."""
        table = self.table(qualifier, name)
        if table is None:
            self._lost(place, name)
        else:
            table.comment = text

    def comment_column(self, qualifier: str, name: str, column: str, text: str, place: str) -> None:
        """Set the text of a column; F054 when table or column is unknown."""
        table = self.table(qualifier, name)
        found = None if table is None else table.columns.get(column.casefold())
        if table is None or found is None:
            self._lost(place, f"{name}.{column}")
        else:
            table.columns[column.casefold()] = Column(found.name, found.type, text)

    def _lost(self, place: str, value: str) -> None:
        rule = "is commented and was not created before"
        self.findings.add(
            finding("F054", place=place, value=value, rule=rule, remedy="give the file that creates it as well")
        )
