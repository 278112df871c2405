"""From the facts of a run and the shape of a case to its planned row: the one place where numbers are filled in.

Pure. A shape may be illegal: the row is made all the same, and ``row_checks`` says what is wrong and what would do.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Literal

from autoresearch.cases.config import ACCELERATOR_PROFILE
from autoresearch.cases.names import CaseNumbers, case_id, display_name, scratch_folder
from autoresearch.cases.planned import (
    ENGINES,
    EngineSettings,
    MatrixFacts,
    Numbers,
    PlannedRow,
    Stage,
)
from autoresearch.hosts.row_spec import RowDevice

MOST_SEQUENCES = 256
LEAST_TOKENS = 8192
"""Least ``max_num_batched_tokens``, verl's own default."""
LEAST_TOKEN_LIMIT = 16384
"""Least token limit of a dynamic batch, verl's own default."""
QWEN35 = "qwen3_5"
OFF_REASON = (
    "off for Qwen3.5: its 3-D positions break the splitting of micro-batches, and text-only classes leak "
    "linear-attention state between packed sequences"
)
CPU_REASON = "off on the processor"
ON_REASON = "on: no linear-attention model"


@dataclass(frozen=True)
class Traits:
    """What a task fixes for all its rows."""

    task: str
    kind: Literal["rl", "sft"]
    algorithm: Literal["grpo", "rloo", "sft"]
    group: int
    input_tokens: int
    seed: int
    engine: str
    samples: int | None = None
    """Rows that are read, fixed by a plan; None: what the row needs."""
    nodes: int = 1
    """More than one only from a plan."""
    tensor_parallel: int | None = None
    """Fixed by a plan; None: the config's."""
    plan_engine: EngineSettings | None = None
    """How a plan sets its engine; lengths and limits are derived again."""


@dataclass(frozen=True)
class Shape:
    """One point of the matrix. ``batch`` and ``mini`` are prompts of all devices together."""

    stage: Stage
    devices: tuple[RowDevice, ...]
    batch: int
    mini: int
    micro: int
    inference_mode: Literal["sync", "async"] | None
    output_tokens: int
    mini_rule: Literal["batch"] | int = "batch"
    derived_from: tuple[str, ...] = ()


def divisors(number: int) -> list[int]:
    """All divisors, ascending; of a number below 1 none."""
    return [each for each in range(1, number + 1) if number % each == 0]


def agent_workers(limit: int, batch: int, validation_samples: int) -> int:
    """W: the largest number not above ``limit`` that divides the batch, and the validation samples where there are any
    (V208)."""
    common = gcd(batch, validation_samples) if validation_samples else batch
    return max((each for each in divisors(max(1, common)) if each <= limit), default=1)


def _switch(setting: str, facts: MatrixFacts) -> tuple[bool, str]:
    if setting != "auto":
        return setting == "on", "set in the config"
    if facts.accelerator == "cpu":
        return False, CPU_REASON
    if facts.model.model_type.startswith(QWEN35):
        return False, OFF_REASON
    return True, ON_REASON


def engine_settings(facts: MatrixFacts, traits: Traits, shape: Shape, validation_samples: int) -> EngineSettings:
    """Settings of trainer and rollout engine (7.3)."""
    case, total = facts.case, traits.input_tokens + shape.output_tokens
    sequences = max(shape.batch * traits.group, validation_samples)
    limit = max(LEAST_TOKEN_LIMIT, total)
    if traits.plan_engine is not None:
        length = total + 1
        return traits.plan_engine.model_copy(
            update={
                "token_limit": limit,
                "log_prob_token_limit": limit,
                "log_prob_micro": shape.micro,
                "max_model_len": length,
                "max_num_batched_tokens": max(LEAST_TOKENS, length),
            }
        )
    padding, padding_reason = _switch(case.padding_removal, facts)
    dynamic, dynamic_reason = _switch(case.dynamic_batch, facts)
    strategy = ACCELERATOR_PROFILE[facts.accelerator] if case.profile == "auto" else case.profile
    length = max(total + 1, case.rollout.max_model_len_floor)
    asked = case.rollout.max_num_seqs
    return EngineSettings(
        rollout=traits.engine,
        actor_strategy=strategy,
        ref_strategy=strategy,
        padding_removal=padding,
        actor_dynamic=dynamic,
        ref_dynamic=dynamic,
        rollout_dynamic=dynamic,
        token_limit=limit,
        log_prob_token_limit=limit,
        log_prob_micro=shape.micro,
        max_model_len=length,
        max_num_batched_tokens=max(length, LEAST_TOKENS, facts.model.block_tokens),
        max_num_seqs=min(sequences, MOST_SEQUENCES) if asked == "auto" else asked,
        reasons={"padding_removal": padding_reason, "dynamic_batch": dynamic_reason},
    )


@dataclass(frozen=True)
class _Samples:
    read: int
    kept: int
    epochs: int


def _samples(facts: MatrixFacts, traits: Traits, batch: int, batches: int) -> _Samples:
    """How many train rows are read, how many pass the filter, and how often they are gone through."""
    data, need = facts.data, max(1, batches) * batch
    asked = facts.case.train_samples
    if traits.samples is not None:
        read = min(traits.samples, data.train_rows)
    elif asked == "auto":
        read = data.rows_for("train", need)
    else:
        return _Samples(min(asked, data.train_rows), data.kept("train", asked), 1)
    kept = data.kept("train", read)
    per_epoch = kept // batch if batch else 0
    return _Samples(read, kept, -(-max(1, batches) // per_epoch) if per_epoch else 1)


def build_row(facts: MatrixFacts, traits: Traits, shape: Shape) -> PlannedRow:
    """The planned row of a shape."""
    case = facts.case
    validates = case.mode == "validation"
    steps = 0 if validates else case.training_steps
    warmup = 1 if shape.inference_mode == "async" and not validates else 0
    count = len(shape.devices) * traits.nodes
    validation_read = facts.data.rows_for("val", case.val_samples)
    validation = facts.data.kept("val", validation_read) if validates else 0
    samples = _samples(facts, traits, shape.batch, steps + warmup)
    numbers = Numbers(
        D=count,
        B=shape.batch,
        n=traits.group,
        m=shape.mini,
        u=shape.micro,
        S=steps,
        N=samples.kept,
        W=1 if facts.accelerator == "cpu" else agent_workers(facts.workers_limit, shape.batch, validation),
        TP=traits.tensor_parallel or case.tensor_parallel.of(shape.stage),
        V=validation,
    )
    names = CaseNumbers(
        count, shape.batch, traits.group, shape.mini, shape.micro, traits.input_tokens, shape.output_tokens
    )
    own = case_id(facts.names, names, shape.inference_mode)
    return PlannedRow(
        case_id=own,
        display_name=display_name(facts.names, names, shape.inference_mode),
        stage=shape.stage,
        task=traits.task,
        kind=traits.kind,
        algorithm=traits.algorithm,
        mode=case.mode,
        inference_mode=shape.inference_mode,
        accelerator=facts.accelerator,
        devices=shape.devices,
        numbers=numbers,
        train_max_samples=samples.read,
        val_max_samples=validation_read,
        epochs=samples.epochs,
        input_tokens=traits.input_tokens,
        output_tokens=shape.output_tokens,
        ignore_eos=case.ignore_eos,
        engine=engine_settings(facts, traits, shape, validation),
        model=facts.model,
        inner_timeout=case.row_timeout_seconds,
        outer_timeout=case.row_timeout_seconds + case.outer_margin_seconds,
        scratch=scratch_folder(facts.run_id, own),
        workers_limit=facts.workers_limit,
        device_memory=facts.device_memory,
        seed=traits.seed,
        mini_rule=shape.mini_rule,
        derived_from=shape.derived_from,
    )


def default_engine(accelerator: Literal["ascend", "nvidia", "cpu"]) -> str:
    """The rollout engine of an accelerator."""
    return ENGINES[accelerator]
