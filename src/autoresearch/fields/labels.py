"""Labels as they were written: rewrite rules, trailing codes, level codes (data-line.md 4.1)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import polars as pl
from pydantic import Field

from autoresearch.fields.places import Places
from autoresearch.findings import FindingCounter
from autoresearch.standards.loading import Strict, load

DEFAULT_LEVELS = ("L1", "L2", "L3", "L4")
TRAILING_CODE = r"^(.*?\S)\s*(?:（([A-Za-z0-9.\-]+)）|\(([A-Za-z0-9.\-]+)\)|【([A-Za-z0-9.\-]+)】)$"
MAY_HAVE_CODE = r"[)）】]$"
CHINESE_DIGITS = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
LEVEL_NUMBER = re.compile(r"(?:level\s*)?([0-9]+|[一二三四五六七八九])(?:\.0+)?|第?([0-9]+|[一二三四五六七八九])级")
ENDING_NUMBER = re.compile(r"(?<![0-9])([0-9]+)$")


class RewriteRule(Strict):
    """One exact-match rule: where ``field`` reads ``match`` it becomes ``replace``."""

    match: str = Field(min_length=1)
    replace: str
    field: Literal["level_1", "level_2", "level_3", "level_4"]


RewriteRules = tuple[RewriteRule, ...]
"""What a file of ``--rewrite-rules`` holds."""


def load_rewrite_rules(path: Path) -> list[RewriteRule]:
    """The rules of a file. Raises ``InputError`` (F006)."""

    def build(obj: object) -> list[RewriteRule]:
        if not isinstance(obj, list):
            raise ValueError("rewrite rules are an array")
        return [RewriteRule.model_validate(item) for item in obj]

    return load(Path(path), "F006", build, 'a rule is {"match": "…", "replace": "…", "field": "level_4"}')


def rewrite(
    frame: pl.DataFrame, rules: Sequence[RewriteRule], places: Places, findings: FindingCounter
) -> tuple[pl.DataFrame, dict[str, pl.Series]]:
    """Apply exact-match ``rules``, each to its column only (note F018); returns the texts before, by column that
    changed.
    """
    before: dict[str, pl.Series] = {}
    for name in sorted({rule.field for rule in rules}):
        table = {rule.match: rule.replace for rule in rules if rule.field == name}
        mask = pl.col(name).is_in(list(table))
        if places.report(findings, "F018", frame, mask, name):
            before[name] = frame.select(pl.when(mask).then(pl.col(name))).to_series()
            frame = frame.with_columns(pl.col(name).replace(table))
    return frame, before


def split_trailing_code(text: str) -> tuple[str, str | None]:
    """``订单登记（Z1-1）`` → (``订单登记``, ``Z1-1``); a text without one → (text, None)."""
    found = re.match(TRAILING_CODE, text)
    if found is None:
        return text, None
    return found.group(1), next(code for code in found.groups()[1:] if code is not None)


def note_codes(
    frame: pl.DataFrame, columns: Sequence[str], strip: bool, places: Places, findings: FindingCounter
) -> tuple[pl.DataFrame, dict[str, pl.Series]]:
    """Note trailing codes of the level texts (F017) and strip them if asked; returns the codes by column."""
    codes: dict[str, pl.Series] = {}
    hit = frame.select(pl.col(name).str.contains(MAY_HAVE_CODE).any() for name in columns).row(0, named=True)
    for name in (name for name in columns if hit[name]):
        known = frame[name].unique().to_list()
        parts = {text: split_trailing_code(text) for text in known}
        coded = {text: part for text, part in parts.items() if part[1] is not None}
        if not coded:
            continue
        places.report(findings, "F017", frame, pl.col(name).is_in(list(coded)), name)
        codes[name] = frame.select(
            pl.col(name).replace_strict(
                list(coded), [part[1] for part in coded.values()], default=None, return_dtype=pl.String
            )
        ).to_series()
        if strip:
            frame = frame.with_columns(pl.col(name).replace({text: part[0] for text, part in coded.items()}))
    return frame, codes


def level_code(text: str, levels: Sequence[str]) -> str | None:
    """The legal code that ``text`` means, ``""`` for an empty text, None when it means none (4.1, ``data_level``)."""
    plain = unicodedata.normalize("NFKC", text).strip().casefold()
    if not plain:
        return ""
    for code in levels:
        if plain == unicodedata.normalize("NFKC", code).casefold():
            return code
    found = LEVEL_NUMBER.fullmatch(plain)
    if found is None:
        return None
    digits = found.group(1) or found.group(2)
    number = CHINESE_DIGITS.get(digits) or (int(digits) if digits.isascii() else None)
    ending = [code for code in levels if (end := ENDING_NUMBER.search(code)) and int(end.group(1)) == number]
    return ending[0] if len(ending) == 1 else None


def normalise_levels(
    frame: pl.DataFrame, levels: Sequence[str], places: Places, findings: FindingCounter
) -> pl.DataFrame:
    """``data_level`` as a legal code; error F016 for what is none. Each distinct text is looked at once."""
    known = frame["data_level"].unique().to_list()
    meant = {text: level_code(text, levels) for text in known}
    wrong = [text for text, code in meant.items() if code is None]
    if wrong:
        places.report(
            findings,
            "F016",
            frame,
            pl.col("data_level").is_in(wrong),
            "data_level",
            rule=f"is not a level of {' '.join(levels)}",
            remedy="correct the cell or give --grading-config",
            values=True,
        )
    return frame.with_columns(
        pl.col("data_level").replace_strict(known, [meant[text] or "" for text in known], return_dtype=pl.String)
    )
