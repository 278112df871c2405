"""When each step ended, by the log's own clock, and what follows from it: SFT throughput (formal-case.md 12.4).

verl's SFT logs no times: seconds are those between consecutive step lines in ``log-index.jsonl``. Standard library
only, Python 3.8 grammar.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from autoresearch.training.stage_times import Throughput
from autoresearch.training.steps import Notice, is_accepted, is_training_record, parse_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from autoresearch.training.steps import Record

MARK = re.compile(rb"step:\d{1,18} - ")
TOKENS = "train/global_tokens"


class StepEnd(NamedTuple):
    """A training record in the log: where it stands and when it was written (UTC ms that never run back)."""

    step: int
    offset: int
    epoch_ms: int
    validated: bool
    """The record, or one of the same step after it, also holds a validation: the time up to the next one is longer."""


def log_times(index: Iterable[Any]) -> list[tuple[int, int]]:
    """(offset, UTC ms) of ``log-index.jsonl``; times go on by the monotonic clock from the first entry."""
    found: list[tuple[int, int]] = []
    base = None
    for entry in index:
        if not isinstance(entry, dict) or not all(
            type(entry.get(key)) is int for key in ("offset", "epoch_ms", "mono_ms")
        ):
            continue
        if base is None:
            base = entry["epoch_ms"] - entry["mono_ms"]
        found.append((entry["offset"], base + entry["mono_ms"]))
    return found


def step_ends(log: bytes, index: Iterable[Any], kind: str) -> list[StepEnd]:
    """The training records of a log that the index has a time of, in the log's order; ``kind`` is ``rl`` or ``sft``."""
    times = dict(log_times(index))
    found: list[StepEnd] = []
    for hit in MARK.finditer(log):
        stamp = times.get(hit.start())
        if stamp is None:
            continue
        end = log.find(b"\n", hit.end())
        text = log[hit.start() : end if end >= 0 else len(log)].decode("utf-8", errors="replace")
        for record in parse_line(text)[:1]:
            validates = any(key.startswith(("val/", "val-")) for key in record.data)
            if is_training_record(record, kind):
                found.append(StepEnd(record.step, hit.start(), stamp, validates))
            elif validates and found and found[-1].step == record.step:
                found[-1] = found[-1]._replace(validated=True)
    return found


def sft_throughput(records: Iterable[Record], ends: Sequence[StepEnd], devices: int) -> Throughput:
    """Tokens per second and device of an SFT row: step 1 and intervals that hold a validation are left out.

    The interval of step N runs from the line of step N - 1 to its own. ``steps`` of the result counts the measured
    ones; V530 below two.
    """
    tokens_of = {record.step: record.data.get(TOKENS) for record in records if is_accepted(record, "sft")}
    ended = {end.step: end for end in ends}
    steps, tokens, seconds, excluded = 0, 0.0, 0.0, 0
    for step in sorted(tokens_of):
        before, now, count = ended.get(step - 1), ended.get(step), tokens_of[step]
        if before is None or now is None or count is None or now.epoch_ms <= before.epoch_ms:
            continue
        if before.validated or now.validated:
            excluded += 1
            continue
        steps, tokens = steps + 1, tokens + count
        seconds += (now.epoch_ms - before.epoch_ms) / 1000
    notices = []
    if steps < 2:
        notices.append(Notice("V530", "throughput", f"{steps} measured steps, {excluded} with a validation"))
    return Throughput(steps, tokens, seconds, tokens / seconds / devices if seconds > 0 else None, None, tuple(notices))
