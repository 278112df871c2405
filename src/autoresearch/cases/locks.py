"""The forms of the locks (formal-case.md 8): what was asked, what was used, which rows were added later.

``evidence/`` writes and reads the same forms; how a lock comes to lie on the disk is in ``lock_files``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from autoresearch.cases.config import VerlCase


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LockRow(_Form):
    """One planned case: its numbers (S = steps, B = batch, n = group size, …), command and environment."""

    case_id: str
    stage: Literal["single", "bisect", "node"]
    numbers: dict[str, int | float | None]
    argv: list[str]
    env: dict[str, str]
    plan: dict[str, str] | None = None
    """``{path, sha256}`` of the plan that was run."""
    inner_timeout: int | None = None
    outer_timeout: int | None = None


class ConfigLock(_Form):
    """``config.lock.json`` (8.2)."""

    schema_version: Literal[1] = 1
    run_id: str
    created_at: str | None
    task: str
    mode: Literal["training", "validation"]
    trainer_val_only: bool
    server: dict[str, str | None]
    devices: list[dict[str, Any]] = []
    device_source: Literal["configured", "detected"] = "detected"
    case: dict[str, Any] = {}
    assets: list[dict[str, Any]] = []
    prompt: dict[str, Any] = {}
    reward: dict[str, Any] = {}
    plan: dict[str, Any] | None = None
    seeds: dict[str, int | None] = {}
    rows: list[LockRow]
    ladder: dict[str, Any] | None = None
    name_clock: Literal["UTC"] = "UTC"
    autoresearch: dict[str, str | None] = {}


class SavedDiff(_Form):
    """The saved difference of a modified tree."""

    path: str
    sha256: str


class Repository(_Form):
    """One source of code: a git tree (commit and state) or an installed distribution (version and RECORD hash)."""

    name: str
    role: Literal["orchestrator", "mounted", "in_image", "recorded"]
    version: str | None = None
    record_sha256: str | None = None
    upstream_url: str | None = None
    fork_url: str | None = None
    branch: str | None = None
    detached: bool | None = None
    commit_sha: str | None = None
    describe: str | None = None
    dirty: bool | None = None
    dirty_files: list[str] = []
    untracked_files: list[dict[str, str]] = []
    diff: SavedDiff | None = None
    tree_sha256: str | None = None
    commit_url: str | None = None
    pushed: bool | None = None
    submodules: list[str] = []


class ProvenanceLock(_Form):
    """``provenance.lock.json`` (8.3)."""

    schema_version: Literal[1] = 1
    run_id: str
    created_at: str | None
    repositories: list[Repository]
    environment: dict[str, Any]


class ParentLock(_Form):
    """The lock that an addition follows."""

    path: str
    sha256: str


class LockAddition(_Form):
    """``config.lock.bisect-<k>.json`` and ``config.lock.promotion.json`` (8.2): rows that followed from others."""

    schema_version: Literal[1] = 1
    run_id: str
    parent: ParentLock
    reason: str
    derived_from: list[str]
    rows: list[LockRow]


def config_lock_head(
    case: VerlCase,
    *,
    run_id: str,
    created_at: str,
    server: Mapping[str, str | None],
    devices: Sequence[Mapping[str, Any]],
    device_source: Literal["configured", "detected"],
    assets: Sequence[Mapping[str, Any]],
    prompt: Mapping[str, Any],
    reward: Mapping[str, Any],
    plan: Mapping[str, Any] | None,
    seed: int,
    version: str | None,
    runner_sha256: str,
) -> dict[str, Any]:
    """Everything of ``config.lock.json`` but its rows, checked against the form (8.2).

    Only the ``verl_case`` part and the chosen server's public facts: name, accelerator, container, image. ``seed`` is
    the plan's for a field task. Raises ``pydantic.ValidationError`` for content that is no lock.
    """
    ladder = case.ladder
    lock = ConfigLock(
        run_id=run_id,
        created_at=created_at,
        task=case.task,
        mode=case.mode,
        trainer_val_only=case.trainer_val_only,
        server=dict(server),
        devices=[dict(device) for device in devices],
        device_source=device_source,
        case=case.model_dump(mode="json"),
        assets=[dict(asset) for asset in assets],
        prompt=dict(prompt),
        reward=dict(reward),
        plan=None if plan is None else dict(plan),
        seeds=dict.fromkeys(("data", "minibatch", "rollout", "engine"), seed),
        rows=[],
        ladder={
            "stop_after_memory_failures": ladder.stop_after_memory_failures,
            "bisect_limit": ladder.bisect_limit,
            "promote": ladder.promote,
            "skip_reason": ladder.skip_reason,
        },
        autoresearch={"version": version, "runner_sha256": runner_sha256},
    )
    return {key: value for key, value in lock.model_dump(mode="json").items() if key != "rows"}
