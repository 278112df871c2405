"""The ``schema`` check: manifest, locks, rows, source runs and verdict copies validate (formal-case.md 9.6)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from autoresearch.cases.locks import LockAddition
from autoresearch.errors import InputError
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.case_rows import addition_paths
from autoresearch.evidence.layout import MANIFEST
from autoresearch.evidence.locks import ConfigLock, ProvenanceLock
from autoresearch.evidence.manifest import Manifest
from autoresearch.evidence.matrix import MatrixRow
from autoresearch.evidence.report_data import from_dict
from autoresearch.evidence.wandb_runs import SourceRuns
from autoresearch.files import read_json, strict_json_loads
from autoresearch.findings import Finding, finding
from autoresearch.verdict import FORMAT, read_verdict


class SkippedFile(BaseModel):
    """One entry of ``skipped-files.json``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    bytes: int | None
    reason: str


def _matrix(path: Path) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            MatrixRow.model_validate(strict_json_loads(line))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error


def _verdict(path: Path) -> None:
    content = read_json(path)
    if isinstance(content, dict) and content.get("format") == FORMAT:
        read_verdict(path)


def _skipped(path: Path) -> None:
    for each in read_json(path):
        SkippedFile.model_validate(each)


def check_schema(bundle: Bundle) -> tuple[int, tuple[Finding, ...]]:
    """Number of files validated, and a finding for each that does not validate."""
    wanted: list[tuple[Path, Callable[[Path], object]]] = [
        (bundle.root / MANIFEST, lambda path: Manifest.model_validate(read_json(path))),
        (bundle.path("config_lock"), lambda path: ConfigLock.model_validate(read_json(path))),
        (bundle.path("provenance_lock"), lambda path: ProvenanceLock.model_validate(read_json(path))),
        (bundle.path("matrix"), _matrix),
        (bundle.path("wandb_runs"), lambda path: SourceRuns.model_validate(read_json(path))),
        (bundle.path("skipped"), _skipped),
        (bundle.path("report_data"), lambda path: from_dict(read_json(path))),
    ]
    wanted += [(path, lambda path: LockAddition.model_validate(read_json(path))) for path in addition_paths(bundle)]
    wanted += [(path, _verdict) for path in sorted(bundle.path("verdicts").rglob("*.json"))]
    wanted += [(path, read_json) for row in bundle.rows() for path in sorted(bundle.row_folder(row).glob("*.json"))]
    found = []
    for path, validate in wanted:
        try:
            validate(path)
        except (OSError, ValueError, KeyError, TypeError, InputError) as error:
            text = " ".join(str(error).split())[:300]
            found.append(finding("V611", place=bundle.relative(path), value=type(error).__name__, rule=text))
    return len(wanted), tuple(found)
