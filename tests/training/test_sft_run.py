"""verl's SFT trainer for real, on this machine: trained, merged, and killed in the middle (training.md 5.5 to 5.8)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import small_world

from autoresearch.errors import RefusedError
from autoresearch.files import read_json, tree_sha256
from autoresearch.training.launch import run_plan
from autoresearch.training.merge import merge_run
from autoresearch.training.plan import Plan, write_plan
from autoresearch.training.sft_checks import SftOptions
from autoresearch.training.sft_plan import plan_sft

pytestmark = pytest.mark.train
STEPS = 8


class World:
    """Releases, tiny model and verdicts, made once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sft, self.rl = small_world.export_releases(root)
        self.base = small_world.build_tiny(self.sft, root / "base")
        small_world.write_verdicts(root / "verdicts", self.sft, self.base, "sft", longest_completion=90)

    def plan(self, name: str, steps: int = STEPS, ranks: int = 1, lora: int = 0) -> tuple[Plan, Path]:
        run = self.root / name
        options = SftOptions(
            release=self.sft,
            model=self.base,
            run=run,
            device="cpu",
            steps=steps,
            batch=4,
            micro_batch=4 // ranks,
            gpus=ranks,
            lora=lora,
            lr=3e-3,
            warmup=0.0,
            scheduler="constant",
            answer_weight=8,
            save_every=2,
            keep=0,
            eval_every=4,
            purpose="practice",
            verdicts=self.root / "verdicts",
        )
        plan = plan_sft(options)
        write_plan(plan, run)
        return plan, run


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("sft"))


def test_a_run_is_trained_merged_to_float32_and_not_resumed(world: World) -> None:
    _, run = world.plan("whole")
    result = run_plan(run / "plan.json")
    assert result.status == "trained", result.reason
    assert result.steps_completed == STEPS and result.weights is not None and result.weights["largest"] > 0
    assert result.last_loss is not None and result.first_loss is not None
    assert (run / "attempts" / "01" / "tensorboard").is_dir() and (run / "verdicts" / "host.json").is_file()
    with pytest.raises(RefusedError, match="is finished"):
        run_plan(run / "plan.json", resume=True)
    record = merge_run(run, run / "merged", step=4)
    assert record["dtype"] == "float32" and record["step"] == 4 and record["max_logit_difference"] < 1e-4
    assert record["tree_sha256"] == tree_sha256(run / "merged", ("merge.json",))
    assert read_json(run / "merged" / "merge.json") == record
    with pytest.raises(RefusedError):
        merge_run(run, run / "merged")


def test_verl_killed_in_the_middle_is_not_trained_and_goes_on(world: World) -> None:
    _, run = world.plan("killed")
    command = [sys.executable, "-m", "autoresearch", "train", "sft", "--plan", str(run / "plan.json")]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    metrics = run / "attempts" / "01" / "metrics.jsonl"
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline and (not metrics.is_file() or metrics.read_bytes().count(b"\n") < 3):
        assert child.poll() is None
        time.sleep(0.1)
    state = json.loads((run / "attempts" / "01" / "state.json").read_text())
    os.killpg(state["pid"], signal.SIGKILL)
    output, _ = child.communicate(timeout=60)
    assert child.returncode == 1
    shown = json.loads(output)
    assert shown["result"] == "not_trained" and 0 < shown["steps"] < STEPS
    result = run_plan(run / "plan.json", resume=True)
    assert result.status == "trained", result.reason
    assert result.attempts == 2 and result.steps_completed == STEPS and len(result.joined) == 2


def test_two_ranks_have_the_loss_of_one_and_merge_to_one_model(world: World) -> None:
    losses = {}
    for ranks in (1, 2):
        _, run = world.plan(f"ranks{ranks}", steps=2, ranks=ranks)
        result = run_plan(run / "plan.json")
        assert result.status == "trained", result.reason
        losses[ranks] = (result.first_loss, result.last_loss)
    assert losses[2] == pytest.approx(losses[1], rel=1e-4)
    record = merge_run(world.root / "ranks2", world.root / "ranks2" / "merged")
    assert record["ranks"] == 2 and record["max_logit_difference"] < 1e-4


def test_an_adapter_is_folded_without_rounding(world: World) -> None:
    _, run = world.plan("lora", steps=2, lora=4)
    result = run_plan(run / "plan.json")
    assert result.status == "trained", result.reason
    record = merge_run(run, run / "merged")
    assert record["lora"] == 4 and record["max_logit_difference"] < 1e-5
    assert not (run / "merged" / "lora_adapter").exists()
