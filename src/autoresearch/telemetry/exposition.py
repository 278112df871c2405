"""The telemetry table and the expositions of a run, from the same samples (formal-case.md 10.4).

``write`` reads each row's raw files once into the table, then makes every family from the table, series by series: one
series is in memory at a time. ``expected`` and ``shown`` are the two sides that a check compares.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TextIO

from autoresearch.telemetry.families import FamilyRule, RowLabels, SeriesKey, family_rules, labels_of
from autoresearch.telemetry.openmetrics import head_lines, number_text, read_labels, series_text, stamp_text
from autoresearch.telemetry.series import Series, SourceRead, read_devices, read_host, series_from
from autoresearch.telemetry.table import TableReader, TableWriter

TABLE = "telemetry.parquet"
HISTORY = "telemetry-openmetrics.prom"
LATEST = {
    "telemetry-latest-openmetrics.prom": ("npu", "device", "run", "source"),
    "machine-latest-openmetrics.prom": ("machine_npu",),
    "host-resource-openmetrics.prom": ("host",),
    "experiment-cases-openmetrics.prom": ("case",),
}
"""Files of newest values without times, and the groups of families in each."""
ALIVE_EVERY_MS = 60_000
BEAT_EVERY_MS = 5_000
RUNNER = "runner"
NO_DEVICE = "no device was sampled; no device series is invented"
Labels = tuple[tuple[str, str], ...]


class Summary(NamedTuple):
    """What two records of one series must agree in."""

    samples: int
    first: float
    last: float
    minimum: float
    maximum: float
    total: float


@dataclass(frozen=True)
class TelemetryRow:
    """One attempt: its folder name, labels, raw files (null where there is none) and what the attempt itself says.

    ``started_ms``, ``finished_ms`` and the times of ``steps`` are UTC milliseconds; ``steps`` holds (time, step).
    """

    row: str
    labels: RowLabels
    device_file: Path | None
    host_file: Path | None
    started_ms: int | None = None
    finished_ms: int | None = None
    steps: Sequence[tuple[int, int]] = ()
    push_failures: int | None = None


@dataclass
class Written:
    """What ``write`` left: samples in the table, samples of each family in the history, families without any and why,
    and the names of the files.
    """

    samples: int = 0
    present: dict[str, int] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    reading_seconds: float = 0.0
    """Seconds that raw files and table took; the rest of the time went into the expositions."""


def attempt_series(row: TelemetryRow, reads: Iterable[SourceRead]) -> list[Series]:
    """Series of the attempt itself: that it was there (once a minute), begin, end, step, life, failed pushes."""
    stamps = sorted({stamp for read in reads for stamp in read.stamps})
    found: list[tuple[SeriesKey, int, float]] = []

    def add(metric: str, stamp: int, value: float) -> None:
        found.append((SeriesKey(RUNNER, None, None, None, metric), stamp, value))

    if row.started_ms is not None:
        end = row.finished_ms if row.finished_ms is not None else max([row.started_ms, *stamps[-1:]])
        grid = sorted({*range(row.started_ms, end, ALIVE_EVERY_MS), end})
        for stamp in grid:
            add("case_info", stamp, 1.0)
            add("case_start_time_seconds", stamp, row.started_ms / 1000)
        if row.finished_ms is not None:
            add("case_end_time_seconds", row.finished_ms, row.finished_ms / 1000)
        step = 0
        times = [(stamp, None) for stamp in grid]
        for stamp, done in heapq.merge(times, sorted(row.steps), key=lambda pair: pair[0]):
            step = step if done is None else done
            add("case_step", stamp, float(step))
        if row.push_failures is not None:
            add("push_failures", end, float(row.push_failures))
    last = None
    for stamp in stamps:
        if last is None or stamp - last >= BEAT_EVERY_MS or stamp == stamps[-1]:
            add("heartbeat_time_seconds", stamp, stamp / 1000)
            last = stamp
    return list(series_from(row.row, found))


def row_reads(row: TelemetryRow) -> list[SourceRead]:
    """The raw files of a row, devices first."""
    reads = [read_devices(row.device_file, row.row)] if row.device_file else []
    return reads + ([read_host(row.host_file, row.row)] if row.host_file else [])


def write(folder: Path, rows: Sequence[TelemetryRow]) -> Written:
    """Write table, history and latest-value files of ``rows`` into ``folder`` (which exists); no samples, no file.

    Memory holds one row's samples while the table is written and one series while a family is. Raises ``OSError``.
    """
    written, began = Written(), time.perf_counter()
    with TableWriter(folder / TABLE) as table:
        for row in rows:
            reads = row_reads(row)
            for series in [*(each for read in reads for each in read.series), *attempt_series(row, reads)]:
                table.add(series)
        written.samples = table.samples
    written.reading_seconds = time.perf_counter() - began
    if not written.samples:
        (folder / TABLE).unlink()
        written.missing = {rule.family: "no sample" for rule in family_rules()}
        return written
    newest = _write_history(folder, {row.row: row.labels for row in rows}, written)
    written.files = [TABLE, HISTORY]
    for name, groups in LATEST.items():
        if _write_latest(folder / name, groups, newest):
            written.files.append(name)
    return written


def _write_history(
    folder: Path, labels: Mapping[str, RowLabels], written: Written
) -> dict[str, list[tuple[Labels, float]]]:
    newest: dict[str, list[tuple[Labels, float]]] = {}
    with TableReader(folder / TABLE) as table, (folder / HISTORY).open("w", encoding="utf-8", newline="\n") as out:
        for rule in family_rules():
            places = _places(table, rule, labels)
            if not places:
                written.missing[rule.family] = _why_missing(rule, table)
                continue
            out.write(head_lines(rule.family, rule.help))
            count = 0
            for names, indices in sorted(places.items()):
                stamps, values = _joined(table, indices)
                _write_series(out, series_text(rule.family, names), stamps, values)
                newest.setdefault(rule.family, []).append((names, values[-1]))
                count += len(values)
            written.present[rule.family] = count
        out.write("# EOF\n")
    return newest


def _why_missing(rule: FamilyRule, table: TableReader) -> str:
    if rule.group not in ("npu", "machine_npu", "source", "device"):
        return "no sample"
    if all(key.device_id is None for _, key in table.series):
        return NO_DEVICE
    ascend = rule.group == "device" or any(key.source == "npu-smi" for _, key in table.series)
    return "no sample" if ascend else "written for Ascend devices only"


def _places(table: TableReader, rule: FamilyRule, labels: Mapping[str, RowLabels]) -> dict[Labels, list[int]]:
    """Label set -> the table's series that belong to it (several rows feed one series of a machine)."""
    places: dict[Labels, list[int]] = {}
    for index, (row, key) in enumerate(table.series):
        if key.metric == rule.metric:
            names = labels_of(rule.group, labels[row], key)
            if names is not None:
                places.setdefault(names, []).append(index)
    return places


def _joined(table: TableReader, indices: Sequence[int]) -> tuple[list[int], list[float]]:
    """Times and values of one series; where rows overlap, the first value of a time is kept."""
    stamps, values = table.read(indices[0])
    if len(indices) > 1:
        import numpy as np

        parts = [(stamps, values), *(table.read(index) for index in indices[1:])]
        stamps, first = np.unique(np.concatenate([part[0] for part in parts]), return_index=True)
        values = np.concatenate([part[1] for part in parts])[first]
    return stamps.tolist(), values.tolist()


def _write_series(out: TextIO, begin: str, stamps: Sequence[int], values: Sequence[float]) -> None:
    texts: dict[float, str] = {}
    lines = []
    for stamp, value in zip(stamps, values, strict=True):
        text = texts.get(value)
        if text is None:
            text = texts[value] = f"{begin} {number_text(value)} "
        lines.append(text + stamp_text(stamp))
    out.write("\n".join(lines) + "\n")


def _write_latest(path: Path, groups: Sequence[str], newest: Mapping[str, list[tuple[Labels, float]]]) -> bool:
    """Newest values without times, as ``promtool check metrics`` reads them; false when there are none."""
    found = [rule for rule in family_rules() if rule.group in groups and rule.family in newest]
    if not found:
        return False
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for rule in found:
            out.write(head_lines(rule.family, rule.help))
            for names, value in newest[rule.family]:
                out.write(f"{series_text(rule.family, names)} {number_text(value)}\n")
        out.write("# EOF\n")
    return True


def _summary(values: Sequence[float]) -> Summary:
    return Summary(len(values), values[0], values[-1], min(values), max(values), math.fsum(values))


def expected(table: Path, labels: Mapping[str, RowLabels]) -> dict[tuple[str, Labels], Summary]:
    """What the history must show of each series, from the table: (family, labels) -> count, first, last, min, max."""
    found = {}
    with TableReader(table) as reader:
        for rule in family_rules():
            for names, indices in _places(reader, rule, labels).items():
                found[rule.family, names] = _summary(_joined(reader, indices)[1])
    return found


def shown(history: Path) -> dict[tuple[str, Labels], Summary]:
    """The same from a history's text. Raises ``ValueError`` with the line number where it is none of ours."""
    found: dict[tuple[str, Labels], Summary] = {}
    for begin, values in _series_lines(history):
        name, _, inside = begin.partition("{")
        key = (name, read_labels(inside[:-1], 0))
        if key in found:
            raise ValueError(f"{history}: {begin} stands in two places")
        found[key] = _summary(values)
    return found


def _series_lines(history: Path) -> Iterator[tuple[str, list[float]]]:
    begin, ended = "", False
    values: list[float] = []
    with history.open(encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            if line.startswith("# "):
                ended = line == "# EOF\n"
                continue
            parts = line.rstrip("\n").rsplit(" ", 2)
            if ended or len(parts) != 3 or not parts[0].endswith("}"):
                raise ValueError(f"{history}: line {number}: not a sample with a time: {line[:120]!r}")
            if parts[0] != begin and values:
                yield begin, values
                values = []
            begin = parts[0]
            values.append(float(parts[1]))
    if not ended:
        raise ValueError(f"{history}: the last line is not # EOF")
    if values:
        yield begin, values
