"""verl's RL trainer for real, on this machine: killed, resumed, trained, and what it computed (training.md 7)."""

from __future__ import annotations

import json
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import advantages
import pytest
import small_world

from autoresearch.errors import RefusedError
from autoresearch.files import read_json
from autoresearch.training.checkpoints import checkpoint_steps, read_checkpoint
from autoresearch.training.episodes import Sampling, read_rows
from autoresearch.training.episodes import run as play
from autoresearch.training.launch import run_plan
from autoresearch.training.outcome import RunResult, joined_records
from autoresearch.training.plan import write_plan
from autoresearch.training.rl_checks import RlOptions
from autoresearch.training.rl_plan import plan_rl
from autoresearch.training.signal import trained_groups
from autoresearch.training.steps import merge_steps
from autoresearch.training.transcripts import Episode, read_transcripts

psutil = pytest.importorskip("psutil")
pytestmark = pytest.mark.train
STEPS = 3


def planned(chosen: RlOptions) -> Path:
    """The run folder with its plan."""
    write_plan(plan_rl(chosen), chosen.run)
    return chosen.run


def kill_after(attempt: Path, steps: int, name: str) -> None:
    """Kill -9 the trainer's descendant called ``name`` as soon as the attempt has ``steps`` lines of training steps."""
    deadline = time.monotonic() + 500
    while time.monotonic() < deadline:
        metrics = attempt / "metrics.jsonl"
        done = metrics.read_text().count('"actor/grad_norm"') if metrics.is_file() else 0
        if done >= steps:
            trainer = psutil.Process(read_json(attempt / "state.json")["pid"])
            for child in trainer.children(recursive=True):
                if name in " ".join(child.cmdline()):
                    child.send_signal(signal.SIGKILL)
                    return
        time.sleep(0.05)


def run_and_kill(run: Path, number: int, steps: int, name: str, *, resume: bool) -> RunResult:
    """Run an attempt while another thread waits to kill a part of it."""
    killer = threading.Thread(target=kill_after, args=(run / "attempts" / f"{number:02d}", steps, name), daemon=True)
    killer.start()
    result = run_plan(run / "plan.json", resume=resume)
    killer.join(timeout=5)
    assert not killer.is_alive(), f"nothing called {name} was there to kill"
    return result


@dataclass(frozen=True)
class Chain:
    """A run in three attempts: the trainer killed in step 2, the rollout actor killed in step 3, then left alone."""

    run: Path
    trainer_killed: RunResult
    rollout_killed: RunResult
    finished: RunResult
    played: tuple[list[Episode], ...]
    """Transcripts as they were after each attempt."""


@pytest.fixture(scope="module")
def chain(trained_mini: small_world.Trained, tmp_path_factory: pytest.TempPathFactory) -> Chain:
    run = tmp_path_factory.mktemp("rl") / "rloo"
    chosen = trained_mini.options(run, "rloo", steps=STEPS, save_every=1, keep=0, val_before=True, val_samples=4)
    planned(chosen)
    played = []
    results = []
    for number, name in ((1, "WorkerDict"), (2, "TransformersServer")):
        results.append(run_and_kill(run, number, 1, name, resume=number > 1))
        played.append(read_transcripts(run / "transcripts"))
    results.append(run_plan(run / "plan.json", resume=True))
    played.append(read_transcripts(run / "transcripts"))
    return Chain(run, results[0], results[1], results[2], tuple(played))


def trained_on(run: Path, step: int) -> list[Episode]:
    """Episodes that a step trained on."""
    groups = trained_groups(run / "rollouts")[step]
    return [episode for episode in read_transcripts(run / "transcripts") if episode.uid in groups]


def metrics_of(run: Path) -> dict[int, dict[str, float | None]]:
    """Step -> verl's numbers, attempts joined."""
    records, _, _ = joined_records(run, "rl")
    return {step: dict(data) for step, data in merge_steps(records).items()}


def assert_verl_computed(algorithm: str, run: Path, step: int) -> int:
    """verl's logged advantages of a step are those of its transcripts; returns the number of mixed groups."""
    pairs = advantages.of_episodes(algorithm, trained_on(run, step))
    values = advantages.by_token(pairs)
    found = metrics_of(run)[step]
    assert found["critic/advantages/mean"] == pytest.approx(sum(values) / len(values), abs=1e-6)
    assert found["critic/advantages/max"] == pytest.approx(max(values), abs=1e-6)
    assert found["critic/advantages/min"] == pytest.approx(min(values), abs=1e-6)
    return len({episode.uid for episode, value in pairs if value != 0})


def test_a_killed_trainer_is_not_trained_and_loses_no_finished_step(chain: Chain) -> None:
    result = chain.trainer_killed
    assert (result.status, result.steps_completed) == ("not_trained", 1)
    assert result.trouble is not None and result.trouble["kind"] == "crash"
    assert result.checkpoint == "checkpoints/global_step_1"
    assert read_checkpoint(chain.run, 1, "rl").complete


def test_a_killed_rollout_actor_is_not_trained_and_its_episodes_have_no_score(chain: Chain) -> None:
    result = chain.rollout_killed
    assert (result.status, result.steps_completed) == ("not_trained", 2)
    assert result.trouble is not None and result.trouble["kind"] == "crash"
    for episode in chain.played[1]:
        assert (episode.score is None) == (episode.error is not None)
        assert (episode.terminated_by == "error") == (episode.error is not None)


def test_an_interrupted_run_goes_on_at_its_last_checkpoint_and_ends_with_one_curve(chain: Chain) -> None:
    result = chain.finished
    assert (result.status, result.steps_completed, result.attempts) == ("trained", STEPS, 3), result.reason
    assert [(item["attempt"], item["from"], item["to"]) for item in result.joined] == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]
    states = [read_json(folder / "state.json") for folder in sorted((chain.run / "attempts").iterdir())]
    assert [state["resumed_from"] for state in states] == [None, 1, 2]
    assert checkpoint_steps(chain.run) == [1, 2, 3]
    assert sorted(metrics_of(chain.run))[-STEPS:] == [1, 2, 3]
    lines = [json.loads(line) for line in (chain.run / "signal.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["step"] for line in lines] == [1, 2, 3]
    for earlier, later in zip(chain.played, chain.played[1:], strict=False):
        assert {(item.uid, item.sample) for item in earlier} < {(item.uid, item.sample) for item in later}


def test_a_finished_run_is_not_resumed(chain: Chain) -> None:
    before = (chain.run / "result.json").read_bytes()
    with pytest.raises(RefusedError, match="is finished"):
        run_plan(chain.run / "plan.json", resume=True)
    assert len(list((chain.run / "attempts").iterdir())) == 3
    assert (chain.run / "result.json").read_bytes() == before


def test_rloo_advantages_of_verl_are_those_of_the_transcripts(chain: Chain) -> None:
    mixed = [assert_verl_computed("rloo", chain.run, step) for step in range(1, STEPS + 1)]
    assert sum(mixed) > 0


def test_rollout_and_actor_hold_the_same_weights_over_three_updates(chain: Chain) -> None:
    found = metrics_of(chain.run)
    for step in range(1, STEPS + 1):
        difference = found[step]["training/rollout_probs_diff_max"]
        assert difference is not None and difference <= 1e-5
    norms = [found[step]["actor/grad_norm"] for step in range(1, STEPS + 1)]
    assert any(norm is not None and norm > 0 for norm in norms)


def test_validation_and_the_runner_play_the_same_tokens_masks_and_rewards(
    chain: Chain, trained_mini: small_world.Trained
) -> None:
    uids = trained_groups(chain.run / "validation")[0]
    in_verl = {item.source_id: item for item in read_transcripts(chain.run / "transcripts") if item.uid in uids}
    plan = read_json(chain.run / "plan.json")
    sampling = Sampling(greedy=True, **plan["limits"])
    rows = [row for row in read_rows(trained_mini.world.rl, "val") if row.source_id in in_verl]
    assert len(rows) == len(in_verl) == 4
    for here in play(trained_mini.model, rows, release=trained_mini.world.rl, samples=1, sampling=sampling, seed=1):
        there = in_verl[here.source_id]
        assert here.prompt_ids == there.prompt_ids
        assert here.response_ids == there.response_ids
        assert here.response_mask == there.response_mask
        assert (here.score, here.reason, here.terminated_by) == (there.score, there.reason, there.terminated_by)


def test_verls_dumped_scores_are_those_of_the_transcripts(chain: Chain) -> None:
    for step in range(1, STEPS + 1):
        text = (chain.run / "rollouts" / f"{step}.jsonl").read_text(encoding="utf-8")
        lines = [json.loads(line) for line in text.splitlines()]
        played = {f"{item.uid}_{item.sample}_0": item.score for item in trained_on(chain.run, step)}
        assert len(played) == 20 and {line["uid"]: line["score"] for line in lines} == played


def test_the_signal_of_a_step_counts_only_what_it_trained_on(chain: Chain) -> None:
    lines = [json.loads(line) for line in (chain.run / "signal.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        assert (line["groups"], line["episodes"]) == (5, 20)
        scores = [item.score or 0.0 for item in trained_on(chain.run, line["step"])]
        assert line["mean_reward"] == pytest.approx(sum(scores) / 20)


def test_grpo_with_kl_has_a_reference_model_and_its_advantages_are_those_of_the_transcripts(
    trained_mini: small_world.Trained, tmp_path: Path
) -> None:
    run = planned(
        trained_mini.options(
            tmp_path / "grpo", "grpo", prompts=8, micro=8, kl_coef=0.01, val_before=True, val_samples=2
        )
    )
    result = run_plan(run / "plan.json")
    assert (result.status, result.steps_completed) == ("trained", 2), result.reason
    assert sum(assert_verl_computed("grpo", run, step) for step in (1, 2)) > 0
    assert all(metrics_of(run)[step]["actor/kl_loss"] is not None for step in (1, 2))
    assert (run / "validation" / "0.jsonl").is_file()


def untrained(trained: small_world.Trained, run: Path) -> RlOptions:
    """An RL run of the start model, which earns nothing."""
    world, folder = trained.world, run.parent / "verdicts"
    small_world.write_verdicts(folder, world.rl, world.base, "rl", longest_prompt=2048, longest_completion=64)
    small_world.write_model_verdicts(folder, world.rl, world.base)
    changes = {"model": world.base, "verdicts": folder, "n": 2, "prompts": 2, "micro": 2, "steps": 1}
    return trained.options(run, "rloo", **changes)


def test_equal_rewards_throughout_are_no_training_whatever_verl_returned(
    trained_mini: small_world.Trained, tmp_path: Path
) -> None:
    run = planned(untrained(trained_mini, tmp_path / "rloo"))
    result = run_plan(run / "plan.json")
    assert result.steps_completed == 1 and result.exit_code == 0, result.reason
    assert result.status == "ran_without_signal" and result.steps_with_signal == 0


def test_a_verdict_of_another_model_stops_before_anything_starts(
    trained_mini: small_world.Trained, tmp_path: Path
) -> None:
    other = small_world.build_tiny(trained_mini.world.sft, tmp_path / "other", seed=2)
    with pytest.raises(RefusedError, match=r"T109.*judged\.model\.tree_sha256 is") as caught:
        plan_rl(trained_mini.options(tmp_path / "refused", "rloo", model=other))
    assert not (tmp_path / "refused").exists()
    assert "T109" in {item.code for item in caught.value.findings}
