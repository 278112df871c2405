"""Sealing the bundle of a formal case, in the order of formal-case.md 9.1.

W&B files → exposition → report → completeness → manifest → ``SHA256SUMS`` → verify → rename → read-only. Whatever
fails, the partial folder stays as it is and can be sealed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from autoresearch.errors import InputError, RefusedError
from autoresearch.evidence import restore, wandb_runs
from autoresearch.evidence.attempt_records import attempts
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.case_bundle import CaseBundle, row_facts
from autoresearch.evidence.case_files import LOG_FILES, wanted_files
from autoresearch.evidence.case_rows import case_experiment
from autoresearch.evidence.crate import crate_metadata
from autoresearch.evidence.derived import derive_matrix, derived_texts, read_lock, started, write_telemetry
from autoresearch.evidence.hashed_texts import hash_texts
from autoresearch.evidence.layout import ARTIFACTS, UNLISTED
from autoresearch.evidence.numbers import write_report_data
from autoresearch.evidence.observed import observed_content
from autoresearch.evidence.secrets import find_values
from autoresearch.evidence.verify import verify
from autoresearch.files import tree_files
from autoresearch.findings import Finding, finding

NOT_STARTED = "the run ended before this case was started"
NOT_HERE = "the attempt was started, but its files were never brought here"
REASONS = {
    "diffs": "no tree was modified",
    "data_reports": "of the quickstart only",
    "evaluation": "of the quickstart only",
    "verdicts": "no plan, no verdicts",
    "plans": "no plan",
    "source_runs": "no row left a W&B run",
    "effective": "no row left a composed configuration",
    "machine_latest": "no Ascend device was sampled",
}
"""Artefact -> why a run may be without it."""
Render = Callable[[Path, Path], None]
Check = Callable[[Path], Mapping[str, Any]]
Sync = Callable[[list[Path]], "SyncOutcome"]


@dataclass(frozen=True)
class SyncOutcome:
    """What a best-effort upload of W&B runs gave: W&B id -> null or why not, and the pages that exist now."""

    runs: Mapping[str, str | None]
    pages: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Sealed:
    """A published bundle. ``ok`` is ``evidence.ok`` of the command's result: it was verified, and no row on a device is
    without a device sample (V414).
    """

    path: Path
    state: Literal["complete", "partial"]
    ok: bool
    findings: tuple[Finding, ...]


def seal(
    case: CaseBundle,
    *,
    render: Render,
    check: Check,
    secrets: Iterable[str] = (),
    sync: Sync | None = None,
) -> Sealed:
    """Seal the partial bundle of a run, whether it ended or was stopped.

    ``render(bundle, out)`` writes the page and ``check(bundle)`` gives the content of ``check.json``; ``secrets`` are
    the resolved values that the run used, searched for in every file; ``sync`` uploads copies of the W&B runs, and
    nothing that it does decides anything. Raises ``InputError`` when no lock was written yet, ``RefusedError`` when a
    secret stands in the bundle (V690) or the verification fails.
    """
    writer = case.writer
    for artifact in ("config_lock", "provenance_lock"):
        if not writer.bundle().path(artifact).is_file():
            raise InputError(f"{writer.root} has no {ARTIFACTS[artifact]} yet: nothing was started, nothing to seal")
    _complete_rows(case)
    if read_lock(writer.bundle()).case.get("dump_policy") == "hash":
        hash_texts(writer)
    _write_wandb(case, sync)
    bundle = writer.bundle()
    lock = read_lock(bundle)
    for name, text in derived_texts(bundle, lock).items():
        writer.put_text(name, text)
    matrix = derive_matrix(bundle, lock)
    status = {f"{row.case_id}.a{row.attempt}": row.status for row in matrix}
    rows = [each.model_copy(update={"status": status.get(each.row, each.status)}) for each in bundle.manifest.rows]
    case.save(rows=[each.model_dump() for each in rows], **row_facts(bundle))
    case.save(experiment=case_experiment(writer.bundle(), lock).model_dump())
    write_telemetry(writer.bundle(), lock)
    restore.write_case_restore(writer)
    _list_missing_artifacts(case)
    state = _state(case)
    case.save(state=state)
    write_report_data(writer.bundle())
    render(writer.root, writer.root / ARTIFACTS["report"])
    writer.put_json(ARTIFACTS["report_check"], dict(check(writer.root)))
    writer.put_json(ARTIFACTS["crate"], crate_metadata(writer.bundle()))
    _refuse_secrets(writer.root, [value for value in secrets if value])
    findings: list[Finding] = []

    def verified(root: Path) -> list[Finding]:
        findings.extend(verify(root).findings())
        return findings

    path = writer.seal(verified)
    return Sealed(path, state, not _without_telemetry(Bundle(path)), tuple(findings))


def _complete_rows(case: CaseBundle) -> None:
    """A row for every planned case, and ``observed.json`` where the run had no end."""
    bundle = case.writer.bundle()
    run = bundle.json(bundle.path("run")) or {}
    begun = {row.rpartition(".a")[0] for row in run.get("rows") or {}}
    present = {row.rpartition(".a")[0] for row in bundle.rows()}
    for planned in read_lock(bundle).rows:
        if planned.case_id not in present:
            case.skip_case(planned.case_id, NOT_HERE if planned.case_id in begun else NOT_STARTED)
    if not bundle.path("observed").is_file():
        case.writer.put_json(ARTIFACTS["observed"], observed_content(case.writer.bundle(), {}))


def _write_wandb(case: CaseBundle, sync: Sync | None) -> None:
    writer = case.writer
    folders = wandb_runs.run_files(writer.bundle())
    outcome = SyncOutcome({})
    if sync is not None and folders:
        outcome = sync(folders)
    wandb_runs.write_wandb(writer, dict(outcome.runs), outcome.pages)
    live = writer.manifest.live.model_copy(
        update={"wandb_synced": sum(problem is None for problem in outcome.runs.values())}
    )
    case.save(live=live.model_dump())


def _list_missing_artifacts(case: CaseBundle) -> None:
    """List every artefact of the layout that this run did not leave; those that come later are not asked for."""
    writer = case.writer
    layout = writer.manifest.artifact_layout.model_dump()
    later = {"report", "report_data", "report_check", "crate", "skipped"}
    for artifact, name in sorted(layout["artifacts"].items()):
        writer.skipped = [each for each in writer.skipped if each["path"] != name]
        if artifact in later or (writer.root / name).exists():
            continue
        writer.skip(name, None, REASONS.get(artifact, "not written by this run"))
    case.save()


def _state(case: CaseBundle) -> Literal["complete", "partial"]:
    """``complete``: the run ended by itself, every planned case has its row and every attempt the files that its
    numbers are made from.
    """
    bundle = case.writer.bundle()
    run = bundle.json(bundle.path("run")) or {}
    if (run.get("ended") or {}).get("state") != "finished":
        return "partial"
    found = started(bundle, attempts(read_lock(bundle), bundle.rows()))
    for attempt in found:
        described = bundle.json(bundle.row_folder(attempt.row) / "row.json") or {}
        telemetry = described.get("telemetry") or {}
        host = bool(telemetry.get("host", True))
        wanted = wanted_files(bundle.manifest.accelerator, bundle.manifest.mode, host)
        needed = [
            bundle.row_folder(attempt.row) / name for name in wanted if name not in ("metrics.jsonl", "owner.json")
        ]
        if not all(path.is_file() for path in [*needed, bundle.log_folder(attempt.row) / LOG_FILES[0]]):
            return "partial"
    return "complete"


def _refuse_secrets(root: Path, values: list[str]) -> None:
    """V690 for every file that holds a resolved secret."""
    found = [
        finding("V690", place=f"{name}:{line}", value="a secret of this run", rule="no secret stands in a bundle")
        for name in tree_files(root, exclude=UNLISTED)
        for line in find_values(root / name, values)
    ]
    if found:
        raise RefusedError(f"the bundle is not sealed: {found[0].message()}; it lies in {root}", found)


def _without_telemetry(bundle: Bundle) -> bool:
    """Whether any attempt on a device has no device sample."""
    lines = read_lines(bundle.path("matrix"))
    return any(each.get("code") == "V414" for line in lines for each in line.get("findings") or [])
