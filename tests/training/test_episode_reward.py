from __future__ import annotations

from typing import Any

import pytest

from autoresearch.errors import EpisodeError
from autoresearch.training.episode_reward import RESULT_KEY, compute_score


def result(**changes: Any) -> dict[str, Any]:
    scored = {
        "score": 1.0,
        "category_exact": True,
        "level_exact": True,
        "under_graded": False,
        "answer_valid": True,
        "reason": "ok",
        "tool_calls": 1,
        "turns": [{}, {}],
        "terminated_by": "answer",
    }
    return {RESULT_KEY: {**scored, **changes}}


def test_the_score_of_the_loop_is_returned_whatever_the_decoded_response_says() -> None:
    right_looking = '{"answer": "1", "level": "L2"}'
    assert compute_score("steel/stage1", right_looking, "A1-1", result(score=0.0))["score"] == 0.0
    assert compute_score("steel/stage1", "nonsense", "A1-1", result())["score"] == 1.0


def test_what_explains_the_score_travels_with_it() -> None:
    scored = compute_score("steel/stage1", "", "A1-1", result())
    assert scored["acc"] == 1.0 and scored["turns"] == 2 and scored["reason"] == "ok"
    assert scored["category_exact"] == 1.0 and scored["under_graded"] == 0.0


@pytest.mark.parametrize("info", [None, {}, {RESULT_KEY: None}, result(score=None)])
def test_an_episode_without_a_score_raises_instead_of_earning_zero(info: dict[str, Any] | None) -> None:
    with pytest.raises(EpisodeError, match="no score"):
        compute_score("steel/stage1", "", "A1-1", info)
