"""Tokenisation for SFT as ratios, each measured in this one process with its rounds taken in turn; no time is judged.

- ``segment_cache``: rows of a trajectory release by the segment cache over each row whole (training.md 4.7), of the
  shipped example without thoughts and of an invented standard of 233 leaves with thoughts. Ids, masks and spans must be
  equal. Tokenisation alone has the target; whole rows are rendered and masked too, and hold the proof rows, which weigh
  less the longer a release is.
- ``stock_dataset``: our dataset over verl's ``MultiTurnSFTDataset`` on the one shape that both can read, no system
  message and one user turn (training.md 12, line 5). Ids must be equal, and masks but for the newline behind the last
  ``<|im_end|>``, which the stock class trains and no rollout writes. Built and read once, as in one epoch.

Prints one JSON object and writes it beside this file.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from measure import Cost, environment, in_turn, spread
from step import Steps
from worlds import World

from autoresearch.cli.quickstart.data_steps import DataPaths, read_fields, resolve_and_split
from autoresearch.cli.quickstart.settings import QuickstartSettings, example_folder
from autoresearch.releases import three_message, trajectory_export
from autoresearch.releases.columns import read_row_groups, write_rows
from autoresearch.releases.header import read_header
from autoresearch.releases.inputs import ExportInputs
from autoresearch.task import conversation
from autoresearch.task.segments import SegmentCache
from autoresearch.training import tiny

HERE = Path(__file__).parent
TARGETS = {"tokenisation_times_faster": 5.0, "stock_dataset_time_a_row": 1.02}
LIBRARIES = ("torch", "verl", "transformers", "tokenizers", "pyarrow", "numpy")
MAX_LENGTH = 16_384


def make_releases(root: Path, small: bool) -> tuple[Path, Path]:
    """The example's trajectories without thinking and its three-message rows: paths of both ``train.parquet``."""
    paths = DataPaths(example_folder(small), root, "steel")
    read_fields(paths)
    resolve_and_split(paths, QuickstartSettings(), "random")
    inputs = ExportInputs(
        canonical=paths.canonical,
        registry=paths.registry,
        corpus=paths.corpus,
        task_config=paths.example / "config" / "steel.task.json",
        grading_config=paths.grading,
        dataset="steel",
    )
    trajectory_export.assemble(
        inputs, paths.release("trajectory"), trajectory_export.TrajectoryOptions(enable_thinking=False)
    )
    three_message.export(inputs, paths.release("three"))
    return paths.release("trajectory") / "train.parquet", paths.release("three") / "train.parquet"


def rows_of(file: Path, count: int) -> list[dict[str, Any]]:
    """The first ``count`` rows of a release file."""
    found: list[dict[str, Any]] = []
    for group in read_row_groups(file):
        found += group[: count - len(found)]
        if len(found) >= count:
            break
    return found


def build_tokenizer(file: Path, out: Path) -> Any:
    """A tokenizer that splits at words as Qwen's does, from the texts of the first rows."""
    texts = [message["content"] for row in rows_of(file, 500) for message in row["messages"] if message["content"]]
    return tiny.build_tokenizer([*texts, "a\n\nb", "b\n\na"], out, style="qwen")


def invented_release(root: Path, rows: int, leaves: int) -> Path:
    """``train.parquet`` of trajectories with mock thoughts under a standard of ``leaves`` leaves."""
    world, steps = World(rows, leaves), Steps(root)
    world.write_standards(root)
    world.write_csv(root / "fields.csv")
    for step in (steps.preprocess, steps.build, steps.split_random, steps.sft_assemble):
        step()
    return root / "releases" / "trajectories" / "train.parquet"


def segment_cache(tokenizer: Any, file: Path, rows: int, rounds: int) -> dict[str, Any]:
    """The cache over whole rows, a new cache in each round: tokenisation alone, and rows from messages to mask."""
    import numpy as np

    decoded = [conversation.decode_row(row) for row in rows_of(file, rows)]
    texts = [conversation.render(tokenizer, row) for row in decoded]
    kept: dict[str, list[Any]] = {}

    def plain_tokens() -> None:
        kept["plain tokens"] = [
            tokenizer(text, add_special_tokens=False, return_offsets_mapping=True) for text in texts
        ]
        for item in kept["plain tokens"]:  # the mask needs them as an array, which the cache gives at once
            np.asarray(item["offset_mapping"], dtype=np.int64)

    def cached_tokens() -> None:
        cache = SegmentCache(tokenizer)
        kept["cached tokens"] = [cache.encode_text(text) for text in texts]

    def plain_rows() -> None:
        kept["plain rows"] = [conversation.encode(tokenizer, row) for row in decoded]

    def cached_rows() -> None:
        cache = SegmentCache(tokenizer)
        kept["cached rows"] = [cache.encode(row) for row in decoded]
        kept["proved"] = [cache.proved]

    actions = (plain_tokens, cached_tokens, plain_rows, cached_rows)
    costs = in_turn({action.__name__: action for action in actions}, rounds, together=2)
    tokens = list(zip(kept["plain tokens"], kept["cached tokens"], strict=True))
    pairs = list(zip(kept["plain rows"], kept["cached rows"], strict=True))
    return {
        "rows": len(decoded),
        "tokens_a_row": round(sum(len(item.input_ids) for item in kept["plain rows"]) / len(decoded)),
        "equal_ids": f"{sum(one['input_ids'] == other[0] for one, other in tokens)} of {len(tokens)}",
        "equal_rows": f"{sum(one == other for one, other in pairs)} of {len(pairs)}",
        "rows_proved": kept["proved"][0],
        "tokenisation_times_faster": faster(costs["plain_tokens"], costs["cached_tokens"]),
        "whole_rows_with_proofs_times_faster": faster(costs["plain_rows"], costs["cached_rows"]),
        "milliseconds_a_row": {
            name: spread([1000 * cost.cpu / len(decoded) for cost in found]) for name, found in costs.items()
        },
    }


def faster(slow: list[Cost], fast: list[Cost]) -> dict[str, float | int]:
    """How many times faster, round by round."""
    return spread([one.cpu / other.cpu for one, other in zip(slow, fast, strict=True)])


def write_shared_shape(source: Path, out: Path, count: int) -> Path:
    """Release rows without their system message: a user turn and an answer, the only shape the stock class reads."""
    rows = [
        {**row, "messages": [message for message in row["messages"] if message["role"] != "system"]}
        for row in rows_of(source, count)
    ]
    write_rows(out, read_header(source), "train", rows)
    return out


def both_datasets(tokenizer: Any, source: Path, root: Path, rows: int) -> dict[str, Callable[[], Any]]:
    """``stock`` and ``ours``: functions that build a dataset over the same file."""
    from omegaconf import OmegaConf
    from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset

    from autoresearch.training.sft_dataset import ConversationDataset

    file = str(write_shared_shape(source, root / "shared.parquet", rows))
    config = OmegaConf.create(
        {
            "max_length": MAX_LENGTH,
            "truncation": "error",
            "pad_mode": "no_padding",
            "enable_thinking_default": False,  # said of each row; ours has it from the release
            "apply_chat_template_kwargs": {"enable_thinking": False},
        }
    )
    kinds = {"stock": MultiTurnSFTDataset, "ours": ConversationDataset}
    return {name: partial(kind, [file], tokenizer, config) for name, kind in kinds.items()}


def stock_dataset(tokenizer: Any, source: Path, root: Path, rows: int, rounds: int) -> dict[str, Any]:
    """Our dataset over verl's, both built and every row read."""
    makers = both_datasets(tokenizer, source, root, rows)
    built: dict[str, Any] = {}
    read: dict[str, list[Any]] = {}

    def build(name: str) -> None:
        with quiet():
            built[name] = makers[name]()

    def items(name: str) -> None:
        read[name] = [built[name][index] for index in range(len(built[name]))]

    costs = in_turn(
        {
            "build stock": lambda: build("stock"),
            "items stock": lambda: items("stock"),
            "build ours": lambda: build("ours"),
            "items ours": lambda: items("ours"),
        },
        rounds,
        together=2,
    )
    pairs = list(zip(read["ours"], read["stock"], strict=True))
    whole = {
        name: [one.cpu + other.cpu for one, other in zip(costs[f"build {name}"], costs[f"items {name}"], strict=True)]
        for name in ("ours", "stock")
    }
    return {
        "rows": len(pairs),
        "tokens": sum(len(one["input_ids"]) for one, _ in pairs),
        "equal_ids": f"{equal(pairs, 'input_ids')} of {len(pairs)}",
        "equal_masks_before_the_last_newline": f"{equal(pairs, 'loss_mask', slice(-1))} of {len(pairs)}",
        "equal_positions": f"{equal(pairs, 'position_ids')} of {len(pairs)}",
        "time_over_stock": spread([one / other for one, other in zip(whole["ours"], whole["stock"], strict=True)]),
        "milliseconds_a_row": {
            name: spread([1000 * cost.cpu / len(pairs) for cost in found]) for name, found in costs.items()
        },
    }


def equal(pairs: list[tuple[Any, Any]], key: str, part: slice = slice(None)) -> int:
    """How many rows have equal tensors under ``key``, all of it or a part."""
    return sum(one[key][part].tolist() == other[key][part].tolist() for one, other in pairs)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What datasets print about themselves goes nowhere: the output is one JSON object."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000, help="rows of each comparison, at most")
    parser.add_argument("--small", action="store_true", help="take the small example")
    parser.add_argument("--rounds", type=int, default=5, help="times each side is measured, in turn")
    parser.add_argument("--only", choices=("segment_cache", "stock_dataset"), action="append")
    parser.add_argument("--output", type=Path, default=HERE / "training.json")
    given = parser.parse_args()
    parts = given.only or ["segment_cache", "stock_dataset"]
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    logging.disable(logging.WARNING)
    found: dict[str, Any] = {}
    if given.only and given.output.exists():
        found = json.loads(given.output.read_text(encoding="utf-8"))  # the other part stays
    found.update({"targets": TARGETS, "environment": environment(LIBRARIES)})
    with tempfile.TemporaryDirectory() as scratch, quiet():
        root = Path(scratch)
        trajectory, three = make_releases(root, given.small)
        tokenizer = build_tokenizer(trajectory, root / "tokenizer")
        if "segment_cache" in parts:
            invented = invented_release(root / "invented", given.rows * 5 // 4, 12 if given.small else 233)
            found["segment_cache"] = {
                "example": segment_cache(tokenizer, trajectory, given.rows, given.rounds),
                "invented": segment_cache(
                    build_tokenizer(invented, root / "other"), invented, given.rows, given.rounds
                ),
            }
        if "stock_dataset" in parts:
            found["stock_dataset"] = stock_dataset(tokenizer, three, root, given.rows, given.rounds)
    text = json.dumps(found, indent=2)
    print(text)
    given.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
