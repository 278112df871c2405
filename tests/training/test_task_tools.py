from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("verl")
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from episode_world import write_assets

from autoresearch.errors import EpisodeError, InputError
from autoresearch.task.tools import TOOL_NAMES, tools_json
from autoresearch.training.loop_settings import MULTI_TURN, settings_differences, tools_config, write_tools_config
from autoresearch.training.task_tools import FAILURE_ATTRIBUTE, TaskTool, environment


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_assets(tmp_path_factory.mktemp("world") / "assets")


def load(folder: Path, tmp_path: Path) -> list[Any]:
    from verl.tools.tool_registry import load_all_tools

    write_tools_config(tmp_path / "tools.yaml", assets=folder)
    return list(load_all_tools(str(tmp_path / "tools.yaml"), None))


def tool(folder: Path, name: str) -> TaskTool:
    from verl.tools.schemas import OpenAIFunctionToolSchema

    entry = next(item for item in tools_config(folder)["tools"] if item["config"]["tool"] == name)
    return TaskTool(entry["config"], OpenAIFunctionToolSchema.model_validate(entry["tool_schema"]))


def execute(made: TaskTool, parameters: dict[str, Any], agent_data: Any = None) -> tuple[str, bool]:
    response, reward, notes = asyncio.run(made.execute("id", parameters, agent_data=agent_data))
    assert reward == 0.0
    return response.text, notes["tool_error"]


def test_verls_dump_of_the_loaded_tools_is_the_tools_column_byte_for_byte(assets: Path, tmp_path: Path) -> None:
    tools = load(assets, tmp_path)
    dumped = [made.tool_schema.model_dump(exclude_unset=True, exclude_none=True) for made in tools]
    assert json.dumps(dumped, ensure_ascii=False) == tools_json()
    assert tuple(made.name for made in tools) == tuple(TOOL_NAMES)


def test_loading_prints_nothing_to_standard_output(
    assets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load(assets, tmp_path)
    assert capsys.readouterr().out == ""


def test_a_search_is_answered_as_json_text(assets: Path) -> None:
    text, wrong = execute(tool(assets, "search_categories"), {"field_name": "ORDER_NO", "table_name": "销售订单"})
    assert not wrong and json.loads(text)["candidates"][0]["choice_id"] == "1"


def test_a_wrong_call_is_an_error_for_the_model(assets: Path) -> None:
    text, wrong = execute(tool(assets, "get_category_details"), {"choice_ids": "1"})
    assert wrong and set(json.loads(text)) == {"error"}


def test_none_is_the_text_null_for_a_string_and_stays_none_elsewhere(assets: Path) -> None:
    search = tool(assets, "search_categories")
    assert execute(search, {"field_name": None, "table_name": "T"}) == execute(
        search, {"field_name": "null", "table_name": "T"}
    )
    assert execute(tool(assets, "get_category_details"), {"choice_ids": None})[1]


def test_an_infrastructure_failure_is_noted_on_the_episode_and_raised(tmp_path: Path) -> None:
    folder = write_assets(tmp_path / "assets")
    made = tool(folder, "browse_categories")
    for path in folder.iterdir():
        path.unlink()
    agent_data = SimpleNamespace()
    with pytest.raises(EpisodeError, match="browse_categories failed"):
        execute(made, {}, agent_data)
    assert isinstance(getattr(agent_data, FAILURE_ATTRIBUTE), EpisodeError)


def test_results_are_computed_once_for_equal_arguments(assets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from autoresearch.task.tools import ToolBox

    made = tool(assets, "search_categories")
    first = execute(made, {"field_name": "ONCE", "table_name": "T"})

    def refuse(*_: Any) -> Any:
        raise AssertionError("asked again")

    monkeypatch.setattr(ToolBox, "call", refuse)
    assert execute(made, {"table_name": "T", "field_name": "ONCE"}) == first


def test_changed_assets_are_read_again(tmp_path: Path) -> None:
    folder = write_assets(tmp_path / "assets")
    before = environment(str(folder))
    assert environment(str(folder)) is before
    registry = json.loads((folder / "registry.json").read_text(encoding="utf-8"))
    registry["categories"][0]["name"] = "改名以后的订单"
    (folder / "registry.json").write_text(json.dumps(registry, ensure_ascii=False), encoding="utf-8")
    assert "改名以后的订单" in environment(str(folder)).system_text(False)


def test_absent_assets_are_served_by_the_environment_variables(
    assets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autoresearch.files import sha256_file, write_json

    with pytest.raises(InputError, match="missing"):
        environment(str(tmp_path / "gone"))
    entry = {"path": str(assets / "grading.json"), "sha256": sha256_file(assets / "grading.json")}
    write_json(tmp_path / "manifest.json", {"datasets": {"steel": entry}})
    monkeypatch.setitem(os.environ, "AUTORESEARCH_REGISTRY", str(assets / "registry.json"))
    monkeypatch.setitem(os.environ, "AUTORESEARCH_CORPUS", str(assets / "corpus.json"))
    monkeypatch.setitem(os.environ, "AUTORESEARCH_GRADING_MANIFEST", str(tmp_path / "manifest.json"))
    assert environment(str(tmp_path / "gone")).system_text(False) == environment(str(assets)).system_text(False)


def test_each_setting_that_differs_is_said_with_both_values() -> None:
    assert settings_differences(MULTI_TURN) == []
    (said,) = settings_differences({**MULTI_TURN, "max_user_turns": None})
    assert said == "rollout.multi_turn.max_user_turns is None, must be 3"
    assert len(settings_differences({})) == len(MULTI_TURN)
