"""Does one row of a micro-batch see the other? verl's own batching, real Qwen3.5 classes (training.md 4.5, 13.11)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from made_plans import common_facts, model_facts, probe_facts

torch = pytest.importorskip("torch")
engines = pytest.importorskip("verl.workers.engine.fsdp.transformer_impl")

from autoresearch.training import tiny  # noqa: E402 - after the skip
from autoresearch.training.sft_checks import SftOptions, resolve  # noqa: E402 - after the skip
from autoresearch.training.sft_plan import sft_overrides  # noqa: E402 - after the skip

TOLERANCE = 1e-5
LENGTHS = (23, 70, 41)
"""None is a multiple of the linear layers' chunk; the second row is the longest."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The text-only class with random weights, in float32."""
    from transformers import AutoModelForCausalLM

    folder = tmp_path_factory.mktemp("mini")
    tiny.build_tokenizer(["类目 等级 订单 编号"], folder, style="line")
    tiny.build_model(folder, "mini", seed=3)
    return AutoModelForCausalLM.from_pretrained(str(folder), dtype=torch.float32, attn_implementation="sdpa").eval()


@pytest.fixture(scope="module")
def rows(model: Any) -> list[Any]:
    generator = torch.Generator().manual_seed(1)
    return [torch.randint(0, model.config.vocab_size, (length,), generator=generator) for length in LENGTHS]


def logits(model: Any, rows: list[Any], packing: bool) -> list[Any]:
    """Logits of each row ``(tokens, vocabulary)`` when verl's engine puts all rows into one micro-batch."""
    from tensordict import TensorDict
    from verl.utils import tensordict_utils

    def nested(parts: list[Any]) -> Any:
        return torch.nested.as_nested_tensor(parts, layout=torch.jagged)

    batch = TensorDict(
        {"input_ids": nested(rows), "position_ids": nested([torch.arange(len(row)) for row in rows])},
        batch_size=[len(rows)],
    )
    tensordict_utils.assign_non_tensor(batch, use_remove_padding=packing, pad_token_id=0, temperature=1.0)
    engine = SimpleNamespace(
        module=model,
        use_ulysses_sp=False,
        pad_to_length=None,
        pass_packed_cu_seqlens=False,
        _get_packed_pad_size=lambda size: 0,
    )
    inputs, _ = engines.FSDPEngineWithLMHead.prepare_model_inputs(engine, batch)
    with torch.no_grad():
        out = model(**inputs, use_cache=False).logits
    if packing:
        return list(out[0].split([len(row) for row in rows]))
    return [out[at, : len(row)] for at, row in enumerate(rows)]


def largest(one: Any, other: Any) -> float:
    return float((one - other).abs().max())


def planned_packing(device: str) -> bool:
    """What a plan of the text-only class sets, with every kernel importable."""
    facts = common_facts(
        model=model_facts(model_type="qwen3_5_text"), probe=probe_facts(linear_attention=True, flash_attention=True)
    )
    options = SftOptions(release=Path("/r"), model=Path("/m"), run=Path("/run"), device=device)  # type: ignore[arg-type]
    packing = sft_overrides(options, facts, resolve(options, facts))["model.use_remove_padding"]
    assert isinstance(packing, bool)
    return packing


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_what_the_plan_chooses_does_not_leak(model: Any, rows: list[Any], device: str) -> None:
    together = logits(model, rows, planned_packing(device))
    for row, found in zip(rows, together, strict=True):
        assert largest(found, logits(model, [row], planned_packing(device))[0]) < TOLERANCE


def test_forced_packing_of_the_text_only_class_leaks_into_the_next_row(model: Any, rows: list[Any]) -> None:
    first, second, _ = rows
    alone = logits(model, [second], packing=True)[0]
    assert largest(alone, logits(model, [second], packing=False)[0]) < TOLERANCE
    assert largest(logits(model, [first, second], packing=True)[1], alone) > 100 * TOLERANCE
    changed = logits(model, [first.flip(0), second], packing=True)[1]
    assert largest(changed, logits(model, [first, second], packing=True)[1]) > 100 * TOLERANCE


def test_the_leak_is_in_the_linear_layers_and_not_in_full_attention(model: Any, rows: list[Any]) -> None:
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.for_model(**model.config.to_dict())
    config.layer_types = ["full_attention"] * len(config.layer_types)
    torch.manual_seed(3)
    full = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa").float().eval()
    alone = logits(full, [rows[1]], packing=True)[0]
    assert largest(logits(full, rows, packing=True)[1], alone) < TOLERANCE
