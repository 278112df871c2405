"""Filled thoughts: reading the shards that a generator filled, in every accepted shape (3.13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError
from autoresearch.files import strict_json_loads
from autoresearch.findings import finding

_TERMINAL = ("terminal", "final")
_ASSISTANT = ("assistant", "turns", "assistant_think", "assistant_thinks")
_TOOL = ("tool", "tools", "tool_think", "tool_thinks")
_TOP_ASSISTANT = ("assistant_think", "assistant_thinks", "think_turns")
_TOP_TOOL = ("tool_think", "tool_thinks")
_SHOWN = ("prompt", "tool_calls", "tool_results")


def _refusal(place: str, problem: str, remedy: str = "see the accepted shapes of a filled thought") -> InputError:
    item = finding("R061", place=place, rule=problem, remedy=remedy)
    return InputError(item.message(), [item])


class _Shape(Exception):
    """A line has none of the accepted shapes; the text says why."""


@dataclass(frozen=True)
class FilledThought:
    """The thoughts of one sample and where they stand."""

    place: str
    """``<shard>, line N``."""
    slots: tuple[str, ...]
    """One for each assistant turn, the last terminal; exactly one when ``single``."""
    single: bool
    """One thought without any statement about turns: repeated on every assistant turn."""
    shown: Mapping[str, Any] = field(default_factory=dict)
    """What the shard shows of prompt, calls and results; must equal what is derived (R063)."""

    def for_turns(self, turns: int) -> tuple[str, ...]:
        """The thoughts of a row with ``turns`` assistant turns. Raises ``InputError`` when the count is another."""
        if self.single:
            return self.slots * turns
        if len(self.slots) != turns:
            problem = f"{len(self.slots)} thoughts for {turns} assistant turns"
            raise _refusal(self.place, problem, "give one for each call and the terminal")
        return self.slots


def shard_paths(path: Path) -> list[Path]:
    """The shards of a folder in name order, or the one file. Raises ``InputError`` when there is none."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise _refusal(f"--think-source file:{path}", "no such file or folder", "give the path of filled shards")
    shards = sorted(path.glob("*.jsonl"), key=lambda shard: shard.name)
    if not shards:
        raise _refusal(f"--think-source file:{path}", "the folder holds no *.jsonl", "give the folder of filled shards")
    return shards


def load_thoughts(path: Path) -> dict[str, FilledThought]:
    """All filled thoughts by ``sample_id``. Raises ``InputError`` naming shard and line for each refusal of 3.13."""
    found: dict[str, FilledThought] = {}
    for shard in shard_paths(path):
        try:
            text = shard.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise _refusal(shard.name, f"not UTF-8 at byte {error.start}", "write it as UTF-8") from error
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            place = f"{shard.name}, line {number}"
            try:
                sample_id, filled = _parse(line, place)
            except (_Shape, ValueError) as error:
                problem, _, remedy = str(error).partition("; ")
                raise (_refusal(place, problem, remedy) if remedy else _refusal(place, problem)) from error
            if sample_id in found:
                raise _refusal(place, f"sample_id {sample_id!r} stands in {found[sample_id].place} already", "keep one")
            found[sample_id] = filled
    return found


def _parse(line: str, place: str) -> tuple[str, FilledThought]:
    content = strict_json_loads(line)
    if not isinstance(content, dict):
        raise _Shape("a line is one JSON object")
    sample_id = content.get("sample_id")
    if not isinstance(sample_id, str) or not sample_id.strip():
        raise _Shape("sample_id is absent or blank")
    slots, single = _slots(content)
    for number, slot in enumerate(slots):
        if not slot.strip():
            name = "the terminal thought" if number == len(slots) - 1 else f"the thought of call {number + 1}"
            raise _Shape(f"{name} is blank; fill every slot")
    shown = {key: content[key] for key in _SHOWN if content.get(key) is not None}
    return sample_id, FilledThought(place, slots, single, shown)


def _slots(content: Mapping[str, Any]) -> tuple[tuple[str, ...], bool]:
    think = content.get("think")
    top_assistant = _one_list(content, _TOP_ASSISTANT)
    top_tool = _one_list(content, _TOP_TOOL)
    inline_assistant: list[str] | None = None
    inline_tool: list[str] | None = None
    terminal: str | None = None
    if isinstance(think, list):
        inline_assistant = _texts("think", think)
    elif isinstance(think, dict):
        terminal, inline_assistant, inline_tool = _think_object(think)
    elif isinstance(think, str):
        terminal = think
        if top_assistant is not None and think.strip():
            raise _Shape("think is a string beside a list of all assistant turns; keep one of them")
        if top_assistant is not None:
            terminal = None
    elif think is not None:
        raise _Shape("think is neither a string, a list nor an object")
    inline = inline_assistant is not None or inline_tool is not None
    if inline and (top_assistant is not None or top_tool):
        raise _Shape("thoughts stand inside think and at the top; keep one place")
    assistant = inline_assistant if inline_assistant is not None else top_assistant
    tool = inline_tool if inline_tool is not None else (None if inline else top_tool)
    if assistant is not None and tool:
        raise _Shape("both a list of assistant turns and a list of tool thoughts; keep one")
    if assistant is not None:
        return _assistant_slots(content, assistant, terminal), False
    if terminal is None:
        raise _Shape("there is no terminal thought; fill think")
    if tool is None and "assistant_turns" not in content and isinstance(think, str):
        return (terminal,), True
    slots = (*(tool or ()), terminal)
    _check_turns(content, len(slots), has_slots=tool is not None)
    return slots, False


def _assistant_slots(content: Mapping[str, Any], assistant: list[str], terminal: str | None) -> tuple[str, ...]:
    if not assistant:
        raise _Shape("the list of assistant thoughts is empty: there is no terminal thought")
    if terminal is not None and terminal != assistant[-1]:
        raise _Shape("two different terminal thoughts; keep one")
    _check_turns(content, len(assistant), has_slots=True)
    return tuple(assistant)


def _think_object(think: Mapping[str, Any]) -> tuple[str | None, list[str] | None, list[str] | None]:
    unknown = sorted(set(think) - {*_TERMINAL, *_ASSISTANT, *_TOOL})
    if unknown:
        raise _Shape(f"unknown key {unknown[0]!r} in think; legal are {', '.join((*_TERMINAL, *_ASSISTANT, *_TOOL))}")
    named = [key for key in _TERMINAL if think.get(key) is not None]
    if len(named) > 1:
        raise _Shape(f"{named[0]} and {named[1]} name one slot; keep one")
    terminal = think[named[0]] if named else None
    if terminal is not None and not isinstance(terminal, str):
        raise _Shape(f"think.{named[0]} is not a string")
    assistant, tool = _one_list(think, _ASSISTANT), _one_list(think, _TOOL)
    if assistant is not None and tool is not None:
        raise _Shape("both a list of assistant turns and a list of tool thoughts; keep one")
    return terminal, assistant, tool


def _one_list(content: Mapping[str, Any], names: Sequence[str]) -> list[str] | None:
    named = [name for name in names if content.get(name) is not None]
    if len(named) > 1:
        raise _Shape(f"{named[0]} and {named[1]} name one slot; keep one")
    return _texts(named[0], content[named[0]]) if named else None


def _texts(name: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _Shape(f"{name} is not a list of strings")
    return value


def _check_turns(content: Mapping[str, Any], slots: int, has_slots: bool) -> None:
    turns = content.get("assistant_turns")
    if turns is None:
        return
    if isinstance(turns, bool) or not isinstance(turns, int) or turns < 1:
        raise _Shape(f"assistant_turns is {turns!r}; it is a positive whole number")
    if turns > 1 and not has_slots:
        raise _Shape(f"assistant_turns is {turns} and there is one thought only; give tool_think")
    if turns != slots:
        raise _Shape(f"assistant_turns is {turns}, the thoughts are {slots}")
