from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("verl")

from autoresearch.errors import EpisodeError, RefusedError
from autoresearch.training.sampler import StrictReplayBuffer, group_problems


def buffer(**settings: Any) -> StrictReplayBuffer:
    kwargs = {"n": 2, "val_n": 1, "poll_interval": 0.2, **settings}
    return StrictReplayBuffer(
        trainer_mode="sync",
        trainer_config={},
        max_off_policy_threshold=None,
        max_off_policy_strategy="drop",
        sampler_kwargs=kwargs,
        refill_fn=lambda count: None,
    )


WHOLE = {"a_0_0": {}, "a_1_0": {}, "b_0_0": {}, "b_1_0": {}}


def test_whole_groups_have_no_problem() -> None:
    assert group_problems(["a", "b"], [], WHOLE, 2) == []


def test_a_failed_group_and_a_short_group_are_named() -> None:
    problems = group_problems(["a", "b"], ["a"], ["a_0_0", "b_0_0"], 2)
    assert problems == ["group a: an episode failed, 1 of 2 are left", "group b: 1 episodes instead of 2"]


def test_several_outputs_of_one_session_count_once() -> None:
    assert group_problems(["a"], [], ["a_0_0", "a_0_1", "a_1_0"], 2) == []


def test_a_group_that_was_not_selected_does_not_matter() -> None:
    assert group_problems(["a"], ["b"], WHOLE, 2) == []


def test_a_selected_failed_group_stops_the_run() -> None:
    strict = buffer()
    strict.failure_keys["train"].add("b")
    with pytest.raises(EpisodeError, match="1 of 2 train groups are not whole: group b"):
        strict._materialize_batch("train", ["a", "b"], {**WHOLE})


def test_a_validation_group_is_held_to_the_validation_size() -> None:
    with pytest.raises(EpisodeError, match="2 episodes instead of 1"):
        buffer()._materialize_batch("val", ["a"], {"a_0_0": {}, "a_1_0": {}})


def test_whole_groups_go_on_to_verl(monkeypatch: pytest.MonkeyPatch) -> None:
    cleared: list[Any] = []
    monkeypatch.setattr("transfer_queue.kv_clear", lambda **request: cleared.append(request["keys"]))
    batch = buffer()._materialize_batch("train", ["a", "b"], WHOLE)
    assert sorted(batch.keys) == sorted(WHOLE) and cleared == [["a", "b"]]


def test_the_poll_interval_is_that_of_the_settings() -> None:
    assert buffer().poll_interval == 0.2


def test_dropping_constant_groups_uses_verls_filter_on_the_reward() -> None:
    made = buffer(drop_constant_groups=True, train_batch_size=4)
    assert (made.filter_groups_metric, made.train_batch_size, made.gen_batch_size) == ("reward", 4, 1)
    assert buffer().filter_groups_metric is None


@pytest.mark.parametrize("settings", [{"n": None}, {"val_n": None}, {"drop_constant_groups": True}])
def test_missing_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(RefusedError, match="sampler_kwargs"):
        buffer(**settings)
