"""verl's advantages of RLOO and GRPO are those of the definitions, token by token (training.md 13.27)."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import advantages
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("verl")

from autoresearch.training.transcripts import Episode  # noqa: E402 - after the skip


def episodes(seed: int, groups: int, size: int) -> list[Episode]:
    """Groups in mixed order, with tool results (mask 0) inside responses of different lengths."""
    source = random.Random(seed)
    made = []
    for group in range(groups):
        for sample in range(size):
            mask = [1] * source.randint(1, 9) + [0] * source.randint(0, 4) + [1] * source.randint(0, 5)
            made.append(
                Episode(
                    source_id=f"row-{group}",
                    uid=f"uid{group}",
                    sample=sample,
                    step=1,
                    model_tree="",
                    response_ids=[7] * len(mask),
                    response_mask=mask,
                    score=float(source.random() < 0.3),
                )
            )
    source.shuffle(made)
    return made


def verls(algorithm: str, played: list[Episode]) -> Any:
    """``(episodes, tokens)`` as verl computes them from token rewards, masks and group names."""
    import numpy as np
    from verl import DataProto
    from verl.trainer.ppo.v1.utils import compute_advantage_for_multi_trajectories

    width = max(len(episode.response_mask) for episode in played)
    mask = torch.zeros(len(played), width)
    rewards = torch.zeros(len(played), width)
    for row, episode in enumerate(played):
        mask[row, : len(episode.response_mask)] = torch.tensor(episode.response_mask, dtype=torch.float32)
        rewards[row, len(episode.response_mask) - 1] = episode.score
    data = DataProto.from_dict(
        tensors={"token_level_rewards": rewards, "response_mask": mask},
        non_tensors={"uid": np.array([episode.uid for episode in played], dtype=object)},
    )
    keys = [f"{episode.uid}_{episode.sample}_0" for episode in played]
    done = compute_advantage_for_multi_trajectories(data, batch_keys=keys, adv_estimator=algorithm)
    return done.batch["advantages"]


@pytest.mark.parametrize("algorithm", ["rloo", "grpo"])
@pytest.mark.parametrize("size", [2, 8])
def test_verl_gives_every_written_token_the_advantage_of_the_definition(algorithm: str, size: int) -> None:
    played = episodes(size, 12, size)
    found = verls(algorithm, played)
    expected = {id(episode): value for episode, value in advantages.of_episodes(algorithm, played)}
    assert len({round(value, 9) for value in expected.values()}) > 2
    for row, episode in enumerate(played):
        for token, mask in enumerate(episode.response_mask):
            assert float(found[row, token]) == pytest.approx(expected[id(episode)] * mask, abs=1e-6)


def test_a_lone_survivor_of_its_group_would_get_its_raw_score_from_verl() -> None:
    """Why a failed episode stops the run (training.md 6.4)."""
    (alone,) = episodes(1, 1, 1)
    assert float(verls("rloo", [dataclasses.replace(alone, score=1.0)]).max()) == 1.0
