"""Measured throughput of an attempt, for ranking the candidates of a promotion (formal-case.md 5.4, 12.4)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from autoresearch.cases.events import RowFiles
from autoresearch.cases.records import content, read_records
from autoresearch.training.stage_times import rl_throughput
from autoresearch.training.step_ends import sft_throughput, step_ends


def measure(files: RowFiles, kind: Literal["rl", "sft", "none"], devices: int) -> tuple[float | None, int]:
    """(tokens per second and device, measured steps); (None, 0) where nothing was measured."""
    if kind == "none":
        return None, 0
    log = content(files.logs / "trainer.log")
    records = read_records(files, kind, log).records
    if kind == "rl":
        rate = rl_throughput(records, devices)
    else:
        index = list(_lines(files.logs / "log-index.jsonl"))
        rate = sft_throughput(records, step_ends(log, index, "sft"), devices)
    return rate.per_device, rate.steps


def _lines(path: Path) -> Iterator[Any]:
    for line in content(path).splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue
