"""Row checks of tool trajectories (7.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autoresearch.files import strict_json_loads
from autoresearch.releases.class_report import ClassTally, rare_classes
from autoresearch.releases.columns import RowBatch
from autoresearch.releases.header import NATIVE_TOOL_TRAJECTORY_FORMAT, SPLITS
from autoresearch.releases.judgement import Place
from autoresearch.releases.render_checks import RenderChecks
from autoresearch.releases.row_checks import SHARED_ROW_CODES, RowContext, at
from autoresearch.releases.thought_checks import ThoughtChecks
from autoresearch.releases.thoughts import TokenCounter
from autoresearch.releases.trajectories import (
    CLASSES,
    DIRECT,
    MULTI,
    NO_RESULT,
    SINGLE,
    Assignment,
    Call,
    Subject,
    Trajectory,
    TrajectoryDeriver,
    assign,
)
from autoresearch.releases.trajectory_rows import STAGE, call_text
from autoresearch.standards.registry import Leaf
from autoresearch.task.answers import parse_terminal
from autoresearch.task.prompts import compact, native_system, native_user, terminal_text
from autoresearch.task.retrieval import Ranked
from autoresearch.task.tools import (
    BROWSE,
    DETAILS,
    EXAMPLES,
    SEARCH,
    TOOL_NAMES,
    ToolCallError,
    check_arguments,
    tools_json,
)

MOST_RESULT_CHARACTERS = 4_000
_NAMES = {
    "search": {
        DIRECT: (),
        SINGLE: (SEARCH,),
        MULTI: (SEARCH, DETAILS, EXAMPLES),
        NO_RESULT: (SEARCH, BROWSE),
    },
    "hash": {
        DIRECT: (),
        SINGLE: (SEARCH,),
        MULTI: (SEARCH, DETAILS, EXAMPLES),
        NO_RESULT: (BROWSE, SEARCH),
    },
}
_ROLE_KEYS = {"system": (), "user": (), "tool": ("name",), "call": ("tool_calls",), "terminal": ()}


class TrajectoryChecks:
    """R040 to R064 of trajectory rows. Raises ``InputError`` when the assets cannot serve trajectories at all."""

    apart: str | None = None
    codes = (
        *SHARED_ROW_CODES,
        *(f"R0{number}" for number in (*range(40, 57), *range(58, 63), 64, 66, 98)),
    )

    def __init__(
        self, context: RowContext, caps_of: int | None, counter: TokenCounter | None, tokenizer: Path | None = None
    ) -> None:
        self.context = context
        header = context.header
        assert header.class_policy is not None
        self.policy = header.class_policy
        self.deriver = TrajectoryDeriver(context.assets, header.class_policy)
        self.system = native_system(context.assets, header.enable_thinking)
        self.tools = tools_json()
        self.thoughts = ThoughtChecks(context, caps_of, counter)
        self.classes: Counter[str] = Counter()
        self.tally = ClassTally(context.assets, header.class_policy)
        self.seen = self.counted = 0
        self.renders = None if tokenizer is None else RenderChecks(context, tokenizer)

    def check(self, split: str, first_row: int, batch: RowBatch) -> None:
        """Judge consecutive rows: shape and prompt row by row, then search for all of them at once, then
        calls and thoughts.
        """
        subjects: list[Subject] = []
        examined: list[tuple[Place, Mapping[str, Any], Leaf]] = []
        for number, given in enumerate(batch.rows, start=first_row):
            place = Place(split, number, str(given["source_id"]))
            leaf = self._row(place, given)
            if leaf is not None:
                subjects.append(Subject(given["source_id"], leaf.category_id, given["metadata"]))
                examined.append((place, given, leaf))
        self.seen += len(batch)
        counted: list[tuple[Trajectory, str, tuple[str, str, str]]] = []
        for (place, row, leaf), subject, ranked in zip(examined, subjects, self.deriver.rank(subjects), strict=True):
            if place.split == "train":
                self.classes[row["trajectory_class"]] += 1
            earned = self._class(place, row, subject, ranked)
            counted.append((Trajectory(earned, (), (), ranked), leaf.category_id, subject.query))
            self._calls(place, row, subject, ranked)
            self._terminal(place, row, leaf)
            self.thoughts.check(place, row)
        self.counted += len(counted)
        self.tally.add(split, counted)
        if self.renders is not None:
            self.renders.check([(place, row) for place, row, _ in examined if self._decodes(row)])

    def finish(self) -> None:
        """R061 and R062 against the report; R066 for classes that are rare in train."""
        self.thoughts.finish()
        found = self.context.report.get("class_report")
        counted = self.tally.report()
        different = sum(len(self.context.tally.source_ids(split)) for split in SPLITS)
        complete = different == self.counted == self.seen and set(counted["splits"]) == set(SPLITS)
        if isinstance(found, dict) and complete and found != counted:
            self.context.judgement.add("R098", "class_report", "its numbers are not those of the rows")
        for item in rare_classes(self.classes):
            self.context.judgement.add(item.code, f"{item.place}, {item.value}", item.rule)

    def _decodes(self, row: Mapping[str, Any]) -> bool:
        """Whether every call can be rendered; R044 and R045 speak of those that cannot."""
        turns = [message["tool_calls"] for message in row["messages"] if message["tool_calls"] is not None]
        return len(turns) == len(row["tool_calls"]) and all(
            (call := read_stored(stored)) is not None and decode_call(turn) == call
            for turn, stored in zip(turns, row["tool_calls"], strict=True)
        )

    def _row(self, place: Place, row: Mapping[str, Any]) -> Leaf | None:
        """Tags, shape, truth, metadata and prompt; None when the row is not examined further."""
        context = self.context
        known = context.source(place, STAGE, row["source_id"])
        if not (self._tags(place, row) and self._shape(place, row)):
            return None
        contents = context.contents(place, row["messages"])
        leaf = context.truth(place, row["ground_truth"], row["ground_truth_level"])
        if not context.metadata(place, row["metadata"]) or leaf is None or not contents or not known:
            return None
        if row["enable_thinking"] != context.header.enable_thinking:
            context.add("R014", place, f"enable_thinking is {row['enable_thinking']}, the header says otherwise")
        context.prompt(place, row["messages"], self.system, native_user(row["metadata"], context.fields))
        context.leak(place, row["messages"], leaf, closed_system=True)
        return leaf

    def _tags(self, place: Place, row: Mapping[str, Any]) -> bool:
        header = self.context.header
        fine = True
        for key, value in (
            ("stage", STAGE),
            ("trajectory_format", NATIVE_TOOL_TRAJECTORY_FORMAT),
            ("dataset", header.dataset),
        ):
            if row[key] != value:
                self.context.add("R040", place, f"{key} is {row[key]!r}, not {value!r}")
                fine = False
        if row["trajectory_class"] not in CLASSES:
            self.context.add("R041", place, f"{row['trajectory_class']!r} is not a class")
            fine = False
        if row["tools"] != self.tools:
            self.context.add("R060", place, "tools are not the current schemas in their one form")
            fine = False
        for key in ("messages", "tool_calls", "think_truncated", "think_truncated_turns"):
            if row[key] is None:
                self.context.add("R020", place, f"{key} is null")
                fine = False
        return fine

    def _shape(self, place: Place, row: Mapping[str, Any]) -> bool:
        """R021, R042: system, user, (assistant, tool) for each call of the class, assistant; keys and nulls by role."""
        messages = row["messages"]
        roles = [message["role"] if message else None for message in messages]
        calls = len(_NAMES[self.policy][row["trajectory_class"]])
        expected = ["system", "user", *("assistant", "tool") * calls, "assistant"]
        if any(role not in ("system", "user", "assistant", "tool") for role in roles):
            self.context.add("R021", place, f"roles are {roles}")
            return False
        if roles != expected:
            self.context.add("R042", place, f"the roles are not those of class {row['trajectory_class']}")
            return False
        for index, message in enumerate(messages):
            kind = message["role"]
            if kind == "assistant":
                kind = "terminal" if index == len(messages) - 1 else "call"
            wanted = _ROLE_KEYS[kind]
            for key in ("tool_calls", "name"):
                if (message[key] is not None) != (key in wanted):
                    state = "is absent" if key in wanted else "stands where it does not apply"
                    self.context.add("R042", at(place, index), f"{key} {state}")
                    return False
            if message["reasoning_content"] is not None and message["role"] != "assistant":
                self.context.add("R042", at(place, index), "reasoning_content outside an assistant turn")
                return False
        return True

    def _class(self, place: Place, row: Mapping[str, Any], subject: Subject, ranked: Ranked) -> Assignment:
        earned = assign(self.policy, subject.source_id, ranked)
        if earned.trajectory_class != row["trajectory_class"]:
            self.context.add("R053", place, f"class {row['trajectory_class']}, earned {earned.trajectory_class}")
        if row["search_rank"] != ranked.rank or row["search_margin"] != ranked.margin:
            self.context.add("R064", place, f"rank and margin are {ranked.rank} and {ranked.margin}")
        return earned

    def _calls(self, place: Place, row: Mapping[str, Any], subject: Subject, ranked: Ranked) -> None:
        messages, context = row["messages"], self.context
        planned = self.deriver.calls(subject, row["trajectory_class"], ranked.hits)
        turns = range(2, len(messages) - 1, 2)
        as_planned = _as_planned(row, planned)
        stored: Sequence[Call | None] = (
            planned if as_planned else [self._stored(place, call) for call in row["tool_calls"]]
        )
        if len(stored) != len(turns):
            context.add("R045", place, f"{len(stored)} stored calls, {len(turns)} call turns")
            return
        names = [call.name if call else None for call in stored]
        if any(name is not None and name not in TOOL_NAMES for name in names) or names.count(SEARCH) > 1:
            context.add("R050", place, "a tool that is not one of the four, or more than one search")
        elif None not in names and names != [call.name for call in planned]:
            context.add("R046", place, f"calls {names}, not those of class {row['trajectory_class']}")
        for turn, call, plan in zip(turns, stored, planned, strict=False):
            if not as_planned:
                self._turn(at(place, turn), messages[turn], messages[turn + 1], call)
            if call is not None:
                self._call(at(place, turn), row, call, plan, messages[turn + 1]["content"], ranked)

    def _stored(self, place: Place, call: Mapping[str, Any] | None) -> Call | None:
        found = read_stored(call)
        if found is None:
            self.context.add("R045", place, "a stored call has no name or no JSON object as arguments")
        return found

    def _turn(self, place: Place, turn: Mapping[str, Any], result: Mapping[str, Any], stored: Call | None) -> None:
        """R043, R044, R045 of one assistant turn with a call."""
        context = self.context
        if turn["content"] != "":
            context.add("R043", place, "a turn with a call has content")
        decoded = decode_call(turn["tool_calls"])
        if decoded is None:
            context.add(
                "R044", place, "tool_calls is not the JSON text of exactly one call with an object as arguments"
            )
            return
        if stored is not None and (decoded.name != stored.name or not _same(decoded.arguments, stored.arguments)):
            context.add("R045", place, "the call is not the stored call")
        if stored is not None and result["name"] != stored.name:
            context.add("R045", place, "the tool message has another name than the call")

    def _call(self, place: Place, row: Mapping[str, Any], call: Call, plan: Call, result: str, ranked: Ranked) -> None:
        """R047, R048, R049, R051, R052 of one stored call and its result."""
        context = self.context
        if len(result) > MOST_RESULT_CHARACTERS:
            context.add("R051", place, f"{len(result)} characters")
        if call.name not in TOOL_NAMES:
            return
        try:
            check_arguments(call.name, call.arguments)
        except ToolCallError as error:
            context.add("R047", place, str(error))
            return
        if call is not plan and call.name == plan.name and not _same(call.arguments, plan.arguments):
            context.add("R048", place, "the arguments are not those that metadata and results give")
        replayed = (
            self.deriver.result(call, ranked.hits)
            if call is plan or call == plan
            else self.deriver.tools.call_text(call.name, call.arguments)
        )
        if replayed != result:
            context.add("R049", place, "running the call again gives another text")
        if row["trajectory_class"] == NO_RESULT:
            choice_id = context.assets.registry.choice_id(row["ground_truth"])
            if f'"choice_id": "{choice_id}"' in result:
                context.add("R052", place, "the result shows the gold")

    def _terminal(self, place: Place, row: Mapping[str, Any], leaf: Leaf) -> None:
        context = self.context
        place = at(place, len(row["messages"]) - 1)
        text = row["messages"][-1]["content"]
        choice_id = context.assets.registry.choice_id(leaf.category_id)
        level = row["ground_truth_level"]
        if text == terminal_text(choice_id, level):
            return
        parsed = parse_terminal(text, context.assets.registry, context.assets.levels)
        if not parsed.valid or parsed.choice_id is None or parsed.level is None:
            context.add("R054", place, f"the terminal is no answer: {parsed.reason}")
        elif text != terminal_text(parsed.choice_id, parsed.level):
            context.add("R054", place, "the terminal is not written in its one form")
        else:
            context.add("R055", place, "the terminal is not the truth of the row")


def _as_planned(row: Mapping[str, Any], planned: Sequence[Call]) -> bool:
    """Whether every call of a row stands in its messages and beside them just as it is written for ``planned``: then
    nothing has to be decoded (R043 to R045 of turns and stored calls).
    """
    messages, stored = row["messages"], row["tool_calls"]
    if not len(planned) == len(stored) == (len(messages) - 3) // 2:
        return False
    return all(
        call is not None
        and messages[turn]["content"] == ""
        and call["name"] == plan.name == messages[turn + 1]["name"]
        and call["arguments"] == compact(plan.arguments)
        and messages[turn]["tool_calls"] == call_text(plan)
        for turn, call, plan in zip(range(2, len(messages) - 1, 2), stored, planned, strict=True)
    )


def read_stored(call: Mapping[str, Any] | None) -> Call | None:
    """A call of the flat column; None unless it has a name and the JSON text of an object as arguments."""
    if call is None or not isinstance(call["name"], str) or not isinstance(call["arguments"], str):
        return None
    try:
        arguments = strict_json_loads(call["arguments"])
    except ValueError:
        return None
    return Call(call["name"], arguments) if isinstance(arguments, dict) else None


def decode_call(text: Any) -> Call | None:
    """The one call of a ``tool_calls`` text; None unless it is strict JSON of exactly one structured call."""
    try:
        calls = strict_json_loads(text)
    except (ValueError, TypeError, AttributeError):
        return None
    if not isinstance(calls, list) or len(calls) != 1 or not isinstance(calls[0], dict):
        return None
    call = calls[0]
    function = call.get("function")
    if set(call) != {"type", "function"} or call["type"] != "function" or not isinstance(function, dict):
        return None
    if set(function) != {"name", "arguments"}:
        return None
    name, arguments = function["name"], function["arguments"]
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return None
    return Call(name, arguments)


def _same(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Equal arguments in equal order, as a template shows them; types as well, since ``True == 1`` and ``2.0 == 2``."""
    return [(key, type(value), value) for key, value in first.items()] == [
        (key, type(value), value) for key, value in second.items()
    ]
