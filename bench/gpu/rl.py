"""Line 6: RL steps by the product's own plan with vLLM, taken apart.

    python bench/gpu/rl.py [--model DIR --verdicts DIR --purpose practice] [--steps 3] [--gpus 2] [--work DIR]

Without ``--model`` a random model of preset ``gpu`` plays a smoke plan: times of the parts are real, rewards are 0.
With a merged SFT model and its verdicts the mixed share says something too. The first step warms up and is left out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from card import arguments, number, require_card, write
from launches import auto, launch, make_inputs, workplace

from autoresearch.training.stage_times import rl_throughput, step_times

SKIPPED = 1
ALLOWED = (0, 1)
"""A random model earns nothing: the run ends as ``ran_without_signal`` with 1, and its times are what is asked for."""


def main() -> None:
    """Measure, print, write."""
    parser = arguments(6, __doc__, rehearsable=True)
    parser.add_argument("--model", type=Path, help="merged model; default a random one")
    parser.add_argument("--release", type=Path, help="cascade release of the model; default the example's")
    parser.add_argument("--verdicts", type=Path, help="verdicts of the model")
    parser.add_argument("--purpose", choices=("practice", "smoke"), default="smoke")
    parser.add_argument("--algorithm", choices=("rloo", "grpo"), default="rloo")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--prompts", type=int, default=16)
    parser.add_argument("--n", type=int, default=8)
    parser.add_argument("--max-response", type=int, default=512)
    given = parser.parse_args()
    device = require_card(given)
    engine = "transformers" if given.rehearse else "vllm"
    with workplace(given) as work:
        inputs = make_inputs(work, "mini" if given.rehearse else "gpu", device["kind"])
        model, verdicts = given.model or inputs.model, given.verdicts or inputs.verdicts
        host = inputs.verdicts / "host-rl.json"
        if verdicts == inputs.verdicts and not host.exists():
            asked = ("--device", device["kind"], "--engine", engine, "--model", model, "--gpus", given.gpus)
            auto("gate", "host", "--for", "rl", *asked, "--out", host)
        words = ["--algorithm", given.algorithm, "--release", given.release or inputs.cascade, "--model", model]
        words += ["--verdicts", verdicts, "--device", device["kind"], "--gpus", given.gpus, "--engine", engine]
        words += ["--n", given.n, "--prompts", given.prompts, "--steps", given.steps, "--kl-coef", 0.001]
        words += ["--max-response", given.max_response, "--purpose", given.purpose, "--no-val-before"]
        done = launch("rl", work / f"rl-x{given.gpus}", *words, allowed=ALLOWED)
        signal = [json.loads(line) for line in (done.run / "signal.jsonl").read_text(encoding="utf-8").splitlines()]
    parts: dict[str, list[float]] = {}
    shares = []
    for record in done.records:
        times = step_times(record, dialect=3)
        if record.step <= SKIPPED or times.total is None:
            continue
        found = {stage.stage: stage.seconds for stage in times.stages if stage.inside}
        detail = {stage.key: stage.seconds for stage in times.stages if stage.detail}
        for name, seconds in {"step": times.total, **found, "other": times.remainder or 0.0}.items():
            parts.setdefault(name, []).append(seconds)
        tools, writing = (detail.get(f"agent_loop/{key}/mean") for key in ("tool_calls", "generate_sequences"))
        if tools is not None and writing:
            shares.append(100 * tools / (tools + writing))
    rate = rl_throughput(done.records, given.gpus)
    numbers: dict[str, Any] = {name: number(seconds, "s") for name, seconds in parts.items()}
    if rate.per_device is not None:
        numbers["tokens a card"] = {**number([rate.per_device], "tokens/s"), "n": rate.steps}
    if shares:
        numbers["tools as share of an episode"] = number(shares, "%")
    numbers["mixed groups"] = number([100 * line["mixed_share"] for line in signal], "%")
    settings = {key: getattr(given, key) for key in ("algorithm", "purpose", "steps", "prompts", "n", "max_response")}
    facts = {"run": done.status, "model": "given" if given.model else "random, preset gpu"}
    write(given, device, numbers, plans={given.algorithm: done.plan_sha256}, facts=facts, settings=settings)


if __name__ == "__main__":
    main()
