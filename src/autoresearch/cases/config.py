"""``verl_case`` of ``config.yaml``: what is asked of a formal case (formal-case.md 3.2).

Reading checks each value for itself; what only the host's facts can tell (sizes, devices, lengths of the model) is
checked by ``row_checks`` on the derived rows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from autoresearch.assets.settings import Settings, build_settings, read_yaml
from autoresearch.errors import InputError
from autoresearch.findings import finding
from autoresearch.hosts.config import Config, find_config

TaskName = Literal["geo3k-grpo", "field-sft", "field-rloo", "field-grpo"]
InferenceMode = Literal["sync", "async"]
Switch = Literal["auto", "on", "off"]
RetryClass = Literal[
    "ssh_lost",
    "launcher_error",
    "docker_error",
    "resource_busy",
    "supervisor_lost",
    "ray_start",
    "device_count_zero",
    "engine_dead",
    "collective_timeout",
]
"""Classes that may be retried; memory, steps and reward classes are never retried by themselves."""
ACCELERATOR_PROFILE: dict[str, Literal["fsdp", "fsdp2"]] = {"ascend": "fsdp", "nvidia": "fsdp2", "cpu": "fsdp2"}
PLAN_KEYS = ("group_size", "seed", "profile", "padding_removal", "dynamic_batch", "rollout", "tensor_parallel")
"""Keys that a plan fixes: a field task keeps the plan's."""
Positive = Annotated[int, Field(gt=0)]


def _unique(values: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(set(values)) != len(values):
        raise ValueError("a value stands twice")
    if not values:
        raise ValueError("at least one value is needed")
    return values


def _ascending(values: tuple[int, ...]) -> tuple[int, ...]:
    if list(values) != sorted(set(values)):
        raise ValueError("the values ascend, each once")
    return values


Devices = Annotated[tuple[Annotated[int, Field(ge=0)], ...], AfterValidator(_unique)]
Sizes = Annotated[tuple[Positive, ...], AfterValidator(_unique), AfterValidator(_ascending)]


class Ladder(Settings):
    """The training ladder (formal-case.md 5)."""

    batch_sizes: Sizes = (1, 2, 4, 8)
    """Prompts per device, ascending, the first is 1."""
    skip_single: bool = False
    """The model fits no single device: the ladder itself runs on all of them."""
    skip_reason: str | None = None
    """Why; goes into lock and report."""
    mini_batch: Literal["batch"] | Sizes = "batch"
    """``batch``: one update a step; or divisors of the batch per device."""
    micro_batches: Sizes = (1,)
    """Samples per device."""
    output_tokens: Sizes | None = None
    """Default: the smallest of ``output_tokens``."""
    modes: Annotated[tuple[InferenceMode, ...], AfterValidator(_unique)] | None = None
    """Default: the first of ``inference_modes``."""
    stop_after_memory_failures: Positive = 2
    bisect_limit: Annotated[int, Field(ge=0)] = 3
    promote: Annotated[int, Field(ge=0)] = 1
    """How many single-device cases go to the node."""

    @field_validator("batch_sizes")
    @classmethod
    def _starts_at_one(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if value[0] != 1:
            raise ValueError("the first batch size is 1")
        return value


class TensorParallel(Settings):
    """Devices that share one copy of the rollout model, by stage."""

    single: Positive = 1
    node: Positive = 1

    def of(self, stage: str) -> int:
        """The size of a stage; bisected rows belong to the stage that is bisected."""
        return self.node if stage == "node" else self.single


class Rollout(Settings):
    """Settings of the rollout engine (formal-case.md 7.3)."""

    gpu_memory_utilization: Annotated[float, Field(gt=0, lt=1)] = 0.5
    max_model_len_floor: Annotated[int, Field(ge=0)] = 0
    max_num_seqs: Literal["auto"] | Positive = "auto"
    free_cache_engine: bool = True
    update_weights_bucket_mb: Positive = 2048
    enforce_eager: bool = True
    """Configurable on NVIDIA only; true elsewhere."""
    use_torch_compile: bool = False
    """Configurable on NVIDIA only; false elsewhere."""


class Retry(Settings):
    """When an attempt is repeated by itself."""

    max_attempts: Positive = 2
    on: tuple[RetryClass, ...] = ("ssh_lost", "launcher_error", "docker_error", "resource_busy")

    @model_validator(mode="before")
    @classmethod
    def _yaml_key(cls, content: Any) -> Any:
        """YAML reads the bare key ``on`` as true."""
        if isinstance(content, dict) and True in content and "on" not in content:
            return {"on" if key is True else key: value for key, value in content.items()}
        return content


class Dependency(Settings):
    """A source tree that takes part in the run."""

    path: str
    mount: bool = False
    """True: mounted read-only over the image's own (V335)."""


class TelemetrySettings(Settings):
    """What is sampled."""

    interval_seconds: Annotated[float, Field(ge=0.1, le=60)] = 0.5
    host: bool = True
    push: bool = True


class VerlCase(Settings):
    """The part ``verl_case`` of the config."""

    task: TaskName = "geo3k-grpo"
    mode: Literal["training", "validation"] = "training"
    trainer_val_only: bool = False
    """Derived from ``mode``; may be stated in its place (true = validation)."""
    model_id: str = "Qwen/Qwen3.5-2B"
    dataset_id: str = "hiyouga/geometry3k"
    plan: Path | None = None
    """Folder of a plan made by ``autoresearch train … --dry-run``; needed by ``field-*``."""
    cache_root: str = "~/autoresearch-data"
    artifact_root: str | None = None
    """Default: ``<cache_root>/runs``."""
    wandb_project: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,128}$")] = "verl"
    wandb_mode: Literal["offline", "online"] = "offline"
    input_tokens: Positive = 1024
    output_tokens: Sizes = (2048, 4096, 8192, 16384)
    ignore_eos: bool = False
    inference_modes: Annotated[tuple[InferenceMode, ...], AfterValidator(_unique)] = ("sync",)
    """Default in validation of geo3k: both. A plan fixes its own."""
    training_steps: Annotated[int, Field(ge=3)] = 3
    devices: Literal["auto"] | Devices = "auto"
    single_card_devices: Devices | None = None
    """Default: the first of ``devices``."""
    group_size: Positive = 4
    """n; at least 2 for GRPO and RLOO (V201). Field tasks keep the plan's."""
    train_samples: Literal["auto"] | Positive = "auto"
    val_samples: Positive = 64
    ladder: Ladder = Ladder()
    tensor_parallel: TensorParallel = TensorParallel()
    rollout: Rollout = Rollout()
    profile: Literal["auto", "fsdp", "fsdp2"] = "auto"
    padding_removal: Switch = "auto"
    dynamic_batch: Switch = "auto"
    row_timeout_seconds: Positive = 7200
    outer_margin_seconds: Annotated[int, Field(ge=120)] = 300
    retry: Retry = Retry()
    reuse_container: str | None = None
    dependencies: dict[Literal["verl", "vllm", "transformers", "mindspeed"], Dependency] = Field(default_factory=dict)
    telemetry: TelemetrySettings = TelemetrySettings()
    dump_policy: Literal["keep", "hash"] = "keep"
    save_final: bool = False
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 20240
    github_owner: str | None = None
    keep_remote: Literal["always", "on_failure", "never"] = "on_failure"

    @model_validator(mode="before")
    @classmethod
    def _modes(cls, content: Any) -> Any:
        """``trainer_val_only`` and ``mode`` are one switch; the defaults of the modes depend on it."""
        if not isinstance(content, dict):
            return content
        content = dict(content)
        stated = content.get("trainer_val_only")
        if "mode" not in content and isinstance(stated, bool):
            content["mode"] = "validation" if stated else "training"
        if content.get("mode") in ("training", "validation") and stated is None:
            content["trainer_val_only"] = content["mode"] == "validation"
        if content.get("mode") == "validation" and not str(content.get("task", "")).startswith("field-"):
            content.setdefault("inference_modes", ("sync", "async"))
        if isinstance(content.get("tensor_parallel"), int) and not isinstance(content["tensor_parallel"], bool):
            size = content["tensor_parallel"]
            content["tensor_parallel"] = {"single": size, "node": size}
        return content

    @field_validator("padding_removal", "dynamic_batch", mode="before")
    @classmethod
    def _yaml_switch(cls, value: Any) -> Any:
        """YAML reads a bare ``on`` as true."""
        return {True: "on", False: "off"}[value] if isinstance(value, bool) else value

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.trainer_val_only != (self.mode == "validation"):
            raise ValueError("mode and trainer_val_only contradict each other")
        if self.is_field and self.plan is None:
            raise ValueError(f"task {self.task} needs the key plan: the folder that train … --dry-run wrote")
        if not self.is_field and self.plan is not None:
            raise ValueError("plan belongs to field-* tasks")
        if self.task == "field-sft" and self.mode == "validation":
            raise ValueError("field-sft has no validation mode; use `autoresearch eval` on the trained model")
        if self.mode == "training" and self.ignore_eos:
            raise ValueError("ignore_eos is refused for mode training: what is rewarded must end by itself")
        if self.ladder.skip_single and not self.ladder.skip_reason:
            raise ValueError("ladder.skip_single needs ladder.skip_reason, which goes into lock and report")
        beyond = set(self.ladder.modes or ()) - set(self.inference_modes)
        if beyond:
            raise ValueError(f"ladder.modes holds {sorted(beyond)[0]}, inference_modes does not")
        wanted = set(self.ladder.output_tokens or ()) - set(self.output_tokens)
        if wanted and "output_tokens" in self.model_fields_set:
            raise ValueError(f"ladder.output_tokens holds {min(wanted)}, output_tokens does not")
        if isinstance(self.devices, tuple) and set(self.single_card_devices or ()) - set(self.devices):
            raise ValueError("single_card_devices is a subset of devices")
        return self

    @property
    def is_field(self) -> bool:
        """True for the tasks that run a plan."""
        return self.task != "geo3k-grpo"

    @property
    def algorithm(self) -> Literal["grpo", "rloo", "sft"]:
        """What the names and checks call it."""
        last = self.task.rpartition("-")[2]
        return "rloo" if last == "rloo" else "sft" if last == "sft" else "grpo"

    @property
    def ladder_outputs(self) -> tuple[int, ...]:
        """Output lengths of the training ladder."""
        return self.ladder.output_tokens or (min(self.output_tokens),)

    @property
    def ladder_modes(self) -> tuple[InferenceMode, ...]:
        """Modes of the training ladder."""
        return self.ladder.modes or self.inference_modes[:1]

    @property
    def artifacts(self) -> str:
        """The parent of bundles."""
        return self.artifact_root or f"{self.cache_root}/runs"

    def stated(self, *keys: str) -> list[str]:
        """Which of ``keys`` the file itself states."""
        return [key for key in keys if key in self.model_fields_set]


class CaseConfig(Config):
    """The whole config file with its case."""

    verl_case: VerlCase = VerlCase()

    @field_validator("verl_case", mode="before")
    @classmethod
    def _empty(cls, value: Any) -> Any:
        return {} if value is None else value


def _contradiction(content: dict[str, Any], place: str) -> None:
    case = content.get("verl_case")
    if not isinstance(case, dict) or not isinstance(case.get("trainer_val_only"), bool):
        return
    mode = case.get("mode")
    if mode in ("training", "validation") and case["trainer_val_only"] != (mode == "validation"):
        item = finding(
            "V103",
            place=f"{place}, verl_case",
            value=f"mode {mode}, trainer_val_only {str(case['trainer_val_only']).lower()}",
            rule="contradict each other: true means validation",
            remedy="state one of the two",
        )
        raise InputError(item.message(), [item])


def load_case(path: Path | None = None) -> CaseConfig:
    """The config with its case, found by the search order of section 3; without any file the defaults hold.

    Raises ``InputError`` (V101, V102, V103, V112, or the value and its rule).
    """
    place = find_config(path)
    if place is None:
        return CaseConfig()
    content = read_yaml(place)
    _contradiction(content, place.name)
    return build_settings(CaseConfig, content, place.name)
