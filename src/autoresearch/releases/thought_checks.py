"""Checks of the thoughts of trajectory rows: where they stand, what they cost, how they look, where they came from
(7.3.10).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoresearch.releases.judgement import Place
from autoresearch.releases.row_checks import RowContext, at
from autoresearch.releases.thoughts import MOCK_THOUGHTS, Caps, TokenCounter, fits, thought_problems

SOURCES = ("mock", "file", "none")


class ThoughtChecks:
    """R056 to R059, R061, R062. ``counter`` is None where the caps cannot be judged (a tokenizer counted and none
    is given).
    """

    def __init__(self, context: RowContext, cap: int | None, counter: TokenCounter | None) -> None:
        self.context = context
        self.caps = Caps(cap or context.header.max_think_tokens or Caps().terminal)
        self.counter = counter
        if counter is not None:
            context.judgement.ran("R057")
        self.truncated_rows = 0
        self.truncated_turns = 0
        self.sources: dict[str, Place] = {}

    def check(self, place: Place, row: Mapping[str, Any]) -> None:
        """Judge the thoughts of one row of right shape."""
        context = self.context
        source = row["think_source"]
        self.sources.setdefault(str(source), place)
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
            elif source == "mock" and not _fixed(row["trajectory_class"], turn, thought):
                context.add(
                    "R059",
                    here,
                    "a mock thought is not the fixed sentence of its class and turn, so it may hold the truth",
                )

    def _marks(self, place: Place, row: Mapping[str, Any]) -> None:
        count = row["think_truncated_turns"]
        turns = len(row["tool_calls"]) + 1
        most = turns if self.context.header.enable_thinking else 0
        if row["think_truncated"] != (count > 0) or not 0 <= count <= most:
            self.context.add(
                "R062", place, f"think_truncated {row['think_truncated']} with {count} truncated turns of {turns}"
            )
        self.truncated_rows += bool(row["think_truncated"])
        self.truncated_turns += count

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


def _fixed(trajectory_class: str, turn: int, thought: str) -> bool:
    """Whether a thought is the fixed sentence of its class and turn, or a shortened beginning of it."""
    fixed = MOCK_THOUGHTS[trajectory_class]
    return turn < len(fixed) and fixed[turn].startswith(thought)
