"""Was it trained? (training.md 5.6, 7.6)

``trained`` only if the process returned 0, every asked step was counted with finite numbers, the gradient was not zero,
the last checkpoint is complete and the weights differ from those at the start. Each with its number in ``result.json``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from autoresearch.files import read_json, write_json
from autoresearch.training.checkpoints import (
    Checkpoint,
    base_tensors,
    checkpoint_steps,
    read_checkpoint,
    tensor_digest,
    whole_tensors,
)
from autoresearch.training.model_folder import shard_names
from autoresearch.training.plan import Frozen, Plan
from autoresearch.training.steps import Record, StepCount, count_steps, is_training_record, merge_steps, read_attempt

GRADIENT_SHARE = (9, 10)
Status = Literal["trained", "not_trained", "ran_without_signal", "interrupted"]


class Condition(Frozen):
    """One condition of ``trained`` with its number."""

    id: str
    passed: bool
    value: str
    rule: str


class WeightChange(NamedTuple):
    """Difference of the last checkpoint to the start model, over the tensors that both hold."""

    tensors: int
    changed: int
    largest: float
    sha256_before: str
    sha256_after: str


class RunResult(Frozen):
    """``result.json`` of a run."""

    format: Literal["autoresearch-run-result-v1"] = "autoresearch-run-result-v1"
    status: Status
    reason: str
    kind: str
    algorithm: str
    purpose: str
    plan_sha256: str
    steps_asked: int
    steps_completed: int
    zero_gradient_steps: int
    optimizer_updates: int
    steps_with_signal: int | None
    exit_code: int | None
    trouble: dict[str, str] | None
    conditions: tuple[Condition, ...]
    checkpoint: str | None
    """Relative path of the last checkpoint."""
    weights: dict[str, Any] | None
    first_loss: float | None
    last_loss: float | None
    attempts: int
    joined: tuple[dict[str, int], ...]
    """Which steps were taken from which attempt."""
    seconds: float
    notices: tuple[dict[str, str], ...]
    versions: dict[str, str]


def attempt_folders(run: Path) -> list[Path]:
    """Attempt folders, ascending."""
    folder = run / "attempts"
    return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def joined_records(run: Path, kind: str) -> tuple[list[Record], list[dict[str, int]], list[dict[str, str]]]:
    """Records of all attempts joined by step, the later wins; with the join and the notices (training.md 5.7)."""
    taken: list[Record] = []
    joins: list[dict[str, int]] = []
    notices: list[dict[str, str]] = []
    for number, folder in enumerate(attempt_folders(run), start=1):
        read = read_attempt(folder, kind)
        notices += [
            {"code": item.code, "place": f"attempt {number}, {item.place}", "value": item.value}
            for item in read.notices
        ]
        steps = [record.step for record in read.records if is_training_record(record, kind)]
        if not steps:
            continue
        # A resumed RL run validates once more at the step it goes on from; that step was trained by the one before.
        taken = [record for record in taken if record.step < min(steps)] + list(read.records)
        joins.append({"attempt": number, "from": min(steps), "to": max(steps)})
    return taken, joins, notices


def weight_change(model: Path, checkpoint: Checkpoint) -> WeightChange:
    """Compare the last checkpoint with the start model. Adapters count by themselves: their start is zero."""
    import hashlib

    import torch

    after = dict(whole_tensors(checkpoint))
    digests_before, digests_after = hashlib.sha256(), hashlib.sha256()
    tensors = changed = 0
    largest = 0.0
    adapters = {name: tensor for name, tensor in after.items() if "lora_B" in name}
    for name, tensor in sorted(adapters.items()):
        tensors += 1
        size = float(tensor.abs().max()) if tensor.numel() else 0.0
        changed += size > 0
        largest = max(largest, size)
        digests_before.update(f"{name} zero\n".encode())
        digests_after.update(f"{name} {tensor_digest(tensor) if size > 0 else 'zero'}\n".encode())
    if not adapters:
        for name, before in sorted(base_tensors(model, shard_names(model))):
            if name not in after:
                continue
            tensors += 1
            difference = float((after[name].float() - before.float()).abs().max()) if before.numel() else 0.0
            changed += not torch.equal(after[name].float(), before.float())
            largest = max(largest, difference)
            digests_before.update(f"{name} {tensor_digest(before)}\n".encode())
            digests_after.update(f"{name} {tensor_digest(after[name])}\n".encode())
    return WeightChange(tensors, changed, largest, digests_before.hexdigest(), digests_after.hexdigest())


def conditions_of(
    plan: Plan,
    count: StepCount,
    exit_code: int | None,
    checkpoint: Checkpoint | None,
    change: WeightChange | None,
) -> list[Condition]:
    """The conditions of 5.6 from facts: pure."""
    steps = plan.steps
    accepted = len(count.accepted)
    moving = accepted - count.zero_gradient
    whole = count.completed == steps and accepted == steps and not count.repeated
    complete = checkpoint is not None and checkpoint.complete and checkpoint.step == steps
    differs = change is not None and change.largest > 0 and change.sha256_before != change.sha256_after
    return [
        Condition(id="exit_code", passed=exit_code == 0, value=str(exit_code), rule="the process returned 0"),
        Condition(
            id="steps",
            passed=whole,
            value=f"{count.completed} of {steps}, {accepted} counted, {len(count.repeated)} repeated",
            rule="counted finite steps = asked steps (formal-case 12.3)",
        ),
        Condition(
            id="gradient",
            passed=accepted > 0 and moving * GRADIENT_SHARE[1] >= accepted * GRADIENT_SHARE[0],
            value=f"{moving} of {accepted}",
            rule="gradient norm > 0 in at least 90 % of the steps",
        ),
        Condition(
            id="checkpoint",
            passed=complete,
            value="none"
            if checkpoint is None
            else f"step {checkpoint.step}: {', '.join(checkpoint.missing) or 'complete'}",
            rule="the checkpoint of the last step is complete for its ranks",
        ),
        Condition(
            id="weights_changed",
            passed=differs,
            value="not compared"
            if change is None
            else f"{change.changed} of {change.tensors} tensors, largest {change.largest:.3e}",
            rule="largest absolute difference to the start model > 0, and the weights' sha256 differ",
        ),
    ]


def status_of(conditions: Sequence[Condition], steps_with_signal: int | None, interrupted: bool) -> tuple[Status, str]:
    """The status and its reason: pure. A run without one mixed group is ``ran_without_signal`` (training.md 7.6)."""
    if interrupted:
        return "interrupted", "stopped by the user; what was finished is kept"
    failed = [f"{item.id}: {item.value} ({item.rule})" for item in conditions if not item.passed]
    caused = ("gradient", "weights_changed", "signal")
    others = [item for item in conditions if not item.passed and item.id not in caused]
    if steps_with_signal == 0 and not others:
        return "ran_without_signal", "no step had a group with different rewards: there was nothing to learn from"
    if failed:
        return "not_trained", "; ".join(failed)
    return "trained", "every condition holds"


def decide(run: Path, plan: Plan, digest: str) -> RunResult:
    """Judge a run by its folder and write ``result.json``. Imports torch for the weights."""
    records, joins, notices = joined_records(run, plan.kind)
    count = count_steps(records, plan.kind)
    attempts = attempt_folders(run)
    states = [read_json(folder / "state.json") for folder in attempts if (folder / "state.json").is_file()]
    last = states[-1] if states else {}
    steps = checkpoint_steps(run)
    checkpoint = read_checkpoint(run, steps[-1], plan.kind) if steps else None
    change = None
    if checkpoint is not None and checkpoint.complete and last.get("exit_code") == 0:
        change = weight_change(Path(plan.paths["model"]), checkpoint)
    conditions = conditions_of(plan, count, last.get("exit_code"), checkpoint, change)
    signal = None
    if plan.kind == "rl":
        signal, known = signal_steps(run, records, count)
        conditions += signal_conditions(signal, known, len(count.accepted))
    status, reason = status_of(conditions, signal, last.get("state") == "interrupted")
    if last.get("trouble") and status == "not_trained":
        reason = f"{last['trouble']['kind']}: {last['trouble']['text']}; {reason}"
    losses = [
        record.data["train/loss" if plan.kind == "sft" else "actor/pg_loss"]
        for record in records
        if ("train/loss" if plan.kind == "sft" else "actor/pg_loss") in record.data
    ]
    mini = plan.settings.get("mini")
    updates_a_step = plan.settings["prompts"] // mini if plan.kind == "rl" and mini else 1
    result = RunResult(
        status=status,
        reason=reason,
        kind=plan.kind,
        algorithm=plan.algorithm,
        purpose=plan.purpose,
        plan_sha256=digest,
        steps_asked=plan.steps,
        steps_completed=count.completed,
        zero_gradient_steps=count.zero_gradient,
        optimizer_updates=len(count.accepted) * updates_a_step,
        steps_with_signal=signal,
        exit_code=last.get("exit_code"),
        trouble=last.get("trouble"),
        conditions=tuple(conditions),
        checkpoint=None if checkpoint is None else checkpoint.folder.relative_to(run).as_posix(),
        weights=None if change is None else change._asdict(),
        first_loss=losses[0] if losses else None,
        last_loss=losses[-1] if losses else None,
        attempts=len(attempts),
        joined=tuple(joins),
        seconds=round(sum(float(state.get("seconds", 0)) for state in states), 3),
        notices=tuple(notices),
        versions=plan.versions,
    )
    write_json(run / "result.json", result.model_dump(mode="json"))
    return result


def signal_conditions(signal: int, known: int, accepted: int) -> list[Condition]:
    """What RL asks for beyond SFT: the groups of every step are recorded, and one of them had different rewards."""
    return [
        Condition(
            id="groups_recorded",
            passed=known == accepted,
            value=f"{known} of {accepted}",
            rule="transcripts and rollout dumps cover every counted step",
        ),
        Condition(
            id="signal",
            passed=signal > 0,
            value=f"{signal} of {known}",
            rule="at least one step had a group with different rewards",
        ),
    ]


def signal_steps(run: Path, records: Sequence[Record], count: StepCount) -> tuple[int, int]:
    """Counted steps with a group of different rewards, and counted steps whose groups are known.

    Writes ``signal.jsonl`` anew (training.md 7.4).
    """
    from autoresearch.training.signal import steps_with_signal, write_signal

    lines = write_signal(run, merge_steps(records))
    counted = [line for line in lines if line["step"] in count.accepted]
    return steps_with_signal(counted), len(counted)


def read_result(run: Path) -> RunResult | None:
    """The result of a run, or None before it ended."""
    path = run / "result.json"
    return RunResult.model_validate(read_json(path)) if path.is_file() else None
