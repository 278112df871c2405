"""The segment cache: rows of one release share nearly all their text, so shared parts are rendered and encoded once
(training.md 4.7).

The text of a row is cut after each end of a turn. An end mark is a special token, which ends every pre-tokenisation,
so the ids of the parts are the ids of the whole. That is not only argued but proved at run time on rows of every
file.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

from autoresearch.task.conversation import apply_template, check, generation_prompt, render
from autoresearch.task.loss_mask import Encoded, mask_tokens
from autoresearch.task.prompts import compact
from autoresearch.task.turns import TURN_END, Conversation, refuse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from transformers import PreTrainedTokenizerFast

ENTRIES = 4
SHORTEST_CACHED = 256
"""Characters; shorter parts are encoded anew."""
REMEMBERED = 64
"""Long parts that were seen once; a part is cached when it comes again."""
PROVED_FIRST, PROVED_EVERY = 64, 997


class Part(NamedTuple):
    """An encoded part of a text."""

    ids: list[int]
    offsets: NDArray[np.int64]
    """Shape (tokens, 2): characters of the part."""
    length: int
    """Characters of the part."""


class Head(NamedTuple):
    """The rendered system block of a release. ``text`` is None where the template does not let it be cut off."""

    text: str | None
    opening: str
    """The generation prompt."""


class SegmentCache:
    """``encode`` of rows in a run, with shared heads rendered once and shared parts encoded once.

    The first 64 rows, every 997th, and every row that holds a cached part at another place are rendered and encoded
    whole as well; any difference raises ``InputError`` T040.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerFast) -> None:
        self._tokenizer = tokenizer
        tokenizer("", add_special_tokens=False)  # leaves its backend without truncation and padding
        self._backend = tokenizer.backend_tokenizer
        self._parts: OrderedDict[str, Part] = OrderedDict()
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._heads: OrderedDict[str, Head] = OrderedDict()
        self._rows = 0
        self.proved = 0
        """Rows that were also rendered and encoded whole."""

    def encode(self, conversation: Conversation, answer_weight: float = 1, only_answer: bool = False) -> Encoded:
        """As ``conversation.encode``, which see; further raises ``InputError`` T040 when the cache was wrong."""
        check(self._tokenizer, conversation)
        text, opening = self._render(conversation)
        ids, offsets, misplaced = self.encode_text(text)
        self._rows += 1
        if self._rows <= PROVED_FIRST or self._rows % PROVED_EVERY == 0 or misplaced:
            self._prove(conversation, text, ids, offsets)
        return mask_tokens(conversation, text, opening, ids, offsets, answer_weight, only_answer)

    def _render(self, conversation: Conversation) -> tuple[str, str]:
        """The row's text and generation prompt; the system block comes from the cache where the template allows it."""
        key = _head_key(conversation)
        if key not in self._heads:
            self._heads[key] = self._cut_head(conversation)
            if len(self._heads) > ENTRIES:
                self._heads.popitem(last=False)
        self._heads.move_to_end(key)
        head = self._heads[key]
        if head.text is None:
            return render(self._tokenizer, conversation), head.opening
        return head.text + self._render_tail(conversation), head.opening

    def _render_tail(self, conversation: Conversation) -> str:
        return apply_template(
            self._tokenizer,
            conversation.messages[1:],
            None,
            conversation.enable_thinking,
            add_generation_prompt=False,
            place=conversation.place,
        )

    def _cut_head(self, conversation: Conversation) -> Head:
        opening = generation_prompt(self._tokenizer, conversation)
        if not conversation.messages or conversation.messages[0].get("role") != "system":
            return Head(None, opening)
        whole, tail = render(self._tokenizer, conversation), self._render_tail(conversation)
        return Head(whole[: -len(tail)] if tail and whole.endswith(tail) else None, opening)

    def encode_text(self, text: str) -> tuple[list[int], NDArray[np.int64], bool]:
        """Ids, offsets in ``text`` (shape (tokens, 2)), and whether a cached part occurs where it was not used.

        A text for which that holds must be proved; ``encode`` does it.
        """
        import numpy as np

        pieces = [piece + TURN_END for piece in text.split(TURN_END)]
        pieces[-1] = pieces[-1][: -len(TURN_END)]
        parts: list[Part] = []
        for shared, group in groupby(pieces, self._is_shared):
            run = list(group)
            parts += [self._shared_part(piece) for piece in run] if shared else [self._encode_part("".join(run))]
        misplaced = any(text.count(cached) != pieces.count(cached) for cached in self._parts)
        starts = np.cumsum([0, *(part.length for part in parts)])
        offsets = [part.offsets + start for part, start in zip(parts, starts, strict=False)]
        return list(chain.from_iterable(part.ids for part in parts)), np.concatenate(offsets), misplaced

    def _is_shared(self, piece: str) -> bool:
        """Whether a part is long and was seen before; a part of one row only would push the shared ones out."""
        if len(piece) <= SHORTEST_CACHED:
            return False
        if piece in self._parts:
            return True
        seen = hash(piece)
        if seen in self._seen:
            return True
        self._seen[seen] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return False

    def _shared_part(self, piece: str) -> Part:
        if piece not in self._parts:
            self._parts[piece] = self._encode_part(piece)
            if len(self._parts) > ENTRIES:
                self._parts.popitem(last=False)
        self._parts.move_to_end(piece)
        return self._parts[piece]

    def _encode_part(self, text: str) -> Part:
        """By the tokenizer's backend alone: what transformers does around it costs as much as a short part."""
        import numpy as np

        encoding = self._backend.encode(text, add_special_tokens=False)
        ids: list[int] = encoding.ids
        offsets = np.fromiter(chain.from_iterable(encoding.offsets), dtype=np.int64, count=2 * len(ids))
        return Part(ids, offsets.reshape(-1, 2), len(text))

    def _encode_whole(self, text: str) -> Part:
        """As rows are encoded without the cache, for the proof."""
        import numpy as np

        tokens = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        offsets = np.asarray(tokens["offset_mapping"], dtype=np.int64).reshape(-1, 2)
        return Part(tokens["input_ids"], offsets, len(text))

    def _prove(self, conversation: Conversation, text: str, ids: list[int], offsets: NDArray[np.int64]) -> None:
        self.proved += 1
        whole = render(self._tokenizer, conversation)
        part = self._encode_whole(whole)
        if text != whole or ids != part.ids or not (offsets == part.offsets).all():
            what = "text" if text != whole else "ids"
            rule = f"the segment cache gives other {what} than the row rendered and encoded whole"
            refuse("T040", conversation.place, rule, remedy="report the tokenizer and template; encode rows whole")


def _head_key(conversation: Conversation) -> str:
    """Equal for rows whose system block is the same."""
    first = conversation.messages[0] if conversation.messages else {}
    system = first if first.get("role") == "system" else None
    return compact([system, conversation.tools, conversation.enable_thinking])
