"""What an episode earns: 1.0 for category and level both exact, else 0.0 (data-line 5.7). Nothing is paid for format,
tools or luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autoresearch.task.answers import ParsedStage, Reason, parse_terminal

if TYPE_CHECKING:
    from autoresearch.standards.registry import LeafRegistry


@dataclass(frozen=True)
class Truth:
    """The gold leaf and level of a record; ``level`` is None only in an ungraded two-stage evaluation."""

    category_id: str
    level: str | None


@dataclass(frozen=True)
class EpisodeScore:
    """The score of one episode with what explains it. All of it is false or None when the answer is not valid."""

    score: float
    """1.0 or 0.0."""
    category_exact: bool
    level_exact: bool
    under_graded: bool
    """The predicted level is less sensitive than the true one: the costly error."""
    over_graded: bool
    answer_valid: bool
    reason: Reason
    category_id: str | None
    level: str | None


def score_episode(
    final_text: str, truth: Truth, registry: LeafRegistry, levels: Sequence[str], enable_thinking: bool
) -> EpisodeScore:
    """Score the last message of an episode. Never raises on what the model wrote.

    ``levels``: least sensitive first. Raises ``ValueError`` when the *truth* has a level that is not among them, or
    a category that is not in the registry: that is a broken input, not a zero.
    """
    ranks = {level: rank for rank, level in enumerate(levels)}
    if truth.level is None or truth.level not in ranks or registry.get(truth.category_id) is None:
        raise ValueError("the truth of this episode is not in its standards")
    parsed = parse_terminal(final_text, registry, levels, enable_thinking=enable_thinking)
    if not parsed.valid or parsed.level is None:
        return EpisodeScore(0.0, False, False, False, False, False, parsed.reason, None, None)
    category_exact = parsed.category_id == truth.category_id
    distance = ranks[parsed.level] - ranks[truth.level]
    return EpisodeScore(
        score=1.0 if category_exact and distance == 0 else 0.0,
        category_exact=category_exact,
        level_exact=distance == 0,
        under_graded=distance < 0,
        over_graded=distance > 0,
        answer_valid=True,
        reason=parsed.reason,
        category_id=parsed.category_id,
        level=parsed.level,
    )


def score_stage1(parsed: ParsedStage, truth: Truth) -> float:
    """1.0 if the gold leaf is among the five, else 0.0."""
    return 1.0 if parsed.constraint_valid and truth.category_id in parsed.category_ids else 0.0


def score_stage2(parsed: ParsedStage, truth: Truth) -> float:
    """1.0 if category and level are right, 0.5 if only the category is; ungraded (no true level): 1.0 for the
    category.
    """
    if not parsed.constraint_valid or parsed.category_ids != (truth.category_id,):
        return 0.0
    return 1.0 if truth.level is None or parsed.level == truth.level else 0.5
