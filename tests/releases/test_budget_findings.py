"""What a token budget finds in counted rows (data-line.md 8.4); no tokenizer is needed for the decision."""

from __future__ import annotations

from typing import Any

import pytest

from autoresearch.releases.budget import TOOL_TEXT_LIMIT, Limits, RowTokens, SplitTokens, budget_findings

LIMITS = Limits(max_length=100, rollout_prompt=60, rollout_response=40)


def codes(**changes: Any) -> list[str]:
    counts: dict[str, Any] = {"total": 100, "prompt": 60, "completion": 40, "longest_tool_text": TOOL_TEXT_LIMIT}
    row = RowTokens(source_id="rec-1", trained=10, **{**counts, **changes})
    found = budget_findings({"train": SplitTokens([row])}, LIMITS)
    assert all(item["first"] == ["train, rec-1"] for item in found.summary())
    assert found.errors == bool(found.summary())
    return [item["code"] for item in found.summary()]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, []),
        ({"total": 101}, ["A030"]),
        ({"completion": 41}, ["A030"]),
        ({"prompt": 61}, ["A031"]),
        ({"longest_tool_text": TOOL_TEXT_LIMIT + 1}, ["A032"]),
        ({"thinking_differs": True}, ["A004"]),
    ],
)
def test_a_row_at_its_limits_passes_and_one_over_them_is_named(changes: dict[str, Any], found: list[str]) -> None:
    assert codes(**changes) == found
