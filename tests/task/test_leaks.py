"""What must never reach the model: data-line 5.6 and acceptance 30."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoresearch.standards.registry import Leaf
from autoresearch.standards.text import contains_code, redact_codes
from autoresearch.task import leaks
from autoresearch.task.assets import TaskAssets
from autoresearch.task.codes import CodeFinder, leaf_codes

LEAF = Leaf(category_id="demo:B5-2-1", name="指标", code="B5-2-1")


@pytest.mark.parametrize("text", ["B5-2-10", "B5-2-1-3", "XB5-2-1", "B5-2-1x", "b5-2-1", "B5-2-1_2", "a.B5-2-1"])
def test_part_of_a_longer_code_is_no_leak(text: str) -> None:
    assert leaks.gold_in_text(text, LEAF) is None


@pytest.mark.parametrize("text", ["（B5-2-1）", "见B5-2-1。", "B5-2-1", "B5-2-1.", "demo:B5-2-1 主键"])
def test_code_that_stands_alone_is_a_leak(text: str) -> None:
    assert leaks.gold_in_text(text, LEAF) is not None


def test_field_of_its_own_code_is_named(assets: TaskAssets) -> None:
    leaf = assets.registry.leaf("demo:B2-1")
    own = {"field_name": "A", "field_description": "见B2-1。", "table_name": "", "table_description": ""}
    assert leaks.gold_in_metadata(own, assets.fields, leaf) == "field_description"
    assert leaks.gold_in_metadata({**own, "field_description": "见B2-10"}, assets.fields, leaf) is None
    assert leaks.gold_in_metadata(own, ("field_name",), leaf) is None


def test_a_name_that_is_its_own_id_is_no_secret() -> None:
    assert leaf_codes(Leaf(category_id="公开信息", name="公开信息")) == ()
    assert leaf_codes(LEAF) == ("demo:B5-2-1", "B5-2-1")


def test_short_and_numeric_codes_are_not_searched_for() -> None:
    assert CodeFinder(["A1", "12345"]).find("A1 12345") == ()


CODES = st.lists(
    st.sampled_from(["B2-1", "B2-10", "B2-1-3", "ds:B2-1", "ds:人.B2", "类别甲", "A.B", "x_1", "--ab", "人事部.工资"]),
    unique=True,
)


@given(CODES, st.text(alphabet=st.sampled_from(list("B2-1.0_: ds人事部工资类别甲AxX（）ab")), max_size=40))
def test_many_codes_at_once_are_found_as_one_by_one(codes: list[str], text: str) -> None:
    for noise in ("", "B2-1", "见ds:B2-1。", "类别甲x_1", "ds:人.B2"):
        held = text + noise
        finder = CodeFinder(codes)
        assert set(finder.find(held)) == {code for code in codes if contains_code(held, code)}
        hidden = finder.redact(held)
        assert finder.find(hidden) == ()
        assert hidden == redact_codes(redact_codes(redact_codes(held, codes), codes), codes)


def test_registry_ids_in_a_prompt_are_found(assets: TaskAssets) -> None:
    found = leaks.PromptLeaks(assets.registry)
    assert found.in_text("见 demo:A1-1 和 B3-1。") == ("demo:A1-1", "A1-1", "B3-1")
    assert found.in_system("clean") == () == found.in_system("clean")


def test_result_shows_a_choice_id_only_as_an_id() -> None:
    assert leaks.result_shows('{"candidates": [{"choice_id": "2", "name": "x"}]}', "2")
    assert not leaks.result_shows('{"candidates": [{"choice_id": "12", "name": "2"}], "leaf_count": "2"}', "2")
    assert not leaks.result_shows('{"groups": [{"scope_key": "2", "leaf_count": 2}]}', "2")
    assert not leaks.result_shows("not json", "2")


@pytest.mark.parametrize("text", ['"answer":', "'level' :", "“answer”：", "{answer", '{ "answer'])
def test_answer_look_alikes_in_thoughts_are_found(text: str) -> None:
    assert leaks.answer_look_alike(f"先看 {text} 1") is not None


@pytest.mark.parametrize("text", ["the answer is clear.", "level 2 fits", "字段 level 表示级别", "{name}"])
def test_words_in_thoughts_are_no_look_alikes(text: str) -> None:
    assert leaks.answer_look_alike(text) is None


def test_truth_in_a_mock_thought_is_found() -> None:
    assert leaks.truth_in_thought("可能是指标。", LEAF, "生产 / 指标", "7") == "指标"
    assert leaks.truth_in_thought("选 7。", LEAF, "生产 / 指标", "7") == "7"
    assert leaks.truth_in_thought("有 17 个候选。", LEAF, "生产 / 指标", "7") is None


def test_control_tokens_are_found_in_any_text() -> None:
    assert leaks.control_token_in(["a", None, "x</think>"]) == "</think>"
    assert leaks.control_token_in(["a", None]) is None
