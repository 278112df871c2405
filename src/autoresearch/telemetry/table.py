"""The telemetry table and the expositions made from the same samples (formal-case.md 10.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from autoresearch.telemetry.openmetrics import Family, Point, label_set, write_exposition
from autoresearch.telemetry.samples import HOST_METRICS, SAMPLE_TIME, Sample

HOST_PREFIX = "autoresearch_machine_host_"
COLUMNS = ("row", "device_id", "chip_id", "uuid", "source", "metric", "epoch_ms", "value")
HELP = {
    "memory_used_bytes": "Total minus free minus buffers and cache.",
    "memory_total_bytes": "Memory of the host.",
    "memory_free_bytes": "Memory that nothing uses.",
    "memory_available_bytes": "Memory that the kernel could give to a new process.",
    "memory_buff_cache_bytes": "Buffers and cache without shared memory.",
    "memory_occupied_bytes": "Total minus free.",
    "cpu_utilization_percent": "Busy share of all processors since the previous round.",
    "disk_free_bytes": "Free space where the run is written.",
    SAMPLE_TIME: "When the round was read.",
}
Series = tuple[str, str]
"""(source, metric)."""


def write_table(path: Path, samples: Sequence[Sample]) -> None:
    """Write ``telemetry.parquet`` (zstd). Device columns are null for samples of the host."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    empty = pa.nulls(len(samples), pa.string())
    columns = [
        pa.array([each.row for each in samples], pa.string()),
        *[empty] * 3,
        pa.array([each.source for each in samples], pa.string()),
        pa.array([each.metric for each in samples], pa.string()),
        pa.array([each.epoch_ms for each in samples], pa.int64()),
        pa.array([each.value for each in samples], pa.float64()),
    ]
    pq.write_table(pa.table(columns, names=list(COLUMNS)), path, compression="zstd")


def read_table(path: Path) -> list[Sample]:
    """Read ``telemetry.parquet`` back. Raises ``ValueError`` when its columns are others."""
    import pyarrow.parquet as pq

    with path.open("rb") as handle:
        table = pq.read_table(handle)
    if tuple(table.column_names) != COLUMNS:
        raise ValueError(f"{path}: columns {table.column_names}, expected {list(COLUMNS)}")
    keep = table.select(["row", "source", "metric", "epoch_ms", "value"]).to_pylist()
    return [Sample(each["row"], each["source"], each["metric"], each["epoch_ms"], each["value"]) for each in keep]


def host_families(samples: Iterable[Sample], server: str) -> list[Family]:
    """The host families of 10.4 with one point a sample."""
    points: dict[str, list[Point]] = {metric: [] for metric in (*HOST_METRICS, SAMPLE_TIME)}
    for sample in samples:
        labels = label_set({"server": server, "source": sample.source})
        points[sample.metric].append(Point(labels, sample.epoch_ms, sample.value))
    return [Family(HOST_PREFIX + metric, HELP[metric], found) for metric, found in points.items()]


def latest(families: Iterable[Family]) -> list[Family]:
    """The newest point of every label set, without its time stamp (for the latest-value files)."""
    out: list[Family] = []
    for family in families:
        newest: dict[tuple[tuple[str, str], ...], Point] = {}
        for point in family.points:
            kept = newest.get(point.labels)
            if kept is None or (point.epoch_ms or 0) >= (kept.epoch_ms or 0):
                newest[point.labels] = point
        out.append(family._replace(points=[point._replace(epoch_ms=None) for point in newest.values()]))
    return out


def write_families(path: Path, families: Iterable[Family]) -> list[str]:
    """Write an exposition unless it would be empty; returns the names of the families that have no sample."""
    families = list(families)
    if any(family.points for family in families):
        with path.open("w", encoding="utf-8", newline="\n") as handle:
            write_exposition(handle, families)
    return [family.name for family in families if not family.points]


def series_summary(samples: Iterable[Sample]) -> dict[Series, tuple[int, float, float, float, float]]:
    """Count, first, last, minimum and maximum of each series over all rows, in order of time."""
    series: dict[Series, list[Sample]] = {}
    for sample in samples:
        series.setdefault((sample.source, sample.metric), []).append(sample)
    out = {}
    for key, found in series.items():
        ordered = [each.value for each in sorted(found, key=lambda each: each.epoch_ms)]
        out[key] = (len(ordered), ordered[0], ordered[-1], min(ordered), max(ordered))
    return out


def exposition_samples(families: dict[str, list[Point]]) -> list[Sample]:
    """Points of host families as samples (their row is not in an exposition and stays empty)."""
    out: list[Sample] = []
    for name, points in families.items():
        if name.startswith(HOST_PREFIX):
            for point in points:
                source = dict(point.labels).get("source", "")
                out.append(Sample("", source, name.removeprefix(HOST_PREFIX), point.epoch_ms or 0, point.value))
    return out
