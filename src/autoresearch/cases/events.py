"""What a run of cases says while it goes on (formal-case.md 1, "Wiring between rooms").

The run loop knows nothing of bundles: it emits these events, in this order: ``RunOpened``, ``LockWritten`` (at least
twice), then for each attempt ``RowStarted`` and ``RowJudged`` or ``RowSkipped``, ``LockWritten`` again before rows that
were added, and ``RunEnded``. ``evidence/`` takes them and writes. An event that was given before is given again after
``--resume``; whoever takes it must find the same state after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from autoresearch.findings import Finding

Mode = Literal["training", "validation"]
Status = Literal["passed", "failed", "skipped"]


class RowFiles(NamedTuple):
    """Where the raw files of one attempt lie on this machine, whatever the folders are called around them."""

    folder: Path
    """``row.json, result.json, owner.json, heartbeat.json, events.jsonl, metrics.jsonl``, samples, ``validation/``,
    ``rollouts/``, ``transcripts/``, ``wandb/``."""
    logs: Path
    """``trainer.log, log-index.jsonl, launcher.log``; the same folder on the host, another one in a bundle."""


@dataclass(frozen=True)
class RunOpened:
    """The run exists: its id is taken from here on."""

    run_id: str
    created_at: str
    """UTC with ``Z``."""
    kind: Literal["verl-case", "smoke"]
    task: str
    mode: Mode
    server: Mapping[str, str | None]
    """Public facts: name, accelerator, container, image."""
    accelerator: Literal["ascend", "nvidia", "cpu"]
    settings: Mapping[str, Any]
    """What the page's head says: language, purpose, ``readiness_skipped``, ``container_reused``, ``wandb_project``."""
    readiness: Mapping[str, Any] = field(default_factory=dict)
    """The check result of formal-case.md 2.1 as it was."""
    resumed: bool = False


@dataclass(frozen=True)
class LockWritten:
    """A lock file lies at ``path``, read-only, with its sha256; the name is the one it has in a bundle."""

    name: Literal["config", "provenance", "bisect", "promotion"]
    path: Path
    sha256: str
    beside: tuple[Path, ...] = ()
    """Files that belong to it: saved differences, the plan and its verdicts, the package list."""


@dataclass(frozen=True)
class RowStarted:
    """An attempt runs on the host."""

    row: str
    """``<case_id>.a<N>``."""
    case_id: str
    attempt: int
    display_name: str
    wandb_id: str


@dataclass(frozen=True)
class Judged:
    """What the raw files of an attempt say (``cases.judge``): the same files give the same answer."""

    status: Status
    failure_class: str | None
    failure_evidence: Mapping[str, Any] | None
    """``{file, line, offset, text}``."""
    completed_steps: int | None
    target_steps: int
    no_learning_signal: bool | None
    validation: Mapping[str, Any] | None
    """Keys of formal-case.md 9.4."""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class RowJudged:
    """An attempt is over, its files are here, and this is what they say."""

    row: str
    case_id: str
    attempt: int
    files: RowFiles
    judged: Judged
    left: tuple[Mapping[str, Any], ...] = ()
    """Files that stayed on the host: ``{path, bytes, reason}``."""
    tunnel: Mapping[str, Any] = field(default_factory=dict)
    """Seconds each tunnel was up, ports, clock offset and its uncertainty."""


@dataclass(frozen=True)
class RowSkipped:
    """A planned case that was not started, and why."""

    case_id: str
    reason: str


@dataclass(frozen=True)
class RunEnded:
    """The loop is over. ``first_failure`` is the first cause, never a later symptom."""

    experiment: Mapping[str, Any]
    """``{ok, rows, passed, failed, skipped, first_failure}``."""
    state: Literal["finished", "interrupted", "unreachable"]
    finished_at: str
    observed: Mapping[str, Any] = field(default_factory=dict)
    """State of the trees after the run, versions that rows printed."""


Event = RunOpened | LockWritten | RowStarted | RowJudged | RowSkipped | RunEnded
Listener = Callable[[Event], None]
