"""Each check of 7.3 fails alone under a change made for it (acceptance 25, 26)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from release_copies import Copy

from autoresearch.task.assets import TaskAssets
from autoresearch.task.tools import ToolBox

Row = dict[str, Any]
Rows = list[Row]
Change = Callable[[Any], Any]


def first(rows: Rows, trajectory_class: str) -> Row:
    """The first row of a class."""
    return next(row for row in rows if row["trajectory_class"] == trajectory_class)


def set_call(row: Row, number: int, change: Change) -> None:
    """Change the arguments of a stored call and of its assistant turn."""
    stored = row["tool_calls"][number]
    arguments = json.loads(stored["arguments"])
    change(arguments)
    stored["arguments"] = json.dumps(arguments, ensure_ascii=False)
    turn = row["messages"][2 + 2 * number]
    call = json.loads(turn["tool_calls"])
    call[0]["function"]["arguments"] = arguments
    turn["tool_calls"] = json.dumps(call, ensure_ascii=False)


def put_turn(row: Row, to: int, turn: Row, result: Row) -> None:
    """Write a call turn and its result at message ``to``; the thought of the place stays."""
    thought = row["messages"][to]["reasoning_content"]
    row["messages"][to : to + 2] = [{**turn, "reasoning_content": thought}, dict(result)]


def swap_calls(row: Row) -> None:
    """The second and third call, their turns and their results change places."""
    row["tool_calls"][1], row["tool_calls"][2] = row["tool_calls"][2], row["tool_calls"][1]
    second, third = row["messages"][4:6], row["messages"][6:8]
    put_turn(row, 4, *third)
    put_turn(row, 6, *second)


def on_row(**keys: Any) -> Change:
    """Changes columns of the first row."""
    return lambda rows: rows[0].update(keys)


def on_message(index: int, trajectory_class: str | None = None, **keys: Any) -> Change:
    """Changes keys of a message of the first row (of a class)."""

    def change(rows: Rows) -> None:
        row = rows[0] if trajectory_class is None else first(rows, trajectory_class)
        row["messages"][index].update(keys)

    return change


def on_text(index: int, old: str, new: str) -> Change:
    """Replaces text in a message of the first row."""

    def change(rows: Rows) -> None:
        message = rows[0]["messages"][index]
        message["content"] = message["content"].replace(old, new)

    return change


def on_call(number: int, trajectory_class: str, **arguments: Any) -> Change:
    """Changes arguments of a call, in the stored column and in the assistant turn alike."""
    return lambda rows: set_call(first(rows, trajectory_class), number, lambda stored: stored.update(arguments))


def on_assistant(trajectory_class: str, text: str) -> Change:
    """Writes the ``tool_calls`` text of the first call turn."""
    return lambda rows: first(rows, trajectory_class)["messages"][2].update(tool_calls=text)


ENCODED_TWICE = '[{"type":"function","function":{"name":"search_categories","arguments":"{}"}}]'
BROWSING = '[{"type":"function","function":{"name":"browse_categories","arguments":{}}}]'

CHANGES: list[tuple[str, str, Change, str]] = [
    ("a foreign stage", "search", on_row(stage="stage1"), "R040"),
    ("a foreign dataset", "search", on_row(dataset="other"), "R040"),
    ("an unknown class", "search", on_row(trajectory_class="two_tools"), "R041"),
    ("a foreign tools text", "search", on_row(tools="[]"), "R060"),
    ("a dropped result", "search", lambda rows: first(rows, "multi_tool")["messages"].pop(3), "R042"),
    ("a second user", "search", lambda rows: rows[0]["messages"].insert(2, dict(rows[0]["messages"][1])), "R042"),
    ("an unknown role", "search", on_message(0, role="developer"), "R021"),
    ("a name on the user", "search", on_message(1, name="x"), "R042"),
    ("a thought of the tool", "search", on_message(3, "multi_tool", reasoning_content="想"), "R042"),
    ("no content", "search", on_message(1, content=None), "R022"),
    ("content in a call turn", "search", on_message(2, "multi_tool", content="先查"), "R043"),
    ("two calls in a turn", "search", on_assistant("multi_tool", "[1, 2]"), "R044"),
    ("arguments as text", "search", on_assistant("single_tool", ENCODED_TWICE), "R044"),
    ("another call in the assistant turn", "search", on_assistant("single_tool", BROWSING), "R045"),
    ("another tool name", "search", on_message(3, "single_tool", name="browse_categories"), "R045"),
    (
        "stored arguments that are not JSON",
        "search",
        lambda rows: first(rows, "single_tool")["tool_calls"][0].update(arguments="{"),
        "R045",
    ),
    ("calls in another order", "search", lambda rows: swap_calls(first(rows, "multi_tool")), "R046"),
    ("true for limit", "search", on_call(2, "multi_tool", limit=True), "R047"),
    ("a null argument", "search", on_call(0, "single_tool", scope=None), "R047"),
    ("an unknown argument", "search", on_call(0, "single_tool", k="1"), "R047"),
    ("another tool result", "search", on_message(3, "single_tool", content='{"candidates": []}'), "R049"),
    ("a terminal with prose", "search", on_message(-1, content="答案是 1"), "R054"),
    ("a terminal in other spacing", "search", on_text(-1, ", ", ","), "R054"),
    ("another answer", "search", on_message(-1, content='{"answer": "8", "level": "L1"}'), "R055"),
    ("a missing thought", "search", on_message(-1, reasoning_content=None), "R056"),
    ("a thought with thinking off", "off", on_message(-1, reasoning_content="想。"), "R056"),
    ("three sentences", "search", on_message(-1, reasoning_content="一。二。三。"), "R058"),
    ("an answer key in a thought", "search", on_message(-1, reasoning_content="“answer”：1"), "R058"),
    ("a mock thought that is not fixed", "search", on_message(-1, reasoning_content="这是设备台账。"), "R059"),
    ("another think source", "search", on_row(think_source="none"), "R061"),
    ("marks of truncation", "search", on_row(think_truncated=True), "R062"),
    ("another rank", "search", on_row(search_rank=7), "R064"),
    ("another margin", "search", on_row(search_margin=0.5), "R064"),
    ("another switch", "search", on_row(enable_thinking=False), "R014"),
    ("another system text", "search", on_text(0, "Catalogue:", "Catalogue: "), "R028"),
    ("another user text", "search", on_text(1, '":"', '": "'), "R028"),
    ("a blank id", "search", on_row(source_id=" "), "R024"),
    ("a source twice", "search", lambda rows: rows.__setitem__(1, dict(rows[0])), "R013"),
    ("an illegal level", "search", on_row(ground_truth_level="L9"), "R026"),
    ("a truth that is not in the registry", "search", on_row(ground_truth="Z9-9"), "R025"),
    ("a null in the metadata", "search", lambda rows: rows[0]["metadata"].update(field_description=None), "R027"),
    ("a null list of calls", "search", on_row(tool_calls=None), "R020"),
]


@pytest.mark.parametrize(
    ("release", "change", "code"), [item[1:] for item in CHANGES], ids=[item[0] for item in CHANGES]
)
def test_each_change_of_a_row_is_found_by_its_own_code_alone(
    copy_of: Callable[[str], Copy], release: str, change: Change, code: str
) -> None:
    copy = copy_of(release)
    copy.change_rows(change)
    assert copy.errors() == {code}


def test_the_place_of_a_finding_names_split_row_source_and_message(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    number = next(i for i, row in enumerate(copy.rows()) if row["trajectory_class"] == "single_tool")
    source = copy.rows()[number]["source_id"]
    copy.change_rows(lambda rows: rows[number]["messages"][2].update(content="x"))
    report = copy.judge()
    assert report["splits"]["train"]["findings"] == [
        {"code": "R043", "count": 1, "places": [f"train, row {number}, {source}, message 2"]}
    ]
    assert report["splits"]["train"]["errors"][0].startswith("R043 call-turn-content: train, row")


def test_arguments_that_neither_metadata_nor_results_give_are_refused(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    tools = ToolBox(TaskAssets.load(copy.folder / "assets"))

    def change(rows: Rows) -> None:
        row = first(rows, "multi_tool")
        set_call(row, 2, lambda arguments: arguments.update(limit=1))
        arguments = json.loads(row["tool_calls"][2]["arguments"])
        row["messages"][7]["content"] = tools.call_text("get_category_examples", arguments)

    copy.change_rows(change)
    assert copy.errors() == {"R048"}


def test_a_class_that_the_record_does_not_earn_is_refused(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("hash")
    copy.change_header(lambda header: header.update(class_policy="search"), ("train", "val", "test"))
    copy.change_report(lambda report: report["header"].update(class_policy="search"))
    assert "R053" in copy.errors()


def test_a_result_that_shows_the_gold_is_refused_in_the_class_without_result(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")

    def change(rows: Rows) -> None:
        row = first(rows, "no_result")
        row["messages"][3]["content"] = '{"candidates": [{"choice_id": "2", "name": "点检记录", "summary": ""}]}'

    copy.change_rows(change)
    assert copy.errors() == {"R049", "R052"}


def test_a_result_above_four_thousand_characters_is_refused(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    copy.change_rows(lambda rows: first(rows, "single_tool")["messages"][3].update(content="长" * 4001))
    assert copy.errors() == {"R049", "R051"}


def test_two_searches_are_refused(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")

    def change(rows: Rows) -> None:
        row = first(rows, "multi_tool")
        row["tool_calls"][1] = dict(row["tool_calls"][0])
        put_turn(row, 4, row["messages"][2], row["messages"][3])

    copy.change_rows(change)
    assert copy.errors() == {"R050"}


def test_a_thought_over_the_cap_is_refused(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    assert copy.errors(max_think_tokens=5) == {"R057"}


def test_a_gold_code_in_the_metadata_is_a_leak(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")

    def change(rows: Rows) -> None:
        row = next(row for row in rows if row["trajectory_class"] == "direct")
        row["metadata"]["table_description"] = f"见（{row['ground_truth']}）。"
        shown = json.dumps(row["metadata"], ensure_ascii=False, separators=(",", ":"))
        row["messages"][1]["content"] = f"Field:\n{shown}"

    copy.change_rows(change)
    assert copy.errors() == {"R029"}


def test_a_control_token_in_a_thought_is_refused(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    copy.change_rows(lambda rows: rows[0]["messages"][-1].update(reasoning_content="想</think>。"))
    assert "R023" in copy.errors()
