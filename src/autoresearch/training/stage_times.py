"""Stage times and throughput from verl's records (formal-case.md 12.4). Standard library only, Python 3.8 grammar.

Only ``timing_s/*`` (``timing/*`` in the oldest dialect) are times. A stage outside the step (validation in dialect 3)
is never part of the remainder; keys of no known stage are kept by name and summed apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from autoresearch.training.steps import Notice, is_accepted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autoresearch.training.steps import Record

STAGES = {
    "gen": "rollout",
    "reward": "reward",
    "old_log_prob": "logp",
    "ref": "ref_logp",
    "values": "values",
    "adv": "advantage",
    "update_critic": "critic_update",
    "update_actor": "update",
    "update_weights": "weight_sync",
    "param_sync": "weight_sync",
    "save_checkpoint": "checkpointing",
    "start_profile": "profile",
    "stop_profile": "profile",
    "dump_rollout_generations": "dump",
    "testing": "validation",
}
DETAILS = ("agent_loop/", "generate_sequences", "reshard", "tool_calls", "compute_score")
"""Parts of a rollout that ``gen`` holds already. ``reshard`` is dialect 2's."""


class StageTime(NamedTuple):
    """Seconds of one key in one step. ``inside``: part of ``step``; ``detail``: never summed."""

    stage: str
    key: str
    seconds: float
    inside: bool
    detail: bool = False


class StepTimes(NamedTuple):
    """Times of one step: the total as logged, its stages, and what no stage explains."""

    step: int
    total: float | None
    stages: tuple[StageTime, ...]
    remainder: float | None
    notices: tuple[Notice, ...] = ()


class Throughput(NamedTuple):
    """Tokens and seconds of the measured steps (2…S), and what verl logged itself."""

    steps: int
    tokens: float
    seconds: float
    per_device: float | None
    logged_per_device: float | None
    notices: tuple[Notice, ...] = ()


def step_times(record: Record, dialect: int | None) -> StepTimes:
    """Stage times of one record. ``V520`` when the stages exceed the step by more than one percent."""
    prefix = "timing/" if dialect == 1 else "timing_s/"
    total = record.data.get(prefix + "step")
    stages = []
    for key, seconds in record.data.items():
        name = key[len(prefix) :]
        if not key.startswith(prefix) or name == "step" or seconds is None:
            continue
        if name.startswith(DETAILS):
            stages.append(StageTime("rollout", name, seconds, inside=False, detail=True))
        else:
            inside = not (name == "testing" and dialect in (3, None))
            stages.append(StageTime(STAGES.get(name, "unmapped"), name, seconds, inside))
    remainder = None if total is None else total - sum(stage.seconds for stage in stages if stage.inside)
    notices = []
    if total and remainder is not None and remainder < -0.01 * total:
        notices.append(Notice("V520", f"step {record.step}", f"{remainder:.3f} s of {total:.3f} s"))
    return StepTimes(record.step, total, tuple(stages), remainder, tuple(notices))


def rl_throughput(records: Iterable[Record], devices: int) -> Throughput:
    """Tokens per second and device over the measured steps: the first accepted step is left out. ``V521``, ``V530``."""
    accepted = sorted((record for record in records if is_accepted(record, "rl")), key=lambda record: record.step)
    measured = [
        record
        for record in accepted[1:]
        if record.data.get("perf/total_num_tokens") is not None and record.data.get("perf/time_per_step")
    ]
    tokens = sum(float(record.data["perf/total_num_tokens"] or 0) for record in measured)
    seconds = sum(float(record.data["perf/time_per_step"] or 0) for record in measured)
    rate = tokens / seconds / devices if seconds > 0 else None
    logged = [
        (float(record.data["perf/throughput"] or 0), float(record.data["perf/time_per_step"] or 0))
        for record in measured
        if record.data.get("perf/throughput") is not None
    ]
    mean = sum(value * weight for value, weight in logged) / sum(weight for _, weight in logged) if logged else None
    notices = []
    if len(measured) < 2:
        notices.append(Notice("V530", "throughput", f"{len(measured)} measured steps"))
    if rate and mean is not None and abs(mean - rate) > 0.01 * rate:
        notices.append(Notice("V521", "throughput", f"{rate:.2f} and {mean:.2f} tokens/s/device"))
    return Throughput(len(measured), tokens, seconds, rate, mean, tuple(notices))
