"""The host sampler: memory, processors, disk, network and load, one JSON line a round (formal-case.md 10.2).

A round is one line of ``host-samples.jsonl``. All byte counts are bytes; ``cpu_utilization_percent`` is the share of
all processors that was busy since the previous round (null in the first, where there is no previous one). A value that
the system does not give is null.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autoresearch.errors import require
from autoresearch.telemetry.schedule import Deadlines

SOURCE = "psutil"
HOST_SAMPLES = "host-samples.jsonl"


def memory_reading() -> dict[str, int | None]:
    """The four kinds of memory of formal-case.md 10.2: used, free, available, buff/cache and occupied beside the total,
    in bytes.
    """
    memory = require("psutil", "report").virtual_memory()
    total, free = int(memory.total), int(memory.free)
    parts = [getattr(memory, name, None) for name in ("buffers", "cached", "shared")]
    if any(part is None for part in parts):
        buff_cache = None
        used = int(memory.used)
    else:
        buffers, cached, shared = (int(part) for part in parts if part is not None)
        buff_cache = max(0, buffers + cached - shared)  # psutil's cached holds the reclaimable slab
        used = total - free - buff_cache
    return {
        "memory_total_bytes": total,
        "memory_used_bytes": used,
        "memory_free_bytes": free,
        "memory_available_bytes": int(memory.available),
        "memory_buff_cache_bytes": buff_cache,
        "memory_occupied_bytes": total - free,
    }


def _busy_and_total() -> tuple[float, float]:
    times = require("psutil", "report").cpu_times()
    idle = float(times.idle) + float(getattr(times, "iowait", 0.0))
    guests = float(getattr(times, "guest", 0.0)) + float(
        getattr(times, "guest_nice", 0.0)
    )  # already inside user and nice
    total = float(sum(times)) - guests
    return total - idle, total


def _network() -> tuple[int | None, int | None]:
    try:
        counters = require("psutil", "report").net_io_counters()
    except OSError:
        return None, None
    return (int(counters.bytes_sent), int(counters.bytes_recv)) if counters else (None, None)


class HostReader:
    """Reads rounds; keeps the previous processor times, because use is a difference between two rounds."""

    def __init__(self, disk: Path) -> None:
        self.disk = disk
        self._previous: tuple[float, float] | None = None

    def read(self) -> dict[str, Any]:
        """One reading of everything, without the time stamps."""
        busy, total = _busy_and_total()
        utilization: float | None = None
        if self._previous is not None and total > self._previous[1]:
            share = (busy - self._previous[0]) / (total - self._previous[1])
            utilization = round(100.0 * min(1.0, max(0.0, share)), 2)
        self._previous = (busy, total)
        sent, received = _network()
        psutil = require("psutil", "report")
        return {
            **memory_reading(),
            "cpu_utilization_percent": utilization,
            "cpu_count": os.cpu_count(),
            "disk_free_bytes": int(psutil.disk_usage(str(self.disk)).free),
            "network_sent_bytes": sent,
            "network_received_bytes": received,
            "load_1": round(float(psutil.getloadavg()[0]), 2),
        }


class HostSampler:
    """Context manager that appends rounds to ``path`` from a thread until the block ends.

    The first round is read before the block starts and the last one after it ends, so that the samples cover all of
    it. A reading that fails is written as a line with ``error`` and the next deadline is tried; the block is never
    disturbed.
    """

    def __init__(self, path: Path, interval: float = 1.0) -> None:
        self.path = path
        self.interval = interval
        self.rounds = 0
        self._stop = threading.Event()
        self._deadlines = Deadlines(time.monotonic(), interval)
        self._reader = HostReader(path.parent)
        self._thread: threading.Thread | None = None

    def __enter__(self) -> HostSampler:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._round()
        self._thread = threading.Thread(target=self._loop, name="host-sampler", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._round()

    def _loop(self) -> None:
        while not self._stop.wait(max(0.0, self._deadlines.next_after(time.monotonic()) - time.monotonic())):
            self._round()

    def _round(self) -> None:
        epoch, began = time.time(), time.monotonic()
        line: dict[str, Any] = {
            "round": self.rounds,
            "epoch_ms": int(epoch * 1000),
            "mono_ms": int(began * 1000),
            "asked_interval_ms": int(self.interval * 1000),
            "missed": self._deadlines.missed,
            "source": SOURCE,
        }
        try:
            line.update(self._reader.read())
        except (OSError, RuntimeError) as error:
            line["error"] = f"{type(error).__name__}: {error}"
        line["took_ms"] = round((time.monotonic() - began) * 1000, 3)
        with self.path.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(line, separators=(",", ":")) + "\n")
        self.rounds += 1


def sample_attempt(folder: Path, process_id: int) -> Callable[[], None]:
    """Start sampling into ``host-samples.jsonl`` of an attempt's folder; call what it returns when the trainer has
    ended.

    Fits the launcher's ``sampler`` argument (``training.launch``). The host is sampled as a whole, so ``process_id``
    is not read.
    """
    sampler = HostSampler(folder / HOST_SAMPLES).__enter__()
    return lambda: sampler.__exit__(None, None, None)
