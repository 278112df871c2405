"""Masks as marked text: ``⟦…⟧`` around trained characters, ``⟨…⟩`` around weighted ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from autoresearch.task.loss_mask import Encoded

MARKS = {1: ("⟦", "⟧"), 2: ("⟨", "⟩")}


def marked(tokenizer: PreTrainedTokenizerFast, encoded: Encoded) -> str:
    """The row's text with the marks, made from the mask of its tokens alone."""
    offsets = tokenizer(encoded.text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
    depth = [0] * len(encoded.text)
    for (start, end), weight in zip(offsets, encoded.loss_mask, strict=True):
        for place in range(start, end):
            depth[place] = 0 if not weight else 1 if weight == 1 else 2
    shown, open_marks = [], 0
    for character, wanted in zip(encoded.text, depth, strict=True):
        shown.append(_step(open_marks, wanted) + character)
        open_marks = wanted
    return "".join(shown) + _step(open_marks, 0)


def _step(before: int, after: int) -> str:
    closing = "".join(MARKS[level][1] for level in range(before, after, -1))
    opening = "".join(MARKS[level][0] for level in range(before + 1, after + 1))
    return closing + opening
