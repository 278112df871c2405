"""The four tools of data-line 5.4: schemas, strict arguments, results and their length."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from steel_task import LEAVES, corpus_items, write_assets

from autoresearch.errors import InputError
from autoresearch.task.assets import TaskAssets
from autoresearch.task.results import MOST_CHARACTERS
from autoresearch.task.tools import (
    TOOL_NAMES,
    ToolBox,
    ToolCallError,
    tool_schemas,
    tools_json,
    tools_sha256,
    with_null_text,
)

SEARCH, DETAILS, EXAMPLES, BROWSE = TOOL_NAMES


@pytest.fixture(scope="module")
def toolbox(assets: TaskAssets) -> ToolBox:
    return ToolBox(assets)


def test_tools_column_is_what_verl_dumps_of_it() -> None:
    schemas = pytest.importorskip("verl.tools.schemas")
    dumped = [
        schemas.OpenAIFunctionToolSchema(**schema).model_dump(exclude_unset=True, exclude_none=True)
        for schema in tool_schemas()
    ]
    assert json.dumps(dumped, ensure_ascii=False, separators=(", ", ": ")) == tools_json()


def test_property_schemas_use_type_description_and_enum_only() -> None:
    for schema in tool_schemas():
        assert list(schema) == ["type", "function"]
        assert list(schema["function"]) == ["name", "description", "parameters"]
        parameters = schema["function"]["parameters"]
        assert list(parameters) == ["type", "properties", "required"]
        for shown in parameters["properties"].values():
            assert set(shown) <= {"type", "description", "enum"}


def test_required_arguments_are_those_of_the_table() -> None:
    required = {schema["function"]["name"]: schema["function"]["parameters"]["required"] for schema in tool_schemas()}
    assert required == {
        SEARCH: ["field_name", "table_name"],
        DETAILS: ["choice_ids"],
        EXAMPLES: ["choice_ids"],
        BROWSE: [],
    }


def test_schemas_given_out_are_copies() -> None:
    before = tools_sha256()
    tool_schemas()[0]["function"]["name"] = "other"
    assert tools_sha256() == before


def test_search_finds_by_example_chinese_bigram_and_exact_name(toolbox: ToolBox) -> None:
    def first(**arguments: str) -> str:
        return str(toolbox.call(SEARCH, {"table_name": "", **arguments})["candidates"][0]["name"])

    assert first(field_name="LUHAO") == "炉号信息"
    assert first(field_name="X", field_description="测得温度") == "出钢温度"
    assert first(field_name="轧制规格", field_description="炉号") == "轧制规格"


def test_scope_filters_and_never_reweights(assets: TaskAssets) -> None:
    every = assets.index.search("编号", "", "合同编号 员工", top_k=len(assets.registry))
    inside = assets.index.search("编号", "", "合同编号 员工", scope="管理数据", top_k=len(assets.registry))
    keys = {entry.category_id: entry.scope_key for entry in assets.catalogue.entries}
    assert inside == [hit for hit in every if keys[hit.category_id] == "管理数据"]
    assert inside


def test_scope_is_accepted_by_name_letters_width_and_case(toolbox: ToolBox) -> None:
    texts = {toolbox.call_text(BROWSE, {"prefix": prefix}) for prefix in ("生产数据", "B", "b", " Ｂ ", "生产数据 ")}
    assert len(texts) == 1
    assert json.loads(texts.pop())["leaf_count"] == 4


def test_groups_with_one_name_are_told_apart_by_letters(tmp_path: Path) -> None:
    leaves = copy.deepcopy(LEAVES)
    leaves[3]["code"] = "C3-1"
    write_assets(tmp_path, leaves)
    registry = json.loads((tmp_path / "registry.json").read_text(encoding="utf-8"))
    registry["groups"] = {"B": "生产数据", "C": "生产数据"}
    (tmp_path / "registry.json").write_text(json.dumps(registry), encoding="utf-8")
    groups = ToolBox(TaskAssets.load(tmp_path)).call(BROWSE, {})["groups"]
    assert [group["scope_key"] for group in groups] == ["生产数据 (B)", "生产数据 (C)", "管理数据"]


def test_details_come_in_the_order_asked(toolbox: ToolBox) -> None:
    shown = toolbox.call(DETAILS, {"choice_ids": ["3", "1"]})["categories"]
    assert [item["choice_id"] for item in shown] == ["3", "1"]
    assert list(shown[0]) == ["choice_id", "name", "description", "descriptions"]


def test_examples_default_to_two(toolbox: ToolBox) -> None:
    def count(**limit: int) -> int:
        return len(toolbox.call(EXAMPLES, {"choice_ids": ["2"], **limit})["categories"][0]["examples"])

    assert (count(), count(limit=1), count(limit=5)) == (2, 1, 3)


def test_codes_in_results_are_redacted(toolbox: ToolBox) -> None:
    text = toolbox.call_text(DETAILS, {"choice_ids": ["8"]})
    assert "[redacted-id]" in text
    assert "B2-1" not in text


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("lookup", {}, "unknown tool"),
        (SEARCH, {"field_name": "A"}, "needs table_name"),
        (SEARCH, {"field_name": " ", "table_name": "T"}, "not be blank"),
        (SEARCH, {"field_name": "A", "table_name": "T", "top_k": 3}, "must be 5"),
        (SEARCH, {"field_name": "A", "table_name": "T", "top_k": True}, "type integer"),
        (SEARCH, {"field_name": "A", "table_name": "T", "top_k": 5.0}, "type integer"),
        (SEARCH, {"field_name": "A", "table_name": "T", "field_description": None}, "type string"),
        (SEARCH, {"field_name": "A", "table_name": "T", "limit": 2}, "field_name, table_name, field_description"),
        (SEARCH, {"field_name": "A", "table_name": "T", "scope": "Z"}, "生产数据, 管理数据"),
        (DETAILS, {}, "needs choice_ids"),
        (DETAILS, {"choice_ids": "1"}, "type array"),
        (DETAILS, {"choice_ids": []}, "1 to 5"),
        (DETAILS, {"choice_ids": ["1"] * 2}, "different"),
        (DETAILS, {"choice_ids": [1]}, "strings"),
        (DETAILS, {"choice_ids": ["9"]}, "1 to 8"),
        (DETAILS, {"choice_ids": ["01"]}, "unknown choice id"),
        (DETAILS, {"choice_ids": ["demo:B2-1"]}, "unknown choice id"),
        (EXAMPLES, {"choice_ids": ["1"], "limit": True}, "type integer"),
        (EXAMPLES, {"choice_ids": ["1"], "limit": 6}, "1 to 5"),
        (BROWSE, {"prefix": "nothing"}, "生产数据, 管理数据"),
    ],
)
def test_wrong_call_is_an_error_for_the_model(
    toolbox: ToolBox, name: str, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(ToolCallError, match=message):
        toolbox.call(name, arguments)
    assert list(json.loads(toolbox.call_text(name, arguments))) == ["error"]


def test_null_of_a_parser_is_the_text_null_for_string_parameters_only() -> None:
    assert with_null_text(SEARCH, {"field_name": None, "table_name": "T", "top_k": None}) == {
        "field_name": "null",
        "table_name": "T",
        "top_k": None,
    }


def test_registry_and_corpus_must_hold_the_same_ids(tmp_path: Path) -> None:
    further = [*corpus_items(), {"category_id": "demo:Z9-9", "name": "more"}]
    with pytest.raises(InputError, match="F033"):
        ToolBox(TaskAssets.load(write_assets(tmp_path, corpus=further)))


def test_equal_calls_give_equal_texts_from_another_box(assets: TaskAssets, toolbox: ToolBox) -> None:
    arguments = {"field_name": "LUHAO", "table_name": "T_HEAT"}
    assert ToolBox(assets).call_text(SEARCH, arguments) == toolbox.call_text(SEARCH, arguments)
    assert toolbox.search_texts([("LUHAO", "T_HEAT", "")]) == [toolbox.call_text(SEARCH, arguments)]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["field_name", "table_name", "choice_ids", "limit", "prefix", "scope", "top_k"])


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from([*TOOL_NAMES, "other"]), st.dictionaries(NAMES, JSON_VALUES, max_size=4))
def test_any_arguments_give_a_result_or_an_error_text(toolbox: ToolBox, name: str, arguments: dict[str, Any]) -> None:
    text = toolbox.call_text(name, arguments)
    assert isinstance(json.loads(text), dict)
    assert len(text) <= MOST_CHARACTERS


LONG = st.sampled_from(["", "短", "长" * 700, '"引号"' * 300, "x" * 3_000, "名称 B2-1 " * 90])


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(texts=st.lists(LONG, min_size=4, max_size=4), count=st.sampled_from([5, 60]))
@example(texts=["", "长" * 100, "根", "例" * 90], count=2_000)
def test_results_stay_within_four_thousand_characters(texts: list[str], count: int, tmp_path: Path) -> None:
    """Acceptance 37: every tool, up to 2,000 leaves, long texts."""
    leaves = [
        {
            "category_id": f"demo:L{number}",
            "name": f"{number}{texts[0]}",
            "description": texts[1],
            "path": [texts[2] or "根", f"{number}{texts[0]}"],
        }
        for number in range(count)
    ]
    corpus = [
        {
            "category_id": leaf["category_id"],
            "name": leaf["name"],
            "description": texts[1],
            "descriptions": [texts[2]] * 9,
            "examples": [texts[3]] * 9,
        }
        for leaf in leaves
    ]
    box = ToolBox(TaskAssets.load(write_assets(tmp_path, leaves, corpus)))
    five = ["1", "2", "3", "4", "5"]
    calls: list[tuple[str, dict[str, Any]]] = [
        (SEARCH, {"field_name": "L1", "table_name": "", "field_description": texts[1][:50] or "1"}),
        (DETAILS, {"choice_ids": five}),
        (EXAMPLES, {"choice_ids": five, "limit": 5}),
        (BROWSE, {}),
        (BROWSE, {"prefix": texts[2] or "根"}),
    ]
    for name, arguments in calls:
        text = box.call_text(name, arguments)
        assert len(text) <= MOST_CHARACTERS, name
        json.loads(text)


def test_a_long_browse_is_shortened_rung_by_rung_and_then_cut(tmp_path: Path) -> None:
    leaves = [
        {
            "category_id": f"demo:L{number}",
            "name": f"类别{number}",
            "description": "描" * 300,
            "path": ["根", f"类别{number}"],
        }
        for number in range(400)
    ]
    corpus = [{"category_id": leaf["category_id"], "name": leaf["name"]} for leaf in leaves]

    def browse(count: int) -> dict[str, Any]:
        folder = tmp_path / str(count)
        box = ToolBox(TaskAssets.load(write_assets(folder, leaves[:count], corpus[:count])))
        return box.call(BROWSE, {"prefix": "根"})

    assert {len(leaf["summary"]) for leaf in browse(10)["leaves"]} == {240}
    assert {len(leaf["summary"]) for leaf in browse(20)["leaves"]} == {120}
    assert {len(leaf["summary"]) for leaf in browse(60)["leaves"]} == {0}
    cut = browse(400)
    assert cut["leaf_count"] == 400 == len(cut["leaves"]) + cut["omitted"]
    assert "omitted" not in browse(60)
