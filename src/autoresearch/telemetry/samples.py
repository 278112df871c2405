"""Host samples as series: one list of (time, value) a metric, read from ``host-samples.jsonl`` (formal-case.md 10.4).

``Sample`` is one row of the telemetry table. The same list of samples feeds the table and the exposition, so that both
hold the same numbers. Totals that do not change are kept once in 60 s.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HOST_METRICS = (
    "memory_used_bytes",
    "memory_total_bytes",
    "memory_free_bytes",
    "memory_available_bytes",
    "memory_buff_cache_bytes",
    "memory_occupied_bytes",
    "cpu_utilization_percent",
    "disk_free_bytes",
)
"""Keys of a round that become series; with the prefix ``autoresearch_machine_host_`` they are the families of 10.4."""
SAMPLE_TIME = "sample_time_seconds"
CONSTANT_METRICS = frozenset({"memory_total_bytes"})
CONSTANT_EVERY_MS = 60_000
CLOCK_STEP_MS = 1000


@dataclass(frozen=True)
class Sample:
    """One value of one metric: ``epoch_ms`` UTC milliseconds, ``value`` in the unit at the end of the metric's name."""

    row: str
    source: str
    metric: str
    epoch_ms: int
    value: float


@dataclass(frozen=True)
class HostRounds:
    """What a raw file held: its readable rounds in order of time, how many lines were not readable or carried an error,
    and ``{at, step_ms}`` of each time that the wall clock was set.
    """

    rounds: tuple[dict[str, Any], ...]
    unparsed_lines: int
    failed_rounds: int
    clock_steps: tuple[dict[str, int], ...] = ()


class TimeAxis:
    """UTC milliseconds that never run back. A change of wall against monotonic time by more than a second between two
    rounds is a step of the clock: it is recorded and taken out of all later times. After a reboot (the monotonic clock
    begins again) the wall clock is believed.
    """

    def __init__(self) -> None:
        self.steps: list[dict[str, int]] = []
        self._offset: int | None = None
        self._correction = 0
        self._last_mono = 0

    def place(self, epoch_ms: int, mono_ms: int | None) -> int:
        """The time of a round on the axis; rounds come in the order in which they were read."""
        if mono_ms is None:
            return epoch_ms
        offset = epoch_ms - mono_ms
        if self._offset is not None and mono_ms >= self._last_mono and abs(offset - self._offset) > CLOCK_STEP_MS:
            self.steps.append({"at": epoch_ms - self._correction, "step_ms": offset - self._offset})
            self._correction += offset - self._offset
        self._offset, self._last_mono = offset, mono_ms
        return epoch_ms - self._correction


def read_host_rounds(path: Path) -> HostRounds:
    """Read ``host-samples.jsonl``. A cut or foreign line is counted, never raised and never guessed."""
    rounds: list[dict[str, Any]] = []
    unparsed = failed = 0
    axis = TimeAxis()
    for line in path.read_bytes().split(b"\n"):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
        except (ValueError, RecursionError):
            unparsed += 1
            continue
        if not _is_round(content):
            unparsed += 1
        elif content.get("error"):
            failed += 1
        else:
            content["epoch_ms"] = axis.place(content["epoch_ms"], content.get("mono_ms"))
            rounds.append(content)
    rounds.sort(key=lambda each: int(each["epoch_ms"]))
    return HostRounds(tuple(rounds), unparsed, failed, tuple(axis.steps))


def _is_round(content: object) -> bool:
    """An object whose stamps and counts are whole numbers of 64 bits, where it has them."""
    if not isinstance(content, dict) or not _is_whole(content.get("epoch_ms")):
        return False
    others = [content.get(key) for key in ("mono_ms", "missed", "asked_interval_ms")]
    took = content.get("took_ms")
    return all(value is None or _is_whole(value) for value in others) and (took is None or _number(took) is not None)


def _is_whole(value: object) -> bool:
    return type(value) is int and abs(value) < 1 << 62


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # a whole number of more than 308 digits
        return None


def host_samples(row: str, rounds: Iterable[dict[str, Any]]) -> list[Sample]:
    """All samples of the rounds of one row, ordered by metric, then time; a repeated time stamp keeps its first
    value."""
    by_metric: dict[str, list[Sample]] = {metric: [] for metric in (*HOST_METRICS, SAMPLE_TIME)}
    for each in rounds:
        stamp, source = int(each["epoch_ms"]), str(each.get("source", "host"))
        for metric in HOST_METRICS:
            value = _number(each.get(metric))
            if value is not None:
                by_metric[metric].append(Sample(row, source, metric, stamp, value))
        by_metric[SAMPLE_TIME].append(Sample(row, source, SAMPLE_TIME, stamp, stamp / 1000))
    out: list[Sample] = []
    for metric, samples in by_metric.items():
        out.extend(_thinned(samples) if metric in CONSTANT_METRICS else _distinct(samples))
    return out


def _distinct(samples: Sequence[Sample]) -> list[Sample]:
    kept: list[Sample] = []
    for sample in samples:
        if not kept or sample.epoch_ms > kept[-1].epoch_ms:
            kept.append(sample)
    return kept


def _thinned(samples: Sequence[Sample]) -> list[Sample]:
    kept: list[Sample] = []
    for sample in _distinct(samples):
        if not kept or sample.value != kept[-1].value or sample.epoch_ms - kept[-1].epoch_ms >= CONSTANT_EVERY_MS:
            kept.append(sample)
    return kept
