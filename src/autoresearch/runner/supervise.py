"""Role ``supervise``: one attempt from before its first process until after its last (formal-case.md 6.2).

The supervisor has a session of its own, and so has the trainer. It starts samplers and pusher, waits for free devices,
moves the trainer's bytes to the log, keeps the limits, ends everything that is left, and states the facts. What ends an
attempt early is one word in ``limit``: ``inner_timeout``, ``interrupted`` or ``disk_space``. An attempt that was never
started says why in ``refused``. Standard library only, Python 3.8 grammar.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from autoresearch.files import sha256_file
from autoresearch.runner.attempt_files import AttemptFiles, boot_ms, now_ms
from autoresearch.runner.containers import ContainerWatch
from autoresearch.runner.log_follower import LogFollower
from autoresearch.runner.machine import ClockWatch, free_disk_bytes, make_ballast, oom_kills, ulimits, versions
from autoresearch.runner.occupancy import OccupancyError, wait_until_free
from autoresearch.runner.processes import (
    TERM_SECONDS,
    TOKEN_VARIABLE,
    boot_id,
    end_processes,
    has_token,
    row_processes,
    signal_group,
    stat_of,
)
from autoresearch.runner.result_facts import exit_facts, folder_sizes, head_facts, is_synthetic
from autoresearch.runner.row_file import Row, RowFileError, read_row
from autoresearch.runner.side_processes import RoundCounter, SideProcess
from autoresearch.runner.telemetry_commands import SAMPLE_FILES, MemoryPeak, push_counts, sample_files, side_commands
from autoresearch.runner.trainer_log import LogWriter, join_log
from autoresearch.telemetry.push import STATUS as PUSH_STATUS

TICK_SECONDS = 0.2
DRAIN_SECONDS = 10.0
FIRST_ROUND_SECONDS = 5.0
DAEMON_SECONDS = 60.0
"""How long a docker daemon that does not answer is waited for, when its client has ended."""
BALLAST = ".ballast"


class Refusal(Exception):
    """The attempt is not started; ``facts`` go into ``refused`` of the result."""

    def __init__(self, reason: str, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.facts = {"reason": reason, "message": message, **facts}


class Supervisor:
    """Runs one attempt's folder. ``runner`` is the archive, which starts the side processes."""

    def __init__(self, folder: Path, row: Row, runner: Path) -> None:
        self.folder = folder
        self.row = row
        self.runner = runner
        self.files = AttemptFiles(folder)
        self.token = secrets.token_hex(16)
        self.started = now_ms()
        self.clock = ClockWatch(*self.started)
        self.limit: str | None = None
        self.interrupted = False
        self.writer = LogWriter(folder, row.limits.log_bytes, row.limits.log_tail_bytes)
        self.follower = LogFollower(self.writer, row.kind, row.limits.index_seconds)
        self.counters = [RoundCounter(folder / name) for name in SAMPLE_FILES]
        self.memory = MemoryPeak(folder)
        self.side: list[SideProcess] = []
        self.child: subprocess.Popen[bytes] | None = None
        self.container = ContainerWatch(row)
        self._next_beat = 0.0

    def run(self) -> int:
        """Run the attempt to its end; 0 when ``result.json`` was written, 2 when the attempt has another owner."""
        mine = stat_of(os.getpid())
        assert mine is not None
        owner = {
            "supervisor_pid": mine.pid,
            "process_group": mine.group,
            "start_ticks": mine.start_ticks,
            "boot_id": boot_id(),
            "token": self.token,
            "started_epoch_ms": self.started[0],
            "started_mono_ms": self.started[1],
            "boot_ms": boot_ms(),
            "trainer_pid": None,
            "trainer_start_ticks": None,
            "container_name": self.row.container.name if self.row.container else None,
            "container_id": None,
        }
        try:
            self.files.claim(owner)
        except FileExistsError:
            print("this attempt has an owner already; it is left as it is", file=sys.stderr)
            return 2
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.files.event("start", pid=mine.pid)
        result: dict[str, Any] = {**head_facts(self.row, self.runner), "refused": None}
        memory_before = oom_kills(os.getpid())
        try:
            self._prepare()
            self._start_trainer()
            self._watch()
        except Refusal as refusal:
            result["refused"] = refusal.facts
            self.files.event("refused", **refusal.facts)
        except Exception as error:  # whatever we do wrong, the trainer is ended and the facts are kept
            traceback.print_exc()
            result["supervisor_error"] = f"{type(error).__name__}: {error}"
            if self.child is not None:
                self._stop_trainer()
        result.update(self._end())
        result["oom_kills"] = {"before": memory_before, "after": oom_kills(os.getpid()), **self.container.oom}
        self._write_result(result)
        return 0

    def _on_signal(self, number: int, _: object) -> None:
        self.interrupted = True

    def _prepare(self) -> None:
        lock = self.folder / self.row.lock_path
        found = sha256_file(lock) if lock.is_file() else None
        if found != self.row.lock_sha256:
            message = f"the lock {self.row.lock_path} has sha256 {found}, the row was made for {self.row.lock_sha256}"
            raise Refusal("lock_mismatch", message, code="V602")
        try:
            make_ballast(self.folder / BALLAST, self.row.limits.ballast_bytes)
        except OSError as error:
            raise Refusal("disk_space", f"not even {self.row.limits.ballast_bytes} bytes are free: {error}") from error
        for path in self.row.scratch:
            try:
                Path(path).mkdir(mode=0o700)
            except OSError as error:
                raise Refusal("launcher_error", f"the scratch folder cannot be made: {error}") from error
        self._beat("starting", force=True)
        self._wait_for_devices()
        for name, argv in side_commands(self.row, self.folder, self.runner).items():
            self.side.append(SideProcess(name, argv, self.folder))
        self._await_first_rounds()

    def _await_first_rounds(self) -> None:
        """Sampling begins before the trainer does; a sampler that gives nothing does not hold it up for long."""
        wanted = [self.folder / name for name in sample_files(self.row)]
        deadline = time.monotonic() + FIRST_ROUND_SECONDS
        while time.monotonic() < deadline and not all(path.exists() and path.stat().st_size for path in wanted):
            time.sleep(0.05)

    def _wait_for_devices(self) -> None:
        try:
            held = wait_until_free(
                self.row.accelerator,
                self.row.devices,
                self.row.limits.free_wait_seconds,
                tick=self._may_wait,
            )
        except OccupancyError as error:
            raise Refusal("launcher_error", f"it cannot be told who holds the devices: {error}") from error
        if self.interrupted:
            self.limit = "interrupted"
            raise Refusal("interrupted", "stopped before the trainer was started")
        if held:
            who = ", ".join("{command} (pid {pid}, user {user})".format(**each) for each in held)
            message = f"still held after {self.row.limits.free_wait_seconds:g} s by {who}; end it or use other devices"
            raise Refusal("resource_busy", message, code="V333", holders=held)

    def _may_wait(self) -> bool:
        self._beat("waiting")
        return not self.interrupted

    def _is_ours(self, pid: int) -> bool:
        """A process of this row; one that is gone counts, because the devices were free before this row began."""
        return stat_of(pid) is None or has_token(pid, self.token) or self.container.holds(pid)

    def _releasing(self) -> bool:
        self._beat("releasing")
        return True

    def _start_trainer(self) -> None:
        argv = self.row.container.run if self.row.container else self.row.argv
        environment = {**os.environ, **self.row.env, TOKEN_VARIABLE: self.token}
        try:
            self.child = subprocess.Popen(
                list(argv),
                env=environment,
                cwd=str(self.folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise Refusal("launcher_error", f"{argv[0]} cannot be started: {error}") from error
        found = stat_of(self.child.pid)
        self.trainer_started = now_ms()
        try:
            self.files.own(trainer_pid=self.child.pid, trainer_start_ticks=found.start_ticks if found else None)
        except OSError as error:  # nobody could end this trainer after us: end it now
            self.writer.failure = error
        self.files.event("trainer-start", pid=self.child.pid)
        self.writer.start(cast("BinaryIO", self.child.stdout))
        self.follower.start()

    def _watch(self) -> None:
        assert self.child is not None
        deadline = self.trainer_started[1] / 1000 + self.row.limits.inner_timeout
        while self.child.poll() is None or self._adopted():
            self._beat("running")
            self.limit = self._limit_hit(deadline)
            if self.limit is not None:
                self.files.event("limit", limit=self.limit)
                self._stop_trainer()
                return
            time.sleep(TICK_SECONDS)

    def _adopted(self) -> bool:
        """The docker client ended and its container did not (a restarted daemon): go on with the container."""
        assert self.child is not None
        if self.row.container is None or self.child.returncode == 0:
            return False
        self.writer.join(DRAIN_SECONDS)
        deadline = time.monotonic() + DAEMON_SECONDS
        while self.container.alive() is None and time.monotonic() < deadline:
            self._beat("running")
            time.sleep(TICK_SECONDS)
        logs = self.container.adopt((self.writer.last_epoch_ms or self.trainer_started[0]) + 1)
        if logs is None:
            return False
        self.files.event("container-adopted", client=self.child.returncode)
        self.child = logs
        self.writer.start(cast("BinaryIO", logs.stdout))
        return True

    def _limit_hit(self, deadline: float) -> str | None:
        free = free_disk_bytes(self.folder)
        if self.writer.failure is not None or (free is not None and free < self.row.limits.disk_floor_bytes):
            return "disk_space"
        if self.interrupted:
            return "interrupted"
        return "inner_timeout" if time.monotonic() > deadline else None

    def _stop_trainer(self) -> None:
        assert self.child is not None
        stopping = self.container.stop()
        signal_group(self.child.pid, signal.SIGTERM)
        end = time.monotonic() + self.row.limits.term_seconds
        while self.child.poll() is None and time.monotonic() < end:
            self._beat("stopping")
            time.sleep(TICK_SECONDS)
        if self.child.poll() is None:
            self.files.event("kill", group=self.child.pid)
            self.container.kill()
            signal_group(self.child.pid, signal.SIGKILL)
        if stopping is not None:
            stopping.wait()

    def _end(self) -> dict[str, Any]:
        """End what is left, wait for the devices, stop the side processes; the facts of all that."""
        facts: dict[str, Any] = {"limit": self.limit, "devices_still_held": [], "stale": None}
        code = None
        if self.child is not None:
            code = self.container.exit_code(self.child.wait())
            ended = now_ms()
            self.files.event("trainer-end", returncode=code)
            self.container.remove()
            group = self.child.pid
            facts["stale"] = {
                **end_processes(lambda: row_processes(self.token, [group]), TERM_SECONDS),
                "foreign": [],
            }
            drained = self.writer.join(DRAIN_SECONDS)
            self.follower.stop()
            if drained:
                self.writer.close()
            facts["devices_still_held"] = self._wait_for_release()
            facts.update(self._trainer_facts(ended, drained))
        for each in reversed(self.side):
            each.stop()
        if (self.folder / BALLAST).exists():
            (self.folder / BALLAST).unlink()
        for path in self.row.scratch:
            shutil.rmtree(path, ignore_errors=True)
        return {**facts, **exit_facts(code), "container": self.container.facts()}

    def _wait_for_release(self) -> list[dict[str, Any]]:
        try:
            held = wait_until_free(
                self.row.accelerator,
                self.row.devices,
                self.row.limits.free_wait_seconds,
                counts=self._is_ours,
                tick=self._releasing,
            )
        except OccupancyError as error:
            self.files.event("occupancy-unknown", message=str(error))
            return []
        if held:
            self.files.event("devices-still-held", code="V332", holders=held)
        return held

    def _trainer_facts(self, ended: tuple[int, int], drained: bool) -> dict[str, Any]:
        return {
            "trainer_started_epoch_ms": self.trainer_started[0],
            "trainer_started_mono_ms": self.trainer_started[1],
            "trainer_finished_epoch_ms": ended[0],
            "trainer_finished_mono_ms": ended[1],
            "trainer_seconds": (ended[1] - self.trainer_started[1]) / 1000,
            "last_step": self.follower.step,
            "step_lines": self.follower.step_lines,
            "log": {
                "bytes": self.writer.log_bytes,
                "lost_bytes": self.writer.lost_bytes,
                "failure": str(self.writer.failure) if self.writer.failure else None,
                "drained": drained,
            },
        }

    def _write_result(self, result: dict[str, Any]) -> None:
        try:
            left_out = join_log(self.folder) if self.child is not None else None
        except OSError as error:
            left_out = None
            self.files.event("log-not-joined", message=str(error))
        if "log" in result:
            result["log"]["left_out"] = left_out
            if left_out:
                self.files.event("log-cut", code="V512", **left_out)
        finished = now_ms()
        self.clock.look(*finished)
        result.update(
            started_epoch_ms=self.started[0],
            started_mono_ms=self.started[1],
            finished_epoch_ms=finished[0],
            finished_mono_ms=finished[1],
            elapsed_seconds=(finished[1] - self.started[1]) / 1000,
            clock_steps=self.clock.steps,
            ulimits=ulimits(),
            versions=versions(),
            samplers=[each.facts() for each in self.side],
            rounds={each.path.name: each.count() for each in self.counters},
            pushes=push_counts(self.folder / PUSH_STATUS),
            disk_free_bytes=free_disk_bytes(self.folder),
            write_errors=self.files.write_errors,
            synthetic=is_synthetic(self.folder),
            **folder_sizes(self.folder),
        )
        self.files.event("end")
        self.files.beat("finished", **self._beat_facts())
        self.files.finish(result)

    def _beat_facts(self) -> dict[str, Any]:
        pushes = push_counts(self.folder / PUSH_STATUS)
        return {
            "step": self.follower.step,
            "trainer_pid": self.child.pid if self.child else None,
            "log_bytes": self.writer.log_bytes,
            "last_log_mono_ms": self.writer.last_mono_ms,
            "samples": sum(each.count() for each in self.counters),
            "peak_memory_mib": self.memory.look(),
            "pushes_ok": pushes["ok"],
            "pushes_failed": pushes["failed"],
            "disk_free_bytes": free_disk_bytes(self.folder),
        }

    def _beat(self, state: str, force: bool = False) -> None:
        """Look after the side processes and the clock at every tick; a heartbeat when it is due."""
        step = self.clock.look(*now_ms())
        if step is not None:
            self.files.event("clock-step", code="V430", step_ms=step)
        for each in self.side:
            message = each.check()
            if message:
                self.files.event("side-process", process=each.name, message=message)
        if not force and time.monotonic() < self._next_beat:
            return
        self._next_beat = time.monotonic() + self.row.limits.heartbeat_seconds
        container = self.container.look()
        if container:
            self.files.own(container_id=container)
        self.files.beat(state, **self._beat_facts())


def supervise(folder: Path, runner: Path) -> int:
    """Run the attempt whose folder holds ``row.json``. 2 when it cannot be read or has an owner, else 0."""
    try:
        row = read_row(folder)
    except RowFileError as error:
        print(str(error), file=sys.stderr)
        return 2
    with suppress(OSError):  # it leads its session already
        os.setsid()
    return Supervisor(folder, row, runner).run()
