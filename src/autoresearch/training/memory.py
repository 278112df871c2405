"""The memory estimate of a plan (T010, training.md 5.3, 7.2): pure arithmetic, shown as an estimate.

One device holds weights, gradients and two moments in float32, shared by the ranks, and the logits of one micro-batch
(``tokens · vocabulary · 4 B · 2``). RL adds the reference model and what the rollout engine keeps.
"""

from __future__ import annotations

from autoresearch.training.model_folder import ModelFolder

FLOAT32 = 4
TRAINED_COPIES = 4
"""Weights, gradients, two moments."""
LOGIT_COPIES = 2
MEMORY_SHARE = 0.9
MEMORY_RULE = f"the estimate stays below {MEMORY_SHARE} of the device"


def trained_bytes(model: ModelFolder, ranks: int, lora: int = 0) -> int:
    """What the optimizer needs on one of ``ranks`` devices. An adapter of rank r trains 2·r/hidden of a square matrix,
    and the model below it is only read.
    """
    weights = model.parameters * FLOAT32
    if not lora:
        return weights * TRAINED_COPIES // ranks
    adapter = weights * 2 * lora // max(1, model.hidden_size)
    return (weights + adapter * TRAINED_COPIES) // ranks


def logit_bytes(model: ModelFolder, rows: int, tokens: int) -> int:
    """Logits of a micro-batch of ``rows`` rows with ``tokens`` tokens each, and their gradient."""
    return rows * tokens * model.vocab_size * FLOAT32 * LOGIT_COPIES


def sft_bytes(model: ModelFolder, *, ranks: int, lora: int, rows: int, tokens: int) -> int:
    """Bytes on one device of an SFT run."""
    return trained_bytes(model, ranks, lora) + logit_bytes(model, rows, tokens)


def rl_bytes(
    model: ModelFolder,
    *,
    ranks: int,
    lora: int,
    rows: int,
    tokens: int,
    reference: bool,
    engine_stays: int,
    engine_claims: int,
) -> int:
    """Bytes on one device of an RL run: the larger of update and rollout.

    ``engine_stays``: what the rollout engine holds during the update (the processor's engine keeps its weights, vLLM
    sleeps); ``engine_claims``: what it holds while it plays.
    """
    kept = trained_bytes(model, ranks, lora)
    if reference:
        kept += model.parameters * FLOAT32 // ranks
    return kept + max(logit_bytes(model, rows, tokens) + engine_stays, engine_claims)


def fits(need: int, device: int) -> bool:
    """True when ``need`` lies below the share of ``device`` bytes, or when the device's size is unknown (0)."""
    return device == 0 or need < MEMORY_SHARE * device


def memory_value(need: int, device: int) -> str:
    """The value that a plan shows."""
    size = f"{device / 2**30:.1f} GiB" if device else "a device of unknown size"
    return f"estimate {need / 2**30:.2f} GiB of {size}"
