"""A row as a conversation, rendered once by the checkpoint's template, with the spans a model must learn
(training.md 4.2).

The implementation never renders a message alone: it renders the whole row once, finds the turns in the text, and maps
them to tokens by offsets. A row that would be trained in another form than inference sees it is refused with a
finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from autoresearch.files import strict_json_loads
from autoresearch.task.loss_mask import Encoded, mask_tokens
from autoresearch.task.turns import TEXT_END, TURN_END, TURN_START, Conversation, refuse

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

THOUGHT_MARK = re.compile("</?think>")
RESPONSE_OPEN, RESPONSE_CLOSE = "<tool_response>", "</tool_response>"


def decode_row(row: Mapping[str, Any], place: str = "") -> Conversation:
    """Decode a release row once: trajectory rows by their columns, three-message rows as plain chat without
    thinking.

    Raises ``InputError``: T011 for text inside decoded text, T012 for a mapping where text belongs, T022 for a switch
    that is no boolean.
    """
    place = place or str(row.get("source_id") or "")
    messages = [_decode_message(message, place) for message in row["messages"]]
    tools_text = row.get("tools")
    tools = None if tools_text is None else _decode(tools_text, "tools", place)
    if tools is not None and not (isinstance(tools, list) and all(isinstance(tool, dict) for tool in tools)):
        refuse("T011", place, "tools does not decode to a list of schemas", remedy="store the list as JSON text once")
    switch = row.get("enable_thinking")
    if switch is not None and not isinstance(switch, bool):
        refuse("T022", place, "enable_thinking must be true or false", value=str(switch))
    loss = row.get("message_loss")
    return Conversation(
        messages=messages,
        tools=tools,
        enable_thinking=bool(switch),
        message_loss=None if loss is None else tuple(bool(kept) for kept in loss),
        place=place,
    )


def _decode_message(message: Mapping[str, Any], place: str) -> dict[str, Any]:
    decoded = {key: value for key, value in message.items() if value is not None}
    if "tool_calls" not in decoded:
        return decoded
    calls = _decode(decoded["tool_calls"], "tool_calls", place)
    if not isinstance(calls, list):
        refuse("T011", place, "tool_calls does not decode to a list", remedy="store the list as JSON text once")
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("arguments"), dict):
            rule = "a call's arguments are not a mapping after one decoding"
            refuse("T011", place, rule, remedy="store tool_calls as JSON text once, arguments as an object")
    decoded["tool_calls"] = calls
    return decoded


def _decode(text: Any, column: str, place: str) -> Any:
    if not isinstance(text, str):
        rule = f"{column} holds {type(text).__name__} where JSON text belongs"
        refuse("T012", place, rule, remedy="store it as JSON text: Arrow would fill gaps with nulls")
    try:
        decoded = strict_json_loads(text)
    except ValueError as error:
        refuse("T011", place, f"{column} is not JSON ({error})", remedy="store it as JSON text once")
    if isinstance(decoded, str):
        refuse("T011", place, f"{column} is JSON text inside JSON text", remedy="encode it once only")
    return decoded


def apply_template(
    tokenizer: PreTrainedTokenizerFast,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None,
    enable_thinking: bool,
    *,
    add_generation_prompt: bool,
    place: str = "",
) -> str:
    """The text of messages by the tokenizer's own template, the switch always passed. Raises ``InputError`` T005."""
    try:
        text = tokenizer.apply_chat_template(
            list(messages),
            tools=list(tools) if tools else None,
            tokenize=False,
            add_generation_prompt=add_generation_prompt,
            enable_thinking=enable_thinking,
        )
    except Exception as error:  # a template is a program of its own: whatever it raises is its answer
        rule = f"the chat template refused the row ({error})"
        refuse("T005", place, rule, remedy="check messages and the model's chat template")
    return str(text)


def render(tokenizer: PreTrainedTokenizerFast, conversation: Conversation) -> str:
    """The whole conversation, rendered once. Raises ``InputError`` T005."""
    return apply_template(
        tokenizer,
        conversation.messages,
        conversation.tools,
        conversation.enable_thinking,
        add_generation_prompt=False,
        place=conversation.place,
    )


def generation_prompt(tokenizer: PreTrainedTokenizerFast, conversation: Conversation) -> str:
    """What the template appends to the prompt part (all before the first assistant turn) when it is asked for a
    turn.
    """
    roles = [message.get("role") for message in conversation.messages]
    head = conversation.messages[: roles.index("assistant") if "assistant" in roles else len(roles)]
    closed, opened = (
        apply_template(
            tokenizer,
            head,
            conversation.tools,
            conversation.enable_thinking,
            add_generation_prompt=asked,
            place=conversation.place,
        )
        for asked in (False, True)
    )
    if not opened.startswith(closed):
        refuse("T005", conversation.place, "the template changes the prompt when it appends the generation prompt")
    return opened[len(closed) :]


def prompt_text(
    tokenizer: PreTrainedTokenizerFast,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None,
    enable_thinking: bool,
) -> str:
    """What inference shows: system, user, tools, generation prompt."""
    return apply_template(tokenizer, messages, tools, enable_thinking, add_generation_prompt=True)


def prompt_ids(
    tokenizer: PreTrainedTokenizerFast,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None,
    enable_thinking: bool,
) -> list[int]:
    """The ids of ``prompt_text``: what a rollout of this prompt starts from."""
    text = prompt_text(tokenizer, messages, tools, enable_thinking)
    ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return ids


def check(tokenizer: PreTrainedTokenizerFast, conversation: Conversation) -> None:
    """Refuse what no rendering can repair. Raises ``InputError``: T013, T022, T023, T024."""
    place, messages = conversation.place, conversation.messages
    turns = [index for index, message in enumerate(messages) if message.get("role") == "assistant"]
    if not turns:
        refuse("T024", place, "the row has no assistant turn")
    last_user = max((index for index, message in enumerate(messages) if _is_real_user(message)), default=-1)
    if turns[0] < last_user:
        rule = "an assistant turn stands before the last user turn, where the template drops its thought"
        refuse("T023", place, rule, remedy="make one row a user turn")
    for index, message in enumerate(messages):
        thought = str(message.get("reasoning_content", ""))
        if index in turns and conversation.enable_thinking != bool(thought.strip()):
            has = "no thought" if conversation.enable_thinking else "a thought"
            rule = f"enable_thinking is {str(conversation.enable_thinking).lower()} and message {index} has {has}"
            refuse("T022", place, rule, remedy="store the switch that the row was written for")
        _check_marks(tokenizer, message, index, place)


def _is_real_user(message: Mapping[str, Any]) -> bool:
    text = str(message.get("content", "")).strip()
    return message.get("role") == "user" and not (text.startswith(RESPONSE_OPEN) and text.endswith(RESPONSE_CLOSE))


def _check_marks(tokenizer: PreTrainedTokenizerFast, message: Mapping[str, Any], index: int, place: str) -> None:
    special = special_pattern(tokenizer)
    spoken = message.get("role") == "assistant"
    for text in _texts([value for key, value in message.items() if key != "role"]):
        found = special.search(text) or (THOUGHT_MARK.search(text) if spoken else None)
        if found:
            rule = f"message {index} holds a token that marks turns or thoughts"
            refuse(
                "T013", place, rule, value=found.group(), remedy="remove it (data preprocess --control-tokens strip)"
            )


def _texts(node: Any) -> Iterable[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node.items():
            yield str(key)
            yield from _texts(value)
    elif isinstance(node, list | tuple):
        for value in node:
            yield from _texts(value)


@lru_cache(maxsize=8)
def special_pattern(tokenizer: PreTrainedTokenizerFast) -> re.Pattern[str]:
    """Pattern of every special token of a tokenizer and of the three marks of turns."""
    added = (token.content for token in tokenizer.added_tokens_decoder.values() if token.special)
    tokens = {TURN_START, TURN_END, TEXT_END, *tokenizer.all_special_tokens, *added} - {""}
    return re.compile("|".join(re.escape(token) for token in sorted(tokens, key=lambda token: (-len(token), token))))


def encode(
    tokenizer: PreTrainedTokenizerFast,
    conversation: Conversation,
    answer_weight: float = 1,
    only_answer: bool = False,
) -> Encoded:
    """Render a conversation once, encode it once, and mask by offsets.

    Raises ``InputError`` with one of T005, T013, T020, T021, T022, T023, T024, T025 when the row cannot be trained as
    inference would see it.
    """
    import numpy as np

    check(tokenizer, conversation)
    text = render(tokenizer, conversation)
    opening = generation_prompt(tokenizer, conversation)
    tokens = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    offsets = np.asarray(tokens["offset_mapping"], dtype=np.int64).reshape(-1, 2)
    return mask_tokens(conversation, text, opening, tokens["input_ids"], offsets, answer_weight, only_answer)
