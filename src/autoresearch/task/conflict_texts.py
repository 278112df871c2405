"""The texts of which the conflict audit takes hashes, column by column (data-line 8.1).

Most texts are printable ASCII and CJK ideographs, which polars brings into their form as Python does; the others go
through Python one by one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from autoresearch.standards.text import comparison_form
from autoresearch.task.prompts import native_user

if TYPE_CHECKING:
    import polars as pl

_NOT_PLAIN = "[^ -~\u4e00-\u9fff]|  |^ | $"
"""What NFKC, white space or case beyond ASCII could change."""
_ESCAPED = r'[\x00-\x1f"\\]'
"""What JSON escapes where non-ASCII is kept."""
_MARK = "\ue000"


@lru_cache(maxsize=65_536)
def _form(text: str) -> str:
    return comparison_form(text)


@lru_cache(maxsize=65_536)
def _spaced_form(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def comparison_forms(texts: pl.Series) -> pl.Series:
    """``comparison_form`` of each text."""
    return _made(texts, texts.str.to_lowercase(), _NOT_PLAIN, _form)


def spaced_forms(texts: pl.Series) -> pl.Series:
    """Each text in NFKC with single spaces, case kept."""
    return _made(texts, texts, _NOT_PLAIN, _spaced_form)


def user_texts(frame: pl.DataFrame, fields: Sequence[str]) -> pl.Series:
    """``native_user`` of each row."""
    import polars as pl

    pieces = native_user(dict.fromkeys(fields, _MARK), fields).split(_MARK)
    parts = [part for piece, name in zip(pieces, fields, strict=False) for part in (pl.lit(piece), pl.col(name))]
    made = frame.select(pl.concat_str(*parts, pl.lit(pieces[-1])).alias("text"))["text"]
    places = frame.select(pl.any_horizontal(pl.col(list(fields)).str.contains(_ESCAPED)).arg_true()).to_series()
    rows = frame.select(fields)[places].iter_rows(named=True)
    return made if places.is_empty() else made.scatter(places, [native_user(row, fields) for row in rows])


def _made(texts: pl.Series, made: pl.Series, beyond: str, make: Callable[[str], str]) -> pl.Series:
    """``made``, and where a text holds a match of ``beyond``, what ``make`` gives of it."""
    places = texts.str.contains(beyond).arg_true()
    return made if places.is_empty() else made.scatter(places, [make(text) for text in texts[places].to_list()])
