"""What the run loop knows of a matrix: cases, their commands, how they ended, and which rows come next.

The loop knows no task and no ladder; whoever derives rows stands behind ``Matrix``. Frozen data, no files, no hosts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from autoresearch.hosts.row_spec import RowDevice

Stage = Literal["single", "bisect", "node"]


@dataclass(frozen=True)
class Case:
    """One planned point of the matrix, as the loop needs it. Seconds."""

    case_id: str
    stage: Stage
    kind: Literal["rl", "sft", "none"]
    """Which records count as a step; ``none``: the row trains nothing."""
    devices: tuple[RowDevice, ...]
    inner_timeout: int
    outer_timeout: int
    numbers: Mapping[str, int]
    """The symbols of section 5."""
    target_steps: int = 0
    scratch: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the bundle's ``row.json`` keeps besides: lengths, modes."""


@dataclass(frozen=True)
class Command:
    """How one attempt of a case is started, and the names it goes by."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    display_name: str
    wandb_id: str
    files: Mapping[str, str] = field(default_factory=dict)
    """Name -> text of small files that lie in the attempt's folder before it starts."""


@dataclass(frozen=True)
class Ended:
    """How the last attempt of a case ended."""

    case_id: str
    attempt: int
    cause: str
    """``first``, ``retry:<class>`` or ``manual``."""
    status: Literal["passed", "failed", "skipped"]
    failure_class: str | None = None
    group: str | None = None
    """Group of the failure class (13.1)."""
    tokens_per_second_per_device: float | None = None
    measured_steps: int = 0


@dataclass(frozen=True)
class Addition:
    """Rows that follow from how others ended; locked before they start (8.2)."""

    name: Literal["bisect", "promotion"]
    reason: str
    derived_from: tuple[str, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class LockedRow:
    """One entry of ``rows`` in a lock: what a case's first attempt is started with."""

    case_id: str
    stage: Stage
    numbers: Mapping[str, int]
    argv: Sequence[str]
    env: Mapping[str, str]
    inner_timeout: int
    outer_timeout: int
    plan: Mapping[str, str] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form of 8.2."""
        content: dict[str, Any] = {
            "case_id": self.case_id,
            "stage": self.stage,
            "numbers": dict(self.numbers),
            "argv": list(self.argv),
            "env": dict(self.env),
            "inner_timeout": self.inner_timeout,
            "outer_timeout": self.outer_timeout,
        }
        return content if self.plan is None else {**content, "plan": dict(self.plan)}


class Matrix(Protocol):
    """Which cases a run has, and which follow from the others: the same answers for the same outcomes."""

    def first(self) -> Sequence[Case]:
        """The cases of the config lock, in order. Raises ``RefusedError`` when one is not legal (5.1)."""
        ...

    def command(self, case: Case, attempt: int, folder: str) -> Command:
        """Command of one attempt whose folder on the host is ``folder``."""
        ...

    def plan_of(self, case: Case) -> Mapping[str, str] | None:
        """``{path, sha256}`` of the plan that a case runs; None where there is none."""
        ...

    def stopped(self, planned: Sequence[Case], ended: Mapping[str, Ended]) -> Sequence[str]:
        """Case ids that are not started any more (5.2)."""
        ...

    def more(self, ended: Mapping[str, Ended]) -> Addition | None:
        """The next rows that follow from what ended (5.3, 5.4); None when there are none."""
        ...

    def ok(self, planned: Sequence[Case], passed: Sequence[str]) -> bool:
        """The rule of 2.2 over the case ids whose last attempt passed."""
        ...
