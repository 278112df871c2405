"""The records that the conflict audit compares, as columns, and how its hashes are made (data-line 8.1, 8.2)."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import RefusedError
from autoresearch.files import read_records, sha256_file
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.text import comparison_form
from autoresearch.task.conflict_report import SplitChoice

if TYPE_CHECKING:
    import polars as pl

NUL, UNIT = "\0", "\x1f"
BROKEN = "broken"
"""Status given to what is no object at all."""


@dataclass(frozen=True)
class Dataset:
    """The records of one dataset that count, column by column, with the hashes of its standards."""

    name: str
    ids: Sequence[str]
    targets: Sequence[tuple[str, str]]
    """Category id and level."""
    metadata: Mapping[str, Sequence[str]]
    """Field → texts; always holds ``field_name`` and ``table_name``."""
    incomplete: int
    without_level: int
    classification_sha256: str
    grading_sha256: str

    def row(self, place: int) -> tuple[str, ...]:
        """What the local table shows of one record: id, names, target."""
        names = (self.metadata["field_name"][place], self.metadata["table_name"][place])
        return (self.ids[place], *names, *self.targets[place])


def read_dataset(
    name: str,
    canonical: Path,
    classification: Path,
    grading: Path,
    split: SplitChoice,
    level_field: str,
    fields: Sequence[str],
) -> Dataset:
    """The records of the split that count, and how many do not (incomplete, without level).

    Raises ``RefusedError`` when there is nothing to audit.
    """
    import polars as pl

    levels = list(GradingConfig.from_path(grading).levels)
    wanted = list(dict.fromkeys((*fields, "field_name", "table_name")))
    every = _read_lines(canonical, level_field, wanted)
    if every is None:
        every = _read_any(canonical, level_field, wanted)
    every = every.with_columns(pl.all().fill_null(""))
    broken = every.filter(pl.col("status") == BROKEN).height
    in_split = pl.lit(True) if split == "all" else pl.col("split") == split
    frame = every.filter((pl.col("status") == "resolved") & in_split)
    nameless = pl.col("id").eq("") | pl.col("field_name").str.strip_chars().eq("") | pl.col("category").eq("")
    whole = frame.filter(~nameless)
    blank = pl.col("level").str.strip_chars() == ""
    kept = whole.filter(~blank & pl.col("level").is_in(levels))
    without_level = whole.filter(blank).height
    incomplete = broken + frame.height - kept.height - without_level
    if not kept.height and not incomplete:
        raise RefusedError(f"data audit: no resolved record with a level in split {split}; run data split first")
    return Dataset(
        name=name or (kept["dataset"][0] if kept.height else "") or "dataset",
        ids=kept["id"].to_list(),
        targets=list(zip(kept["category"].to_list(), kept["level"].to_list(), strict=True)),
        metadata={field: kept[field].to_list() for field in wanted},
        incomplete=incomplete,
        without_level=without_level,
        classification_sha256=sha256_file(classification),
        grading_sha256=sha256_file(grading),
    )


def _read_lines(path: Path, level_field: str, fields: Sequence[str]) -> pl.DataFrame | None:
    """The columns of a record file with one record a line, as ``data build`` writes it; None for any other layout."""
    import polars as pl

    data = path.read_bytes()
    if not data.startswith(b"[\n{") or not data.endswith(b"}\n]\n"):
        return None
    schema: dict[str, Any] = dict.fromkeys(("id", "dataset", "resolution_status", "split", level_field), pl.String)
    schema["metadata"] = pl.Struct(dict.fromkeys(fields, pl.String))
    schema["target"] = pl.Struct({"category_id": pl.String})
    try:
        frame = pl.read_ndjson(data[2:-3].replace(b"},\n{", b"}\n{"), schema=schema)
    except pl.exceptions.PolarsError:
        return None
    return frame.select(
        "id",
        "dataset",
        "split",
        pl.col("resolution_status").alias("status"),
        pl.col(level_field).alias("level"),
        pl.col("target").struct.field("category_id").alias("category"),
        *(pl.col("metadata").struct.field(field) for field in fields),
    )


def _read_any(path: Path, level_field: str, fields: Sequence[str]) -> pl.DataFrame:
    """The same columns from any JSON layout, record by record."""
    import polars as pl

    columns = ("id", "dataset", "split", "status", "level", "category", *fields)
    rows = []
    for record in read_records(path):
        if not isinstance(record, dict):
            rows.append(("", "", "", BROKEN, "", "", *("" for _ in fields)))
            continue
        metadata, target = record.get("metadata"), record.get("target")
        shown = metadata if isinstance(metadata, dict) else {}
        values = [
            *(record.get(key) for key in ("id", "dataset", "split", "resolution_status", level_field)),
            target.get("category_id") if isinstance(target, dict) else None,
            *(shown.get(field) for field in fields),
        ]
        rows.append(tuple("" if value is None else str(value) for value in values))
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def hash_parts(*parts: str) -> str:
    """sha256 over texts joined by NUL (data-line 8.2)."""
    return hashlib.sha256(NUL.join(parts).encode("utf-8")).hexdigest()


@lru_cache(maxsize=65_536)
def form(text: str) -> str:
    """The comparison form, remembered: names and descriptions repeat."""
    return comparison_form(text)


@lru_cache(maxsize=65_536)
def spaced_form(text: str) -> str:
    """NFKC with single spaces, case kept."""
    return " ".join(unicodedata.normalize("NFKC", text).split())
