"""The telemetry table and the expositions made from the same samples (formal-case.md 10.4)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from autoresearch.telemetry.families import SeriesKey, family_rules
from autoresearch.telemetry.openmetrics import Family, Point, label_set, write_exposition
from autoresearch.telemetry.samples import HOST_METRICS, SAMPLE_TIME, Sample
from autoresearch.telemetry.series import Series

HOST_PREFIX = "autoresearch_machine_host_"
COLUMNS = ("row", "device_id", "chip_id", "uuid", "source", "metric", "epoch_ms", "value")


class TableWriter:
    """Context manager that writes ``telemetry.parquet`` (zstd) series by series, each one row group, so that neither
    writing nor reading needs the whole table in memory. Device columns are null for samples of the host.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        text = [(name, pa.string()) for name in COLUMNS[:-2]]
        self._schema = pa.schema([*text, ("epoch_ms", pa.int64()), ("value", pa.float64())])
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self.samples = 0

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def add(self, series: Series) -> None:
        """Write one series; one without values writes nothing."""
        import pyarrow as pa

        count = len(series.values)
        if not count:
            return
        key = series.key
        texts = (series.row, key.device_id, key.chip_id, key.uuid, key.source, key.metric)
        columns = [pa.repeat(pa.scalar(text, pa.string()), count) for text in texts]
        numbers = [pa.array(memoryview(series.epoch_ms)), pa.array(memoryview(series.values))]
        self._writer.write_table(pa.table([*columns, *numbers], schema=self._schema), row_group_size=count)
        self.samples += count


class TableReader:
    """The series of a ``telemetry.parquet`` that ``TableWriter`` wrote: listed at once, read one by one.

    Raises ``ValueError`` when the columns are others or a row group holds more than one series.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet as pq

        self._file = pq.ParquetFile(path)
        if tuple(self._file.schema_arrow.names) != COLUMNS:
            raise ValueError(f"{path}: columns {self._file.schema_arrow.names}, expected {list(COLUMNS)}")
        self.series = [self._name(path, group) for group in range(self._file.num_row_groups)]
        """Row and key of each series, in the table's order."""

    def __enter__(self) -> TableReader:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _name(self, path: Path, group: int) -> tuple[str, SeriesKey]:
        texts: dict[str, str | None] = {}
        columns = self._file.metadata.row_group(group)
        for index, name in enumerate(COLUMNS[:-2]):
            found = columns.column(index).statistics
            if found is None or (found.has_min_max and found.min != found.max):
                raise ValueError(f"{path}: row group {group} holds more than one series")
            texts[name] = found.min if found.has_min_max else None
        key = SeriesKey(
            texts["source"] or "", texts["device_id"], texts["chip_id"], texts["uuid"], texts["metric"] or ""
        )
        return texts["row"] or "", key

    def read(self, index: int) -> tuple[Any, Any]:
        """Times (int64, UTC ms) and values (float64) of the series at this place of ``series``, as numpy arrays."""
        table = self._file.read_row_group(index, columns=["epoch_ms", "value"])
        return table.column(0).to_numpy(), table.column(1).to_numpy()


def write_table(path: Path, samples: Sequence[Sample]) -> None:
    """Write ``telemetry.parquet`` of host samples, which come in order of time within a series."""
    found: dict[tuple[str, str, str], Series] = {}
    for each in samples:
        name = (each.row, each.source, each.metric)
        if name not in found:
            key = SeriesKey(each.source, None, None, None, each.metric)
            found[name] = Series(each.row, key, array("q"), array("d"))
        found[name].epoch_ms.append(each.epoch_ms)
        found[name].values.append(each.value)
    with TableWriter(path) as writer:
        for series in found.values():
            writer.add(series)


def read_table(path: Path) -> list[Sample]:
    """Read ``telemetry.parquet`` back. Raises ``ValueError`` when its columns are others."""
    out: list[Sample] = []
    with TableReader(path) as reader:
        for index, (row, key) in enumerate(reader.series):
            stamps, values = reader.read(index)
            pairs = zip(stamps.tolist(), values.tolist(), strict=True)
            out.extend(Sample(row, key.source, key.metric, stamp, value) for stamp, value in pairs)
    return out


def host_families(samples: Iterable[Sample], server: str) -> list[Family]:
    """The host families of 10.4 with one point a sample."""
    points: dict[str, list[Point]] = {metric: [] for metric in (*HOST_METRICS, SAMPLE_TIME)}
    for sample in samples:
        labels = label_set({"server": server, "source": sample.source})
        points[sample.metric].append(Point(labels, sample.epoch_ms, sample.value))
    helps = {rule.family: rule.help for rule in family_rules()}
    return [Family(HOST_PREFIX + metric, helps[HOST_PREFIX + metric], found) for metric, found in points.items()]


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


def series_summary(samples: Iterable[Sample]) -> dict[tuple[str, str], tuple[int, float, float, float, float]]:
    """Count, first, last, minimum and maximum of each (source, metric) over all rows, in order of time."""
    series: dict[tuple[str, str], list[Sample]] = {}
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
