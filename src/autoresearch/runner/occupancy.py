"""Which processes hold which devices (formal-case.md 2.4, 6.2, 6.5).

Answers come from ``npu-smi`` or ``nvidia-smi``; a processor is held by nobody. Standard library only, Python 3.8
grammar.
"""

from __future__ import annotations

import subprocess
import time
from typing import Any, Callable, NamedTuple, Sequence  # noqa: UP035 - Python 3.8 on hosts

from autoresearch.runner.processes import describe
from autoresearch.telemetry.ascend_sampler import find_npu_smi
from autoresearch.telemetry.npu_smi import parse

QUERY_SECONDS = 10.0
POLL_SECONDS = 1.0


class Holder(NamedTuple):
    """One process on one device. ``device`` is the UUID on NVIDIA and ``<id>:<chip>`` on Ascend."""

    device: str
    pid: int
    memory_mib: int | None


class OccupancyError(RuntimeError):
    """The tool that knows the holders does not answer."""


def device_key(device: dict[str, Any]) -> str:
    """How a device of a row is named among the holders."""
    uuid = device.get("uuid")
    return str(uuid) if uuid else f"{device.get('id')}:{device.get('chip', 0)}"


def holders(accelerator: str) -> list[Holder]:
    """All processes on all devices. Raises ``OccupancyError``."""
    if accelerator == "nvidia":
        return nvidia_holders(ask(["nvidia-smi", *NVIDIA_QUERY]))
    if accelerator == "ascend":
        program = find_npu_smi()
        if program is None:
            raise OccupancyError("npu-smi is not on this host: not on PATH and not where the driver puts it")
        return ascend_holders(ask([program, "info"]))
    return []


def ascend_holders(text: str) -> list[Holder]:
    """Read the process table of ``npu-smi info``. Raises ``OccupancyError`` when the text shows no device at all."""
    reading = parse(text)
    if not reading.devices:
        raise OccupancyError(f"npu-smi shows no device ({reading.error})")
    found = []
    for each in reading.processes:
        memory = None if each.memory_mib is None else int(each.memory_mib)
        found.append(Holder(f"{each.device_id}:{each.chip_id}", each.pid, memory))
    return found


NVIDIA_QUERY = ("--query-compute-apps=gpu_uuid,pid,used_memory", "--format=csv,noheader,nounits")


def nvidia_holders(text: str) -> list[Holder]:
    """Read the answer to ``NVIDIA_QUERY``; a line of another form is passed over."""
    found = []
    for line in text.splitlines():
        parts = [part.strip() for part in line.split(",")]
        if len(parts) == 3 and parts[1].isdigit():
            found.append(Holder(parts[0], int(parts[1]), int(parts[2]) if parts[2].isdigit() else None))
    return found


def ask(argv: Sequence[str]) -> str:
    """What a tool prints, within 10 s. Raises ``OccupancyError``."""
    try:
        done = subprocess.run(list(argv), stdin=subprocess.DEVNULL, capture_output=True, timeout=QUERY_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise OccupancyError(f"{argv[0]} does not answer: {error}") from error
    if done.returncode:
        text = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        raise OccupancyError(f"{argv[0]} ended with exit code {done.returncode}: {text[:200]}")
    return done.stdout.decode("utf-8", "replace")


def wait_until_free(
    accelerator: str,
    devices: Sequence[dict[str, Any]],
    seconds: float,
    counts: Callable[[int], bool] = lambda pid: True,
    tick: Callable[[], bool] = lambda: True,
) -> list[dict[str, Any]]:
    """Wait until no process for which ``counts(pid)`` is true holds one of ``devices``; the holders that are left
    after ``seconds``, an empty list when the devices are free.

    ``tick`` is called about once a second and ends the waiting when it returns False. Raises ``OccupancyError`` when
    the holders cannot be read to the end.
    """
    wanted = {device_key(device) for device in devices}
    if accelerator not in ("nvidia", "ascend") or not wanted:
        return []
    deadline = time.monotonic() + seconds
    while True:
        failure: OccupancyError | None = None
        left: list[Holder] = []
        try:
            left = [each for each in holders(accelerator) if each.device in wanted and counts(each.pid)]
        except OccupancyError as error:
            failure = error
        if failure is None and not left:
            return []
        if time.monotonic() >= deadline or not tick():
            if failure is not None:
                raise failure
            return [{"device": each.device, **describe(each.pid, each.memory_mib)} for each in left]
        time.sleep(POLL_SECONDS)
