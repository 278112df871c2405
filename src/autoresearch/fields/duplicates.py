"""One record a field: contradictions refused, repeated rows dropped or merged (data-line.md 4.1.1 rows 22, 27 to
29).
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from autoresearch.fields.places import Places
from autoresearch.fields.processed import IDENTITY, SEPARATOR
from autoresearch.findings import PLACES_KEPT, FindingCounter, finding
from autoresearch.standards.mapping import LEVEL_FIELDS
from autoresearch.standards.task_config import METADATA_FIELDS

LABELS = (*LEVEL_FIELDS, "data_level")
FURTHER_TEXTS = tuple(name for name in METADATA_FIELDS if name not in IDENTITY)


@dataclass(frozen=True)
class Deduplicated:
    """``frame`` has one row an id, in the order of each first row."""

    frame: pl.DataFrame
    exact: int
    merged: int


def _says(row: dict[str, str]) -> str:
    leaf = next((row[name] for name in reversed(LEVEL_FIELDS) if row[name]), "")
    return "/".join(text for text in (leaf, row["data_level"]) if text) or "nothing"


def _refuse_contradictions(repeated: pl.DataFrame, places: Places, findings: FindingCounter) -> None:
    label = pl.concat_str(LABELS, separator=SEPARATOR).str.normalize("NFKC")
    wrong = repeated.with_columns(label.alias("label")).filter(pl.col("label").n_unique().over("id") > 1)
    groups = wrong.partition_by("id", maintain_order=True)
    for index, group in enumerate(groups[:PLACES_KEPT]):
        first = group.unique("label", keep="first", maintain_order=True).head(2).to_dicts()
        rows = ", ".join(str(row) for row in group["row"].head(PLACES_KEPT).to_list())
        item = finding(
            "F012",
            place=places.of(rows),
            value=".".join(str(first[0][name]) for name in IDENTITY if first[0][name]),
            rule=f"is the same field with different labels: one says {_says(first[0])}, one says {_says(first[1])}",
            remedy="correct the rows so that one label stands",
        )
        findings.add(item, len(groups) - index if index == min(len(groups), PLACES_KEPT) - 1 else 1)


def _merge(repeated: pl.DataFrame, places: Places, findings: FindingCounter) -> pl.DataFrame:
    """First row of each id, its empty texts filled from later rows; warning F029 where two texts contradict each
    other.
    """
    for name in FURTHER_TEXTS:
        texts = repeated.filter(pl.col(name) != "")
        differs = pl.col(name).n_unique().over("id") > 1
        first = texts.filter(differs).unique("id", keep="first", maintain_order=True)
        places.report(
            findings, "F029", first, pl.lit(True), name, rule="differs between rows of one field; the first stands"
        )
    filled = [pl.col(name).filter(pl.col(name) != "").first().fill_null("").alias(name) for name in FURTHER_TEXTS]
    kept = [pl.col(name).first() for name in repeated.columns if name not in FURTHER_TEXTS and name != "id"]
    return repeated.group_by("id", maintain_order=True).agg(*kept, *filled).select(repeated.columns)


def deduplicate(repeated: pl.DataFrame, places: Places, findings: FindingCounter) -> Deduplicated:
    """Make one row of the rows of each ``id``; ``repeated`` holds all rows of ids that stand on two or more.
    Contradicting labels or levels are F012 (raise later).
    """
    _refuse_contradictions(repeated, places, findings)
    distinct = repeated.unique(["id", *FURTHER_TEXTS], keep="first", maintain_order=True)
    exact = repeated.height - distinct.height
    if exact:
        dropped = repeated.join(distinct.select("row"), on="row", how="anti")
        places.report(findings, "F013", dropped, pl.lit(True))
    one = _merge(distinct, places, findings).sort("row")
    return Deduplicated(one, exact, distinct.height - one.height)


def twin_form() -> pl.Expr:
    """The identity without the differences of NFKC and case (row 22)."""
    return pl.concat_str(IDENTITY, separator=SEPARATOR).str.normalize("NFKC").str.to_lowercase().alias("form")


def report_twins(frame: pl.DataFrame, places: Places, findings: FindingCounter) -> None:
    """Warning F025 for identities that differ only by NFKC or case (row 22)."""
    forms = frame.select("row", twin_form())
    if forms["form"].n_unique() < frame.height:
        places.report(
            findings,
            "F025",
            forms,
            pl.col("form").is_duplicated(),
            rule="differs from another field only by case or width",
        )
