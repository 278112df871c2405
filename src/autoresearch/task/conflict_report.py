"""The formats of the conflict audit and the verifier of its bundle (data-line 8.1). They hold counts and hashes
only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from autoresearch.files import sha256_file
from autoresearch.findings import Finding, Severity, finding

REPORT_FORMAT = "autoresearch-prompt-audit-v1"
REMEDY = "run data audit again on the files that are used"

Status = Literal["passed", "failed"]
SplitChoice = Literal["train", "val", "test", "all"]
DecideBy = Literal["two-field", "rendered"]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Conflict(_Strict):
    """One key with two or more targets."""

    prompt_key_sha256: str
    record_count: int
    record_id_sha256: tuple[str, ...]
    """Sorted; sha256 over classification hash and record id."""
    target_count: int
    target_sha256: tuple[str, ...]
    """Sorted; sha256 over category id and level."""


class KeyAudit(_Strict):
    """One audit: how many keys there are and which of them have two targets."""

    prompt_keys: int
    prompt_key_sha256: str
    """sha256 over the sorted hashes of all keys, joined by NUL."""
    conflict_keys: int
    conflicting_records: int
    conflicts: tuple[Conflict, ...]


class RenderedAudit(KeyAudit):
    """An audit of rendered prompts."""

    prompt: Literal["full", "user"]
    """Whether the key covers system and user text or the user text alone."""


class AuditReport(_Strict):
    """The audit of one dataset. The flat counters are those of the two-field audit."""

    format: Literal["autoresearch-prompt-audit-v1"]
    dataset: str
    status: Status
    decide_by: DecideBy
    split: SplitChoice
    classification_standard_sha256: str
    grading_standard_sha256: str
    records_audited: int
    prompt_keys: int
    prompt_key_sha256: str
    conflict_keys: int
    conflicting_records: int
    incomplete_records: int
    without_level: int
    conflicts: tuple[Conflict, ...]
    rendered: RenderedAudit
    rendered_normalised: RenderedAudit

    @property
    def deciding(self) -> KeyAudit | AuditReport:
        """The audit that decides the status."""
        return self if self.decide_by == "two-field" else self.rendered


class StandardHashes(_Strict):
    """The two standards of one dataset, by the sha256 of their bytes."""

    classification: str
    grading: str


COUNTERS = (
    "records_audited",
    "prompt_keys",
    "conflict_keys",
    "conflicting_records",
    "incomplete_records",
    "without_level",
)


class AuditBundle(_Strict):
    """The audits of several datasets with the sums of their counters."""

    format: Literal["autoresearch-prompt-audit-bundle-v1"]
    status: Status
    split: SplitChoice
    datasets: dict[str, AuditReport] = Field(min_length=1)
    standard_hashes: dict[str, StandardHashes]
    records_audited: int
    prompt_keys: int
    conflict_keys: int
    conflicting_records: int
    incomplete_records: int
    without_level: int


def bundle_of(reports: Mapping[str, AuditReport], split: SplitChoice) -> AuditBundle:
    """The bundle of the given reports."""
    hashes = {
        name: StandardHashes(
            classification=report.classification_standard_sha256, grading=report.grading_standard_sha256
        )
        for name, report in reports.items()
    }
    sums = {counter: sum(getattr(report, counter) for report in reports.values()) for counter in COUNTERS}
    passed = all(report.status == "passed" for report in reports.values())
    return AuditBundle(
        format="autoresearch-prompt-audit-bundle-v1",
        status="passed" if passed else "failed",
        split=split,
        datasets=dict(reports),
        standard_hashes=hashes,
        **sums,
    )


def audit_findings(report: AuditReport) -> list[Finding]:
    """What an audit found, in counts: A001, A002 (an error only when it decides), A003, A005."""
    found = []
    remedy = "see the rows with --explain FILE, then correct the labels or drop the records"
    counted: tuple[tuple[str, KeyAudit | AuditReport, Severity | None], ...] = (
        ("A001", report, "error" if report.decide_by == "two-field" else "warning"),
        ("A002", report.rendered, "error" if report.decide_by == "rendered" else "warning"),
        ("A005", report.rendered_normalised, None),
    )
    for code, audit, severity in counted:
        if audit.conflict_keys:
            rule = f"{audit.conflict_keys} keys with two targets, {audit.conflicting_records} records"
            found.append(finding(code, place=report.dataset, rule=rule, remedy=remedy, severity=severity))
    if report.incomplete_records:
        rule = f"{report.incomplete_records} records without id, name, target or legal level"
        found.append(finding("A003", place=report.dataset, rule=rule, remedy="run data build and data split again"))
    return found


def check_bundle(
    content: Any,
    classification: Mapping[str, Path] | None = None,
    grading: Mapping[str, Path] | None = None,
) -> list[Finding]:
    """Check a bundle, or a single report, as parsed JSON against itself and the standards' files, where given.

    Returns findings: A020 for a missing, further or ill-typed key, A021 for counters that do not add up, A022 for
    hashes that disagree, A023 for a status other than passed. Empty when all is well.
    """
    single = isinstance(content, dict) and content.get("format") == REPORT_FORMAT
    try:
        if single:
            report = AuditReport.model_validate(content)
            bundle = bundle_of({report.dataset: report}, report.split)
        else:
            bundle = AuditBundle.model_validate(content)
    except ValidationError as error:
        return [
            finding(
                "A020",
                place=".".join(str(part) for part in item["loc"] if isinstance(part, int) or part.isidentifier()),
                rule=item["type"],
                remedy=REMEDY,
            )
            for item in error.errors(include_input=False, include_url=False)
        ]
    found = [*_check_names(bundle), *_check_sums(bundle), *_check_hashes(bundle, classification or {}, grading or {})]
    if bundle.status != "passed" or any(report.status != "passed" for report in bundle.datasets.values()):
        found.append(finding("A023", rule="the audit did not pass", remedy="resolve the conflicts and audit again"))
    return found


def _check_names(bundle: AuditBundle) -> Iterable[Finding]:
    names = list(bundle.datasets)
    if names != [report.dataset for report in bundle.datasets.values()] or set(names) != set(bundle.standard_hashes):
        yield finding("A020", rule="dataset names disagree", remedy=REMEDY)
    if any(report.split != bundle.split for report in bundle.datasets.values()):
        yield finding("A020", rule="splits disagree", remedy=REMEDY)


def _check_sums(bundle: AuditBundle) -> Iterable[Finding]:
    for counter in COUNTERS:
        if getattr(bundle, counter) != sum(getattr(report, counter) for report in bundle.datasets.values()):
            yield finding("A021", place=counter, rule="is not the sum over the datasets", remedy=REMEDY)
    for name, report in bundle.datasets.items():
        for audit in (report, report.rendered, report.rendered_normalised):
            if not _adds_up(audit, report.records_audited):
                yield finding("A021", place=name, rule="counters do not add up", remedy=REMEDY)
        clean = report.deciding.conflict_keys == 0 and report.incomplete_records == 0
        if clean != (report.status == "passed"):
            yield finding("A021", place=name, rule="the status is not that of the counters", remedy=REMEDY)


def _adds_up(audit: KeyAudit | AuditReport, records: int) -> bool:
    keys = [conflict.prompt_key_sha256 for conflict in audit.conflicts]
    return (
        audit.conflict_keys == len(keys) == len(set(keys)) <= audit.prompt_keys <= records
        and audit.conflicting_records == sum(conflict.record_count for conflict in audit.conflicts) <= records
        and all(
            conflict.record_count == len(conflict.record_id_sha256) >= conflict.target_count
            and conflict.target_count == len(set(conflict.target_sha256)) == len(conflict.target_sha256) > 1
            for conflict in audit.conflicts
        )
    )


def _check_hashes(
    bundle: AuditBundle, classification: Mapping[str, Path], grading: Mapping[str, Path]
) -> Iterable[Finding]:
    for name, report in bundle.datasets.items():
        hashes = bundle.standard_hashes.get(name)
        own = (report.classification_standard_sha256, report.grading_standard_sha256)
        if hashes is not None and own != (hashes.classification, hashes.grading):
            yield finding("A022", place=name, rule="report and bundle name different standards", remedy=REMEDY)
        for files, sha256 in zip((classification, grading), own, strict=True):
            if name in files and sha256_file(files[name]) != sha256:
                yield finding("A022", place=name, rule="a standard's file has another hash", remedy=REMEDY)
