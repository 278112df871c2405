"""What a model wrote, as a value: the terminal answer and the two-stage answers (data-line 5.7). Nothing here raises on
any text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from autoresearch.files import strict_json_loads

if TYPE_CHECKING:
    from autoresearch.standards.registry import LeafRegistry

THOUGHT_END = "</think>"
LOCAL_IDS = ("1", "2", "3", "4", "5")

Reason = Literal[
    "ok",
    "thought_unclosed",
    "blank",
    "not_json",
    "not_object",
    "wrong_keys",
    "wrong_type",
    "blank_value",
    "canonical_id",
    "unknown_choice",
    "unknown_level",
    "wrong_count",
    "repeated_choice",
]
"""Why a text is or is not an answer; the first that applies, in the order of the checks."""


@dataclass(frozen=True)
class ParsedAnswer:
    """A terminal answer: decoded values when ``valid``, else None beside the reason."""

    valid: bool
    category_id: str | None
    choice_id: str | None
    level: str | None
    reason: Reason


@dataclass(frozen=True)
class ParsedStage:
    """An answer of the two-stage line. Ids are decoded only if format and constraints both hold."""

    format_valid: bool
    constraint_valid: bool
    category_ids: tuple[str, ...]
    """Stage 1: the five shortlisted leaves; stage 2: the one chosen."""
    level: str | None
    reason: Reason


def split_thought(text: str) -> tuple[str, str] | None:
    """The text before and after the first ``</think>``; None when the thought is not closed."""
    thought, found, rest = text.partition(THOUGHT_END)
    return (thought, rest) if found else None


def parse_terminal(
    text: str, registry: LeafRegistry, levels: Sequence[str], *, enable_thinking: bool = False
) -> ParsedAnswer:
    """Parse the last message of an episode strictly. Never raises.

    With ``enable_thinking`` everything up to and including the first ``</think>`` is removed first. White space
    around is fine; fences, prose, canonical ids, other keys or types are failures, each with its reason.
    """
    if enable_thinking:
        parts = split_thought(text)
        if parts is None:
            return _failed("thought_unclosed")
        text = parts[1]
    parsed, reason = _object(text, ("answer", "level"))
    if parsed is None:
        return _failed(reason)
    answer, level = parsed["answer"], parsed["level"]
    if not isinstance(answer, str) or not isinstance(level, str):
        return _failed("wrong_type")
    answer, level = answer.strip(), level.strip()
    if not answer or not level:
        return _failed("blank_value")
    leaf = registry.by_choice(answer)
    if leaf is None:
        return _failed("canonical_id" if registry.get(answer) is not None else "unknown_choice")
    if level not in levels:
        return _failed("unknown_level")
    return ParsedAnswer(True, leaf.category_id, answer, level, "ok")


def parse_stage1(text: str, registry: LeafRegistry) -> ParsedStage:
    """Parse a shortlist: ``{"candidates": [five different known choice ids]}``. Never raises."""
    parsed, reason = _object(text, ("candidates",))
    if parsed is None:
        return _stage_failed(reason)
    ids = parsed["candidates"]
    if not isinstance(ids, list) or not all(isinstance(item, str) for item in ids):
        return _stage_failed("wrong_type")
    leaves = [registry.by_choice(item) for item in ids]
    if len(ids) != len(LOCAL_IDS):
        return _stage_failed("wrong_count", format_valid=True)
    if len(set(ids)) != len(ids):
        return _stage_failed("repeated_choice", format_valid=True)
    known = tuple(leaf.category_id for leaf in leaves if leaf is not None)
    if len(known) != len(ids):
        return _stage_failed("unknown_choice", format_valid=True)
    return ParsedStage(True, True, known, None, "ok")


def parse_stage2(text: str, candidates: Sequence[str], levels: Sequence[str] = ()) -> ParsedStage:
    """Parse a choice among five category ids in presented order; graded when ``levels`` are given. Never raises."""
    parsed, reason = _object(text, ("answer", "level") if levels else ("answer",))
    if parsed is None:
        return _stage_failed(reason)
    if not all(isinstance(value, str) for value in parsed.values()):
        return _stage_failed("wrong_type")
    if parsed["answer"] not in LOCAL_IDS[: len(candidates)]:
        return _stage_failed("unknown_choice", format_valid=True)
    level = parsed.get("level")
    if levels and level not in levels:
        return _stage_failed("unknown_level", format_valid=True)
    return ParsedStage(True, True, (candidates[int(parsed["answer"]) - 1],), level, "ok")


def _object(text: str, keys: Sequence[str]) -> tuple[dict[str, Any] | None, Reason]:
    if not text.strip():
        return None, "blank"
    try:
        parsed = strict_json_loads(text.strip())
    except (ValueError, RecursionError):
        return None, "not_json"
    if not isinstance(parsed, dict):
        return None, "not_object"
    if set(parsed) != set(keys):
        return None, "wrong_keys"
    return parsed, "ok"


def _failed(reason: Reason) -> ParsedAnswer:
    return ParsedAnswer(False, None, None, None, reason)


def _stage_failed(reason: Reason, *, format_valid: bool = False) -> ParsedStage:
    return ParsedStage(format_valid, False, (), None, reason)
