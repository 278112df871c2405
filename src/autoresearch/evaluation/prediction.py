"""One field's prediction before it is put into words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autoresearch.evaluation.retrieval_baseline import BaselineAnswer
    from autoresearch.evaluation.review import ReviewCode


@dataclass(frozen=True, slots=True)
class Prediction:
    """One row's answer before it is put into words."""

    pair: tuple[str, str | None] | None
    certainty: float | None
    second: tuple[str, str | None] | None
    second_share: float | None
    common_level: str | None
    """The most common training level of the category."""
    codes: tuple[ReviewCode, ...]
    """Why a person must look; empty when nobody needs to."""
    baseline: BaselineAnswer
