"""geometry3k: scores, accuracy with its interval, consistency, the zero ladder (formal-case.md 14)."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoresearch.cases.geo3k import (
    CAUSES,
    Sample,
    accuracy,
    consistency,
    extract_box,
    mixed_groups,
    normalise,
    prompt_of,
    read_dump,
    same_answer,
    session_of,
    truncated,
    wilson,
    zero_ladder,
)

IMAGE = "<|vision_start|><|image_pad|>"
RIGHT = "<think>so</think>\n\\boxed{12}"


def sample(output: str = RIGHT, score: float | None = 0.0, truth: str = "7", number: int = 0, **keys: Any) -> Sample:
    return Sample(
        **{
            "input": f"{IMAGE} q{number}",
            "output": output,
            "truth": truth,
            "score": score,
            "uid": f"u{number}_0_0",
            **keys,
        }
    )


def test_the_four_scores_mean_what_the_table_says() -> None:
    found = accuracy([sample(score=1.0), sample(score=0.9), sample(score=0.1), sample(score=0.0)])
    assert (found.strict.hits, found.strict.n, found.samples) == (2, 4, 4)
    assert found.format_rate == 0.5 and found.mean_score == pytest.approx(0.5)
    assert list(found.as_dict()) == [
        "samples", "strict_acc", "strict_acc_low", "strict_acc_high", "format_rate", "mean_score",
    ]  # fmt: skip


def test_scores_of_single_precision_are_still_strict() -> None:
    assert sample(score=0.8999999761581421).strict and not sample(score=0.8999).strict


def test_what_was_not_scored_is_not_counted_as_wrong() -> None:
    found = accuracy([sample(score=1.0), sample(score=None)])
    assert (found.strict.share, found.strict.n, found.samples, found.unscored) == (1.0, 1, 2, 1)
    empty = accuracy([])
    assert empty.as_dict() == {
        "samples": 0, "strict_acc": None, "strict_acc_low": None, "strict_acc_high": None, "format_rate": None,
        "mean_score": None,
    }  # fmt: skip


def test_wilson_is_the_published_interval() -> None:
    """Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29 (score method without correction)."""
    for hits, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = wilson(hits, n)
        assert found.low == pytest.approx(low, abs=5e-5) and found.high == pytest.approx(high, abs=5e-5)


@given(st.integers(1, 5000), st.data())
def test_wilson_holds_its_share(n: int, data: st.DataObject) -> None:
    found = wilson(data.draw(st.integers(0, n)), n)
    assert found.low is not None and found.high is not None and found.share is not None
    assert 0 <= found.low <= found.share <= found.high <= 1


@pytest.mark.parametrize(
    ("output", "box"),
    [
        ("a \\boxed{3} b \\boxed{\\frac{1}{2}}", "\\frac{1}{2}"),
        ("\\boxed{x", None),
        ("\\boxed{1} then \\boxed{2", "1"),
        ("the answer is 3", None),
        ("\\boxed{}", ""),
    ],
)
def test_extraction_takes_the_last_balanced_box(output: str, box: str | None) -> None:
    assert extract_box(output) == box


@pytest.mark.parametrize(
    ("answer", "truth"),
    [
        ("12", "12.0"), ("12^\\circ", "12"), ("12°", "12 "), ("\\frac{1}{2}", "0.5"),
        ("\\dfrac{\\frac{1}{2}}{2}", "0.25"),
        ("8 \\text{ cm}", "8"), ("8 cm", "8"), ("\\sqrt{3}", "\\sqrt {3}"), ("5 units", "5"),
    ],
)  # fmt: skip
def test_equal_after_normalising(answer: str, truth: str) -> None:
    assert same_answer(answer, truth) and same_answer(truth, answer)


@pytest.mark.parametrize(("answer", "truth"), [("12", "13"), ("", ""), ("x", "y"), ("1/0", "2"), ("\\sqrt{3}", "3")])
def test_not_equal(answer: str, truth: str) -> None:
    assert not same_answer(answer, truth)


@given(st.text(max_size=60))
def test_diagnosis_takes_any_text(text: str) -> None:
    extract_box(text), normalise(text), same_answer(text, text)


def test_a_dump_is_read_line_by_line_and_cut_lines_are_passed_over() -> None:
    line = {"input": "q", "output": "o", "gts": 7, "score": 0.9, "uid": "a_0_0"}
    data = (json.dumps(line) + "\n" + json.dumps({**line, "score": math.nan, "gts": None}) + '\n{"input": "q').encode()
    first, second = read_dump(data)
    assert (first.truth, first.score, second.truth, second.score) == ("7", 0.9, "", None)


def test_uids_of_dumps_are_taken_apart() -> None:
    assert (session_of("a-b_c_3_1"), prompt_of("a-b_c_3_1")) == ("a-b_c_3", "a-b_c")
    assert (session_of("plain"), prompt_of("plain")) == ("plain", "plain")


def test_the_ladder_gives_each_output_its_first_cause() -> None:
    samples = [
        sample(""),
        sample("<think>a</think> it is 7", truth="7"),
        sample("<think>never ends \\boxed{7}"),
        sample("<think>a</think> \\boxed{7 \\text{ cm}}", truth="7"),
        sample("<think>a</think> \\boxed{7}", truth=""),
        sample("<think>a</think> \\boxed{9}", input="no picture here"),
        sample("<think>a</think> \\boxed{9}"),
        sample("<think>a</think> \\boxed{8}"),
    ]
    found = {cause.id: cause for cause in zero_ladder(samples, validation=True)}
    assert tuple(found) == CAUSES
    assert {name: cause.count for name, cause in found.items()} == {
        "validation_mode": 8, "too_few_samples": 8, "empty_output": 1, "no_box": 1, "truncated": 1,
        "graded_otherwise": 1, "truth_missing": 1, "image_missing": 1, "wrong_answer": 2,
    }  # fmt: skip
    assert "parameters were never changed" in found["validation_mode"].note
    assert "n = 8" in found["too_few_samples"].note
    assert sum(cause.count for cause in list(found.values())[2:]) == len(samples)


def test_the_ladder_of_rollouts_says_that_it_judges_training_samples() -> None:
    found = zero_ladder([sample()], validation=False)
    assert found[0].count == 0 and "training samples" in found[0].note


def test_outputs_at_the_limit_are_cut_even_with_an_end_of_thought() -> None:
    samples = [sample(), sample()]
    found = {
        cause.id: cause.count for cause in zero_ladder(samples, validation=True, output_tokens=64, lengths=[64, 20])
    }
    assert found["truncated"] == 1 and found["wrong_answer"] == 1
    assert truncated(samples, 64, [64, 20]) == 1 and truncated([sample("no end")]) == 1


def test_there_is_no_ladder_where_something_was_right_or_nothing_was_scored() -> None:
    assert zero_ladder([sample(score=0.9), sample()], validation=True) == []
    assert zero_ladder([sample(score=None)], validation=True) == []


def test_modes_are_joined_by_input_and_truth_and_repeated_pairs_are_left_out() -> None:
    first = [sample(number=number) for number in (1, 2, 3, 3)]
    second = [
        sample("<think>x</think> \\boxed{12.}", number=3),
        sample("<think>x</think> \\boxed{13}", number=2),
        sample("<think>y</think> \\boxed{ 12 }", number=1),
        sample(number=4),
    ]
    found = consistency(first, second)
    assert (found.equal, found.n, found.share, found.left_out) == (1, 2, 0.5, 4)
    nothing = consistency(first, [])
    assert (nothing.n, nothing.share) == (0, None)
    with pytest.raises(ValueError, match="itself"):
        consistency(first, first)


def test_mixed_groups_are_counted_by_prompt() -> None:
    samples = [
        sample(score=score, uid=f"{prompt}_{place}_0")
        for prompt, scores in {"a": (0.0, 1.0), "b": (0.0, 0.0), "c": (0.9, 1.0)}.items()
        for place, score in enumerate(scores)
    ]
    assert mixed_groups(samples) == (2, 3)
