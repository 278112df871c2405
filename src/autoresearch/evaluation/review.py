"""Which predicted fields a person must look at, why, and in what order (training 10.3). Pure decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

ReviewCode = Literal[
    "under_grading",
    "no_answer",
    "too_long",
    "level_split",
    "low_agreement",
    "baseline_disagrees",
    "low_margin",
    "no_description",
    "rare_category",
    "level_unknown",
]
REVIEW_CODES: tuple[ReviewCode, ...] = get_args(ReviewCode)
"""In the order in which reasons are shown."""
AGREEMENT_BELOW = 0.8
"""Default of ``--review-below``."""
MARGIN_BELOW_JOINED = 0.3
MARGIN_BELOW_CATALOGUE = 0.4
"""Margins of the baseline below which its answer was right in less than half of the cases on the shipped example, with
and without labelled fields."""
RARE_FIELDS = 5
"""A category with fewer training fields is rare."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one prediction. None means: not known here, so no flag."""

    answered: bool
    level: str | None = None
    agreement: float | None = None
    """Share of the samples with the winning pair; None for one sample and for the baseline."""
    level_split: bool = False
    """The samples agree on the category and not on the level."""
    common_level: str | None = None
    """The most common training level of the category."""
    baseline_disagrees: bool = False
    """The baseline names another category, with a margin above the median."""
    margin: float | None = None
    """Of the baseline, where it is the answer."""
    description_missing: bool = False
    training_fields: int | None = None
    too_long: bool = False


def review(
    evidence: Evidence, levels: Sequence[str], *, agreement_below: float, margin_below: float
) -> list[ReviewCode]:
    """The reasons why this field needs a person, in the order of ``REVIEW_CODES``; empty when it needs none."""
    if evidence.too_long:
        return ["too_long"]
    if not evidence.answered:
        return ["no_answer"]
    unsure = evidence.agreement is not None and evidence.agreement < 1
    guessed = evidence.margin is not None and evidence.margin < margin_below
    found: dict[ReviewCode, bool] = {
        "under_grading": _lower(evidence.level, evidence.common_level, levels),
        "level_split": evidence.level_split,
        "low_agreement": evidence.agreement is not None and evidence.agreement < agreement_below,
        "baseline_disagrees": evidence.baseline_disagrees,
        "low_margin": guessed,
        "no_description": evidence.description_missing and (unsure or evidence.margin is not None),
        "rare_category": evidence.training_fields is not None and evidence.training_fields < RARE_FIELDS,
        "level_unknown": evidence.level is None,
    }
    return [code for code in REVIEW_CODES if found.get(code)]


def _lower(level: str | None, common: str | None, levels: Sequence[str]) -> bool:
    order: list[str | None] = list(levels)
    return level in order and common in order and order.index(level) < order.index(common)


def urgency(codes: Sequence[ReviewCode], certainty: float | None) -> tuple[int, float]:
    """Sort key, most urgent first: possible under-grading, then invalid, then agreement or margin ascending."""
    if "under_grading" in codes:
        return (0, 0.0)
    if "no_answer" in codes or "too_long" in codes:
        return (1, 0.0)
    return (2, 1.0 if certainty is None else certainty)
