"""What the fuzz tests share: how many examples, JSON of any shape, and what a refusal must look like."""

from __future__ import annotations

import json
import os
import random
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


BATCH = 25 if ASKED else 2
"""Texts of one drawn example: itself and mutants of it. Drawing is dear and mutating is cheap."""
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\n])*\'|-?\d+(?:\.\d+)?|\w+|[^\w\s]|\s+')
PUT_IN = [
    '""',
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1e999",
    "NaN",
    "[]",
    "{}",
    "[[",
    "}}",
    "{",
    '"',
    "'",
    "\\",
    '\\"',
    ",",
    ":",
    ";",
    "(",
    ")",
    "--",
    "/*",
    "*/",
    "#",
    "$$",
    "`",
    "\n",
    "\r\n",
    "\t",
    "\x00",
    "\u2028",
    "\ufeff",
    '"\\ud800"',
    "<|im_end|>",
    "</think>",
    "\u3000",
    "\u200b",
    "炉号",
    '"L1"',
    '"1"',
    '"5"',
    "5",
    "[1]",
    '["1"]',
    '{"a":1}',
    "٠",
    "\x85",
    "GO",
    "😀",
]


def fuzz(examples: int = 200, *, share: int = 1, batched: bool = False) -> settings:
    """``examples`` fixed ones in the suite, or new ones as many as the environment variable says, divided by ``share``
    where several tests are of one parser. ``batched`` examples hold ``BATCH`` texts each, which are what is counted.
    """
    texts = -(-int(ASKED) // share) if ASKED else examples
    return settings(
        max_examples=-(-texts // (BATCH if batched else 1)),
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


QUOTED = [token for token in PUT_IN if token.startswith('"') and len(token) > 1] + ['" "', '"\u3000"', '"a / b"', '"-"']
GENTLE = 0.5
"""How often a mutant only has another quoted text in the place of one."""


def mutant(text: str, chance: random.Random) -> str:
    """``text`` with one to three of its tokens dropped, doubled, swapped, or replaced by another token."""
    tokens = TOKEN.findall(text)
    quoted = [place for place, token in enumerate(tokens) if token[0] in "\"'"]
    if quoted and chance.random() < GENTLE:
        tokens[chance.choice(quoted)] = chance.choice([tokens[chance.choice(quoted)], *QUOTED])
        return "".join(tokens)
    for _ in range(chance.choice((1, 1, 2, 3))):
        at, other = chance.randrange(len(tokens) + 1), chance.randrange(len(tokens) + 1)
        how = chance.randrange(5)
        if how == 0:
            tokens[at : at + chance.choice((1, 1, 2, 5))] = []
        elif how == 1:
            tokens[at:at] = tokens[other : other + chance.choice((1, 2, 5))]
        elif how == 2 and at < len(tokens) and other < len(tokens):
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            tokens[at : at + how - 2] = [chance.choice(PUT_IN)]
    return "".join(tokens)


@st.composite
def batches(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> list[str]:
    """A text and ``BATCH - 1`` mutants of it or of each other."""
    made = [draw(texts)]
    chance = random.Random(draw(st.integers(0, 2**32)))
    while len(made) < BATCH:
        made.append(mutant(made[0] if chance.random() < GENTLE else chance.choice(made), chance))
    return made


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
