"""``autoresearch train rl``: plan and launch of RLOO and GRPO (training.md 7)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from autoresearch.cli.outcome import Outcome
from autoresearch.cli.train_launch import Device, Overrides, launched, planned, required
from autoresearch.training.environment import find_device
from autoresearch.training.plan import Purpose


def rl(
    *,
    algorithm: Literal["rloo", "grpo"] = "rloo",
    release: Path | None = None,
    model: Path | None = None,
    run: Path | None = None,
    device: Device | None = None,
    engine: Literal["transformers", "vllm"] | None = None,
    gpus: int = 1,
    nodes: int = 1,
    tp: int = 1,
    gpu_memory: float = 0.5,
    n: int = 8,
    prompts: int = 16,
    mini: int | None = None,
    micro: int = 1,
    steps: int | None = None,
    epochs: int | None = None,
    max_prompt: int | None = None,
    max_response: int | None = None,
    lr: float | None = None,
    warmup: float = 0.0,
    weight_decay: float = 0.01,
    scheduler: Literal["cosine", "constant"] = "constant",
    kl_coef: float = 0.001,
    entropy_coef: float = 0.0,
    temperature: float = 1.0,
    drop_constant_groups: bool = False,
    max_samples: int | None = None,
    lora: int = 0,
    lora_alpha: int | None = None,
    save_every: int | None = None,
    eval_every: int = 0,
    val_before: bool = True,
    val_samples: int | None = None,
    keep: int = 3,
    purpose: Purpose = "formal",
    verdicts: Path | None = None,
    seed: int = 42,
    override: Overrides = (),
    dry_run: bool = False,
    plan: Path | None = None,
    resume: bool = False,
) -> Outcome:
    """Reinforcement learning on a cascade release; starts only with the verdicts of what it is about to use.

    Example: autoresearch train rl --algorithm rloo --release rel/rl --model run/sft/merged --verdicts run/verdicts \
--run run/rl --dry-run

    Parameters
    ----------
    algorithm
        rloo or grpo.
    release
        Cascade release.
    model
        Merged model folder.
    run
        Run folder; must not exist, except with --resume.
    device
        cpu, cuda or npu; found by itself.
    engine
        Rollout engine; transformers on the processor, else vllm.
    gpus
        Devices a node.
    nodes
        Nodes.
    tp
        Tensor parallel size of the engine.
    gpu_memory
        Share of device memory for the engine.
    n
        Episodes a prompt.
    prompts
        Prompts a step.
    mini
        Prompts an optimizer update; default all of a step.
    micro
        Episodes at a time on one rank.
    steps
        Steps; default one epoch.
    epochs
        Passes over the prompts.
    max_prompt
        Longest prompt in tokens; default from the token-budget verdict.
    max_response
        Longest response in tokens, tool results included; default from the token-budget verdict.
    lr
        Learning rate; default 1e-6, with LoRA 1e-5.
    warmup
        Share of the steps.
    weight_decay
        Weight decay of AdamW.
    scheduler
        Course of the learning rate.
    kl_coef
        Weight of the KL loss; 0 needs no reference model.
    entropy_coef
        Weight of the entropy bonus.
    temperature
        Sampling temperature.
    drop_constant_groups
        Leave groups with equal rewards out of the update.
    max_samples
        Read only so many train rows.
    lora
        Rank of the adapter; 0 trains all weights.
    lora_alpha
        Default twice the rank.
    save_every
        Steps between checkpoints; default the last step only.
    eval_every
        Steps between validations; 0 turns them off.
    val_before
        Validate before the first step.
    val_samples
        Read only so many val rows.
    keep
        Checkpoints kept; 0 keeps all.
    purpose
        formal, practice or smoke (at most 3 steps).
    verdicts
        Folder with the verdicts that the purpose needs.
    seed
        Order of prompts and sampling.
    override
        KEY=VALUE for a key of verl that the plan does not fix.
    dry_run
        Write the plan and start nothing.
    plan
        Run this plan file.
    resume
        Go on from the last complete checkpoint of --run.
    """
    if plan is not None:
        return launched(plan, resume=resume)
    if resume:
        return launched(required(run, "--run") / "plan.json", resume=True)
    from autoresearch.training.rl_checks import RlOptions
    from autoresearch.training.rl_plan import plan_rl

    where = device or find_device()
    options = RlOptions(
        algorithm=algorithm,
        release=required(release, "--release"),
        model=required(model, "--model"),
        run=required(run, "--run"),
        device=where,
        engine=engine or ("transformers" if where == "cpu" else "vllm"),
        gpus=gpus,
        nodes=nodes,
        tp=tp,
        gpu_memory=gpu_memory,
        n=n,
        prompts=prompts,
        mini=mini,
        micro=micro,
        steps=steps,
        epochs=epochs,
        max_prompt=max_prompt,
        max_response=max_response,
        lr=lr,
        warmup=warmup,
        weight_decay=weight_decay,
        scheduler=scheduler,
        kl_coef=kl_coef,
        entropy_coef=entropy_coef,
        temperature=temperature,
        drop_constant_groups=drop_constant_groups,
        max_samples=max_samples,
        lora=lora,
        lora_alpha=lora_alpha,
        save_every=save_every,
        eval_every=eval_every,
        val_before=val_before,
        val_samples=val_samples,
        keep=keep,
        purpose=purpose,
        verdicts=verdicts,
        seed=seed,
        override=override,
    )
    return planned(plan_rl(options), options.run, dry_run)
