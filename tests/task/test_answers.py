"""Answers as values: data-line 5.7 and acceptance 40."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoresearch.task.answers import parse_stage1, parse_stage2, parse_terminal, split_thought
from autoresearch.task.assets import TaskAssets

GOOD = '{"answer": "2", "level": "L2"}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (GOOD, "ok"),
        (f" \n\t{GOOD}\n", "ok"),
        ('{"level":"L1","answer":"8"}', "ok"),
        ('{"answer": " 2 ", "level": "L2 "}', "ok"),
        ("", "blank"),
        (" \n", "blank"),
        (f"The answer is {GOOD}", "not_json"),
        (f"```json\n{GOOD}\n```", "not_json"),
        (f"{GOOD} because", "not_json"),
        (f"{GOOD}{GOOD}", "not_json"),
        (f"<think>x</think>{GOOD}", "not_json"),
        ('{"answer": "2", "answer": "2", "level": "L2"}', "not_json"),
        ('{"answer": NaN, "level": "L2"}', "not_json"),
        ("[" * 100_000, "not_json"),
        ("<tool_call>\n<function=search_categories>", "not_json"),
        ('["2", "L2"]', "not_object"),
        ('"2"', "not_object"),
        ('{"answer": "2"}', "wrong_keys"),
        ('{"answer": "2", "level": "L2", "why": ""}', "wrong_keys"),
        ('{"Answer": "2", "level": "L2"}', "wrong_keys"),
        ('{"answer": 2, "level": "L2"}', "wrong_type"),
        ('{"answer": "2", "level": null}', "wrong_type"),
        ('{"answer": "", "level": "L2"}', "blank_value"),
        ('{"answer": "2", "level": " "}', "blank_value"),
        ('{"answer": "9", "level": "L2"}', "unknown_choice"),
        ('{"answer": "02", "level": "L2"}', "unknown_choice"),
        ('{"answer": "炉号信息", "level": "L2"}', "unknown_choice"),
        ('{"answer": "demo:B2-10", "level": "L2"}', "canonical_id"),
        ('{"answer": "2", "level": "L9"}', "unknown_level"),
        ('{"answer": "2", "level": "l2"}', "unknown_level"),
        ('{"answer": "2", "level": "内部"}', "unknown_level"),
    ],
)
def test_terminal_is_parsed_strictly_with_its_reason(assets: TaskAssets, text: str, reason: str) -> None:
    parsed = parse_terminal(text, assets.registry, assets.levels)
    assert parsed.reason == reason
    assert parsed.valid == (reason == "ok")
    assert (parsed.category_id is None) == (not parsed.valid)


def test_a_valid_answer_is_decoded(assets: TaskAssets) -> None:
    parsed = parse_terminal(GOOD, assets.registry, assets.levels)
    assert (parsed.category_id, parsed.choice_id, parsed.level) == ("demo:B2-10", "2", "L2")


def test_with_thinking_all_up_to_the_first_closing_mark_is_removed(assets: TaskAssets) -> None:
    def reason(text: str) -> str:
        return parse_terminal(text, assets.registry, assets.levels, enable_thinking=True).reason

    assert reason(f'{{"answer": "1"}} is wrong\n</think>\n\n{GOOD}') == "ok"
    assert reason(f"</think>{GOOD}") == "ok"
    assert reason(GOOD) == "thought_unclosed"
    assert reason(f"a</think>b</think>{GOOD}") == "not_json"
    assert reason("a</think>") == "blank"


def test_thought_is_split_at_the_first_closing_mark() -> None:
    assert split_thought("a</think>b</think>c") == ("a", "b</think>c")
    assert split_thought("a") is None


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text() | st.text(alphabet='{}[]",:answerlevel12L\\u \n'), st.booleans())
def test_no_text_raises(assets: TaskAssets, text: str, thinking: bool) -> None:
    parse_terminal(text, assets.registry, assets.levels, enable_thinking=thinking)
    parse_stage1(text, assets.registry)
    parse_stage2(text, [leaf.category_id for leaf in assets.registry.leaves[:5]], assets.levels)


@pytest.mark.parametrize(
    ("text", "format_valid", "reason"),
    [
        ('{"candidates":["1","2","3","4","5"]}', True, "ok"),
        ('{"candidates":["1","2","3","4"]}', True, "wrong_count"),
        ('{"candidates":["1","2","3","4","4"]}', True, "repeated_choice"),
        ('{"candidates":["1","2","3","4","9"]}', True, "unknown_choice"),
        ('{"candidates":["1","2","3","4","demo:A1-1"]}', True, "unknown_choice"),
        ('{"candidates":[1,2,3,4,5]}', False, "wrong_type"),
        ('{"candidates":"12345"}', False, "wrong_type"),
        ('{"candidates":["1","2","3","4","5"],"x":1}', False, "wrong_keys"),
        ("1 2 3 4 5", False, "not_json"),
    ],
)
def test_shortlist_is_valid_in_form_and_in_constraints(
    assets: TaskAssets, text: str, format_valid: bool, reason: str
) -> None:
    parsed = parse_stage1(text, assets.registry)
    assert (parsed.format_valid, parsed.constraint_valid, parsed.reason) == (format_valid, reason == "ok", reason)
    assert len(parsed.category_ids) == (5 if reason == "ok" else 0)


@pytest.mark.parametrize(
    ("text", "graded", "format_valid", "reason"),
    [
        ('{"answer":"3","level":"L1"}', True, True, "ok"),
        ('{"answer":"3"}', False, True, "ok"),
        ('{"answer":"3"}', True, False, "wrong_keys"),
        ('{"answer":"3","level":"L1"}', False, False, "wrong_keys"),
        ('{"answer":"6","level":"L1"}', True, True, "unknown_choice"),
        ('{"answer":"1","level":"L9"}', True, True, "unknown_level"),
        ('{"answer":1,"level":"L1"}', True, False, "wrong_type"),
    ],
)
def test_choice_is_valid_in_form_and_in_constraints(
    assets: TaskAssets, text: str, graded: bool, format_valid: bool, reason: str
) -> None:
    five = [leaf.category_id for leaf in assets.registry.leaves[2:7]]
    parsed = parse_stage2(text, five, assets.levels if graded else ())
    assert (parsed.format_valid, parsed.constraint_valid, parsed.reason) == (format_valid, reason == "ok", reason)
    assert parsed.category_ids == ((five[2],) if reason == "ok" else ())
