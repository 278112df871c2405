"""Any filled shard: the accepted shapes give their slots, every other line is refused by shard and line (3.13)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fuzzing import ANY_TEXT, ESCAPED, batches, fuzz, json_texts, json_values, put, refused
from hypothesis import given, note
from hypothesis import strategies as st

from autoresearch.releases.thought_files import load_thoughts

SLOT = st.text(min_size=1, max_size=6).filter(lambda text: bool(text.strip()))
SLOTS = st.lists(SLOT, min_size=1, max_size=4)
TURNS = ("assistant", "turns", "assistant_think", "assistant_thinks")
TOOLS = ("tool", "tools", "tool_think", "tool_thinks")
TOP_TURNS = ("assistant_think", "assistant_thinks", "think_turns")
TOP_TOOLS = ("tool_think", "tool_thinks")
TERMINALS = ("terminal", "final")
Shape = tuple[dict[str, Any], list[str]]


@st.composite
def accepted(draw: st.DrawFn) -> Shape:
    """One of the shapes that 3.13 accepts, written by its table, and the slots that it means."""
    slots = draw(SLOTS)
    *calls, terminal = slots
    form = draw(
        st.sampled_from(["preferred", "list", "object-turns", "object-tools", "mixed", "top-turns", "top-turns-blank"])
    )
    content: dict[str, Any]
    if form == "preferred":
        content = {"think": terminal, draw(st.sampled_from(TOP_TOOLS)): calls}
    elif form == "list":
        content = {"think": slots}
    elif form == "object-turns":
        said = draw(st.sampled_from([{}, {draw(st.sampled_from(TERMINALS)): terminal}]))
        content = {"think": {**said, draw(st.sampled_from(TURNS)): slots}}
    elif form == "object-tools":
        content = {"think": {draw(st.sampled_from(TERMINALS)): terminal, draw(st.sampled_from(TOOLS)): calls}}
    elif form == "mixed":
        content = {
            "think": {draw(st.sampled_from(TERMINALS)): terminal},
            draw(st.sampled_from(TOP_TOOLS)): calls,
        }
    else:
        content = {draw(st.sampled_from(TOP_TURNS)): slots}
        if form == "top-turns-blank":
            content["think"] = draw(st.sampled_from(["", " ", None]))
    if draw(st.booleans()):
        content["assistant_turns"] = len(slots)
    if draw(st.booleans()):
        content["prompt"] = draw(ANY_TEXT)
    return content, slots


@fuzz(share=10)
@given(
    shapes=st.lists(accepted(), min_size=1, max_size=3), indent=st.booleans(), blank=st.sampled_from(["", " ", "\t"])
)
def test_each_accepted_shape_gives_its_slots_whatever_stands_in_them(
    tmp_path: Path, shapes: list[Shape], indent: bool, blank: str
) -> None:
    lines = [
        json.dumps({"sample_id": f"s{number}", **content}, ensure_ascii=indent)
        for number, (content, _) in enumerate(shapes)
    ]
    found = load_thoughts(put(tmp_path / "think-train-000.jsonl", f"\n{blank}\n".join(lines) + "\n"))
    assert {key: list(item.for_turns(len(item.slots))) for key, item in found.items()} == {
        f"s{number}": slots for number, (_, slots) in enumerate(shapes)
    }
    assert not any(item.single for item in found.values())


@fuzz(share=10)
@given(thought=SLOT, turns=st.integers(1, 9))
def test_a_single_thought_serves_every_turn_whatever_it_says(tmp_path: Path, thought: str, turns: int) -> None:
    line = json.dumps({"sample_id": "s", "think": thought}, ensure_ascii=False)
    item = load_thoughts(put(tmp_path / "a.jsonl", line))["s"]
    assert item.single
    assert item.for_turns(turns) == (thought,) * turns


SPOILS = [
    "no-id",
    "blank-id",
    "another-alias",
    "unknown-key",
    "blank-slot",
    "number-slot",
    "no-terminal",
    "other-terminal",
    "turns-wrong",
    "turns-type",
    "both-lists",
    "both-places",
    "not-object",
    "again",
]


def spoil(content: dict[str, Any], slots: list[str], how: str) -> list[Any]:
    """Lines that break exactly one rule of 3.13."""
    good = {"sample_id": "s", **content}
    tools = {"sample_id": "s", "think": "t", "tool_think": ["a"]}
    broken: dict[str, list[Any]] = {
        "no-id": [content],
        "blank-id": [{**good, "sample_id": " \u3000"}],
        "another-alias": [{**tools, "tool_thinks": ["a"]}],
        "unknown-key": [{"sample_id": "s", "think": {"terminal": "t", "last": slots}}],
        "blank-slot": [{"sample_id": "s", "think": [*slots, " ", "t"]}],
        "number-slot": [{"sample_id": "s", "think": [*slots, 1]}],
        "no-terminal": [{"sample_id": "s", "tool_think": slots}],
        "other-terminal": [{"sample_id": "s", "think": {"final": slots[-1] + "x", "turns": slots}}],
        "turns-wrong": [{**tools, "assistant_turns": 2 + len(slots)}],
        "turns-type": [{**good, "assistant_turns": value} for value in (True,)],
        "both-lists": [{"sample_id": "s", "think": {"turns": slots, "tool": slots}}],
        "both-places": [{"sample_id": "s", "think": slots, "tool_think": slots}],
        "not-object": [[good]],
        "again": [good, good],
    }
    return broken[how]


@fuzz(share=10)
@given(shape=accepted(), how=st.sampled_from(SPOILS))
def test_each_broken_rule_is_refused_with_shard_and_line(tmp_path: Path, shape: Shape, how: str) -> None:
    lines = spoil(*shape, how)
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    made, message = refused(lambda: load_thoughts(put(tmp_path / "think-val-000.jsonl", text)))
    assert made is None
    assert f"think-val-000.jsonl, line {len(lines)}" in message
    assert "\n" not in message


KEYS = st.sampled_from(["sample_id", "think", "assistant_turns", "prompt", *TURNS, *TOOLS, *TOP_TURNS, *TERMINALS])
OBJECTS = st.dictionaries(KEYS, st.one_of(st.lists(ANY_TEXT | KEYS, max_size=3), json_values(KEYS)), max_size=4)
ANYTHING = st.one_of(
    OBJECTS.map(lambda content: {"sample_id": "s", **content}),
    st.tuples(OBJECTS, OBJECTS).map(lambda pair: {"sample_id": "s", **pair[0], "think": pair[1]}),
    json_values(KEYS),
)
LINES = accepted().map(lambda shape: json.dumps({"sample_id": "s", **shape[0]}, ensure_ascii=False))


@fuzz(300, batched=True)
@given(texts=batches(st.one_of(st.lists(json_texts(ANYTHING), max_size=2).map("\n".join), LINES)))
def test_any_lines_are_thoughts_with_filled_slots_or_one_refusal(tmp_path: Path, texts: list[str]) -> None:
    for text in texts:
        note(text)
        made, message = refused(lambda text=text: load_thoughts(put(tmp_path / "a.jsonl", text)))  # type: ignore[misc]
        if made is None:
            assert message.count("a.jsonl, line ") >= 1
            assert "\n" not in message
            continue
        for key, item in made.items():
            assert key.strip()
            assert item.slots
            assert all(isinstance(slot, str) and slot.strip() for slot in item.slots)
            assert item.for_turns(len(item.slots)) == item.slots
            "".join(item.slots).encode("utf-8")


@fuzz(share=10)
@given(
    data=st.one_of(st.binary(max_size=60), ESCAPED.map(lambda text: f'{{"sample_id":"s","think":"{text}"}}'.encode()))
)
def test_any_bytes_are_thoughts_or_one_refusal(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    refused(lambda: load_thoughts(path))
