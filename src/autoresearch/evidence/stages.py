"""The stages of a restoration, run from Python as ``restore/rebuild-all.sh`` runs them (formal-case.md 9.7)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError
from autoresearch.evidence.bundle import Bundle

STAGES = {
    "wandb": "rebuild_wandb",
    "prometheus": "replay_prometheus",
    "environment": "rebuild_environment",
}
"""Stage -> artefact that is its script. ``verify`` and ``report`` need none."""
SECONDS = 3600.0


def stages_of(bundle: Bundle) -> list[str]:
    """The stages that a bundle has something for, in their order."""
    known = bundle.manifest.artifact_layout.artifacts
    scripts = [stage for stage, artifact in STAGES.items() if artifact in known and bundle.path(artifact).is_file()]
    last = [stage for stage in scripts if stage == "environment"]
    return ["verify", *(stage for stage in scripts if stage not in last), "report", *last]


def chosen_stages(bundle: Bundle, only: Sequence[str]) -> list[str]:
    """The stages to run. Raises ``InputError`` for one that the bundle does not have."""
    there = stages_of(bundle)
    for stage in only:
        if stage not in there:
            raise InputError(f"--only {stage}: {bundle.root} has no such stage; there are {', '.join(there)}")
    return [stage for stage in there if not only or stage in only]


def run_script(bundle: Bundle, stage: str, work: Path) -> dict[str, Any]:
    """Run the script of a stage in ``work``; ``{stage, ok, exit_code, message}`` with its last line."""
    words = ["--files"] if stage == "wandb" and not os.environ.get("WANDB_BASE_URL") else []
    program = Path(sys.executable).with_name("autoresearch")
    environment = {
        **os.environ,
        "RESTORE_DIR": str(work),
        "PYTHON": sys.executable,
        "AUTORESEARCH": str(program) if program.is_file() else "autoresearch",
    }
    done = subprocess.run(
        ["bash", str(bundle.path(STAGES[stage])), *words],
        capture_output=True,
        text=True,
        env=environment,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        check=False,
    )
    lines = (done.stdout + done.stderr).strip().splitlines()
    message = lines[-1] if lines else ""
    return {"stage": stage, "ok": done.returncode == 0, "exit_code": done.returncode, "message": message}
