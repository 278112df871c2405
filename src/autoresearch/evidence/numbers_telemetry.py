"""Numbers of the host during each attempt of a quickstart: memory, processors, and how well they were sampled
(formal-case.md 10.3, 15.2 chapter 10).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoresearch.evidence.attempt_records import attempts, telemetry_statistics
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.locks import ConfigLock
from autoresearch.evidence.report_data import ReportData
from autoresearch.telemetry.samples import host_samples, read_host_rounds

LINES = (
    ("memory_used", "memory_used_bytes", "bytes"),
    ("memory_available", "memory_available_bytes", "bytes"),
    ("cpu", "cpu_utilization_percent", "percent"),
    ("disk_free", "disk_free_bytes", "bytes"),
)


def add_telemetry(data: ReportData, bundle: Bundle, lock: ConfigLock) -> None:
    """Lines over seconds since the first sample of each attempt, and the statistics block of 10.3."""
    for attempt in attempts(lock, bundle.rows()):
        path = bundle.row_folder(attempt.row) / "host-samples.jsonl"
        block = telemetry_statistics(bundle, attempt.row)
        if block is None or not block["rounds"]:
            continue
        source = bundle.relative(path)
        samples = host_samples(attempt.row, read_host_rounds(path).rounds)
        head = f"host.{attempt.row}"
        start = block["first"]
        for name, metric, unit in LINES:
            points = [((each.epoch_ms - start) / 1000, each.value) for each in samples if each.metric == metric]
            if points:
                data.line(f"{head}.{name}", points, ("seconds", unit), f"host:{metric}", source)
        data.number(f"{head}.memory_total", block["metrics"]["memory_total_bytes"]["max"], "bytes", "read", source)
        data.number(
            f"{head}.cpu_mean", block["metrics"]["cpu_utilization_percent"]["mean"], "percent", "line.mean", source
        )
        add_sampling(data, head, block, source)


def add_sampling(data: ReportData, head: str, block: Mapping[str, Any], source: str) -> None:
    """How well one source was sampled: a statistics block of 10.3 under ``head``."""
    data.number(f"{head}.rounds", block["rounds"], "count", "telemetry.rounds", source)
    data.number(f"{head}.asked_interval", block["asked_interval"], "seconds", "read", source)
    for key in ("median", "p95", "max"):
        data.number(f"{head}.interval_{key}", block["interval"][key], "seconds", "telemetry.interval", source)
    data.number(f"{head}.missed", block["missed"], "count", "read", source)
    data.number(f"{head}.gaps", len(block["gaps"]), "count", "telemetry.gaps", source)
    data.number(f"{head}.coverage", block["coverage"], "share", "telemetry.coverage", source)
    data.number(f"{head}.unparsed_lines", block["unparsed_lines"], "count", "telemetry.unparsed", source)
