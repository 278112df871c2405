"""A release folder as far as it could be opened: what the validator's checks look at (data-line.md 7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from autoresearch.releases.header import ReleaseHeader
from autoresearch.releases.judgement import Judgement
from autoresearch.releases.report import ExportReport
from autoresearch.task.assets import TaskAssets


@dataclass
class Dossier:
    """A folder as far as it could be opened. ``usable`` lists the splits whose rows can be read."""

    folder: Path
    judgement: Judgement
    report: dict[str, Any]
    header: ReleaseHeader | None = None
    assets: TaskAssets | None = None
    usable: list[str] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)

    @cached_property
    def parsed(self) -> ExportReport | None:
        """The report as a model, None when it does not fit (R009 says so)."""
        try:
            return ExportReport.model_validate(self.report)
        except ValidationError:
            return None
