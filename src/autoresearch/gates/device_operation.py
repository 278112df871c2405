"""Does the device really compute? A chain of operations on every device and a collective, in a process of its own
(training.md 8.3, formal-case.md 2.4).

Standard library only until it runs, Python 3.8 grammar: the runner carries this file as its role ``device-op``. Run
as a program it prints one JSON object: device, ok, count, name, capability, memory_bytes, driver, matmul, collective,
devices (place and answer of each), repeats, seconds, error.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SIZE = 256
TIMEOUT_SECONDS = 180


def operate(device: str, seconds: float = 0.0) -> dict[str, Any]:
    """Compute on every visible device, once and then for ``seconds``, and sum over a group of one process.

    Imports torch; which devices are visible is the environment's business. ``ok`` only if every answer was right.
    """
    found: dict[str, Any] = {
        "device": device,
        "ok": False,
        "count": 0,
        "name": "",
        "capability": None,
        "memory_bytes": 0,
        "driver": "",
        "matmul": False,
        "collective": False,
        "devices": [],
        "repeats": 0,
        "seconds": 0.0,
        "error": "",
    }
    began = time.monotonic()
    try:
        import torch

        if device == "npu":
            importlib.import_module("torch_npu")  # registers the device with torch
        found.update(_describe(torch, device))
        places = _places(device, int(found["count"]))
        right = {place: _computes(torch, device, place) for place in places}
        found["repeats"], began = 1, time.monotonic()  # the first time loads and compiles
        while time.monotonic() - began < seconds and all(right.values()):
            right = {place: _computes(torch, device, place) for place in places}
            found["repeats"] += 1
        found["devices"] = [{"place": place, "ok": answer} for place, answer in right.items()]
        found["matmul"] = all(right.values())
        found["collective"] = _collective(torch, device)
        found["ok"] = bool(found["matmul"] and found["collective"] and found["count"])
    except Exception as error:  # whatever the device does wrong is the answer
        found["error"] = "{}: {}".format(type(error).__name__, str(error).splitlines()[0] if str(error) else "")
    found["seconds"] = round(time.monotonic() - began, 3)
    return found


def _places(device: str, count: int) -> list[str]:
    return ["cpu"] if device == "cpu" else [f"{device}:{index}" for index in range(count)]


def _describe(torch: Any, device: str) -> dict[str, Any]:
    if device == "cpu":
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return {"count": 1, "name": "cpu", "memory_bytes": pages, "driver": "torch " + torch.__version__}
    module = getattr(torch, device)
    count = module.device_count()
    if not count:
        return {"count": 0}
    properties = module.get_device_properties(0)
    described = {"count": count, "name": str(properties.name), "memory_bytes": int(properties.total_memory)}
    if device == "cuda":
        described["capability"] = list(module.get_device_capability(0))
        described["driver"] = f"cuda {torch.version.cuda}"
    return described


def _computes(torch: Any, device: str, place: str) -> bool:
    """Allocate, fill, concatenate, multiply, reduce, synchronise, copy back, compare with the processor's answer.

    A bare copy to the device and back would pass on a device that cannot run a kernel.
    """
    generator = torch.Generator().manual_seed(0)
    left = torch.randn(SIZE, SIZE, generator=generator)
    right = torch.randn(SIZE, SIZE, generator=generator)
    filled = torch.empty(SIZE, SIZE, device=place).fill_(0.5)
    product = left.to(place) @ torch.cat([right.to(place), filled], dim=1)
    total = product.sum(dim=1)
    if device != "cpu":
        getattr(torch, device).synchronize(place)
    wanted = left @ torch.cat([right, torch.full((SIZE, SIZE), 0.5)], dim=1)
    near = 1e-2 if place != "cpu" else 1e-4
    same = torch.allclose(product.cpu(), wanted, atol=near)
    return bool(same and torch.allclose(total.cpu(), wanted.sum(dim=1), atol=near * SIZE))


def _collective(torch: Any, device: str) -> bool:
    distributed = torch.distributed
    backend = {"cpu": "gloo", "cuda": "nccl", "npu": "hccl"}[device]
    with tempfile.TemporaryDirectory() as folder:
        store = distributed.FileStore(str(Path(folder) / "store"), 1)
        distributed.init_process_group(backend, store=store, rank=0, world_size=1)
        try:
            value = torch.ones(8, device="cpu" if device == "cpu" else device + ":0")
            distributed.all_reduce(value)
            return bool((value.cpu() == 1).all())
        finally:
            distributed.destroy_process_group()


def operate_in_child(device: str, interpreter: str = sys.executable) -> dict[str, Any]:
    """``operate`` in a fresh process: a driver that hangs or dies takes that one with it."""
    command = [interpreter, "-P", str(Path(__file__).resolve()), device]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return {"device": device, "ok": False, "count": 0, "error": f"no answer: {error}"}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"device": device, "ok": False, "count": 0, "error": f"exit code {done.returncode}: {last}"}
    answer = json.loads(lines[-1])
    return answer if isinstance(answer, dict) else {"device": device, "ok": False, "count": 0, "error": "no object"}


if __name__ == "__main__":
    print(json.dumps(operate(sys.argv[1] if len(sys.argv) > 1 else "cpu")))
