"""Rounds of the device samplers, read from their raw files (formal-case.md 10.2). Standard library only, Python 3.8;
the runner carries it.

``read_rounds`` streams a file; ``last_round`` reads the newest whole round from its end, whatever the file's size.
Values have the metric names of the telemetry table; what is missing is null.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from autoresearch.telemetry.ascend_sampler import RAW_LOG
from autoresearch.telemetry.npu_smi import SYNTHETIC_MARKER, Device, parse
from autoresearch.telemetry.npu_smi_columns import NOT_AVAILABLE
from autoresearch.telemetry.nvidia_sampler import QUERY, SAMPLES

DEVICE_FILES = (RAW_LOG, SAMPLES)
NPU_SOURCE = "npu-smi"
BLOCK = 1 << 20
TAIL = 1 << 18
_STAMP = b"# ar epoch_ms="
_PAIR = re.compile(r"(\w+)=(\S+)")
_NVIDIA_NUMBERS = {
    "memory.used": "memory_used_mib",
    "memory.total": "memory_total_mib",
    "utilization.gpu": "utilization_percent",
    "power.draw": "power_watts",
    "temperature.gpu": "temperature_celsius",
}
_NVML_NUMBERS = tuple(_NVIDIA_NUMBERS.values())


class DeviceValues(NamedTuple):
    """One chip, card or MIG instance in one round."""

    device_id: str
    chip_id: str
    uuid: str | None
    values: dict[str, float | None]


class Round(NamedTuple):
    """One reading of all devices. ``epoch_ms`` UTC milliseconds, ``mono_ms`` of the host's monotonic clock.

    ``error`` says why there are no devices; ``field_errors`` counts cells that are not a number (not those that the
    tool itself calls unavailable), ``unparsed`` the device lines that were not understood.
    """

    epoch_ms: int
    mono_ms: int
    number: int
    took_ms: float
    missed: int
    asked_ms: int | None
    source: str
    devices: tuple[DeviceValues, ...]
    unparsed: int
    field_errors: int
    error: str | None
    synthetic: bool


def npu_values(device: Device) -> dict[str, float | None]:
    """The metrics of one Ascend chip; ``utilization_percent`` is the NPU's where the tool shows it, else AICore's."""
    used = device.npu_percent if device.npu_percent is not None else device.aicore_percent
    return {
        "hbm_used_mib": device.hbm_used_mib,
        "hbm_total_mib": device.hbm_total_mib,
        "aicore_utilization_percent": device.aicore_percent,
        "npu_utilization_percent": device.npu_percent,
        "memory_used_mib": device.memory_used_mib,
        "memory_total_mib": device.memory_total_mib,
        "utilization_percent": used,
        "power_watts": device.power_watts,
        "temperature_celsius": device.temperature_celsius,
    }


def _npu_round(block: bytes) -> Round | None:
    """A round from its stamp line and the output after it; null when the stamp is cut."""
    head, newline, output = block.partition(b"\n")
    stamp = dict(_PAIR.findall(head.decode("ascii", "replace")))
    try:
        epoch_ms, mono_ms, number = int(stamp["epoch_ms"]), int(stamp["mono_ms"]), int(stamp["round"])
        took_ms, missed, size = float(stamp["took_ms"]), int(stamp.get("missed", 0)), int(stamp.get("bytes", -1))
        asked_ms = int(stamp["asked_ms"]) if "asked_ms" in stamp else None
    except (KeyError, ValueError):
        return None
    if not newline and "bytes" not in stamp:
        return None
    reading = parse(output.decode("utf-8", "replace"))
    error = stamp.get("trouble") or reading.error
    cut = len(output) < size - 1  # the last newline may stand before the next stamp
    devices = (
        ()
        if cut
        else tuple(
            DeviceValues(str(each.device_id), str(each.chip_id), None, npu_values(each)) for each in reading.devices
        )
    )
    return Round(
        epoch_ms,
        mono_ms,
        number,
        took_ms,
        missed,
        asked_ms,
        NPU_SOURCE,
        devices,
        len(reading.unparsed),
        sum(each.reason != NOT_AVAILABLE for each in reading.field_errors),
        "cut" if cut else None if devices else error,
        reading.synthetic,
    )


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # a whole number of more than 308 digits
        return None


def _nvidia_line(text: str) -> DeviceValues | None:
    words = [word.strip() for word in text.split(",")]
    if len(words) != len(QUERY) or not words[0].isdigit():
        return None
    named = dict(zip(QUERY, words))  # noqa: B905 - Python 3.8
    values: dict[str, float | None] = {}
    for query, metric in _NVIDIA_NUMBERS.items():
        values[metric] = float(named[query]) if re.match(r"[0-9]{1,9}(\.[0-9]{1,6})?\Z", named[query]) else None
    return DeviceValues(named["index"], "0", named["uuid"], values)


def _json_round(line: bytes) -> Round | None:
    """A round of ``nvml-samples.jsonl``; null when the line is no such object."""
    try:
        content: dict[str, Any] = json.loads(line)
        epoch_ms, mono_ms, number = content["epoch_ms"], content["mono_ms"], content["round"]
        if not all(type(stamp) is int and abs(stamp) < 1 << 62 for stamp in (epoch_ms, mono_ms, number)):
            return None
        devices, unparsed, synthetic = [], 0, False
        for each in content.get("devices", []):
            values = {metric: _number(each.get(metric)) for metric in _NVML_NUMBERS}
            devices.append(DeviceValues(str(each["index"]), str(each.get("instance", "0")), str(each["uuid"]), values))
        for text in content.get("raw", []):
            device = _nvidia_line(str(text))
            if device is not None:
                devices.append(device)
            elif SYNTHETIC_MARKER in text:
                synthetic = True
            else:
                unparsed += 1
        asked, error = content.get("asked_interval_ms"), content.get("error")
        return Round(
            epoch_ms,
            mono_ms,
            number,
            _number(content.get("took_ms")) or 0.0,
            int(content.get("missed") or 0),
            asked if type(asked) is int else None,
            str(content.get("source", "nvml")),
            tuple(devices),
            unparsed,
            0,
            None if devices else str(error or ("synthetic" if synthetic else "no_device")),
            synthetic,
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None


def _raw_blocks(handle: BinaryIO) -> Iterator[bytes]:
    """Stamp line and output of each round as they stand in the file; text before the first stamp as a block of its
    own."""
    mark, rest, stamped = b"\n" + _STAMP, b"\n", False
    while True:
        more = handle.read(BLOCK)
        *whole, rest = (rest + more).split(mark)
        for part in whole if more else [*whole, rest]:
            if stamped or part.strip():
                yield _STAMP + part if stamped else part
            stamped = True
        if not more:
            return


def read_rounds(path: Path) -> Iterator[Round | None]:
    """The rounds of a raw device file in its order; null for each that is damaged. Raises ``OSError`` only."""
    with path.open("rb") as handle:
        if path.name == RAW_LOG:
            for block in _raw_blocks(handle):
                yield _npu_round(block)
        else:
            for line in handle:
                if line.strip():
                    yield _json_round(line)


def last_round(path: Path) -> Round | None:
    """The newest whole round of a raw device file; null when there is none yet. Reads at most 256 KiB."""
    try:
        with path.open("rb") as handle:
            size = handle.seek(0, 2)
            handle.seek(max(0, size - TAIL))
            tail = b"\n" + handle.read()
    except OSError:
        return None
    if path.name == RAW_LOG:
        parts = tail.split(b"\n" + _STAMP)
        found = (_npu_round(_STAMP + part) for part in reversed(parts[1:]))
    else:
        found = (_json_round(line) for line in reversed(tail.split(b"\n")) if line.strip())
    return next((each for each in found if each is not None and each.error not in ("cut", "synthetic")), None)
