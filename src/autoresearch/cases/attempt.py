"""The life of one attempt as the orchestrator sees it: launch, look, end, bring home (formal-case.md 6.3, 18).

What only this side knows (the state it saw, its own limit, what a cleanup ended) is left beside the row's files as
``orchestrator.json``, so that judging needs nothing but files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from autoresearch import progress
from autoresearch.cases.events import RowFiles
from autoresearch.cases.interrupts import Interrupts
from autoresearch.errors import InfrastructureError
from autoresearch.files import write_json
from autoresearch.hosts import rows
from autoresearch.hosts.host_checks import clock_offset
from autoresearch.hosts.protocol import Host, HostUnreachable, Left
from autoresearch.hosts.row_spec import RowSpec
from autoresearch.hosts.state import RECONNECT_WINDOW_SECONDS, STALL_SECONDS, State

SEEN = "orchestrator.json"
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Pace:
    """How often a row is looked at and reported. Seconds."""

    poll: float | None = None
    """Default: 2 on this machine, 5 over ssh."""
    report: float = 30.0
    window: float = RECONNECT_WINDOW_SECONDS
    """How long a host that does not answer is waited for."""


@dataclass(frozen=True)
class Over:
    """An attempt that is over, or whose host is lost, and where its files lie here."""

    state: str
    files: RowFiles
    left: tuple[Left, ...] = ()
    tunnel: Mapping[str, Any] = field(default_factory=dict)


class Attempts:
    """Runs attempts on one open host, one after another. ``archive`` is the runner; ``inbox`` the folder here below
    which the files of each row are brought home."""

    def __init__(self, host: Host, run_id: str, archive: Path, inbox: Path, pace: Pace, interrupts: Interrupts) -> None:
        self.host, self.run_id, self.archive, self.inbox = host, run_id, archive, inbox
        self.pace, self.interrupts = pace, interrupts
        self.poll = pace.poll or rows.POLL_SECONDS[host.kind]

    def folder(self, row: str) -> str:
        """The attempt's folder on the host."""
        return rows.row_folder(self.host, self.run_id, row)

    def insist(self, ask: Callable[[], Answer]) -> Answer:
        """Ask the host until it answers; ``HostUnreachable`` after the reconnect window."""
        began = time.monotonic()
        while True:
            try:
                return ask()
            except HostUnreachable:
                if time.monotonic() - began > self.pace.window or self.interrupts.count:
                    raise
                self.interrupts.pause(self.poll)

    def start(self, spec: RowSpec, files: Mapping[str, str]) -> Over | None:
        """Put an attempt's own small ``files`` in its folder and launch it; what is over at once when it does not
        start, else None.

        Raises ``RefusedError`` when another attempt has that name, ``HostUnreachable``.
        """
        folder, scratch = self.folder(spec.row), self.inbox / ".sent"
        asked = False

        def launch() -> None:
            nonlocal asked
            if asked and self.host.read_small(f"{folder}/owner.json", 1) is not None:
                return  # the answer was lost, not the row
            asked = True
            for name, text in files.items():
                rows.send_text(self.host, text, f"{folder}/{name}", scratch)
            rows.launch(self.host, spec, folder, archive=self.archive, scratch=scratch)

        try:
            self.insist(launch)
        except HostUnreachable:
            raise
        except InfrastructureError as error:
            if self.insist(partial(self.host.read_small, f"{folder}/owner.json", 1)) is not None:
                return None
            return self.bring(spec.row, "launcher_error", message=error.message)
        return None

    def follow(self, row: str, inner_timeout: float, outer_timeout: float, target: int) -> Over:
        """Look at a started attempt until it is over, and bring its files home.

        One signal ends the row as ``interrupted``. Past the outer limit it is ended from here. A host that stays silent
        beyond its window gives the state ``ssh_lost``, and the row may still run.
        """
        watch = rows.RowWatch(self.host, self.folder(row), inner_timeout, outer_timeout)
        began = reported = time.monotonic()
        seen: dict[str, Any] = {"outer_limit_hit": False, "cleanup": None, "interrupted": False}
        while True:
            state = watch.look()
            if state.name == "finished":
                return self.bring(row, "finished", **seen)
            if state.name == "ssh_lost" or (state.name == "unknown" and watch_lost(state, self.pace.window)):
                return self.lost(row, state.reason, **seen)
            if state.name == "not_started":
                return self.bring(row, "launcher_error", message=state.reason, **seen)
            if state.name == "supervisor_lost":
                seen["cleanup"] = self.end(row)
                if not seen["cleanup"].get("result"):
                    return self.bring(row, "supervisor_lost", message=state.reason, **seen)
            elif state.name == "stalled" and state.seen.still_seconds > STALL_SECONDS:
                seen["stalled_seconds"] = max(int(state.seen.still_seconds), seen.get("stalled_seconds", 0))
            if state.outer_limit_hit and seen["cleanup"] is None:
                seen.update(outer_limit_hit=True, cleanup=self.end(row))
            if self.interrupts.count and not seen["interrupted"]:
                seen["interrupted"] = True
                self.insist(lambda: rows.interrupt(self.host, self.folder(row)))
            if time.monotonic() - reported >= self.pace.report:
                reported = time.monotonic()
                report_heartbeat(row, state, target, reported - began)
            self.interrupts.pause(self.poll if not seen["interrupted"] else min(self.poll, 1.0))

    def end(self, row: str) -> dict[str, Any]:
        """End what an attempt left or still runs (6.5)."""

        def cleanup() -> dict[str, Any]:
            runner = rows.ensure_runner(self.host, self.archive)
            return rows.end_row(self.host, self.folder(row), runner)

        return self.insist(cleanup)

    def bring(self, row: str, state: str, **seen: Any) -> Over:
        """Bring an attempt's files home, with what was seen of it. Raises ``RefusedError`` when the disk here is
        full."""
        to = self.inbox / row
        left = self.insist(lambda: rows.collect(self.host, self.folder(row), to))
        try:
            write_json(to / SEEN, {"schema_version": 1, "row": row, "state": state, **seen})
        except OSError as error:
            raise rows.no_room(self.host, self.folder(row), to, error) from error
        return Over(state, RowFiles(to, to), tuple(left), self.connection())

    def lost(self, row: str, reason: str, **seen: Any) -> Over:
        """An attempt whose host does not answer: only what is known here."""
        to = self.inbox / row
        try:
            to.mkdir(parents=True, exist_ok=True)
            write_json(to / SEEN, {"schema_version": 1, "row": row, "state": "ssh_lost", "message": reason, **seen})
        except OSError as error:
            raise rows.no_room(self.host, self.folder(row), to, error) from error
        return Over("ssh_lost", RowFiles(to, to))

    def connection(self) -> dict[str, Any]:
        """Seconds each tunnel was up, ports, offset of the host's clock and its uncertainty."""
        found: dict[str, Any] = {
            "tunnels": [
                {
                    "name": each.name,
                    "wanted_port": each.wanted_port,
                    "remote_port": each.remote_port,
                    "up_seconds": round(each.up_seconds, 3),
                }
                for each in self.host.tunnels()
            ]
        }
        try:
            offset, uncertainty = clock_offset(self.host)
        except InfrastructureError:
            return {**found, "clock_offset_ms": None, "clock_uncertainty_ms": None}
        return {
            **found,
            "clock_offset_ms": round(offset * 1000, 3),
            "clock_uncertainty_ms": round(uncertainty * 1000, 3),
        }


def watch_lost(state: State, window: float) -> bool:
    """A host that has not answered for longer than the window that the caller gives."""
    return window < RECONNECT_WINDOW_SECONDS and state.seen.unreachable_seconds > window


def report_heartbeat(row: str, state: State, target: int, waited: float) -> None:
    """``row.heartbeat`` of 2.3."""
    beat = state.seen.heartbeat or {}
    progress.event(
        "row.heartbeat",
        row,
        level="info" if state.name == "running" else "warning",
        state=state.name,
        step=state.step,
        target=target,
        elapsed=round(state.elapsed_seconds if state.elapsed_seconds is not None else waited, 1),
        peak_memory_mib=beat.get("peak_memory_mib"),
        last_log_age=state.log_age_seconds,
        reason=state.reason,
    )
