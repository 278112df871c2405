"""Texts that begin alike are encoded and decoded as pyarrow does it, whatever they share."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoresearch.releases.columns import expected_schema, rows_of, table_of
from autoresearch.releases.header import ReleaseHeader
from autoresearch.releases.long_texts import LONG, common_length, text_array, text_list
from autoresearch.releases.release import Release

BEGINNINGS = tuple((word * LONG)[: LONG + 40] for word in ("catalogue|", "目录与分类", "a目𝄞"))
ENDS = st.text(alphabet='ab炉号𝄞\u00e9"\n', max_size=12)
TEXTS = st.one_of(
    st.none(),
    ENDS,
    st.builds(
        lambda begin, cut, end: begin[: len(begin) - cut] + end, st.sampled_from(BEGINNINGS), st.integers(0, 900), ENDS
    ),
)


@settings(max_examples=150, deadline=None)
@given(texts=st.lists(TEXTS, max_size=24), skip=st.integers(0, 3))
def test_arrays_and_lists_equal_those_of_pyarrow(texts: list[str | None], skip: int) -> None:
    plain = pa.array(texts, type=pa.string())
    made = text_array(texts)
    made.validate(full=True)
    assert made.equals(plain)
    assert text_list(plain) == texts
    assert text_list(plain.slice(skip)) == texts[skip:]


def test_more_kinds_of_long_texts_than_are_remembered_stay_right() -> None:
    texts = [f"{number}" * LONG + end for number in range(30) for end in ("x", "y", "")]
    assert text_array(texts).equals(pa.array(texts, type=pa.string()))
    assert text_list(pa.array(texts, type=pa.string())) == texts


@pytest.mark.parametrize(
    ("one", "other", "length"), [("abc", "abd", 2), ("", "a", 0), ("炉号", "炉号x", 2), (b"xy", b"z", 0)]
)
def test_the_common_beginning_is_the_longest(one: str | bytes, other: str | bytes, length: int) -> None:
    assert common_length(one, other) == length


@pytest.mark.parametrize("name", ["search", "three", "pairs", "mixture", "cascade"])
def test_a_table_is_the_one_that_pyarrow_makes_of_the_rows(made: object, name: str) -> None:
    release = Release(made / name)  # type: ignore[operator]  # the session's folder
    header: ReleaseHeader = release.header
    schema = expected_schema(header)
    stored = pq.read_table(release.parquet("train"))
    rows: Sequence[dict[str, object]] = stored.to_pylist()
    assert rows_of(stored) == rows
    assert table_of(rows, schema).equals(pa.Table.from_pylist(rows, schema=schema))
