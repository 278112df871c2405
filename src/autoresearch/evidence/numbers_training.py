"""Numbers of the attempts: steps, curves of SFT and RL, stage times (formal-case.md 12, 15.2 chapters 4, 6, 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autoresearch.evidence.attempt_records import Attempt, AttemptRecords, attempts, read_records
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.derived import is_quickstart
from autoresearch.evidence.locks import ConfigLock
from autoresearch.evidence.matrix import MatrixRow
from autoresearch.evidence.report_data import ReportData, finite
from autoresearch.telemetry.statistics import quantile
from autoresearch.training.stage_times import StepTimes, step_times
from autoresearch.training.steps import is_accepted, merge_steps

SFT_LINES = (
    ("loss", "train/loss", "loss"),
    ("val_loss", "val/loss", "loss"),
    ("grad_norm", "train/grad_norm", "norm"),
    ("lr", "train/lr", "rate"),
    ("tokens", "train/global_tokens", "tokens"),
)
RL_LINES = (
    ("reward", "critic/score/mean", "reward"),
    ("grad_norm", "actor/grad_norm", "norm"),
    ("pg_loss", "actor/pg_loss", "loss"),
    ("kl", "actor/ppo_kl", "nats"),
    ("entropy", "actor/entropy", "nats"),
    ("response_length", "response_length/mean", "tokens"),
    ("clip_ratio", "response_length/clip_ratio", "share"),
    ("probs_diff_max", "training/rollout_probs_diff_max", "probability"),
)
"""(name, verl's key, unit)."""
CASE_LINES = (("kl_loss", "actor/kl_loss", "nats"),)
"""What a formal case shows beside them."""
STEPS_LISTED = 12
"""Steps whose total and remainder stand on the page as text; the lines have all of them."""
SIGNAL_LINES = (
    ("mixed_share", "share"),
    ("call_share", "share"),
    ("answer_valid_share", "share"),
    ("truncated_share", "share"),
    ("tool_error_share", "share"),
    ("tokens_a_turn", "tokens"),
)
"""(key of ``signal.jsonl``, unit)."""


def add_rows(data: ReportData, bundle: Bundle, lock: ConfigLock, matrix: Mapping[str, MatrixRow]) -> None:
    """Numbers of every attempt that the manifest names."""
    case = not is_quickstart(bundle)
    status, elapsed = ("case.status", "case.elapsed") if case else ("row.status", "row.elapsed")
    for attempt in attempts(lock, bundle.rows()):
        row = matrix[attempt.row]
        raw = _record_names(bundle, attempt.row)
        head = f"row.{attempt.row}"
        data.fact(f"{head}.status", row.status, status, *raw, bundle.name("config_lock"))
        data.fact(f"{head}.failure_class", row.failure_class, status, *raw)
        data.fact(f"{head}.skip_reason", row.skip_reason, "read", *raw)
        data.number(f"{head}.target_steps", row.target_training_steps, "steps", "read", bundle.name("config_lock"))
        data.number(f"{head}.completed_steps", row.completed_training_steps, "steps", "steps.completed", *raw)
        data.number(
            f"{head}.optimizer_updates",
            row.optimizer_updates,
            "count",
            "steps.updates",
            *raw,
            bundle.name("config_lock"),
        )
        data.number(f"{head}.zero_gradient_steps", row.zero_gradient_steps, "steps", "steps.zero_gradient", *raw)
        data.fact(f"{head}.weights_changed", row.weights_changed, "read", *raw)
        data.number(f"{head}.elapsed", row.elapsed_seconds, "seconds", elapsed, *raw)
        for letter in ("B", "n", "m", "u", "D"):
            data.number(f"{head}.{letter}", row.numbers.get(letter), "count", "read", bundle.name("config_lock"))
        if row.status == "skipped":
            continue
        read = read_records(bundle, attempt)
        _add_lines(data, attempt, read, raw, CASE_LINES if case else ())
        _add_signal(data, bundle, attempt)
        _add_stages(data, attempt, read, raw)
        if case:
            _add_steps(data, attempt, read, raw)
        if row.throughput is not None:
            rate = row.throughput["tokens_per_second_per_device"]
            data.number(f"{head}.tokens_per_second", rate, "tokens/s", "throughput", *raw)
            data.number(f"{head}.measured_steps", row.throughput["measured_steps"], "steps", "throughput.steps", *raw)


def _record_names(bundle: Bundle, row: str) -> tuple[str, ...]:
    paths = (
        bundle.row_folder(row) / "metrics.jsonl",
        bundle.log_folder(row) / "trainer.log",
        bundle.log_folder(row) / "log-index.jsonl",
        bundle.row_folder(row) / "result.json",
        bundle.row_folder(row) / "row.json",
    )
    return tuple(bundle.relative(path) for path in paths if path.is_file())


def _add_lines(
    data: ReportData,
    attempt: Attempt,
    read: AttemptRecords,
    raw: tuple[str, ...],
    more: tuple[tuple[str, str, str], ...],
) -> None:
    steps = merge_steps(read.records)
    for name, key, unit in SFT_LINES if attempt.kind == "sft" else (*RL_LINES, *more):
        points = [(step, finite(values[key])) for step, values in sorted(steps.items()) if key in values]
        if not points:
            continue
        line = f"row.{attempt.row}.{name}"
        data.line(line, points, ("steps", unit), f"record:{key}", *raw)
        known = [value for _, value in points if value is not None]
        data.number(f"{line}.first", known[0] if known else None, unit, "line.first", *raw)
        data.number(f"{line}.last", known[-1] if known else None, unit, "line.last", *raw)


def _add_signal(data: ReportData, bundle: Bundle, attempt: Attempt) -> None:
    path = bundle.row_folder(attempt.row) / "signal.jsonl"
    entries = [each for each in read_lines(path) if isinstance(each.get("step"), int)]
    if not entries:
        return
    source = bundle.relative(path)
    for name, unit in SIGNAL_LINES:
        points = [(each["step"], finite(each.get(name))) for each in entries]
        if any(value is not None for _, value in points):
            data.line(f"row.{attempt.row}.{name}", points, ("steps", unit), f"signal:{name}", source)
    mixed = [finite(each.get("mixed_groups")) for each in entries]
    with_signal = sum(1 for value in mixed if value) if any(value is not None for value in mixed) else None
    data.number(f"row.{attempt.row}.steps_with_signal", with_signal, "steps", "signal.steps", source)


def _add_stages(data: ReportData, attempt: Attempt, read: AttemptRecords, raw: tuple[str, ...]) -> None:
    """Median seconds of each stage over the measured steps (all but the first), and the first step's total."""
    accepted = [record for record in read.records if is_accepted(record, attempt.kind)]
    times = [step_times(record, read.dialect) for record in accepted]
    totals = [each.total for each in times if each.total is not None]
    if not totals:
        return
    head = f"row.{attempt.row}.stage"
    data.number(f"{head}.first_step", totals[0], "seconds", "stage.first_step", *raw)
    measured = [each for each in times[1:] if each.total is not None]
    if not measured:
        return
    stages: dict[str, list[float]] = {}
    for each in measured:
        sums: dict[str, float] = {}
        for stage in each.stages:
            if stage.inside:
                sums[stage.stage] = sums.get(stage.stage, 0.0) + stage.seconds
        for name, seconds in sums.items():
            stages.setdefault(name, []).append(seconds)
    data.number(
        f"{head}.step_total",
        quantile([float(each.total or 0) for each in measured], 0.5),
        "seconds",
        "stage.median",
        *raw,
    )
    for name, found in sorted(stages.items()):
        data.number(f"{head}.{name}", quantile(found, 0.5), "seconds", "stage.median", *raw)
    rest = [each.remainder for each in measured if each.remainder is not None]
    data.number(f"{head}.remainder", quantile(rest, 0.5) if rest else None, "seconds", "stage.median", *raw)
    _add_stage_lines(data, attempt, times, sorted(stages), raw)


def _add_stage_lines(
    data: ReportData, attempt: Attempt, times: Sequence[StepTimes], stages: Sequence[str], raw: tuple[str, ...]
) -> None:
    for name in (*stages, "remainder"):
        points = [(each.step, _stage_seconds(each, name)) for each in times]
        data.line(f"row.{attempt.row}.time.{name}", points, ("steps", "seconds"), "stage.seconds", *raw)


def _add_steps(data: ReportData, attempt: Attempt, read: AttemptRecords, raw: tuple[str, ...]) -> None:
    """Total and remainder of each step, in seconds and as a share (12.4); the stages of a row with one step only."""
    accepted = [record for record in read.records if is_accepted(record, attempt.kind)]
    times = [each for each in (step_times(record, read.dialect) for record in accepted) if each.total]
    head = f"row.{attempt.row}"
    if not times:
        return
    if f"{head}.time.remainder" not in data.series:
        names = sorted({stage.stage for each in times for stage in each.stages if stage.inside})
        _add_stage_lines(data, attempt, times, names, raw)
    shares = [(each.step, each.remainder / each.total) for each in times if each.total and each.remainder is not None]
    data.line(f"{head}.remainder_share", shares, ("steps", "share"), "stage.remainder_share", *raw)
    known = dict(shares)
    for each in times[:STEPS_LISTED]:
        data.number(f"{head}.step.{each.step}.total", each.total, "seconds", "stage.total", *raw)
        data.number(f"{head}.step.{each.step}.remainder", each.remainder, "seconds", "stage.remainder", *raw)
        share = known.get(each.step)
        data.number(f"{head}.step.{each.step}.share", share, "share", "stage.remainder_share", *raw)


def _stage_seconds(times: StepTimes, name: str) -> float | None:
    if name == "remainder":
        return times.remainder
    return sum(stage.seconds for stage in times.stages if stage.inside and stage.stage == name)
