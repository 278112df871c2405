"""The smoke run's matrix: one row that computes on every device for a while in place of a trainer (20.3).

It shows that readiness, sampler, push, bundle and report work there. It claims nothing about training.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from autoresearch.cases.matrix import Addition, Case, Command, Ended
from autoresearch.cases.names import UNITS, row_name, wandb_id
from autoresearch.hosts.row_spec import RowDevice
from autoresearch.hosts.stack_checks import TORCH_NAMES, visibility

TASK = "smoke"
INNER_SECONDS, MARGIN_SECONDS = 600, 300
"""Beyond the seconds of computing: loading torch and compiling."""


class SmokeMatrix:
    """A ``Matrix`` of one row. ``python`` and ``runner`` are paths on the host, inside the container where there is
    one; ``seconds``: how long it computes."""

    def __init__(
        self,
        run_id: str,
        accelerator: Literal["ascend", "nvidia", "cpu"],
        devices: tuple[RowDevice, ...],
        python: str,
        runner: str,
        seconds: int,
        env: Mapping[str, str],
    ) -> None:
        self.run_id, self.accelerator, self.devices = run_id, accelerator, devices
        self.python, self.runner, self.seconds, self.env = python, runner, seconds, env

    def first(self) -> list[Case]:
        """The row."""
        inner = self.seconds + INNER_SECONDS
        return [
            Case(
                case_id=f"smoke-{len(self.devices)}{UNITS[self.accelerator]}",
                stage="single",
                kind="none",
                devices=self.devices,
                inner_timeout=inner,
                outer_timeout=inner + MARGIN_SECONDS,
                numbers={"D": len(self.devices), "S": 0},
            )
        ]

    def command(self, case: Case, attempt: int, folder: str) -> Command:
        """The runner's device operation in the row's environment."""
        seconds = str(self.seconds)
        argv = (self.python, self.runner, "device-op", TORCH_NAMES[self.accelerator], "--seconds", seconds)
        visible = visibility(self.accelerator, case.devices)
        env = {**self.env, "PYTHONUNBUFFERED": "1", **visible}
        return Command(argv, env, self.run_id, wandb_id(self.run_id, row_name(case.case_id, attempt)))

    def plan_of(self, case: Case) -> None:
        """There is none."""

    def stopped(self, planned: Sequence[Case], ended: Mapping[str, Ended]) -> list[str]:
        """Nothing is stopped early."""
        return []

    def more(self, ended: Mapping[str, Ended]) -> Addition | None:
        """Nothing follows."""
        return None

    def ok(self, planned: Sequence[Case], passed: Sequence[str]) -> bool:
        """Every case passed."""
        return {case.case_id for case in planned} == set(passed)
