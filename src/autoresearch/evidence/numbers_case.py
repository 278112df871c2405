"""Numbers of a formal case's attempts beyond those of every training row: what was planned, throughput, evidence of a
failure, and the best rows of each stage (formal-case.md 5, 12.4, 15.2 chapters 3 to 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from autoresearch.evidence.attempt_records import Attempt, attempts, read_records
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.locks import ConfigLock
from autoresearch.evidence.matrix import MatrixRow
from autoresearch.evidence.report_data import ReportData, finite
from autoresearch.telemetry.statistics import quantile
from autoresearch.training.steps import is_accepted

STAGES = {"single": ("single", "bisect"), "node": ("node",)}
"""What the page ranks apart -> stages of the lock."""
RESOLVED_SHARE = 0.05
"""Differences below this share between single rows are called not resolved (15.4)."""
MFU = "perf/mfu/actor"
FACTS = ("stage", "cause", "inference_mode", "resolved_mode", "no_learning_signal", "started_at", "finished_at")
TEXTS = ("file", "text")
ASKED = (
    "model_id", "dataset_id", "input_tokens", "output_tokens", "inference_modes", "training_steps", "group_size",
    "train_samples", "val_samples", "ignore_eos",
)  # fmt: skip
PLAN_ASKED = ("training_steps",)
"""Keys of the lock's ``verl_case`` that say what was asked: without a plan, and beside one."""


def add_case_rows(data: ReportData, bundle: Bundle, lock: ConfigLock, matrix: Mapping[str, MatrixRow]) -> None:
    """What was asked, what the matrix says of each attempt, and the best rows."""
    _add_asked(data, bundle, lock)
    _add_environment(data, bundle)
    for attempt in attempts(lock, bundle.rows()):
        _add_row(data, bundle, attempt, matrix[attempt.row])
    add_best(data, bundle, matrix)
    _add_counts(data, bundle, matrix)


def _add_asked(data: ReportData, bundle: Bundle, lock: ConfigLock) -> None:
    """What was asked, as the lock has it. A plan fixes what it does not list as variable: its hash stands for that."""
    source = bundle.name("config_lock")
    names = [str(each["canonical_id"]) for each in lock.assets if each.get("canonical_id")]
    told: dict[str, object] = {"assets": names or None}
    for place, each in enumerate(lock.assets):
        data.number(f"asset.{place}.files", each.get("files"), "count", "read", source)
        data.number(f"asset.{place}.bytes", each.get("bytes"), "bytes", "read", source)
    if lock.plan is not None:
        told |= {"plan": lock.plan.get("sha256"), "purpose": lock.plan.get("purpose")}
    told |= {key: lock.case.get(key) for key in (ASKED if lock.plan is None else PLAN_ASKED)}
    for key, value in told.items():
        if value is not None:
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            data.fact(f"asked.{key}", text, "read", source)


def _add_environment(data: ReportData, bundle: Bundle) -> None:
    """Image, kernel, driver and the like, as the provenance lock has them; its versions stand there by name."""
    content = bundle.json(bundle.path("provenance_lock"))
    environment = content.get("environment") if isinstance(content, dict) else None
    for key, value in sorted((environment if isinstance(environment, dict) else {}).items()):
        if isinstance(value, (str, int, float)):
            data.fact(f"environment.{key}", str(value), "read", bundle.name("provenance_lock"))


def _add_counts(data: ReportData, bundle: Bundle, matrix: Mapping[str, MatrixRow]) -> None:
    """How many rows there are, by status; of training rows how many reached their target."""
    source = bundle.name("matrix")
    rows = list(matrix.values())
    for status in ("passed", "failed", "skipped"):
        data.number(f"rows.{status}", sum(each.status == status for each in rows), "count", "rows.status", source)
    data.number("rows.all", len(rows), "count", "rows.status", source)
    started = [each for each in rows if each.status != "skipped"]
    reached = [each for each in started if reached_target(each)]
    data.number("rows.started", len(started), "count", "rows.status", source)
    data.number("rows.reached", len(reached), "count", "rows.reached", source)
    updated = sum(1 for each in started if each.optimizer_updates)
    data.number("rows.updated", updated, "count", "rows.updated", source)
    moved = sum(1 for each in reached if not each.no_learning_signal)
    data.number("rows.moved", moved, "count", "rows.moved", source)


def reached_target(row: MatrixRow) -> bool:
    """Passed with all steps of a target above zero."""
    target = row.target_training_steps or 0
    return row.status == "passed" and target > 0 and row.completed_training_steps == target


def _add_row(data: ReportData, bundle: Bundle, attempt: Attempt, row: MatrixRow) -> None:
    head, source, lock = f"row.{attempt.row}", bundle.name("matrix"), bundle.name("config_lock")
    for key in FACTS:
        data.fact(f"{head}.{key}", getattr(row, key), "read", source)
    for letter in ("S", "N", "W", "TP"):
        data.number(f"{head}.{letter}", row.numbers.get(letter), "count", "read", lock)
    for key in ("input_tokens", "output_tokens"):
        data.number(f"{head}.{key}", getattr(row, key), "tokens", "read", source)
    data.number(f"{head}.exit_code", row.exit_code, "index", "read", source)
    data.number(f"{head}.clock_offset", row.clock_offset_ms, "milliseconds", "read", source)
    if row.failure_evidence:
        for key in TEXTS:
            data.fact(f"{head}.evidence.{key}", row.failure_evidence.get(key), "read", source)
        for key in ("line", "offset"):
            data.number(f"{head}.evidence.{key}", row.failure_evidence.get(key), "index", "read", source)
    if row.throughput:
        rate = row.throughput
        data.number(
            f"{head}.tokens_per_second_all", rate.get("tokens_per_second"), "tokens/s", "throughput.all", source
        )
        samples = rate.get("samples_per_second")
        data.number(f"{head}.samples_per_second", samples, "samples/s", "throughput.samples", source)
        data.fact(f"{head}.ranked", bool(rate.get("ranked")), "throughput.ranked", source)
    if row.status != "skipped":
        _add_hints(data, bundle, attempt)


def _add_hints(data: ReportData, bundle: Bundle, attempt: Attempt) -> None:
    """The signatures of 12.4, as the numbers they are read from; which ones are told is the page's."""
    head = f"row.{attempt.row}"
    source = bundle.relative(bundle.row_folder(attempt.row) / "metrics.jsonl")
    if not (bundle.root / source).is_file():
        source = bundle.relative(bundle.log_folder(attempt.row) / "trainer.log")
    accepted = [each for each in read_records(bundle, attempt).records if is_accepted(each, attempt.kind)]
    mfu = [value for each in accepted[1:] if (value := finite(each.data.get(MFU)))]
    if mfu:
        data.number(f"{head}.mfu", quantile(mfu, 0.5), "share", "hint.mfu", source)
    stage = {name: data.value(f"{head}.stage.{name}") for name in ("logp", "update", "rollout", "step_total")}
    if stage["logp"] and stage["update"]:
        data.number(f"{head}.hint.logp", stage["logp"] / stage["update"], "share", "hint.logp", source)
    if stage["rollout"] and stage["step_total"]:
        data.number(f"{head}.hint.rollout", stage["rollout"] / stage["step_total"], "share", "hint.rollout", source)


def ranked_rows(rows: Iterable[MatrixRow], stages: Iterable[str]) -> list[MatrixRow]:
    """Passed last attempts with at least two measured steps, the fastest a device first; then larger B, then case id
    (5.4)."""
    last = {row.case_id: row for row in rows}
    found = [
        row
        for row in last.values()
        if row.stage in stages and reached_target(row) and row.throughput and row.throughput.get("ranked")
    ]
    return sorted(found, key=lambda row: (-_rate(row), -float(row.numbers.get("B") or 0), row.case_id))


def _rate(row: MatrixRow) -> float:
    return float((row.throughput or {}).get("tokens_per_second_per_device") or 0.0)


def row_name(row: MatrixRow) -> str:
    """Name of the attempt."""
    return f"{row.case_id}.a{row.attempt}"


def add_best(data: ReportData, bundle: Bundle, matrix: Mapping[str, MatrixRow]) -> None:
    """The best row on the fewest devices and the best on the whole node, apart; and how the second scales."""
    source = bundle.name("matrix")
    best: dict[str, MatrixRow] = {}
    for name, stages in STAGES.items():
        rows = ranked_rows(matrix.values(), stages)
        if not rows:
            continue
        best[name] = rows[0]
        data.fact(f"best.{name}", row_name(rows[0]), "best", source)
        repeats = sum(reached_target(each) and each.case_id == rows[0].case_id for each in matrix.values())
        data.number(f"best.{name}.repeats", repeats, "count", "best.repeats", source)
        if len(rows) > 1:
            lead = _rate(rows[0]) / _rate(rows[1]) - 1 if _rate(rows[1]) else None
            data.number(f"best.{name}.lead", lead, "share", "best.lead", source)
            data.fact(f"best.{name}.second", row_name(rows[1]), "best", source)
            data.fact(f"best.{name}.resolved", lead is not None and lead >= RESOLVED_SHARE, "best.resolved", source)
    if len(best) == len(STAGES):
        _add_efficiency(data, best["single"], best["node"], source)


def _add_efficiency(data: ReportData, single: MatrixRow, node: MatrixRow, source: str) -> None:
    """node ÷ (D × single), where lengths, n and mode agree; a fact says where they do not."""
    same = all(
        getattr(single, key) == getattr(node, key) for key in ("input_tokens", "output_tokens", "inference_mode")
    ) and single.numbers.get("n") == node.numbers.get("n")
    data.fact("best.comparable", same, "best.comparable", source)
    if same and _rate(single):
        data.number("best.efficiency", _rate(node) / _rate(single), "share", "best.efficiency", source)
