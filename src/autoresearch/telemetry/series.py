"""A row's raw samples as series, and what else its raw files say: rounds, failures, lines not understood, clock steps
(formal-case.md 10.2-10.4).

Series are flat arrays, so that hours of many devices fit into memory. Time is UTC milliseconds on an axis that never
runs back: where the host's clock was set during the row, the monotonic clock goes on and the step is recorded.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autoresearch.telemetry.families import SeriesKey, thinned_metrics
from autoresearch.telemetry.rounds import Round, read_rounds
from autoresearch.telemetry.samples import CONSTANT_EVERY_MS, SAMPLE_TIME, TimeAxis, host_samples, read_host_rounds

UNPARSED = "unparsed_lines"
Owner = tuple[str, str | None, str | None, str | None]
"""Source, device, chip and uuid: what a value belongs to."""


@dataclass(frozen=True)
class Series:
    """One metric of one device or host in one row: rising times (UTC ms) and as many values."""

    row: str
    key: SeriesKey
    epoch_ms: array[int]
    values: array[float]


@dataclass
class SourceRead:
    """What one raw file of a row held."""

    row: str
    source: str = ""
    stamps: array[int] = field(default_factory=lambda: array("q"))
    """Times of all rounds that have values."""
    took_ms: array[float] = field(default_factory=lambda: array("d"))
    asked_ms: int | None = None
    missed: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    """Rounds without values, by reason; ``damaged`` are lines or rounds that cannot be read."""
    field_errors: int = 0
    unparsed: int = 0
    clock_steps: list[dict[str, int]] = field(default_factory=list)
    """``{at, step_ms}`` of each time that the wall clock was set."""
    synthetic: bool = False
    series: list[Series] = field(default_factory=list)

    @property
    def samples(self) -> int:
        """Values in all series."""
        return sum(len(each.values) for each in self.series)


class _Collector:
    """Appends values to the arrays of their series; unchanged totals are kept once a minute."""

    def __init__(self, row: str) -> None:
        self._row = row
        self._metrics: dict[Owner, dict[str, Series]] = {}
        self._thinned = thinned_metrics()

    def add(self, owner: Owner, values: Mapping[str, float | None], stamp: int) -> None:
        """The values of one device or host; null is no value, a time that is not later than the last is passed over."""
        known = self._metrics.setdefault(owner, {})
        for metric, value in values.items():
            if value is None:
                continue
            found = known.get(metric)
            if found is None:
                found = known[metric] = Series(self._row, SeriesKey(*owner, metric), array("q"), array("d"))
            elif stamp <= (last := found.epoch_ms[-1]) or (
                metric in self._thinned and found.values[-1] == value and stamp - last < CONSTANT_EVERY_MS
            ):
                continue
            found.epoch_ms.append(stamp)
            found.values.append(value)

    def series(self) -> list[Series]:
        """All series in the order of their keys."""
        found = [each for metrics in self._metrics.values() for each in metrics.values()]
        return sorted(found, key=lambda each: sort_key(each.key))


def sort_key(key: SeriesKey) -> tuple[Any, ...]:
    """Device numbers as numbers, what has no device first."""
    ids = [
        (0, 0, "") if text is None else (1, int(text), text) if text.isdecimal() else (2, 0, text) for text in key[1:4]
    ]
    return (key.metric, key.source, *ids)


def read_devices(path: Path, row: str) -> SourceRead:
    """Read a device sampler's raw file. Raises ``OSError`` only; what is damaged is counted."""
    read, collector, axis = SourceRead(row), _Collector(row), TimeAxis()
    missed = 0
    for each in read_rounds(path):
        if each is None:
            read.failures["damaged"] += 1
            continue
        stamp = axis.place(each.epoch_ms, each.mono_ms)
        missed = _missed(read, missed, each.missed)
        read.asked_ms = read.asked_ms or each.asked_ms
        read.synthetic = read.synthetic or each.synthetic
        read.unparsed += each.unparsed
        read.field_errors += each.field_errors
        if each.error == "synthetic":
            continue
        read.source = read.source or each.source
        collector.add((each.source, None, None, None), {UNPARSED: float(each.unparsed)}, stamp)
        if each.error is not None:
            read.failures[each.error] += 1
            continue
        read.stamps.append(stamp)
        read.took_ms.append(each.took_ms)
        _add_devices(collector, each, stamp)
    read.missed += missed
    read.clock_steps = axis.steps
    read.series = [s for s in collector.series() if s.key.metric != UNPARSED or read.source == "npu-smi"]
    return read


def _missed(read: SourceRead, before: int, now: int) -> int:
    """A sampler that was started again counts from zero: what it had missed before is added."""
    if now < before:
        read.missed += before
    return now


def _add_devices(collector: _Collector, each: Round, stamp: int) -> None:
    for device_id, chip_id, uuid, values in each.devices:
        collector.add((each.source, device_id, chip_id, uuid), {**values, SAMPLE_TIME: stamp / 1000}, stamp)


def read_host(path: Path, row: str) -> SourceRead:
    """Read ``host-samples.jsonl``. Raises ``OSError`` only; what is damaged is counted."""
    found = read_host_rounds(path)
    read, collector, missed = SourceRead(row), _Collector(row), 0
    read.failures.update({"damaged": found.unparsed_lines, "error": found.failed_rounds})
    read.failures = +read.failures
    read.unparsed = found.unparsed_lines
    read.clock_steps = list(found.clock_steps)
    for each in found.rounds:
        read.stamps.append(int(each["epoch_ms"]))
        read.took_ms.append(float(each.get("took_ms") or 0))
        read.asked_ms = read.asked_ms or each.get("asked_interval_ms")
        missed = _missed(read, missed, int(each.get("missed") or 0))
        read.source = read.source or str(each.get("source", "host"))
    read.missed += missed
    for sample in host_samples(row, found.rounds):
        collector.add((sample.source, None, None, None), {sample.metric: sample.value}, sample.epoch_ms)
    read.series = collector.series()
    return read


def series_from(row: str, values: Iterable[tuple[SeriesKey, int, float]]) -> Iterator[Series]:
    """Series of values in order of time, thinned as all are."""
    collector = _Collector(row)
    for key, stamp, value in values:
        collector.add(key[:4], {key.metric: value}, stamp)
    yield from collector.series()
