"""JSON texts and digests are stable: the same content gives the same bytes (formal-case.md 20.1)."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from autoresearch.files import compact_json, content_digest, json_text, strict_json_loads

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = (
    st.none() | st.booleans() | st.integers(-(1 << 70), 1 << 70) | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    SCALARS | TEXT, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=20
)


def turned(value: Any) -> Any:
    """The same content with the keys of every object in the other order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(list(value))}
    return [turned(each) for each in value] if isinstance(value, list) else value


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_what_is_read_back_is_written_to_the_same_bytes(value: Any) -> None:
    for write in (json_text, compact_json):
        text = write(value)
        assert strict_json_loads(text) == value
        assert write(strict_json_loads(text)) == text
    assert json_text(value).endswith("\n") and json.loads(compact_json(value)) == value


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_a_digest_depends_on_content_and_not_on_the_order_of_keys(value: Any) -> None:
    assert compact_json(turned(value)) == compact_json(value)
    assert content_digest(turned(value)) == content_digest(value) == content_digest(strict_json_loads(json_text(value)))
    assert content_digest([value]) != content_digest(value)
