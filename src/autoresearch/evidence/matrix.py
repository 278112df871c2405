"""``matrix-results.jsonl``, ``steps.jsonl`` and ``stage-timings.jsonl``: what each attempt did, derived from its raw
files (9.4).

Every function here reads files of the bundle and nothing else, so that the same lines come out whenever they are
derived again. Unknown is null, never 0.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from autoresearch.evidence.attempt_records import Attempt, AttemptRecords, life_ms, read_records, telemetry_statistics
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.locks import ConfigLock, file_digest
from autoresearch.findings import finding
from autoresearch.telemetry.statistics import COVERAGE_WARNING
from autoresearch.training.stage_times import rl_throughput, step_times
from autoresearch.training.steps import is_accepted


class MatrixRow(BaseModel):
    """One line of ``matrix-results.jsonl``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    case_id: str
    attempt: int
    cause: str | None = None
    stage: Literal["single", "bisect", "node"]
    task: str
    mode: Literal["training", "validation"]
    trainer_val_only: bool
    status: Literal["passed", "failed", "skipped"]
    failure_class: str | None = None
    failure_evidence: dict[str, Any] | None = None
    skip_reason: str | None = None
    started_at: str | None = None
    finished_at: str | None = None
    started_epoch_ms: int | None = None
    finished_epoch_ms: int | None = None
    clock_offset_ms: float | None = None
    clock_uncertainty_ms: float | None = None
    elapsed_seconds: float | None = None
    exit_code: int | None = None
    signal: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    inference_mode: str | None = None
    resolved_mode: str | None = None
    ignore_eos: bool | None = None
    numbers: dict[str, int | float | None]
    devices: list[dict[str, Any]] = []
    target_training_steps: int | None = None
    completed_training_steps: int | None = None
    optimizer_updates: int | None = None
    zero_gradient_steps: int | None = None
    no_learning_signal: bool | None = None
    weights_changed: bool | None = None
    validation: dict[str, Any] | None = None
    throughput: dict[str, Any] | None = None
    telemetry: dict[str, Any] | None = None
    log_path: str | None = None
    wandb_id: str | None = None
    display_name: str | None = None
    lock_sha256: str
    findings: list[dict[str, str]] = []


def iso(epoch_ms: int | None) -> str | None:
    """UTC with ``Z``, milliseconds kept."""
    if epoch_ms is None:
        return None
    return datetime.fromtimestamp(epoch_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _learning_signal(attempt: Attempt, read: AttemptRecords) -> bool | None:
    """True when no accepted step of an RL attempt had a gradient; null for SFT and where nothing was counted."""
    if attempt.kind != "rl" or not read.count.accepted:
        return None
    return read.count.zero_gradient == len(read.count.accepted)


def _updates(attempt: Attempt, read: AttemptRecords) -> int | None:
    batch, mini = attempt.case.numbers.get("B"), attempt.case.numbers.get("m")
    if attempt.kind == "sft" or not batch or not mini:
        return len(read.count.accepted)
    return int(len(read.count.accepted) * batch / mini)


def derive_row(bundle: Bundle, lock: ConfigLock, attempt: Attempt) -> MatrixRow:
    """The matrix line of one attempt. Passed: the steps 1…target were counted and the launcher's own result says
    trained.
    """
    read = read_records(bundle, attempt)
    stored = bundle.json(bundle.row_folder(attempt.row) / "result.json") or {}
    result = stored.get("result") or {}
    described = bundle.json(bundle.row_folder(attempt.row) / "row.json") or {}
    target = attempt.case.numbers.get("S")
    trained = result.get("status") == "trained"
    complete = target is not None and read.count.completed == target and not read.count.repeated
    skip_reason = described.get("skip_reason")
    status: Literal["passed", "failed", "skipped"] = (
        "skipped" if skip_reason else "passed" if complete and trained else "failed"
    )
    life = None if skip_reason else life_ms(bundle, attempt.row)
    telemetry = telemetry_statistics(bundle, attempt.row)
    found = [finding(each.code, place=each.place, value=each.value) for each in read.notices]
    if telemetry and telemetry["coverage"] is not None and telemetry["coverage"] < COVERAGE_WARNING:
        found.append(
            finding("V410", place=attempt.row, value=f"{telemetry['coverage']:.4f}", rule="coverage below 0.95")
        )
    if telemetry and telemetry["unparsed_lines"]:
        found.append(finding("V413", place=attempt.row, value=str(telemetry["unparsed_lines"])))
    if read.count.zero_gradient:
        found.append(
            finding("V514", place=attempt.row, value=str(read.count.zero_gradient), rule="steps with gradient norm 0")
        )
    log = bundle.log_folder(attempt.row) / "trainer.log"
    return MatrixRow(
        run_id=lock.run_id,
        case_id=attempt.case.case_id,
        attempt=attempt.number,
        stage=attempt.case.stage,
        task=str(described.get("task") or lock.task),
        mode=lock.mode,
        trainer_val_only=lock.trainer_val_only,
        status=status,
        failure_class=_failure_class(status, result, complete),
        skip_reason=skip_reason,
        started_at=iso(life[0]) if life else None,
        finished_at=iso(life[1]) if life else None,
        started_epoch_ms=life[0] if life else None,
        finished_epoch_ms=life[1] if life else None,
        elapsed_seconds=(life[1] - life[0]) / 1000 if life else None,
        exit_code=_integer(result.get("exit_code")),
        numbers=attempt.case.numbers,
        devices=lock.devices,
        target_training_steps=None if target is None else int(target),
        completed_training_steps=None if skip_reason else read.count.completed,
        optimizer_updates=None if skip_reason else _updates(attempt, read),
        zero_gradient_steps=None if skip_reason else read.count.zero_gradient,
        no_learning_signal=_learning_signal(attempt, read),
        weights_changed=_changed(result),
        throughput=_throughput(attempt, read),
        telemetry=telemetry,
        log_path=bundle.relative(log) if log.is_file() else None,
        lock_sha256=str(file_digest(bundle.path("config_lock"))),
        findings=[each.as_dict() for each in found],
    )


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _changed(result: dict[str, Any]) -> bool | None:
    """What the launcher found when it compared the last checkpoint's weights with the start model's."""
    weights = result.get("weights")
    if not isinstance(weights, dict):
        return None
    return bool(weights.get("largest")) and weights.get("sha256_before") != weights.get("sha256_after")


def _failure_class(status: str, result: dict[str, Any], complete: bool) -> str | None:
    """The class of a failed attempt from the launcher's facts; every failed row has one."""
    if status != "failed":
        return None
    trouble = result.get("trouble")
    kind = trouble.get("kind") if isinstance(trouble, dict) else None
    if kind == "oom":
        return "oom"
    if result.get("status") == "interrupted":
        return "interrupted"
    if result.get("exit_code") not in (0, None):
        return "trainer_exit"
    if not complete:
        return "incomplete_training_steps" if result else "launcher_error"
    return str(result.get("status") or "launcher_error")


def _throughput(attempt: Attempt, read: AttemptRecords) -> dict[str, Any] | None:
    if attempt.kind != "rl" or not read.count.accepted:
        return None
    rate = rl_throughput(read.records, int(attempt.case.numbers.get("D") or 1))
    return {
        "measured_steps": rate.steps,
        "tokens": rate.tokens,
        "seconds": rate.seconds,
        "tokens_per_second_per_device": rate.per_device,
        "logged_tokens_per_second_per_device": rate.logged_per_device,
        "notices": [list(notice) for notice in rate.notices],
    }


def derive_steps(lock: ConfigLock, attempt: Attempt, read: AttemptRecords) -> list[dict[str, Any]]:
    """Lines of ``steps.jsonl``: one a record, with the line it was read from and whether it counts as a step."""
    head = {"run_id": lock.run_id, "case_id": attempt.case.case_id, "attempt": attempt.number}
    return [
        {
            **head,
            "step": record.step,
            "accepted": is_accepted(record, attempt.kind),
            "source": record.source,
            "line": record.line,
            "data": record.data,
        }
        for record in read.records
    ]


def derive_stage_timings(lock: ConfigLock, attempt: Attempt, read: AttemptRecords) -> list[dict[str, Any]]:
    """Lines of ``stage-timings.jsonl`` (12.4): seconds of each timing key of each step; the total is ``step_total``."""
    head = {"run_id": lock.run_id, "case_id": attempt.case.case_id, "attempt": attempt.number}
    lines = []
    for record in read.records:
        times = step_times(record, read.dialect)
        tail = {"source": record.source, "line": record.line}
        for stage in times.stages:
            lines.append(
                {**head, "step": record.step, "stage": stage.stage, "key": stage.key, "seconds": stage.seconds, **tail}
            )
        if times.total is not None:
            lines.append(
                {**head, "step": record.step, "stage": "step_total", "key": "step", "seconds": times.total, **tail}
            )
            lines.append(
                {**head, "step": record.step, "stage": "remainder", "key": "", "seconds": times.remainder, **tail}
            )
    return lines
