"""``autoresearch train sft | rl | merge``: plan, launch, merge (training.md 5 and 7)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError
from autoresearch.training.environment import find_device
from autoresearch.training.launch import run_plan
from autoresearch.training.outcome import RunResult
from autoresearch.training.plan import Plan, Purpose, write_plan

app = App(name="train", help="SFT, RLOO and GRPO with verl, and merging checkpoints.")

Device = Literal["cpu", "cuda", "npu"]
Overrides = Annotated[tuple[str, ...], Parameter(name="--override", negative=())]
INTERRUPTED = 130


def _planned(plan: Plan, run: Path, dry_run: bool) -> Outcome:
    digest = write_plan(plan, run)
    path = run / "plan.json"
    if not dry_run:
        return _launched(path, resume=False)
    payload = {
        "plan": str(path),
        "sha256": digest,
        "steps": plan.steps,
        "purpose": plan.purpose,
        "argv": list(plan.argv),
        "environment": plan.environment,
        "checks": [item.model_dump() for item in plan.checks],
        "verdicts": [{"gate": item.gate, "path": item.path} for item in plan.verdicts],
    }
    return Outcome(payload)


def _launched(path: Path, *, resume: bool) -> Outcome:
    result: RunResult = run_plan(path, resume=resume)
    payload = {
        "run": str(path.parent),
        "result": result.status,
        "reason": result.reason,
        "steps": result.steps_completed,
        "steps_asked": result.steps_asked,
        "checkpoint": result.checkpoint,
        "seconds": result.seconds,
        "conditions": [item.model_dump() for item in result.conditions],
    }
    codes = {"trained": 0, "interrupted": INTERRUPTED}
    return Outcome(payload, codes.get(result.status, 1))


def _required(value: Path | None, flag: str) -> Path:
    if value is None:
        raise InputError(f"{flag} is needed (or --plan FILE, or --resume with --run)")
    return value


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
        return _launched(plan, resume=resume)
    if resume:
        return _launched(_required(run, "--run") / "plan.json", resume=True)
    from autoresearch.training.sft_checks import SftOptions
    from autoresearch.training.sft_plan import plan_sft

    options = SftOptions(
        release=_required(release, "--release"),
        model=_required(model, "--model"),
        run=_required(run, "--run"),
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
    return _planned(plan_sft(options), options.run, dry_run)


@app.command
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
        return _launched(plan, resume=resume)
    if resume:
        return _launched(_required(run, "--run") / "plan.json", resume=True)
    from autoresearch.training.rl_checks import RlOptions
    from autoresearch.training.rl_plan import plan_rl

    where = device or find_device()
    options = RlOptions(
        algorithm=algorithm,
        release=_required(release, "--release"),
        model=_required(model, "--model"),
        run=_required(run, "--run"),
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
    return _planned(plan_rl(options), options.run, dry_run)


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
