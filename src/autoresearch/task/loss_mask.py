"""Which tokens of a rendered row are trained, and with what weight (training.md 4.3, 4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from json import JSONDecoder
from typing import TYPE_CHECKING

from autoresearch.files import strict_json_loads
from autoresearch.task.answers import THOUGHT_END
from autoresearch.task.turns import TURN_END, Conversation, Span, refuse, spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


ANSWER_KEYS = ("answer", "level")


@dataclass(frozen=True)
class Encoded:
    """A row as tokens. ``input_ids`` and ``loss_mask`` are of one length; the mask is 0 outside the assistant turns.

    The mask holds int 1 with an answer weight of 1, else floats with the weight on the tokens of the answer's two
    values.
    """

    input_ids: list[int]
    loss_mask: list[int] | list[float]
    text: str
    spans: tuple[Span, ...]
    """The trained turns, in characters of ``text``."""
    values: tuple[tuple[int, int], ...] = ()
    """The weighted characters: the two values of the terminal JSON, when the weight is not 1."""


def mask_tokens(
    conversation: Conversation,
    text: str,
    opening: str,
    ids: list[int],
    offsets: NDArray[np.int64],
    answer_weight: float = 1,
    only_answer: bool = False,
) -> Encoded:
    """The mask of a row whose text is already encoded. ``offsets``: shape (tokens, 2), first and past-the-last
    character.

    Raises ``InputError`` as ``encode``.
    """
    import numpy as np

    place = conversation.place
    every = spans(conversation, text, opening)
    trained = trained_spans(conversation, every, only_answer)
    mask = np.zeros(len(ids), dtype=np.float64)
    for span in every:
        if ((offsets[:, 0] < span.start) & (offsets[:, 1] > span.start)).any():
            rule = (
                f"a token crosses the beginning of message {span.message}: the inference prompt is no prefix of the row"
            )
            refuse("T021", place, rule, remedy="the row's thinking and the template disagree")
    for span in trained:
        mask[(offsets[:, 0] >= span.start) & (offsets[:, 1] <= span.end)] = 1
    values: tuple[tuple[int, int], ...] = ()
    if answer_weight != 1:
        values = answer_values(conversation, text, every[-1])
        for start, end in values:
            mask[(mask > 0) & (offsets[:, 0] < end) & (offsets[:, 1] > start)] = answer_weight
    if not mask.any():
        refuse("T024", place, "no token of the row would be trained", remedy="check message_loss")
    if mask[0] != 0:
        refuse("T020", place, "the first token of the row is trained")
    weights: list[int] | list[float] = mask.tolist() if answer_weight != 1 else mask.astype(np.int64).tolist()
    return Encoded(list(ids), weights, text, trained, values)


def trained_spans(conversation: Conversation, every: Sequence[Span], only_answer: bool) -> tuple[Span, ...]:
    """The turns that are trained: the last one only, or all whose ``message_loss`` is not false."""
    kept = every[-1:] if only_answer else every
    loss = conversation.message_loss
    if loss is not None and len(loss) != len(conversation.messages):
        refuse("T024", conversation.place, "message_loss has another length than messages")
    return tuple(span for span in kept if loss is None or loss[span.message])


def answer_values(conversation: Conversation, text: str, last: Span) -> tuple[tuple[int, int], ...]:
    """Characters of the two values of the terminal JSON, quotes excluded. Raises ``InputError`` T025 unless both are
    there once.
    """
    begin, end = last.start, last.end - len(TURN_END)
    if conversation.enable_thinking:
        closed = text.find(THOUGHT_END, begin, end)
        begin = end if closed < 0 else closed + len(THOUGHT_END)
    found = _string_values(text[begin:end])
    if found is None or set(found) != set(ANSWER_KEYS):
        rule = "the last turn is not one JSON object with the text values answer and level"
        refuse("T025", conversation.place, rule, remedy="use --answer-weight 1, or rows with a terminal answer")
    return tuple((begin + found[key][0], begin + found[key][1]) for key in ANSWER_KEYS)


def _string_values(text: str) -> dict[str, tuple[int, int]] | None:
    """Key → characters of its value inside the quotes, for an object of texts; None for anything else."""
    try:
        parsed = strict_json_loads(text.strip())
    except ValueError:
        return None
    if not isinstance(parsed, dict) or not all(isinstance(value, str) and value for value in parsed.values()):
        return None
    decode = JSONDecoder().raw_decode
    found: dict[str, tuple[int, int]] = {}
    at = text.index("{") + 1
    for _ in parsed:
        key, at = decode(text, text.index('"', at))
        quote = text.index('"', text.index(":", at))
        _, at = decode(text, quote)
        found[key] = (quote + 1, at - 1)
    return found
