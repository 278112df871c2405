"""What may be said about the devices of a row: memory and utilisation within steps, frozen sources, idle devices, and
the findings V410-V414, V420 and V430 (formal-case.md 10.3, 13.2).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from autoresearch.findings import Finding, finding
from autoresearch.telemetry.families import thinned_metrics
from autoresearch.telemetry.samples import SAMPLE_TIME
from autoresearch.telemetry.series import Series, SourceRead
from autoresearch.telemetry.statistics import COVERAGE_WARNING, gap_limit_seconds, quantile, source_block

FLAT_SECONDS = 60.0
IDLE_SHARE = 0.5
NEARLY_FULL = 0.9


class StepWindow(NamedTuple):
    """Begin and end of one step in UTC milliseconds; ``measured`` is false for the warm-up (12.4)."""

    step: int
    begin_ms: int
    end_ms: int
    measured: bool = True


class Device(NamedTuple):
    """What names a device in a row."""

    source: str
    device_id: str
    chip_id: str
    uuid: str | None


def devices_of(read: SourceRead) -> dict[Device, dict[str, Series]]:
    """Device -> metric -> series. Only series of the source that began are taken: sources are never joined."""
    found: dict[Device, dict[str, Series]] = {}
    for each in read.series:
        key = each.key
        if key.device_id is not None and key.source == read.source:
            name = Device(key.source, key.device_id, key.chip_id or "", key.uuid)
            found.setdefault(name, {})[key.metric] = each
    return found


def device_statistics(
    read: SourceRead,
    life_ms: tuple[int, int] | None,
    steps: Sequence[StepWindow] = (),
    log_index: Sequence[tuple[int, int]] = (),
    wanted: Collection[str] | None = None,
) -> dict[str, Any]:
    """The block of 10.3 for a device source, with ``devices``, ``flat_lines`` and ``idle_devices``.

    ``log_index`` holds (UTC ms, bytes of the trainer's log) in order of time; ``wanted`` the devices of the row as
    ``<device>/<chip>`` or uuid (null: all). MiB, percent, shares in 0..1; null where there is no value.
    """
    limit = gap_limit_seconds([(b - a) / 1000 for a, b in zip(read.stamps, read.stamps[1:], strict=False)])
    devices, flat, idle = [], [], []
    for device, series in devices_of(read).items():
        name = f"{device.device_id}/{device.chip_id}"
        summary = {**device._asdict(), "wanted": wanted is None or bool({name, device.uuid} & set(wanted))}
        summary.update(_memory(series, steps), **_utilization(series, steps))
        devices.append(summary)
        for begin, end in flat_runs(series, limit):
            if _log_advances(log_index, begin, end):
                flat.append({**device._asdict(), "from": begin, "to": end, "seconds": (end - begin) / 1000})
        if summary["wanted"] and summary["idle_step_share"] is not None and summary["idle_step_share"] > IDLE_SHARE:
            idle.append(device._asdict())
    block = source_block(read, life_ms)
    return {**block, "devices": devices, "flat_lines": flat, "idle_devices": idle}


def _within(series: Series, step: StepWindow) -> Sequence[float]:
    begin, end = np.searchsorted(np.frombuffer(series.epoch_ms, np.int64), (step.begin_ms, step.end_ms + 1))
    return series.values[int(begin) : int(end)]


def _memory(series: Mapping[str, Series], steps: Sequence[StepWindow]) -> dict[str, float | None]:
    used, total = series.get("memory_used_mib"), series.get("memory_total_mib")
    size = max(total.values) if total else None
    peaks = [max(values) for step in steps if used and (values := _within(used, step))]
    return {
        "memory_max_mib": max(used.values) if used else None,
        "memory_p50_mib": median(used.values) if used else None,
        "memory_total_mib": size,
        "steps_above_90_percent": sum(peak > NEARLY_FULL * size for peak in peaks) / len(peaks)
        if peaks and size
        else None,
    }


def _utilization(series: Mapping[str, Series], steps: Sequence[StepWindow]) -> dict[str, float | None]:
    found = series.get("utilization_percent")
    in_steps = [(step, _within(found, step)) for step in steps] if found else []
    values = [value for _, part in in_steps for value in part]
    measured = [max(part) == 0 for step, part in in_steps if step.measured and part]
    return {
        "utilization_mean_percent": sum(values) / len(values) if values else None,
        "utilization_p95_percent": quantile(values, 0.95) if values else None,
        "idle_step_share": sum(measured) / len(measured) if measured else None,
    }


def flat_runs(series: Mapping[str, Series], gap_seconds: float) -> list[tuple[int, int]]:
    """Spans of 60 s or more in which every value of a device stays the same, broken by gaps. Totals and times of
    reading say nothing about that and are left out."""
    moving = [s for metric, s in series.items() if metric != SAMPLE_TIME and metric not in thinned_metrics()]
    if not moving:
        return []
    times = np.unique(np.concatenate([np.frombuffer(s.epoch_ms, np.int64) for s in moving]))
    changed = np.zeros(len(times), dtype=bool)
    changed[0] = True
    for each in moving:
        stamps, values = np.frombuffer(each.epoch_ms, np.int64), np.frombuffer(each.values, np.float64)
        changed[np.searchsorted(times, stamps[1:][values[1:] != values[:-1]])] = True
    changed[1:] |= np.diff(times) > gap_seconds * 1000
    begins = np.flatnonzero(changed)
    ends = np.append(begins[1:], len(times)) - 1
    spans = [(int(times[a]), int(times[b])) for a, b in zip(begins, ends, strict=True)]
    return [(a, b) for a, b in spans if b - a >= FLAT_SECONDS * 1000]


def _log_advances(log_index: Sequence[tuple[int, int]], begin: int, end: int) -> bool:
    times = [stamp for stamp, _ in log_index]
    before, after = bisect_right(times, begin) - 1, bisect_right(times, end) - 1
    return after >= 0 and (before < 0 or log_index[after][1] > log_index[before][1])


def telemetry_findings(row: str, accelerator: str, blocks: Sequence[Mapping[str, Any]]) -> list[Finding]:
    """V410-V414 and V430 of a row from its statistics blocks, host and devices; ``accelerator`` is that of the row."""
    found: list[Finding] = []
    for block in blocks:
        place = f"{row}: {block['source'] or 'no source'}"
        share, lost = block["coverage"], block["unparsed_lines"] + block["failures"].get("damaged", 0)
        if share is not None and share < COVERAGE_WARNING:
            rule = "coverage below 0.95" + ("; below 0.5, the curves are unfit" if block["unfit"] else "")
            found.append(finding("V410", place=place, value=f"{share:.4f}", rule=rule))
        for each in block.get("flat_lines", ()):
            value = f"{each['device_id']}/{each['chip_id']} for {each['seconds']:.0f} s"
            rule = "all values of a device stay the same while the trainer's log grows"
            found.append(finding("V411", place=place, value=value, rule=rule))
        for each in block.get("idle_devices", ()):
            value = f"{each['device_id']}/{each['chip_id']}"
            rule = "utilisation is 0 in more than half of the measured steps"
            found.append(finding("V412", place=place, value=value, rule=rule))
        if lost:
            found.append(finding("V413", place=place, value=str(lost), rule="lines were not understood"))
        for step in block["clock_steps"]:
            rule = "the wall clock was set during the row; times go on by the monotonic clock"
            found.append(finding("V430", place=place, value=f"{step['step_ms'] / 1000:.1f} s", rule=rule))
    if accelerator in ("ascend", "nvidia") and not any(block.get("devices") for block in blocks):
        rule = "a row on a device has no sample of any device"
        found.append(finding("V414", place=row, value=accelerator, rule=rule))
    return found


def push_findings(row: str, pushes: Mapping[str, Any]) -> list[Finding]:
    """V420 when pushes of a row failed: how many of how many, and the first error."""
    failed, ok = int(pushes.get("failed") or 0), int(pushes.get("ok") or 0)
    if not failed:
        return []
    value = f"{failed} of {failed + ok}"
    return [finding("V420", place=row, value=value, rule=f"pushes failed; first: {pushes.get('first_error')}")]
