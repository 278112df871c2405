"""Line 5: our dataset over verl's stock one, on the same rows, beside a training step on the card.

    python bench/gpu/dataset.py [--rows 1000] [--batch 16] [--rounds 20]

Rows are the only shape that the stock class takes, no system message and one user turn. A step is: read a batch of rows
from a dataset, pad it, forward and backward of preset ``gpu`` in bf16. Steps of both datasets are taken in turn. The
target of the ratio is 1.02. Rows of ours are rendered at construction, so its milliseconds a row stand beside.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from card import arguments, number, require_card, write

from autoresearch.training import tiny


def main() -> None:
    """Measure, print, write."""
    parser = arguments(5, __doc__)
    parser.add_argument("--rows", type=int, default=1_000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    device = require_card(given)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    logging.disable(logging.WARNING)
    import torch
    from training import both_datasets, build_tokenizer, equal, make_releases, quiet, stock_dataset
    from transformers import AutoModelForImageTextToText

    with tempfile.TemporaryDirectory() as scratch, quiet():
        root = Path(scratch)
        trajectory, three = make_releases(root, small=False)
        tokenizer = build_tokenizer(trajectory, root / "model")
        tiny.build_model(root / "model", "gpu", seed=0)
        beside = stock_dataset(tokenizer, three, root, given.rows, rounds=3)
        datasets = {name: make() for name, make in both_datasets(tokenizer, three, root, given.rows).items()}
        model: Any = AutoModelForImageTextToText.from_pretrained(root / "model", dtype=torch.bfloat16).to("cuda")

    def step(name: str, turn: int) -> float:
        data = datasets[name]
        torch.cuda.synchronize()
        began = time.perf_counter()
        items = [data[(turn * given.batch + at) % len(data)] for at in range(given.batch)]
        longest = max(len(item["input_ids"]) for item in items)
        ids, labels = (torch.full((given.batch, longest), pad) for pad in (0, -100))
        for at, item in enumerate(items):
            length = len(item["input_ids"])
            ids[at, :length] = item["input_ids"]
            labels[at, :length] = item["input_ids"].masked_fill(item["loss_mask"] == 0, -100)
        model.zero_grad(set_to_none=True)
        model(input_ids=ids.to("cuda"), labels=labels.to("cuda"), use_cache=False).loss.backward()
        torch.cuda.synchronize()
        return time.perf_counter() - began

    seconds: dict[str, list[float]] = {name: [] for name in datasets}
    for turn in range(given.rounds + 3):
        for name in sorted(datasets, reverse=bool(turn % 2)):
            spent = step(name, turn)
            if turn >= 3:  # the first rounds compile
                seconds[name].append(spent)
    pairs = [(datasets["ours"][at], datasets["stock"][at]) for at in range(len(datasets["ours"]))]
    ratios = [ours / stock for ours, stock in zip(seconds["ours"], seconds["stock"], strict=True)]
    numbers = {
        "step, ours over stock": number(ratios, "times"),
        "step, ours": number([1000 * spent for spent in seconds["ours"]], "ms"),
        "construction, ours": {"unit": "ms/row", **beside["milliseconds_a_row"]["build ours"]},
        "construction, stock": {"unit": "ms/row", **beside["milliseconds_a_row"]["build stock"]},
        "read a row, ours": {"unit": "ms/row", **beside["milliseconds_a_row"]["items ours"]},
        "read a row, stock": {"unit": "ms/row", **beside["milliseconds_a_row"]["items stock"]},
    }
    facts = {"equal ids": f"{equal(pairs, 'input_ids')} of {len(pairs)}"}
    write(given, device, numbers, facts=facts, settings={"rows": len(pairs), "batch": given.batch, "target": 1.02})


if __name__ == "__main__":
    main()
