"""Rows to tokens and masks: training.md 4.2, 4.3, 4.6 and the golden tests of 4.8."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from marked_text import marked
from steel_task import EMPTY, METADATA, SEARCH_CALL, SHAPES, Call, trajectory_row

from autoresearch.errors import InputError
from autoresearch.task import conversation, prompts
from autoresearch.task.assets import TaskAssets
from autoresearch.task.tools import ToolBox

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

GOLDEN = Path(__file__).parent / "golden"
ON_BY_DEFAULT = "{%- if enable_thinking is defined and enable_thinking is false -%}"
OFF_BY_DEFAULT = "{%- if not (enable_thinking is defined and enable_thinking is true) -%}"
Row = dict[str, Any]


def with_template(tokenizer: PreTrainedTokenizerFast, old: str, new: str) -> PreTrainedTokenizerFast:
    changed = copy.copy(tokenizer)
    assert old in tokenizer.chat_template
    changed.chat_template = tokenizer.chat_template.replace(old, new)
    return changed


def two_results_row(assets: TaskAssets, thinking: bool) -> Row:
    """Two tool results in a row: one block of the template."""
    row = trajectory_row(assets, [SEARCH_CALL], thinking=thinking)
    further = {
        **row["messages"][3],
        "name": "browse_categories",
        "content": ToolBox(assets).call_text("browse_categories", {}),
    }
    row["messages"].insert(4, further)
    return row


def three_message_row(assets: TaskAssets) -> Row:
    """A stage 2 row of the two-stage line."""
    five = [leaf.category_id for leaf in assets.registry.leaves[:5]]
    contents = (
        ("system", prompts.stage2_system(True)),
        ("user", prompts.stage2_user(assets, five, METADATA, assets.fields)),
        ("assistant", prompts.stage2_target("2", "L2")),
    )
    return {"messages": [{"role": role, "content": content} for role, content in contents], "source_id": "rec-1"}


def golden_row(assets: TaskAssets, shape: str, thinking: bool) -> Row:
    if shape == "three_message":
        return three_message_row(assets)
    if shape == "two_results":
        return two_results_row(assets, thinking)
    return trajectory_row(assets, SHAPES[shape], thinking=thinking)


CELLS = [(shape, thinking) for shape in (*SHAPES, "two_results") for thinking in (True, False)]
CELLS.append(("three_message", False))


@pytest.mark.parametrize(("shape", "thinking"), CELLS)
def test_mask_is_the_golden_one(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, shape: str, thinking: bool
) -> None:
    row = conversation.decode_row(golden_row(assets, shape, thinking))
    encoded = conversation.encode(tokenizer, row, answer_weight=8)
    expected = (GOLDEN / f"{shape}_{'on' if thinking else 'off'}.txt").read_text(encoding="utf-8")
    assert marked(tokenizer, encoded) == expected


@pytest.mark.parametrize(("shape", "thinking"), CELLS)
def test_ids_and_mask_are_those_of_a_template_with_generation_marks(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, shape: str, thinking: bool
) -> None:
    row = conversation.decode_row(golden_row(assets, shape, thinking))
    encoded = conversation.encode(tokenizer, row)
    opening = conversation.generation_prompt(tokenizer, row)
    own = (opening.removeprefix("<|im_start|>assistant\n"), row.messages[0]["content"])
    tools_head, tools_tail = "<|im_start|>system\n# Tools", "\n</tools>"
    if row.tools:
        tools_head = encoded.text[: encoded.text.index("<tools>") + len("<tools>")]
        tools_tail = encoded.text[encoded.text.index("\n</tools>") : encoded.text.index(own[1])]
    judged = tokenizer.apply_chat_template(
        row.messages,
        tools=row.tools,
        chat_template=(GOLDEN / "generation_marks.jinja").read_text(encoding="utf-8"),
        head_of_tools=tools_head,
        tail_of_tools=tools_tail,
        return_assistant_tokens_mask=True,
        return_dict=True,
        tokenize=True,
    )
    assert list(judged["input_ids"]) == encoded.input_ids
    expected = [int(weight) for weight in judged["assistant_masks"]]
    extra = len(tokenizer(own[0], add_special_tokens=False)["input_ids"])
    starts = [place for place, weight in enumerate(expected) if weight and not expected[place - 1]]
    for place in starts:
        expected[place : place + extra] = [0] * extra
    assert encoded.loss_mask == expected
    stock = tokenizer.apply_chat_template(
        row.messages, tools=row.tools, return_assistant_tokens_mask=True, return_dict=True, enable_thinking=thinking
    )
    assert not any(stock["assistant_masks"])


THINKING_TABLE = [
    ("on", "reasoning", None, True),
    ("on", "reasoning", True, True),
    ("on", "plain", None, False),
    ("on", "plain", False, True),
    ("off", "reasoning", None, False),
    ("off", "reasoning", True, True),
    ("off", "plain", None, True),
    ("off", "plain", False, True),
]


@pytest.mark.parametrize(("default", "row_kind", "switch", "is_prefix"), THINKING_TABLE)
def test_prompt_is_a_prefix_of_the_row_as_in_the_thinking_table(
    assets: TaskAssets,
    tokenizer: PreTrainedTokenizerFast,
    default: str,
    row_kind: str,
    switch: bool | None,
    is_prefix: bool,
) -> None:
    judge = tokenizer if default == "on" else with_template(tokenizer, ON_BY_DEFAULT, OFF_BY_DEFAULT)
    row = conversation.decode_row(trajectory_row(assets, [], thinking=row_kind == "reasoning"))
    passed = {} if switch is None else {"enable_thinking": switch}

    def ids(messages: list[dict[str, Any]], asked: bool) -> list[int]:
        text = judge.apply_chat_template(
            messages, tools=row.tools, tokenize=False, add_generation_prompt=asked, **passed
        )
        return list(judge(text, add_special_tokens=False)["input_ids"])

    prompt, whole = ids(row.messages[:2], True), ids(row.messages, False)
    assert (whole[: len(prompt)] == prompt) == is_prefix


@pytest.mark.parametrize("default", ["on", "off"])
@pytest.mark.parametrize("thinking", [True, False])
def test_ids_and_mask_do_not_hang_on_the_templates_default(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, default: str, thinking: bool
) -> None:
    judge = tokenizer if default == "on" else with_template(tokenizer, ON_BY_DEFAULT, OFF_BY_DEFAULT)
    row = conversation.decode_row(trajectory_row(assets, SHAPES["single_tool"], thinking=thinking))
    encoded = conversation.encode(judge, row, answer_weight=8)
    expected = (GOLDEN / f"single_tool_{'on' if thinking else 'off'}.txt").read_text(encoding="utf-8")
    assert marked(judge, encoded) == expected
    prompt = conversation.prompt_ids(judge, row.messages[:2], row.tools, thinking)
    assert encoded.input_ids[: len(prompt)] == prompt
    assert len(prompt) < len(encoded.input_ids)
    assert not any(encoded.loss_mask[: len(prompt)])
    assert encoded.loss_mask[len(prompt)] == 1


@pytest.mark.parametrize("thinking", [True, False])
def test_prompt_of_every_later_turn_is_a_prefix_too(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, thinking: bool
) -> None:
    row = conversation.decode_row(trajectory_row(assets, SHAPES["multi_tool"], thinking=thinking))
    whole = conversation.encode(tokenizer, row).input_ids
    for turn in (4, 6, 8):
        prompt = conversation.prompt_ids(tokenizer, row.messages[:turn], row.tools, thinking)
        assert whole[: len(prompt)] == prompt


@pytest.mark.parametrize(("stored", "switch"), [(True, False), (False, True)])
def test_switch_and_thoughts_that_disagree_are_refused(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, stored: bool, switch: bool
) -> None:
    row = trajectory_row(assets, SHAPES["single_tool"], thinking=stored)
    with pytest.raises(InputError, match="T022"):
        conversation.encode(tokenizer, conversation.decode_row({**row, "enable_thinking": switch}))


def test_one_empty_thought_among_others_is_refused(assets: TaskAssets, tokenizer: PreTrainedTokenizerFast) -> None:
    row = trajectory_row(assets, SHAPES["single_tool"], thinking=True)
    row["messages"][2]["reasoning_content"] = " "
    with pytest.raises(InputError, match="T022"):
        conversation.encode(tokenizer, conversation.decode_row(row))


def _tools_twice(row: Row) -> None:
    row["tools"] = json.dumps(row["tools"])


def _calls_twice(row: Row) -> None:
    row["messages"][2]["tool_calls"] = json.dumps(row["messages"][2]["tool_calls"])


def _arguments_twice(row: Row) -> None:
    calls = json.loads(row["messages"][2]["tool_calls"])
    calls[0]["function"]["arguments"] = json.dumps(calls[0]["function"]["arguments"])
    row["messages"][2]["tool_calls"] = json.dumps(calls)


def _tools_mapping(row: Row) -> None:
    row["tools"] = json.loads(row["tools"])


def _calls_mapping(row: Row) -> None:
    row["messages"][2]["tool_calls"] = json.loads(row["messages"][2]["tool_calls"])


@pytest.mark.parametrize(
    ("mutate", "code"),
    [
        (_tools_twice, "T011"),
        (_calls_twice, "T011"),
        (_arguments_twice, "T011"),
        (_tools_mapping, "T012"),
        (_calls_mapping, "T012"),
    ],
)
def test_rows_are_decoded_exactly_once(assets: TaskAssets, mutate: Callable[[Row], None], code: str) -> None:
    row = trajectory_row(assets, SHAPES["single_tool"], thinking=True)
    mutate(row)
    with pytest.raises(InputError, match=code):
        conversation.decode_row(row)


def test_null_keys_and_absent_arguments_stay_out(assets: TaskAssets, tokenizer: PreTrainedTokenizerFast) -> None:
    row = conversation.decode_row(trajectory_row(assets, SHAPES["multi_tool"], thinking=False))
    assert all(value is not None for message in row.messages for value in message.values())
    text = conversation.render(tokenizer, row)
    assert "None" not in text
    assert "scope>" not in text


@pytest.mark.parametrize("token", ["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|image_pad|>"])
@pytest.mark.parametrize("place", ["field", "description", "thought", "argument", "tool text", "argument name"])
def test_control_token_in_any_text_is_refused(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, token: str, place: str
) -> None:
    metadata = dict(METADATA)
    arguments = dict(SEARCH_CALL[1])
    if place in ("field", "description"):
        metadata[f"field_{'name' if place == 'field' else 'description'}"] += token
    if place == "argument":
        arguments["field_name"] += token
    thought = f"看{token}。" if place == "thought" else "看。"
    calls: list[Call] = [(SEARCH_CALL[0], arguments)]
    row = trajectory_row(assets, calls, thinking=True, thought=thought, metadata=metadata)
    if place == "tool text":
        row["messages"][3]["content"] += token
    if place == "argument name":
        row["messages"][2]["tool_calls"] = row["messages"][2]["tool_calls"].replace("table_name", f"t{token}")
    with pytest.raises(InputError, match="T013"):
        conversation.encode(tokenizer, conversation.decode_row(row))


@pytest.mark.parametrize("mark", ["<think>", "</think>"])
def test_thought_mark_inside_a_thought_is_refused(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, mark: str
) -> None:
    row = trajectory_row(assets, [], thinking=True, thought=f"看{mark}。")
    with pytest.raises(InputError, match="T013"):
        conversation.encode(tokenizer, conversation.decode_row(row))


def test_turn_that_opens_otherwise_than_inference_is_refused(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast
) -> None:
    other = with_template(tokenizer, "'<|im_start|>assistant\\n<think>\\n'", "'<|im_start|>assistant\\n<reason>\\n'")
    with pytest.raises(InputError, match="T020"):
        conversation.encode(other, conversation.decode_row(trajectory_row(assets, [], thinking=True)))


def test_token_across_the_beginning_of_a_turn_is_refused(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast
) -> None:
    other = with_template(tokenizer, "'<think>\\n' ~ (thought | trim)", "'<think>\\n\\n' ~ (thought | trim)")
    with pytest.raises(InputError, match="T021"):
        conversation.encode(other, conversation.decode_row(trajectory_row(assets, [], thinking=True)))


def test_assistant_turn_before_the_last_user_turn_is_refused(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast
) -> None:
    row = trajectory_row(assets, [], thinking=True)
    row["messages"] += [{**EMPTY, "role": "user", "content": "again"}, row["messages"][-1]]
    with pytest.raises(InputError, match="T023"):
        conversation.encode(tokenizer, conversation.decode_row(row))


def test_template_that_refuses_the_row_is_told_with_its_reason(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast
) -> None:
    row = trajectory_row(assets, [], thinking=True)
    row["messages"][1]["role"] = "guest"
    with pytest.raises(InputError, match="T005"):
        conversation.encode(tokenizer, conversation.decode_row(row))


def test_message_loss_blanks_turns_and_nothing_left_is_an_error(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast
) -> None:
    row = trajectory_row(assets, SHAPES["single_tool"], thinking=True)
    kept = [True] * len(row["messages"])
    kept[2] = False
    blanked = conversation.encode(tokenizer, conversation.decode_row({**row, "message_loss": kept}))
    last = conversation.encode(tokenizer, conversation.decode_row(row), only_answer=True)
    every = conversation.encode(tokenizer, conversation.decode_row(row))
    assert blanked.loss_mask == last.loss_mask
    assert 0 < sum(last.loss_mask) < sum(every.loss_mask)
    assert [span.message for span in last.spans] == [4]
    with pytest.raises(InputError, match="T024"):
        conversation.encode(tokenizer, conversation.decode_row({**row, "message_loss": [False] * len(kept)}))


def test_weight_lies_on_the_values_and_on_nothing_else(assets: TaskAssets, tokenizer: PreTrainedTokenizerFast) -> None:
    row = conversation.decode_row(
        trajectory_row(assets, [], thinking=True, thought='可能 {"answer": "1", "level": "L1"}。', answer=("12", "L3"))
    )
    plain = conversation.encode(tokenizer, row)
    weighted = conversation.encode(tokenizer, row, answer_weight=8)
    assert all(isinstance(weight, int) for weight in plain.loss_mask)
    assert [weight > 0 for weight in weighted.loss_mask] == [bool(weight) for weight in plain.loss_mask]
    assert [weighted.text[start:end] for start, end in weighted.values] == ["12", "L3"]
    heavy = [token for token, weight in zip(weighted.input_ids, weighted.loss_mask, strict=True) if weight == 8]
    assert "".join(tokenizer.convert_ids_to_tokens(heavy)) == "12L3"


@pytest.mark.parametrize(
    "content",
    [
        '{"answer": "1"}',
        '{"answer": "1", "level": ""}',
        '{"answer": 1, "level": "L1"}',
        '{"answer": "1", "level": "L1", "x": "y"}',
        'so: {"answer": "1", "level": "L1"}',
        '{"candidates":["1","2","3","4","5"]}',
    ],
)
def test_weight_without_two_values_is_refused(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, content: str
) -> None:
    row = trajectory_row(assets, [], thinking=False)
    row["messages"][-1]["content"] = content
    decoded = conversation.decode_row(row)
    assert any(conversation.encode(tokenizer, decoded).loss_mask)
    with pytest.raises(InputError, match="T025"):
        conversation.encode(tokenizer, decoded, answer_weight=8)


def test_values_are_found_behind_escapes_and_other_key_order(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast
) -> None:
    row = trajectory_row(assets, [], thinking=False)
    row["messages"][-1]["content"] = '{ "level" : "\\u004c2" , "answer":"\\"1\\"" }'
    encoded = conversation.encode(tokenizer, conversation.decode_row(row), answer_weight=2)
    assert [encoded.text[start:end] for start, end in encoded.values] == ['\\"1\\"', "\\u004c2"]


TEXT = st.text(
    alphabet=st.sampled_from(list("炉号A_z1 .,:;\"\\'{}[]<>/=|\n\t🙂é"))
    | st.characters(codec="utf-8", exclude_categories=["Cs"]),
    min_size=1,
    max_size=20,
).filter(lambda text: bool(text.strip()))
LOOK_ALIKES = st.sampled_from(
    ["null", "</parameter>", "<tool_call>", "<function=x>", "{{ x }}", "{% y %}", "assistant"]
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(TEXT | LOOK_ALIKES, min_size=4, max_size=4),
    TEXT,
    st.booleans(),
    st.sampled_from(sorted(SHAPES)),
)
def test_random_trajectories_are_masked_inside_their_spans(
    assets: TaskAssets,
    tokenizer: PreTrainedTokenizerFast,
    texts: list[str],
    thought: str,
    thinking: bool,
    shape: str,
) -> None:
    metadata = dict(zip(METADATA, texts, strict=True))
    calls = [
        (name, {**arguments, "field_name": texts[0]} if "field_name" in arguments else arguments)
        for name, arguments in SHAPES[shape]
    ]
    row = conversation.decode_row(trajectory_row(assets, calls, thinking=thinking, thought=thought, metadata=metadata))
    encoded = conversation.encode(tokenizer, row, answer_weight=8)
    whole = tokenizer.apply_chat_template(row.messages, tools=row.tools, enable_thinking=thinking, tokenize=False)
    assert encoded.input_ids == tokenizer(whole, add_special_tokens=False)["input_ids"]
    assert sum(encoded.loss_mask) > 0
    assert encoded.loss_mask[0] == 0
    assert len(encoded.spans) == len(calls) + 1
    offsets = tokenizer(whole, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
    for (start, end), weight in zip(offsets, encoded.loss_mask, strict=True):
        inside = any(span.start <= start and end <= span.end for span in encoded.spans)
        assert bool(weight) == inside
    prompt = conversation.prompt_ids(tokenizer, row.messages[:2], row.tools, thinking)
    assert encoded.input_ids[: len(prompt)] == prompt
