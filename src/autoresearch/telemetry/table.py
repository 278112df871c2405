"""``telemetry.parquet``: one row group a series (formal-case.md 10.4). ``exposition`` writes and reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autoresearch.telemetry.families import SeriesKey
from autoresearch.telemetry.series import Series

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
        self._out = path.open("wb")  # opened here: pyarrow refuses names that are no UTF-8
        self._writer = pq.ParquetWriter(self._out, self._schema, compression="zstd")
        self.samples = 0

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()
        self._out.close()

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

        self._source = path.open("rb")
        try:
            self._file = pq.ParquetFile(self._source)
            if tuple(self._file.schema_arrow.names) != COLUMNS:
                raise ValueError(f"{path}: columns {self._file.schema_arrow.names}, expected {list(COLUMNS)}")
            self.series = [self._name(path, group) for group in range(self._file.num_row_groups)]
            """Row and key of each series, in the table's order."""
        except BaseException:
            self._source.close()
            raise

    def __enter__(self) -> TableReader:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._source.close()

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
