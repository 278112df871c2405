"""What the interpreter of a launch sees: versions, plug-in, seams, kernels. ``python -m autoresearch.training.probe``.

Plans ask this in a child process, because the answer needs verl and torch, and a plan must not (training.md 5.3: T001,
T002, T009). Prints one JSON object on standard output, after whatever the imports print.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from typing import Any

from autoresearch.errors import InfrastructureError

MARK = "AUTORESEARCH-PROBE "
TIMEOUT_SECONDS = 180


@dataclass(frozen=True)
class Probe:
    """What a child interpreter with the launch's environment found."""

    entry_point: bool
    """The plug-in's entry point is visible."""
    plugin_state: str
    """``loaded``, or what went wrong."""
    seams: tuple[str, ...]
    """One sentence for each seam that differs; empty when all are as expected."""
    flash_attention: bool
    linear_attention: bool
    """flash-linear-attention is importable."""
    verl: str
    trl: str = ""
    """Version of a trl that verl cannot import from, else empty: verl looks for it and breaks on newer ones."""


def unusable_trl() -> str:
    """The version of an installed trl that lacks the class verl 0.9.1 takes from it; empty when absent or usable."""
    if find_spec("trl") is None:
        return ""
    for module in ("trl.experimental.ppo", "trl"):
        try:
            if hasattr(importlib.import_module(module), "AutoModelForCausalLMWithValueHead"):
                return ""
        except ImportError:
            continue
    return metadata.version("trl")


def look() -> dict[str, Any]:
    """Look around in this process. Imports verl."""
    points = metadata.entry_points(group="verl.plugins")
    found: dict[str, Any] = {
        "entry_point": any(point.name == "autoresearch" for point in points),
        "plugin_state": "verl is not installed",
        "seams": [],
        "flash_attention": find_spec("flash_attn") is not None,
        "linear_attention": find_spec("fla") is not None,
        "verl": "",
        "trl": "",
    }
    try:
        found["verl"] = metadata.version("verl")
    except metadata.PackageNotFoundError:
        return found
    try:
        importlib.import_module("verl")  # loads the plug-in by its entry point
        from autoresearch.training import plugin
        from autoresearch.training.plugin import seams

        found["plugin_state"] = plugin.STATE
        found["seams"] = [
            f"{item.seam.title} differs from the checked source" for item in seams.check() if not item.same
        ]
        found["trl"] = unusable_trl()
    except Exception as error:
        found["plugin_state"] = f"failed: {type(error).__name__}: {error}"
    return found


def ask(interpreter: str, environment: Mapping[str, str]) -> Probe:
    """Run ``look`` in ``interpreter`` with ``environment`` added. Raises ``InfrastructureError`` when it cannot run."""
    command = [interpreter, "-m", "autoresearch.training.probe"]
    try:
        done = subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=TIMEOUT_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InfrastructureError(f"{interpreter} could not be asked for its versions: {error}") from error
    lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
    if done.returncode != 0 or not lines:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return Probe(False, f"failed: {last}", (), False, False, "")
    content = json.loads(lines[-1][len(MARK) :])
    return Probe(
        entry_point=content["entry_point"],
        plugin_state=content["plugin_state"],
        seams=tuple(content["seams"]),
        flash_attention=content["flash_attention"],
        linear_attention=content["linear_attention"],
        verl=content["verl"],
        trl=content["trl"],
    )


if __name__ == "__main__":
    answer = look()
    sys.stdout.flush()
    print(MARK + json.dumps(answer))
