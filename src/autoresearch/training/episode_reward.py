"""The reward function that verl loads: it returns what the loop scored (training.md 6.3). Nothing is scored here.

verl hands over the whole decoded response, tool results included; that argument is ignored. An episode without a
score is an error, never a zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoresearch.errors import EpisodeError

RESULT_KEY = "autoresearch"
"""Key of ``AgentLoopOutput.extra_fields`` under which ``TaskLoop`` leaves its result."""
REPORTED = (
    "category_exact",
    "level_exact",
    "under_graded",
    "answer_valid",
    "reason",
    "tool_calls",
    "turns",
    "terminated_by",
)


def compute_score(
    data_source: str, solution_str: str, ground_truth: Any, extra_info: Mapping[str, Any] | None = None, **kwargs: Any
) -> dict[str, Any]:
    """The scored result of one episode: ``score`` and ``acc`` (1.0 or 0.0) and what explains them.

    Raises ``EpisodeError`` when the loop left no score.
    """
    result = (extra_info or {}).get(RESULT_KEY)
    if not isinstance(result, Mapping) or result.get("score") is None:
        raise EpisodeError("the episode carries no score: it was not played by the task loop, or it failed")
    score = float(result["score"])
    reported: dict[str, Any] = {"score": score, "acc": score}
    for key in REPORTED:
        value = result[key]
        reported[key] = float(value) if isinstance(value, bool) else value
    reported["turns"] = len(result["turns"])
    return reported
