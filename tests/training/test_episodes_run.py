from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("verl")
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from episode_world import World, build_world, metadata

from autoresearch.errors import InputError
from autoresearch.training.episodes import EpisodeRow, Sampling, run
from autoresearch.training.transcripts import Episode

SHORT = Sampling(max_prompt=2048, max_response=24)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    from autoresearch.training.tiny import build_model

    made = build_world(tmp_path_factory.mktemp("world"))
    build_model(made.model, "mini", seed=3)
    return made


def play(
    world: World, rows: list[EpisodeRow], samples: int = 2, sampling: Sampling = SHORT, seed: int = 5
) -> list[Episode]:
    return run(
        world.model,
        rows,
        release=world.assets_folder.parent,
        enable_thinking=False,
        samples=samples,
        sampling=sampling,
        seed=seed,
    )


def test_an_episode_is_the_same_alone_and_in_company(world: World) -> None:
    rows = [world.row(f"r{n}", fields=metadata(f"F_{n}")) for n in range(5)]
    together = play(world, rows)
    alone = play(world, rows[3:4])
    assert [episode.response_ids for episode in together[6:8]] == [episode.response_ids for episode in alone]
    assert alone[0].response_ids != alone[1].response_ids


def test_another_run_seed_gives_other_samples_and_greedy_ignores_it(world: World) -> None:
    row = [world.row()]
    assert play(world, row)[0].response_ids != play(world, row, seed=6)[0].response_ids
    greedy = Sampling(max_prompt=2048, max_response=24, greedy=True)
    first, second = (play(world, row, 1, greedy, seed)[0] for seed in (5, 6))
    assert first.response_ids == second.response_ids


def test_an_untrained_model_scores_zero_with_a_reason_and_is_truncated(world: World) -> None:
    episodes = play(world, [world.row()], samples=4)
    assert {episode.score for episode in episodes} == {0.0}
    assert {episode.error for episode in episodes} == {None}
    assert all(episode.terminated_by in {"length", "answer"} and episode.reason != "ok" for episode in episodes)


def test_an_unknown_engine_and_no_samples_are_refused(world: World) -> None:
    with pytest.raises(InputError, match="at least one episode"):
        play(world, [world.row()], samples=0)
    with pytest.raises(InputError, match="engine 'other'"):
        run(
            world.model,
            [world.row()],
            release=world.assets_folder.parent,
            enable_thinking=False,
            samples=1,
            sampling=SHORT,
            seed=1,
            engine="other",
        )
