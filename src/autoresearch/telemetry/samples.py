"""Host samples as series: one list of (time, value) a metric, read from ``host-samples.jsonl`` (formal-case.md 10.4).

``Sample`` is one row of the telemetry table. The same list of samples feeds the table and the exposition, so that both
hold the same numbers. Totals that do not change are kept once in 60 s.
"""

from __future__ import annotations

import json
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
    """What a raw file held: its readable rounds in order of time, and how many lines were not readable or carried an
    error.
    """

    rounds: tuple[dict[str, Any], ...]
    unparsed_lines: int
    failed_rounds: int


def read_host_rounds(path: Path) -> HostRounds:
    """Read ``host-samples.jsonl``. A cut or foreign line is counted, never raised and never guessed."""
    rounds: list[dict[str, Any]] = []
    unparsed = failed = 0
    for line in path.read_bytes().split(b"\n"):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
            stamp = content["epoch_ms"]
        except (ValueError, KeyError, TypeError, RecursionError):
            unparsed += 1
            continue
        if not isinstance(stamp, int) or isinstance(stamp, bool):
            unparsed += 1
        elif content.get("error"):
            failed += 1
        else:
            rounds.append(content)
    rounds.sort(key=lambda each: int(each["epoch_ms"]))
    return HostRounds(tuple(rounds), unparsed, failed)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


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
