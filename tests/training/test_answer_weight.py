"""How a mask of floats becomes a weighted mean in verl's own loss (training.md 4.6); the seam is the mask alone."""

from __future__ import annotations

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
