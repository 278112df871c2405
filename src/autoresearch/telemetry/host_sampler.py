"""The host sampler: memory, processors, disk, network and load, one JSON line a round (formal-case.md 10.2). Standard
library only, Python 3.8; the runner carries it. Elsewhere than on Linux psutil gives the numbers.

A round is one line of ``host-samples.jsonl``. All byte counts are bytes; ``cpu_utilization_percent`` is the share of
all processors that was busy since the previous round (null in the first, where there is no previous one). A value that
the system does not give is null.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autoresearch.telemetry.schedule import Stop, run_rounds

LINUX = sys.platform.startswith("linux")
SOURCE = "proc" if LINUX else "psutil"
HOST_SAMPLES = "host-samples.jsonl"
PROC = Path("/proc")


def _psutil() -> Any:
    import psutil

    return psutil


def memory_reading() -> dict[str, int | None]:
    """The kinds of memory of formal-case.md 10.2 in bytes: total, free, available as the kernel says, buff/cache =
    Buffers + Cached + SReclaimable - Shmem, used = total - free - buff/cache, occupied = total - free.
    """
    if LINUX:
        return memory_of((PROC / "meminfo").read_text(encoding="ascii", errors="replace"))
    memory = _psutil().virtual_memory()
    total, free = int(memory.total), int(memory.free)
    return _memory(total, free, int(memory.available), None, int(memory.used))


def memory_of(meminfo: str) -> dict[str, int | None]:
    """The same from the text of ``/proc/meminfo`` (kibibytes)."""
    kib: dict[str, int] = {}
    for line in meminfo.split("\n"):
        name, _, rest = line.partition(":")
        words = rest.split()
        if words and words[0].isdigit():
            kib[name] = int(words[0])
    total, free = kib["MemTotal"] * 1024, kib["MemFree"] * 1024
    parts = [kib.get(name) for name in ("Buffers", "Cached", "SReclaimable", "Shmem")]
    buff_cache = None
    if None not in parts:
        buffers, cached, reclaimable, shared = (int(part or 0) for part in parts)
        buff_cache = max(0, buffers + cached + reclaimable - shared) * 1024
    available = kib.get("MemAvailable")
    return _memory(total, free, None if available is None else available * 1024, buff_cache, None)


def _memory(
    total: int, free: int, available: int | None, buff_cache: int | None, used: int | None
) -> dict[str, int | None]:
    return {
        "memory_total_bytes": total,
        "memory_used_bytes": used if buff_cache is None else total - free - buff_cache,
        "memory_free_bytes": free,
        "memory_available_bytes": available,
        "memory_buff_cache_bytes": buff_cache,
        "memory_occupied_bytes": total - free,
    }


def busy_and_total(stat: str) -> tuple[float, float]:
    """Busy and all processor time in ticks from the text of ``/proc/stat``; guest time is inside user and nice."""
    ticks = [int(word) for word in stat.split("\n", 1)[0].split()[1:9]]
    total = sum(ticks)
    return float(total - ticks[3] - (ticks[4] if len(ticks) > 4 else 0)), float(total)


def _processor_times() -> tuple[float, float]:
    if LINUX:
        return busy_and_total((PROC / "stat").read_text(encoding="ascii", errors="replace"))
    times = _psutil().cpu_times()
    total = float(sum(times))
    return total - float(times.idle), total


def network_of(net_dev: str) -> tuple[int, int]:
    """Bytes sent and received over all interfaces, from the text of ``/proc/net/dev``."""
    sent = received = 0
    for line in net_dev.split("\n")[2:]:
        _, colon, rest = line.partition(":")
        words = rest.split()
        if colon and len(words) > 8:
            received += int(words[0])
            sent += int(words[8])
    return sent, received


def _network() -> tuple[int | None, int | None]:
    try:
        if LINUX:
            return network_of((PROC / "net" / "dev").read_text(encoding="ascii", errors="replace"))
        counters = _psutil().net_io_counters()
        return (int(counters.bytes_sent), int(counters.bytes_recv)) if counters else (None, None)
    except (OSError, ValueError):
        return None, None


class HostReader:
    """Reads rounds; keeps the previous processor times, because use is a difference between two rounds."""

    def __init__(self, disk: Path) -> None:
        self.disk = disk
        self._previous: tuple[float, float] | None = None

    def read(self) -> dict[str, Any]:
        """One reading of everything, without the time stamps."""
        busy, total = _processor_times()
        utilization: float | None = None
        if self._previous is not None and total > self._previous[1]:
            share = (busy - self._previous[0]) / (total - self._previous[1])
            utilization = round(100.0 * min(1.0, max(0.0, share)), 2)
        self._previous = (busy, total)
        sent, received = _network()
        disk = os.statvfs(str(self.disk))
        return {
            **memory_reading(),
            "cpu_utilization_percent": utilization,
            "cpu_count": os.cpu_count(),
            "disk_free_bytes": disk.f_bavail * disk.f_frsize,
            "network_sent_bytes": sent,
            "network_received_bytes": received,
            "load_1": round(os.getloadavg()[0], 2),
        }


def _append_round(path: Path, reader: HostReader, number: int, missed: int, interval: float) -> None:
    epoch, began = time.time(), time.monotonic()
    line: dict[str, Any] = {
        "round": number,
        "epoch_ms": int(epoch * 1000),
        "mono_ms": int(began * 1000),
        "asked_interval_ms": int(interval * 1000),
        "missed": missed,
        "source": SOURCE,
    }
    try:
        line.update(reader.read())
    except (OSError, RuntimeError, ImportError, ValueError, KeyError, IndexError) as error:
        line["error"] = f"{type(error).__name__}: {error}"
    line["took_ms"] = round((time.monotonic() - began) * 1000, 3)
    try:
        with path.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(line, separators=(",", ":")) + "\n")
    except OSError:
        pass  # the disk is full: the round is lost and shows as a gap


def sample_host(folder: Path, interval: float = 0.5, stop: Stop | None = None) -> int:
    """Append rounds to ``host-samples.jsonl`` of ``folder`` every ``interval`` seconds until ``stop``, and one more at
    the end; returns the number of rounds. A reading that fails is a line with ``error``.
    """
    path, reader = folder / HOST_SAMPLES, HostReader(folder)
    rounds = run_rounds(
        interval, stop or Stop(), lambda number, missed: _append_round(path, reader, number, missed, interval)
    )
    _append_round(path, reader, rounds, 0, interval)
    return rounds + 1


class HostSampler:
    """Context manager that appends rounds to ``host-samples.jsonl`` of a folder from a thread until the block ends.

    The first round is read before the block starts and the last one after it ends, so that the samples cover all of
    it. The block is never disturbed.
    """

    def __init__(self, path: Path, interval: float = 1.0) -> None:
        self.path = path
        self.interval = interval
        self.rounds = 0
        self._stop = Stop()
        self._began = threading.Event()
        self._reader = HostReader(path.parent)
        self._thread = threading.Thread(target=self._loop, name="host-sampler", daemon=True)

    def __enter__(self) -> HostSampler:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._thread.start()
        self._began.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._round(self.rounds, 0)

    def _loop(self) -> None:
        run_rounds(self.interval, self._stop, self._round)

    def _round(self, number: int, missed: int) -> None:
        _append_round(self.path, self._reader, number, missed, self.interval)
        self.rounds = number + 1
        self._began.set()


def sample_attempt(folder: Path, process_id: int) -> Callable[[], None]:
    """Start sampling into ``host-samples.jsonl`` of an attempt's folder; call what it returns when the trainer has
    ended.

    Fits the launcher's ``sampler`` argument (``training.launch``). The host is sampled as a whole, so ``process_id``
    is not read.
    """
    sampler = HostSampler(folder / HOST_SAMPLES).__enter__()
    return lambda: sampler.__exit__(None, None, None)
