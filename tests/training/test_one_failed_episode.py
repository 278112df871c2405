"""One failed episode: our sampler stops the run, verl's own trains on what is left (training.md 7.3, 13.26)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("verl")

import small_world

from autoresearch.errors import EpisodeError
from autoresearch.training.launch import run_plan
from autoresearch.training.plan import Plan, file_input, write_plan
from autoresearch.training.rl_plan import plan_rl
from autoresearch.training.sampler import StrictReplayBuffer
from autoresearch.training.transcripts import read_transcripts

pytestmark = pytest.mark.train
EOS = 9


@pytest.fixture(scope="module")
def queue() -> Iterator[Any]:
    """A real TransferQueue, in a Ray of its own."""
    import ray
    import transfer_queue
    from omegaconf import OmegaConf

    ray.init(num_cpus=8, include_dashboard=False, object_store_memory=100_000_000, log_to_driver=False)
    storage = {"SimpleStorage": {"num_data_storage_units": 1}}
    transfer_queue.init(OmegaConf.create({"backend": storage}))
    yield transfer_queue
    transfer_queue.close()
    ray.shutdown()


def fill(queue: Any) -> None:
    """What two groups of two leave in the queue when the second session of group ``b`` failed."""
    import torch
    from tensordict import TensorDict

    tags = [{"is_prompt": True, "status": status, "global_steps": 1} for status in ("finished", "failure")]
    queue.kv_batch_put(keys=["a", "b"], partition_id="train", tags=tags)
    scores = {"a_0_0": 1.0, "a_1_0": 0.0, "b_0_0": 1.0}

    def nested(rows: list[list[float]], kind: Any) -> Any:
        return torch.nested.as_nested_tensor([torch.tensor(row, dtype=kind) for row in rows], layout=torch.jagged)

    fields = {
        "uid": [key.split("_")[0] for key in scores],
        "responses": nested([[5, 6, EOS]] * 3, torch.int64),
        "response_mask": nested([[1, 1, 1]] * 3, torch.int64),
        "rm_scores": nested([[0.0, 0.0, score] for score in scores.values()], torch.float32),
    }
    queue.kv_batch_put(
        keys=list(scores),
        partition_id="train",
        fields=TensorDict(fields, batch_size=[3]),
        tags=[{"seq_len": 3, "min_global_steps": 1, "max_global_steps": 1} for _ in scores],
    )


def buffer(kind: type[Any], **settings: Any) -> Any:
    return kind(
        trainer_mode="sync",
        trainer_config={},
        max_off_policy_threshold=None,
        max_off_policy_strategy="drop",
        sampler_kwargs=settings,
        poll_interval=0.1,
        refill_fn=lambda count: None,
    )


def test_stock_sampler_hands_the_broken_group_on_and_its_survivor_gets_the_raw_score(queue: Any) -> None:
    from omegaconf import OmegaConf
    from verl.trainer.ppo.v1.replay_buffer import ReplayBuffer
    from verl.trainer.ppo.v1.trainer_base import PPOTrainer

    fill(queue)
    batch, _ = buffer(ReplayBuffer).sample(global_steps=1, partition_id="train", batch_size=2)
    assert sorted(batch.keys) == ["a_0_0", "a_1_0", "b_0_0"]
    config = OmegaConf.create(
        {
            "algorithm": {"adv_estimator": "rloo", "use_kl_in_reward": False, "gamma": 1.0, "lam": 1.0},
            "actor_rollout_ref": {"rollout": {"n": 2}},
        }
    )
    PPOTrainer._compute_advantage(SimpleNamespace(config=config), batch, {})  # type: ignore[arg-type]  # it reads config alone
    found = queue.kv_batch_get(keys=batch.keys, partition_id="train", select_fields=["advantages"])["advantages"]
    by_key = {key: row.tolist()[0] for key, row in zip(batch.keys, found.unbind(), strict=True)}
    assert by_key == {"a_0_0": 1.0, "a_1_0": -1.0, "b_0_0": 1.0}
    queue.kv_clear(partition_id="train", keys=batch.keys)


def test_strict_sampler_stops_on_the_same_input(queue: Any) -> None:
    fill(queue)
    with pytest.raises(EpisodeError, match="1 of 2 train groups are not whole: group b: an episode failed, 1 of 2 are"):
        buffer(StrictReplayBuffer, n=2, val_n=1).sample(global_steps=1, partition_id="train", batch_size=2)


def with_failing_loop(plan: Plan, run: Path) -> Plan:
    """The plan with the loop of ``failing_loop`` in place of its own."""
    loop = run / "loop.yaml"
    text = loop.read_text(encoding="utf-8")
    changed = text.replace("autoresearch.training.task_loop.TaskLoop", "failing_loop.FailingOnce")
    assert changed != text
    loop.write_text(changed, encoding="utf-8")
    here = str(Path(__file__).parent)
    inputs = tuple(file_input(item.role, loop) if item.role == "loop.yaml" else item for item in plan.inputs)
    argv = (*plan.argv, f"+ray_kwargs.ray_init.runtime_env.env_vars.PYTHONPATH={here}")
    environment = {**plan.environment, "PYTHONPATH": os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])}
    return plan.model_copy(update={"inputs": inputs, "argv": argv, "environment": environment})


def test_a_real_run_stops_before_it_trains_on_the_broken_group(
    trained_mini: small_world.Trained, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    chosen = trained_mini.options(run, "rloo", n=2, prompts=2, micro=2)
    write_plan(with_failing_loop(plan_rl(chosen), run), run)
    result = run_plan(run / "plan.json")
    assert (result.status, result.steps_completed, result.checkpoint) == ("not_trained", 0, None)
    assert result.trouble is not None and result.trouble["kind"] == "crash"
    log = (run / "attempts" / "01" / "trainer.log").read_text(encoding="utf-8", errors="replace")
    assert "1 of 2 train groups are not whole" in log and "an episode failed, 1 of 2 are left" in log
    played = read_transcripts(run / "transcripts")
    failed = [episode for episode in played if episode.error is not None]
    assert len(failed) == 1 and failed[0].score is None and "planted" in str(failed[0].error)
    assert len(played) == 4 and all(episode.score is not None for episode in played if episode.error is None)
