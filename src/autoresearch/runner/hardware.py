"""Role ``inventory hardware``: which devices a host has, who holds them, driver and firmware (formal-case.md 2.4).

Text in, facts out: nothing is computed on a device here (that is ``device-op``). What a tool does not tell is None.
Standard library only, Python 3.8 grammar.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

from autoresearch.runner.machine import free_disk_bytes, versions
from autoresearch.runner.occupancy import (
    NVIDIA_QUERY,
    Holder,
    OccupancyError,
    ascend_holders,
    ask,
    nvidia_holders,
)
from autoresearch.runner.processes import describe
from autoresearch.telemetry.ascend_sampler import find_npu_smi
from autoresearch.telemetry.npu_smi import SYNTHETIC_MARKER, parse

GPU_QUERY = ("index", "uuid", "name", "memory.total", "memory.used", "driver_version")
ASCEND_ROOT = Path("/usr/local/Ascend")
VERSION = re.compile(r"^version=(\S+)", re.IGNORECASE | re.MULTILINE)


def read_hardware() -> dict[str, Any]:
    """Devices, holders and versions; ``error`` says why there are no devices where a tool is there and fails."""
    found: dict[str, Any] = {
        "accelerator": "cpu",
        "devices": [],
        "holders": [],
        "driver": None,
        "firmware": None,
        "unparsed_lines": 0,
        "error": None,
        "synthetic": False,
        "cores": os.cpu_count(),
        "memory_total_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "disk_free_bytes": free_disk_bytes(Path("/")),
        **versions(),
    }
    program = find_npu_smi()
    try:
        if program is not None:
            found.update(accelerator="ascend", **read_ascend(ask([program, "info"])))
        elif shutil.which("nvidia-smi"):
            devices = ask(["nvidia-smi", "--query-gpu=" + ",".join(GPU_QUERY), "--format=csv,noheader,nounits"])
            found.update(accelerator="nvidia", **read_nvidia(devices, ask(["nvidia-smi", *NVIDIA_QUERY])))
    except OccupancyError as error:
        found.update(accelerator="ascend" if program is not None else "nvidia", error=str(error))
    return found


def read_ascend(text: str) -> dict[str, Any]:
    """The facts in the output of ``npu-smi info``; driver and firmware from their version files."""
    reading = parse(text)
    devices = [
        {
            "id": each.device_id,
            "chip": each.chip_id,
            "uuid": None,
            "name": each.name,
            "health": each.health,
            "memory_total_mib": each.memory_total_mib,
            "memory_used_mib": each.memory_used_mib,
        }
        for each in reading.devices
    ]
    return {
        "devices": devices,
        "holders": [_told(each) for each in ascend_holders(text)] if devices else [],
        "driver": _version(ASCEND_ROOT / "driver" / "version.info") or reading.version,
        "firmware": _version(ASCEND_ROOT / "firmware" / "version.info"),
        "unparsed_lines": len(reading.unparsed),
        "error": reading.error,
        "synthetic": reading.synthetic,
    }


def read_nvidia(devices: str, processes: str) -> dict[str, Any]:
    """The facts in the answers of ``nvidia-smi`` to ``GPU_QUERY`` and ``NVIDIA_QUERY``."""
    found, driver, unparsed = [], None, 0
    for line in devices.splitlines():
        words = [word.strip() for word in line.split(",")]
        if len(words) != len(GPU_QUERY) or not words[0].isdigit():
            unparsed += bool(line.strip()) and SYNTHETIC_MARKER not in line
            continue
        index, uuid, name, total, used, driver = words
        found.append(
            {
                "id": int(index),
                "chip": 0,
                "uuid": uuid,
                "name": name,
                "health": None,
                "memory_total_mib": _number(total),
                "memory_used_mib": _number(used),
            }
        )
    return {
        "devices": found,
        "holders": [_told(each) for each in nvidia_holders(processes)],
        "driver": driver,
        "unparsed_lines": unparsed,
        "error": None if found else "nvidia-smi shows no device",
        "synthetic": SYNTHETIC_MARKER in devices,
    }


def _told(holder: Holder) -> dict[str, Any]:
    return {"device": holder.device, **describe(holder.pid, holder.memory_mib)}


def _number(text: str) -> float | None:
    return float(text) if re.match(r"[0-9]{1,9}(\.[0-9]{1,6})?\Z", text) else None


def _version(path: Path) -> str | None:
    try:
        match = VERSION.search(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    return match.group(1) if match else None
