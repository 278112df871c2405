"""Checks of three-message rows and their mixture (7.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from release_copies import Copy

Change = Callable[[Any], Any]


def on_row(**keys: Any) -> Change:
    """Changes columns of the first row (a first stage)."""
    return lambda rows: rows[0].update(keys)


def on_target(number: int, text: str) -> Change:
    """Writes the assistant text of a row."""
    return lambda rows: rows[number]["messages"][2].update(content=text)


def swap_candidates(rows: list[dict[str, Any]]) -> None:
    """Both rows of the first source show the same candidates in another order, targets not rebuilt."""
    for row in rows[:2]:
        row["candidates"][0], row["candidates"][1] = row["candidates"][1], row["candidates"][0]


CHANGES: list[tuple[str, str, Change, set[str]]] = [
    (
        "four messages",
        "three",
        lambda rows: rows[0]["messages"].append({"role": "user", "content": "?"}),
        {"R021", "R035"},
    ),
    ("an unknown stage", "three", on_row(stage="stage3"), {"R030", "R035"}),
    ("four candidates", "three", lambda rows: rows[0]["candidates"].pop(), {"R031", "R035"}),
    (
        "the same candidate twice",
        "three",
        lambda rows: rows[0]["candidates"].__setitem__(0, rows[0]["candidates"][1]),
        {"R031", "R035"},
    ),
    ("a shortlist in another order", "three", lambda rows: on_target(0, _reversed(rows))(rows), {"R033"}),
    ("a shortlist in prose", "three", on_target(0, "1 2 3 4 5"), {"R033"}),
    (
        "a shortlist in other spacing",
        "three",
        lambda rows: on_target(0, rows[0]["messages"][2]["content"] + " ")(rows),
        {"R033"},
    ),
    ("another choice", "three", lambda rows: on_target(1, _other(rows))(rows), {"R034"}),
    ("a choice without level", "three", on_target(1, '{"answer":"1"}'), {"R034"}),
    ("another system text", "three", lambda rows: rows[0]["messages"][0].update(content="Choose."), {"R028"}),
    ("a missing stage", "three", lambda rows: rows.pop(1), {"R035", "R008"}),
    (
        "a provenance outside a mixture",
        "three",
        on_row(mixture_provenance={"dataset": "steelmini", "original_source_sha256": "0" * 64, "replica": 0}),
        {"R038"},
    ),
    ("another replica", "mixture", lambda rows: rows[0]["mixture_provenance"].update(replica=1), {"R038"}),
    ("no provenance", "mixture", on_row(mixture_provenance=None), {"R038"}),
    (
        "another source hash",
        "mixture",
        lambda rows: rows[0]["mixture_provenance"].update(original_source_sha256="0" * 64),
        {"R093"},
    ),
    ("rows in another order", "mixture", lambda rows: rows.reverse(), {"R099"}),
]


def _reversed(rows: list[dict[str, Any]]) -> str:
    text: str = rows[0]["messages"][2]["content"]
    ids = text.removeprefix('{"candidates":[').removesuffix("]}").split(",")
    return '{"candidates":[' + ",".join(reversed(ids)) + "]}"


def _other(rows: list[dict[str, Any]]) -> str:
    text: str = rows[1]["messages"][2]["content"]
    return text.replace('"answer":"1"', '"answer":"2"') if '"answer":"1"' in text else '{"answer":"1","level":"L1"}'


@pytest.mark.parametrize(("name", "change", "codes"), [item[1:] for item in CHANGES], ids=[item[0] for item in CHANGES])
def test_each_change_of_a_row_is_found_by_its_code(
    copy_of: Callable[[str], Copy], name: str, change: Change, codes: set[str]
) -> None:
    copy = copy_of(name)
    copy.change_rows(change)
    assert copy.errors() == codes


def test_candidates_that_are_not_the_bundle_of_the_policy_are_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("three")
    copy.change_rows(swap_candidates)
    assert "R032" in copy.errors()


def test_rows_of_a_pair_that_disagree_are_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("three")
    copy.change_rows(on_row(ground_truth_level="L4"))
    first = copy.errors()
    copy.change_rows(on_row(ground_truth_level="L3"))
    assert "R036" in first | copy.errors()


def test_thinking_has_no_place_in_this_family(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("three")
    copy.change_header(lambda header: header.update(enable_thinking=True), ("train", "val", "test"))
    copy.change_report(lambda report: report["header"].update(enable_thinking=True))
    assert copy.errors() == {"R037"}


def test_reasoning_marks_in_a_target_are_control_tokens(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("three")
    copy.change_rows(lambda rows: on_target(0, "<think>x</think>" + rows[0]["messages"][2]["content"])(rows))
    assert "R023" in copy.errors()
