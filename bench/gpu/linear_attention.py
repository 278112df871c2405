"""Line 4: forward and backward with flash-linear-attention and with transformers' plain torch in its place.

    python bench/gpu/linear_attention.py [--rows 4] [--tokens 2048] [--rounds 10]

No plan runs without the kernels (T009), so this line is one model in this process, preset ``gpu`` in bf16, whose layers
are switched between the two functions; rounds are taken in turn.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from card import arguments, number, refuse, require_card, write

from autoresearch.training import tiny


def main() -> None:
    """Measure, print, write."""
    parser = arguments(4, __doc__)
    parser.add_argument("--rows", type=int, default=4)
    parser.add_argument("--tokens", type=int, default=2048)
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    device = require_card(given)
    import torch
    from transformers import AutoModelForImageTextToText
    from transformers.models.qwen3_5 import modeling_qwen3_5 as source

    if source.chunk_gated_delta_rule is None:
        refuse(given, "a card without its kernels", "flash-linear-attention")
    with tempfile.TemporaryDirectory() as scratch:
        tiny.build_tokenizer(["\n"], Path(scratch))
        tiny.build_model(Path(scratch), "gpu", seed=0)
        model: Any = AutoModelForImageTextToText.from_pretrained(scratch, dtype=torch.bfloat16).to("cuda")
    layers = [module for module in model.modules() if hasattr(module, "chunk_gated_delta_rule")]
    functions = {"kernels": source.chunk_gated_delta_rule, "plain torch": source.torch_chunk_gated_delta_rule}
    generator = torch.Generator().manual_seed(0)
    words = int(model.config.text_config.vocab_size)
    ids = torch.randint(0, words, (given.rows, given.tokens), generator=generator).to("cuda")

    def step(name: str) -> float:
        for layer in layers:
            layer.chunk_gated_delta_rule = functions[name]
        model.zero_grad(set_to_none=True)
        torch.cuda.synchronize()
        began = time.perf_counter()
        model(input_ids=ids, labels=ids, use_cache=False).loss.backward()
        torch.cuda.synchronize()
        return time.perf_counter() - began

    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for turn in range(given.rounds + 2):
        for name in functions:
            spent = step(name)
            if turn >= 2:  # the first rounds compile
                seconds[name].append(spent)
    tokens = given.rows * given.tokens
    numbers = {name: number([tokens / spent for spent in found], "tokens/s") for name, found in seconds.items()}
    ratios = [slow / fast for slow, fast in zip(seconds["plain torch"], seconds["kernels"], strict=True)]
    numbers["kernels faster"] = number(ratios, "times")
    settings = {"preset": "gpu", "rows": given.rows, "tokens": given.tokens, "linear_layers": len(layers)}
    write(given, device, numbers, settings=settings)


if __name__ == "__main__":
    main()
