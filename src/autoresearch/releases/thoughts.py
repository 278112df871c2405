"""Thoughts: what a thought must look like, what it may cost, and the fixed sentences of ``mock`` (6.3, 6.4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError
from autoresearch.standards.text import control_token

TERMINAL_CAP = 128
TOOL_CAP = 64
MOST_SENTENCES = 2

_CJK = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SENTENCE_END = re.compile(r"(?:[!?。！？…]|\.(?!\d)|(?<!\d)\.)+")
_QUOTES = "\"'“”‘’「」『』＂＇`"
_LOOK_ALIKE = re.compile(rf"[{_QUOTES}]\s*(?:answer|level)\s*[{_QUOTES}]\s*[:：]", re.IGNORECASE)
_ANSWER_OBJECT = re.compile(rf"\{{\s*[{_QUOTES}]?\s*answer", re.IGNORECASE)
_PAIRS = {"}": "{", "]": "["}

_DIRECT = ("名称与表名已经说明了用途，目录里有一项明显对应，可以直接回答。",)
_SINGLE = ("名称有几种理解，先检索目录再比较。", "检索结果里有一项与字段的用途相符，据此回答。")
_MULTI = (
    "几项看起来都可能，先检索目录。",
    "候选之间差别不大，需要看各项的详细说明。",
    "说明仍然接近，再看前两项的公开示例。",
    "说明和示例合在一起，已经能区分这几项，据此回答。",
)
_NO_RESULT = (
    "目录里没有明显对应的项，先查看一次。",
    "还需要从另一个角度确认范围。",
    "结合目录与字段的用途，选出最接近的一项。",
)
MOCK_THOUGHTS: dict[str, tuple[str, ...]] = {
    "direct": _DIRECT,
    "single_tool": _SINGLE,
    "multi_tool": _MULTI,
    "no_result": _NO_RESULT,
}
"""Class -> one sentence for each assistant turn, the last terminal. They depend on class and turn, never on the
label.
"""


@dataclass(frozen=True)
class TokenCounter:
    """How thoughts are counted; ``name`` is what the report says."""

    name: str
    count: Callable[[str], int]


@dataclass(frozen=True)
class Caps:
    """Most tokens of a terminal thought and of a thought before a call."""

    terminal: int = TERMINAL_CAP

    @property
    def tool(self) -> int:
        """``min(64, terminal)``."""
        return min(TOOL_CAP, self.terminal)

    def of_turn(self, turn: int, turns: int) -> int:
        """The cap of assistant turn ``turn`` (from 0) of ``turns``."""
        return self.terminal if turn == turns - 1 else self.tool


def estimate_tokens(text: str) -> int:
    """Tokens without a tokenizer: each CJK character 1, the rest a quarter, rounded up."""
    cjk = len(_CJK.findall(text))
    return cjk - (cjk - len(text)) // 4


ESTIMATE = TokenCounter("estimate", estimate_tokens)


@lru_cache(maxsize=4)
def counter_of(tokenizer: Path | None) -> TokenCounter:
    """The counter of a tokenizer folder, or the estimate. Raises ``InputError`` when the folder holds no tokenizer."""
    if tokenizer is None:
        return ESTIMATE
    from autoresearch.releases.tokenizers import load_tokenizer, tokenizer_sha256

    loaded: Any = load_tokenizer(tokenizer)
    return TokenCounter(
        f"tokenizer:{tokenizer_sha256(tokenizer)}", lambda text: len(loaded.encode(text, add_special_tokens=False))
    )


@lru_cache(maxsize=65_536)
def thought_problems(thought: str) -> tuple[str, ...]:
    """Every rule of 6.3 that ``thought`` breaks, in words; empty when it is well formed."""
    if not thought.strip():
        return ("it is blank",)
    problems = []
    if sum(1 for part in _SENTENCE_END.split(thought) if part.strip()) > MOST_SENTENCES:
        problems.append(f"it has more than {MOST_SENTENCES} sentences")
    if not balanced(thought):
        problems.append("its brackets {} [] do not balance")
    if _LOOK_ALIKE.search(thought):
        problems.append("it holds something like an answer or level key")
    if _ANSWER_OBJECT.search(thought):
        problems.append("it opens an object with answer")
    token = control_token(thought)
    if token is not None:
        problems.append(f"it holds the control token {token}")
    return tuple(problems)


def balanced(text: str) -> bool:
    """Whether ``{}`` and ``[]`` open and close in order."""
    opened: list[str] = []
    for character in text:
        if character in "{[":
            opened.append(character)
        elif character in "}]" and (not opened or opened.pop() != _PAIRS[character]):
            return False
    return not opened


def shorten(thought: str, cap: int, counter: TokenCounter) -> str:
    """The longest prefix within ``cap`` tokens, cut back until brackets balance.

    Raises ``InputError`` when nothing is left.
    """
    low, high = 0, len(thought)
    while low < high:
        middle = (low + high + 1) // 2
        if counter.count(thought[:middle]) <= cap:
            low = middle
        else:
            high = middle - 1
    prefix = thought[:low]
    while prefix and (not balanced(prefix) or counter.count(prefix) > cap):
        prefix = prefix[:-1]
    if not prefix.strip():
        raise InputError(
            f"a thought cannot be shortened to {cap} tokens: nothing with balanced brackets is left of {thought!r}"
        )
    return prefix


@dataclass(frozen=True)
class CappedThoughts:
    """The thoughts of one row after the caps; ``thoughts`` is None when the row is to be discarded."""

    thoughts: tuple[str, ...] | None
    truncated_turns: int


def cap_thoughts(thoughts: tuple[str, ...], caps: Caps, counter: TokenCounter, discard: bool) -> CappedThoughts:
    """Apply the caps of 6.4 to the thoughts of one row (the last is terminal)."""
    kept = []
    truncated = 0
    for turn, thought in enumerate(thoughts):
        cap = caps.of_turn(turn, len(thoughts))
        if _cost(counter, thought) <= cap:
            kept.append(thought)
        elif discard:
            return CappedThoughts(None, 0)
        else:
            kept.append(shorten(thought, cap, counter))
            truncated += 1
    return CappedThoughts(tuple(kept), truncated)


@lru_cache(maxsize=4_096)
def _cost(counter: TokenCounter, thought: str) -> int:
    return counter.count(thought)


def fits(thought: str, cap: int, counter: TokenCounter) -> bool:
    """Whether a thought is within its cap."""
    return _cost(counter, thought) <= cap
