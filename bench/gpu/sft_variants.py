"""Line 3: the same SFT run with packing on and off, LoRA and full, answer weight 1 and 8.

    python bench/gpu/sft_variants.py [--shape gpu] [--steps 12] [--work DIR]

Packing is the plan's own decision: on where the host verdict holds a passed leak test of the model, off where it holds
none. Each variant differs from the first in one thing.
"""

from __future__ import annotations

from typing import Any

from card import arguments, require_card, write
from launches import launch, make_inputs, workplace
from sft import parameters_of, speeds

KEPT = ("step", "tokens", "loss tokens", "memory allocated")
VARIANTS: dict[str, tuple[object, ...]] = {
    "full, weight 1": (),
    "packing off": (),
    "LoRA 32": ("--lora", 32),
    "weight 8": ("--answer-weight", 8),
}


def main() -> None:
    """Measure, print, write."""
    parser = arguments(3, __doc__, rehearsable=True)
    parser.add_argument("--shape", default="gpu")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--micro-batch", type=int, default=8)
    given = parser.parse_args()
    device = require_card(given)
    numbers: dict[str, Any] = {}
    plans: dict[str, str] = {}
    facts: dict[str, str] = {}
    with workplace(given) as work:
        for at, (name, words) in enumerate(VARIANTS.items()):
            inputs = make_inputs(work, given.shape, device["kind"], packing=name != "packing off")
            fixed = ["--release", inputs.trajectory, "--model", inputs.model, "--verdicts", inputs.verdicts]
            fixed += ["--device", device["kind"], "--gpus", given.gpus, "--purpose", "practice", "--eval-every", 0]
            fixed += ["--steps", given.steps, "--batch", given.batch, "--micro-batch", given.micro_batch]
            done = launch("sft", work / f"variant-{at}", *fixed, *words)
            found = speeds(done, parameters_of(done), given.gpus)
            numbers |= {f"{name}, {key}": found[key] for key in KEPT}
            plans[name] = done.plan_sha256
            facts[name] = f"{done.status}, packing {'on' if done.plan['settings']['packs'] else 'off'}"
    settings = {"shape": given.shape, "steps": given.steps, "batch": given.batch, "micro_batch": given.micro_batch}
    write(given, device, numbers, plans=plans, facts=facts, settings=settings)


if __name__ == "__main__":
    main()
