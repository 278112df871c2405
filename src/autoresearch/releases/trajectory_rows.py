"""One trajectory as a row of 3.14: messages, the flat calls, and the tags."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autoresearch.releases.header import NATIVE_TOOL_TRAJECTORY_FORMAT
from autoresearch.releases.sources import Source
from autoresearch.releases.trajectories import Call, Trajectory
from autoresearch.task.prompts import compact, native_user, terminal_text

STAGE = "tool_trajectory"


def call_text(call: Call) -> str:
    """The ``tool_calls`` text of an assistant message: JSON of exactly one structured call."""
    return compact([{"type": "function", "function": {"name": call.name, "arguments": call.arguments}}])


def message(
    role: str, content: str, *, thought: str | None = None, calls: str | None = None, name: str | None = None
) -> dict[str, str | None]:
    """One message with all five keys."""
    return {"role": role, "content": content, "reasoning_content": thought, "tool_calls": calls, "name": name}


def chat(
    system: str,
    user: str,
    calls: Sequence[Call],
    results: Sequence[str],
    terminal: str,
    thoughts: Sequence[str | None],
) -> list[dict[str, str | None]]:
    """System, user, then (assistant, tool) for each call, then the terminal turn; one thought (or None) an
    assistant turn.
    """
    messages = [message("system", system), message("user", user)]
    for call, result, thought in zip(calls, results, thoughts, strict=False):
        messages.append(message("assistant", "", thought=thought, calls=call_text(call)))
        messages.append(message("tool", result, name=call.name))
    messages.append(message("assistant", terminal, thought=thoughts[-1]))
    return messages


def trajectory_row(
    source: Source,
    trajectory: Trajectory,
    *,
    dataset: str,
    system: str,
    tools: str,
    choice_id: str,
    enable_thinking: bool,
    thoughts: Sequence[str | None],
    think_source: str,
    truncated_turns: int,
) -> dict[str, Any]:
    """The row of one source."""
    assert source.level is not None
    terminal = terminal_text(choice_id, source.level)
    user = native_user(source.metadata, list(source.metadata))
    return {
        "messages": chat(system, user, trajectory.calls, trajectory.results, terminal, thoughts),
        "tools": tools,
        "enable_thinking": enable_thinking,
        "stage": STAGE,
        "trajectory_class": trajectory.assignment.trajectory_class,
        "trajectory_format": NATIVE_TOOL_TRAJECTORY_FORMAT,
        "source_id": source.source_id,
        "dataset": dataset,
        "metadata": source.metadata,
        "ground_truth": source.category_id,
        "ground_truth_level": source.level,
        "tool_calls": [{"name": call.name, "arguments": compact(call.arguments)} for call in trajectory.calls],
        "search_rank": trajectory.ranked.rank,
        "search_margin": trajectory.ranked.margin,
        "think_source": think_source,
        "think_truncated": truncated_turns > 0,
        "think_truncated_turns": truncated_turns,
    }
