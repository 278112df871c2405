"""The replay buffer that verl loads for RL: it trains on whole groups only (training.md 6.4, 7.3).

verl by itself pads a group that lost an episode and trains on it; with one surviving sibling RLOO uses the raw score
as advantage. Here a selected group with a failed episode, or without exactly n of them, stops the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from verl.trainer.ppo.v1.replay_buffer import FILTER_GROUPS_REWARD_METRIC, ReplayBuffer

from autoresearch.errors import EpisodeError, RefusedError

SHOWN = 5


def group_problems(uids: Iterable[str], failed: Iterable[str], trajectory_keys: Iterable[str], size: int) -> list[str]:
    """One sentence for each selected group that failed or has not ``size`` sessions.

    ``trajectory_keys`` have verl's form ``{uid}_{session}_{index}``; a session counts once.
    """
    broken = set(failed)
    sessions = {tuple(key.split("_")[:2]) for key in trajectory_keys}
    counts = Counter(uid for uid, _ in sessions)
    problems = []
    for uid in uids:
        if uid in broken:
            problems.append(f"group {uid}: an episode failed, {counts[uid]} of {size} are left")
        elif counts[uid] != size:
            problems.append(f"group {uid}: {counts[uid]} episodes instead of {size}")
    return problems


class StrictReplayBuffer(ReplayBuffer):
    """verl's buffer that raises instead of padding.

    ``sampler_kwargs``: ``n`` and ``val_n`` (episodes a group in training and validation), ``poll_interval`` in seconds,
    ``drop_constant_groups`` with ``train_batch_size`` (prompts a step): verl's own filter on the reward, whose
    arguments a custom sampler must pass itself.
    """

    def __init__(self, *args: Any, sampler_kwargs: Mapping[str, Any], **kwargs: Any) -> None:
        settings = dict(sampler_kwargs or {})
        if not settings.get("n") or not settings.get("val_n"):
            raise RefusedError("trainer.v1.sampler.sampler_kwargs needs n and val_n, the episodes a group")
        kwargs.setdefault("poll_interval", float(settings.get("poll_interval", 2.0)))
        if settings.get("drop_constant_groups"):
            if not settings.get("train_batch_size"):
                raise RefusedError("drop_constant_groups needs sampler_kwargs.train_batch_size, the prompts a step")
            kwargs.update(
                filter_groups_metric=FILTER_GROUPS_REWARD_METRIC,
                train_batch_size=int(settings["train_batch_size"]),
                gen_batch_size=1,
            )
        self.group_sizes = {"train": int(settings["n"]), "val": int(settings["val_n"])}
        super().__init__(*args, sampler_kwargs=sampler_kwargs, **kwargs)

    def _materialize_batch(
        self, partition_id: str, selected_prompt_uids: list[str], partition_snapshot: dict[str, dict[str, Any]]
    ) -> Any:
        # The snapshot of this poll still holds the failures; verl has only now decided which groups it takes.
        size = self.group_sizes["val" if partition_id == "val" else "train"]
        problems = group_problems(
            selected_prompt_uids, self._failed_now(partition_id, selected_prompt_uids), partition_snapshot, size
        )
        if problems:
            more = f" … and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
            raise EpisodeError(
                f"{len(problems)} of {len(selected_prompt_uids)} {partition_id} groups are not whole: "
                + "; ".join(problems[:SHOWN])
                + more
            )
        return super()._materialize_batch(partition_id, selected_prompt_uids, partition_snapshot)

    def _failed_now(self, partition_id: str, uids: list[str]) -> set[str]:
        failed: set[str] = self.failure_keys[partition_id] & set(uids)
        return failed
