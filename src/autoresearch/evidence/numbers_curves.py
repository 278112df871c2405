"""Curves of a formal case's telemetry from ``telemetry.parquet``: thinned for drawing, summed up from all values
(formal-case.md 10.3, 15.2 chapter 10, 15.3).

The table is derived from the raw files of the rows and compared with them by the ``telemetry`` check. Lines of
different rows, sources or devices are never joined; an interval above the gap limit is drawn as a gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from autoresearch.evidence.attempt_records import Attempt, attempts
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.case_telemetry import device_file, host_file, row_step_ends, trainer_life
from autoresearch.evidence.derived import started, stored_statistics
from autoresearch.evidence.locks import ConfigLock
from autoresearch.evidence.matrix import iso
from autoresearch.evidence.numbers_telemetry import add_sampling
from autoresearch.evidence.report_data import ReportData
from autoresearch.evidence.thinning import summary, thin, with_gaps
from autoresearch.telemetry.families import SeriesKey
from autoresearch.telemetry.statistics import GAP_AT_LEAST_SECONDS, GAP_FACTOR
from autoresearch.telemetry.table import TableReader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

METRICS = {
    "memory_used_mib": "MiB",
    "utilization_percent": "percent",
    "power_watts": "watts",
    "memory_used_bytes": "bytes",
    "cpu_utilization_percent": "percent",
    "disk_free_bytes": "bytes",
}
"""Metrics that are drawn -> unit: of devices, then of the host."""
HOST_USED, HOST_TOTAL = "memory_used_bytes", "memory_total_bytes"
POINTS = 120_000
"""Points that all curves of a page may have together."""
FEWEST, MOST = 120, 2000
GAPS_LISTED = 20
DEVICE_NUMBERS = {
    "memory_max_mib": "MiB",
    "memory_p50_mib": "MiB",
    "memory_total_mib": "MiB",
    "steps_above_90_percent": "share",
    "utilization_mean_percent": "percent",
    "utilization_p95_percent": "percent",
    "idle_step_share": "share",
}


def add_curves(data: ReportData, bundle: Bundle, lock: ConfigLock) -> None:
    """Statistics of each source and device, the curves, and where the steps end on their time axis."""
    rows = started(bundle, attempts(lock, bundle.rows()))
    blocks = {attempt.row: stored_statistics(bundle, attempt) for attempt in rows}
    for attempt in rows:
        add_sources(data, bundle, attempt, blocks[attempt.row])
    _add_worst_sampling(data, [attempt.row for attempt in rows], bundle)
    path = bundle.path("telemetry_table")
    if not path.is_file():
        return
    with TableReader(path) as table:
        wanted = [(place, row, key) for place, (row, key) in enumerate(table.series) if key.metric in METRICS]
        wanted = [each for each in wanted if each[1] in blocks]
        totals = {row: place for place, (row, key) in enumerate(table.series) if key.metric == HOST_TOTAL}
        most = min(MOST, max(FEWEST, POINTS // max(1, len(wanted))))
        for attempt in rows:
            own = [(table.read(place), key) for place, row, key in wanted if row == attempt.row]
            if own:
                _add_row(data, bundle, attempt, own, most)
            if attempt.row in totals:
                _, values = table.read(totals[attempt.row])
                data.number(
                    f"host.{attempt.row}.memory_total",
                    values.max(),
                    "bytes",
                    "host.memory_total",
                    bundle.name("telemetry_table"),
                )


def _add_row(
    data: ReportData,
    bundle: Bundle,
    attempt: Attempt,
    lines: Sequence[tuple[tuple[NDArray[np.int64], NDArray[np.float64]], SeriesKey]],
    most: int,
) -> None:
    """All curves of a row; second 0 is its first sample."""
    source = bundle.name("telemetry_table")
    origin = min(int(stamps[0]) for (stamps, _), _ in lines)
    data.fact(f"curve.{attempt.row}.origin", iso(origin), "curve.origin", source)
    ends = row_step_ends(bundle, attempt)
    life = trainer_life(bundle, attempt.row)
    points = [((each.epoch_ms - origin) / 1000, each.step) for each in ends]
    if points:
        index = bundle.relative(bundle.log_folder(attempt.row) / "log-index.jsonl")
        begin = [((life[0] - origin) / 1000, 0)] if life and life[0] <= ends[0].epoch_ms else []
        data.line(f"curve.{attempt.row}.step", [*begin, *points], ("seconds", "steps"), "curve.step", index)
    for (stamps, values), key in lines:
        name = f"curve.{attempt.row}.{key.metric}.{key.source}{_who(key)}"
        unit = METRICS[key.metric]
        shown = _drawn(stamps, values, origin, most)
        formula = f"telemetry:{key.metric}"
        data.line(name, shown, ("seconds", unit), formula, source, full=summary(values))
        if key.metric == HOST_USED and key.device_id is None:
            data.number(f"host.{attempt.row}.memory_peak", values.max(), unit, "line.max", source)


def _who(key: SeriesKey) -> str:
    """``.<device>/<chip or uuid>`` of a device, nothing for the host."""
    return "" if key.device_id is None else f".{key.device_id}/{key.uuid or key.chip_id or 0}"


def _drawn(
    stamps: NDArray[np.int64], values: NDArray[np.float64], origin: int, most: int
) -> list[tuple[float, float | None]]:
    """The points to draw: seconds since the row's first sample, None inside a gap."""
    import numpy as np

    steps = np.diff(stamps)
    usual = float(median(steps.tolist())) if len(steps) else 0.0
    at, known = with_gaps(stamps, values, max(GAP_FACTOR * usual, GAP_AT_LEAST_SECONDS * 1000))
    kept = thin(known, most)
    seconds = ((at[kept] - origin) / 1000).tolist()
    return [(x, None if y != y else y) for x, y in zip(seconds, known[kept].tolist(), strict=True)]


def add_sources(data: ReportData, bundle: Bundle, attempt: Attempt, blocks: Mapping[str, Any]) -> None:
    """How well the host and the devices of an attempt were sampled, and what is said of each device."""
    paths = {"host": host_file(bundle, attempt.row), "device": device_file(bundle, attempt.row)}
    for name, path in paths.items():
        block = blocks["devices" if name == "device" else "host"]
        if not block or path is None:
            continue
        head, source = f"{name}.{attempt.row}", bundle.relative(path)
        data.fact(f"{head}.source", block.get("source"), "read", source)
        add_sampling(data, head, block, source)
        first = block.get("first")
        for place, gap in enumerate(block["gaps"][:GAPS_LISTED], start=1):
            begin = None if first is None else (gap["from"] - first) / 1000
            data.number(f"{head}.gap.{place}.begin", begin, "seconds", "telemetry.gap", source)
            data.number(f"{head}.gap.{place}.length", gap["seconds"], "seconds", "telemetry.gap", source)
        if name == "device":
            _add_devices(data, head, block, source)


def _add_worst_sampling(data: ReportData, rows: Sequence[str], bundle: Bundle) -> None:
    """The worst of all rows: what the sentence about sampling says."""
    folder = bundle.name("row_files")
    for name in ("host", "device"):
        heads = [f"{name}.{row}" for row in rows if data.value(f"{name}.{row}.rounds")]
        if not heads:
            continue
        data.number(f"sampling.{name}.rows", len(heads), "count", "sampling", folder)
        for key, unit in (("asked_interval", "seconds"), ("interval_median", "seconds"), ("interval_p95", "seconds")):
            known = [value for head in heads if (value := data.value(f"{head}.{key}")) is not None]
            data.number(f"sampling.{name}.{key}", max(known, default=None), unit, "sampling", folder)
        known = [value for head in heads if (value := data.value(f"{head}.coverage")) is not None]
        data.number(f"sampling.{name}.coverage", min(known, default=None), "share", "sampling", folder)


def _add_devices(data: ReportData, head: str, block: Mapping[str, Any], source: str) -> None:
    for key in ("flat_lines", "idle_devices"):
        data.number(f"{head}.{key}", len(block.get(key) or []), "count", f"telemetry.{key}", source)
    peaks = []
    for each in block.get("devices") or []:
        name = f"{head}.of.{each['device_id']}/{each['uuid'] or each['chip_id'] or 0}"
        data.fact(f"{name}.wanted", each.get("wanted"), "read", source)
        for key, unit in DEVICE_NUMBERS.items():
            data.number(f"{name}.{key}", each.get(key), unit, f"device.{key}", source)
        if each.get("wanted") and each.get("memory_max_mib") is not None:
            peaks.append((each["memory_max_mib"], each.get("memory_total_mib")))
    if peaks:
        peak = max(peaks, key=lambda pair: pair[0])
        data.number(f"{head}.memory_peak", peak[0], "MiB", "device.memory_peak", source)
        data.number(f"{head}.memory_total", peak[1], "MiB", "device.memory_total", source)
