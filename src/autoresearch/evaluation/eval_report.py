"""The report of an evaluation: one JSON document with its per-row results (training.md 9)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from autoresearch.errors import InputError, RefusedError
from autoresearch.evaluation.results import RowResult
from autoresearch.files import atomic_write_text, json_text, read_json


class EvalReport(BaseModel):
    """Everything about one evaluation. All numbers follow from ``rows``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["autoresearch-eval-v1"] = "autoresearch-eval-v1"
    kind: Literal["episodes", "two-stage", "baseline"]
    complete: bool
    """False when an episode failed for a reason that is not the model's; ``errors`` lists them."""
    model: dict[str, Any] | None
    """Name, tree hash and binding; null for a baseline."""
    release: dict[str, Any]
    """Name, report sha256, file hashes."""
    split: str
    rows_in_split: int
    samples: int
    settings: dict[str, Any]
    numbers: dict[str, Any]
    """The main numbers, grading, lookup, parents, F1, episodes or two stages, calibration."""
    baselines: dict[str, Any]
    """Majority pair, retrieval, lookup: the same main numbers on the same rows."""
    parts: dict[str, Any]
    mistakes: list[dict[str, Any]]
    confusion_by_depth: dict[str, int]
    errors: list[dict[str, Any]]
    transcripts: list[str]
    """Relative paths."""
    versions: dict[str, str]
    machine: str
    rows: list[RowResult]


def write_report(path: Path, report: EvalReport) -> None:
    """Write a report once. Raises ``RefusedError`` when the file exists."""
    if path.exists():
        raise RefusedError(f"{path} exists; a report is never overwritten: give another --out")
    content = report.model_dump(mode="json")
    rows = content.pop("rows")
    # One row a line keeps a report of many rows readable and small; the rest is an indented document.
    head = json_text(content).rstrip()[:-1].rstrip()
    lines = ",\n".join("    " + json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
    atomic_write_text(path, f'{head},\n  "rows": [\n{lines}\n  ]\n}}\n')


def read_report(path: Path) -> EvalReport:
    """Read a report. Raises ``InputError`` naming the file and the first wrong key."""
    try:
        return EvalReport.model_validate(read_json(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{path} is not a report of `eval`: {place}: {first['msg']}") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is not a readable report of `eval`: {error}") from error
