"""The records that the conflict audit compares, and the keys it compares them by (data-line 8.1, 8.2)."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from autoresearch.errors import RefusedError
from autoresearch.files import read_records, sha256_file
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.text import comparison_form
from autoresearch.task.conflict_report import SplitChoice

NUL, UNIT = "\0", "\x1f"


@dataclass(frozen=True)
class Sample:
    """One audited record: what the keys and the target are made from."""

    record_id: str
    category_id: str
    level: str
    metadata: Mapping[str, str]

    @property
    def target(self) -> tuple[str, str]:
        """What a model would have to answer."""
        return (self.category_id, self.level)


@dataclass(frozen=True)
class Dataset:
    """The records of one dataset that count, with the hashes of its standards."""

    name: str
    samples: tuple[Sample, ...]
    incomplete: int
    without_level: int
    classification_sha256: str
    grading_sha256: str


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
    levels = frozenset(GradingConfig.from_path(grading).levels)
    samples: list[Sample] = []
    incomplete = without_level = 0
    wanted = {*fields, "field_name", "table_name"}
    for record in read_records(canonical):
        if not isinstance(record, dict):
            incomplete += 1
            continue
        if record.get("resolution_status") != "resolved" or (split != "all" and record.get("split") != split):
            continue
        metadata, target = record.get("metadata") or {}, record.get("target") or {}
        level = record.get(level_field) or ""
        category = target.get("category_id")
        if not record.get("id") or not str(metadata.get("field_name") or "").strip() or not category:
            incomplete += 1
        elif not str(level).strip():
            without_level += 1
        elif level not in levels:
            incomplete += 1
        else:
            name = name or str(record.get("dataset") or "")
            texts = {key: str(metadata.get(key) or "") for key in wanted}
            samples.append(Sample(str(record["id"]), str(category), level, texts))
    if not samples and not incomplete:
        raise RefusedError(f"data audit: no resolved record with a level in split {split}; run data split first")
    return Dataset(
        name or "dataset", tuple(samples), incomplete, without_level, sha256_file(classification), sha256_file(grading)
    )


def hash_parts(*parts: str) -> str:
    """sha256 over texts joined by NUL (data-line 8.2)."""
    return hashlib.sha256(NUL.join(parts).encode("utf-8")).hexdigest()


@lru_cache(maxsize=65_536)
def form(text: str) -> str:
    """The comparison form, remembered: names and descriptions repeat."""
    return comparison_form(text)


def two_field_key(field_name: str, table_name: str) -> str:
    """Field name in comparison form, table name with NFKC and single spaces but its own case."""
    return form(field_name) + UNIT + _spaces(table_name)


@lru_cache(maxsize=65_536)
def _spaces(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())
