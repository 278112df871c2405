"""A rendered row cut into the turns of the template, each with its trained characters marked and its tokens counted.

``⟦…⟧`` stands around trained characters, ``⟨…⟩`` around those with another weight than 1. Marks and counts are made
from the mask that training uses, token by token, never from the messages (training.md 4.3, 4.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

TRAINED, WEIGHTED = ("⟦", "⟧"), ("⟨", "⟩")
_MARKS = {1: TRAINED, 2: WEIGHTED}
_TURN_START, _RESPONSE = "<|im_start|>", "<tool_response>"


@dataclass(frozen=True)
class MarkedTurn:
    """One turn of the rendered text, from its start mark up to the next one."""

    role: str
    """As the template writes it; a user turn that only holds tool results is ``tool``."""
    text: str
    """Without marks."""
    marked: str
    tokens: int
    trained: int
    """Tokens with a weight above 0."""
    weighted: int
    """Trained tokens whose weight is not 1."""
    weight: float
    """Sum of the weights of all tokens."""


def marked_turns(tokenizer: PreTrainedTokenizerFast, text: str, weights: Sequence[float]) -> list[MarkedTurn]:
    """The turns of ``text`` in order. ``weights``: one a token, as in ``Encoded.loss_mask``.

    Joined, ``MarkedTurn.text`` is ``text``. Raises ``ValueError`` when the tokens and the weights differ in number.
    """
    offsets = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
    depth = [0] * len(text)
    for (start, end), weight in zip(offsets, weights, strict=True):
        depth[start:end] = [0 if not weight else 1 if weight == 1 else 2] * (end - start)
    bounds = [*_turn_starts(text), len(text)]
    turns = []
    for begin, end in pairwise(bounds):
        own = [weight for (start, _), weight in zip(offsets, weights, strict=True) if begin <= start < end]
        turns.append(
            MarkedTurn(
                role=_role(text[begin:end]),
                text=text[begin:end],
                marked=_marked(text[begin:end], depth[begin:end]),
                tokens=len(own),
                trained=sum(1 for weight in own if weight),
                weighted=sum(1 for weight in own if weight not in (0, 1)),
                weight=float(sum(own)),
            )
        )
    return turns


def _turn_starts(text: str) -> list[int]:
    starts, at = [0], text.find(_TURN_START, 1)
    while at > 0:
        starts.append(at)
        at = text.find(_TURN_START, at + 1)
    return starts


def _role(turn: str) -> str:
    role, _, content = turn.removeprefix(_TURN_START).partition("\n")
    return "tool" if role == "user" and content.startswith(_RESPONSE) else role


def _marked(text: str, depth: Sequence[int]) -> str:
    shown, before = [], 0
    for character, wanted in zip(text, depth, strict=True):
        shown.append(_step(before, wanted) + character)
        before = wanted
    return "".join(shown) + _step(before, 0)


def _step(before: int, after: int) -> str:
    closing = "".join(_MARKS[level][1] for level in range(before, after, -1))
    return closing + "".join(_MARKS[level][0] for level in range(before + 1, after + 1))
