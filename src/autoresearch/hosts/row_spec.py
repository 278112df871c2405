"""``row.json``: what the orchestrator hands to the runner, once (formal-case.md 6.2). Made by ``cases/``.

The runner reads the same keys again with the standard library (``runner.row_file``); a test holds the two against each
other.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

GIB = 1 << 30
MIB = 1 << 20


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RowLimits(_Form):
    """Limits of one attempt. Seconds and bytes."""

    inner_timeout: Annotated[float, Field(gt=0)]
    """Kept by the runner on the host."""
    outer_timeout: Annotated[float, Field(gt=0)]
    """Kept by the orchestrator; inner plus a margin of at least 120 s."""
    term_seconds: float = 20.0
    """Between TERM and KILL of the trainer's group."""
    log_bytes: int = 8 * GIB
    log_tail_bytes: int = GIB
    """Of ``log_bytes``, how much is kept from the end where the middle is left out."""
    ballast_bytes: int = 64 * MIB
    disk_floor_bytes: int = 16 * MIB
    """Free space below which the row is ended."""
    free_wait_seconds: float = 60.0
    """How long the wanted devices may be busy before the start, and held by us after the end."""
    heartbeat_seconds: float = 5.0
    index_seconds: float = 0.5


class RowContainer(_Form):
    """How the row's container is started, stopped, killed, asked and removed; made by ``hosts.containers``."""

    name: str
    run: list[str]
    stop: list[str]
    kill: list[str]
    inspect: list[str]
    remove: list[str]
    wait: list[str]
    """Prints the container's exit code once it has ended; empty for a reused one."""
    logs: list[str]
    """Follows its output; the instant from which on is appended (epoch seconds)."""
    reused: bool = False
    """Named by the user: entered and left as it is."""


class RowTelemetry(_Form):
    """What is sampled and where the newest round is pushed."""

    interval_seconds: Annotated[float, Field(ge=0.1, le=60)] = 0.5
    host: bool = True
    push_url: str | None = None
    """Pushgateway as seen from the host; null: nothing is pushed."""
    wandb_project: str = ""
    wandb_run_name: str = ""


class RowDevice(_Form):
    """One wanted device: (id, chip) on Ascend, UUID on NVIDIA."""

    id: int
    chip: int = 0
    uuid: str | None = None


class RowSpec(_Form):
    """One attempt as the runner gets it."""

    schema_version: Literal[1] = 1
    run_id: str
    row: str
    """``<case_id>.a<N>``, the name of the folder."""
    case_id: str
    attempt: Annotated[int, Field(ge=1)]
    attempt_of: str | None = None
    cause: str = "first"
    """``first``, ``retry:<class>`` or ``manual``."""
    stage: Literal["single", "bisect", "node"] = "single"
    task: str = ""
    kind: Literal["rl", "sft", "none"] = "rl"
    """Which records count as a step in the heartbeat."""
    server: str
    argv: Annotated[list[str], Field(min_length=1)]
    """The trainer's own command, inside the container where there is one."""
    env: dict[str, str] = {}
    limits: RowLimits
    accelerator: Literal["ascend", "nvidia", "cpu"]
    devices: list[RowDevice] = []
    container: RowContainer | None = None
    telemetry: RowTelemetry = RowTelemetry()
    scratch: list[str] = []
    """Folders ``/tmp/ar-<hash10>`` that the runner makes and removes."""
    lock_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    lock_path: str = "../../config.lock.json"
    """Of the lock on the host, absolute or from the row's folder."""
    target_training_steps: int | None = None
    extra: dict[str, Any] = {}
    """Facts that the bundle's ``row.json`` keeps (numbers, mode, plan); the runner does not read them."""

    @model_validator(mode="after")
    def _named(self) -> Self:
        if self.accelerator == "nvidia" and any(device.uuid is None for device in self.devices):
            raise ValueError("a device of a row on NVIDIA is named by its UUID: indices change with the environment")
        return self
