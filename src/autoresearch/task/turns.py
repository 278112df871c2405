"""Where the assistant turns of a rendered row are, and how a row is refused (training.md 4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from autoresearch.errors import InputError
from autoresearch.findings import finding

ASSISTANT_HEADER = "<|im_start|>assistant\n"
TURN_START, TURN_END, TEXT_END = "<|im_start|>", "<|im_end|>", "<|endoftext|>"


@dataclass(frozen=True)
class Span:
    """The characters of one assistant turn that a rollout would have to produce: end of the generation prompt … end
    of its end mark.
    """

    start: int
    end: int
    message: int
    """Index of the assistant message in the conversation."""


def refuse(code: str, place: str, rule: str, *, value: str = "", remedy: str = "") -> NoReturn:
    """Raise ``InputError`` with one finding."""
    item = finding(code, place=place, value=value, rule=rule, remedy=remedy)
    raise InputError(item.message(), [item])


@dataclass(frozen=True)
class Conversation:
    """One decoded row: what a chat template takes."""

    messages: list[dict[str, Any]]
    """Null keys dropped; ``tool_calls`` decoded, arguments as mappings."""
    tools: list[dict[str, Any]] | None
    enable_thinking: bool
    message_loss: tuple[bool, ...] | None = None
    """False blanks the turn of that message."""
    place: str = ""
    """Where the row stands, for findings."""


def spans(conversation: Conversation, text: str, opening: str) -> tuple[Span, ...]:
    """The assistant turns in a rendered text, each of which must begin with ``opening``, the generation prompt.

    Raises ``InputError`` T020 when a turn opens otherwise or turns, messages and headers differ in number.
    """
    place = conversation.place
    turns = [index for index, message in enumerate(conversation.messages) if message.get("role") == "assistant"]
    if text.count(ASSISTANT_HEADER) != len(turns):
        rule = f"{text.count(ASSISTANT_HEADER)} assistant headers for {len(turns)} assistant messages"
        refuse("T020", place, rule, remedy="use a template with the turn marks of Qwen")
    found: list[Span] = []
    at = 0
    for message in turns:
        begin = text.index(ASSISTANT_HEADER, at)
        if not text.startswith(opening, begin):
            rule = f"message {message} does not begin with the generation prompt {opening!r}"
            refuse("T020", place, rule, remedy="the row's thinking and the template disagree")
        end = text.find(TURN_END, begin)
        if end < 0:
            refuse("T020", place, f"message {message} has no {TURN_END}")
        at = end + len(TURN_END)
        found.append(Span(begin + len(opening), at, message))
    return tuple(found)
