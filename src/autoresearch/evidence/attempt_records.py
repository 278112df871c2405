"""An attempt's raw files read: its records, counted steps, life and telemetry (formal-case.md 12, 10.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.locks import ConfigLock, LockRow
from autoresearch.telemetry.samples import read_host_rounds
from autoresearch.telemetry.statistics import host_statistics
from autoresearch.training.steps import (
    Notice,
    Record,
    StepCount,
    compare_sources,
    count_steps,
    parse_log,
    parse_metrics,
)


@dataclass(frozen=True)
class Attempt:
    """An attempt's name ``<case_id>.a<N>`` taken apart by the lock's case ids."""

    row: str
    case: LockRow
    number: int
    kind: str = "rl"
    """``sft`` or ``rl``: which keys make a step."""


@dataclass(frozen=True)
class AttemptRecords:
    """All records of an attempt: the metrics file first, the log where there is none."""

    records: tuple[Record, ...]
    source: str
    dialect: int | None
    notices: tuple[Notice, ...]
    count: StepCount


def attempts(lock: ConfigLock, rows: Sequence[str]) -> list[Attempt]:
    """The attempts among ``rows`` that belong to a planned case (the chain check names the others)."""
    cases = {case.case_id: case for case in lock.rows}
    found = []
    for row in rows:
        case_id, _, number = row.rpartition(".a")
        if case_id in cases and number.isdigit():
            kind = "sft" if case_id.startswith("sft") or lock.task.endswith("-sft") else "rl"
            found.append(Attempt(row, cases[case_id], int(number), kind))
    return found


def read_records(bundle: Bundle, attempt: Attempt) -> AttemptRecords:
    """Read ``metrics.jsonl`` and ``trainer.log`` of an attempt and count its steps (12.1, 12.3).

    Attempts of a quickstart are joined by step as the launcher joins them: from its first step on, a later attempt
    replaces the earlier ones. An attempt of a formal case begins anew and stands for itself.
    """
    taken: list[Record] = []
    notices: list[Notice] = []
    source, dialect = "metrics", None
    first = 1 if bundle.manifest.kind == "quickstart" else attempt.number
    for number in range(first, attempt.number + 1):
        row = f"{attempt.case.case_id}.a{number}"
        metrics = parse_metrics(_content(bundle, row, "metrics.jsonl"))
        log = parse_log(_content(bundle, row, "trainer.log"))
        chosen, source = (metrics, "metrics") if metrics.records else (log, "log")
        dialect = log.dialect or chosen.dialect
        notices = [*chosen.notices]
        if metrics.records and log.records:
            notices.extend(compare_sources(metrics.records, log.records, attempt.kind))
        if chosen.records:
            begin = min(record.step for record in chosen.records)
            taken = [record for record in taken if record.step < begin] + list(chosen.records)
    count = count_steps(taken, attempt.kind)
    notices.extend(Notice("V511", f"{source}, step {step}", "") for step in count.repeated)
    return AttemptRecords(tuple(taken), source, dialect, tuple(notices), count)


def _content(bundle: Bundle, row: str, name: str) -> bytes:
    folder = bundle.log_folder(row) if name == "trainer.log" else bundle.row_folder(row)
    path = folder / name
    return path.read_bytes() if path.is_file() else b""


def life_ms(bundle: Bundle, row: str) -> tuple[int, int] | None:
    """First and last instant of the trainer's log, in epoch milliseconds; the samples' when no log index exists."""
    for path in (bundle.log_folder(row) / "log-index.jsonl", bundle.row_folder(row) / "host-samples.jsonl"):
        stamps = [each["epoch_ms"] for each in read_lines(path) if isinstance(each.get("epoch_ms"), int)]
        if stamps:
            return min(stamps), max(stamps)
    return None


def telemetry_statistics(bundle: Bundle, row: str) -> dict[str, Any] | None:
    """``telemetry-stats.json`` of a row, or None when it has no samples."""
    path = bundle.row_folder(row) / "host-samples.jsonl"
    return host_statistics(read_host_rounds(path), row, life_ms(bundle, row)) if path.is_file() else None
