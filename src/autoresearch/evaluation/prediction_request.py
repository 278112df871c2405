"""What to predict and how: the flags of ``predict`` as one frozen value (training.md 10)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from autoresearch.evaluation.sheet import Language
from autoresearch.training.engines.options import DEFAULTS, EngineOptions


@dataclass(frozen=True)
class Request:
    """What to predict and how; the flags of the command."""

    input: Path
    standards: Path
    out: Path
    model: Path | None = None
    """None: the retrieval baseline answers."""
    mapping: Path | None = None
    sheet: str | None = None
    header_row: int = 1
    encoding: str | None = None
    labelled: Path | None = None
    """Labelled fields for the baseline; without it the train rows of the release that the standards belong to, else the
    labelled rows of the input itself.
    """
    samples: int = 5
    engine: str = "transformers"
    engine_options: EngineOptions = DEFAULTS
    review_below: float | None = None
    calibration: Path | None = None
    """A report of ``eval episodes`` from which the review threshold is read."""
    keep_exact: float = 0.9
    """Share of exact answers that unflagged rows of that report must keep."""
    resume: bool = False
    overwrite: bool = False
    limit: int | None = None
    columns: Language = "zh"
    seed: int = 0
    enable_thinking: bool | None = None
    unbound: bool = False
    max_prompt: int = 4096
    max_response: int = 1024
    format: Literal["xlsx", "csv"] | None = None
    """A second form of the same sheet, beside ``out`` under its name."""

    @property
    def also(self) -> Path | None:
        """The second output, where one was asked for."""
        if self.format is None or self.out.suffix.lower() == f".{self.format}":
            return None
        return self.out.with_suffix(f".{self.format}")

    @property
    def outputs(self) -> tuple[Path, ...]:
        """The sheets to write."""
        return (self.out,) if self.also is None else (self.out, self.also)
