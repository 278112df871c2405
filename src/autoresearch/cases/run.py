"""The loop of a run (formal-case.md 1): locks, rows one after another, judging, what follows from them, the end.

In come an open host, a ``Matrix`` and the content of the locks; out go the events of ``cases.events``. Files of rows
come home to a folder here and are judged there; nothing is decided from an exit code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

from autoresearch import progress
from autoresearch.cases.attempt import Attempts, Over
from autoresearch.cases.events import (
    Listener,
    LockWritten,
    RowFiles,
    RowJudged,
    RowSkipped,
    RowStarted,
    RunEnded,
)
from autoresearch.cases.interrupts import Interrupts
from autoresearch.cases.lock_files import CONFIG, PROVENANCE, Lock, addition_content, addition_name, write_lock
from autoresearch.cases.matrix import Addition, Case, Ended, LockedRow
from autoresearch.cases.measured import measure
from autoresearch.cases.names import row_name
from autoresearch.cases.specs import row_spec
from autoresearch.cases.work import Ending, State, Stopped, Work
from autoresearch.errors import InfrastructureError, RefusedError
from autoresearch.files import read_json
from autoresearch.findings import Finding
from autoresearch.hosts import rows
from autoresearch.hosts.protocol import Host, HostUnreachable

INTERRUPTED = "interrupted"
STOP_GROUP = "stop"


def now_text() -> str:
    """UTC with ``Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Run:
    """One run on one open host. ``begin`` writes the locks, ``go`` runs the rows and ends the run."""

    def __init__(self, host: Host, work: Work, listener: Listener, interrupts: Interrupts) -> None:
        self.host, self.work, self.emit, self.interrupts = host, work, listener, interrupts
        self.run_id = work.opened.run_id
        self.attempts = Attempts(host, self.run_id, work.archive, work.folder / "rows", work.pace, interrupts)
        self.planned: list[Case] = []
        self.locked: dict[str, LockedRow] = {}
        self.lock_of: dict[str, Lock] = {}
        self.ended: dict[str, Ended] = {}
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        self.first_failure: str | None = None
        self.stop_reason: str | None = None
        self.open: list[str] = []
        """Cases that a collection found not over."""
        self._last_lock: Lock | None = None

    def begin(self) -> None:
        """Open the run, write both locks and put the config lock on the host.

        Raises ``RefusedError``: the id is taken, a row is not legal, or a lock differs from the one there (V602).
        """
        first, entries = self.derive()
        self.emit(self.work.opened)
        locks = self.work.folder / "locks"
        provenance = write_lock(locks / PROVENANCE, self.work.provenance)
        self.emit(self._written("provenance", provenance))
        config = write_lock(locks / CONFIG, {**self.work.lock, "rows": [entry.as_dict() for entry in entries]})
        rows.send_lock(self.host, self.run_id, config.path)
        self.emit(self._written("config", config))
        self._plan(first, entries, config)

    def derive(self) -> tuple[list[Case], list[LockedRow]]:
        """The first cases and their entries in the lock; nothing is written. Raises ``RefusedError`` (5.1)."""
        first = list(self.work.matrix.first())
        return first, [self._locked(case) for case in first]

    def _written(self, name: Literal["config", "provenance", "bisect", "promotion"], lock: Lock) -> LockWritten:
        return LockWritten(name, lock.path, lock.sha256, tuple(self.work.beside.get(name, ())))

    def _locked(self, case: Case) -> LockedRow:
        folder = self.attempts.folder(row_name(case.case_id, 1))
        command = self.work.matrix.command(case, 1, folder)
        return LockedRow(
            case.case_id,
            case.stage,
            case.numbers,
            command.argv,
            command.env,
            case.inner_timeout,
            case.outer_timeout,
            self.work.matrix.plan_of(case),
        )

    def _plan(self, cases: Sequence[Case], entries: Sequence[LockedRow], lock: Lock) -> None:
        self.planned.extend(cases)
        self.locked.update({entry.case_id: entry for entry in entries})
        self.lock_of.update({case.case_id: lock for case in cases})
        self._last_lock = lock

    def go(self) -> Ending:
        """Run every row that is to be run, then end the run; never raises for what a row or its host does."""
        state: State = "finished"
        message: str | None = None
        findings: tuple[Finding, ...] = ()
        try:
            self._rows(list(self.planned))
            while self.stop_reason is None and (addition := self.work.matrix.more(self.ended)) is not None:
                if self.work.collect_only and not self._addition_path(addition).is_file():
                    break
                self._rows(self._add(addition))
        except Stopped as stop:
            state, message, findings = stop.state, stop.message, stop.findings
        except InfrastructureError as error:  # rows on the host go on
            again = f"{error.message}; --resume --run-id {self.run_id}"
            state, message, findings = "unreachable", again, error.findings
        if self.open and state == "finished":
            state, message = "interrupted", f"not over: {', '.join(self.open)}"
        experiment = self.experiment()
        self.emit(RunEnded(experiment, state, now_text(), self.work.observe()))
        return Ending(state, experiment, message, findings)

    def experiment(self) -> dict[str, Any]:
        """``{ok, rows, passed, failed, skipped, first_failure}``: rows are attempts and skipped cases."""
        passed = [case_id for case_id, ended in self.ended.items() if ended.status == "passed"]
        return {
            "ok": self.work.matrix.ok(self.planned, passed),
            "rows": sum(self.counts.values()),
            **self.counts,
            "first_failure": self.first_failure,
        }

    def _add(self, addition: Addition) -> list[Case]:
        assert self._last_lock is not None
        entries = [self._locked(case) for case in addition.cases]
        path = self._addition_path(addition)
        content = addition_content(self.run_id, addition, entries, self._last_lock.path, self._last_lock.sha256)
        lock = write_lock(path, content)
        self._reach(lambda: rows.send_lock(self.host, self.run_id, lock.path))
        self.emit(self._written(addition.name, lock))
        self._plan(addition.cases, entries, lock)
        return list(addition.cases)

    def _addition_path(self, addition: Addition) -> Path:
        folder = self.work.folder / "locks"
        return folder / addition_name(addition, folder)

    def _reach(self, ask: Callable[[], Any]) -> Any:
        """Ask the host; what ends the run is told as such."""
        try:
            return self.attempts.insist(ask)
        except HostUnreachable as error:
            raise Stopped("unreachable", error.message) from error
        except RefusedError as error:  # a changed host key: rows there go on
            raise Stopped("unreachable", error.message, error.findings) from error

    def _rows(self, cases: Sequence[Case]) -> None:
        for case in cases:
            history = self._history(case) if self.work.opened.resumed else []
            if self.work.collect_only:
                self._case(case, history, False)
                continue
            reason = self.stop_reason
            if reason is None and case.case_id in self.work.matrix.stopped(self.planned, self.ended):
                reason = "early_stop_memory"
            if not history and reason is None and not self._space():
                self.stop_reason = reason = "disk_space"
            if history or reason is None:
                self._case(case, history, reason is None)
            else:
                self._skip(case, reason)

    def _space(self) -> bool:
        workdir = self.host.workdir
        return self.work.need_bytes <= 0 or int(self._reach(lambda: self.host.free_space(workdir))) >= (
            self.work.need_bytes
        )

    def _skip(self, case: Case, reason: str) -> None:
        self.counts["skipped"] += 1
        self.ended[case.case_id] = Ended(case.case_id, 1, "first", "skipped")
        progress.event("row.result", case.case_id, status="skipped", reason=reason)
        self.emit(RowSkipped(case.case_id, reason))

    def _history(self, case: Case) -> list[tuple[int, str]]:
        """Attempts that were started before, with their causes; the last one may never have come to run."""
        found: list[tuple[int, str]] = []
        while True:
            row = row_name(case.case_id, len(found) + 1)
            held = self.work.held(row)
            if held is not None:
                content = read_json(held.files.folder / "row.json")
            else:
                path = f"{self.attempts.folder(row)}/row.json"
                text = self._reach(partial(self.host.read_small, path, 1 << 22))
                if text is None:
                    return found
                content = _json(text)
            found.append((len(found) + 1, str(content.get("cause") or "first")))

    def _case(self, case: Case, history: Sequence[tuple[int, str]], may_start: bool) -> None:
        for number, cause in history:
            self._attempt(case, number, cause, adopt=True, relaunch=number == len(history))
        if self.work.collect_only and case.case_id not in self.ended:
            self.open.append(case.case_id)
        adopted = bool(history)
        while may_start and (again := self._next_cause(case, adopted)) is not None:
            last = self.ended.get(case.case_id)
            self._attempt(case, last.attempt + 1 if last else 1, again)
            adopted = False

    def _next_cause(self, case: Case, adopted: bool) -> str | None:
        """Why a case gets another attempt; None when it gets none."""
        last = self.ended.get(case.case_id)
        if last is None:
            return "first"
        if adopted and self.work.rerun == case.case_id:
            return "manual"
        if last.status == "passed" or self.stop_reason is not None:
            return None
        if last.failure_class == INTERRUPTED and adopted:
            return f"retry:{INTERRUPTED}"
        if last.failure_class in self.work.retry_on and last.attempt < self.work.max_attempts:
            return f"retry:{last.failure_class}"
        return None

    def _attempt(self, case: Case, number: int, cause: str, *, adopt: bool = False, relaunch: bool = False) -> None:
        row = row_name(case.case_id, number)
        if self.work.collect_only and self.work.held(row) is None and not self._over(row, case):
            return
        command = self.work.matrix.command(case, number, self.attempts.folder(row))
        self.emit(RowStarted(row, case.case_id, number, command.display_name, command.wandb_id))
        over = self.work.held(row) if adopt else None
        if over is None:
            progress.event(
                "row.start", row, stage_name=case.stage, cause=cause, target=case.target_steps, adopted=adopt
            )
            started = False
            if adopt:
                owner = self._reach(partial(self.host.read_small, f"{self.attempts.folder(row)}/owner.json"))
                started = owner is not None or not relaunch
            over = self._run(case, number, cause, started)
        self._judged(case, number, cause, over)

    def _over(self, row: str, case: Case) -> bool:
        """A row of a collection is over: it left a result, or its supervisor is gone."""
        folder = self.attempts.folder(row)
        limits = {"inner_timeout": float(case.inner_timeout), "outer_timeout": float(case.outer_timeout)}
        state = rows.observe(self.host, folder, **limits)
        if not state.over:
            progress.event(
                "row.heartbeat", row, level="warning", state=state.name, step=state.step, reason=state.reason
            )
        return state.over

    def _run(self, case: Case, number: int, cause: str, started: bool) -> Over:
        row = row_name(case.case_id, number)
        folder = self.attempts.folder(row)
        lock = self.lock_of[case.case_id]
        try:
            if not started:
                command = self.work.matrix.command(case, number, folder)
                spec = row_spec(self.work.rows, case, command, number, cause, folder, lock.sha256)
                spec = spec.model_copy(update={"lock_path": f"../../{lock.path.name}"})
                over = self.attempts.start(spec, command.files)
                if over is not None:
                    return over
            return self.attempts.follow(row, case.inner_timeout, case.outer_timeout, case.target_steps)
        except HostUnreachable as error:
            return self.attempts.lost(row, error.message)
        except RefusedError as error:
            raise Stopped("unreachable", error.message, error.findings) from error

    def _judged(self, case: Case, number: int, cause: str, over: Over) -> None:
        row = row_name(case.case_id, number)
        judged = self.work.judge(over.files, self.locked[case.case_id])
        group = self.work.group_of(judged.failure_class) if judged.failure_class else None
        rate, measured = measure(over.files, case.kind, len(case.devices) or 1)
        held = _still_held(over.files)
        left = tuple({"path": each.path, "bytes": each.bytes, "reason": each.reason} for each in over.left)
        self.emit(RowJudged(row, case.case_id, number, over.files, judged, left, over.tunnel))
        status = judged.status
        self.counts[status] += 1
        self.ended[case.case_id] = Ended(
            case.case_id, number, cause, status, judged.failure_class, group, rate, measured
        )
        if status == "failed" and self.first_failure is None:
            self.first_failure = f"{row}: {judged.failure_class}"
        progress.event(
            "row.result",
            row,
            level="info" if status == "passed" else "warning",
            status=status,
            failure_class=judged.failure_class,
            steps=judged.completed_steps,
            target=judged.target_steps,
        )
        if group == STOP_GROUP:
            self.stop_reason = f"stopped: {judged.failure_class}"
        if held:
            self.stop_reason = "devices_still_held"
        if over.state == "ssh_lost":
            raise Stopped("unreachable", f"{row}: the host does not answer; --resume --run-id {self.run_id}")
        if self.interrupts.count:
            raise Stopped("interrupted", f"{row}: interrupted; --resume --run-id {self.run_id}")


def _json(text: bytes) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except ValueError as error:
        raise InfrastructureError(f"row.json on the host is no JSON: {error}") from error
    return content if isinstance(content, dict) else {}


def _still_held(files: RowFiles) -> bool:
    """V332: devices that the row's own processes did not let go of."""
    path = files.folder / "result.json"
    if not path.is_file():
        return False
    try:
        return bool(read_json(path).get("devices_still_held"))
    except (ValueError, AttributeError):
        return False
