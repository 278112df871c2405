"""Answers of 100,000 characters are the model's own doing: judged, in seconds, and never an error (training.md 6.4)."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("verl")
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from episode_world import World, answer, build_world, call

from autoresearch.training.episodes import LoopFactory, Sampling
from autoresearch.training.transcripts import Episode

LENGTH = 100_000
WIDE = Sampling(max_prompt=4096, max_response=4 * LENGTH)
RIGHT = answer("1", "L2")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return build_world(tmp_path_factory.mktemp("world"))


def play(world: World, *turns: str, sampling: Sampling = WIDE) -> tuple[Episode, float]:
    factory = LoopFactory(world.model, assets=world.assets_folder, enable_thinking=False, sampling=sampling, seed=1)
    row = world.row()
    engine = world.script(row, *turns)
    started = time.monotonic()
    episode = asyncio.run(factory.play(engine, row, 0, sampling.request()))
    return episode, time.monotonic() - started


@pytest.mark.parametrize(
    ("text", "score", "reason"),
    [
        ("x" * LENGTH, 0.0, "not_json"),
        ("类目" * (LENGTH // 2), 0.0, "not_json"),
        ("[" * LENGTH, 0.0, "not_json"),
        ('{"a":' * (LENGTH // 5), 0.0, "not_json"),
        (json.dumps({"answer": "1" * LENGTH, "level": "L2"}), 0.0, "unknown_choice"),
        ('{"answer": ' + "1" * LENGTH + ', "level": "L2"}', 0.0, "not_json"),
        (RIGHT + RIGHT * (LENGTH // len(RIGHT)), 0.0, "not_json"),
        (RIGHT[:-1] + " " * LENGTH + "}", 1.0, "ok"),
        (" " * LENGTH + RIGHT, 1.0, "ok"),
    ],
    ids=["letters", "chinese", "brackets", "braces", "long-id", "long-number", "repeated", "spaces-inside", "spaces"],
)
def test_a_long_answer_is_judged_by_what_it_says(world: World, text: str, score: float, reason: str) -> None:
    episode, seconds = play(world, text)
    assert (episode.score, episode.reason, episode.error) == (score, reason, None)
    assert episode.terminated_by == "answer" and episode.final_text == text
    assert seconds < 20


def test_a_long_answer_is_cut_at_the_limit_and_earns_nothing(world: World) -> None:
    short = Sampling(max_prompt=4096, max_response=512)
    episode, _ = play(world, " " * 10 + "x" * LENGTH, sampling=short)
    assert (episode.score, episode.terminated_by, episode.error) == (0.0, "length", None)
    assert len(episode.response_ids) == 512


def test_a_long_argument_of_a_call_is_a_result_for_the_model(world: World) -> None:
    turn = call("search_categories", field_name="N" * LENGTH, table_name="T_ORDER")
    episode, seconds = play(world, turn, RIGHT)
    assert episode.error is None and episode.terminated_by == "answer" and episode.score == 1.0
    assert seconds < 20
