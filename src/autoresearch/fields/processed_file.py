"""Reading a processed record file for ``data build`` (data-line.md 4.3): ids checked, records sorted by id on disk."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from autoresearch import progress
from autoresearch.errors import InputError, raise_if_errors
from autoresearch.fields import processed
from autoresearch.fields.sorted_lines import SortedLines
from autoresearch.files import json_writer, sha256_file, stream_records
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.mapping import LEVEL_FIELDS

PREFIX = "build"
_COMPACT = json_writer(",", ":")
Combination = tuple[str, str, str, str, str]
"""Label status and the four level texts."""
ADDED_KEYS = (
    "schema_version",
    "dataset",
    "path_mask",
    "leaf",
    "resolution",
    "resolution_status",
    "target",
    "split",
    "split_exclusion_reason",
)


@dataclass(frozen=True)
class Loaded:
    """The processed records of one dataset: their lines in the order of ids, and how many have which label texts.

    A line is id, TAB, the JSON object without its closing brace but with a comma, TAB, the number of its combination.
    JSON holds no TAB, and with the comma the order is that of the whole line.
    """

    lines: SortedLines
    combinations: Sequence[Combination]
    counts: Mapping[tuple[int, str], int]
    source: Mapping[str, str]


def load_processed(path: Path, dataset: str, folder: Path | None = None) -> Loaded:
    """Read a processed record file once; the lines go to an unnamed file in ``folder``.

    Raises ``InputError``: no file, no record array, a stale id (F040), an id on two records (F041).
    """
    findings = FindingCounter()
    lines, places = SortedLines(folder), dict[Combination, int]()
    counts: Counter[tuple[int, str]] = Counter()
    ids = array("Q")
    try:
        with progress.bar(f"{PREFIX}: read", None, "records") as bar:
            for number, record in enumerate(stream_records(path), start=1):
                record_id, combination, level, text = _row(record, number, dataset, path, findings)
                place = places.setdefault(combination, len(places))
                counts[place, level] += 1
                if record_id:
                    ids.append(int.from_bytes(blake2b(record_id.encode(), digest_size=8).digest()))
                lines.append(f"{record_id}\t{text[:-1]},\t{place}".encode())
                bar.advance()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{PREFIX}: {path}: {reason}; run data preprocess or data import-ddl first") from error
    raise_if_errors(findings, PREFIX)
    if _some_repeat(np.frombuffer(ids, dtype=np.uint64)):
        every = (record.get("id") for record in stream_records(path) if isinstance(record, dict))
        refuse_repeats(pl.Series([str(item) for item in every], dtype=pl.String), path.name)
    return Loaded(lines, list(places), counts, {"name": path.name, "sha256": sha256_file(path)})


def _some_repeat(numbers: NDArray[np.uint64]) -> bool:
    ordered = np.sort(numbers)
    return bool((ordered[1:] == ordered[:-1]).any())


def refuse_repeats(ids: pl.Series, name: str) -> None:
    """Raise F041 when an id stands on two records."""
    twice = ids.filter(ids.is_duplicated() & (ids != ""))
    if not twice.is_empty():
        item = finding(
            "F041",
            place=name,
            value=str(twice[0]),
            rule=f"stands on {int((ids == twice[0]).sum())} records ({twice.n_unique()} such ids)",
            remedy="run data preprocess again",
        )
        raise InputError(f"{PREFIX}: {item.message()}.", [item])


def _row(
    record: Any, number: int, dataset: str, path: Path, findings: FindingCounter
) -> tuple[str, Combination, str, str]:
    """Id, label texts, level and JSON text of one record."""
    if not isinstance(record, dict):
        return "", ("invalid", "", "", "", ""), "", _COMPACT({"record": record})
    kept = {key: value for key, value in record.items() if key not in ADDED_KEYS}
    metadata = record.get("metadata")
    identity = [str(metadata.get(name) or "") if isinstance(metadata, dict) else "" for name in processed.IDENTITY]
    if record.get("id") != processed.record_id(dataset, *identity):
        rule = f"is not the id of its dataset, database, table and field name in dataset {dataset}"
        remedy = "run data preprocess again; never edit ids or names in a record file"
        place = f"{path.name}, record {number}"
        findings.add(finding("F040", place=place, value=str(record.get("id")), rule=rule, remedy=remedy))
    labels = record.get("classification")
    status = record.get("label_status") if isinstance(labels, dict) else "invalid"
    texts = [str(labels.get(name) or "") if isinstance(labels, dict) else "" for name in LEVEL_FIELDS]
    combination = (str(status), texts[0], texts[1], texts[2], texts[3])
    return str(record.get("id")), combination, str(record.get("data_level") or ""), _COMPACT(kept)
