"""How a mask of floats becomes a weighted mean in verl's own loss (training.md 4.6); the seam is the mask alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
losses = pytest.importorskip("verl.workers.utils.losses")


def loss_of(logprobs: list[list[float]], masks: list[list[float]], dtype: Any, total: float | None = None) -> float:
    """verl's SFT loss of one micro-batch. `total` is the sum of the whole batch's masks, as its engine forms it."""
    from tensordict import TensorDict
    from verl.utils import tensordict_utils

    def nested(rows: list[list[float]], kind: Any) -> Any:
        return torch.nested.as_nested_tensor([torch.tensor(row, dtype=kind) for row in rows], layout=torch.jagged)

    data = TensorDict({"loss_mask": nested(masks, dtype)}, batch_size=[len(masks)])
    tensordict_utils.assign_non_tensor(
        data, batch_num_tokens=total if total is not None else sum(map(sum, masks)), dp_size=1
    )
    value, _ = losses.sft_loss(None, {"log_probs": nested(logprobs, torch.float32)}, data)
    return float(value)


LOGPROBS = [[-1.0, -2.0, -3.0, -0.5], [-0.25, -4.0, -1.5]]
ONES = [[0, 1, 1, 1], [0, 1, 1]]


def test_a_float_mask_of_ones_gives_the_loss_of_an_integer_mask() -> None:
    assert loss_of(LOGPROBS, ONES, torch.float32) == loss_of(LOGPROBS, ONES, torch.int64)


def test_loss_is_the_weighted_mean_of_the_shifted_tokens() -> None:
    weighted = [[0, 1, 8, 1], [0, 8, 1]]
    # Token i of a row is predicted at position i - 1.
    expected = (1 * 1.0 + 8 * 2.0 + 1 * 3.0 + 8 * 0.25 + 1 * 4.0) / 19
    assert loss_of(LOGPROBS, weighted, torch.float32) == pytest.approx(expected)


def test_losses_of_micro_batches_add_up_to_the_weighted_mean_of_the_batch() -> None:
    first = loss_of([[-1.0] * 4], [[0, 8, 1, 1]], torch.float32, total=13)
    second = loss_of([[-1.0] * 4], [[0, 1, 1, 1]], torch.float32, total=13)
    assert first + second == pytest.approx(1.0)


def test_a_trained_first_token_would_count_at_another_rows_end() -> None:
    """Why the dataset never trains the first token of a row."""
    wrapped = loss_of(LOGPROBS, [[1, 0, 0, 0], [0, 0, 0]], torch.int64)
    assert wrapped == pytest.approx(1.5)


def three_steps(folder: Path, rows: list[Any], kind: Any) -> list[float]:
    """Losses of three AdamW steps of a fresh tiny model on ``rows``, by verl's loss over masks of type ``kind``."""
    from tensordict import TensorDict
    from transformers import AutoModelForCausalLM
    from verl.utils import tensordict_utils

    model = AutoModelForCausalLM.from_pretrained(str(folder), dtype=torch.float32, attn_implementation="sdpa")
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    masks = [row["loss_mask"].to(kind) for row in rows]
    found = []
    for _ in range(3):
        logprobs = []
        for row in rows:
            logits = model(input_ids=row["input_ids"].unsqueeze(0), use_cache=False).logits[0]
            following = row["input_ids"].roll(-1)
            logprobs.append(logits.log_softmax(-1).gather(-1, following.unsqueeze(-1)).squeeze(-1))
        data = TensorDict(
            {"loss_mask": torch.nested.as_nested_tensor(masks, layout=torch.jagged)}, batch_size=[len(rows)]
        )
        total = float(sum(mask.sum() for mask in masks))
        tensordict_utils.assign_non_tensor(data, batch_num_tokens=total, dp_size=1)
        output = {"log_probs": torch.nested.as_nested_tensor(logprobs, layout=torch.jagged)}
        loss, _ = losses.sft_loss(None, output, data)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(float(loss))
    return found


def test_three_real_steps_are_equal_with_weight_one_as_integer_and_float_and_others_with_eight(tmp_path: Path) -> None:
    from small_world import build_tiny, export_releases
    from transformers import AutoTokenizer

    from autoresearch.training.sft_dataset import ConversationDataset

    release, _ = export_releases(tmp_path)
    folder = build_tiny(release, tmp_path / "model")
    tokenizer = AutoTokenizer.from_pretrained(str(folder))
    settings = {"max_length": 4096, "truncation": "error", "pad_mode": "no_padding"}

    def rows(**weight: int) -> list[Any]:
        dataset = ConversationDataset(str(release / "train.parquet"), tokenizer, {**settings, **weight}, None, 2)
        return [dataset[0], dataset[1]]

    whole = three_steps(folder, rows(), torch.int64)
    assert rows()[0]["loss_mask"].dtype == torch.int64
    assert three_steps(folder, rows(), torch.float32) == pytest.approx(whole, rel=1e-7)
    heavy = three_steps(folder, rows(answer_weight=8), torch.float32)
    assert whole[2] < whole[1] < whole[0]
    assert all(abs(one - other) > 1e-3 for one, other in zip(heavy, whole, strict=True))
