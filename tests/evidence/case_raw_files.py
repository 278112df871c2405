"""Raw files of an attempt in the documented formats: dumps of one prompt group, samples of devices and host."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from npu_smi_texts import chip_values, separated

START_MS = 1_795_000_000_000
SECONDS = 60
Accelerator = Literal["ascend", "nvidia", "cpu"]


def put_dump(path: Path, answers: Sequence[tuple[str, str, float]]) -> None:
    """A dump of one prompt group, one line a sample."""
    path.parent.mkdir(exist_ok=True)
    lines = [
        {"uid": f"q_{number}_0", "input": f"<image> q{number}", "output": output, "gts": truth, "score": score}
        for number, (output, truth, score) in enumerate(answers)
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))


def write_samples(folder: Path, accelerator: Accelerator, devices: int = 1, gap: tuple[int, int] = (0, 0)) -> None:
    """Devices sampled once a second, but for the seconds of the gap."""
    numbers = [number for number in range(SECONDS + 1) if not gap[0] < number < gap[1]]
    if accelerator == "ascend":
        parts = []
        for number in numbers:
            text = separated([chip_values(device, number) for device in range(devices)])
            stamp = f"epoch_ms={START_MS + number * 1000} mono_ms={1000 + number * 1000} round={number}"
            parts.append(f"# ar {stamp} took_ms=20 missed=0 asked_ms=1000 bytes={len(text.encode())}\n{text}")
        (folder / "npu-smi-watch.raw.log").write_text("".join(parts))
    elif accelerator == "nvidia":
        lines = []
        for number in numbers:
            stamps = {"epoch_ms": START_MS + number * 1000, "mono_ms": 1000 + number * 1000, "round": number}
            more = {"took_ms": 1.0, "missed": 0, "asked_interval_ms": 1000, "source": "nvml"}
            device = {"index": 0, "uuid": "GPU-1", "memory_used_mib": 900.0 + number, "memory_total_mib": 143771.0}
            device |= {"utilization_percent": float(number % 90), "power_watts": 300.5, "temperature_celsius": 40.0}
            lines.append(json.dumps({**stamps, **more, "devices": [device]}) + "\n")
        (folder / "nvml-samples.jsonl").write_text("".join(lines))


def write_host_samples(folder: Path) -> None:
    """The host sampled once a second."""
    lines = []
    for number in range(SECONDS + 1):
        used = (3 << 30) + number * (1 << 20)
        line = {
            "round": number,
            "epoch_ms": START_MS + number * 1000,
            "mono_ms": 1000 + number * 1000,
            "asked_interval_ms": 1000,
            "missed": 0,
            "source": "proc",
            "memory_total_bytes": 24 << 30,
            "memory_used_bytes": used,
            "cpu_utilization_percent": 50.0 + (number * 7) % 45,
            "disk_free_bytes": (100 << 30) - number * 4096,
            "took_ms": 0.8,
        }
        lines.append(json.dumps(line) + "\n")
    (folder / "host-samples.jsonl").write_text("".join(lines))
