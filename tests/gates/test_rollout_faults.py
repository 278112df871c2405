"""Faults under the rollout gate: an error is no score, and nothing makes the window wider (training.md 6.4, 8.4)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verl")
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from episode_world import call
from release_world import Releases, build_releases

from autoresearch.cli.main import run
from autoresearch.gates.rollout import RolloutOptions, gate_rollout
from autoresearch.task.tools import ToolBox
from autoresearch.training.episodes import EpisodeRow, read_rows
from autoresearch.training.transcripts import read_transcripts

SEARCH = call("search_categories", field_name="A", table_name="B")
LONG = "x" * 100_000


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Releases:
    from autoresearch.training.tiny import build_model

    made = build_releases(tmp_path_factory.mktemp("releases"))
    build_model(made.model, "mini")
    return made


def options(world: Releases, out: Path) -> RolloutOptions:
    return RolloutOptions(world.model, world.cascade, world.trajectory, out, prompts=16, samples=4, unbound=True)


def test_a_tool_that_raises_fails_the_gate_and_no_episode_of_it_has_a_score(
    world: Releases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise OSError("the index is gone")

    monkeypatch.setattr(ToolBox, "call", broken)

    def write(row: EpisodeRow, n: int) -> str:
        return {0: world.right(row), 1: SEARCH}.get(n, "{}")

    engine = world.engine(read_rows(world.cascade, "train"), write)
    verdict = gate_rollout(options(world, tmp_path / "rollout.json"), engine=engine)
    rate = verdict.numbers["nonzero_reward_rate"]
    assert (verdict.passed, verdict.status) == (False, "episode_errors")
    assert (verdict.numbers["errors"]["count"], rate["numerator"], rate["denominator"]) == (16, 16, 48)
    played = read_transcripts((tmp_path / verdict.evidence[0]).parent)
    failed = [episode for episode in played if episode.error is not None]
    assert len(played) == 64 and len(failed) == 16
    assert all(episode.score is None and "the index is gone" in str(episode.error) for episode in failed)


def test_answers_of_a_hundred_thousand_characters_count_as_cut_and_not_as_errors(
    world: Releases, tmp_path: Path
) -> None:
    engine = world.engine(read_rows(world.cascade, "train"), lambda row, n: LONG if n else world.right(row))
    verdict = gate_rollout(options(world, tmp_path / "rollout.json"), engine=engine)
    assert (verdict.passed, verdict.status, verdict.numbers["errors"]["count"]) == (True, "passed", 0)
    assert verdict.numbers["truncated"]["numerator"] == 48


@pytest.mark.parametrize("flag", ["--window", "--min-rate"])
def test_the_window_cannot_be_set(
    world: Releases, tmp_path: Path, flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = {"--model": world.model, "--release": world.cascade, "--sft-release": world.trajectory}
    words = [str(word) for pair in paths.items() for word in pair]
    assert run(["gate", "rollout", *words, "--out", str(tmp_path / "rollout.json"), flag, "1"]) == 2
    assert flag in capsys.readouterr().err
    assert not (tmp_path / "rollout.json").exists()
