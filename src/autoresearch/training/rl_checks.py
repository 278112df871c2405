"""The checks and arithmetic of an RL plan (training.md 7.2): pure, over facts that were read before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from autoresearch.training.memory import FLOAT32, MEMORY_RULE, fits, memory_value, rl_bytes
from autoresearch.training.model_folder import IMAGE_TEXT_TYPES
from autoresearch.training.packing_rule import packing
from autoresearch.training.plan import Check, Frozen, Purpose, check
from autoresearch.training.plan_facts import RL_FAMILIES, CommonFacts, common_checks, device_memory
from autoresearch.training.sft_checks import PACKING_RULE, checkpoint_bytes, kernels_usable


class RlOptions(Frozen):
    """The flags of ``train rl`` (training.md 7.1). ``None`` means the default that depends on other flags."""

    algorithm: Literal["rloo", "grpo"]
    release: Path
    model: Path
    run: Path
    device: Literal["cpu", "cuda", "npu"]
    engine: Literal["transformers", "vllm"]
    gpus: int = 1
    nodes: int = 1
    tp: int = 1
    gpu_memory: float = 0.5
    n: int = 8
    prompts: int = 16
    mini: int | None = None
    micro: int = 1
    steps: int | None = None
    epochs: int | None = None
    max_prompt: int | None = None
    max_response: int | None = None
    lr: float | None = None
    warmup: float = 0.0
    weight_decay: float = 0.01
    scheduler: Literal["cosine", "constant"] = "constant"
    kl_coef: float = 0.001
    entropy_coef: float = 0.0
    temperature: float = 1.0
    drop_constant_groups: bool = False
    max_samples: int | None = None
    """Rows of the train split that are read; None: all."""
    lora: int = 0
    lora_alpha: int | None = None
    save_every: int | None = None
    """None: the last step only."""
    eval_every: int = 0
    """0: no validation during training."""
    val_before: bool = True
    """Validate once before the first step; off together with ``eval_every`` 0 means no validation at all."""
    val_samples: int | None = None
    """Rows of the val split that are read; None: all."""
    keep: int = 3
    """0: keep all checkpoints."""
    purpose: Purpose = "formal"
    verdicts: Path | None = None
    seed: int = 42
    override: tuple[str, ...] = ()


@dataclass(frozen=True)
class RlFacts:
    """Facts beyond the common ones."""

    common: CommonFacts
    distinct_prompts: int
    """Among the rows that are read."""
    tools_sha256: str
    """Digest of the tool schemas that this installation would prompt with."""
    loop_settings: Mapping[str, object]
    engine_version: str
    longest_prompt: int
    """From the token-budget verdict of the release; 0 when there is none."""
    longest_completion: int
    """From the token-budget verdict of an SFT release of the same data; 0 when there is none."""
    mixed_share: float | None
    """Mixed-group share at n from the rollout verdict."""
    mixed_method: str
    """How the verdict's counts gave it: measured, or extrapolated and low."""
    above_baseline: bool | None
    verdict_thinking: bool | None


@dataclass(frozen=True)
class RlNumbers:
    """Sizes after the defaults are filled in."""

    rows: int
    steps: int
    epochs: int
    mini: int
    max_prompt: int
    max_response: int
    lr: float
    lora_alpha: int
    checkpoints: int
    val_rows: int
    """0 when the run does not validate."""
    packs: bool
    attention: str

    @property
    def validates(self) -> bool:
        """True when the val split is used."""
        return self.val_rows > 0


def round_up(value: int, multiple: int) -> int:
    """The smallest multiple that is not below ``value``."""
    return -(-value // multiple) * multiple


def resolve_rl(options: RlOptions, facts: RlFacts) -> RlNumbers:
    """Fill in the defaults: one epoch, mini = prompts, lengths from the verdicts rounded up to 64."""
    common = facts.common
    rows = common.release.rows.get("train", 0)
    rows = min(rows, options.max_samples) if options.max_samples else rows
    per_epoch = rows // max(1, options.prompts)
    if options.steps is not None:
        steps = options.steps
        epochs = options.epochs or -(-steps // max(1, per_epoch))
    else:
        epochs = options.epochs or 1
        steps = epochs * per_epoch
    saved = 1 if options.save_every is None else max(1, -(-steps // options.save_every))
    wants_val = options.val_before or options.eval_every > 0
    val_rows = common.release.rows.get("val", 0)
    if options.val_samples is not None:
        val_rows = min(val_rows, options.val_samples)
    return RlNumbers(
        rows=rows,
        steps=steps,
        epochs=epochs,
        mini=options.mini or options.prompts,
        max_prompt=options.max_prompt or round_up(facts.longest_prompt, 64),
        max_response=options.max_response or round_up(facts.longest_completion, 64),
        lr=options.lr if options.lr is not None else (1e-5 if options.lora else 1e-6),
        lora_alpha=options.lora_alpha or 2 * options.lora,
        checkpoints=saved if options.keep == 0 else min(saved, options.keep),
        val_rows=val_rows if wants_val else 0,
        packs=packing(options.device, common)[0],
        attention="flash_attention_2" if options.device != "cpu" and common.probe.flash_attention else "sdpa",
    )


def rl_checks(options: RlOptions, facts: RlFacts, numbers: RlNumbers, missing: Mapping[str, str]) -> list[Check]:
    """Checks of the files and of the arithmetic; ``missing`` says by gate why no verdict fits. See ``rl_verdicts``."""
    common = facts.common
    checks = common_checks(common, options.purpose, RL_FAMILIES)
    checks.append(
        check(
            "T006",
            "token_budget" not in missing,
            missing.get("token_budget", "found"),
            "a passed token_budget verdict of the same release, template and tokenizer",
            "autoresearch sft budget --release … --model … --verdict …",
        )
    )
    checks += arithmetic_checks(options, facts, numbers)
    disk = (numbers.checkpoints + 1) * checkpoint_bytes(common.model)
    checks.append(
        check(
            "T014",
            not common.run_taken and common.disk_free >= disk,
            f"run folder {'taken' if common.run_taken else 'free'}, {common.disk_free / 2**30:.1f} GiB free, "
            f"{disk / 2**30:.2f} GiB needed",
            "the run folder is absent or empty; disk for the kept checkpoints and one more",
            "give another --run",
        )
    )
    return checks


def estimate_memory(options: RlOptions, facts: RlFacts, numbers: RlNumbers) -> int:
    """Bytes on one device; on the processor, whose ranks share one memory, of all ranks of a machine."""
    model, ranks = facts.common.model, options.gpus * options.nodes
    if options.engine == "vllm":
        stays, claims = 0, int(options.gpu_memory * device_memory(facts.common, options.device))
    else:
        # Its own copy, and the one that travels to it after an update.
        stays = claims = 2 * FLOAT32 * model.parameters
    need = rl_bytes(
        model,
        ranks=ranks,
        lora=options.lora,
        rows=options.micro,
        tokens=numbers.max_prompt + numbers.max_response,
        reference=options.kl_coef > 0,
        engine_stays=stays,
        engine_claims=claims,
    )
    return need * options.gpus if options.device == "cpu" else need


def arithmetic_checks(options: RlOptions, facts: RlFacts, numbers: RlNumbers) -> list[Check]:
    """T009, T010, T101 to T106, T111."""
    dp = options.gpus * options.nodes
    batch, mini = options.prompts * options.n, numbers.mini * options.n
    divides = (
        options.prompts % numbers.mini == 0
        and mini % dp == 0
        and (mini // dp) % options.micro == 0
        and (batch // dp) % options.micro == 0
    )
    per_epoch = numbers.rows // max(1, options.prompts)
    enough = facts.distinct_prompts >= options.prompts * numbers.steps
    reachable = numbers.epochs * per_epoch >= numbers.steps > 0 and (enough or options.epochs is not None)
    frequencies = [value for value in (options.eval_every, options.save_every or 0) if value > numbers.steps]
    model = facts.common.model
    need, memory = estimate_memory(options, facts, numbers), device_memory(facts.common, options.device)
    return [
        check(
            "T010",
            fits(need, memory),
            memory_value(need, memory),
            MEMORY_RULE,
            "lower --micro, --max-response or --gpu-memory, use LoRA, or use more ranks",
        ),
        check(
            "T009",
            kernels_usable(options.device, facts.common),
            f"packing {'on' if numbers.packs else 'off'} ({packing(options.device, facts.common)[1]}), "
            f"attention {numbers.attention}",
            PACKING_RULE,
        ),
        check("T101", options.n >= 2, f"n {options.n}", "n >= 2: a group of one has no baseline", "raise --n"),
        check(
            "T102",
            divides,
            f"prompts {options.prompts}, mini {numbers.mini}, n {options.n}, ranks {dp}, micro {options.micro}",
            "prompts % mini = 0; mini*n % ranks = 0; mini*n/ranks and prompts*n/ranks are multiples of micro",
            "choose --prompts, --mini, --micro accordingly",
        ),
        check(
            "T103",
            facts.distinct_prompts >= options.prompts,
            f"{facts.distinct_prompts} distinct prompts, {options.prompts} a step",
            "distinct prompts >= prompts a step",
            "lower --prompts or raise --max-samples",
        ),
        check(
            "T104",
            reachable,
            f"{facts.distinct_prompts} distinct prompts, {options.prompts} x {numbers.steps} needed, "
            f"epochs {options.epochs if options.epochs is not None else 'not given'}, {per_epoch} steps an epoch",
            "distinct prompts >= prompts * steps, or --epochs with epochs * (rows // prompts) >= steps",
            "lower --steps, or give --epochs",
        ),
        check(
            "T105",
            numbers.max_prompt >= facts.longest_prompt > 0 and numbers.max_response >= max(1, facts.longest_completion),
            f"max-prompt {numbers.max_prompt} for {facts.longest_prompt or 'unknown'}, max-response "
            f"{numbers.max_response} for {facts.longest_completion or 'unknown'}",
            "max-prompt >= longest prompt of the token-budget verdict; max-response >= longest SFT completion",
            "raise --max-prompt or --max-response",
        ),
        check(
            "T106",
            not _engine_problem(options, facts, numbers),
            _engine_problem(options, facts, numbers) or "fits",
            "engine, model class, lengths, heads and memory share fit together",
        ),
        check(
            "T111",
            not frequencies and (not (options.val_before or options.eval_every) or numbers.val_rows >= 1),
            f"val rows {numbers.val_rows}, eval-every {options.eval_every}, save-every {options.save_every}, "
            f"steps {numbers.steps}, model {model.model_type}",
            "val rows >= 1 where the run validates; frequencies <= steps",
            "lower --eval-every or --save-every",
        ),
    ]


def _engine_problem(options: RlOptions, facts: RlFacts, numbers: RlNumbers) -> str:
    model = facts.common.model
    total = numbers.max_prompt + numbers.max_response
    if model.max_positions and total > model.max_positions:
        return f"max-prompt + max-response = {total} is beyond the model's {model.max_positions} positions"
    if options.engine == "transformers":
        if options.device != "cpu":
            return "the engine transformers runs on the processor only; servers use --engine vllm"
        return "" if options.tp == 1 else "the engine transformers knows no tensor parallelism: --tp 1"
    if options.device == "cpu":
        return "vLLM does not run beside verl 0.9.1 on the processor: --engine transformers"
    if model.model_type.startswith("qwen3_5") and model.model_type not in IMAGE_TEXT_TYPES:
        return f"vLLM refuses the text-only class {model.model_type}: use the released checkpoint"
    if not 0 < options.gpu_memory < 1:
        return f"--gpu-memory {options.gpu_memory} is not between 0 and 1"
    if options.gpus % options.tp or (model.heads and model.heads % options.tp):
        return f"--tp {options.tp} divides neither {options.gpus} devices nor {model.heads} heads"
    return ""
