"""The matrix line of an attempt of a formal case, derived from its raw files (formal-case.md 9.4, 12, 13).

Status and class come from ``cases.judge``, which reads the raw files again; nothing that was judged before is believed.
Unknown is null, never 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autoresearch.cases.events import Judged, RowFiles
from autoresearch.cases.ladder import EARLY_STOP, bisect_finding, early_stop_finding
from autoresearch.evidence.attempt_records import Attempt, AttemptRecords, read_records
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.case_files import TUNNEL
from autoresearch.evidence.case_telemetry import (
    document,
    row_findings,
    row_step_ends,
    statistics,
    trainer_life,
)
from autoresearch.evidence.locks import ConfigLock, file_digest
from autoresearch.evidence.manifest import Experiment
from autoresearch.evidence.matrix import MatrixRow, iso
from autoresearch.findings import Finding, finding
from autoresearch.training.stage_times import Throughput, rl_throughput
from autoresearch.training.step_ends import sft_throughput

CLOCK_SKEW_MS = 1000
MODE_KEY = "trainer_mode"
RESOLVED = {"sync": "sync", "colocate_async": "async"}


def judge_attempt(bundle: Bundle, attempt: Attempt) -> Judged:
    """What the raw files of an attempt say."""
    from autoresearch.cases.judge import judge

    return judge(RowFiles(bundle.row_folder(attempt.row), bundle.log_folder(attempt.row)), attempt.case)


def skip_reason(bundle: Bundle, row: str) -> str | None:
    """Why a planned case was not started; None for an attempt that was."""
    reason = document(bundle, bundle.row_folder(row) / "row.json").get("skip_reason")
    return str(reason) if reason else None


def resolved_mode(bundle: Bundle, row: str) -> str | None:
    """What really ran: ``trainer.v1.trainer_mode`` of the composed configuration, by the run's own words where it is
    another than the two known ones. Null without that file.
    """
    import yaml

    path = bundle.path("effective") / f"{row}.yaml"
    if not path.is_file():
        return None
    try:
        content: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError):
        return None
    for key in ("trainer", "v1", MODE_KEY):
        content = content.get(key) if isinstance(content, dict) else None
    return RESOLVED.get(str(content), str(content)) if content is not None else None


def throughput(bundle: Bundle, attempt: Attempt, read: AttemptRecords) -> dict[str, Any] | None:
    """Measured tokens and seconds (12.4); null without an accepted step. A single measured step is labelled, not
    ranked.
    """
    if not read.count.accepted:
        return None
    devices = int(attempt.case.numbers.get("D") or 1)
    rate: Throughput
    if attempt.kind == "sft":
        rate = sft_throughput(read.records, row_step_ends(bundle, attempt), devices)
    else:
        rate = rl_throughput(read.records, devices)
    return {
        "measured_steps": rate.steps,
        "tokens": rate.tokens,
        "seconds": rate.seconds,
        "tokens_per_second": rate.per_device * devices if rate.per_device is not None else None,
        "tokens_per_second_per_device": rate.per_device,
        "logged_tokens_per_second_per_device": rate.logged_per_device,
        "samples_per_second": _samples_rate(attempt, rate),
        "ranked": rate.steps >= 2,
        "notices": [list(notice) for notice in rate.notices],
    }


def _samples_rate(attempt: Attempt, rate: Throughput) -> float | None:
    batch, group = attempt.case.numbers.get("B"), attempt.case.numbers.get("n") or 1
    return rate.steps * batch * group / rate.seconds if batch and rate.seconds > 0 else None


def plan_digest(bundle: Bundle, case_id: str) -> str | None:
    """sha256 of the lock, or of the addition to it, that plans a case."""
    for path in [bundle.path("config_lock"), *addition_paths(bundle)]:
        content = document(bundle, path)
        if any(isinstance(each, dict) and each.get("case_id") == case_id for each in content.get("rows") or []):
            return file_digest(path)
    return None


def is_config_lock(name: str) -> bool:
    """Whether a lock of the manifest plans rows: the config lock, an addition to it, or those of a merged run."""
    return name.rpartition("/")[2].startswith("config.lock.")


def addition_paths(bundle: Bundle) -> list[Path]:
    """The additions to the config lock, in the order in which the manifest has them."""
    names = [each.path for each in bundle.manifest.locks if is_config_lock(each.path)]
    return [bundle.root / name for name in names if name.rpartition("/")[2] != "config.lock.json"]


def _text(described: Mapping[str, Any], attempt: Attempt, key: str) -> Any:
    """A fact of the row as ``row.json`` has it, at its top or among its extras, else as the lock plans it."""
    extra = described.get("extra")
    for place in (described, extra if isinstance(extra, dict) else {}):
        if place.get(key) is not None:
            return place[key]
    return getattr(attempt.case, key, None)


def derive_case_row(bundle: Bundle, lock: ConfigLock, attempt: Attempt) -> MatrixRow:
    """The matrix line of one attempt, or of a planned case that was skipped."""
    folder = bundle.row_folder(attempt.row)
    described = document(bundle, folder / "row.json")
    skipped = skip_reason(bundle, attempt.row)
    base: dict[str, Any] = {
        "run_id": str(described.get("run_id") or lock.run_id),
        "case_id": attempt.case.case_id,
        "attempt": attempt.number,
        "cause": described.get("cause"),
        "stage": attempt.case.stage,
        "task": lock.task,
        "mode": lock.mode,
        "trainer_val_only": lock.trainer_val_only,
        "skip_reason": skipped,
        "numbers": dict(attempt.case.numbers),
        "devices": described.get("devices") or [],
        "lock_sha256": str(described.get("lock_sha256") or file_digest(bundle.path("config_lock"))),
        **{
            key: _text(described, attempt, key)
            for key in ("input_tokens", "output_tokens", "inference_mode", "ignore_eos")
        },
    }
    ladder = [each.as_dict() for each in _ladder_findings(lock, attempt, described, skipped)]
    if skipped:
        target = _integer(attempt.case.numbers.get("S"))
        return MatrixRow(**base, status="skipped", target_training_steps=target, findings=ladder)
    facts = _attempt_facts(bundle, attempt, described)
    facts["findings"] += ladder
    if facts["validation"] and lock.case.get("dump_policy") == "hash":
        facts["validation"]["truncated"] = None  # only the texts could tell
    return MatrixRow(**base, **facts)


def _ladder_findings(
    lock: ConfigLock, attempt: Attempt, described: Mapping[str, Any], skipped: str | None
) -> list[Finding]:
    """V220 for a case that its ladder did not reach, V221 for one that was added to it."""
    limit = _integer((lock.ladder or {}).get("stop_after_memory_failures"))
    if skipped == EARLY_STOP and limit is not None:
        return [early_stop_finding(attempt.case.case_id, limit)]
    between = _text(described, attempt, "derived_from")
    if attempt.case.stage == "bisect" and between:
        return [bisect_finding(attempt.case.case_id, int(attempt.case.numbers.get("B") or 0), between)]
    return []


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _attempt_facts(bundle: Bundle, attempt: Attempt, described: Mapping[str, Any]) -> dict[str, Any]:
    judged = judge_attempt(bundle, attempt)
    read = read_records(bundle, attempt)
    result = document(bundle, bundle.row_folder(attempt.row) / "result.json")
    tunnel = document(bundle, bundle.row_folder(attempt.row) / TUNNEL)
    life, blocks = trainer_life(bundle, attempt.row), statistics(bundle, attempt)
    training = bundle.manifest.mode == "training"
    measured = throughput(bundle, attempt, read) if training else None
    env = described.get("env") if isinstance(described.get("env"), dict) else {}
    log = bundle.log_folder(attempt.row) / "trainer.log"
    accelerator = str(described.get("accelerator") or bundle.manifest.accelerator)
    found = [*judged.findings, *row_findings(bundle, attempt, blocks, accelerator), *_clock(attempt.row, tunnel)]
    return {
        "status": judged.status,
        "failure_class": judged.failure_class,
        "failure_evidence": dict(judged.failure_evidence) if judged.failure_evidence else None,
        "started_at": iso(life[0]) if life else None,
        "finished_at": iso(life[1]) if life else None,
        "started_epoch_ms": life[0] if life else None,
        "finished_epoch_ms": life[1] if life else None,
        "clock_offset_ms": _number(tunnel.get("clock_offset_ms")),
        "clock_uncertainty_ms": _number(tunnel.get("clock_uncertainty_ms")),
        "elapsed_seconds": (life[1] - life[0]) / 1000 if life else None,
        "exit_code": _integer(result.get("exit_code")),
        "signal": _integer(result.get("signal")),
        "resolved_mode": resolved_mode(bundle, attempt.row),
        "target_training_steps": judged.target_steps,
        "completed_training_steps": judged.completed_steps,
        "optimizer_updates": _updates(attempt, read) if training else None,
        "zero_gradient_steps": read.count.zero_gradient if training else None,
        "no_learning_signal": judged.no_learning_signal,
        "weights_changed": _changed(result),
        "validation": dict(judged.validation) if judged.validation else None,
        "throughput": measured,
        "telemetry": _shortened(blocks),
        "log_path": bundle.relative(log) if log.is_file() else None,
        "wandb_id": (env or {}).get("WANDB_RUN_ID"),
        "display_name": (env or {}).get("WANDB_NAME"),
        "findings": [each.as_dict() for each in _unique(found)],
    }


def _unique(found: list[Finding]) -> list[Finding]:
    return list(dict.fromkeys(found))


def _updates(attempt: Attempt, read: AttemptRecords) -> int | None:
    batch, mini = attempt.case.numbers.get("B"), attempt.case.numbers.get("m")
    if not batch or not mini:
        return len(read.count.accepted)
    return int(len(read.count.accepted) * batch / mini)


def _changed(result: Mapping[str, Any]) -> bool | None:
    value = result.get("weights_changed")
    return value if isinstance(value, bool) else None


def _clock(row: str, tunnel: Mapping[str, Any]) -> list[Finding]:
    offset = _number(tunnel.get("clock_offset_ms"))
    if offset is None or abs(offset) <= CLOCK_SKEW_MS:
        return []
    rule = "the host's clock differs from this machine's; times of the row are the host's"
    return [finding("V430", place=row, value=f"{offset / 1000:.1f} s", rule=rule)]


def _shortened(blocks: Mapping[str, Any]) -> dict[str, Any]:
    """What the matrix keeps of the statistics: all but the lists, which ``telemetry-stats.json`` has."""
    short: dict[str, Any] = {"life": blocks["life"]}
    for name in ("devices", "host"):
        block = blocks[name]
        short[name] = None
        if block:
            kept = {
                key: value
                for key, value in block.items()
                if key not in ("gaps", "clock_steps", "flat_lines", "idle_devices")
            }
            counts = {f"{key}_count": len(block.get(key) or []) for key in ("gaps", "flat_lines", "idle_devices")}
            short[name] = {**kept, **counts}
    return short


def case_experiment(bundle: Bundle, lock: ConfigLock) -> Experiment:
    """Whether the run reached what it was for (2.2), from the last attempt of each case.

    Validation and smoke: every case passed. Training: a case on the fewest devices passed and, where the node was to be
    reached, one there. Fake hardware that stands for Ascend is never ok.
    """
    rows = bundle.manifest.rows
    last = {each.row.rpartition(".a")[0]: each.status for each in rows}
    done = [case for case in lock.rows if last.get(case.case_id) == "passed"]
    if lock.mode == "validation" or bundle.manifest.kind == "smoke":
        good = bool(lock.rows) and len(done) == len(lock.rows)
    else:
        single = any(case.stage == "single" for case in lock.rows)
        first = any(case.stage in ("single", "bisect") for case in done) or not single
        node = any(case.stage == "node" for case in done) or not _node_planned(lock)
        good = first and node and bool(done)
    fake = bundle.manifest.synthetic_hardware and bundle.manifest.accelerator == "ascend"
    count = {status: sum(each.status == status for each in rows) for status in ("passed", "failed", "skipped")}
    return Experiment(ok=good and not fake, rows=len(rows), **count)


def _node_planned(lock: ConfigLock) -> bool:
    """A row of the stage is planned, or the ladder was to promote to more devices than it had."""
    if any(case.stage == "node" for case in lock.rows):
        return True
    used = max((int(case.numbers.get("D") or 1) for case in lock.rows), default=1)
    return bool((lock.ladder or {}).get("promote")) and len(lock.devices) > used
