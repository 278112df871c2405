"""What this machine offers to a launch: versions, devices, memory, disk. Imports without torch."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib import metadata
from pathlib import Path
from typing import Literal

PACKAGES = (
    "autoresearch",
    "torch",
    "verl",
    "transformers",
    "tokenizers",
    "tensordict",
    "ray",
    "TransferQueue",
    "torchdata",
    "hydra-core",
    "omegaconf",
    "peft",
    "accelerate",
    "numpy",
    "vllm",
    "flash-linear-attention",
    "fla-core",
    "causal-conv1d",
    "flash-attn",
    "triton",
    "tilelang",
)


def versions() -> dict[str, str]:
    """Installed versions of the training stack, Python included; packages that are absent are left out."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def find_device() -> Literal["cpu", "cuda", "npu"]:
    """``cuda``, ``npu`` or ``cpu``, from the device files; nothing heavy is imported."""
    if any(Path("/dev").glob("nvidia[0-9]*")):
        return "cuda"
    if any(Path("/dev").glob("davinci[0-9]*")):
        return "npu"
    return "cpu"


def cpu_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def memory_bytes() -> tuple[int, int]:
    """Total and available main memory, limited by the control group where it has a limit."""
    total = available = 0
    meminfo = Path("/proc/meminfo")
    if meminfo.is_file():
        fields = dict(line.split(":", 1) for line in meminfo.read_text().splitlines() if ":" in line)
        total = int(fields["MemTotal"].split()[0]) * 1024
        available = int(fields.get("MemAvailable", "0 kB").split()[0]) * 1024
    limit, used = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
    if limit.is_file() and used.is_file() and limit.read_text().strip().isdigit():
        ceiling = int(limit.read_text())
        total = min(total, ceiling) if total else ceiling
        available = min(available, max(0, ceiling - int(used.read_text())))
    return total, available


def free_disk_bytes(path: Path) -> int:
    """Free bytes of the file system that would hold ``path`` (its nearest existing parent is asked)."""
    folder = path.absolute()
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def interpreter() -> str:
    """The Python that a launch starts."""
    return sys.executable
