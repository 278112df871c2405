"""The resolved records that a split divides, as columns: a few numbers a record, their texts in a file (data-line.md
4.4).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from autoresearch.errors import InputError
from autoresearch.fields.spilled import SpilledTexts
from autoresearch.files import json_writer, stream_records
from autoresearch.standards.mapping import LEVEL_FIELDS
from autoresearch.standards.text import comparison_form

Split = Literal["train", "val", "test"]
SPLITS: tuple[Split, ...] = ("train", "val", "test")
DEFAULT_GROUP_KEY = ("metadata.database_name", "metadata.table_name")
NATIVE = ("field_name", "table_name", "field_description", "table_description")
SEPARATOR = "\x1f"
DIGEST_BYTES = 16
IDS_AT_ONCE = 20_000
Numbers = NDArray[np.int64]
Codes = NDArray[np.int32]
_COMPACT = json_writer(",", ":")
Value = TypeVar("Value")


class Coded(Generic[Value]):
    """A column of repeated values: each value once, and a number for each row."""

    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {}
        self._rows = array("i")

    def append(self, value: Value) -> None:
        """One row."""
        self._rows.append(self._numbers.setdefault(value, len(self._numbers)))

    @property
    def values(self) -> list[Value]:
        """The different values, by number."""
        return list(self._numbers)

    def in_order(self, order: NDArray[np.uint32]) -> Codes:
        """The number of each row's value, the rows in ``order``. The column holds no rows after this."""
        rows, self._rows = self._rows, array("i")
        found: Codes = np.frombuffer(rows, dtype=np.int32)[order]
        return found


class Digested:
    """A column of texts of which only equality counts: a digest of 16 bytes each."""

    def __init__(self) -> None:
        self._digests = bytearray()

    def append(self, text: str) -> None:
        """One row."""
        self._digests += blake2b(text.encode("utf-8"), digest_size=DIGEST_BYTES).digest()

    def rows(self) -> Codes:
        """A number for each row: equal texts have equal numbers, counted by first appearance. The column holds no rows
        after this.
        """
        halves = np.frombuffer(self._digests, dtype=np.uint64).reshape(-1, 2)
        order = np.lexsort((halves[:, 1], halves[:, 0])).astype(np.uint32)  # the first row of a text leads its run
        leads = np.zeros(len(order), dtype=np.bool_)
        leads[:1] = True
        for half in (0, 1):
            ordered = halves[:, half][order]
            leads[1:] |= ordered[1:] != ordered[:-1]
        del ordered, halves
        self._digests = bytearray()
        first = np.zeros(len(order), dtype=np.bool_)
        first[order[leads]] = True
        number = np.cumsum(first, dtype=np.int32)
        number -= 1
        rows = np.empty(len(order), dtype=np.int32)
        rows[order] = number[order[leads]][np.cumsum(leads, dtype=np.int32) - 1]
        return rows


@dataclass(frozen=True)
class Pool:
    """Resolved records in the order of their ids; row *i* of each column is one record.

    ``strata`` are the four level texts and the level by number, ``levels`` the levels, ``categories`` the ids of the
    leaves. ``form`` numbers the native four in comparison form, ``described`` field name and description in that form;
    ``texts`` holds the text of each ``form``. ``record`` is the place of the record in its file, from 0.
    """

    ids: pl.Series
    record: Codes
    category: Codes
    categories: Sequence[str]
    level: Codes
    levels: Sequence[str]
    stratum: Codes
    strata: Sequence[tuple[str, ...]]
    table: Codes
    group: Codes
    groups: Sequence[tuple[str, ...]]
    described: Codes
    form: Codes
    texts: Sequence[str]

    def __len__(self) -> int:
        return len(self.record)

    @property
    def label(self) -> Numbers:
        """Category and level as one number: what a model must name."""
        return self.category.astype(np.int64) * max(len(self.levels), 1) + self.level

    def repeated_ids(self) -> pl.Series:
        """Ids that the row before has too."""
        return self.ids.filter(self.ids == self.ids.shift(1))


class PoolWriter:
    """Collects the columns of a pool record by record; texts go to an unnamed file in ``folder``."""

    def __init__(self, folder: Path | None = None) -> None:
        self._ids: list[str] = []
        self._id_parts: list[pl.Series] = [pl.Series("id", [], dtype=pl.String)]
        self._record = array("i")
        self._category, self._level = Coded[str](), Coded[str]()
        self._stratum, self._table, self._group = (Coded[tuple[str, ...]]() for _ in range(3))
        self._described, self._form = Digested(), Digested()
        self._texts = SpilledTexts(folder)

    def add(self, record: dict[str, Any], number: int, group: tuple[str, ...] = ()) -> None:
        """One resolved record, its place in its file and its group key."""
        metadata, labels = record["metadata"], record["classification"]
        level = str(record.get("data_level") or "")
        forms = native_forms(record)
        self._ids.append(str(record["id"]))
        self._record.append(number)
        self._category.append(str(record["target"]["category_id"]))
        self._level.append(level)
        self._stratum.append((*(str(labels.get(name) or "") for name in LEVEL_FIELDS), level))
        self._table.append((str(metadata.get("database_name") or ""), str(metadata.get("table_name") or "")))
        self._group.append(group)
        self._described.append(SEPARATOR.join((forms[0], forms[2])))
        text = SEPARATOR.join(forms)
        self._form.append(text)
        self._texts.append(text)
        if len(self._ids) == IDS_AT_ONCE:
            self._settle_ids()

    def _settle_ids(self) -> None:
        self._id_parts.append(pl.Series("id", self._ids, dtype=pl.String))
        self._ids = []

    def pool(self) -> Pool:
        """All records added, in the order of their ids."""
        self._settle_ids()
        ids = pl.concat(self._id_parts)
        self._id_parts.clear()
        order = ids.arg_sort().to_numpy()
        form = self._form.rows()
        firsts = np.flatnonzero(np.concatenate((form[:1] == 0, np.diff(np.maximum.accumulate(form)) > 0)))
        return Pool(
            form=form[order],
            texts=self._texts.chosen(firsts),
            described=self._described.rows()[order],
            record=np.frombuffer(self._record, dtype=np.int32)[order],
            category=self._category.in_order(order),
            categories=self._category.values,
            level=self._level.in_order(order),
            levels=self._level.values,
            stratum=self._stratum.in_order(order),
            strata=self._stratum.values,
            table=self._table.in_order(order),
            group=self._group.in_order(order),
            groups=self._group.values,
            ids=ids.gather(order),
        )


@lru_cache(maxsize=65_536)
def _form(text: str) -> str:
    return comparison_form(text)


def native_forms(record: dict[str, Any]) -> tuple[str, ...]:
    """The native four of a record in comparison form."""
    return tuple(_form(str(record["metadata"].get(name) or "")) for name in NATIVE)


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
