"""Runs of the stub trainer on this machine: the real task, ladder, runner and judge; only the trainer is another."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from made_cases import CREATED, matrix_facts, names, places, verl_case

from autoresearch.cases.attempt import Pace
from autoresearch.cases.classify import group_of
from autoresearch.cases.config import VerlCase
from autoresearch.cases.events import Event, Listener, RowJudged, RowSkipped, RunEnded, RunOpened
from autoresearch.cases.interrupts import Interrupts
from autoresearch.cases.judge import judge
from autoresearch.cases.overrides import Places
from autoresearch.cases.planned import DataFacts, PlannedRow
from autoresearch.cases.run import Run
from autoresearch.cases.specs import RowSettings
from autoresearch.cases.task_matrix import TaskMatrix
from autoresearch.cases.tasks import Geo3kTask
from autoresearch.cases.work import Ending, Work
from autoresearch.hosts.protocol import Host

RUN = os.environ.setdefault("STUB_RUN", f"run-{os.getpid()}")
"""One name for this process and its children: the scratch folder of a row is named after its run."""
STUB = Path(__file__).with_name("stub_rl.py")
LIMITS = {
    "term_seconds": 1.0,
    "ballast_bytes": 1 << 20,
    "disk_floor_bytes": 0,
    "free_wait_seconds": 1.0,
    "heartbeat_seconds": 0.2,
}
FAST = Pace(poll=0.1, report=0.3)


class StubTask(Geo3kTask):
    """The geometry3k task, started with the stub trainer."""

    def __init__(self, case: VerlCase, told: dict[str, Any], of_case: dict[str, dict[str, Any]] | None = None) -> None:
        super().__init__(case)
        self.told, self.of_case = told, of_case or {}

    def argv(self, row: PlannedRow, places: Places) -> list[str]:
        """The stub with what it is told, for this row in particular, and for this attempt of it."""
        own = self.of_case.get(row.case_id, {}) | self.of_case.get(f"{row.case_id}.a{places.attempt}", {})
        words = {"B": row.numbers.B, "steps": row.numbers.S, **self.told, **own}
        return [sys.executable, "-u", str(STUB), *(f"{key}={value}" for key, value in words.items())]

    def environment(self, row: PlannedRow, places: Places) -> dict[str, str]:
        """Where the records go."""
        return {"PYTHONUNBUFFERED": "1", "VERL_FILE_LOGGER_PATH": f"{places.row}/metrics.jsonl"}


def stub_work(
    folder: Path,
    archive: Path,
    told: dict[str, Any] | None = None,
    *,
    run: str = RUN,
    devices: int = 1,
    of_case: dict[str, dict[str, Any]] | None = None,
    keys: dict[str, Any] | None = None,
    **changes: Any,
) -> Work:
    """A run of the stub trainer that keeps its files below ``folder``."""
    case = verl_case(**{"row_timeout_seconds": 61, "ladder": {"batch_sizes": [1]}, **(keys or {})})
    facts = matrix_facts(case, accelerator="cpu", devices=devices, data=DataFacts(train_rows=500, val_rows=64))
    facts = replace(facts, run_id=run, names=names(case, "cpu"))
    matrix = TaskMatrix(StubTask(case, told or {}, of_case), facts, replace(places(), run_id=run))
    server: dict[str, str | None] = {"name": "local", "accelerator": "cpu", "container": "none", "image": None}
    created = CREATED.strftime("%Y-%m-%dT%H:%M:%SZ")
    settings = {"wandb_project": "verl"}
    opened = RunOpened(
        run, created, "verl-case", case.task, case.mode, server, "cpu", settings, resumed=changes.pop("resumed", False)
    )
    lock = {
        "schema_version": 1,
        "run_id": run,
        "created_at": created,
        "task": case.task,
        "mode": case.mode,
        "trainer_val_only": case.trainer_val_only,
        "server": server,
        "devices": [],
        "ladder": case.ladder.model_dump(mode="json"),
    }
    values: dict[str, Any] = {
        "opened": opened,
        "matrix": matrix,
        "rows": RowSettings(run, "local", case.task, "cpu", host_samples=False, limits=LIMITS),
        "folder": folder / f".{run}.work",
        "archive": archive,
        "lock": lock,
        "provenance": {"schema_version": 1, "run_id": run, "repositories": [], "environment": {}},
        "judge": judge,
        "group_of": group_of,
        "retry_on": frozenset(case.retry.on),
        "max_attempts": case.retry.max_attempts,
        "pace": FAST,
        **changes,
    }
    return Work(**values)


def run_cases(host: Host, work: Work, listener: Listener) -> Ending:
    """The whole run on an open host, as the command runs it: Ctrl-C ends the running row."""
    with Interrupts() as interrupts:
        run = Run(host, work, listener, interrupts)
        run.begin()
        return run.go()


class Recorder:
    """A listener that keeps the events, and calls ``then`` after each."""

    def __init__(self, then: Callable[[Event], None] = lambda event: None) -> None:
        self.events: list[Event] = []
        self.then = then

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        self.then(event)

    def kinds(self) -> list[str]:
        """Names of the events, in order."""
        return [type(event).__name__ for event in self.events]

    def judged(self) -> list[tuple[str, str, str | None]]:
        """(row, status, class) of each judged row, in order."""
        found = [event for event in self.events if isinstance(event, RowJudged)]
        return [(each.row, each.judged.status, each.judged.failure_class) for each in found]

    def skipped(self) -> list[tuple[str, str]]:
        """(case, reason) of each skipped one."""
        return [(event.case_id, event.reason) for event in self.events if isinstance(event, RowSkipped)]

    def ended(self) -> RunEnded:
        """The last event."""
        assert isinstance(self.events[-1], RunEnded)
        return self.events[-1]
