"""One call of a program that may hang or flood: a deadline, a limit of bytes, and its whole process group is ended
(formal-case.md 10.2, 18.16). Standard library only, Python 3.8; the runner carries it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import NamedTuple

from autoresearch.telemetry.schedule import Stop

LOOK_EVERY_SECONDS = 0.25
GRACE_SECONDS = 1.0


class Called(NamedTuple):
    """What a call gave: the untouched bytes of stdout and stderr, the exit code (negative: signal; null: not started),
    seconds, and ``deadline``, ``stopped``, ``too_long``, ``not_started`` or null.
    """

    output: bytes
    returncode: int | None
    seconds: float
    trouble: str | None


def call(argv: Sequence[str], limit_seconds: float, stop: Stop, max_bytes: int = 4 << 20) -> Called:
    """Run ``argv`` in a session of its own; after ``limit_seconds``, or when ``stop`` is set, its group is killed."""
    began = time.monotonic()
    try:
        child = subprocess.Popen(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "LC_ALL": "C"},
        )
    except OSError as error:
        return Called(str(error).encode(), None, time.monotonic() - began, "not_started")
    assert child.stdout is not None
    parts: list[bytes] = []
    size, trouble = 0, None
    with child.stdout as pipe:
        while trouble is None:
            left = began + limit_seconds - time.monotonic()
            if left <= 0:
                trouble = "deadline"
            elif select.select([pipe], [], [], min(left, LOOK_EVERY_SECONDS))[0]:
                block = os.read(pipe.fileno(), 1 << 16)
                if not block:
                    break
                parts.append(block)
                size += len(block)
                trouble = "too_long" if size > max_bytes else None
            elif stop.wait(0):
                trouble = "stopped"
    if trouble is None:
        try:  # output is closed; the program itself may still hang
            child.wait(max(GRACE_SECONDS, began + limit_seconds - time.monotonic()))
        except subprocess.TimeoutExpired:
            trouble = "deadline"
    if trouble is not None:
        end_group(child)
    return Called(b"".join(parts), child.poll(), time.monotonic() - began, trouble)


def end_group(child: subprocess.Popen[bytes]) -> None:
    """Kill the session that ``child`` leads and wait for it; one that the kernel does not let go is left behind."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except OSError:
        child.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):  # uninterruptible in the driver: ends when that returns
        child.wait(GRACE_SECONDS)
