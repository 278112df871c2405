"""Cleaning texts as column expressions (data-line.md 4.1.1 rows 20 to 25), shared by sheets and DDL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

import polars as pl

from autoresearch.fields.places import Places
from autoresearch.findings import FindingCounter
from autoresearch.standards.text import CONTROL_TOKEN, strip_control_tokens

ControlPolicy = Literal["error", "strip"]
INVISIBLE = r"[\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}\x{FEFF}\x00-\x08\x0E-\x1F\x7F-\x{84}\x{86}-\x{9F}]"
WHITE_SPACE = r"\s+"
NEEDS_SPACING = r"[^\S ]|  |^ | $"
DASH_LIKE = r"^(?:[-/\\_.\x{2010}-\x{2015}\x{2212}\x{FF0D}\x{FF0F}]+|无|(?i:null|n/a))$"
LONGEST_TEXT = 2000
STRING_TYPES = (
    "VARCHAR NVARCHAR VARCHAR2 NVARCHAR2 CHAR NCHAR CHARACTER TEXT NTEXT TINYTEXT MEDIUMTEXT LONGTEXT CLOB STRING "
    "UUID ENUM"
)
FIELD_TYPES: dict[str, str] = {
    **dict.fromkeys(STRING_TYPES.split(), "STRING"),
    **dict.fromkeys(("INTEGER", "SERIAL", "BIGSERIAL", "SMALLSERIAL"), "INTEGER"),
    **dict.fromkeys(("DECIMAL", "NUMERIC", "NUMBER", "MONEY"), "DECIMAL"),
    **dict.fromkeys(("FLOAT", "REAL", "DOUBLE"), "FLOAT"),
    **dict.fromkeys(("BOOL", "BOOLEAN", "BIT"), "BOOLEAN"),
    **dict.fromkeys(("DATETIME", "DATETIME2"), "DATETIME"),
    **dict.fromkeys(("JSON", "JSONB"), "JSON"),
    **dict.fromkeys(("BINARY", "VARBINARY", "BYTEA", "IMAGE"), "BINARY"),
}


def clean_texts(frame: pl.DataFrame, columns: Sequence[str], places: Places, findings: FindingCounter) -> pl.DataFrame:
    """Remove invisible characters (note F024), make every white-space run one space and trim, in ``columns``."""
    dirty = frame.select(
        *(pl.col(name).str.contains(INVISIBLE).any().alias(f"i:{name}") for name in columns),
        *(pl.col(name).str.contains(NEEDS_SPACING).any().alias(f"s:{name}") for name in columns),
    ).row(0, named=True)
    changes = []
    for name in columns:
        text = pl.col(name)
        if dirty[f"i:{name}"]:
            places.report(findings, "F024", frame, pl.col(name).str.contains(INVISIBLE), name)
            text = text.str.replace_all(INVISIBLE, "")
        if dirty[f"i:{name}"] or dirty[f"s:{name}"]:
            changes.append(text.str.replace_all(WHITE_SPACE, " ").str.strip_chars(" "))
    return frame.with_columns(changes) if changes else frame


def settle_control_tokens(
    frame: pl.DataFrame, columns: Sequence[str], policy: ControlPolicy, places: Places, findings: FindingCounter
) -> tuple[pl.DataFrame, dict[str, pl.Series]]:
    """Row 23: error F023, or with ``strip`` one space for each token; returns the texts before, by column that
    changed.
    """
    pattern = CONTROL_TOKEN.pattern
    hit = frame.select(pl.col(name).str.contains(pattern).any() for name in columns).row(0, named=True)
    before: dict[str, pl.Series] = {}
    for name in (name for name in columns if hit[name]):
        mask = frame[name].str.contains(pattern)
        stripped = policy == "strip"
        places.report(
            findings,
            "F023",
            frame,
            pl.col(name).str.contains(pattern),
            name,
            rule="" if stripped else "holds a token that steers a chat template",
            remedy="" if stripped else "correct the cell or give --control-tokens strip",
            severity="note" if stripped else None,
            values=not stripped,
        )
        if stripped:
            before[name] = pl.select(pl.when(mask).then(frame[name])).to_series()
            new = [strip_control_tokens(text) if text is not None else None for text in before[name].to_list()]
            frame = frame.with_columns(pl.coalesce(pl.Series(new, dtype=pl.String), pl.col(name)).alias(name))
    return frame, before


def dash_like(name: str) -> pl.Expr:
    """True where the text of ``name`` is empty or says nothing (``-``, ``/``, ``无``, ``null``, ``N/A``, ``——``)."""
    return (pl.col(name) == "") | pl.col(name).str.contains(DASH_LIKE)


def report_texts(frame: pl.DataFrame, columns: Iterable[str], places: Places, findings: FindingCounter) -> None:
    """Warning F027 for texts over 2,000 characters, note F026 for descriptions that are missing or dash-like."""
    for name in columns:
        long = pl.col(name).str.len_chars() > LONGEST_TEXT
        places.report(findings, "F027", frame, long, name, rule=f"a text of over {LONGEST_TEXT} characters was kept")
    places.report(findings, "F026", frame, dash_like("field_description"), "field_description")


def field_type(text: str) -> str:
    """The family of a declared type, by the table of 4.1: ``varchar(32)`` → ``STRING``; unknown ones upper-cased."""
    head = re.split(r"[ (（]", text, maxsplit=1)[0].upper()
    if head in FIELD_TYPES:
        return FIELD_TYPES[head]
    if head.endswith("INT"):
        return "INTEGER"
    if head.startswith("TIMESTAMP"):
        return "DATETIME"
    if head.startswith("BLOB") or head.endswith("BLOB"):
        return "BINARY"
    return head


def normalise_types(frame: pl.DataFrame) -> pl.DataFrame:
    """``field_type`` of every row by ``field_type``; each distinct text is looked at once."""
    known = frame["field_type"].unique().to_list()
    return frame.with_columns(
        pl.col("field_type").replace_strict(known, [field_type(text) for text in known], return_dtype=pl.String)
    )
