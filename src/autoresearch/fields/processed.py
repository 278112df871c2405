"""Processed records: ids, keys, their JSON lines and how they are read back (data-line.md 3.2)."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Iterable, Mapping, Sequence
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import IO, Any, Literal

import polars as pl

from autoresearch.files import interrupts_held
from autoresearch.standards.loading import Strict
from autoresearch.standards.mapping import LEVEL_FIELDS, TARGETS
from autoresearch.standards.task_config import METADATA_FIELDS

IDENTITY = ("database_name", "table_name", "field_name")
SEPARATOR = "\x1f"
NOT_IN_KEY = r"[^a-z0-9\x{4E00}-\x{9FFF}]+"
NAMESPACE = uuid.NAMESPACE_URL.bytes
VARIANT = "89ab"
LINE_END = ",\n"
LINE_END_BYTES = LINE_END.encode()
NOTES = ("label_notes", "rewritten_from", "cleaned_from")


class Metadata(Strict):
    """The seven texts of a field, never null."""

    database_name: str
    database_description: str
    table_name: str
    table_description: str
    field_name: str
    field_description: str
    field_type: str


class Classification(Strict):
    """The four level texts, possibly empty."""

    level_1: str
    level_2: str
    level_3: str
    level_4: str


class LabelNote(Strict):
    """A trailing bracketed code of a level text that was kept or stripped."""

    field: str
    kept_code: str | None = None
    stripped_code: str | None = None


class ProcessedRecord(Strict):
    """One field before resolution (3.2)."""

    id: str
    key: str
    label_status: Literal["labeled", "unlabeled"]
    metadata: Metadata
    classification: Classification
    data_level: str
    label_notes: tuple[LabelNote, ...] | None = None
    rewritten_from: dict[str, str] | None = None
    cleaned_from: dict[str, str] | None = None


def record_id(dataset: str, database_name: str, table_name: str, field_name: str) -> str:
    """The uuid5 of a field's identity within its dataset; white space is normalised."""
    texts = (" ".join(text.split()) for text in (database_name, table_name, field_name))
    digest = _digest(SEPARATOR.join((dataset, *texts)))
    variant = VARIANT[int(digest[16], 16) & 3]
    return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"


def _digest(name: str) -> str:
    return hashlib.sha1(NAMESPACE + name.encode("utf-8"), usedforsecurity=False).hexdigest()


def _uuids(digests: pl.Series) -> pl.Series:
    """Hexadecimal SHA-1 digests as uuid5 texts."""
    part = pl.col("id").str.slice
    variant = part(16, 1).replace_strict({f"{value:x}": VARIANT[value & 3] for value in range(16)})
    head = [part(0, 8), pl.lit("-"), part(8, 4), pl.lit("-5"), part(13, 3), pl.lit("-"), variant]
    return (
        pl.DataFrame({"id": digests}).select(pl.concat_str(*head, part(17, 3), pl.lit("-"), part(20, 12))).to_series()
    )


def record_ids(dataset: str, frame: pl.DataFrame) -> pl.Series:
    """``record_id`` of every row of ``frame``, whose identity texts are already white-space normalised."""
    names = frame.select(pl.concat_str(pl.lit(dataset), *IDENTITY, separator=SEPARATOR)).to_series()
    return _uuids(pl.Series("id", [_digest(name) for name in names.to_list()], dtype=pl.String)).alias("id")


def key_text() -> pl.Expr:
    """``key``: the field name in lower case, everything outside ``a-z0-9`` and CJK as ``_``, none at the ends."""
    return pl.col("field_name").str.to_lowercase().str.replace_all(NOT_IN_KEY, "_").str.strip_chars("_").alias("key")


def label_status() -> pl.Expr:
    """``labeled`` if any of the four level texts is not empty."""
    labelled = pl.any_horizontal(pl.col(name) != "" for name in LEVEL_FIELDS)
    return pl.when(labelled).then(pl.lit("labeled")).otherwise(pl.lit("unlabeled")).alias("label_status")


def json_string(name: str) -> pl.Expr:
    """The text of ``name`` as a JSON string. Cleaned texts hold no control characters, so two escapes are enough."""
    escaped = pl.col(name).str.replace_all("\\", "\\\\", literal=True).str.replace_all('"', '\\"', literal=True)
    return escaped.alias(name)


def json_lines(frame: pl.DataFrame) -> pl.Series:
    """One JSON object a row, keys in the order of 3.2; ``frame`` has all columns of a processed record, the notes as
    JSON text.
    """
    texts = ["id", "key", "label_status", *TARGETS]
    marks = frame.select(pl.col(name).str.contains(r'["\\]').any() for name in texts).row(0, named=True)
    ready = frame.with_columns(json_string(name) for name in texts if marks[name]) if any(marks.values()) else frame

    def members(names: Sequence[str]) -> list[pl.Expr]:
        parts: list[pl.Expr] = []
        for index, name in enumerate(names):
            parts += [pl.lit(f'{"," if index else ""}"{name}":"'), pl.col(name), pl.lit('"')]
        return parts

    pieces = [
        pl.lit("{"),
        *members(("id", "key", "label_status")),
        pl.lit(',"metadata":{'),
        *members(METADATA_FIELDS),
        pl.lit('},"classification":{'),
        *members(LEVEL_FIELDS),
        pl.lit("},"),
        *members(("data_level",)),
    ]
    for name in NOTES:
        pieces += [pl.lit(f',"{name}":'), pl.col(name).fill_null("null")]
    return ready.select(pl.concat_str(*pieces, pl.lit("}")).alias("json")).to_series()


def notes_json(columns: Mapping[str, pl.Series], height: int, *, as_list: str | None = None) -> pl.Series:
    """Sparse texts by column as one JSON text a row: an object name → text, or with ``as_list`` an array of ``{field,
    <as_list>}``.
    """
    if not columns:
        return pl.Series([None] * height, dtype=pl.String)
    out: list[str | None] = [None] * height
    rows = zip(*(column.to_list() for column in columns.values()), strict=True)
    for index, texts in enumerate(rows):
        present = {name: text for name, text in zip(columns, texts, strict=True) if text is not None}
        if present:
            value: Any = (
                present if as_list is None else [{"field": name, as_list: text} for name, text in present.items()]
            )
            out[index] = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return pl.Series(out, dtype=pl.String)


def lines_bytes(lines: pl.Series | Iterable[str]) -> bytes:
    """The bytes of a record file: a JSON array with one record a line (3.0.2)."""
    content = BytesIO()
    write_lines_to(content, lines if isinstance(lines, pl.Series) else pl.Series(list(lines), dtype=pl.String))
    return content.getvalue()


def write_lines_to(content: IO[bytes], texts: pl.Series) -> None:
    """Write records, given as JSON texts, as a whole record file."""
    if texts.is_empty():
        content.write(b"[\n]\n")
        return
    content.write(b"[\n")
    content.flush()
    texts.to_frame("json").write_csv(content, include_header=False, quote_style="never", line_terminator=LINE_END)
    content.seek(-len(LINE_END), SEEK_END)
    content.write(b"\n]\n")
    content.truncate()


def joined_lines(texts: pl.Series) -> bytes:
    """Records, given as JSON texts, as they stand in a record file beside each other; at least one."""
    content = BytesIO()
    texts.to_frame("json").write_csv(content, include_header=False, quote_style="never", line_terminator=LINE_END)
    return content.getvalue().removesuffix(LINE_END_BYTES)


class RecordFile:
    """Writes a record file line by line; ``close`` ends it."""

    def __init__(self, handle: IO[bytes]) -> None:
        self._handle = handle
        self._begun = False
        handle.write(b"[\n")

    def write(self, line: bytes) -> None:
        """One record as its JSON text in UTF-8, or several as ``joined_lines``."""
        self._handle.write(LINE_END_BYTES + line if self._begun else line)
        self._begun = True

    def close(self) -> None:
        """Write the end of the array."""
        self._handle.write(b"\n]\n" if self._begun else b"]\n")


class Together:
    """Several files, all or none: each whole beside its target first, then one rename each in the order of ``open``."""

    def __init__(self) -> None:
        self._staged: list[tuple[Path, Path, IO[bytes]]] = []

    def __enter__(self) -> Together:
        return self

    def open(self, target: Path) -> IO[bytes]:
        """A handle to write the content of ``target`` to."""
        part = target.with_name(f".{target.name}.staging-{os.getpid()}")
        part.parent.mkdir(parents=True, exist_ok=True)
        with interrupts_held():
            handle = part.open("wb")
            self._staged.append((part, target, handle))
        return handle

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            for part, _target, handle in self._staged:
                if kind is None:
                    handle.flush()
                    os.fsync(handle.fileno())
                handle.close()
                part.chmod(0o644)
            if kind is None:
                with interrupts_held():
                    for part, target, _handle in self._staged:
                        part.replace(target)
        finally:
            for part, _target, _handle in self._staged:
                part.unlink(missing_ok=True)


def write_together(files: Mapping[Path, bytes | pl.Series]) -> None:
    """Write several files, all or none; a series is records as JSON texts."""
    with Together() as together:
        for target, data in files.items():
            handle = together.open(target)
            if isinstance(data, bytes):
                handle.write(data)
            else:
                write_lines_to(handle, data)
