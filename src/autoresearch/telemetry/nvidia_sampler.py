"""The NVIDIA sampler: NVML through ``pynvml.py`` found at run time, else ``nvidia-smi`` (formal-case.md 10.2). Standard
library only, Python 3.8; the runner carries it.

``nvml-samples.jsonl`` holds one JSON line a round. Source ``nvml``: ``devices`` with numbers. Source ``nvidia-smi``:
``raw``, the untouched lines of that round, in the order of ``QUERY``. MiB, percent, watts, degrees Celsius, MHz.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from autoresearch.telemetry.bounded_call import end_group
from autoresearch.telemetry.schedule import Stop, run_rounds

SAMPLES = "nvml-samples.jsonl"
QUERY = (
    "index",
    "uuid",
    "name",
    "memory.used",
    "memory.total",
    "utilization.gpu",
    "utilization.memory",
    "power.draw",
    "temperature.gpu",
    "clocks.sm",
)
QUIET_SECONDS = 5.0
MIB = 1 << 20


class NvmlReader:
    """Reads all devices through NVML. A value that the driver refuses once is not asked for again."""

    def __init__(self, nvml: ModuleType) -> None:
        self._nvml = nvml
        nvml.nvmlInit()
        self._refused: set[tuple[str, str]] = set()
        self._form = (nvml.nvmlMemory_v2,) if hasattr(nvml, "nvmlMemory_v2") else ()
        """The second form of the memory reading leaves out what the driver keeps for itself, as nvidia-smi does."""
        self._units: list[tuple[str, str, str, Any, bool | None]] = []
        """index, instance, uuid, handle, and whether it is a whole card (true), a MIG instance (false) or the card
        around instances (null)."""
        for index in range(nvml.nvmlDeviceGetCount()):
            handle = nvml.nvmlDeviceGetHandleByIndex(index)
            instances = self._instances(handle)
            self._units.append((str(index), "0", self._uuid(handle), handle, None if instances else True))
            self._units.extend((str(index), str(n), self._uuid(each), each, False) for n, each in enumerate(instances))
        self._names = {
            uuid: _text(self._ask(uuid, nvml.nvmlDeviceGetName, handle)) for _, _, uuid, handle, _ in self._units
        }

    def _uuid(self, handle: Any) -> str:
        return _text(self._nvml.nvmlDeviceGetUUID(handle)) or ""

    def _instances(self, handle: Any) -> list[Any]:
        nvml, found = self._nvml, []
        try:
            if nvml.nvmlDeviceGetMigMode(handle)[0] != nvml.NVML_DEVICE_MIG_ENABLE:
                return []
            for number in range(nvml.nvmlDeviceGetMaxMigDeviceCount(handle)):
                try:
                    found.append(nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, number))
                except nvml.NVMLError:
                    continue
        except nvml.NVMLError:
            return []
        return found

    def _ask(self, uuid: str, function: Callable[..., Any], *arguments: Any) -> Any:
        key = (uuid, function.__name__)
        if key in self._refused:
            return None
        try:
            return function(*arguments)
        except self._nvml.NVMLError_NotSupported:
            self._refused.add(key)
        except self._nvml.NVMLError:
            pass
        return None

    def read(self) -> list[dict[str, Any]]:
        """One reading of every device and MIG instance; null where the driver gives no value."""
        return [self._read(*unit) for unit in self._units]

    def _read(self, index: str, instance: str, uuid: str, handle: Any, whole: bool | None) -> dict[str, Any]:
        nvml = self._nvml
        found: dict[str, Any] = {
            "index": index,
            "instance": instance,
            "uuid": uuid,
            "name": self._names[uuid],
            "mig": not whole,
        }
        memory = self._ask(uuid, nvml.nvmlDeviceGetMemoryInfo, handle, *self._form) if whole is not None else None
        found["memory_used_mib"] = None if memory is None else round(memory.used / MIB, 3)
        found["memory_total_mib"] = None if memory is None else round(memory.total / MIB, 3)
        rates = self._ask(uuid, nvml.nvmlDeviceGetUtilizationRates, handle) if whole else None
        found["utilization_percent"] = None if rates is None else rates.gpu
        found["memory_utilization_percent"] = None if rates is None else rates.memory
        if whole is not False:
            power = self._ask(uuid, nvml.nvmlDeviceGetPowerUsage, handle)
            found["power_watts"] = None if power is None else power / 1000
            found["temperature_celsius"] = self._ask(
                uuid, nvml.nvmlDeviceGetTemperature, handle, nvml.NVML_TEMPERATURE_GPU
            )
            found["sm_clock_mhz"] = self._ask(uuid, nvml.nvmlDeviceGetClockInfo, handle, nvml.NVML_CLOCK_SM)
            found["throttle_reasons"] = self._ask(uuid, nvml.nvmlDeviceGetCurrentClocksThrottleReasons, handle)
        return found


def _text(value: object) -> str | None:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else None if value is None else str(value)


def open_nvml() -> NvmlReader | str:
    """A reader, or why there is none."""
    try:
        import pynvml  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        return f"pynvml: {error}"
    try:
        return NvmlReader(pynvml)
    except pynvml.NVMLError as error:
        return f"NVML: {error}"


def sample_nvidia(folder: Path, interval: float = 0.5, stop: Stop | None = None) -> int:
    """Append rounds to ``nvml-samples.jsonl`` of ``folder`` every ``interval`` seconds until ``stop``.

    Returns their number.

    Without NVML, ``nvidia-smi --query-gpu=… -lms`` is read; if that is silent for 5 s it is killed and the function
    raises ``RuntimeError``, so that whoever started the process starts it again.
    """
    stop = stop or Stop()
    reader = open_nvml()
    with (folder / SAMPLES).open("a", encoding="utf-8") as log:
        if isinstance(reader, str):
            return _Stream(log.write, log.flush, interval, reader).run(stop)

        def one_round(number: int, missed: int) -> None:
            line = _head(number, missed, interval, "nvml")
            began = time.monotonic()
            line["devices"] = reader.read()
            line["took_ms"] = round((time.monotonic() - began) * 1000, 3)
            _append(log.write, log.flush, line)

        return run_rounds(interval, stop, one_round)


def _head(number: int, missed: int, interval: float, source: str) -> dict[str, Any]:
    return {
        "round": number,
        "epoch_ms": int(time.time() * 1000),
        "mono_ms": int(time.monotonic() * 1000),
        "asked_interval_ms": int(interval * 1000),
        "missed": missed,
        "source": source,
    }


def _append(write: Callable[[str], object], flush: Callable[[], None], line: dict[str, Any]) -> None:
    try:
        write(json.dumps(line, separators=(",", ":")) + "\n")
        flush()
    except OSError:
        pass  # the disk is full: the round is lost and shows as a gap


class _Stream:
    """Rounds out of the lines that one ``nvidia-smi`` prints; a round ends where an index comes again."""

    def __init__(self, write: Callable[[str], object], flush: Callable[[], None], interval: float, why: str) -> None:
        self._write, self._flush, self._interval, self._why = write, flush, interval, why
        self._round: dict[str, Any] | None = None
        self._seen: set[str] = set()
        self.rounds = 0

    def run(self, stop: Stop) -> int:
        program = shutil.which("nvidia-smi")
        if program is None:
            _append(
                self._write,
                self._flush,
                {**_head(0, 0, self._interval, "nvml"), "error": f"{self._why}; no nvidia-smi"},
            )
            stop.wait(QUIET_SECONDS)
            raise RuntimeError(f"{self._why}; no nvidia-smi")
        argv = [
            program,
            "--query-gpu=" + ",".join(QUERY),
            "--format=csv,noheader,nounits",
            "-lms",
            str(int(self._interval * 1000)),
        ]
        child = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        )
        assert child.stdout is not None
        try:
            self._lines(child.stdout.fileno(), stop)
        finally:
            end_group(child)
            child.stdout.close()
            self._end_round()
        if not stop.wait(0):
            raise RuntimeError(f"nvidia-smi ended or was silent for {QUIET_SECONDS} s")
        return self.rounds

    def _lines(self, source: int, stop: Stop) -> None:
        rest, heard = b"", time.monotonic()
        while not stop.wait(0):
            if not select.select([source], [], [], 0.25)[0]:
                if time.monotonic() - heard > QUIET_SECONDS:
                    return
                continue
            block = os.read(source, 1 << 16)
            if not block:
                return
            heard = time.monotonic()
            *whole, rest = (rest + block).split(b"\n")
            for line in whole:
                self._line(line.decode("utf-8", "replace").strip())
            rest = rest[-65536:]

    def _line(self, text: str) -> None:
        index = text.split(",", 1)[0]
        if self._round is None or index in self._seen:
            self._end_round()
            self._round = {**_head(self.rounds, 0, self._interval, "nvidia-smi"), "took_ms": 0, "raw": []}
        self._seen.add(index)
        self._round["raw"].append(text)

    def _end_round(self) -> None:
        if self._round is not None:
            _append(self._write, self._flush, self._round)
            self.rounds += 1
        self._round = None
        self._seen = set()
