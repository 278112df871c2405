"""From the mapped rows of a table to the rows of its records, batch by batch (data-line.md 4.1).

A first pass cleans every batch and lays it aside; then it is known which fields stand on several rows. A second pass
gives the rows of the records, one a field, and counts what the report says of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from autoresearch.fields import cleaning, labels, processed
from autoresearch.fields.duplicates import Deduplicated, deduplicate, twin_form
from autoresearch.fields.places import ColumnFindings, Places
from autoresearch.findings import PLACES_KEPT
from autoresearch.standards.mapping import LEVEL_FIELDS, TARGETS
from autoresearch.standards.task_config import METADATA_FIELDS

if TYPE_CHECKING:
    from autoresearch.fields.preprocess_options import Options

KEPT = ("row", "id", *TARGETS, *processed.NOTES)


class Frames(Protocol):
    """Where cleaned batches are laid aside: a list, or a file."""

    def append(self, frame: pl.DataFrame, /) -> None:
        """Keep one more batch."""

    def __iter__(self) -> Iterator[pl.DataFrame]:
        """All batches again, in order."""


class Hashes:
    """Hashes of a column of texts, eight bytes each. Equal texts have equal ones; the reverse is to be looked at."""

    def __init__(self) -> None:
        self._parts: list[NDArray[np.uint64]] = []

    def append(self, texts: pl.Series) -> None:
        """The texts of one more batch."""
        self._parts.append(texts.hash().to_numpy())

    def repeated(self) -> list[pl.Series]:
        """Batch by batch which rows have a hash that another row has too; empty where none has."""
        ordered = np.sort(np.concatenate([np.empty(0, dtype=np.uint64), *self._parts]))
        twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
        return [pl.Series(np.isin(part, twice)) for part in self._parts] if len(twice) else []


@dataclass
class CleanRows:
    """The first pass: ``add`` each batch of ``row`` and the targets, then ``settle``."""

    dataset: str
    mapped: Sequence[str]
    options: Options
    places: Places
    findings: ColumnFindings
    frames: Frames
    read: int = 0
    blank: int = 0
    kept: int = 0

    def __post_init__(self) -> None:
        self._ids = Hashes()

    def add(self, frame: pl.DataFrame) -> None:
        """Clean one batch and lay it aside; what is wrong with it goes to ``findings``."""
        self.read += frame.height
        frame = self._cleaned(frame)
        frame, blank = _drop_rows(frame, self.mapped, self.options.missing_field_policy, self.places, self.findings)
        self.blank += blank
        self.kept += frame.height
        frame = cleaning.normalise_types(frame)
        frame = labels.normalise_levels(frame, self.options.levels, self.places, self.findings)
        frame = frame.with_columns(processed.record_ids(self.dataset, frame)).select(KEPT)
        self._ids.append(frame["id"])
        self.frames.append(frame)

    def _cleaned(self, frame: pl.DataFrame) -> pl.DataFrame:
        options, places, findings = self.options, self.places, self.findings
        frame = cleaning.clean_texts(frame, self.mapped, places, findings)
        frame, cleaned = cleaning.settle_control_tokens(frame, self.mapped, options.control_tokens, places, findings)
        frame, rewritten = labels.rewrite(frame, options.rewrite_rules, places, findings)
        frame, codes = labels.note_codes(frame, LEVEL_FIELDS, options.strip_trailing_codes, places, findings)
        as_list = "stripped_code" if options.strip_trailing_codes else "kept_code"
        cleaned = {name: texts for name, texts in cleaned.items() if name in METADATA_FIELDS}
        return frame.with_columns(
            processed.notes_json(codes, frame.height, as_list=as_list).alias("label_notes"),
            processed.notes_json(rewritten, frame.height).alias("rewritten_from"),
            processed.notes_json(cleaned, frame.height).alias("cleaned_from"),
        )

    def settle(self) -> RecordRows:
        """One row a field. Contradicting rows go to ``findings`` as errors: raise before reading the records."""
        repeated = self._ids.repeated()
        suspects = [frame.filter(mask) for frame, mask in zip(self.frames, repeated, strict=bool(repeated))]
        rows = pl.concat(suspects) if suspects else pl.DataFrame(schema=dict.fromkeys(KEPT, pl.String))
        rows = rows.filter(pl.col("id").is_duplicated())
        unique = deduplicate(rows, self.places, self.findings) if rows.height else Deduplicated(rows, 0, 0)
        return RecordRows(self, rows["row"], unique)


def _drop_rows(
    frame: pl.DataFrame,
    mapped: Sequence[str],
    policy: Literal["error", "skip"],
    places: Places,
    findings: ColumnFindings,
) -> tuple[pl.DataFrame, int]:
    """Rows whose mapped cells are all empty are skipped (F015); those without a field name are F011 or skipped. Returns
    the rest and the number of empty ones.
    """
    blank = pl.all_horizontal(pl.col(name) == "" for name in mapped)
    nameless = pl.col("field_name") == ""
    if not (frame["field_name"] == "").any():
        return frame, 0
    blanks = places.report(findings, "F015", frame, blank)
    frame = frame.filter(~blank)
    places.report(
        findings,
        "F011",
        frame,
        nameless,
        "field_name",
        rule="the field name is empty",
        remedy="fill it in, or give --missing-field-policy skip",
        severity=None if policy == "error" else "note",
    )
    return frame.filter(~nameless), blanks


class RecordRows:
    """The second pass: iterate over the batches of records with all their columns and ``json``; then the counts are
    complete.
    """

    def __init__(self, clean: CleanRows, repeated: pl.Series, unique: Deduplicated) -> None:
        self.clean, self.unique = clean, unique
        self._repeated = repeated
        self.written = self.labeled = 0
        self.missing, self.levels = Counter[str](), Counter[str]()

    def _rows(self) -> Iterator[pl.DataFrame]:
        """The cleaned batches, with one row in place of the rows of one field."""
        for frame in self.clean.frames:
            if len(self._repeated) and frame.height:
                here = self.unique.frame.filter(pl.col("row").is_between(frame["row"][0], frame["row"][-1]))
                others = frame.filter(~pl.col("row").is_in(self._repeated.implode()))
                frame = pl.concat([others, here]).sort("row")
            yield frame

    def __iter__(self) -> Iterator[pl.DataFrame]:
        twins = Hashes()
        for frame in self._rows():
            twins.append(frame.select(twin_form()).to_series())
            cleaning.report_texts(frame, self.clean.mapped, self.clean.places, self.clean.findings)
            done = frame.with_columns(processed.key_text(), processed.label_status())
            done = done.with_columns(processed.json_lines(done))
            self._count(done)
            yield done
        self._report_twins(twins.repeated())

    def _count(self, done: pl.DataFrame) -> None:
        self.written += done.height
        self.labeled += int((done["label_status"] == "labeled").sum())
        missing = done.select(cleaning.dash_like(name).sum().alias(name) for name in METADATA_FIELDS)
        self.missing.update(missing.row(0, named=True))
        levels = done.filter(pl.col("data_level") != "")["data_level"].value_counts()
        self.levels.update(dict(levels.iter_rows()))

    def _report_twins(self, suspected: Iterable[pl.Series]) -> None:
        """Warning F025 for identities that differ only by NFKC or case (row 22)."""
        pairs = zip(self._rows(), suspected, strict=False)
        forms = [frame.filter(mask).select("row", twin_form()) for frame, mask in pairs]
        if not forms:
            return
        rows = pl.concat(forms).filter(pl.col("form").is_duplicated())["row"]
        self.clean.places.count(
            self.clean.findings,
            "F025",
            rows.head(PLACES_KEPT).to_list(),
            len(rows),
            [],
            rule="differs from another field only by case or width",
        )
