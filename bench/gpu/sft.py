"""Line 2: SFT by the product's own plan, preset ``gpu`` and a model of 2 B shape, rows of the example.

    python bench/gpu/sft.py [--shapes gpu 2b] [--steps 12] [--gpus 2] [--work DIR]

Tokens/s are those that verl counted, over the steps after the second (the first compile kernels). Loss tokens/s are the
part of them that is in the loss. Utilisation is our own count, 6 operations a parameter and token, against the measured
matmul and the datasheet; verl's is 0 for classes that it does not know.
"""

from __future__ import annotations

from typing import Any

from card import arguments, number, require_card, write
from launches import Launch, launch, make_inputs, trained_share, workplace

SKIPPED = 2
CEILINGS = {"of 788 TFLOP/s": 788e12, "of 989 TFLOP/s": 989e12}


def speeds(done: Launch, parameters: int, gpus: int) -> dict[str, Any]:
    """Numbers of a finished SFT run. Raises ``RuntimeError`` when it has no step after those that are skipped."""
    seconds = done.step_seconds(SKIPPED)
    tokens = done.values("train/global_tokens", SKIPPED)[: len(seconds)]
    if not seconds:
        raise RuntimeError(f"{done.run}: {len(done.reached)} steps were logged; ask for more than {SKIPPED + 1}")
    rates = [count / spent for count, spent in zip(tokens, seconds, strict=True)]
    share = trained_share(done.run)
    numbers = {
        "step": number(seconds, "s"),
        "tokens": number(rates, "tokens/s"),
        "loss tokens": number([rate * share for rate in rates], "tokens/s"),
        "memory allocated": number(done.values("perf/max_memory_allocated_gb", SKIPPED) or [0.0], "GB"),
    }
    for name, ceiling in CEILINGS.items():
        numbers[f"utilisation {name}"] = number([600 * parameters * rate / ceiling / gpus for rate in rates], "%")
    return numbers


def parameters_of(done: Launch) -> int:
    """Parameters as the plan counted them (check T004)."""
    value = next(item["value"] for item in done.plan["checks"] if item["id"] == "T004")
    return int(next(part for part in value.split(",") if "parameters" in part).split()[0])


def main() -> None:
    """Measure, print, write."""
    parser = arguments(2, __doc__, rehearsable=True)
    parser.add_argument("--shapes", nargs="+", default=["gpu", "2b"])
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--micro-batch", type=int, default=8)
    given = parser.parse_args()
    device = require_card(given)
    numbers: dict[str, Any] = {}
    plans: dict[str, str] = {}
    facts: dict[str, str] = {}
    with workplace(given) as work:
        for shape in given.shapes:
            inputs = make_inputs(work, shape, device["kind"])
            words = ["--release", inputs.trajectory, "--model", inputs.model, "--verdicts", inputs.verdicts]
            words += ["--device", device["kind"], "--gpus", given.gpus, "--purpose", "practice", "--eval-every", 0]
            words += ["--steps", given.steps, "--batch", given.batch, "--micro-batch", given.micro_batch]
            done = launch("sft", work / f"sft-{shape}-x{given.gpus}", *words)
            count = parameters_of(done)
            numbers |= {f"{shape}, {name}": item for name, item in speeds(done, count, given.gpus).items()}
            plans[shape] = done.plan_sha256
            packs = "on" if done.plan["settings"]["packs"] else "off"
            facts[shape] = f"{count} parameters, {done.status}, packing {packs}"
    settings = {"steps": given.steps, "batch": given.batch, "micro_batch": given.micro_batch}
    write(given, device, numbers, plans=plans, facts=facts, settings=settings)


if __name__ == "__main__":
    main()
