"""Can two records that look the same to the model have different answers? The audit ``data audit`` (data-line 8.1,
8.2).

Privacy: report, verdict and messages hold counts and hashes only. Whatever goes wrong inside is told by its type
alone. The one place that shows rows is the local table that ``explain`` names.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from autoresearch import __version__
from autoresearch.errors import AutoResearchError, InputError, RefusedError
from autoresearch.files import atomic_write_text, read_json, sha256_file, without_collector, write_json
from autoresearch.findings import Finding, finding
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import NATIVE_FOUR
from autoresearch.task.conflict_keys import AUDITS, Keyed, find_conflicts, key_audit, key_records, shown_rows
from autoresearch.task.conflict_report import (
    COUNTERS,
    AuditBundle,
    AuditReport,
    DecideBy,
    RenderedAudit,
    SplitChoice,
    audit_findings,
    bundle_of,
    check_bundle,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASE_MARK, BUNDLE_MARK = "export_report.json", "0-report"
EXPLAIN_COLUMNS = ("dataset", "audit", "key", "id", "field_name", "table_name", "category_id", "level")


@without_collector()
def audit(
    canonical: Mapping[str, Path],
    classification: Mapping[str, Path],
    grading: Mapping[str, Path],
    split: SplitChoice,
    level_field: str = "data_level",
    decide_by: DecideBy = "two-field",
    registry: Path | None = None,
    metadata_fields: Sequence[str] | None = None,
    bundle: bool = False,
    report: Path = Path("conflict_audit.json"),
    verdict: Path | None = None,
    overwrite: bool = False,
    explain: Path | None = None,
) -> tuple[dict[str, Any], int]:
    """Audit one dataset, or with ``bundle`` several, write the report, and return it with its findings and exit code.

    The mappings are dataset → file, with equal keys; without ``bundle`` exactly one, whose name may be ``""`` (then
    the records' own). Raises ``RefusedError`` for an existing report or verdict, ``InputError`` for unreadable input,
    never with a name or label of it.
    """
    _refuse_existing(report, verdict, overwrite, explain)
    if not canonical or set(canonical) != set(classification) or set(canonical) != set(grading):
        raise InputError("data audit: give canonical file, classification and grading standard for the same datasets")
    if not bundle and len(canonical) != 1:
        raise InputError("data audit: several datasets need --bundle")
    fields = tuple(metadata_fields or NATIVE_FOUR)
    with _types_only():
        system = _system_texts(registry, grading)
        folder = report.parent if report.parent.is_dir() else None
        datasets = [
            key_records(
                name,
                canonical[name],
                classification[name],
                grading[name],
                split,
                level_field,
                fields,
                system.get(name),
                folder,
            )
            for name in canonical
        ]
        reports, tables = {}, []
        for dataset in datasets:
            reports[dataset.name], rows = _audit_dataset(dataset, split, decide_by)
            tables += rows
        content: AuditBundle | AuditReport = bundle_of(reports, split) if bundle else next(iter(reports.values()))
        found = content.model_dump(mode="json")
        write_json(report, found)
        if explain is not None:
            _write_table(explain, tables)
        if verdict is not None:
            _write_verdict(verdict, report, reports, canonical, classification, grading, registry, decide_by, split)
    told = [item.as_dict() for one in reports.values() for item in audit_findings(one)]
    return {**found, "findings": told}, 0 if content.status == "passed" else 1


def verify_bundle(
    path: Path,
    classification: Mapping[str, Path] | None = None,
    grading: Mapping[str, Path] | None = None,
    canonical: Mapping[str, Path] | None = None,
    registry: Path | None = None,
    level_field: str = "data_level",
    metadata_fields: Sequence[str] | None = None,
) -> list[Finding]:
    """Check an audit's file, bundle or single report: A020–A023, empty when all is well.

    With ``canonical`` (and both standards) the audit is made again, and any difference is A022.
    """
    try:
        content = read_json(path)
    except (OSError, ValueError) as error:
        return [finding("A020", place=path.name, rule=f"is not readable JSON ({type(error).__name__})")]
    found = check_bundle(content, classification, grading)
    if any(item.code == "A020" for item in found) or not canonical or not classification or not grading:
        return found
    stored = content["datasets"] if "datasets" in content else {content["dataset"]: content}
    fields = tuple(metadata_fields or NATIVE_FOUR)
    with _types_only():
        system = _system_texts(registry, grading)
        for name, old in stored.items():
            split, decide_by = old["split"], old["decide_by"]
            dataset = key_records(
                name, canonical[name], classification[name], grading[name], split, level_field, fields, system.get(name)
            )
            new, _ = _audit_dataset(dataset, split, decide_by)
            if new.model_dump(mode="json") != old:
                rule = "the canonical file does not give this audit"
                found.append(finding("A022", place=name, rule=rule, remedy="run data audit again"))
    return found


@contextmanager
def _types_only() -> Iterator[None]:
    """Errors told by their type (and finding code) alone: a message could quote the input."""
    try:
        yield
    except RefusedError:
        raise
    except AutoResearchError as error:
        codes = ", ".join(item.code for item in error.findings)
        raise InputError(f"data audit: an input cannot be used ({codes or type(error).__name__})") from None
    except Exception as error:
        raise InputError(f"data audit: {type(error).__name__}") from None


def _refuse_existing(report: Path, verdict: Path | None, overwrite: bool, explain: Path | None) -> None:
    if report.exists() and not overwrite:
        raise RefusedError(f"data audit: {report} exists; give --overwrite or another --report")
    if verdict is not None and verdict.exists():
        raise RefusedError(f"data audit: {verdict} exists; a verdict is never overwritten")
    if explain is None:
        return
    for folder in explain.resolve().parents:
        if (folder / RELEASE_MARK).exists() or (folder / BUNDLE_MARK).is_dir():
            raise RefusedError(f"data audit: --explain shows rows and may not stand inside {folder}")


def _system_texts(registry: Path | None, grading: Mapping[str, Path]) -> dict[str, str]:
    """Dataset → system text of the native prompt, where a registry is given."""
    if registry is None:
        return {}
    from autoresearch.standards.corpus import Corpus, CorpusCategory
    from autoresearch.standards.task_config import TaskConfig
    from autoresearch.task.assets import TaskAssets
    from autoresearch.task.prompts import native_system

    leaves = LeafRegistry.from_path(registry)
    bare = Corpus.from_categories(
        CorpusCategory(category_id=leaf.category_id, name=leaf.name) for leaf in leaves.leaves
    )
    task = TaskConfig(metadata_fields=NATIVE_FOUR)
    return {
        name: native_system(TaskAssets(leaves, bare, task, GradingConfig.from_path(path)), True)
        for name, path in grading.items()
    }


def _audit_dataset(
    dataset: Keyed, split: SplitChoice, decide_by: DecideBy
) -> tuple[AuditReport, list[tuple[str, ...]]]:
    """The report of one dataset, and the rows of its conflicts for the local table."""
    found = {name: find_conflicts(dataset, name) for name in AUDITS}
    hit = {place for one in found.values() for places in one.conflicts.values() for place in places}
    shown = shown_rows(dataset, hit)
    plain, full, loose = (key_audit(dataset, found[name], shown) for name in AUDITS)
    prompt: Literal["full", "user"] = "full" if dataset.with_system else "user"
    deciding = plain if decide_by == "two-field" else full
    passed = not deciding.conflict_keys and not dataset.counts.incomplete
    report = AuditReport(
        format="autoresearch-prompt-audit-v1",
        dataset=dataset.name,
        status="passed" if passed else "failed",
        decide_by=decide_by,
        split=split,
        classification_standard_sha256=dataset.classification_sha256,
        grading_standard_sha256=dataset.grading_sha256,
        records_audited=dataset.counts.kept,
        incomplete_records=dataset.counts.incomplete,
        without_level=dataset.counts.without_level,
        rendered=RenderedAudit(prompt=prompt, **dict(full)),
        rendered_normalised=RenderedAudit(prompt=prompt, **dict(loose)),
        **dict(plain),
    )
    rows = [
        row
        for name, one in found.items()
        for row in sorted(
            (dataset.name, name, key, *shown[place]) for key, places in one.conflicts.items() for place in places
        )
    ]
    return report, rows


def _write_table(path: Path, rows: Sequence[tuple[str, ...]]) -> None:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(EXPLAIN_COLUMNS)
    table.writerows(rows)
    atomic_write_text(path, text.getvalue())


def _write_verdict(
    path: Path,
    report: Path,
    reports: Mapping[str, AuditReport],
    canonical: Mapping[str, Path],
    classification: Mapping[str, Path],
    grading: Mapping[str, Path],
    registry: Path | None,
    decide_by: DecideBy,
    split: SplitChoice,
) -> None:
    """The verdict of the gate ``conflict``: passed iff no deciding conflict and nothing incomplete (training.md
    8.2).
    """
    from autoresearch.verdict import make_verdict, write_verdict

    roles = {"canonical": canonical, "classification": classification, "grading": grading}
    judged = {
        role if len(files) == 1 else f"{role}:{name}": {"name": file.name, "sha256": sha256_file(file)}
        for role, files in roles.items()
        for name, file in files.items()
    }
    if registry is not None:
        judged["registry"] = {"name": registry.name, "sha256": sha256_file(registry)}
    judged["audit"] = {"name": report.name, "sha256": sha256_file(report)}
    passed = all(item.status == "passed" for item in reports.values())
    deciding = [item.deciding for item in reports.values()]
    numbers: dict[str, Any] = {
        "conflict_keys": {
            "numerator": sum(item.conflict_keys for item in deciding),
            "denominator": sum(item.prompt_keys for item in deciding),
        },
        **{name: sum(getattr(item, name) for item in reports.values()) for name in COUNTERS if name != "conflict_keys"},
    }
    made = make_verdict(
        gate="conflict",
        passed=passed,
        status="passed" if passed else "conflicts" if numbers["conflict_keys"]["numerator"] else "incomplete",
        rule=f"no {decide_by} key with two targets in split {split}, no incomplete record, at least one record",
        numbers=numbers,
        judged=judged,
        settings={"decide_by": decide_by, "split": split},
        versions={"autoresearch": __version__},
        evidence=[Path(os.path.relpath(report, path.parent)).as_posix()],
    )
    write_verdict(path, made)
