"""Releases, models, verdicts and launches as a person makes them: every step is a command of ``autoresearch``.

What runs is the plan file that ``train … --dry-run`` wrote, started by ``train … --plan``; nothing of it is changed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from autoresearch.releases.release import Release
from autoresearch.training import tiny, tiny_presets
from autoresearch.training.steps import Record, read_attempt

STEP = re.compile(rb"step:(\d{1,18}) - ")
MAX_LENGTH = 8192
TWO_BILLION = {
    "hidden_size": 2048,
    "intermediate_size": 6144,
    "num_hidden_layers": 24,
    "layer_types": ["linear_attention", "linear_attention", "linear_attention", "full_attention"] * 6,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "head_dim": 256,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 16,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "vocab_size": 248_320,
    "tie_word_embeddings": True,
}
"""1.88 billion parameters in the shape of the released model of that size; the weights are random."""


def auto(*words: object, environment: Mapping[str, str] | None = None, allowed: Sequence[int] = (0,)) -> Any:
    """Run one command of ``autoresearch``; its JSON object. Raises ``RuntimeError`` with its last lines otherwise."""
    command = [sys.executable, "-m", "autoresearch", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode not in allowed:
        said = [line for line in done.stderr.splitlines() if "__AR_PROGRESS__" not in line]
        tail = "\n".join(said[-30:])
        raise RuntimeError(f"autoresearch {' '.join(command[3:])} ended with {done.returncode}:\n{tail}")
    return json.loads(done.stdout)


@contextmanager
def workplace(given: Namespace) -> Iterator[Path]:
    """The folder of this measurement: the one asked for, or one that is gone afterwards."""
    if given.work is not None:
        given.work.mkdir(parents=True, exist_ok=True)
        yield given.work.resolve()
        return
    with tempfile.TemporaryDirectory() as scratch:
        yield Path(scratch)


@dataclass(frozen=True)
class Inputs:
    """What a launch takes."""

    trajectory: Path
    cascade: Path
    model: Path
    verdicts: Path


def make_inputs(work: Path, shape: str, device: str, *, packing: bool = True) -> Inputs:
    """Releases of the full example, a random model of a shape (``gpu``, ``2b``, a preset) and the verdicts for it.

    With ``packing`` off the host verdict holds no leak test of the model, so that a plan does not pack.
    """
    made = work / "data" / "full-example"
    if not made.is_dir():
        auto("quickstart", "--until", "data", "--dir", work / "data")
    releases = made / "data" / "releases"
    inputs = Inputs(
        releases / "trajectory",
        releases / "cascade",
        work / f"model-{shape}",
        work / f"verdicts-{shape}{'' if packing else '-unpacked'}",
    )
    if not inputs.model.is_dir():
        build_model(inputs.trajectory, inputs.model, shape)
    if not inputs.verdicts.is_dir():
        inputs.verdicts.mkdir()
        (inputs.verdicts / "conflict.json").write_bytes((made / "verdicts" / "conflict.json").read_bytes())
        model = ("--model", inputs.model)
        verdict = inputs.verdicts / "budget-sft.json"
        auto("sft", "budget", "--release", inputs.trajectory, *model, "--max-length", MAX_LENGTH, "--verdict", verdict)
        verdict = inputs.verdicts / "budget-rl.json"
        auto("sft", "budget", "--release", inputs.cascade, *model, "--rollout-prompt", MAX_LENGTH, "--verdict", verdict)
        named = model if packing else ()
        auto("gate", "host", "--for", "sft", "--device", device, *named, "--out", inputs.verdicts / "host-sft.json")
    return inputs


def build_model(release: Path, out: Path, shape: str) -> None:
    """A tokenizer from the release's texts and a random model. The 2 B shape is written in bf16."""
    rows = Release(release).records("train")[:500]
    texts = ["\n".join([row["tools"], *(message["content"] or "" for message in row["messages"])]) for row in rows]
    tokenizer = tiny.build_tokenizer(texts, out, style="qwen")
    if shape != "2b":
        tiny.build_model(out, shape, seed=42)  # type: ignore[arg-type]  # a preset by name
        return
    import torch

    configured: Any = tiny_presets.configuration("gpu", tokenizer)
    configured.text_config.update({**TWO_BILLION, "dtype": "bfloat16"})
    configured.text_config.rope_parameters["mrope_section"] = [11, 11, 10]
    configured.text_config.rope_parameters["partial_rotary_factor"] = 0.25
    configured.update({"tie_word_embeddings": True, "dtype": "bfloat16"})
    configured.vision_config.out_hidden_size = TWO_BILLION["hidden_size"]
    torch.manual_seed(42)
    torch.set_default_dtype(torch.bfloat16)
    try:
        tiny_presets.build("gpu", configured).save_pretrained(str(out))
    finally:
        torch.set_default_dtype(torch.float32)
    tiny_presets.write_processor("gpu", out)


@dataclass(frozen=True)
class Launch:
    """A finished launch and what it left."""

    run: Path
    plan: dict[str, Any]
    plan_sha256: str
    status: str
    started: float
    """Epoch seconds at which ``train --plan`` was called."""
    records: tuple[Record, ...]
    reached: dict[int, float]
    """Step to the epoch seconds at which verl printed its line."""

    def step_seconds(self, skip: int) -> list[float]:
        """Seconds of each step after the first ``skip``: from the line of the step before to its own."""
        steps = sorted(self.reached)
        return [self.reached[step] - self.reached[before] for before, step in pairwise(steps) if step > skip]

    def values(self, key: str, skip: int) -> list[float]:
        """A metric of the steps after the first ``skip``."""
        found = [(record.step, record.data.get(key)) for record in self.records]
        return [value for step, value in found if step > skip and value is not None]


def launch(
    kind: str, run: Path, *words: object, environment: Mapping[str, str] | None = None, allowed: Sequence[int] = (0,)
) -> Launch:
    """Plan, then run exactly the plan file. Raises ``RuntimeError`` when either ends with another code."""
    auto("train", kind, "--run", run, *words, "--dry-run")
    started = time.time()
    result = auto("train", kind, "--plan", run / "plan.json", environment=environment, allowed=allowed)
    attempt = run / "attempts" / "01"
    return Launch(
        run=run,
        plan=json.loads((run / "plan.json").read_text(encoding="utf-8")),
        plan_sha256=(run / "plan.sha256").read_text(encoding="utf-8").split()[0],
        status=str(result["result"]),
        started=started,
        records=read_attempt(attempt, kind).records,
        reached=step_moments(attempt),
    )


def step_moments(attempt: Path) -> dict[int, float]:
    """Step to the epoch seconds of its first line in the trainer's log, from the index that the launcher keeps."""
    log = (attempt / "trainer.log").read_bytes()
    found: dict[int, float] = {}
    for line in (attempt / "log-index.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        match = STEP.match(log, entry["offset"])
        if match:
            found.setdefault(int(match.group(1)), entry["epoch_ms"] / 1000)
    return found


def trained_share(run: Path) -> float:
    """Share of the tokens of a run's rows that are in the loss, from the tokens that it trained on."""
    from autoresearch.training.sft_dataset import TokenRows

    (folder, *_) = sorted(path for path in (run / "tokens").iterdir() if path.is_dir())
    rows = TokenRows.open(folder)
    return float((rows.weights > 0).sum() / len(rows.weights))
