"""Whatever a model writes is a value with a reason, never an exception (5.7)."""

from __future__ import annotations

import json
import string
from typing import Any, get_args

from fuzzing import ANY_TEXT, batches, fuzz, json_texts, json_values
from hypothesis import given
from hypothesis import strategies as st

from autoresearch.standards.registry import LeafRegistry
from autoresearch.task.answers import Reason, parse_stage1, parse_stage2, parse_terminal

IDS = tuple(f"A{number}" for number in range(1, 8))
LEVELS = ("L1", "L2", "L3")
REGISTRY = LeafRegistry.from_obj([{"category_id": key, "name": f"类{key}"} for key in IDS])
REASONS = set(get_args(Reason))
CHOICES = st.sampled_from([*(str(number) for number in range(10)), *IDS, "类A1", "01", "１", " 1 ", "1.0", "+1", "²"])
TEXTS = st.one_of(st.sampled_from([*LEVELS, "l1", "L9", "answer", "level", "candidates"]), CHOICES, ANY_TEXT)
ANSWERS = st.one_of(
    st.fixed_dictionaries({"answer": CHOICES, "level": st.sampled_from(LEVELS)}),
    st.fixed_dictionaries({"answer": CHOICES}),
    st.fixed_dictionaries({"answer": TEXTS, "level": TEXTS}),
    st.fixed_dictionaries({"candidates": st.lists(CHOICES, min_size=4, max_size=6)}),
    st.permutations([str(number) for number in range(1, 8)]).map(lambda ids: {"candidates": list(ids[:5])}),
    st.dictionaries(TEXTS, TEXTS, max_size=3),
    json_values(TEXTS),
)
WRAPPED = st.sampled_from(["{}", " {}\n", "```json\n{}\n```", "答：{}", "{}。", "\u3000{}\u3000", "<think>x</think>{}"])
SURROGATES = st.text(alphabet=st.characters(codec=None), max_size=6)  # type: ignore[arg-type]


@st.composite
def written(draw: st.DrawFn) -> str:
    """A text such as a model may write, from the exact answer to anything."""
    text = draw(st.one_of(json_texts(ANSWERS), json_texts(ANSWERS), ANY_TEXT, SURROGATES))
    before = draw(st.sampled_from(["", "", "想</think>", "</think></think>", "<tool_call>"]))
    return before + draw(WRAPPED).replace("{}", text)


def strictly(text: str) -> Any:
    """The object of a text by the plain reader, None where a key stands twice or it is no object."""
    pairs: list[list[str]] = []
    try:
        found = json.loads(text, object_pairs_hook=lambda items: pairs.append([key for key, _ in items]) or dict(items))
    except ValueError:
        return None
    return found if isinstance(found, dict) and all(len(set(keys)) == len(keys) for keys in pairs) else None


@fuzz(500, batched=True)
@given(texts=batches(written()), thinking=st.booleans())
def test_any_text_is_a_terminal_answer_exactly_when_it_is_the_strict_object(texts: list[str], thinking: bool) -> None:
    for text in texts:
        check_terminal(text, thinking)


def check_terminal(text: str, thinking: bool) -> None:
    parsed = parse_terminal(text, REGISTRY, LEVELS, enable_thinking=thinking)
    assert parsed.reason in REASONS
    assert parsed.valid == (parsed.reason == "ok")
    rest = text.partition("</think>")[2] if thinking else text
    content = strictly(rest.strip().lstrip("\ufeff"))
    right = (
        content is not None
        and set(content) == {"answer", "level"}
        and all(isinstance(value, str) for value in content.values())
        and content["answer"].strip() in [str(number) for number in range(1, 8)]
        and content["level"].strip() in LEVELS
        and (not thinking or "</think>" in text)
    )
    assert parsed.valid == right
    if parsed.valid:
        assert parsed.category_id == IDS[int(content["answer"]) - 1]
        assert parsed.level == content["level"].strip()
    else:
        assert (parsed.category_id, parsed.choice_id, parsed.level) == (None, None, None)


@fuzz(500, batched=True)
@given(texts=batches(written()))
def test_any_text_is_a_shortlist_or_has_a_reason(texts: list[str]) -> None:
    for text in texts:
        check_shortlist(text)


def check_shortlist(text: str) -> None:
    parsed = parse_stage1(text, REGISTRY)
    assert parsed.reason in REASONS
    valid = parsed.format_valid and parsed.constraint_valid
    assert valid == (parsed.reason == "ok") == bool(parsed.category_ids)
    assert parsed.format_valid or not parsed.constraint_valid
    if valid:
        ids = strictly(text.strip().lstrip("\ufeff"))["candidates"]
        assert parsed.category_ids == tuple(IDS[int(item) - 1] for item in ids)
        assert len(set(parsed.category_ids)) == 5


@fuzz(500, batched=True)
@given(texts=batches(written()), graded=st.booleans())
def test_any_text_is_a_choice_among_five_or_has_a_reason(texts: list[str], graded: bool) -> None:
    for text in texts:
        check_choice(text, graded)


def check_choice(text: str, graded: bool) -> None:
    parsed = parse_stage2(text, IDS[:5], LEVELS if graded else ())
    assert parsed.reason in REASONS
    valid = parsed.format_valid and parsed.constraint_valid
    assert valid == (parsed.reason == "ok") == bool(parsed.category_ids)
    if valid:
        content = strictly(text.strip().lstrip("\ufeff"))
        assert parsed.category_ids == (IDS[int(content["answer"]) - 1],)
        assert parsed.level == (content["level"] if graded else None)


@fuzz(share=10)
@given(answer=st.integers(1, 7), level=st.sampled_from(LEVELS), space=st.text(alphabet=string.whitespace, max_size=3))
def test_white_space_around_and_inside_an_answer_changes_nothing(answer: int, level: str, space: str) -> None:
    text = f'{space}{{"level"{space}:{space}"{level}",{space}"answer":"{answer}"{space}}}{space}'
    inner = text.replace("\x0b", "").replace("\x0c", "")
    parsed = parse_terminal(inner, REGISTRY, LEVELS)
    assert (parsed.valid, parsed.choice_id, parsed.level) == (True, str(answer), level)
