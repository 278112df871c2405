"""From flags to an SFT plan: overrides, environment and argv of ``verl.trainer.sft_trainer`` (training.md 5.4)."""

from __future__ import annotations

from pathlib import Path

from autoresearch.errors import InputError
from autoresearch.training.environment import cpu_cores, interpreter
from autoresearch.training.plan import (
    ATTEMPT,
    PLAN_SHA256,
    Plan,
    file_input,
    hydra_overrides,
    merge_user_overrides,
    require_passed,
    tree_input,
)
from autoresearch.training.plan_facts import CommonFacts, gather
from autoresearch.training.sft_checks import SftNumbers, SftOptions, demands, resolve, sft_checks
from autoresearch.training.verdict_match import match_all

FLOAT32 = {"param_dtype": "fp32", "reduce_dtype": "fp32", "buffer_dtype": "fp32"}


def common_environment(device: str, run: Path, ranks: int = 1) -> dict[str, str]:
    """Environment of every launch: the plug-in, the offline switch, one metrics file an attempt.

    On the processor the cores are divided among ``ranks`` processes of this machine.
    """
    attempt = f"{run}/attempts/{ATTEMPT}"
    values = {
        "VERL_USE_EXTERNAL_PLUGINS": "autoresearch",
        "VERL_FILE_LOGGER_PATH": f"{attempt}/metrics.jsonl",
        "TENSORBOARD_DIR": f"{attempt}/tensorboard",
        "HF_HUB_OFFLINE": "1",
        "HYDRA_FULL_ERROR": "1",
        "PYTHONUNBUFFERED": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }
    if device == "cpu":
        values |= {"VERL_PLATFORM": "cpu", "OMP_NUM_THREADS": str(max(1, cpu_cores() // ranks))}
    return values


def sft_overrides(options: SftOptions, facts: CommonFacts, numbers: SftNumbers) -> dict[str, object]:
    """verl's configuration keys of an SFT run, in the order in which they stand in argv."""
    run = options.run
    release = facts.release.path
    values: dict[str, object] = {
        "data.custom_cls.path": "pkg://autoresearch.training.sft_dataset",
        "data.custom_cls.name": "ConversationDataset",
        "data.train_files": str(release / "train.parquet"),
        "data.val_files": str(release / "val.parquet") if numbers.validates else None,
        "data.train_batch_size": options.batch,
        "data.micro_batch_size_per_gpu": options.micro_batch,
        "data.pad_mode": "no_padding",
        "data.truncation": "error",
        "data.max_length": numbers.max_length,
        "+data.answer_weight": _whole(options.answer_weight),
        "+data.only_answer": options.only_answer,
        "+data.order_seed": options.seed,
        "+data.token_store": str(run / "tokens"),
        "+data.plan_sha256": PLAN_SHA256,
        "model.path": str(facts.model.path),
        "optim.lr": numbers.lr,
        "optim.lr_warmup_steps_ratio": options.warmup,
        "optim.weight_decay": options.weight_decay,
        "optim.lr_scheduler_type": options.scheduler,
        "trainer.logger": ["console", "file", "tensorboard"],
        "trainer.project_name": "autoresearch",
        "trainer.experiment_name": "sft",
        "trainer.resume_mode": "disable",
        "trainer.default_local_dir": str(run / "checkpoints"),
        "trainer.total_training_steps": numbers.steps,
        "trainer.total_epochs": numbers.epochs,
        "trainer.save_freq": options.save_every or -1,
        "trainer.test_freq": options.eval_every if numbers.validates else -1,
        "trainer.max_ckpt_to_keep": options.keep or None,
        "trainer.n_gpus_per_node": options.gpus,
        "trainer.nnodes": options.nodes,
        "trainer.device": options.device,
    }
    values |= _device_overrides(options, numbers)
    if options.lora:
        values |= {
            "model.lora_rank": options.lora,
            "model.lora_alpha": numbers.lora_alpha,
            "model.target_modules": "all-linear",
        }
    values |= {"hydra.run.dir": f"{run}/attempts/{ATTEMPT}/hydra", "hydra.output_subdir": None}
    return values


def _whole(number: float) -> float | int:
    return int(number) if float(number).is_integer() else number


def _device_overrides(options: SftOptions, numbers: SftNumbers) -> dict[str, object]:
    if options.device == "cpu":
        return {
            "model.external_lib": "autoresearch.training.plugin.cpu_engine",
            "model.use_remove_padding": False,
            "model.enable_gradient_checkpointing": False,
            "+model.override_config.attn_implementation": numbers.attention,
            "engine.strategy": "fsdp2",
            "engine.model_dtype": "fp32",
            "engine.use_torch_compile": False,
            "+engine.mixed_precision": FLOAT32,
            "data.use_dynamic_bsz": False,
            "data.num_workers": 0,
        }
    return {
        "model.external_lib": "autoresearch.training.plugin.require",
        "model.use_remove_padding": numbers.packs,
        "model.enable_gradient_checkpointing": True,
        "model.use_fused_kernels": True,
        "+model.override_config.attn_implementation": numbers.attention,
        "engine.strategy": "fsdp2",
        "engine.model_dtype": "fp32",
        "data.use_dynamic_bsz": True,
        "data.max_token_len_per_gpu": max(8192, numbers.max_length),
    }


def torchrun(options: SftOptions) -> list[str]:
    """The launcher in front of the trainer; several nodes run the same plan and meet at ``options.rendezvous``.

    Raises ``InputError`` when it is no ``HOST:PORT``, absent for several nodes, or given for one (training.md 5.4).
    """
    ranks = f"--nproc-per-node={options.gpus}"
    if options.nodes == 1:
        if options.rendezvous is not None:
            raise InputError(f"--rendezvous {options.rendezvous} is for several nodes: give --nodes, or leave it out")
        return ["-m", "torch.distributed.run", "--standalone", ranks]
    if options.rendezvous is None:
        raise InputError(f"--nodes {options.nodes} needs --rendezvous HOST:PORT, where the nodes meet")
    host, _, port = options.rendezvous.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise InputError(f"--rendezvous {options.rendezvous!r} is not HOST:PORT, such as node1:29500")
    return [
        "-m",
        "torch.distributed.run",
        f"--nnodes={options.nodes}",
        "--rdzv-backend=c10d",
        f"--rdzv-endpoint={options.rendezvous}",
        f"--rdzv-id={PLAN_SHA256}",
        ranks,
    ]


def plan_sft(options: SftOptions) -> Plan:
    """Read the facts, decide, and return the plan. Raises ``RefusedError`` with each failed check; starts nothing."""
    options = options.model_copy(update={"run": options.run.resolve()})
    environment = common_environment(options.device, options.run, options.gpus)
    facts = gather(options.release, options.model, options.run, options.verdicts, environment)
    return build_sft_plan(options, facts, environment)


def build_sft_plan(options: SftOptions, facts: CommonFacts, environment: dict[str, str]) -> Plan:
    """Decide over facts: checks, overrides, argv. Raises ``RefusedError`` when a check fails."""
    numbers = resolve(options, facts)
    used, missing = match_all(facts.verdicts, demands(options, facts, numbers))
    checks = sft_checks(options, facts, numbers, missing)
    require_passed(checks, "train sft")
    values = sft_overrides(options, facts, numbers)
    extra = merge_user_overrides(values, options.override)
    argv = [
        interpreter(),
        *torchrun(options),
        "-m",
        "verl.trainer.sft_trainer",
        *hydra_overrides(values),
        *(f"{key}={value}" for key, value in extra.items()),
    ]
    release = facts.release.path
    inputs = [file_input(f"release/{name}", release / name) for name in sorted(facts.release.files)]
    inputs.append(file_input("release/export_report.json", release / "export_report.json"))
    inputs.append(tree_input("model", facts.model.path))
    inputs += [file_input(f"verdict/{item.gate}", Path(item.path)) for item in used]
    return Plan(
        kind="sft",
        algorithm="sft",
        purpose=options.purpose,
        device=options.device,
        engine="",
        steps=numbers.steps,
        argv=tuple(argv),
        environment=environment,
        paths={"run": str(options.run), "release": str(release), "model": str(facts.model.path)},
        inputs=tuple(inputs),
        release_header=dict(facts.release.header),
        thinking=facts.release.thinking,
        template_sha256=facts.model.template_sha256,
        tokenizer_sha256=facts.model.tokenizer_sha256,
        verdicts=tuple(used),
        checks=tuple(checks),
        limits={"max_length": numbers.max_length},
        settings=_settings(options, numbers, facts),
        overrides=extra,
        variable={
            "batch": options.batch,
            "micro": options.micro_batch,
            "devices": options.gpus,
            "nodes": options.nodes,
            "samples": facts.release.rows.get("train", 0),
            "steps": numbers.steps,
            "lengths": {"max_length": numbers.max_length},
            "logger": ["console", "file", "tensorboard"],
            "outputs": {"run": str(options.run)},
        },
        versions=dict(facts.versions),
    )


def _settings(options: SftOptions, numbers: SftNumbers, facts: CommonFacts) -> dict[str, object]:
    given = options.model_dump(mode="json", exclude={"release", "model", "run", "verdicts", "override"})
    return {
        **given,
        "answer_weight": _whole(options.answer_weight),
        "steps": numbers.steps,
        "epochs": numbers.epochs,
        "max_length": numbers.max_length,
        "lr": numbers.lr,
        "lora_alpha": numbers.lora_alpha if options.lora else 0,
        "validates": numbers.validates,
        "packs": numbers.packs,
        "attention": numbers.attention,
        "model_tree": facts.model_tree,
        "tiny": facts.model.tiny,
    }
