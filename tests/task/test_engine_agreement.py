"""The engine reads rows back as they were written: its call parser and its turn boundaries (training.md 4.8, points
5 and 6).
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from steel_task import METADATA, SHAPES, Call, trajectory_row

from autoresearch.task import conversation
from autoresearch.task.assets import TaskAssets
from autoresearch.task.tools import tool_schemas, with_null_text

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

AWKWARD: list[Call] = [
    ("search_categories", {"field_name": "null", "table_name": "NULL", "field_description": '炉"号"\n{x}'}),
    ("search_categories", {"field_name": "True", "table_name": "", "field_description": "[1, 2]"}),
    ("browse_categories", {}),
    ("browse_categories", {"prefix": "生产数据"}),
]


def assistant_ids(tokenizer: PreTrainedTokenizerFast, row: conversation.Conversation) -> list[list[int]]:
    """The ids that a rollout would have to produce for each turn."""
    encoded = conversation.encode(tokenizer, row)
    turns: list[list[int]] = []
    inside = False
    for token, weight in zip(encoded.input_ids, encoded.loss_mask, strict=True):
        if weight and not inside:
            turns.append([])
        if weight:
            turns[-1].append(token)
        inside = bool(weight)
    return turns


@pytest.mark.parametrize("thinking", [True, False])
def test_stored_calls_come_back_from_the_engines_parser(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, thinking: bool
) -> None:
    parsers = pytest.importorskip("verl.experimental.agent_loop.tool_parser")
    schemas = pytest.importorskip("verl.tools.schemas")
    parser = parsers.ToolParser.get_tool_parser("qwen3_coder", tokenizer)
    tools = [schemas.OpenAIFunctionToolSchema(**schema) for schema in tool_schemas()]
    calls = [*SHAPES["multi_tool"], *AWKWARD]
    row = conversation.decode_row(trajectory_row(assets, calls, thinking=thinking, metadata=METADATA))
    *turns, last = assistant_ids(tokenizer, row)

    async def parse() -> list[list[Any]]:
        return [(await parser.extract_tool_calls(ids, tools))[1] for ids in [*turns, last]]

    parsed = asyncio.run(parse())
    assert parsed[-1] == []
    for (name, arguments), found in zip(calls, parsed[:-1], strict=True):
        assert [call.name for call in found] == [name]
        assert with_null_text(name, json.loads(found[0].arguments)) == _lowered_null(arguments)


def _lowered_null(arguments: dict[str, Any]) -> dict[str, Any]:
    """The parser reads ``null`` in any case as nothing, so its case is lost."""
    return {
        key: "null" if isinstance(value, str) and value.lower() == "null" else value for key, value in arguments.items()
    }


@pytest.mark.parametrize("thinking", [True, False])
def test_rollout_ids_over_tool_boundaries_are_those_of_the_row(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, thinking: bool
) -> None:
    wiring = pytest.importorskip("verl.utils.tokenizer.continuous_token")
    builder = wiring.QwenContinuousTokenBuilder(tokenizer, chat_template_kwargs={"enable_thinking": thinking})
    row = conversation.decode_row(trajectory_row(assets, SHAPES["multi_tool"], thinking=thinking))
    whole = conversation.encode(tokenizer, row).input_ids
    turns = assistant_ids(tokenizer, row)
    ids = list(builder.build_initial_tokens(row.messages[:2], tools=row.tools))
    for place, turn in enumerate(turns):
        assert whole[: len(ids)] == ids
        ids = list(builder.merge_assistant_tokens(ids, turn).token_ids)
        assert whole[: len(ids)] == ids
        at = 2 + 2 * place
        if place + 1 < len(turns):
            before = row.messages[: at + 1]
            after = [*before, {"role": "tool", "content": row.messages[at + 1]["content"]}]
            ids = list(builder.merge_context_tokens(before, after, ids, tools=row.tools).token_ids)
    assert whole[len(ids) :] == tokenizer("\n", add_special_tokens=False)["input_ids"]
