"""``autoresearch train sft | rl | merge``: plan, launch, merge (training.md 5); ``rl`` stands in ``train_rl.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from cyclopts import App

from autoresearch.cli.outcome import Outcome
from autoresearch.cli.train_launch import Device, Overrides, launched, planned, required
from autoresearch.cli.train_rl import rl
from autoresearch.training.environment import find_device
from autoresearch.training.plan import Purpose

app = App(name="train", help="SFT, RLOO and GRPO with verl, and merging checkpoints.")


@app.command
def sft(
    *,
    release: Path | None = None,
    model: Path | None = None,
    run: Path | None = None,
    device: Device | None = None,
    gpus: int = 1,
    nodes: int = 1,
    rendezvous: str | None = None,
    steps: int | None = None,
    epochs: int | None = None,
    batch: int = 32,
    micro_batch: int = 1,
    max_length: int | None = None,
    lr: float | None = None,
    warmup: float = 0.03,
    weight_decay: float = 0.01,
    scheduler: Literal["cosine", "constant"] = "cosine",
    lora: int = 0,
    lora_alpha: int | None = None,
    answer_weight: float = 1.0,
    only_answer: bool = False,
    save_every: int | None = None,
    eval_every: int = 50,
    keep: int = 3,
    purpose: Purpose = "formal",
    verdicts: Path | None = None,
    seed: int = 42,
    override: Overrides = (),
    dry_run: bool = False,
    plan: Path | None = None,
    resume: bool = False,
) -> Outcome:
    """Fine-tune on a release: plan, check, and run exactly the plan.

    Example: autoresearch train sft --release rel/sft --model base --verdicts run/verdicts --run run/sft --dry-run

    Parameters
    ----------
    release
        Trajectory, three-message or sft-mixture release.
    model
        Local model folder.
    run
        Run folder; must not exist, except with --resume.
    device
        cpu, cuda or npu; found by itself.
    gpus
        Devices a node.
    nodes
        Nodes; each runs the same plan.
    rendezvous
        HOST:PORT on one of the nodes, where several nodes meet.
    steps
        Optimizer steps; default one epoch.
    epochs
        Passes over the rows.
    batch
        Rows a step, over all ranks.
    micro_batch
        Rows at a time on one rank.
    max_length
        Longest row in tokens; must equal the token-budget verdict's, whose value is the default.
    lr
        Learning rate; default 1e-5, with LoRA 1e-4.
    warmup
        Share of the steps.
    weight_decay
        Weight decay of AdamW.
    scheduler
        Course of the learning rate.
    lora
        Rank of the adapter; 0 trains all weights.
    lora_alpha
        Default twice the rank.
    answer_weight
        Weight of the two values of the answer in the loss.
    only_answer
        Learn from the last turn only.
    save_every
        Steps between checkpoints; default the last step only.
    eval_every
        Steps between validations; 0 turns them off.
    keep
        Checkpoints kept; 0 keeps all.
    purpose
        formal, practice (tiny models, mock thoughts) or smoke (at most 3 steps).
    verdicts
        Folder with the verdicts that the purpose needs.
    seed
        Order of the rows.
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
    from autoresearch.training.sft_checks import SftOptions
    from autoresearch.training.sft_plan import plan_sft

    options = SftOptions(
        release=required(release, "--release"),
        model=required(model, "--model"),
        run=required(run, "--run"),
        device=device or find_device(),
        gpus=gpus,
        nodes=nodes,
        rendezvous=rendezvous,
        steps=steps,
        epochs=epochs,
        batch=batch,
        micro_batch=micro_batch,
        max_length=max_length,
        lr=lr,
        warmup=warmup,
        weight_decay=weight_decay,
        scheduler=scheduler,
        lora=lora,
        lora_alpha=lora_alpha,
        answer_weight=answer_weight,
        only_answer=only_answer,
        save_every=save_every,
        eval_every=eval_every,
        keep=keep,
        purpose=purpose,
        verdicts=verdicts,
        seed=seed,
        override=override,
    )
    return planned(plan_sft(options), options.run, dry_run)


app.command(rl)


@app.command
def merge(
    *, run: Path, out: Path, step: int | None = None, dtype: Literal["float32", "bfloat16"] | None = None
) -> Outcome:
    """Make a model folder of a checkpoint.

    Example: autoresearch train merge --run run/sft --out run/sft/merged

    Parameters
    ----------
    run
        Run folder of train sft or train rl.
    out
        Model folder to write; must not exist.
    step
        Checkpoint; default the last.
    dtype
        Type of the weights; default that of the start model.
    """
    from autoresearch.training.merge import merge_run

    record = merge_run(run, out, step=step, dtype=dtype)
    keys = ("step", "dtype", "ranks", "tree_sha256", "files", "bytes", "max_logit_difference", "run_status")
    return Outcome({"model": str(out), **{key: record[key] for key in keys}})
