"""The checks and arithmetic of an SFT plan (training.md 5.3): pure, over facts that were read before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from autoresearch.training.memory import MEMORY_RULE, fits, memory_value, sft_bytes
from autoresearch.training.model_folder import ModelFolder
from autoresearch.training.packing_rule import packing
from autoresearch.training.plan import Check, Frozen, Purpose, check
from autoresearch.training.plan_facts import (
    SFT_FAMILIES,
    CommonFacts,
    budget_demand,
    common_checks,
    conflict_demand,
    device_memory,
    host_demand,
)
from autoresearch.training.verdict_match import Demand

SMOKE_STEPS = 3
PACKING_RULE = (
    "packing only for image-text roots with flash-linear-attention, which linear attention needs off the processor"
)


class SftOptions(Frozen):
    """The flags of ``train sft`` (training.md 5.1). ``None`` means the default that depends on the release."""

    release: Path
    model: Path
    run: Path
    device: Literal["cpu", "cuda", "npu"]
    gpus: int = 1
    nodes: int = 1
    rendezvous: str | None = None
    """``HOST:PORT`` on one of the nodes, reachable from all; needed for more than one node."""
    steps: int | None = None
    epochs: int | None = None
    batch: int = 32
    micro_batch: int = 1
    max_length: int | None = None
    lr: float | None = None
    warmup: float = 0.03
    weight_decay: float = 0.01
    scheduler: Literal["cosine", "constant"] = "cosine"
    lora: int = 0
    lora_alpha: int | None = None
    answer_weight: float = 1.0
    only_answer: bool = False
    save_every: int | None = None
    """None: the last step only."""
    eval_every: int = 50
    """0: no validation."""
    keep: int = 3
    """0: keep all checkpoints."""
    purpose: Purpose = "formal"
    verdicts: Path | None = None
    seed: int = 42
    override: tuple[str, ...] = ()


@dataclass(frozen=True)
class SftNumbers:
    """Steps and lengths after the defaults are filled in."""

    steps: int
    epochs: int
    steps_per_epoch: int
    max_length: int
    lr: float
    lora_alpha: int
    checkpoints: int
    """How many checkpoints will lie on disk at once."""
    validates: bool
    packs: bool
    attention: str


def resolve(options: SftOptions, facts: CommonFacts) -> SftNumbers:
    """Fill in the defaults. With too few rows ``steps_per_epoch`` is 0; T007 then refuses."""
    per_epoch = facts.release.rows.get("train", 0) // max(1, options.batch)
    if options.steps is not None:
        steps = options.steps
        epochs = options.epochs or -(-steps // max(1, per_epoch))
    else:
        epochs = options.epochs or 1
        steps = epochs * per_epoch
    packs, _ = packing(options.device, facts)
    saved = 1 if options.save_every is None else max(1, -(-steps // options.save_every))
    return SftNumbers(
        steps=steps,
        epochs=epochs,
        steps_per_epoch=per_epoch,
        max_length=options.max_length or budgeted_length(facts),
        lr=options.lr if options.lr is not None else (1e-4 if options.lora else 1e-5),
        lora_alpha=options.lora_alpha or 2 * options.lora,
        checkpoints=saved if options.keep == 0 else min(saved, options.keep),
        validates=options.eval_every > 0 and facts.release.rows.get("val", 0) > 0,
        packs=packs,
        attention="flash_attention_2" if options.device != "cpu" and facts.probe.flash_attention else "sdpa",
    )


def budgeted_length(facts: CommonFacts) -> int:
    """``max_length`` of the token-budget verdict for this release; 0 when there is none."""
    for _, verdict in facts.verdicts:
        release = verdict.judged.get("release", {})
        if verdict.gate == "token_budget" and release.get("report_sha256") == facts.release.report_sha256:
            value = verdict.settings.get("max_length")
            if isinstance(value, int):
                return value
    return 0


def demands(options: SftOptions, facts: CommonFacts, numbers: SftNumbers) -> list[Demand]:
    """The verdicts that the purpose asks for (training.md 5.2)."""
    budget = budget_demand(facts, {"settings.max_length": str(numbers.max_length)})
    host = host_demand(facts, "sft", options.device)
    return [budget, host] if options.purpose == "smoke" else [conflict_demand(facts.release), budget, host]


def estimate_memory(model: ModelFolder, options: SftOptions, numbers: SftNumbers) -> int:
    """Bytes on one device; on the processor, whose ranks share one memory, of all ranks of a machine."""
    ranks = options.gpus * options.nodes
    need = sft_bytes(model, ranks=ranks, lora=options.lora, rows=options.micro_batch, tokens=numbers.max_length)
    return need * options.gpus if options.device == "cpu" else need


def kernels_usable(device: str, facts: CommonFacts) -> bool:
    """False for a linear-attention model on an accelerator without its kernels (training.md 8.3: the fallback)."""
    return device == "cpu" or not facts.model.model_type.startswith("qwen3_5") or facts.probe.linear_attention


def checkpoint_bytes(model: ModelFolder) -> int:
    """Size of one checkpoint: float32 weights and two moments."""
    return model.parameters * 4 * 3


def sft_checks(options: SftOptions, facts: CommonFacts, numbers: SftNumbers, missing: dict[str, str]) -> list[Check]:
    """All checks of 5.3 in order; ``missing`` says by gate why no verdict fits."""
    ranks = options.gpus * options.nodes
    per_rank = options.batch // max(1, ranks)
    rows, val_rows = facts.release.rows.get("train", 0), facts.release.rows.get("val", 0)
    need, memory = estimate_memory(facts.model, options, numbers), device_memory(facts, options.device)
    disk = (numbers.checkpoints + 1) * checkpoint_bytes(facts.model)
    batch_ok = (
        options.batch % ranks == 0
        and per_rank % options.micro_batch == 0
        and rows >= options.batch
        and (val_rows >= options.batch or not numbers.validates)
    )
    checks = common_checks(facts, options.purpose, SFT_FAMILIES)
    checks += [
        check(
            "T006",
            "token_budget" not in missing,
            missing.get("token_budget", f"max_length {numbers.max_length}"),
            "a passed token_budget verdict of the same release, template, tokenizer and max_length",
            "autoresearch sft budget --release … --model … --max-length … --verdict …",
        ),
        check(
            "T007",
            batch_ok,
            f"batch {options.batch}, micro-batch {options.micro_batch}, ranks {ranks}, train rows {rows}, "
            f"val rows {val_rows}, validation {'on' if numbers.validates else 'off'}",
            "batch divides over ranks and into micro-batches; train rows >= batch; val rows >= batch or no validation",
            "choose --batch and --micro-batch accordingly; --eval-every 0 turns validation off",
        ),
        check(
            "T008",
            numbers.epochs * numbers.steps_per_epoch >= numbers.steps > 0,
            f"{numbers.epochs} epochs of {numbers.steps_per_epoch} steps, {numbers.steps} asked",
            "epochs * (rows // batch) >= steps, and at least one step",
            "raise --epochs or lower --steps",
        ),
        check(
            "T009",
            kernels_usable(options.device, facts),
            f"packing {'on' if numbers.packs else 'off'} ({packing(options.device, facts)[1]}), "
            f"attention {numbers.attention}",
            PACKING_RULE,
            "install flash-linear-attention: constraints/cuda.txt",
        ),
        check(
            "T010",
            fits(need, memory),
            memory_value(need, memory),
            MEMORY_RULE,
            "lower --micro-batch or --max-length, or use more ranks",
        ),
        check(
            "T014",
            not facts.run_taken and facts.disk_free >= disk,
            f"run folder {'taken' if facts.run_taken else 'free'}, "
            f"{facts.disk_free / 2**30:.1f} GiB free, {disk / 2**30:.2f} GiB needed",
            "the run folder is absent or empty; disk for the kept checkpoints and one more",
            "give another --run, or --resume",
        ),
    ]
    checks += [
        check("T108", False, missing[gate], f"a passed {gate} verdict of what is about to be used", remedy)
        for gate, remedy in (
            ("conflict", "autoresearch data audit … --verdict …"),
            ("host", "autoresearch gate host --for sft --out …"),
        )
        if gate in missing
    ]
    if options.purpose == "smoke" and numbers.steps > SMOKE_STEPS:
        checks.append(
            check(
                "T108", False, f"{numbers.steps} steps", f"smoke runs at most {SMOKE_STEPS} steps", "another --purpose"
            )
        )
    return checks
