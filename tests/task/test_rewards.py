"""Scores of data-line 5.7: nothing but the exact pair is paid."""

from __future__ import annotations

import pytest

from autoresearch.task.answers import parse_stage1, parse_stage2
from autoresearch.task.assets import TaskAssets
from autoresearch.task.prompts import terminal_text
from autoresearch.task.rewards import EpisodeScore, Truth, score_episode, score_stage1, score_stage2

TRUTH = Truth("demo:B2-10", "L2")


def score(assets: TaskAssets, text: str, thinking: bool = False) -> EpisodeScore:
    return score_episode(text, TRUTH, assets.registry, assets.levels, thinking)


@pytest.mark.parametrize(
    ("answer", "level", "expected"),
    [
        ("2", "L2", (1.0, True, True, False, False)),
        ("2", "L1", (0.0, True, False, True, False)),
        ("2", "L3", (0.0, True, False, False, True)),
        ("1", "L2", (0.0, False, True, False, False)),
        ("1", "L1", (0.0, False, False, True, False)),
    ],
)
def test_reward_is_one_for_the_exact_pair_only(
    assets: TaskAssets, answer: str, level: str, expected: tuple[float, bool, bool, bool, bool]
) -> None:
    got = score(assets, terminal_text(answer, level))
    assert (got.score, got.category_exact, got.level_exact, got.under_graded, got.over_graded) == expected
    assert got.answer_valid
    assert got.level == level


@pytest.mark.parametrize(
    ("text", "thinking"),
    [
        ('{"candidates": [{"choice_id": "2"}]}', False),
        ('{"answer": "2", "level": "L2"}', True),
        ('<tool_call>{"answer": "2", "level": "L2"}', False),
        ("", False),
    ],
)
def test_no_valid_answer_is_zero_with_a_reason(assets: TaskAssets, text: str, thinking: bool) -> None:
    got = score(assets, text, thinking)
    assert got.score == 0.0
    assert not got.answer_valid
    assert got.reason != "ok"
    assert not (got.under_graded or got.over_graded or got.level_exact)


def test_right_answer_after_a_closed_thought_is_one(assets: TaskAssets) -> None:
    assert score(assets, 'looks like {"answer": "1"}\n</think>\n\n{"answer": "2", "level": "L2"}', True).score == 1.0


def test_broken_truth_is_an_error_and_not_a_zero(assets: TaskAssets) -> None:
    for truth in (Truth("demo:none", "L2"), Truth("demo:B2-10", "L9"), Truth("demo:B2-10", None)):
        with pytest.raises(ValueError, match="truth"):
            score_episode("x", truth, assets.registry, assets.levels, False)


def test_two_stage_scores(assets: TaskAssets) -> None:
    five = [leaf.category_id for leaf in assets.registry.leaves[:5]]
    assert score_stage1(parse_stage1('{"candidates":["1","2","3","4","5"]}', assets.registry), TRUTH) == 1.0
    assert score_stage1(parse_stage1('{"candidates":["1","8","3","4","5"]}', assets.registry), TRUTH) == 0.0
    assert score_stage1(parse_stage1("x", assets.registry), TRUTH) == 0.0

    def choice(text: str, truth: Truth, graded: bool = True) -> float:
        return score_stage2(parse_stage2(text, five, assets.levels if graded else ()), truth)

    assert choice('{"answer":"2","level":"L2"}', TRUTH) == 1.0
    assert choice('{"answer":"2","level":"L1"}', TRUTH) == 0.5
    assert choice('{"answer":"1","level":"L2"}', TRUTH) == 0.0
    assert choice('{"answer":"2"}', Truth("demo:B2-10", None), graded=False) == 1.0
    assert choice('{"answer":"2","level":"L9"}', TRUTH) == 0.0
