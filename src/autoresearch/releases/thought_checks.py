"""Checks of the thoughts of trajectory rows: where they stand, what they cost, how they look, where they came from
(7.3.10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autoresearch.releases.judgement import Place
from autoresearch.releases.row_checks import RowContext, at
from autoresearch.releases.thoughts import MOCK_THOUGHTS, Caps, TokenCounter, cap_thoughts, fits, thought_problems

SOURCES = ("mock", "file", "none")


class ThoughtChecks:
    """R056 to R059, R061, R062. ``counter`` is None where the caps cannot be judged (a tokenizer counted and none
    is given).
    """

    def __init__(self, context: RowContext, cap: int | None, counter: TokenCounter | None) -> None:
        self.context = context
        self.own_caps = Caps(context.header.max_think_tokens or Caps().terminal)
        self.caps = Caps(cap or context.header.max_think_tokens or Caps().terminal)
        self.counter = counter
        if counter is not None:
            context.judgement.ran("R057")
        self.truncated_rows = 0
        self.truncated_turns = 0
        self.sources: dict[str, Place] = {}
        self._fine: set[tuple[Any, ...]] = set()

    def check(self, place: Place, row: Mapping[str, Any]) -> None:
        """Judge the thoughts of one row of right shape. Fixed sentences that were found to be fine are known again."""
        source = row["think_source"]
        self.sources.setdefault(str(source), place)
        self.truncated_rows += bool(row["think_truncated"])
        self.truncated_turns += row["think_truncated_turns"]
        seen = (
            source,
            row["trajectory_class"],
            row["think_truncated"],
            row["think_truncated_turns"],
            len(row["tool_calls"]),
            *[(message["role"], message["reasoning_content"]) for message in row["messages"]],
        )
        if seen in self._fine:
            return
        before = self.context.judgement.added
        self._judge(place, row, source)
        if source == "mock" and self.context.judgement.added == before:
            self._fine.add(seen)

    def _judge(self, place: Place, row: Mapping[str, Any], source: Any) -> None:
        context = self.context
        self._marks(place, row)
        turns = [(index, message) for index, message in enumerate(row["messages"]) if message["role"] == "assistant"]
        for turn, (index, message) in enumerate(turns):
            thought = message["reasoning_content"]
            here = at(place, index)
            if not context.header.enable_thinking:
                if thought is not None:
                    context.add("R056", here, "a thought although thinking is off")
                continue
            if thought is None:
                context.add("R056", here, "no thought although thinking is on")
                continue
            context.no_control_token(place, index, thought)
            if self.counter is not None and not fits(thought, self.caps.of_turn(turn, len(turns)), self.counter):
                context.add(
                    "R057", here, f"the thought is over its cap of {self.caps.of_turn(turn, len(turns))} tokens"
                )
            problems = thought_problems(thought)
            if problems:
                context.add("R058", here, "; ".join(problems))
            elif source == "mock":
                self._mock(here, row["trajectory_class"], turn, thought)
        if source == "mock" and context.header.enable_thinking:
            self._cuts(place, row, [message["reasoning_content"] for _, message in turns])

    def _mock(self, place: Place, trajectory_class: str, turn: int, thought: str) -> None:
        """R059: the fixed sentence of class and turn, or a shortened beginning of it."""
        fixed = MOCK_THOUGHTS[trajectory_class]
        if turn >= len(fixed) or not fixed[turn].startswith(thought):
            rule = "a mock thought is not the fixed sentence of its class and turn, so it may hold the truth"
            self.context.add("R059", place, rule)

    def _cuts(self, place: Place, row: Mapping[str, Any], thoughts: Sequence[Any]) -> None:
        """R062: of fixed sentences it is known which are cut, and with the counter at hand also where."""
        fixed = MOCK_THOUGHTS[row["trajectory_class"]]
        if len(fixed) != len(thoughts) or not all(
            thought and whole.startswith(thought) for whole, thought in zip(fixed, thoughts, strict=True)
        ):
            return
        cut = sum(1 for whole, thought in zip(fixed, thoughts, strict=True) if thought != whole)
        made = tuple(thoughts)
        if self.counter is not None and self.own_caps.terminal > 0:
            made = cap_thoughts(fixed, self.own_caps, self.counter, discard=False).thoughts or ()
        if cut != row["think_truncated_turns"] or made != tuple(thoughts):
            rule = f"{cut} thoughts are shorter than their sentence, {row['think_truncated_turns']} are said to be"
            self.context.add("R062", place, rule)

    def _marks(self, place: Place, row: Mapping[str, Any]) -> None:
        count = row["think_truncated_turns"]
        turns = len(row["tool_calls"]) + 1
        most = turns if self.context.header.enable_thinking else 0
        if row["think_truncated"] != (count > 0) or not 0 <= count <= most:
            self.context.add(
                "R062", place, f"think_truncated {row['think_truncated']} with {count} truncated turns of {turns}"
            )

    def finish(self) -> None:
        """Compare with the report."""
        judgement = self.context.judgement
        think = self.context.report.get("think")
        think = think if isinstance(think, dict) else {}
        recorded = think.get("source")
        for source, place in self.sources.items():
            if source not in SOURCES or source != recorded:
                judgement.add("R061", place, f"think_source {source}, the release says {recorded}")
        if recorded in SOURCES and (recorded == "none") == self.context.header.enable_thinking:
            judgement.add("R061", "think", f"source {recorded} does not fit the thinking switch")
        found = {"truncated_rows": self.truncated_rows, "truncated_turns": self.truncated_turns}
        for key, value in found.items():
            if think.get(key) != value:
                judgement.add("R062", "think", f"{key} is {think.get(key)} in the report, {value} in the rows")
