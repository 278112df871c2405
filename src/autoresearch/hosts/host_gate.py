"""``gate host`` in the environment of a host's rows, by the code that was sent there (formal-case.md 4.1).

The verdict that a plan was made with speaks of the plan's machine. On another one, or in a container, the gate is
asked again: versions, plug-in and seams as rows see them, device, memory, disk, limits. Our code is sent; what it
imports must be installed there.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from autoresearch.errors import InfrastructureError, RefusedError
from autoresearch.findings import finding
from autoresearch.hosts.containers import DOCKER, ENTRY, device_arguments
from autoresearch.hosts.protocol import Host
from autoresearch.hosts.row_spec import RowDevice
from autoresearch.hosts.rows import ENTRY_SCRIPT
from autoresearch.hosts.stack_checks import TORCH_NAMES, visibility
from autoresearch.verdict import Verdict, read_verdict

GATE_SECONDS = 1800.0
VERDICT_BYTES = 1 << 22


@dataclass(frozen=True)
class RowPython:
    """The environment of rows on a host, before any row."""

    accelerator: Literal["ascend", "nvidia", "cpu"]
    devices: Sequence[RowDevice]
    python: str
    python_path: Sequence[str]
    read_only: Sequence[str] = ()
    image: str | None = None
    """None: the host's own Python."""
    reuse: str | None = None
    present: frozenset[str] = frozenset()

    def command(self, folder: str, *words: str) -> list[str]:
        """The command line of its Python with ``words``, able to write into ``folder``, which holds the entry script of
        containers: the toolkit's variables are set as for a row."""
        shown = {**visibility(self.accelerator, self.devices), "PYTHONPATH": ":".join(self.python_path)}
        shown |= {"HF_HUB_OFFLINE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        pairs = [f"{name}={value}" for name, value in shown.items()]
        if self.image is None:
            return ["env", *pairs, self.python, *words]
        given = [word for pair in pairs for word in ("--env", pair)]
        entered = [f"{folder}/{ENTRY}", folder, "python3", *words]
        if self.reuse is not None:
            return [DOCKER, "exec", "--workdir", folder, *given, self.reuse, "bash", *entered]
        argv = [DOCKER, "run", "--rm", "--network=host", "--shm-size=64g", "--ulimit", "nofile=65535"]
        argv += device_arguments(self.accelerator, self.devices, self.present)
        argv += ["--volume", f"{folder}:{folder}", "--workdir", folder]
        for path in dict.fromkeys(self.read_only):
            argv += ["--volume", f"{path}:{path}:ro"]
        return [*argv, *given, "--entrypoint", "bash", self.image, *entered]


def gates_folder(host: Host) -> str:
    """Where a gate's verdict lies until it is read; a container must be able to write there."""
    return f"{host.workdir}/autoresearch/gates"


def ask_host_gate(
    host: Host, row: RowPython, use: Literal["sft", "rl"], engine: str, scratch: Path, model: str | None = None
) -> Verdict:
    """The verdict of ``gate host`` there; it passed. ``engine``: empty for SFT. ``scratch``: a folder here. ``model``:
    its folder there, for what depends on its class.

    Raises ``RefusedError`` (V312) with what failed and its remedies, ``InfrastructureError`` when the gate gave none.
    """
    folder = f"{gates_folder(host)}/{uuid.uuid4().hex[:12]}"
    made = host.run(["mkdir", "-p", folder])
    if not made.ok:
        raise InfrastructureError(f"{host.name}: {folder} cannot be made: {made.stderr.strip()}")
    device = TORCH_NAMES[row.accelerator]
    words = ["-m", "autoresearch", "gate", "host", "--for", use, "--device", device]
    words += ["--model", model] if model is not None else []
    words += ["--gpus", str(max(1, len(row.devices))), *(["--engine", engine] if engine else [])]
    try:
        if row.image is not None:
            host.put(ENTRY_SCRIPT, f"{folder}/{ENTRY}")
        done = host.run(row.command(folder, *words, "--out", f"{folder}/host.json"), timeout=GATE_SECONDS, cwd=folder)
        data = host.read_small(f"{folder}/host.json", VERDICT_BYTES)
    finally:
        host.run(["rm", "-rf", "--", folder])
    if data is None:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.exit_code}"])[-1]
        raise InfrastructureError(f"{host.name}: gate host gave no verdict with the code that was sent: {last}")
    scratch.mkdir(parents=True, exist_ok=True)
    place = scratch / "host.json"
    place.write_bytes(data)
    verdict = read_verdict(place)
    if not verdict.passed:
        raise _refusal(host.name, verdict)
    return verdict


def _refusal(server: str, verdict: Verdict) -> RefusedError:
    failed = [each for each in verdict.numbers.get("table", []) if each.get("status") == "failed"]
    told = "; ".join(f"{each['check']}: {each['found']}, needed: {each['needed']}" for each in failed)
    remedy = "; ".join(dict.fromkeys(str(each["remedy"]) for each in failed if each.get("remedy")))
    item = finding(
        "V312", place=server, value=verdict.status, rule=f"is what gate host says there: {told}", remedy=remedy
    )
    return RefusedError(item.message(), [item])
