"""Which processes stand beside a trainer, and what they leave (formal-case.md 10.2, 10.5).

Samplers and pusher are this same archive in other roles. Standard library only, Python 3.8 grammar.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from autoresearch.runner.row_file import Row, read_row
from autoresearch.telemetry.families import RowLabels
from autoresearch.telemetry.push import run
from autoresearch.telemetry.rounds import DEVICE_FILES, last_round
from autoresearch.telemetry.samplers import RAW_FILES

DEVICE_SAMPLERS = ("ascend", "nvidia")
SAMPLE_FILES = tuple(RAW_FILES.values())


def sample_files(row: Row) -> list[str]:
    """The raw files that the row's samplers append to."""
    kinds = [row.accelerator] if row.accelerator in DEVICE_SAMPLERS else []
    return [RAW_FILES[kind] for kind in [*kinds, *(["host"] if row.telemetry.host else [])]]


def side_commands(row: Row, folder: Path, runner: Path) -> dict[str, list[str]]:
    """Name to command line of each process that this row wants beside its trainer: exactly one device sampler for a
    device row, the host sampler, the pusher where there is somewhere to push to."""
    itself = [sys.executable, "-I", "-S", str(runner)]
    interval = str(row.telemetry.interval_seconds)
    commands = {}
    if row.accelerator in DEVICE_SAMPLERS:
        commands["device-sampler"] = [*itself, "sample", row.accelerator, str(folder), "--interval", interval]
    if row.telemetry.host:
        commands["host-sampler"] = [*itself, "sample", "host", str(folder), "--interval", interval]
    if row.telemetry.push_url:
        commands["pusher"] = [*itself, "push", str(folder)]
    return commands


class MemoryPeak:
    """The highest device memory among the rounds that were looked at, in MiB; None without a device sample.

    For progress lines: the true peak comes from all samples.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mib: float | None = None

    def look(self) -> float | None:
        """Look at the newest round; the peak so far."""
        for name in DEVICE_FILES:
            found = last_round(self.folder / name)
            used = [each.values.get("memory_used_mib") for each in found.devices] if found is not None else []
            for value in used:
                if value is not None and (self.mib is None or value > self.mib):
                    self.mib = value
        return self.mib


def push_counts(path: Path) -> dict[str, Any]:
    """Pushes that went well and that failed, and the text of the first error; zeros where nothing is pushed."""
    empty: dict[str, Any] = {"ok": 0, "failed": 0, "first_error": None}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return empty
    return {**empty, **{key: content[key] for key in empty if key in content}}


def row_labels(row: Row) -> RowLabels:
    """The labels of an attempt's live values."""
    shown = row.telemetry
    return RowLabels(row.run_id, row.case_id, str(row.attempt), row.server, shown.wandb_project, shown.wandb_run_name)


def push_row(folder: Path) -> int:
    """Push the rounds of an attempt until TERM, as its ``row.json`` says; the exit code."""
    row = read_row(folder)
    return run(folder, row.telemetry.push_url or "", row_labels(row))
