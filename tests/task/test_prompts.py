"""The exact prompt texts of data-line 5.2 and 5.3."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from steel_task import LEAVES, write_assets

from autoresearch.errors import InputError
from autoresearch.task import prompts
from autoresearch.task.assets import TaskAssets

GOLDEN = Path(__file__).parent / "golden"
METADATA = {
    "field_name": "HEAT_NO",
    "table_name": "T_HEAT",
    "field_description": '炉号"主键"',
    "table_description": "炉次表",
    "database_name": "MES",
}


@pytest.mark.parametrize("thinking", [True, False])
def test_native_system_text_is_the_golden_one(assets: TaskAssets, thinking: bool) -> None:
    expected = (GOLDEN / f"native_system_{'on' if thinking else 'off'}.txt").read_text(encoding="utf-8")
    assert prompts.native_system(assets, thinking) == expected


def test_native_system_with_thinking_forbids_no_reasoning(assets: TaskAssets) -> None:
    on, off = prompts.native_system(assets, True), prompts.native_system(assets, False)
    assert prompts.THINKING_ON in on
    assert "no reasoning" not in on.lower()
    assert on.replace(prompts.THINKING_ON, prompts.THINKING_OFF) == off


def test_native_system_is_built_once_an_assets_object(assets: TaskAssets) -> None:
    assert prompts.native_system(assets, True) is prompts.native_system(assets, True)


def test_native_system_refuses_an_ungraded_task(assets: TaskAssets) -> None:
    with pytest.raises(InputError, match="grading"):
        prompts.native_system(TaskAssets(assets.registry, assets.corpus, assets.task), True)


def test_rubric_without_descriptions_holds_codes_only(assets: TaskAssets) -> None:
    from autoresearch.standards.grading import GradingConfig

    bare = TaskAssets(assets.registry, assets.corpus, assets.task, GradingConfig.from_obj({"levels": ["L1", "L2"]}))
    assert '\n[["L1"],["L2"]]\n' in prompts.native_system(bare, False)


def test_native_user_is_compact_json_in_the_configured_order() -> None:
    assert prompts.native_user(METADATA, ("table_name", "field_name")) == (
        'Field:\n{"table_name":"T_HEAT","field_name":"HEAT_NO"}'
    )
    assert '"field_description":"炉号\\"主键\\""' in prompts.native_user(METADATA, ("field_description",))


def test_native_user_shows_configured_fields_only(assets: TaskAssets) -> None:
    assert "MES" not in prompts.native_user(METADATA, assets.fields)


def test_two_stage_texts_are_the_golden_ones(assets: TaskAssets) -> None:
    ids = [leaf.category_id for leaf in assets.registry.leaves]
    five = [ids[3], ids[1], ids[7], ids[0], ids[4]]
    ungraded = TaskAssets(assets.registry, assets.corpus, assets.task)
    parts = [
        prompts.stage1_system(),
        prompts.stage1_user(assets, METADATA, assets.fields),
        prompts.stage1_target(["4", "2", "8", "1", "5"]),
        prompts.stage2_system(True),
        prompts.stage2_user(assets, five, METADATA, assets.fields),
        prompts.stage2_target("2", "L2"),
        prompts.stage2_system(False),
        prompts.stage2_user(ungraded, five, METADATA, assets.fields),
        prompts.stage2_target("2"),
    ]
    expected = (GOLDEN / "two_stage.txt").read_text(encoding="utf-8")
    assert "\n=====\n".join(parts) == expected


def test_terminal_text_has_the_separators_of_a_stored_row() -> None:
    assert prompts.terminal_text("12", "L2") == '{"answer": "12", "level": "L2"}'


def test_no_prompt_text_holds_a_canonical_id_or_code(assets: TaskAssets) -> None:
    from autoresearch.task.leaks import PromptLeaks

    leaks = PromptLeaks(assets.registry)
    ids = [leaf.category_id for leaf in assets.registry.leaves][:5]
    for text in (
        prompts.native_system(assets, True),
        prompts.stage1_user(assets, METADATA, assets.fields),
        prompts.stage2_user(assets, ids, METADATA, assets.fields),
    ):
        assert leaks.in_system(text) == ()


def test_display_names_that_differ_by_code_only_are_refused(tmp_path: Path) -> None:
    leaves = copy.deepcopy(LEAVES)
    leaves[0]["name"], leaves[1]["name"] = "指标 B2-1", "指标 B2-10"
    clashing = TaskAssets.load(write_assets(tmp_path, leaves))
    with pytest.raises(InputError, match="F034"):
        prompts.native_system(clashing, True)


def test_display_names_are_made_unique_after_redaction(tmp_path: Path) -> None:
    leaves = copy.deepcopy(LEAVES)
    leaves[0]["name"], leaves[1]["name"] = "指标 B2-1", "指标 B2-10"
    leaves[0]["path"] = ["成分", "指标 B2-1"]
    shown = TaskAssets.load(write_assets(tmp_path, leaves)).catalogue
    assert [entry.name for entry in shown.entries][:2] == ["成分 / 指标 [redacted-id]", "指标 [redacted-id]"]
