"""A planned row: every number and setting of one case, before any host sees it (formal-case.md 5, 7). Frozen data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from autoresearch.cases.config import VerlCase
from autoresearch.cases.names import NameFacts
from autoresearch.hosts.row_spec import RowDevice
from autoresearch.hosts.state import STALL_SECONDS

Stage = Literal["single", "bisect", "node"]
Accelerator = Literal["ascend", "nvidia", "cpu"]
LINEAR_STATE_BYTES = 4
"""The recurrent state of a linear-attention layer is float32."""
CACHE_BYTES = 2
BLOCK_STEP = 16
ENGINES = {"ascend": "vllm", "nvidia": "vllm", "cpu": "transformers"}
PLATFORMS = {"ascend": "npu", "nvidia": "cuda", "cpu": "cpu"}


class Frozen(BaseModel):
    """Base of the models of this room: frozen, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Numbers(Frozen):
    """The symbols of section 5; ``V``: validation samples left by the length filter, 0 where the row has none."""

    D: int
    B: int
    n: int
    m: int
    u: int
    S: int
    N: int
    W: int
    TP: int
    V: int = 0


class ModelFacts(Frozen):
    """What the arithmetic needs of a model, from its ``config.json`` and its weights' size. 0: unknown."""

    model_type: str = ""
    heads: int = 0
    kv_heads: int = 0
    head_dim: int = 0
    attention_layers: int = 0
    """Layers that keep a KV cache."""
    max_positions: int = 0
    parameters: int = 0
    block_tokens: int = 0
    """Least block of the KV cache of a hybrid model, in tokens; 0 for models without linear attention."""


class EngineSettings(Frozen):
    """How trainer and rollout engine are set for a row."""

    rollout: str
    actor_strategy: str
    ref_strategy: str
    padding_removal: bool
    actor_dynamic: bool
    ref_dynamic: bool
    rollout_dynamic: bool
    token_limit: int
    """``ppo_max_token_len_per_gpu``."""
    log_prob_token_limit: int
    log_prob_micro: int
    max_model_len: int
    max_num_batched_tokens: int
    max_num_seqs: int
    chunked_prefill: bool = False
    critic_warmup: int = 0
    reasons: dict[str, str] = {}
    """Setting -> why ``auto`` chose it."""


class PlannedRow(Frozen):
    """One case of the matrix."""

    case_id: str
    display_name: str
    stage: Stage
    task: str
    kind: Literal["rl", "sft"]
    algorithm: Literal["grpo", "rloo", "sft"]
    mode: Literal["training", "validation"]
    inference_mode: Literal["sync", "async"] | None
    accelerator: Accelerator
    devices: tuple[RowDevice, ...]
    numbers: Numbers
    train_max_samples: int
    """Rows that are read before the length filter."""
    val_max_samples: int
    epochs: int
    input_tokens: int
    output_tokens: int
    ignore_eos: bool
    engine: EngineSettings
    model: ModelFacts
    inner_timeout: int
    outer_timeout: int
    heartbeat_limit: float = STALL_SECONDS
    scratch: str
    """``RAY_TMPDIR``."""
    workers_limit: int
    """min(8, host cores / 4), at least 1."""
    device_memory: int = 0
    """Bytes of the smallest wanted device; 0: unknown."""
    seed: int
    mini_rule: Literal["batch"] | int = "batch"
    """Mini-batch per device, or ``batch`` where it follows the batch."""
    derived_from: tuple[str, ...] = ()
    """Case ids that a bisected or promoted row comes from."""

    @property
    def warmup(self) -> int:
        """w: batches that an asynchronous trainer takes before its first step."""
        return 1 if self.inference_mode == "async" and self.mode == "training" else 0

    @property
    def dp(self) -> int:
        """Data-parallel ranks (sequence parallel size is 1)."""
        return self.numbers.D

    @property
    def per_device(self) -> int:
        """Prompts a step and device, rounded down."""
        return self.numbers.B // self.numbers.D

    @property
    def validates(self) -> bool:
        """True when verl validates in this row."""
        return self.mode == "validation"


@dataclass(frozen=True)
class DataFacts:
    """Rows of the prepared data; the indices of those that verl's length filter drops (counted with the checkpoint's
    own tokenizer and template)."""

    train_rows: int
    val_rows: int
    train_overlong: Sequence[int] = ()
    val_overlong: Sequence[int] = ()

    def kept(self, split: Literal["train", "val"], first: int) -> int:
        """How many of the first ``first`` rows pass the filter."""
        rows, dropped = self._of(split)
        limit = min(first, rows)
        return limit - sum(index < limit for index in dropped)

    def rows_for(self, split: Literal["train", "val"], wanted: int) -> int:
        """The fewest rows to read so that ``wanted`` pass the filter; all rows where there are not enough."""
        rows, dropped = self._of(split)
        count = wanted
        for index in sorted(dropped):
            if index >= count:
                break
            count += 1
        return min(count, rows)

    def _of(self, split: Literal["train", "val"]) -> tuple[int, Sequence[int]]:
        if split == "train":
            return self.train_rows, self.train_overlong
        return self.val_rows, self.val_overlong


@dataclass(frozen=True)
class MatrixFacts:
    """Everything that deriving a matrix needs: the config, the host's public facts, model, data, and the run's id."""

    case: VerlCase
    accelerator: Accelerator
    devices: tuple[RowDevice, ...]
    """Wanted devices, in order."""
    cores: int
    model: ModelFacts
    data: DataFacts
    run_id: str
    names: NameFacts
    device_memory: int = 0

    @property
    def single_devices(self) -> tuple[RowDevice, ...]:
        """Devices of the stage ``single``."""
        wanted = self.case.single_card_devices
        if wanted is None:
            return self.devices[:1]
        return tuple(device for device in self.devices if device.id in wanted)

    @property
    def workers_limit(self) -> int:
        """min(8, cores / 4), at least 1 (V208)."""
        return max(1, min(8, self.cores // 4))


def _count(config: Mapping[str, Any], key: str) -> int:
    value = config.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def model_facts(config: Mapping[str, Any], parameters: int) -> ModelFacts:
    """The facts of a ``config.json`` as parsed; ``parameters`` from the weights' headers or index (0: unknown)."""
    text = config.get("text_config") or config
    layers = _count(text, "num_hidden_layers")
    kinds = text.get("layer_types")
    attention = sum(kind == "full_attention" for kind in kinds) if isinstance(kinds, list) else layers
    heads = _count(text, "num_attention_heads")
    head_dim = _count(text, "head_dim") or (_count(text, "hidden_size") // heads if heads else 0)
    kv_heads = _count(text, "num_key_value_heads") or heads
    return ModelFacts(
        model_type=str(config.get("model_type", "")),
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        attention_layers=attention,
        max_positions=_count(text, "max_position_embeddings"),
        parameters=parameters,
        block_tokens=_hybrid_block(text, kv_heads, head_dim) if attention < layers else 0,
    )


def _hybrid_block(text: Mapping[str, Any], kv_heads: int, head_dim: int) -> int:
    """Tokens of attention cache that take as many bytes as one linear layer's state, rounded up to 16: the engine
    gives both kinds of layer pages of one size."""
    key = _count(text, "linear_num_key_heads") * _count(text, "linear_key_head_dim")
    value_heads, value_dim = _count(text, "linear_num_value_heads"), _count(text, "linear_value_head_dim")
    recurrent = value_heads * value_dim * _count(text, "linear_key_head_dim") * LINEAR_STATE_BYTES
    window = max(0, _count(text, "linear_conv_kernel_dim") - 1)
    page = recurrent + (2 * key + value_heads * value_dim) * window * CACHE_BYTES
    token = 2 * kv_heads * head_dim * CACHE_BYTES
    if not page or not token:
        return 0
    return -(-page // (token * BLOCK_STEP)) * BLOCK_STEP
