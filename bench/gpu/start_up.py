"""Line 9: from ``train --plan`` to the first optimizer step, with nothing compiled and with everything compiled.

    python bench/gpu/start_up.py [--rounds 2] [--work DIR]

Cold: Python's byte-code and the kernels of triton and tilelang go to empty folders. Compiled: the same folders, filled
by the cold start. Each start is a smoke run of one step with preset ``gpu``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from card import arguments, number, require_card, write
from launches import launch, make_inputs, workplace

CACHES = {"PYTHONPYCACHEPREFIX": "bytecode", "TRITON_CACHE_DIR": "triton", "TILELANG_CACHE_DIR": "tilelang"}


def main() -> None:
    """Measure, print, write."""
    parser = arguments(9, __doc__, rehearsable=True)
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    device = require_card(given)
    seconds: dict[str, list[float]] = {"cold": [], "compiled": []}
    plans: dict[str, str] = {}
    with workplace(given) as work:
        inputs = make_inputs(work, "mini" if given.rehearse else "gpu", device["kind"])
        words = ["--release", inputs.trajectory, "--model", inputs.model, "--verdicts", inputs.verdicts]
        words += ["--device", device["kind"], "--gpus", given.gpus, "--purpose", "smoke", "--eval-every", 0]
        words += ["--steps", 1, "--batch", 8, "--micro-batch", 8]
        for turn in range(given.rounds):
            folder = Path(work) / f"caches-{turn}"
            environment = {**os.environ, **{name: str(folder / place) for name, place in CACHES.items()}}
            for name in seconds:
                done = launch("sft", work / f"start-{turn}-{name}", *words, environment=environment)
                seconds[name].append(done.reached[1] - done.started)
                plans[f"{name} {turn + 1}"] = done.plan_sha256
    numbers: dict[str, Any] = {f"first step, {name}": number(found, "s") for name, found in seconds.items()}
    write(given, device, numbers, plans=plans, settings={"rounds": given.rounds, "kind": "sft"})


if __name__ == "__main__":
    main()
