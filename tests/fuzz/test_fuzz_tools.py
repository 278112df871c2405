"""Any arguments of any tool: a bounded result, or one message for the model that names no canonical id (5.4)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fuzzing import ANY_TEXT, batches, fuzz, json_values
from hypothesis import given
from hypothesis import strategies as st

from autoresearch.files import strict_json_loads
from autoresearch.standards.corpus import Corpus, CorpusCategory
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import NATIVE_FOUR, TaskConfig
from autoresearch.task.assets import TaskAssets
from autoresearch.task.tools import TOOL_NAMES, ToolBox, ToolCallError, check_arguments, tool_schemas

LONGEST = 4_000
ITEMS = [
    {
        "category_id": f"demo:{group}{number}-1",
        "name": f"{name}{number}",
        "description": f"{name}的说明，见{group}{number}-1。" * 9,
        "code": f"{group}{number}-1",
        "path": [name, f"{name}{number}"] if group == "A" else [],
    }
    for group, name in (("A", "经营"), ("B", "炉次"))
    for number in range(1, 10)
]
ASSETS = TaskAssets(
    LeafRegistry.from_obj({"categories": ITEMS, "groups": {"B": "生产"}}),
    Corpus.from_categories(CorpusCategory.model_validate({**item, "examples": ["例"] * 9}) for item in ITEMS),
    TaskConfig(metadata_fields=NATIVE_FOUR),
)
TOOLS = ToolBox(ASSETS)
SECRETS = sorted(ASSETS.registry.codes())
PROPERTIES = {schema["function"]["name"]: schema["function"]["parameters"]["properties"] for schema in tool_schemas()}
REQUIRED = {schema["function"]["name"]: schema["function"]["parameters"]["required"] for schema in tool_schemas()}
KINDS = {"string": str, "integer": int, "array": list}
KEYS = sorted({key for properties in PROPERTIES.values() for key in properties})
CHOICES = st.sampled_from([*map(str, range(0, 20)), "01", "１", "A1-1", "demo:A1-1"])
TEXTS = st.one_of(st.sampled_from(["炉号", "经营", "生产", "B", "b", "T_HEAT", " ", "", "A1-1"]), CHOICES, ANY_TEXT)
VALUES = st.one_of(
    TEXTS, st.integers(-1, 7), st.lists(CHOICES, max_size=6), st.lists(CHOICES, max_size=5, unique=True), st.text(),
    json_values(TEXTS),
)  # fmt: skip


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A call: often well formed, often with a wrong kind, a missing or an unknown argument."""
    name = draw(st.sampled_from([*TOOL_NAMES, *TOOL_NAMES, "search", ""]))
    given_: dict[str, Any] = {}
    for key, schema in PROPERTIES.get(name, {}).items():
        if key not in REQUIRED[name] and draw(st.booleans()):
            continue
        right: dict[str, st.SearchStrategy[Any]] = {
            "string": TEXTS,
            "integer": st.just(5) if key == "top_k" else st.integers(0, 6),
            "array": st.lists(CHOICES, min_size=1, max_size=5, unique=True),
        }
        given_[key] = draw(st.one_of(right[schema["type"]], right[schema["type"]], VALUES))
    if draw(st.sampled_from([False, False, False, True])):
        given_.pop(draw(st.sampled_from(KEYS)), None)
        given_.update(draw(st.dictionaries(st.sampled_from(KEYS) | ANY_TEXT, VALUES, max_size=1)))
    return name, given_


def as_text(call: tuple[str, dict[str, Any]]) -> str:
    return json.dumps(call, ensure_ascii=False)


def written_calls(texts: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The calls among ``texts``: what a parser of call text hands to the tools."""
    for text in texts:
        try:
            found = strict_json_loads(text)
        except ValueError:
            continue
        if isinstance(found, list) and len(found) == 2 and isinstance(found[0], str) and isinstance(found[1], dict):
            yield found[0], found[1]


@fuzz(400, batched=True)
@given(texts=batches(calls().map(as_text)))
def test_any_call_gives_a_bounded_result_or_one_message(texts: list[str]) -> None:
    for name, arguments in written_calls(texts):
        check_call(name, arguments)


def check_call(name: str, arguments: dict[str, Any]) -> None:
    before = json.dumps(arguments)
    text = TOOLS.call_text(name, arguments)
    assert json.dumps(arguments) == before
    assert len(text) <= LONGEST
    content = strict_json_loads(text)
    try:
        assert TOOLS.call(name, arguments) == content
        assert "error" not in content
    except ToolCallError as error:
        assert list(content) == ["error"]
        assert "\n" not in str(error)
        assert content["error"]
    for secret in SECRETS:
        assert secret not in text


@fuzz(400, batched=True)
@given(texts=batches(calls().map(as_text)))
def test_arguments_pass_the_check_exactly_when_they_fit_the_schema(texts: list[str]) -> None:
    for name, arguments in written_calls(texts):
        check_fit(name, arguments)


def check_fit(name: str, arguments: dict[str, Any]) -> None:
    kinds = PROPERTIES.get(name)
    fits = (
        kinds is not None
        and set(REQUIRED[name]) <= set(arguments) <= set(kinds)
        and all(type(value) is KINDS[kinds[key]["type"]] for key, value in arguments.items())
    )
    if fits:
        ids = arguments.get("choice_ids", ["1"])
        fits = (
            all(isinstance(item, str) for item in ids)
            and 1 <= len(ids) <= 5
            and len(set(ids)) == len(ids)
            and arguments.get("top_k", 5) == 5
            and 1 <= arguments.get("limit", 1) <= 5
            and bool(arguments.get("field_name", "x").strip())
        )
    try:
        check_arguments(name, arguments)
        passed = True
    except ToolCallError as error:
        passed = False
        assert str(error)
    assert passed == fits


@fuzz(share=10)
@given(name=st.sampled_from(TOOL_NAMES), arguments=json_values(TEXTS))
def test_arguments_that_are_no_object_are_told_to_the_model(name: str, arguments: Any) -> None:
    if not isinstance(arguments, dict):
        assert "error" in strict_json_loads(TOOLS.call_text(name, arguments))
