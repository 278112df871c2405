"""What one parsed statement does to the catalog; the only module that knows sqlglot's classes (data-line.md 4.2)."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from autoresearch.fields.catalog import Catalog, CatalogTable, Column
from autoresearch.fields.statements import Dialect, Statement

if TYPE_CHECKING:
    from sqlglot import exp

PROPERTY_PROCEDURES = ("sp_addextendedproperty", "sp_updateextendedproperty")
PROPERTY_ARGUMENTS = (
    "name",
    "value",
    "level0type",
    "level0name",
    "level1type",
    "level1name",
    "level2type",
    "level2name",
)
DESCRIPTION = "ms_description"
UNSIGNED = {"UDECIMAL": "DECIMAL", "UDOUBLE": "DOUBLE", "UFLOAT": "FLOAT"}
STORAGE_WORDS = ("SPARSE", "ROWGUIDCOL", "HIDDEN", "PERSISTED")
READ_KINDS = (
    "CREATE TABLE",
    "CREATE DATABASE",
    "CREATE SCHEMA",
    "ALTER TABLE",
    "DROP TABLE",
    "COMMENT ON",
    "USE",
    "EXECUTE",
)


class NotUnderstoodError(ValueError):
    """The parser did not understand a statement. Carries no text of it."""


def parse(statement: Statement, dialect: Dialect) -> exp.Expr:
    """Parse one statement with sqlglot. Raises ``NotUnderstoodError``."""
    import sqlglot
    from sqlglot import exp

    text = statement.text
    if (
        statement.words[0] == "COMMENT" and text[-4:].upper() == "NULL"
    ):  # IS NULL removes a comment; the parser wants a text
        text = text[:-4] + "''"
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.CRITICAL)  # its warnings quote the statement
    retry = dialect == "tsql" and statement.kind == "CREATE TABLE"
    try:
        parsed: Any
        try:
            parsed = sqlglot.parse_one(text, read=dialect)
        except sqlglot.errors.ParseError:
            if not retry:
                raise
            parsed = _parse_columns(text)
        if retry and isinstance(parsed, exp.Command):
            parsed = _parse_columns(text)
    except Exception as error:  # whatever somebody else's parser makes of any text
        raise NotUnderstoodError(type(error).__name__) from None
    finally:
        logger.setLevel(level)
    if not isinstance(parsed, exp.Expr) or isinstance(parsed, exp.Command):
        raise NotUnderstoodError("Command")
    return parsed


def _parse_columns(text: str) -> Any:
    """Parse a T-SQL ``CREATE TABLE`` without what the parser does not know: column storage words and the clauses after
    its columns.
    """
    from sqlglot.dialects.dialect import Dialect as Language
    from sqlglot.tokens import TokenType

    language = Language.get_or_raise("tsql")
    kept = []
    depth = 0
    for token in language.tokenize(text):
        if token.token_type == TokenType.VAR and token.text.upper() in STORAGE_WORDS:
            continue
        kept.append(token)
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if token.token_type == TokenType.R_PAREN and depth == 0:
            break
    return language.parser().parse(kept, text)[0]


def apply(parsed: exp.Expr, catalog: Catalog, place: str) -> None:
    """Apply one parsed statement to ``catalog``; ``place`` names file and line."""
    from sqlglot import exp

    if isinstance(parsed, exp.Create):
        if parsed.kind in ("DATABASE",):
            catalog.current_database = _named(parsed.this).name
        elif parsed.kind == "TABLE":
            _create(parsed, catalog, place)
    elif isinstance(parsed, exp.Alter):
        _alter(parsed, catalog, place)
    elif isinstance(parsed, exp.Drop) and parsed.args.get("kind") == "TABLE":
        for table in parsed.args.get("tables") or []:
            catalog.drop(_qualifier(table), table.name)
    elif isinstance(parsed, exp.Comment):
        _comment(parsed, catalog, place)
    elif isinstance(parsed, exp.Use):
        catalog.current_database = _named(parsed.this).name
    elif isinstance(parsed, exp.Execute):
        _execute(parsed, catalog, place)


def _named(node: Any) -> Any:
    """A table or column name. Raises ``NotUnderstoodError`` where the parser saw something else, as in ``[t]`` outside
    T-SQL.
    """
    from sqlglot import exp

    if not isinstance(node, exp.Table | exp.Column) or not node.name:
        raise NotUnderstoodError(type(node).__name__)
    return node


def _qualifier(table: Any) -> str:
    """The database or schema that a table name carries, ``""`` if none. Raises ``NotUnderstoodError``."""
    return str(_named(table).catalog or table.db or "")


def _text(node: Any) -> str:
    """The text of a string literal, ``N'…'`` included."""
    return "" if node is None else str(node.name)


def column(definition: exp.ColumnDef) -> Column:
    """A column definition as name, declared type and comment."""
    from sqlglot import exp

    kind = definition.args.get("kind")
    declared = ""
    if isinstance(kind, exp.DataType):
        declared = kind.this.value if kind.this != exp.DataType.Type.USERDEFINED else str(kind.args.get("kind") or "")
    elif kind is not None:
        declared = str(kind.name)
    comment = ""
    for constraint in definition.args.get("constraints") or []:
        if isinstance(constraint.args.get("kind"), exp.CommentColumnConstraint):
            comment = _text(constraint.args["kind"].this)
    declared = declared.upper()
    return Column(definition.name, UNSIGNED.get(declared, declared), comment)


def _create(parsed: exp.Create, catalog: Catalog, place: str) -> None:
    from sqlglot import exp

    schema = parsed.this
    table = schema.this if isinstance(schema, exp.Schema) else schema
    columns: list[Column] = []
    comment = ""
    properties = parsed.args.get("properties")
    listed = list(properties.expressions) if properties is not None else []
    for item in listed:
        if isinstance(item, exp.SchemaCommentProperty):
            comment = _text(item.this)
        elif isinstance(item, exp.InheritsProperty):
            for parent in item.expressions:
                columns += _copied(catalog, parent)
        elif isinstance(item, exp.LikeProperty):
            columns += _copied(catalog, item.this)
    for item in schema.expressions if isinstance(schema, exp.Schema) else []:
        if isinstance(item, exp.ColumnDef):
            columns.append(column(item))
        elif isinstance(item, exp.LikeProperty):
            columns += _copied(catalog, item.this)
    if columns:
        catalog.create(_qualifier(table), table.name, columns, comment, place)


def _copied(catalog: Catalog, table: Any) -> list[Column]:
    found = catalog.table(_qualifier(table), table.name)
    return [] if found is None else list(found.columns.values())


def _alter(parsed: exp.Alter, catalog: Catalog, place: str) -> None:
    from sqlglot import exp

    if parsed.args.get("kind") != "TABLE":
        return
    named = parsed.this
    table = catalog.table(_qualifier(named), named.name)
    for option in parsed.args.get("options") or []:
        if isinstance(option, exp.SchemaCommentProperty):
            catalog.comment_table(_qualifier(named), named.name, _text(option.this), place)
    for action in parsed.args.get("actions") or []:
        if isinstance(action, exp.SchemaCommentProperty):
            catalog.comment_table(_qualifier(named), named.name, _text(action.this), place)
        elif isinstance(action, exp.AlterRename):
            catalog.rename(_qualifier(named), named.name, action.this.name)
        elif table is not None:
            _alter_column(action, table)
        elif isinstance(action, exp.ColumnDef | exp.ModifyColumn):
            catalog.comment_table(_qualifier(named), named.name, "", place)  # reports the unknown table


def _alter_column(action: exp.Expr, table: CatalogTable) -> None:
    from sqlglot import exp

    if isinstance(action, exp.ColumnDef):
        table.columns[action.name.casefold()] = column(action)
    elif isinstance(action, exp.Schema):
        for item in action.expressions:
            _alter_column(item, table)
    elif isinstance(action, exp.ModifyColumn):
        new, old = column(action.this), action.args.get("rename_from")
        _replace(table, old.name if old is not None else new.name, new)
    elif isinstance(action, exp.RenameColumn):
        before = table.columns.get(action.this.name.casefold())
        if before is not None:
            _replace(table, before.name, Column(action.args["to"].name, before.type, before.comment))
    elif isinstance(action, exp.AlterColumn):
        before = table.columns.get(action.this.name.casefold())
        kind = action.args.get("dtype")
        if before is not None and isinstance(kind, exp.DataType):
            table.columns[action.this.name.casefold()] = Column(
                before.name, str(kind.this.value).upper(), before.comment
            )
    elif isinstance(action, exp.Drop) and action.args.get("kind") == "COLUMN":
        for item in action.args.get("tables") or []:
            table.columns.pop(item.name.casefold(), None)


def _replace(table: CatalogTable, old: str, new: Column) -> None:
    """Put ``new`` where ``old`` stood, at the end if it was not there."""
    renamed = {(new.name.casefold() if key == old.casefold() else key): item for key, item in table.columns.items()}
    renamed[new.name.casefold()] = new
    table.columns = renamed


def _comment(parsed: exp.Comment, catalog: Catalog, place: str) -> None:
    kind, named, text = parsed.args.get("kind"), parsed.this, _text(parsed.args.get("expression"))
    if kind == "TABLE":
        catalog.comment_table(_qualifier(named), named.name, text, place)
    elif kind == "COLUMN":
        catalog.comment_column(_qualifier(named), named.table, named.name, text, place)


def _execute(parsed: exp.Execute, catalog: Catalog, place: str) -> None:
    """``sp_addextendedproperty`` and ``sp_updateextendedproperty`` with ``MS_Description``, arguments by name or by
    position.
    """
    from sqlglot import exp

    if parsed.this.name.lower() not in PROPERTY_PROCEDURES:
        return
    given: dict[str, str] = {}
    for position, item in enumerate(parsed.expressions):
        if isinstance(item, exp.EQ):
            given[item.this.name.lstrip("@").lower()] = _text(item.expression)
        elif position < len(PROPERTY_ARGUMENTS):
            given[PROPERTY_ARGUMENTS[position]] = _text(item)
    if given.get("name", "").lower() != DESCRIPTION or given.get("level1type", "").upper() != "TABLE":
        return
    schema, table, text = given.get("level0name", ""), given.get("level1name", ""), given.get("value", "")
    if given.get("level2type", "").upper() == "COLUMN":
        catalog.comment_column(schema, table, given.get("level2name", ""), text, place)
    elif not given.get("level2name"):
        catalog.comment_table(schema, table, text, place)
