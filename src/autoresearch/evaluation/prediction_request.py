"""What to predict and how: the flags of ``predict`` as one frozen value (training.md 10)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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
    """Labelled fields for the baseline; without it the labelled rows of the input itself."""
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
