"""The records of one attempt, wherever its files lie: verl's metrics file and its console log (formal-case.md 12)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from autoresearch.cases.events import RowFiles
from autoresearch.training.steps import (
    Notice,
    RunRecords,
    compare_sources,
    count_steps,
    parse_log,
    parse_metrics,
)

LOG = "trainer.log"
METRICS = "metrics.jsonl"


def content(path: Path) -> bytes:
    """The bytes of a file; of an absent or unreadable one none."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def read_records(files: RowFiles, kind: Literal["sft", "rl"], log: bytes | None = None) -> RunRecords:
    """Read both sources, compare them step by step (V510), count steps by the one rule (12.3), tell repeats (V511).

    The metrics file is taken first, the log where it holds no record. ``log``: the log's bytes when already read.
    """
    metrics = parse_metrics(content(files.folder / METRICS))
    console = parse_log(content(files.logs / LOG) if log is None else log)
    chosen, source = (metrics, "metrics") if metrics.records else (console, "log")
    count = count_steps(chosen.records, kind)
    notices = [*chosen.notices, *(Notice("V511", f"{source}, step {step}", "") for step in count.repeated)]
    if metrics.records and console.records:
        notices.extend(compare_sources(metrics.records, console.records, kind))
    return RunRecords(chosen.records, source, console.dialect or chosen.dialect, tuple(notices), count)
