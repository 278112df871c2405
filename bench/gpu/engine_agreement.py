"""vLLM against the transformers engine on one card (training.md 12, line 8): do they write the same greedy episodes?

    python bench/gpu/engine_agreement.py --model DIR --release RELEASE [--prompts 32] [--output FILE]

Plays the same prompts greedily through both engines and compares the texts; then scores every token that vLLM wrote,
greedily and at a temperature, by one forward pass of the transformers model, and compares the log-probabilities. Prints
one JSON object and writes it. The transformers engine computes in float32 on the processor: give a small model.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autoresearch.errors import AutoResearchError
from autoresearch.files import tree_sha256
from autoresearch.gates.rollout import gate_prompts, longest_prompt
from autoresearch.releases.release import Release
from autoresearch.training.binding import RECORD
from autoresearch.training.engines.options import EngineOptions
from autoresearch.training.engines.vllm import require_card, require_class
from autoresearch.training.environment import versions
from autoresearch.training.episodes import Episode, EpisodeRow, Sampling, build_engine, read_rows, run
from autoresearch.training.model_folder import read_model_folder
from autoresearch.training.transcripts import shared_prefix

HERE = Path(__file__).parent
TEMPERATURE = 0.7


def play(engine: Any, args: argparse.Namespace, rows: Sequence[EpisodeRow], sampling: Sampling) -> dict[str, Any]:
    """Greedy episodes of one engine, and the seconds they took."""
    started = time.monotonic()
    episodes = run(
        args.model,
        rows,
        release=args.release,
        samples=1,
        sampling=sampling,
        seed=args.seed,
        engine=engine,
        stage="play",
    )
    return {"episodes": episodes, "seconds": round(time.monotonic() - started, 2)}


def agreement(first: Sequence[Episode], second: Sequence[Episode]) -> dict[str, Any]:
    """How far two engines' episodes of the same prompts are the same."""
    pairs = [(one, two) for one, two in zip(first, second, strict=True) if one.error is None and two.error is None]
    common = [
        len(shared_prefix(one.response_ids, two.response_ids)) / max(1, len(one.response_ids), len(two.response_ids))
        for one, two in pairs
    ]
    return {
        "n": len(pairs),
        "errors": [episode.error for episode in (*first, *second) if episode.error is not None][:5],
        "equal_texts": sum(one.text == two.text for one, two in pairs),
        "equal_answers": sum(one.answer == two.answer for one, two in pairs),
        "common_beginning": spread(common),
    }


async def answered(engine: Any, prompts: Sequence[list[int]], temperature: float, tokens: int, seed: int) -> list[Any]:
    """What the engine writes to each prompt, with log-probs."""
    return await asyncio.gather(
        *(
            engine.generate(
                prompt_ids=ids,
                request_id=f"{temperature}-{number}",
                sampling_params={"temperature": temperature, "max_tokens": tokens, "seed": seed + number},
            )
            for number, ids in enumerate(prompts)
        )
    )


def scored(model: Any, prompts: Sequence[list[int]], answers: Sequence[Any], temperature: float) -> dict[str, Any]:
    """Differences between the engine's log-probs and those of a forward pass of ``model`` at the same temperature."""
    import torch

    found = []
    for ids, answer in zip(prompts, answers, strict=True):
        tokens = list(answer.token_ids)
        with torch.inference_mode():
            logits = model(input_ids=torch.tensor([[*ids, *tokens]])).logits[0, len(ids) - 1 : -1].float()
        expected = torch.log_softmax(logits / (temperature or 1.0), -1)[range(len(tokens)), tokens]
        found += [abs(own - other) for own, other in zip(answer.log_probs, expected.tolist(), strict=True)]
    return {"temperature": temperature, "n": len(found), "absolute_difference": spread(found)}


def spread(values: Sequence[float]) -> dict[str, float | None]:
    """Mean, median, 95th percentile and largest."""
    if not values:
        return {"mean": None, "median": None, "p95": None, "max": None}
    ordered = sorted(values)
    return {
        "mean": statistics.fmean(ordered),
        "median": statistics.median(ordered),
        "p95": ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))],
        "max": ordered[-1],
    }


def device() -> dict[str, Any]:
    """The card, as torch names it."""
    import torch

    place = torch.cuda.get_device_properties(0)
    return {"name": place.name, "memory_bytes": place.total_memory, "capability": [place.major, place.minor]}


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="a merged model of the image-text class")
    parser.add_argument("--release", type=Path, required=True, help="an rl or trajectory release")
    parser.add_argument("--split", default="test")
    parser.add_argument("--prompts", type=int, default=32)
    parser.add_argument("--max-response", type=int, default=512)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--gpu-memory-utilization", type=float, default=0.5)
    parser.add_argument("--enforce-eager", action="store_true")
    parser.add_argument("--output", type=Path, default=HERE / "engine_agreement.json")
    args = parser.parse_args()
    try:
        require_class(read_model_folder(args.model))
        require_card()
    except AutoResearchError as error:
        print(f"bench/gpu/engine_agreement.py: {error.message}", file=sys.stderr)
        raise SystemExit(2) from error
    rows = gate_prompts(read_rows(args.release, args.split), args.seed, args.prompts)
    thinking = Release(args.release).header.enable_thinking
    sampling = Sampling(
        max_prompt=longest_prompt(args.model, rows, thinking), max_response=args.max_response, greedy=True
    )
    options = EngineOptions(args.gpu_memory_utilization, args.enforce_eager)
    longest = sampling.max_prompt + sampling.max_response
    plain: Any = build_engine("transformers", args.model, None)
    started = time.monotonic()
    fast: Any = build_engine("vllm", args.model, None, options, longest)
    start_seconds = round(time.monotonic() - started, 1)
    try:
        by_plain, by_fast = play(plain, args, rows, sampling), play(fast, args, rows, sampling)
        again = play(fast, args, rows, sampling)
        prompts = [episode.prompt_ids for episode in by_fast["episodes"] if episode.prompt_ids]
        answers = {
            heat: asyncio.run(answered(fast, prompts, heat, min(64, args.max_response), args.seed))
            for heat in (0.0, TEMPERATURE)
        }
        repeated = asyncio.run(answered(fast, prompts, TEMPERATURE, min(64, args.max_response), args.seed))
    finally:
        fast.close()
        plain.close()
    from autoresearch.training.engines.decoding import Decoder

    model = Decoder(args.model).model
    found = {
        "line": 8,
        "measured": datetime.now(UTC).strftime("%Y-%m-%d"),
        "greedy_episodes": agreement(by_plain["episodes"], by_fast["episodes"]),
        "vllm_twice": agreement(by_fast["episodes"], again["episodes"]),
        "seeded_twice_equal": sum(
            list(one.token_ids) == list(two.token_ids) for one, two in zip(answers[TEMPERATURE], repeated, strict=True)
        ),
        "logprobs": [scored(model, prompts, answers[heat], heat) for heat in answers],
        "seconds": {"transformers": by_plain["seconds"], "vllm": by_fast["seconds"], "vllm_start": start_seconds},
        "model": {"name": args.model.resolve().name, "tree_sha256": tree_sha256(args.model, (RECORD,))},
        "release": Release(args.release).report_sha256,
        "settings": {"prompts": len(rows), "seed": args.seed, **sampling.request(), "options": options.__dict__},
        "versions": versions(),
        "device": device(),
    }
    text = json.dumps(found, indent=2)
    print(text)
    args.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
