"""The audit's texts, made column by column, are those of the builders that work text by text."""

from __future__ import annotations

import unicodedata

import polars as pl
from hypothesis import example, given
from hypothesis import strategies as st

from autoresearch.standards.text import comparison_form
from autoresearch.task.conflict_texts import comparison_forms, spaced_forms, user_texts
from autoresearch.task.prompts import native_user

FIELDS = ("field_name", "table_name")
AWKWARD = [
    " A  b ",
    "ＡＢ",
    "ẞtraße",
    "Σίγμας",
    "e\u0301",
    "\u00a0x",
    'say "no"',
    "back\\slash",
    "a\tb\n",
    "\x7f\x1f",
    "炉号",
    "",
]
TEXTS = st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), min_size=1, max_size=6)


@example([(one, other) for one in AWKWARD for other in AWKWARD])
@given(TEXTS)
def test_columns_give_what_single_texts_give(rows: list[tuple[str, str]]) -> None:
    frame = pl.DataFrame(rows, schema=dict.fromkeys(FIELDS, pl.String), orient="row")
    names, tables = zip(*rows, strict=True)
    assert comparison_forms(frame["field_name"]).to_list() == [comparison_form(text) for text in names]
    assert spaced_forms(frame["table_name"]).to_list() == [
        " ".join(unicodedata.normalize("NFKC", text).split()) for text in tables
    ]
    assert user_texts(frame, FIELDS).to_list() == [
        native_user(dict(zip(FIELDS, row, strict=True)), FIELDS) for row in rows
    ]
