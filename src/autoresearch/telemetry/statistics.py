"""What may be said about a series of rounds: achieved interval, gaps, coverage, and summaries of values (formal-case.md
10.3).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from autoresearch.telemetry.samples import HOST_METRICS, HostRounds, Sample, host_samples
from autoresearch.telemetry.series import SourceRead

GAP_FACTOR = 3.0
GAP_AT_LEAST_SECONDS = 2.0
COVERAGE_WARNING = 0.95
COVERAGE_UNFIT = 0.5


def quantile(values: Sequence[float], share: float) -> float:
    """Linear interpolation between the closest ranks of sorted ``values``; ``share`` in 0..1. Raises ``ValueError``
    when empty.
    """
    if not values:
        raise ValueError("no values, no quantile")
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    if ordered[low] == ordered[high]:
        return ordered[low]
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def value_summary(values: Sequence[float]) -> dict[str, float | int | None]:
    """``n, min, p50, p95, max, mean`` of the values; all but ``n`` are null when there are none."""
    if not values:
        return {"n": 0, "min": None, "p50": None, "p95": None, "max": None, "mean": None}
    return {
        "n": len(values),
        "min": min(values),
        "p50": quantile(values, 0.5),
        "p95": quantile(values, 0.95),
        "max": max(values),
        "mean": sum(values) / len(values),
    }


def gap_limit_seconds(intervals: Sequence[float]) -> float:
    """An interval longer than this is a gap: three medians, at least two seconds."""
    return max(GAP_FACTOR * median(intervals), GAP_AT_LEAST_SECONDS) if intervals else GAP_AT_LEAST_SECONDS


def gaps(stamps_ms: Sequence[int], life_ms: tuple[int, int] | None) -> list[dict[str, Any]]:
    """Gaps between sorted stamps and, when the trainer's life is known, before the first and after the last."""
    limit = gap_limit_seconds([(b - a) / 1000 for a, b in pairwise(stamps_ms)])
    points = list(stamps_ms)
    if life_ms is not None:
        points = [min(life_ms[0], *points), *points, max(life_ms[1], *points)] if points else list(life_ms)
    return [{"from": a, "to": b, "seconds": (b - a) / 1000} for a, b in pairwise(points) if (b - a) / 1000 > limit]


def coverage(found: Sequence[dict[str, Any]], life_ms: tuple[int, int] | None) -> float | None:
    """Share of the trainer's life that lies in no gap; null when the life is unknown or has no length."""
    if life_ms is None or life_ms[1] <= life_ms[0]:
        return None
    lost = sum(max(0, min(gap["to"], life_ms[1]) - max(gap["from"], life_ms[0])) for gap in found)
    return 1.0 - float(lost) / (life_ms[1] - life_ms[0])


def source_block(read: SourceRead, life_ms: tuple[int, int] | None) -> dict[str, Any]:
    """What 10.3 says of one source of one row. Times are epoch milliseconds, intervals seconds; what was only asked for
    is called so. ``parse_errors`` are rounds without values and cells that are no number; ``unfit`` is true below a
    coverage of one half. ``failures`` has the reasons of rounds without values.
    """
    stamps = read.stamps
    intervals = [(b - a) / 1000 for a, b in pairwise(stamps)]
    found = gaps(stamps, life_ms)
    share = coverage(found, life_ms)
    return {
        "source": read.source or None,
        "rounds": len(stamps),
        "samples": read.samples,
        "first": stamps[0] if stamps else None,
        "last": stamps[-1] if stamps else None,
        "asked_interval": None if read.asked_ms is None else read.asked_ms / 1000,
        "interval": {
            "min": min(intervals, default=None),
            "median": median(intervals) if intervals else None,
            "p95": quantile(intervals, 0.95) if intervals else None,
            "max": max(intervals, default=None),
        },
        "took_ms": {
            "median": median(read.took_ms) if read.took_ms else None,
            "p95": quantile(read.took_ms, 0.95) if read.took_ms else None,
            "max": max(read.took_ms, default=None),
        },
        "missed": read.missed,
        "gaps": found,
        "coverage": share,
        "unfit": share is not None and share < COVERAGE_UNFIT,
        "parse_errors": sum(read.failures.values()) + read.field_errors,
        "unparsed_lines": read.unparsed,
        "failures": dict(sorted(read.failures.items())),
        "clock_steps": read.clock_steps,
        "synthetic": read.synthetic,
    }


def host_statistics(read: HostRounds, row: str, life_ms: tuple[int, int] | None) -> dict[str, Any]:
    """The statistics block of one row's host samples (``telemetry-stats.json``). Times are epoch milliseconds,
    intervals seconds.
    """
    samples = host_samples(row, read.rounds)
    stamps = sorted({int(each["epoch_ms"]) for each in read.rounds})
    found = SourceRead(
        row,
        source=next((str(each.get("source", "host")) for each in read.rounds), ""),
        stamps=array("q", stamps),
        asked_ms=next((each.get("asked_interval_ms") for each in read.rounds), None),
        took_ms=array("d", [float(each.get("took_ms") or 0) for each in read.rounds]),
        missed=max((int(each.get("missed") or 0) for each in read.rounds), default=0),
        unparsed=read.unparsed_lines,
        clock_steps=list(read.clock_steps),
    )
    found.failures["error"] = read.failed_rounds
    block = source_block(found, life_ms)
    metrics = {metric: value_summary(values_of(samples, metric)) for metric in HOST_METRICS}
    return {**block, "samples": len(samples), "metrics": metrics}


def values_of(samples: Sequence[Sample], metric: str) -> list[float]:
    """The values of one metric, in their order."""
    return [sample.value for sample in samples if sample.metric == metric]
