"""What the fuzz tests share: how many examples, JSON of any shape, and what a refusal must look like."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from autoresearch.errors import InputError

VARIABLE = "AUTORESEARCH_FUZZ_EXAMPLES"
ASKED = os.environ.get(VARIABLE)
CODE = re.compile(r"\b[FRA]\d{3} [a-z0-9-]+")
Made = TypeVar("Made")


def fuzz(examples: int = 200) -> settings:
    """``examples`` fixed ones in the suite, or as many new ones as the environment variable says."""
    return settings(
        max_examples=int(ASKED) if ASKED else examples,
        derandomize=ASKED is None,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


ANY_TEXT = st.text(max_size=12)
"""Any characters, half surrogates excluded: no file can hold those."""
ESCAPED = st.sampled_from(["\\ud800", "\\udfff", "\\ud83d\\ude00", "\\u0000", "\\ufeff", "\ufeff", "\u2028", "<|x|>"])
NUMBERS = st.one_of(
    st.integers(), st.integers(-3, 9), st.floats(allow_nan=False, allow_infinity=False), st.just(10**400)
)


def json_values(texts: st.SearchStrategy[str], depth: int = 8) -> st.SearchStrategy[Any]:
    """JSON values with many of ``texts`` among keys and values."""
    leaves = st.one_of(st.none(), st.booleans(), NUMBERS, texts, ANY_TEXT)
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=6), st.dictionaries(st.one_of(texts, ANY_TEXT), inner, max_size=6)
        ),
        max_leaves=depth,
    )


@st.composite
def json_texts(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> str:
    """Texts of ``values``, some of them damaged: an edit at one place, a part cut out, an escape put in."""
    text = json.dumps(draw(values), ensure_ascii=draw(st.booleans()), allow_nan=True)
    for _ in range(draw(st.sampled_from([0, 0, 0, 0, 1, 1, 2]))):
        place = draw(st.integers(0, len(text)))
        removed = draw(st.integers(0, 3))
        put = draw(st.one_of(st.just(""), st.sampled_from(list('{}[],:"\\0.eE-N')), ESCAPED, ANY_TEXT))
        text = text[:place] + put + text[place + removed :]
    return text


def refused(call: Callable[[], Made]) -> tuple[Made | None, str]:
    """What ``call`` made, or the message of its refusal: lines that each hold a code, and findings with codes."""
    try:
        return call(), ""
    except InputError as error:
        message = error.message
    message.encode("utf-8")
    lines = message.split("\n")
    assert message.strip()
    assert all(CODE.search(line) for line in lines), message
    assert error_codes(message)
    return None, message


def error_codes(message: str) -> set[str]:
    """The codes that a message names."""
    return {found.split()[0] for found in CODE.findall(message)}


def put(path: Path, text: str) -> Path:
    """Write a text as UTF-8, overwriting what another example left."""
    path.write_bytes(text.encode("utf-8"))
    return path
