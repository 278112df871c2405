"""The grading standard: sensitivity levels, least sensitive first (data-line.md 3.7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, PrivateAttr, field_validator, model_validator

from autoresearch.files import content_digest, sha256_file
from autoresearch.standards.loading import Strict, load

REMEDY = (
    'a grading standard is {"levels": [least sensitive first], "descriptions": [one each], "gt_field": "data_level"}'
)


class GradingConfig(Strict):
    """Ordered levels with optional descriptions. ``digest`` is the sha256 of the file's bytes."""

    levels: tuple[str, ...] = Field(min_length=1)
    """Level codes, least sensitive first."""
    descriptions: tuple[str, ...] = ()
    gt_field: str = "data_level"
    _digest: str = PrivateAttr(default="")

    @field_validator("levels", "descriptions")
    @classmethod
    def _not_blank(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(not text for text in value):
            raise ValueError("a text is empty")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> GradingConfig:
        if len(set(self.levels)) != len(self.levels):
            raise ValueError("a level stands twice")
        if self.descriptions and len(self.descriptions) != len(self.levels):
            raise ValueError(f"{len(self.descriptions)} descriptions for {len(self.levels)} levels")
        return self

    @classmethod
    def from_obj(cls, obj: Any) -> GradingConfig:
        """From parsed JSON; the digest is then that of the content."""
        grading = cls.model_validate(obj)
        grading._digest = content_digest(obj)
        return grading

    @classmethod
    def from_path(cls, path: str | Path) -> GradingConfig:
        """Load and validate a grading file; ``InputError`` F035."""
        grading = load(Path(path), "F035", cls.from_obj, REMEDY)
        grading._digest = sha256_file(Path(path))
        return grading

    @property
    def digest(self) -> str:
        """sha256 of the file's bytes."""
        return self._digest

    def rank(self, level: str) -> int:
        """0 for the least sensitive; ``ValueError`` for a level that is not in the standard."""
        return self.levels.index(level)

    def rubric_pairs(self) -> list[list[str]]:
        """``[[code, description], …]``, or ``[[code], …]`` without descriptions."""
        if not self.descriptions:
            return [[level] for level in self.levels]
        return [[level, text] for level, text in zip(self.levels, self.descriptions, strict=True)]
