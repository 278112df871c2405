"""Which records of a dataset have equal keys, and which of these keys have two targets (data-line 8.1).

Of every record a number for its target stays in memory; the hashes of its keys lie in unnamed files.
"""

from __future__ import annotations

import hashlib
import tempfile
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from autoresearch import progress
from autoresearch.errors import RefusedError
from autoresearch.files import sha256_file
from autoresearch.standards.grading import GradingConfig
from autoresearch.task.conflict_report import Conflict, KeyAudit, SplitChoice
from autoresearch.task.conflict_samples import (
    NUL,
    UNIT,
    Counts,
    OtherLayoutError,
    Records,
    hash_parts,
)
from autoresearch.task.conflict_texts import comparison_forms, spaced_forms, user_texts

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

    import polars as pl

AUDITS = ("two-field", "rendered", "rendered-normalised")
HASH_BYTES = 32
HASHES_AT_ONCE = 1 << 16
Target = tuple[str, str]
"""Category id and level."""


@dataclass(frozen=True)
class Keyed:
    """The records of one dataset that count: the target of each by number, and for each audit the hashes of their keys
    in a file.
    """

    name: str
    records: Records
    counts: Counts
    target: NDArray[np.int32]
    targets: Sequence[Target]
    hashes: dict[str, IO[bytes]]
    with_system: bool
    """Whether the keys of rendered prompts hold the system text."""
    classification_sha256: str
    grading_sha256: str


@dataclass(frozen=True)
class Found:
    """The keys of one audit with two targets: hash → the places of their records, in the order of the hashes."""

    prompt_keys: int
    prompt_key_sha256: str
    conflicts: dict[str, list[int]]


def key_records(
    name: str,
    canonical: Path,
    classification: Path,
    grading: Path,
    split: SplitChoice,
    level_field: str,
    fields: Sequence[str],
    system: str | None,
    folder: Path | None = None,
) -> Keyed:
    """Read the records of the split and hash their keys; ``system`` is the system text of rendered prompts, if known.

    The files lie in ``folder`` (default: the system's folder for temporary files). Raises ``RefusedError`` when there
    is nothing to audit.
    """
    levels = GradingConfig.from_path(grading).levels
    records = Records.of(canonical, split, level_field, levels, fields)
    standards = (sha256_file(classification), sha256_file(grading))
    try:
        done = _read(name, records, standards, fields, system, folder)
    except OtherLayoutError:
        done = _read(name, replace(records, one_a_line=False), standards, fields, system, folder)
    if not done.counts.kept and not done.counts.incomplete:
        raise RefusedError(f"data audit: no resolved record with a level in split {split}; run data split first")
    return done


def _read(
    name: str,
    records: Records,
    standards: tuple[str, str],
    fields: Sequence[str],
    system: str | None,
    folder: Path | None,
) -> Keyed:
    counts, numbers, target = Counts(), dict[Target, int](), array("i")
    hashes: dict[str, IO[bytes]] = {
        audit: tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed with what is returned
        for audit in AUDITS
    }
    with progress.bar("audit", None, "records") as bar:
        for frame in records.batches(counts):
            for audit, content in zip(AUDITS, _hash_keys(frame, fields, standards, system), strict=True):
                hashes[audit].write(content)
            pairs = zip(frame["category"].to_list(), frame["level"].to_list(), strict=True)
            target.extend(numbers.setdefault(pair, len(numbers)) for pair in pairs)
            bar.advance(frame.height)
    return Keyed(
        name or counts.dataset or "dataset",
        records,
        counts,
        np.array(target, dtype=np.int32),
        list(numbers),
        hashes,
        system is not None,
        *standards,
    )


def _hash_keys(
    frame: pl.DataFrame, fields: Sequence[str], standards: tuple[str, str], system: str | None
) -> tuple[bytes, bytes, bytes]:
    """The hashes of the keys of some records, audit by audit, side by side."""
    import polars as pl

    formed = {name: comparison_forms(frame[name]) for name in dict.fromkeys((*fields, "field_name"))}
    standing = pl.lit(NUL.join(("", *standards)))
    both = pl.concat_str(formed["field_name"], pl.lit(UNIT), spaced_forms(frame["table_name"]), standing)
    prefix = None if system is None else hashlib.sha256((system + NUL).encode())
    return (
        _hashes(pl.select(both).to_series()),
        _hashes(user_texts(frame, fields), prefix),
        _hashes(pl.select(pl.concat_str(*(formed[name] for name in fields), separator=NUL)).to_series(), prefix),
    )


def _hashes(keys: pl.Series, prefix: Hash | None = None) -> bytes:
    """sha256 of each text, or of ``prefix`` and the text, side by side."""
    import polars as pl

    texts = keys.cast(pl.Binary).to_list()
    if prefix is None:
        return b"".join([hashlib.sha256(text).digest() for text in texts])
    found = []
    for text in texts:
        digest = prefix.copy()
        digest.update(text)
        found.append(digest.digest())
    return b"".join(found)


def _order(words: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Places in the order of the hashes, equal ones in the order of the places. ``words``: hashes as four numbers."""
    first = words[:, 0].astype(np.uint64)
    order = np.argsort(first, kind="stable").astype(np.int32)
    ordered = first[order]
    alike = np.flatnonzero(ordered[1:] == ordered[:-1])
    if not (words[order[alike]] == words[order[alike + 1]]).all():  # two hashes begin with the same eight bytes
        return np.lexsort([words[:, place] for place in reversed(range(words.shape[1]))]).astype(np.int32)
    return order


def find_conflicts(keyed: Keyed, audit: str) -> Found:
    """Group the records of one audit by the hash of their key; a key with two targets is a conflict."""
    file = keyed.hashes[audit]
    file.seek(0)
    content = file.read()
    words = np.frombuffer(content, dtype=">u8").reshape(-1, HASH_BYTES // 8)
    order = _order(words)
    whole = np.frombuffer(content, dtype=np.dtype((np.void, HASH_BYTES)))
    leads = np.ones(len(order), dtype=np.bool_)
    for at in range(1, len(order), HASHES_AT_ONCE):
        stop = min(at + HASHES_AT_ONCE, len(order))
        leads[at:stop] = (words[order[at:stop]] != words[order[at - 1 : stop - 1]]).any(axis=1)
    begins = np.flatnonzero(leads)
    digest = hashlib.sha256()
    for at in range(0, len(begins), HASHES_AT_ONCE):
        keys = whole[order[begins[at : at + HASHES_AT_ONCE]]].tobytes()
        digest.update(((NUL if at else "") + keys.hex(NUL, HASH_BYTES)).encode())
    conflicts = {}
    if len(begins):
        ordered = keyed.target[order]
        mixed = np.minimum.reduceat(ordered, begins) != np.maximum.reduceat(ordered, begins)
        ends = np.append(begins[1:], len(order))
        for begin, end in zip(begins[mixed].tolist(), ends[mixed].tolist(), strict=True):
            conflicts[whole[order[begin]].tobytes().hex()] = order[begin:end].tolist()
    return Found(len(begins), digest.hexdigest(), conflicts)


def shown_rows(keyed: Keyed, places: set[int]) -> dict[int, tuple[str, ...]]:
    """Id, field name, table name, category and level of some records by place: the file is read once more."""
    found: dict[int, tuple[str, ...]] = {}
    if not places:
        return found
    wanted = np.array(sorted(places))
    before = 0
    for frame in keyed.records.batches(Counts()):
        here = wanted[(wanted >= before) & (wanted < before + frame.height)]
        rows = frame.select("id", "field_name", "table_name", "category", "level")[here - before]
        found.update(zip(here.tolist(), rows.iter_rows(), strict=True))
        before += frame.height
    return found


def key_audit(keyed: Keyed, found: Found, rows: dict[int, tuple[str, ...]]) -> KeyAudit:
    """The part of the report of one audit. ``rows`` are those of ``shown_rows``."""
    conflicts = []
    for key, places in found.conflicts.items():
        targets = {keyed.targets[keyed.target[place]] for place in places}
        conflicts.append(
            Conflict(
                prompt_key_sha256=key,
                record_count=len(places),
                record_id_sha256=tuple(
                    sorted(hash_parts(keyed.classification_sha256, rows[place][0]) for place in places)
                ),
                target_count=len(targets),
                target_sha256=tuple(sorted(hash_parts(*target) for target in targets)),
            )
        )
    return KeyAudit(
        prompt_keys=found.prompt_keys,
        prompt_key_sha256=found.prompt_key_sha256,
        conflict_keys=len(conflicts),
        conflicting_records=sum(conflict.record_count for conflict in conflicts),
        conflicts=tuple(conflicts),
    )
