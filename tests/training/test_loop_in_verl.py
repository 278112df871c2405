"""The loop under ``main_ppo`` and in process: same prompts, same tokens, same rewards (training.md 6.5, 13.23)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("verl")
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from release_world import Releases, build_releases

from autoresearch.files import read_json, write_json
from autoresearch.releases.release import Release
from autoresearch.training.episodes import Sampling, read_rows, run
from autoresearch.training.loop_settings import write_loop_config, write_tools_config
from autoresearch.training.plan import hydra_overrides
from autoresearch.training.rl_checks import RlOptions
from autoresearch.training.rl_overrides import rl_overrides
from autoresearch.training.rl_plan import WORKER_KEYS, rl_environment
from autoresearch.training.signal import trained_groups, write_signal
from autoresearch.training.steps import merge_steps, parse_metrics
from autoresearch.training.transcripts import Episode, read_transcripts

pytestmark = pytest.mark.train

LIMITS = {"max_prompt": 896, "max_response": 48}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Releases:
    from autoresearch.training.tiny import build_model

    made = build_releases(tmp_path_factory.mktemp("releases"))
    build_model(made.model, "mini", seed=4)
    return made


def launch(world: Releases, folder: Path, assets: Path) -> subprocess.CompletedProcess[str]:
    """One RLOO step with a validation before it, in ``folder``."""
    options = RlOptions(
        algorithm="rloo",
        release=world.cascade,
        model=world.model,
        run=folder,
        device="cpu",
        engine="transformers",
        n=2,
        prompts=2,
        steps=1,
        kl_coef=0.0,
        keep=1,
    )
    facts: Any = SimpleNamespace(
        common=SimpleNamespace(
            release=SimpleNamespace(path=world.cascade, thinking=False), model=SimpleNamespace(path=world.model)
        )
    )
    numbers: Any = SimpleNamespace(**LIMITS, mini=2, lr=1e-3, steps=1, epochs=1, attention="sdpa", lora_alpha=0)
    write_loop_config(
        folder / "loop.yaml",
        assets=assets,
        transcripts=folder / "transcripts",
        enable_thinking=False,
        tools_sha256=str(Release(world.cascade).header.tools_sha256),
    )
    write_tools_config(folder / "tools.yaml", assets=assets)
    environment = {key: value.replace("{attempt}", "01") for key, value in rl_environment(options).items()}
    worker = {key: environment[key] for key in WORKER_KEYS if key in environment}
    overrides = hydra_overrides(rl_overrides(options, facts, numbers, worker))
    return subprocess.run(
        [sys.executable, "-m", "verl.trainer.main_ppo", *(item.replace("{attempt}", "01") for item in overrides)],
        env={**os.environ, **environment, "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
        cwd=folder,
    )


@pytest.fixture(scope="module")
def trained(world: Releases, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of one step that went well."""
    folder = tmp_path_factory.mktemp("run")
    done = launch(world, folder, world.cascade / "assets")
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return folder


def validation_uids(folder: Path) -> set[str]:
    return trained_groups(folder / "validation")[0]


def by_source(episodes: list[Episode]) -> dict[str, Episode]:
    return {episode.source_id: episode for episode in episodes}


def test_validation_and_the_runner_play_the_same_tokens_masks_and_rewards(world: Releases, trained: Path) -> None:
    uids = validation_uids(trained)
    in_verl = by_source([episode for episode in read_transcripts(trained / "transcripts") if episode.uid in uids])
    rows = read_rows(world.cascade, "val")
    greedy = Sampling(greedy=True, **LIMITS)
    here = run(world.model, rows, release=world.cascade, samples=1, sampling=greedy, seed=1)
    assert set(in_verl) == {row.source_id for row in rows}
    for episode in here:
        other = in_verl[episode.source_id]
        assert episode.prompt_ids == other.prompt_ids
        assert episode.response_ids == other.response_ids
        assert episode.response_mask == other.response_mask
        assert (episode.score, episode.reason, episode.terminated_by) == (
            other.score,
            other.reason,
            other.terminated_by,
        )


def test_verls_dumped_scores_are_those_of_the_transcripts(trained: Path) -> None:
    lines = [json.loads(line) for line in (trained / "rollouts" / "1.jsonl").read_text(encoding="utf-8").splitlines()]
    groups = trained_groups(trained / "rollouts")[1]
    played = [episode for episode in read_transcripts(trained / "transcripts") if episode.uid in groups]
    assert len(groups) == 2 and len(lines) == len(played) == 4
    assert sorted(line["score"] for line in lines) == sorted(episode.score for episode in played)
    assert {(episode.uid, episode.sample) for episode in played} == {
        (line["uid"].rsplit("_", 2)[0], int(line["uid"].rsplit("_", 2)[1])) for line in lines
    }


def test_the_signal_of_the_step_counts_only_what_it_trained_on(trained: Path) -> None:
    (metrics,) = trained.glob("attempts/*/metrics.jsonl")
    records = parse_metrics(metrics.read_bytes()).records
    lines = write_signal(trained, merge_steps(records))
    assert [line["step"] for line in lines] == [1]
    assert (lines[0]["groups"], lines[0]["episodes"]) == (2, 4)
    assert lines[0]["entropy"] is not None and lines[0]["rollout_probs_diff_max"] < 1e-3
    assert read_json(trained / "signal.jsonl")["step"] == 1


def test_episodes_that_cannot_be_scored_stop_the_run_and_leave_no_zero(world: Releases, tmp_path: Path) -> None:
    assets = tmp_path / "assets"
    shutil.copytree(world.cascade / "assets", assets)
    grading = read_json(assets / "grading.json")
    grading["descriptions"][0] += "!"
    write_json(assets / "grading.json", grading)
    done = launch(world, tmp_path, assets)
    assert done.returncode != 0
    assert "groups are not whole" in done.stdout + done.stderr
    episodes = read_transcripts(tmp_path / "transcripts")
    assert episodes and all(episode.score is None for episode in episodes)
    assert "the prompt is not the one" in str(episodes[0].error)
    assert not list(tmp_path.glob("checkpoints/global_step_*"))
