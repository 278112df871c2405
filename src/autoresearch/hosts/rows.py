"""Rows on a host: launch detached, look, end, bring home (formal-case.md 6.2, 6.3, 6.5).

The orchestrator never waits on a channel of the trainer: it reads small files, and may go away and come back.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from autoresearch.errors import InfrastructureError, RefusedError
from autoresearch.files import json_text, sha256_bytes, sha256_file, strict_json_loads
from autoresearch.findings import finding
from autoresearch.hosts.protocol import Host, Left
from autoresearch.hosts.row_spec import RowSpec
from autoresearch.hosts.selection import MAX_BYTES, NOT_PULLED
from autoresearch.hosts.state import RECONNECT_WINDOW_SECONDS, Seen, State, decide, supervisor_alive

ENTRY_SCRIPT = Path(__file__).with_name("container-entry.sh")
START_SECONDS = 60.0
CLEANUP_SECONDS = 120.0
POLL_SECONDS = {"local": 2.0, "ssh": 5.0}
"""How often a row is looked at."""
LONGEST_LOOK_SECONDS = 120.0
"""More than this between two looks is sleep of this machine, and no silence of the host."""
LONGEST_STILL_SECONDS = 15.0
"""What one look adds at most to the time of a still heartbeat: three heartbeats of an awake host."""


def run_folder(host: Host, run_id: str) -> str:
    """``<workdir>/autoresearch/runs/<run_id>``, where lock and rows lie on the host."""
    return f"{host.workdir}/autoresearch/runs/{run_id}"


def row_folder(host: Host, run_id: str, row: str) -> str:
    """The attempt's folder on the host."""
    return f"{run_folder(host, run_id)}/rows/{row}"


def ensure_runner(host: Host, archive: Path) -> str:
    """The runner archive on the host, under its own hash; sent when it is not there. Its path."""
    digest = sha256_file(archive)
    target = f"{host.workdir}/autoresearch/bin/autoresearch-runner-{digest[:16]}.pyz"
    host.put(archive, target)
    return target


def runner_command(host: Host, runner: str, *words: str) -> list[str]:
    """Command line of one role of the archive on the host."""
    return [host.python, "-I", "-S", runner, *words]


def send_text(host: Host, text: str, target: str, scratch: Path) -> None:
    """Write a text on the host; ``scratch`` is a folder here. Raises ``RefusedError`` when the disk here is full."""
    source = scratch / Path(target).name
    try:
        scratch.mkdir(parents=True, exist_ok=True)
        source.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RefusedError(f"{source} cannot be written: {error}; free space there, then --resume") from error
    host.put(source, target)


def launch(host: Host, spec: RowSpec, folder: str, *, archive: Path, scratch: Path) -> str:
    """Send ``row.json`` and the runner, start the supervisor detached, and wait until it owns the attempt.

    Returns the runner's path on the host. ``scratch`` is a folder here for files on their way. May be repeated after a
    lost connection: an attempt has one owner, whoever asks. Raises ``RefusedError`` when the attempt was started before
    or its ``row.json`` is another, ``InfrastructureError`` with the runner's own words when it does not start.
    """
    text = json_text(spec.model_dump(mode="json"))
    sent, owner = host.read_many([f"{folder}/row.json", f"{folder}/owner.json"])
    if owner is not None or (sent is not None and sent != text.encode("utf-8")):
        raise RefusedError(f"{folder} exists on {host.name}; an attempt never overwrites another: use the next number")
    runner = ensure_runner(host, archive)
    if spec.container is not None:
        host.put(ENTRY_SCRIPT, f"{folder}/{ENTRY_SCRIPT.name}")
    send_text(host, text, f"{folder}/row.json", scratch)
    host.spawn_detached(runner_command(host, runner, "supervise", folder), log=f"{folder}/launcher.log")
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if _document(host.read_small(f"{folder}/owner.json")) is not None:
            return runner
        time.sleep(0.1)
    words = (host.read_small(f"{folder}/launcher.log") or b"").decode("utf-8", "replace").strip()
    raise InfrastructureError(f"the runner did not start on {host.name}: {words or 'it said nothing'}")


def send_lock(host: Host, run_id: str, lock: Path) -> str:
    """Put a lock into the run's folder on the host, or find the same one there; its sha256.

    Raises ``RefusedError`` (V602) when the host holds another lock of that name: the run cannot go on there.
    """
    target = f"{run_folder(host, run_id)}/{lock.name}"
    digest = sha256_file(lock)
    there = host.read_small(target, 1 << 26)
    if there is None:
        host.put(lock, target)
    elif sha256_bytes(there) != digest:
        item = finding(
            "V602",
            place=f"{host.name}, {run_id}/{lock.name}",
            value=sha256_bytes(there)[:12],
            rule=f"is the lock on the host, the one here is {digest[:12]}",
            remedy="continue from the bundle that this run began with, or take another --run-id",
        )
        raise RefusedError(item.message(), [item])
    return digest


def end_stale(host: Host, runner: str) -> dict[str, Any]:
    """End what earlier rows left running on this host after their supervisor was lost (6.5).

    ``{terminated, killed, foreign, rows}``. Rows with a living supervisor are left alone, as is everything foreign.
    """
    done = host.run(
        runner_command(host, runner, "cleanup", "--all", f"{host.workdir}/autoresearch/runs"), timeout=CLEANUP_SECONDS
    )
    if not done.ok:
        raise InfrastructureError(f"stale processes on {host.name}: {done.stderr.strip()[-400:]}")
    return _answer(host, done.stdout)


def _document(data: bytes | None) -> dict[str, Any] | None:
    if not data:
        return None
    try:
        content = strict_json_loads(data.decode("utf-8"))
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def look(host: Host, folder: str, unreachable_seconds: float = 0.0) -> Seen:
    """Read what is seen of a row; a host that does not answer, or cannot (no memory for a process), is seen as not
    reachable, never raised.

    ``unreachable_seconds``: for how long it has not answered already, used only when it does not answer now.
    """
    names = ("result.json", "heartbeat.json", "owner.json")
    paths = [*(f"{folder}/{name}" for name in names), "/proc/sys/kernel/random/boot_id", "/proc/uptime"]
    try:
        first = host.read_many(paths)
        result, beat, owner = map(_document, first[:3])
        owner = owner if owner is not None and isinstance(owner.get("supervisor_pid"), int) else None
        ticks = None
        if result is None and owner is not None:
            stat, late = host.read_many([f"/proc/{owner['supervisor_pid']}/stat", paths[0]])
            ticks, result = _start_ticks(stat), _document(late)  # it may have ended between the two looks
    except InfrastructureError:
        return Seen(False, unreachable_seconds=unreachable_seconds)
    boot = (first[3] or b"").decode("ascii", "replace").strip()
    mono_ms = _monotonic_ms(first[4] or b"", beat or owner or {})
    return Seen(True, result, beat, owner, boot or None, mono_ms, ticks)


def _start_ticks(stat: bytes | None) -> int | None:
    fields = (stat or b"").decode("utf-8", "replace").rpartition(") ")[2].split()
    return int(fields[19]) if len(fields) > 19 and fields[0] not in "ZX" else None


def _monotonic_ms(uptime: bytes, written: dict[str, Any]) -> int | None:
    """The host's monotonic clock now: its uptime, less the time it slept until the file was written."""
    mono = written.get("mono_ms", written.get("started_mono_ms"))
    words = uptime.split()
    if not words or type(written.get("boot_ms")) is not int or type(mono) is not int:
        return None
    return int(float(words[0]) * 1000) - (int(written["boot_ms"]) - mono)


def observe(
    host: Host,
    folder: str,
    *,
    inner_timeout: float,
    outer_timeout: float,
    unreachable_seconds: float = 0.0,
    window: float = RECONNECT_WINDOW_SECONDS,
) -> State:
    """The state of a row now, by the table of 6.3."""
    seen = look(host, folder, unreachable_seconds)
    return decide(seen, inner_timeout=inner_timeout, outer_timeout=outer_timeout, window=window)


class RowWatch:
    """Looks at one row again and again, and remembers since when its host does not answer or its heartbeat is still.

    Only the time between looks of this process counts as silence: a machine that slept did not look, and a long sleep
    is not the host's fault.
    """

    def __init__(self, host: Host, folder: str, inner_timeout: float, outer_timeout: float) -> None:
        self.host, self.folder = host, folder
        self.inner_timeout, self.outer_timeout = inner_timeout, outer_timeout
        self._silent = 0.0
        self._last: float | None = None
        self._beat: int | None = None
        self._still = 0.0

    def look(self) -> State:
        """The state now. Raises ``RefusedError`` for a changed host key or a refused login."""
        now = time.monotonic()
        waited = 0.0 if self._last is None else min(now - self._last, LONGEST_LOOK_SECONDS)
        self._last = now
        seen = look(self.host, self.folder, self._silent + waited)
        self._silent = 0.0 if seen.reachable else self._silent + waited
        beat = (seen.heartbeat or {}).get("seq")
        still = self._still + min(waited, LONGEST_STILL_SECONDS)
        self._still = still if seen.reachable and beat == self._beat else 0.0
        self._beat = beat if seen.reachable else self._beat
        seen = replace(seen, still_seconds=self._still)
        return decide(seen, inner_timeout=self.inner_timeout, outer_timeout=self.outer_timeout)


def end_row(host: Host, folder: str, runner: str) -> dict[str, Any]:
    """End whatever the attempt left or still runs (6.5): ``{terminated, killed, foreign, result}``.

    Used for the outer limit and when the supervisor is lost. Raises ``InfrastructureError`` when the runner fails.
    """
    done = host.run(runner_command(host, runner, "cleanup", folder), timeout=CLEANUP_SECONDS)
    if not done.ok:
        raise InfrastructureError(f"cleanup of {folder} on {host.name} failed: {done.stderr.strip()[-400:]}")
    return _answer(host, done.stdout)


def _answer(host: Host, text: str) -> dict[str, Any]:
    answer = _document(text.encode("utf-8"))
    if answer is None:
        raise InfrastructureError(f"the runner on {host.name} answered {text.strip()[-200:]!r}")
    return answer


def interrupt(host: Host, folder: str) -> None:
    """Ask the supervisor to end its row as ``interrupted`` (TERM to the trainer, then KILL); it writes its result.

    Nothing is sent when the supervisor of ``owner.json`` is not the process that has its pid now.
    """
    seen = look(host, folder)
    if seen.owner is not None and supervisor_alive(seen):
        host.run(["kill", "-TERM", str(seen.owner["supervisor_pid"])])


def collect(host: Host, folder: str, to: Path, *, exclude: Sequence[str] = tuple(NOT_PULLED)) -> list[Left]:
    """Bring a row's folder here; may be repeated, files that are here already are not sent again.

    What stays on the host is returned with its reason. Raises ``RefusedError`` when the disk here is full.
    """
    try:
        to.mkdir(parents=True, exist_ok=True)
        return host.get_tree(folder, to, exclude=exclude, max_bytes=MAX_BYTES)
    except OSError as error:
        raise no_room(host, folder, to, error) from error


def no_room(host: Host, folder: str, to: Path, error: OSError) -> RefusedError:
    """What is said when a row's files cannot be written here; nothing of it is lost."""
    stays = f"the row stays on {host.name} in {folder}"
    return RefusedError(f"{to} cannot be written: {error}; {stays}: free space, then --collect-only")
