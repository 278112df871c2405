"""verl's configuration keys of an RL run (training.md 7.3): pure."""

from __future__ import annotations

from collections.abc import Mapping

from autoresearch.training.loop_settings import LOOP_NAME, MULTI_TURN
from autoresearch.training.plan import ATTEMPT
from autoresearch.training.rl_checks import RlFacts, RlNumbers, RlOptions
from autoresearch.training.sft_plan import FLOAT32

ACTOR, ROLLOUT, MODEL, REF = (f"actor_rollout_ref.{part}" for part in ("actor", "rollout", "model", "ref"))
POLL_SECONDS = {"cpu": 0.2, "cuda": 1.0, "npu": 1.0}
CPU_OBJECT_STORE_BYTES = 1_000_000_000
CPU_LOGICAL_CORES = 16
"""verl's placement groups ask for three logical cores each."""


def rl_overrides(
    options: RlOptions, facts: RlFacts, numbers: RlNumbers, environment: Mapping[str, str]
) -> dict[str, object]:
    """All keys in the order in which they stand in argv."""
    values = _data(options, facts, numbers) | _rollout(options) | _actor(options, numbers)
    values |= _trainer(options, numbers)
    values |= _cpu(options, numbers) if options.device == "cpu" else _accelerator(options, numbers)
    if options.kl_coef > 0:
        values |= _reference(options)
    if options.lora:
        values |= {
            f"{MODEL}.lora_rank": options.lora,
            f"{MODEL}.lora_alpha": numbers.lora_alpha,
            f"{MODEL}.target_modules": "all-linear",
        }
    for key, value in environment.items():
        values[f"+ray_kwargs.ray_init.runtime_env.env_vars.{key}"] = value
    values |= {"hydra.run.dir": f"{options.run}/attempts/{ATTEMPT}/hydra", "hydra.output_subdir": None}
    return values


def _data(options: RlOptions, facts: RlFacts, numbers: RlNumbers) -> dict[str, object]:
    release = facts.common.release
    return {
        f"{MODEL}.path": str(facts.common.model.path),
        "algorithm.adv_estimator": options.algorithm,
        "algorithm.use_kl_in_reward": False,
        "algorithm.norm_adv_by_std_in_grpo": True,
        "data.train_files": str(release.path / "train.parquet"),
        "data.val_files": str(release.path / "val.parquet"),
        "data.train_max_samples": options.max_samples or -1,
        "data.val_max_samples": options.val_samples or -1,
        "+data.apply_chat_template_kwargs.enable_thinking": release.thinking,
        "data.truncation": "error",
        "data.filter_overlong_prompts": False,
        "data.return_raw_chat": True,
        "data.shuffle": True,
        "data.seed": options.seed,
        "data.train_batch_size": options.prompts,
        "data.max_prompt_length": numbers.max_prompt,
        "data.max_response_length": numbers.max_response,
    }


def _rollout(options: RlOptions) -> dict[str, object]:
    values: dict[str, object] = {
        f"{ROLLOUT}.name": options.engine,
        f"{ROLLOUT}.mode": "async",
        f"{ROLLOUT}.n": options.n,
        f"{ROLLOUT}.temperature": options.temperature,
        f"{ROLLOUT}.top_p": 1,
        f"{ROLLOUT}.top_k": -1,
        f"{ROLLOUT}.seed": options.seed,
        f"{ROLLOUT}.calculate_log_probs": True,
        f"{ROLLOUT}.tensor_model_parallel_size": options.tp,
        f"{ROLLOUT}.log_prob_micro_batch_size_per_gpu": options.micro,
        f"{ROLLOUT}.agent.default_agent_loop": LOOP_NAME,
        f"{ROLLOUT}.agent.agent_loop_config_path": str(options.run / "loop.yaml"),
        f"{ROLLOUT}.multi_turn.enable": True,
        f"{ROLLOUT}.multi_turn.tool_config_path": str(options.run / "tools.yaml"),
    }
    values |= {f"{ROLLOUT}.multi_turn.{key}": value for key, value in MULTI_TURN.items()}
    values |= {
        f"{ROLLOUT}.multi_turn.tokenization_sanity_check_mode": "strict",
        f"{ROLLOUT}.val_kwargs.n": 1,
        f"{ROLLOUT}.val_kwargs.temperature": 0,
        f"{ROLLOUT}.val_kwargs.do_sample": False,
        "reward.custom_reward_function.path": "pkg://autoresearch.training.episode_reward",
        "reward.custom_reward_function.name": "compute_score",
        "trainer.v1.trainer_mode": "sync",
        "trainer.v1.sampler.custom_sampler.path": "pkg://autoresearch.training.sampler",
        "trainer.v1.sampler.custom_sampler.name": "StrictReplayBuffer",
        "+trainer.v1.sampler.sampler_kwargs.poll_interval": POLL_SECONDS[options.device],
        "+trainer.v1.sampler.sampler_kwargs.n": options.n,
        "+trainer.v1.sampler.sampler_kwargs.val_n": 1,
        "+trainer.v1.sampler.sampler_kwargs.drop_constant_groups": options.drop_constant_groups,
    }
    if options.drop_constant_groups:
        values["+trainer.v1.sampler.sampler_kwargs.train_batch_size"] = options.prompts
    return values


def _actor(options: RlOptions, numbers: RlNumbers) -> dict[str, object]:
    return {
        f"{ACTOR}.ppo_mini_batch_size": numbers.mini,
        f"{ACTOR}.ppo_micro_batch_size_per_gpu": options.micro,
        f"{ACTOR}.ppo_epochs": 1,
        f"{ACTOR}.use_kl_loss": options.kl_coef > 0,
        f"{ACTOR}.kl_loss_coef": options.kl_coef,
        f"{ACTOR}.kl_loss_type": "low_var_kl",
        f"{ACTOR}.calculate_entropy": True,
        f"{ACTOR}.entropy_coeff": options.entropy_coef,
        f"{ACTOR}.data_loader_seed": options.seed,
        f"{ACTOR}.optim.lr": numbers.lr,
        f"{ACTOR}.optim.lr_warmup_steps_ratio": options.warmup,
        f"{ACTOR}.optim.weight_decay": options.weight_decay,
        f"{ACTOR}.optim.lr_scheduler_type": options.scheduler,
        f"{ACTOR}.strategy": "fsdp2",
        f"{ACTOR}.fsdp_config.strategy": "fsdp2",
        f"{ACTOR}.fsdp_config.model_dtype": "fp32",
    }


def _trainer(options: RlOptions, numbers: RlNumbers) -> dict[str, object]:
    run = options.run
    return {
        "trainer.logger": ["console", "file", "tensorboard"],
        "trainer.project_name": "autoresearch",
        "trainer.experiment_name": options.algorithm,
        "trainer.device": options.device,
        "trainer.n_gpus_per_node": options.gpus,
        "trainer.nnodes": options.nodes,
        "trainer.total_training_steps": numbers.steps,
        "trainer.total_epochs": numbers.epochs,
        "trainer.val_before_train": options.val_before,
        "trainer.test_freq": options.eval_every or -1,
        "trainer.save_freq": options.save_every or numbers.steps,
        "trainer.max_actor_ckpt_to_keep": options.keep or None,
        "trainer.resume_mode": "disable",
        "trainer.default_local_dir": str(run / "checkpoints"),
        "trainer.rollout_data_dir": str(run / "rollouts"),
        "trainer.validation_data_dir": str(run / "validation"),
    }


def _cpu(options: RlOptions, numbers: RlNumbers) -> dict[str, object]:
    return {
        f"{ROLLOUT}.agent.num_workers": 1,
        f"{MODEL}.external_lib": "autoresearch.training.plugin.cpu_engine",
        f"{MODEL}.use_remove_padding": False,
        f"{MODEL}.enable_gradient_checkpointing": False,
        f"+{MODEL}.override_config.attn_implementation": numbers.attention,
        f"{ACTOR}.use_torch_compile": False,
        f"{ACTOR}.fsdp_config.use_torch_compile": False,
        f"+{ACTOR}.fsdp_config.mixed_precision": FLOAT32,
        f"{ACTOR}.use_dynamic_bsz": False,
        "data.dataloader_num_workers": 0,
        "reward.num_workers": 1,
        "transfer_queue.backend.SimpleStorage.num_data_storage_units": 1,
        "ray_kwargs.ray_init.num_cpus": CPU_LOGICAL_CORES,
        "+ray_kwargs.ray_init.num_gpus": options.gpus,
        "+ray_kwargs.ray_init.include_dashboard": False,
        "+ray_kwargs.ray_init.object_store_memory": CPU_OBJECT_STORE_BYTES,
    }


def _accelerator(options: RlOptions, numbers: RlNumbers) -> dict[str, object]:
    length = numbers.max_prompt + numbers.max_response
    return {
        f"{ROLLOUT}.gpu_memory_utilization": options.gpu_memory,
        f"{ROLLOUT}.max_model_len": length + 1,
        f"{ROLLOUT}.max_num_batched_tokens": max(8192, length + 1),
        f"{ROLLOUT}.enable_prefix_caching": True,
        f"{ROLLOUT}.enforce_eager": True,
        f"{ROLLOUT}.load_format": "dummy",
        f"+{ROLLOUT}.engine_kwargs.vllm.additional_config.gdn_prefill_backend": "triton",
        f"{MODEL}.external_lib": "autoresearch.training.plugin.require",
        f"{MODEL}.use_remove_padding": numbers.packs,
        f"{MODEL}.enable_gradient_checkpointing": True,
        f"{MODEL}.use_fused_kernels": True,
        f"+{MODEL}.override_config.attn_implementation": numbers.attention,
        f"{ACTOR}.use_dynamic_bsz": True,
        f"{ACTOR}.ppo_max_token_len_per_gpu": max(16384, length),
    }


def _reference(options: RlOptions) -> dict[str, object]:
    values: dict[str, object] = {
        f"{REF}.strategy": "fsdp2",
        f"{REF}.log_prob_micro_batch_size_per_gpu": options.micro,
        f"{REF}.fsdp_config.strategy": "fsdp2",
        f"{REF}.fsdp_config.model_dtype": "fp32",
    }
    if options.device == "cpu":
        values |= {
            f"{REF}.use_torch_compile": False,
            f"{REF}.fsdp_config.use_torch_compile": False,
            f"+{REF}.fsdp_config.mixed_precision": FLOAT32,
        }
    return values
