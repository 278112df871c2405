"""From a case and its command to ``row.json`` (formal-case.md 6.2, 6.4): limits, devices, container, telemetry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from autoresearch.cases.matrix import Case, Command
from autoresearch.cases.names import row_name
from autoresearch.hosts.containers import ContainerPlan, reused_container, row_container
from autoresearch.hosts.row_spec import RowContainer, RowLimits, RowSpec, RowTelemetry


@dataclass(frozen=True)
class RowSettings:
    """What all rows of a run share."""

    run_id: str
    server: str
    task: str
    accelerator: Literal["ascend", "nvidia", "cpu"]
    wandb_project: str = "verl"
    image: str | None = None
    """By digest; None: no container."""
    reuse: str | None = None
    """Container that the user named."""
    read_only: tuple[str, ...] = ()
    """Paths of the host that a container sees: model, data, sources."""
    present: frozenset[str] = frozenset()
    """Which of the driver's paths the host has."""
    interval_seconds: float = 0.5
    host_samples: bool = True
    push_url: str | None = None
    """Pushgateway as the host sees it."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """Other limits than the default ones, for a host that is small."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Kept by the bundle's ``row.json``: mode, purpose, plan."""


def row_spec(
    settings: RowSettings, case: Case, command: Command, attempt: int, cause: str, folder: str, lock_sha256: str
) -> RowSpec:
    """``row.json`` of one attempt. ``lock_sha256``: of the config lock, which lies on the host beside the rows."""
    row = row_name(case.case_id, attempt)
    return RowSpec(
        run_id=settings.run_id,
        row=row,
        case_id=case.case_id,
        attempt=attempt,
        attempt_of=row_name(case.case_id, 1) if attempt > 1 else None,
        cause=cause,
        stage=case.stage,
        task=settings.task,
        kind=case.kind,
        server=settings.server,
        argv=list(command.argv),
        env=dict(command.env),
        limits=RowLimits(inner_timeout=case.inner_timeout, outer_timeout=case.outer_timeout, **settings.limits),
        accelerator=settings.accelerator,
        devices=list(case.devices),
        container=_container(settings, case, command, row, folder),
        telemetry=RowTelemetry(
            interval_seconds=settings.interval_seconds,
            host=settings.host_samples,
            push_url=settings.push_url,
            wandb_project=settings.wandb_project,
            wandb_run_name=command.display_name,
        ),
        scratch=list(case.scratch),
        lock_sha256=lock_sha256,
        target_training_steps=case.target_steps,
        extra={**settings.facts, **case.facts, "numbers": dict(case.numbers)},
    )


def _container(settings: RowSettings, case: Case, command: Command, row: str, folder: str) -> RowContainer | None:
    if settings.image is None:
        return None
    plan = ContainerPlan(
        run_id=settings.run_id,
        row=row,
        folder=folder,
        image=settings.image,
        accelerator=settings.accelerator,
        devices=case.devices,
        argv=command.argv,
        env=command.env,
        read_only=settings.read_only,
        scratch=case.scratch,
        present=settings.present,
    )
    return row_container(plan) if settings.reuse is None else reused_container(plan, settings.reuse)
