"""Which processes are ours, and how they are ended: by pid, never by pattern (formal-case.md 6.5).

A process is ours when pid, start ticks and boot id agree with what was written down when it was started, when it is in
the session of such a trainer, or when it inherited the row's token in its environment. Linux only (``/proc``). Standard
library only, Python 3.8 grammar.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any, Callable, Iterable, NamedTuple  # noqa: UP035 - Python 3.8 on hosts

TOKEN_VARIABLE = "AUTORESEARCH_ROW_TOKEN"
"""Inherited by every process of a row, so that those that left the group are found."""
TERM_SECONDS = 3.0
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Stat(NamedTuple):
    """The fields of ``/proc/<pid>/stat`` that identify a process."""

    pid: int
    name: str
    state: str
    group: int
    session: int
    start_ticks: int


def boot_id() -> str:
    """The kernel's id of this boot; another one means that no process from before is alive."""
    return BOOT_ID.read_text(encoding="ascii").strip()


def parse_stat(text: str) -> Stat:
    """Read the text of ``/proc/<pid>/stat``; the name may hold spaces and brackets. Raises ``ValueError``."""
    pid, _, rest = text.partition(" (")
    name, _, tail = rest.rpartition(") ")
    fields = tail.split()
    if len(fields) < 20:
        raise ValueError("not a stat line: " + text[:80])
    return Stat(int(pid), name, fields[0], int(fields[2]), int(fields[3]), int(fields[19]))


def stat_of(pid: int) -> Stat | None:
    """The process as it is now; None when it is gone (a zombie is gone)."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        found = parse_stat(text)
    except (OSError, ValueError):
        return None
    return None if found.state in "ZX" else found


def is_same(pid: int, start_ticks: int) -> bool:
    """True when ``pid`` is alive and is the process that started at ``start_ticks`` of this boot."""
    found = stat_of(pid)
    return found is not None and found.start_ticks == start_ticks


def all_processes() -> list[Stat]:
    """Every process of this machine that can be read."""
    found = [stat_of(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [each for each in found if each is not None]


def has_token(pid: int, token: str) -> bool:
    """True when the process inherited the row's token."""
    wanted = f"{TOKEN_VARIABLE}={token}".encode()
    try:
        return wanted in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def row_processes(token: str, sessions: Iterable[int] = (), leave: Iterable[int] = ()) -> list[Stat]:
    """Processes of a row: those of the given sessions or groups, and those with its token; ``leave`` (pids) and the
    caller are left out."""
    wanted, kept = set(sessions), {os.getpid(), *leave}
    return [
        each
        for each in all_processes()
        if each.pid not in kept and (each.session in wanted or each.group in wanted or has_token(each.pid, token))
    ]


def user_of(pid: int) -> str:
    """Name of the user whose process it is, or the number where the machine has no name for it."""
    try:
        uid = Path(f"/proc/{pid}").stat().st_uid
    except OSError:
        return "?"
    try:
        import pwd

        return pwd.getpwuid(uid).pw_name
    except (ImportError, KeyError):
        return str(uid)


def describe(pid: int, memory_mib: int | None = None) -> dict[str, Any]:
    """What is told of a process that is not ours: pid, user, command name, device memory in MiB."""
    found = stat_of(pid)
    return {"pid": pid, "user": user_of(pid), "command": found.name if found else "?", "memory_mib": memory_mib}


def signal_process(pid: int, number: int) -> None:
    """Send a signal to one process; one that is gone or not ours to signal is no error."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def signal_group(group: int, number: int) -> None:
    """Send a signal to one process group; one that is gone is no error."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return


def end_processes(find: Callable[[], list[Stat]], seconds: float = TERM_SECONDS) -> dict[str, list[int]]:
    """TERM to all that ``find`` returns, ``seconds`` of grace, then KILL until none is left or 2 s have passed.

    Returns ``{"terminated": [pid…], "killed": [pid…]}``.
    """
    first = find()
    for each in first:
        signal_process(each.pid, signal.SIGTERM)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and any(is_same(each.pid, each.start_ticks) for each in first):
        time.sleep(0.05)
    killed: list[int] = []
    deadline = time.monotonic() + 2.0
    while True:
        left = find()
        for each in left:
            signal_process(each.pid, signal.SIGKILL)
            if each.pid not in killed:
                killed.append(each.pid)
        if not left or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    return {"terminated": [each.pid for each in first if each.pid not in killed], "killed": killed}
