"""Facts, rows and places for tests of the formal case: small, complete, built by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from autoresearch.cases.config import VerlCase
from autoresearch.cases.names import NameFacts
from autoresearch.cases.overrides import Places
from autoresearch.cases.planned import Accelerator, DataFacts, MatrixFacts, ModelFacts
from autoresearch.cases.shapes import Traits, default_engine
from autoresearch.hosts.row_spec import RowDevice

CREATED = datetime(2026, 6, 22, 14, 50, 1, tzinfo=UTC)
QWEN = ModelFacts(
    model_type="qwen3_5",
    heads=8,
    kv_heads=2,
    head_dim=256,
    attention_layers=6,
    max_positions=262144,
    parameters=2_000_000_000,
    block_tokens=528,
)


def verl_case(**keys: Any) -> VerlCase:
    """The case of a config that states ``keys``."""
    return VerlCase.model_validate(keys)


def names(case: VerlCase, accelerator: Accelerator = "ascend") -> NameFacts:
    """Names of a run that began at ``CREATED``."""
    return NameFacts(case.model_id, case.algorithm, case.mode, case.is_field, accelerator, case.ignore_eos, CREATED)


def matrix_facts(
    case: VerlCase,
    *,
    accelerator: Accelerator = "ascend",
    devices: int = 8,
    cores: int = 64,
    model: ModelFacts = QWEN,
    data: DataFacts | None = None,
    device_memory: int = 64 << 30,
) -> MatrixFacts:
    """Facts of one host of ``devices`` devices."""
    return MatrixFacts(
        case=case,
        accelerator=accelerator,
        devices=tuple(RowDevice(id=number) for number in range(devices)),
        cores=cores,
        model=model,
        data=data or DataFacts(train_rows=2101, val_rows=601),
        run_id="run-1",
        names=names(case, accelerator),
        device_memory=device_memory,
    )


def geo3k_traits(case: VerlCase, accelerator: Accelerator = "ascend") -> Traits:
    """What geo3k fixes."""
    return Traits(
        task="geo3k-grpo",
        kind="rl",
        algorithm="grpo",
        group=case.group_size,
        input_tokens=case.input_tokens,
        seed=case.seed,
        engine=default_engine(accelerator),
    )


def places(**changes: Any) -> Places:
    """Paths of a first attempt on a host."""
    values: dict[str, Any] = {
        "run_id": "run-1",
        "attempt": 1,
        "row": "/srv/autoresearch/autoresearch/runs/run-1/rows/case.a1",
        "hf_home": "/srv/autoresearch/hf",
        "display_name": "Qwen35-2B-GRPO",
        "model": "/srv/assets/Qwen__Qwen3.5-2B",
        "train_file": "/srv/autoresearch/data/train.parquet",
        "val_file": "/srv/autoresearch/data/val.parquet",
    }
    return Places(**{**values, **changes})
