"""The Ascend sampler: ``npu-smi info`` in a loop, raw text first (formal-case.md 10.2). Standard library only, Python
3.8; the runner carries it.

``npu-smi-watch.raw.log`` is a sequence of rounds: a stamp line ``# ar epoch_ms=… mono_ms=… round=… took_ms=…`` (and
``missed``, ``asked_ms``, ``rc``, ``bytes``, and ``trouble`` where there was some), then the untouched output of that
many bytes. Times are those of the moment before the call.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path

from autoresearch.telemetry.bounded_call import Called, call
from autoresearch.telemetry.schedule import Stop, run_rounds

RAW_LOG = "npu-smi-watch.raw.log"
PLACES = ("/usr/local/sbin", "/usr/local/Ascend/driver/tools")
KILL_AFTER_SECONDS = 5.0


def find_npu_smi() -> str | None:
    """Path of ``npu-smi``: on ``PATH``, then where the driver puts it; null if nowhere."""
    return shutil.which("npu-smi") or shutil.which("npu-smi", path=os.pathsep.join(PLACES))


def stamp_line(epoch_ms: int, mono_ms: int, number: int, missed: int, asked_ms: int, called: Called) -> bytes:
    """The line before a round's output."""
    code = "none" if called.returncode is None else called.returncode
    text = (
        f"# ar epoch_ms={epoch_ms} mono_ms={mono_ms} round={number} took_ms={called.seconds * 1000:.1f} "
        f"missed={missed} asked_ms={asked_ms} rc={code} bytes={len(called.output)}"
    )
    return (text + (f" trouble={called.trouble}" if called.trouble else "") + "\n").encode()


def sample_ascend(folder: Path, interval: float = 0.5, stop: Stop | None = None) -> int:
    """Append rounds to ``npu-smi-watch.raw.log`` of ``folder`` every ``interval`` seconds until ``stop``.

    A call longer than 5 s is killed with its process group and written down as such; a full disk costs rounds, not the
    loop. Returns the number of rounds.
    """
    stop = stop or Stop()
    with (folder / RAW_LOG).open("ab", buffering=0) as log:

        def one_round(number: int, missed: int) -> None:
            epoch_ms, mono_ms = int(time.time() * 1000), int(time.monotonic() * 1000)
            program = find_npu_smi()
            if program is None:
                called = Called(b"", None, 0.0, "not_found")
            else:
                called = call([program, "info"], KILL_AFTER_SECONDS, stop)
            if called.trouble == "stopped":
                return  # the end of sampling is no trouble of the tool
            end = b"" if called.output.endswith(b"\n") or not called.output else b"\n"
            stamp = stamp_line(epoch_ms, mono_ms, number, missed, int(interval * 1000), called)
            with contextlib.suppress(OSError):  # on a full disk the round is lost and shows as a gap
                log.write(stamp + called.output + end)

        return run_rounds(interval, stop, one_round)
