"""What ``train sft`` and ``train rl`` share: a plan written, a plan run, and how its end is told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError
from autoresearch.training.launch import run_plan
from autoresearch.training.outcome import RunResult
from autoresearch.training.plan import Plan, write_plan

Device = Literal["cpu", "cuda", "npu"]
Overrides = Annotated[tuple[str, ...], Parameter(name="--override", negative=())]
INTERRUPTED = 130


def planned(plan: Plan, run: Path, dry_run: bool) -> Outcome:
    """The plan is written; it is run unless ``dry_run`` asks for the plan alone."""
    digest = write_plan(plan, run)
    path = run / "plan.json"
    if not dry_run:
        return launched(path, resume=False)
    payload = {
        "plan": str(path),
        "sha256": digest,
        "steps": plan.steps,
        "purpose": plan.purpose,
        "argv": list(plan.argv),
        "environment": plan.environment,
        "checks": [item.model_dump() for item in plan.checks],
        "verdicts": [{"gate": item.gate, "path": item.path} for item in plan.verdicts],
    }
    return Outcome(payload)


def launched(path: Path, *, resume: bool) -> Outcome:
    """Run the plan file of a run folder. Exit code 0 only when the run is judged trained."""
    result: RunResult = run_plan(path, resume=resume)
    payload = {
        "run": str(path.parent),
        "result": result.status,
        "reason": result.reason,
        "steps": result.steps_completed,
        "steps_asked": result.steps_asked,
        "checkpoint": result.checkpoint,
        "seconds": result.seconds,
        "conditions": [item.model_dump() for item in result.conditions],
    }
    codes = {"trained": 0, "interrupted": INTERRUPTED}
    return Outcome(payload, codes.get(result.status, 1))


def required(value: Path | None, flag: str) -> Path:
    """A flag that a new plan needs. Raises ``InputError`` where it was not given."""
    if value is None:
        raise InputError(f"{flag} is needed (or --plan FILE, or --resume with --run)")
    return value
