"""One run as its caller prepared it, and how it ended: what goes into the loop and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from autoresearch.cases.attempt import Over, Pace
from autoresearch.cases.events import Judged, RowFiles, RunOpened
from autoresearch.cases.matrix import LockedRow, Matrix
from autoresearch.cases.specs import RowSettings
from autoresearch.findings import Finding

State = Literal["finished", "interrupted", "unreachable"]


@dataclass(frozen=True)
class Work:
    """One run as its caller prepared it: nothing in it is looked for any more."""

    opened: RunOpened
    matrix: Matrix
    rows: RowSettings
    folder: Path
    """Here: ``locks/`` and ``rows/<row>/``, until somebody takes the files."""
    archive: Path
    """The runner."""
    lock: Mapping[str, Any]
    """Content of the config lock but for its rows."""
    provenance: Mapping[str, Any]
    judge: Callable[[RowFiles, LockedRow], Judged]
    group_of: Callable[[str], str | None]
    """Group of a failure class."""
    beside: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    """Lock (``config``, ``provenance``) -> files that belong to it."""
    retry_on: frozenset[str] = frozenset()
    max_attempts: int = 1
    need_bytes: int = 0
    """Free space on the host below which no row is started."""
    held: Callable[[str], Over | None] = lambda row: None
    """A row whose files are here already, whole; None when they are to be brought."""
    observe: Callable[[], Mapping[str, Any]] = dict
    """State of the trees after the run."""
    pace: Pace = field(default_factory=Pace)
    rerun: str | None = None
    """Case of ``--rerun``: one more attempt."""
    collect_only: bool = False
    """Nothing is started and nothing waited for: what is over is brought home and judged."""


@dataclass(frozen=True)
class Ending:
    """How a run ended."""

    state: State
    experiment: Mapping[str, Any]
    message: str | None = None
    """Why it is not finished."""
    findings: tuple[Finding, ...] = ()


class Stopped(Exception):
    """The loop goes no further; the bundle stays open."""

    def __init__(self, state: State, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.state, self.message, self.findings = state, message, tuple(findings)
