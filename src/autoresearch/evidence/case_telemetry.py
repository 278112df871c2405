"""Telemetry of a bundle: raw files to statistics, table and exposition (formal-case.md 10.3, 10.4).

All of it is derived from files of the bundle, so that a rehearsal gives the same numbers. Sources and attempts are
never joined.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autoresearch.evidence.attempt_records import Attempt
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.locks import ConfigLock
from autoresearch.files import write_json
from autoresearch.findings import Finding, finding
from autoresearch.telemetry import exposition
from autoresearch.telemetry.device_statistics import (
    StepWindow,
    device_statistics,
    push_findings,
    telemetry_findings,
)
from autoresearch.telemetry.exposition import Summary, TelemetryRow, Written, attempt_series, row_reads
from autoresearch.telemetry.families import RowLabels, SeriesKey
from autoresearch.telemetry.prometheus_note import prometheus_note
from autoresearch.telemetry.rounds import DEVICE_FILES
from autoresearch.telemetry.samplers import RAW_FILES
from autoresearch.telemetry.series import SourceRead, read_host
from autoresearch.telemetry.statistics import source_block
from autoresearch.telemetry.table import TableReader
from autoresearch.training.step_ends import StepEnd, log_times, step_ends

Life = tuple[int, int]
SeriesName = tuple[str, SeriesKey]


def document(bundle: Bundle, path: Path) -> dict[str, Any]:
    """A JSON object of the bundle; empty when it is absent or of another form."""
    content = bundle.json(path)
    return content if isinstance(content, dict) else {}


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def trainer_life(bundle: Bundle, row: str) -> Life | None:
    """Begin and end of the trainer in UTC ms: of ``result.json``, its length by the monotonic clock; else the log's."""
    result = document(bundle, bundle.row_folder(row) / "result.json")
    for head in ("trainer_", ""):
        began = _integer(result.get(f"{head}started_epoch_ms"))
        monos = [_integer(result.get(f"{head}{each}_mono_ms")) for each in ("started", "finished")]
        if began is not None and monos[0] is not None and monos[1] is not None:
            return began, began + monos[1] - monos[0]
    times = log_times(read_lines(bundle.log_folder(row) / "log-index.jsonl"))
    return (times[0][1], times[-1][1]) if times else None


def row_step_ends(bundle: Bundle, attempt: Attempt) -> list[StepEnd]:
    """When the attempt's training records were logged."""
    log = bundle.log_folder(attempt.row) / "trainer.log"
    index = read_lines(bundle.log_folder(attempt.row) / "log-index.jsonl")
    return step_ends(log.read_bytes(), index, attempt.kind) if index and log.is_file() else []


def step_windows(ends: Sequence[StepEnd], life: Life | None) -> list[StepWindow]:
    """Each step from the line of the one before to its own; the first, which begins with the trainer, is warm-up."""
    windows = []
    begin = life[0] if life else None
    for number, end in enumerate(ends):
        if begin is not None and end.epoch_ms >= begin:
            windows.append(StepWindow(end.step, begin, end.epoch_ms, measured=number > 0))
        begin = end.epoch_ms
    return windows


def device_file(bundle: Bundle, row: str) -> Path | None:
    """The attempt's raw device samples, or None."""
    return next((path for name in DEVICE_FILES if (path := bundle.row_folder(row) / name).is_file()), None)


def host_file(bundle: Bundle, row: str) -> Path | None:
    """The attempt's raw host samples, or None."""
    path = bundle.row_folder(row) / RAW_FILES["host"]
    return path if path.is_file() else None


def run_labels(bundle: Bundle, lock: ConfigLock, attempt: Attempt) -> RowLabels:
    """The labels of an attempt's series, as its live values had them."""
    described = document(bundle, bundle.row_folder(attempt.row) / "row.json")
    shown = described.get("telemetry")
    names = shown if isinstance(shown, dict) else {}
    return RowLabels(
        str(described.get("run_id") or lock.run_id),
        attempt.case.case_id,
        str(described.get("attempt") or attempt.number),
        str(described.get("server") or lock.server.get("name")),
        str(names.get("wandb_project") or ""),
        str(names.get("wandb_run_name") or ""),
    )


def telemetry_row(bundle: Bundle, lock: ConfigLock, attempt: Attempt) -> TelemetryRow:
    """What the exposition needs of an attempt."""
    result = document(bundle, bundle.row_folder(attempt.row) / "result.json")
    life, pushes = trainer_life(bundle, attempt.row), result.get("pushes")
    return TelemetryRow(
        row=attempt.row,
        labels=run_labels(bundle, lock, attempt),
        device_file=device_file(bundle, attempt.row),
        host_file=host_file(bundle, attempt.row),
        started_ms=life[0] if life else None,
        finished_ms=life[1] if life else None,
        steps=[(end.epoch_ms, end.step) for end in row_step_ends(bundle, attempt)],
        push_failures=_integer(pushes.get("failed")) if isinstance(pushes, dict) else None,
    )


def wanted_devices(described: Mapping[str, Any]) -> set[str] | None:
    """The row's devices as ``<device>/<chip>`` and uuid; null: all that were seen."""
    found = set()
    for each in described.get("devices") or []:
        found.add(f"{each.get('id')}/{each.get('chip') or 0}")
        if each.get("uuid"):
            found.add(str(each["uuid"]))
    return found or None


def statistics(bundle: Bundle, attempt: Attempt) -> dict[str, Any]:
    """``telemetry-stats.json`` of an attempt: the trainer's life, a block for the devices and one for the host.

    Many derivations ask for them; the raw files are read again only when one of them has changed.
    """
    folder, logs = bundle.row_folder(attempt.row), bundle.log_folder(attempt.row)
    names = [folder / name for name in ("row.json", "result.json", *DEVICE_FILES, RAW_FILES["host"])]
    names += [logs / "trainer.log", logs / "log-index.jsonl"]
    key = (attempt.row, attempt.kind, *(_identity(path) for path in names))
    if key not in _KNOWN:
        while len(_KNOWN) >= KEPT:
            del _KNOWN[next(iter(_KNOWN))]
        _KNOWN[key] = _read_statistics(bundle, attempt)
    return copy.deepcopy(_KNOWN[key])


def _identity(path: Path) -> tuple[str, int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return str(path), found.st_size, found.st_mtime_ns, found.st_ino


_KNOWN: dict[tuple[Any, ...], dict[str, Any]] = {}
KEPT = 128


def _read_statistics(bundle: Bundle, attempt: Attempt) -> dict[str, Any]:
    life = trainer_life(bundle, attempt.row)
    ends = row_step_ends(bundle, attempt)
    described = document(bundle, bundle.row_folder(attempt.row) / "row.json")
    index = log_times(read_lines(bundle.log_folder(attempt.row) / "log-index.jsonl"))
    blocks: dict[str, Any] = {"life": list(life) if life else None, "devices": None, "host": None}
    for read in row_reads(TelemetryRow(attempt.row, EMPTY, device_file(bundle, attempt.row), None)):
        blocks["devices"] = device_statistics(
            read,
            life,
            step_windows(ends, life),
            [(stamp, offset) for offset, stamp in index],
            wanted_devices(described),
        )
    path = host_file(bundle, attempt.row)
    if path is not None:
        blocks["host"] = source_block(read_host(path, attempt.row), life)
    return blocks


EMPTY = RowLabels("", "", "", "")


def row_findings(bundle: Bundle, attempt: Attempt, blocks: Mapping[str, Any], accelerator: str) -> list[Finding]:
    """V410-V414, V420 and V430 of an attempt."""
    present = [block for block in (blocks["devices"], blocks["host"]) if block]
    found = telemetry_findings(attempt.row, accelerator, present)
    pushes = document(bundle, bundle.row_folder(attempt.row) / "result.json").get("pushes")
    return found + (push_findings(attempt.row, pushes) if isinstance(pushes, dict) else [])


def write(bundle: Bundle, lock: ConfigLock, attempts: Sequence[Attempt], blocks: Mapping[str, Any]) -> Written:
    """Table, expositions, and the note about what was pushed, is present, is missing. ``blocks``: row -> statistics."""
    folder = bundle.path("telemetry").parent
    rows = [telemetry_row(bundle, lock, attempt) for attempt in attempts]
    written = exposition.write(folder, rows)
    pushes, intervals = {}, {}
    for attempt in attempts:
        status = document(bundle, bundle.row_folder(attempt.row) / "push-status.json")
        pushes[attempt.row] = status
        block = blocks[attempt.row]["devices"] or blocks[attempt.row]["host"]
        intervals[attempt.row] = block["interval"] if block else None
    run = document(bundle, bundle.path("run")) if "run" in bundle.manifest.artifact_layout.artifacts else {}
    urls = run.get("settings", {}).get("urls") or {}
    write_json(bundle.path("prometheus_notes"), prometheus_note(folder, written, urls, pushes, intervals))
    return written


def _summary(values: Sequence[float]) -> Summary:
    return Summary(len(values), values[0], values[-1], min(values), max(values), math.fsum(values))


def raw_summaries(rows: Sequence[TelemetryRow]) -> dict[SeriesName, Summary]:
    """Count, first, last, minimum and maximum of each series, from the raw files."""
    found: dict[SeriesName, Summary] = {}
    for row in rows:
        reads: list[SourceRead] = row_reads(row)
        for series in [*(each for read in reads for each in read.series), *attempt_series(row, reads)]:
            if len(series.values):
                found[series.row, series.key] = _summary(series.values)
    return found


def table_summaries(path: Path) -> dict[SeriesName, Summary]:
    """The same from the table. Raises ``ValueError`` when it is none of ours."""
    with TableReader(path) as table:
        return {name: _summary(table.read(index)[1].tolist()) for index, name in enumerate(table.series)}


def _bad(place: str, value: object, rule: str) -> Finding:
    return finding(
        "V615", place=place, value=str(value), rule=rule, remedy="one of the three was changed after sealing"
    )


def check(bundle: Bundle, lock: ConfigLock, attempts: Sequence[Attempt]) -> tuple[int, tuple[Finding, ...], str]:
    """The ``telemetry`` check of 9.6: raw files, table and exposition agree series by series."""
    rows = [telemetry_row(bundle, lock, attempt) for attempt in attempts]
    raw = raw_summaries(rows)
    table, history = bundle.path("telemetry_table"), bundle.path("telemetry")
    if not raw:
        kept = [path for path in (table, history) if path.exists()]
        rule = "no raw sample stands behind it"
        return 0, tuple(_bad(bundle.relative(path), "present", rule) for path in kept), "no sample"
    found: list[Finding] = []
    for path in (table, history):
        if not path.is_file():
            return len(raw), (_bad(bundle.relative(path), "missing", "the raw files hold samples"),), ""
    try:
        found += _differences(bundle.relative(table), table_summaries(table), raw, "the raw samples")
        labels = {row.row: row.labels for row in rows}
        wanted = exposition.expected(table, labels)
        found += _differences(bundle.relative(history), exposition.shown(history), wanted, "the table's samples")
    except Exception as error:  # pyarrow raises many kinds on damaged files
        found.append(_bad(bundle.relative(table), type(error).__name__, str(error)[:200]))
    return len(raw), tuple(found), ""


def _differences(place: str, seen: Mapping[Any, Summary], wanted: Mapping[Any, Summary], what: str) -> list[Finding]:
    found = []
    for name in sorted(seen.keys() | wanted.keys(), key=repr):
        left, right = seen.get(name), wanted.get(name)
        if left != right:
            rule = f"count, first, last, min, max of {what} are {tuple(right) if right else 'nothing'}"
            found.append(_bad(f"{place}: {_shown(name)}", tuple(left) if left else "nothing", rule))
    return found


def _shown(name: tuple[str, Any]) -> str:
    if isinstance(name[1], SeriesKey):
        parts = [name[0], *(each for each in name[1] if each is not None)]
        return " ".join(parts)
    inside = ",".join(f"{label}={value}" for label, value in name[1])
    return f"{name[0]} {inside}"
