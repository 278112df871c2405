"""The records a split divides, and how each is written back (data-line.md 4.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from autoresearch.errors import InputError
from autoresearch.files import json_writer, stream_records
from autoresearch.standards.mapping import LEVEL_FIELDS
from autoresearch.standards.text import comparison_form

Split = Literal["train", "val", "test"]
SPLITS: tuple[Split, ...] = ("train", "val", "test")
DEFAULT_GROUP_KEY = ("metadata.database_name", "metadata.table_name")
_COMPACT = json_writer(",", ":")
Texts = TypeVar("Texts", bound=tuple[str, ...])
NATIVE = ("field_name", "table_name", "field_description", "table_description")


@dataclass(frozen=True, slots=True)
class Member:
    """One resolved record. ``stratum`` is its four level texts and level; ``texts`` the native four in comparison
    form.
    """

    id: str
    category_id: str
    level: str
    stratum: tuple[str, ...]
    table: tuple[str, str]
    texts: tuple[str, ...]

    @property
    def label(self) -> tuple[str, str]:
        """Category and level: what a model must name."""
        return (self.category_id, self.level)


def member(record: dict[str, Any]) -> Member:
    """The member of a resolved canonical record."""
    metadata, labels = record["metadata"], record["classification"]
    level = str(record.get("data_level") or "")
    return Member(
        id=str(record["id"]),
        category_id=str(record["target"]["category_id"]),
        level=level,
        stratum=_once((*(str(labels.get(name) or "") for name in LEVEL_FIELDS), level)),
        table=_once((str(metadata.get("database_name") or ""), str(metadata.get("table_name") or ""))),
        texts=tuple(_form(str(metadata.get(name) or "")) for name in NATIVE),
    )


@lru_cache(maxsize=65_536)
def _once(texts: Texts) -> Texts:
    """Equal tuples as one object: labels and tables repeat."""
    return texts


@lru_cache(maxsize=65_536)
def _form(text: str) -> str:
    return comparison_form(text)


def stream_canonical(path: Path, command: str) -> Iterator[dict[str, Any]]:
    """The records of a canonical file, one by one. Raises ``InputError`` when it is absent or no canonical file."""
    try:
        for index, record in enumerate(stream_records(path), start=1):
            if not isinstance(record, dict) or "resolution_status" not in record:
                raise InputError(f"{command}: {path}: record {index} is no canonical record; run data build first")
            yield record
    except OSError as error:
        raise InputError(f"{command}: {path}: {error.strerror}; run data build first") from error
    except ValueError as error:
        raise InputError(f"{command}: {error}") from error


def dotted(record: dict[str, Any], key: str) -> str:
    """The text under a dotted key, ``""`` where there is none."""
    value: Any = record
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return "" if value is None else str(value).strip()


def is_resolved(record: dict[str, Any]) -> bool:
    """Whether the record has a leaf."""
    return record.get("resolution_status") == "resolved" and isinstance(record.get("target"), dict)


def record_line(record: dict[str, Any]) -> str:
    """The JSON text of one record of a record file."""
    return _COMPACT(record)


def largest_remainder(size: int, ratios: Sequence[float]) -> list[int]:
    """Quotas by largest remainder, ties to the larger ratio; the first (train) is never 0 when there is a record."""
    exact = [size * ratio for ratio in ratios]
    quotas = [int(value + 1e-9) for value in exact]
    order = sorted(range(len(ratios)), key=lambda index: (-(exact[index] - quotas[index]), -ratios[index], index))
    for index in order[: size - sum(quotas)]:
        quotas[index] += 1
    if size and not quotas[0]:
        donor = max(range(1, len(quotas)), key=lambda index: quotas[index])
        quotas[donor] -= 1
        quotas[0] += 1
    return quotas
