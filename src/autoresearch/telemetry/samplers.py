"""The samplers of formal-case.md 10.2 behind one door. Standard library only, Python 3.8; the runner carries it.

``sample_ascend``, ``sample_nvidia`` and ``sample_host`` append rounds to a raw file of an attempt's folder until told
to stop; ``run`` is one of them as a process of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

from autoresearch.telemetry.ascend_sampler import RAW_LOG, sample_ascend
from autoresearch.telemetry.host_sampler import HOST_SAMPLES, sample_host
from autoresearch.telemetry.nvidia_sampler import SAMPLES, sample_nvidia
from autoresearch.telemetry.schedule import Stop

__all__ = ["KINDS", "RAW_FILES", "run", "sample_ascend", "sample_host", "sample_nvidia"]

KINDS = {"ascend": sample_ascend, "nvidia": sample_nvidia, "host": sample_host}
RAW_FILES = {"ascend": RAW_LOG, "nvidia": SAMPLES, "host": HOST_SAMPLES}
"""The file that each kind appends to."""


def run(kind: str, folder: Path, interval: float) -> int:
    """Sample in this process until SIGTERM, SIGINT or the end of the parent process; returns the exit code 0, or 1 with
    one line on stderr when there is nothing to sample with, so that it is started again.

    ``kind`` is ``ascend``, ``nvidia`` or ``host``; ``interval`` is in seconds.
    """
    try:
        KINDS[kind](folder, interval, Stop(with_parent=True).on_signals())
    except (RuntimeError, OSError) as error:
        print(f"sample {kind}: {error}", file=sys.stderr)
        return 1
    return 0
