"""Publishing: stage, validate on disk, hash, report last, rename; and the audit of what failed (design 4, data-line
3.17, 4.0).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import AutoResearchError, InputError, RefusedError
from autoresearch.files import json_text, sha256_file, staging, tree_files, without_collector, write_json
from autoresearch.findings import finding
from autoresearch.progress import event
from autoresearch.releases.columns import write_tables
from autoresearch.releases.header import SPLITS, ReleaseHeader
from autoresearch.releases.inputs import AssetFiles
from autoresearch.releases.report import REPORT_NAME, ExportReport

if TYPE_CHECKING:
    import pyarrow as pa

AUDITS_KEPT = 9_999


@dataclass
class Attempt:
    """How far an exporter came; what a failed audit says."""

    phase: str = "prepare"
    """``prepare``, ``derive``, ``write``, ``validate``, ``report`` or ``publish``."""
    validation: dict[str, Any] | None = None


@dataclass(frozen=True)
class Written:
    """What stands in the staging folder before the report."""

    files: dict[str, str]
    """Relative POSIX path -> sha256."""
    rows: dict[str, int]
    """Split -> rows."""


def refuse_existing(output: Path) -> None:
    """Raise ``RefusedError`` R001 unless ``output`` is absent or an empty folder."""
    if output.exists() and not (output.is_dir() and not any(output.iterdir())):
        raise target_not_empty(output)


def target_not_empty(output: Path) -> RefusedError:
    """The refusal of a second publish."""
    found = finding(
        "R001",
        place=str(output),
        rule="exists and is not empty, and a published folder is never changed",
        remedy="give another output folder",
    )
    return RefusedError(found.message(), [found])


@contextmanager
def audited(command: str, output: Path | None, failed_audit: Path | None = None) -> Iterator[Attempt]:
    """Run an exporter; on any failure write the failed audit beside ``output`` (or at ``failed_audit``), then re-
    raise.
    """
    if output is not None and not output.name:
        raise InputError(f"{output} has no name of its own; give a folder that can be made, such as releases/pairs")
    attempt = Attempt()
    try:
        with without_collector():
            yield attempt
    except Exception as error:
        path = _audit_path(output, failed_audit)
        if path is not None:
            written = write_failed_audit(path, attempt, error, output)
            event(command, f"{command}: failed audit written to {written}", level="error")
        raise


def _audit_path(output: Path | None, failed_audit: Path | None) -> Path | None:
    default = None if output is None else output.with_name(f"{output.name}.failed.json")
    if failed_audit is None:
        return default
    if output is not None and failed_audit.resolve().is_relative_to(output.resolve()):
        return default
    return failed_audit


def write_failed_audit(path: Path, attempt: Attempt, error: Exception, output: Path | None) -> Path:
    """Write the audit under the first free name of ``x.json, x.1.json, … x.9999.json``; returns that name."""
    findings = error.findings if isinstance(error, AutoResearchError) else ()
    content = {
        "status": "failed",
        "phase": attempt.phase,
        "error": str(error),
        "error_type": type(error).__name__,
        "findings": [item.as_dict() for item in findings],
        "validation": attempt.validation,
        "output_name": None if output is None else output.name,
        "recorded_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    stem = path.name.removesuffix(".json")
    names = [path.name, *(f"{stem}.{number}.json" for number in range(1, AUDITS_KEPT + 1))]
    for name in names:
        target = path.with_name(name)
        try:
            with target.open("x", encoding="utf-8", newline="\n") as handle:
                handle.write(json_text(content))
            return target
        except FileExistsError:
            continue
    raise RefusedError(f"{path}: {AUDITS_KEPT} failed audits stand there already; remove some")


@contextmanager
def staged(output: Path) -> Iterator[Path]:
    """``files.staging`` whose refusal is R001."""
    try:
        with staging(output) as folder:
            yield folder
    except FileExistsError as error:
        raise target_not_empty(output) from error


def publish(
    attempt: Attempt,
    output: Path,
    header: ReleaseHeader,
    assets: AssetFiles,
    tables: Mapping[str, Iterable[pa.Table]],
    report: Callable[[Written], ExportReport],
    tokenizer: Path | None = None,
) -> dict[str, Any]:
    """Write a release folder and publish it; returns the report as written.

    ``tables``: split → tables of at most 2,000 rows, which may be generators; ``report`` is called when all of them
    were consumed and gives the report without its ``validation``. Raises ``RefusedError`` with the validator's
    findings when the bytes on disk do not pass.
    """
    from autoresearch.releases.validate import validate_staged

    with staged(output) as folder:
        attempt.phase = "write"
        assets.write(folder / "assets")
        counts: dict[str, int] = {}
        for split in SPLITS:
            path = folder / f"{split}.parquet"
            counts[split] = write_tables(path, header, split, tables[split])
            _flush(path)
        hashes = {name: sha256_file(folder / name) for name in tree_files(folder)}
        attempt.phase = "report"
        draft = report(Written(hashes, counts)).as_json()
        attempt.phase = "validate"
        validation = validate_staged(folder, draft, tokenizer)
        attempt.validation = validation
        if not validation["valid"]:
            raise not_valid(validation)
        attempt.phase = "report"
        draft["validation"] = validation
        write_json(folder / REPORT_NAME, draft)
        attempt.phase = "publish"
    return draft


def not_valid(validation: Mapping[str, Any]) -> RefusedError:
    """The refusal of an export whose own bytes fail the validator; names the first finding of each code."""
    found = []
    for item in validation["findings"]:
        if item["severity"] == "error":
            place = item["first"][0] if item["first"] else ""
            found.append(finding(item["code"], place=place, rule=f"{item['count']} in all"))
    codes = ", ".join(f"{item.code} {item.name}" for item in found)
    first = found[0].place if found else ""
    return RefusedError(
        f"the staged release does not pass its validator: {codes} (first: {first}); nothing was published", found
    )


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
