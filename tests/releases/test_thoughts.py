"""Thoughts: form, cost, caps, and every accepted and refused shape of a filled shard (3.13, 6.3, 6.4)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autoresearch.errors import InputError
from autoresearch.releases.thought_files import load_thoughts
from autoresearch.releases.thoughts import (
    ESTIMATE,
    MOCK_THOUGHTS,
    Caps,
    cap_thoughts,
    estimate_tokens,
    shorten,
    thought_problems,
)


@pytest.mark.parametrize(
    "thought",
    [
        "炉号属于炉次信息。",
        "版本 2.5 与 3.1 相近，先检索。再看说明！",
        "看 {a} 与 [b]。",
        "the answer is near",
        "真的吗？！是。",
    ],
)
def test_a_short_balanced_thought_is_well_formed(thought: str) -> None:
    assert thought_problems(thought) == ()


@pytest.mark.parametrize(
    ("thought", "rule"),
    [
        ("  ", "blank"),
        ("一。二。三", "sentences"),
        ("先看 {目录。", "balance"),
        ("}{", "balance"),
        ("'answer' : 1", "key"),
        ("“level”：L2", "key"),
        ("{ answer }", "object"),
        ("想</think>", "control token"),
    ],
)
def test_each_rule_of_form_is_broken_by_its_example(thought: str, rule: str) -> None:
    assert any(rule in problem for problem in thought_problems(thought))


def test_mock_thoughts_are_well_formed_and_within_their_caps() -> None:
    caps = Caps()
    for thoughts in MOCK_THOUGHTS.values():
        for turn, thought in enumerate(thoughts):
            assert thought_problems(thought) == ()
            assert estimate_tokens(thought) <= caps.of_turn(turn, len(thoughts))


def test_the_estimate_counts_cjk_whole_and_the_rest_in_quarters() -> None:
    assert estimate_tokens("炉号") == 2
    assert estimate_tokens("HEAT_NO") == 2
    assert estimate_tokens("炉号 HEAT") == 2 + 2
    assert estimate_tokens("") == 0


def test_the_tool_cap_is_sixty_four_or_the_terminal_cap_if_lower() -> None:
    assert (Caps(128).tool, Caps(128).terminal) == (64, 128)
    assert Caps(20).tool == 20


def test_truncation_keeps_the_longest_prefix_with_balanced_brackets() -> None:
    assert shorten("一二三四五", 3, ESTIMATE) == "一二三"
    assert shorten("一二{三四}五", 4, ESTIMATE) == "一二"
    with pytest.raises(InputError, match="balanced"):
        shorten("{一二三四}", 2, ESTIMATE)


def test_over_the_cap_a_row_is_truncated_or_discarded() -> None:
    thoughts = ("短。", "长" * 10)
    cut = cap_thoughts(thoughts, Caps(5), ESTIMATE, discard=False)
    assert cut.thoughts == ("短。", "长" * 5)
    assert cut.truncated_turns == 1
    assert cap_thoughts(thoughts, Caps(5), ESTIMATE, discard=True).thoughts is None


def shard(folder: Path, *lines: Any, name: str = "think-train-000.jsonl") -> Path:
    """Writes a shard; texts as they are, objects as JSON."""
    folder.mkdir(exist_ok=True)
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    (folder / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    return folder


ACCEPTED: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("preferred", {"think": "c", "tool_think": ["a", "b"], "assistant_turns": 3}, ("a", "b", "c")),
    ("direct as collected", {"think": "c", "tool_think": [], "assistant_turns": 1}, ("c",)),
    ("list", {"think": ["a", "b", "c"]}, ("a", "b", "c")),
    ("object with tools", {"think": {"terminal": "c", "tool": ["a", "b"]}}, ("a", "b", "c")),
    ("object with turns", {"think": {"final": "c", "turns": ["a", "b", "c"]}}, ("a", "b", "c")),
    ("object, tools at the top", {"think": {"terminal": "c"}, "tool_thinks": ["a", "b"]}, ("a", "b", "c")),
    ("assistant list at the top", {"think_turns": ["a", "b", "c"], "think": ""}, ("a", "b", "c")),
]


@pytest.mark.parametrize(("content", "slots"), [item[1:] for item in ACCEPTED], ids=[item[0] for item in ACCEPTED])
def test_each_accepted_shape_gives_its_slots(tmp_path: Path, content: dict[str, Any], slots: tuple[str, ...]) -> None:
    found = load_thoughts(shard(tmp_path / "s", {"sample_id": "x", **content}))["x"]
    assert found.for_turns(len(slots)) == slots
    with pytest.raises(InputError, match="line 1"):
        found.for_turns(len(slots) + 1)


def test_a_single_thought_serves_every_turn(tmp_path: Path) -> None:
    found = load_thoughts(shard(tmp_path / "s", "", {"sample_id": "x", "think": "t"}))["x"]
    assert found.single
    assert found.for_turns(3) == ("t", "t", "t")


REFUSED: list[tuple[str, Any, str]] = [
    ("no object", "[1]", "one JSON object"),
    ("bad JSON", "{", "line 1"),
    ("no id", {"think": "t"}, "sample_id"),
    ("blank id", {"sample_id": " ", "think": "t"}, "sample_id"),
    ("two aliases", {"sample_id": "x", "think": "t", "tool_think": ["a"], "tool_thinks": ["a"]}, "one slot"),
    ("two terminals by name", {"sample_id": "x", "think": {"terminal": "a", "final": "a"}}, "one slot"),
    ("assistant and tools", {"sample_id": "x", "think": {"turns": ["a"], "tool": ["a"]}}, "keep one"),
    ("inside and at the top", {"sample_id": "x", "think": ["a"], "tool_think": ["b"]}, "keep one place"),
    ("text beside turns", {"sample_id": "x", "think": "t", "think_turns": ["a"]}, "beside a list"),
    ("an unknown key", {"sample_id": "x", "think": {"last": "t"}}, "unknown key 'last'"),
    ("a blank slot", {"sample_id": "x", "think": "t", "tool_think": [" "]}, "call 1 is blank"),
    ("as collected", {"sample_id": "x", "think": "", "tool_think": [""], "assistant_turns": 2}, "blank"),
    ("no terminal", {"sample_id": "x", "tool_think": ["a"]}, "no terminal"),
    ("two terminals", {"sample_id": "x", "think": {"terminal": "z", "turns": ["a", "b"]}}, "two different"),
    ("turns of another type", {"sample_id": "x", "think": "t", "assistant_turns": True}, "assistant_turns"),
    (
        "turns that differ",
        {"sample_id": "x", "think": "t", "tool_think": ["a"], "assistant_turns": 3},
        "thoughts are 2",
    ),
    ("turns without slots", {"sample_id": "x", "think": "t", "assistant_turns": 2}, "one thought only"),
]


@pytest.mark.parametrize(("line", "message"), [item[1:] for item in REFUSED], ids=[item[0] for item in REFUSED])
def test_each_refusal_names_shard_and_line(tmp_path: Path, line: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load_thoughts(shard(tmp_path / "s", line))
    assert "think-train-000.jsonl, line 1" in str(caught.value)


def test_a_sample_twice_over_all_shards_is_refused(tmp_path: Path) -> None:
    line = {"sample_id": "x", "think": "t"}
    folder = shard(tmp_path / "s", line)
    shard(folder, "", line, name="think-val-000.jsonl")
    with pytest.raises(InputError, match=r"think-val-000\.jsonl, line 2: sample_id 'x' stands in think-train-000"):
        load_thoughts(folder)


def test_an_absent_source_and_a_folder_without_shards_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_thoughts(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no \\*\\.jsonl"):
        load_thoughts(tmp_path)
