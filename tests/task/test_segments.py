"""The segment cache of training.md 4.7: equal ids, and a proof that catches a poisoned entry."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from steel_task import METADATA, SHAPES, trajectory_row

from autoresearch.errors import InputError
from autoresearch.task import conversation
from autoresearch.task.assets import TaskAssets
from autoresearch.task.conversation import Conversation
from autoresearch.task.segments import PROVED_EVERY, PROVED_FIRST, SegmentCache

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


def decoded_rows(assets: TaskAssets, count: int) -> list[Conversation]:
    """Rows of every shape and both modes, each with a field of its own."""
    shapes = list(SHAPES.values())
    rows: list[Conversation] = []
    for number in range(count):
        metadata = {**METADATA, "field_name": f"F_{number}", "field_description": "炉号" * (number % 40)}
        row = trajectory_row(assets, shapes[number % 3], thinking=number % 2 == 0, metadata=metadata)
        rows.append(conversation.decode_row({**row, "source_id": f"s{number}"}))
    return rows


def test_rows_are_encoded_as_without_the_cache(assets: TaskAssets, tokenizer: PreTrainedTokenizerFast) -> None:
    rows = decoded_rows(assets, 30)
    cache = SegmentCache(tokenizer)
    for row in rows:
        assert cache.encode(row, answer_weight=8) == conversation.encode(tokenizer, row, answer_weight=8)
        assert cache.encode(row, only_answer=True) == conversation.encode(tokenizer, row, only_answer=True)


def test_first_rows_and_every_997th_are_proved(assets: TaskAssets, tokenizer: PreTrainedTokenizerFast) -> None:
    row = decoded_rows(assets, 1)[0]
    cache = SegmentCache(tokenizer)
    for _ in range(PROVED_EVERY):
        cache.encode(row)
    assert cache.proved == PROVED_FIRST + 1


def test_head_is_rendered_once_a_release(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autoresearch.task import segments

    rendered: list[int] = []
    whole = segments.render

    def counted(judge: Any, row: Conversation) -> str:
        rendered.append(1)
        return whole(judge, row)

    rows = [row for row in decoded_rows(assets, 200) if row.enable_thinking]
    monkeypatch.setattr(segments, "render", counted)
    cache = SegmentCache(tokenizer)
    for row in rows:
        cache.encode(row)
    assert len(rendered) == cache.proved + 1


def test_poisoned_part_is_caught(assets: TaskAssets, tokenizer: PreTrainedTokenizerFast) -> None:
    rows = decoded_rows(assets, 2)
    cache = SegmentCache(tokenizer)
    cache.encode(rows[0])
    cache.encode(rows[0])
    piece, part = next(iter(cache._parts.items()))
    cache._parts[piece] = part._replace(ids=[*part.ids[:-1], part.ids[0]])
    with pytest.raises(InputError, match="T040"):
        cache.encode(rows[0])


def test_poisoned_head_is_caught(assets: TaskAssets, tokenizer: PreTrainedTokenizerFast) -> None:
    rows = decoded_rows(assets, 1)
    cache = SegmentCache(tokenizer)
    cache.encode(rows[0])
    key, head = next(iter(cache._heads.items()))
    cache._heads[key] = head._replace(text=f"x{head.text}")
    with pytest.raises(InputError, match="T040"):
        cache.encode(rows[0])


def test_system_block_stays_cached_among_rows_with_long_results(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast
) -> None:
    cache = SegmentCache(tokenizer)
    for row in decoded_rows(assets, 40):
        if row.enable_thinking:
            cache.encode(row)
    assert any("# Tools" in piece for piece in cache._parts)


def test_row_that_holds_a_cached_part_elsewhere_is_proved(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast
) -> None:
    rows = decoded_rows(assets, 1)
    cache = SegmentCache(tokenizer)
    for _ in range(PROVED_FIRST + 1):
        cache.encode(rows[0])
    before = cache.proved
    short = next(iter(cache._parts))[: -len("<|im_end|>")]
    cache._parts[short] = cache._encode_whole(short)
    cache.encode(rows[0])
    assert cache.proved == before + 1


def test_template_that_does_not_let_its_head_be_cut_off_is_rendered_whole(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast
) -> None:
    other = copy.copy(tokenizer)
    other.chat_template = tokenizer.chat_template.replace(
        "'<|im_start|>user\\n' ~ text", "'<|im_start|>user\\n' ~ messages | length ~ text"
    )
    assert other.chat_template != tokenizer.chat_template
    cache = SegmentCache(other)
    for row in decoded_rows(assets, 6):
        assert cache.encode(row) == conversation.encode(other, row)
    assert all(head.text is None for head in cache._heads.values())


def test_rows_are_refused_as_without_the_cache(assets: TaskAssets, tokenizer: PreTrainedTokenizerFast) -> None:
    row = trajectory_row(assets, [], thinking=True)
    with pytest.raises(InputError, match="T022"):
        SegmentCache(tokenizer).encode(conversation.decode_row({**row, "enable_thinking": False}))
