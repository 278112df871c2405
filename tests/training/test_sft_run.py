"""verl's SFT trainer for real, on this machine: trained, merged, killed, out of disk (training.md 5.5 to 5.8)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from small_world import TRAINED_STEPS, SftWorld, Trained

from autoresearch.cli import main
from autoresearch.errors import InputError, RefusedError
from autoresearch.files import read_json, tree_sha256
from autoresearch.training import launch
from autoresearch.training.launch import run_plan
from autoresearch.training.merge import merge_run
from autoresearch.training.plan import write_plan

pytestmark = pytest.mark.train
STEPS = 8


def test_a_run_is_trained_and_not_resumed(trained_mini: Trained) -> None:
    result, run = trained_mini.result, trained_mini.run
    assert result.status == "trained", result.reason
    assert result.steps_completed == TRAINED_STEPS and result.weights is not None and result.weights["largest"] > 0
    assert result.last_loss is not None and result.first_loss is not None
    assert (run / "attempts" / "01" / "tensorboard").is_dir() and (run / "verdicts" / "host.json").is_file()
    with pytest.raises(RefusedError, match="is finished"):
        run_plan(run / "plan.json", resume=True)


def test_any_checkpoint_is_merged_to_float32_and_never_twice(trained_mini: Trained, tmp_path: Path) -> None:
    step = TRAINED_STEPS // 2
    record = merge_run(trained_mini.run, tmp_path / "merged", step=step)
    assert record["dtype"] == "float32" and record["step"] == step and record["max_logit_difference"] < 1e-4
    assert record["tree_sha256"] == tree_sha256(tmp_path / "merged", ("merge.json",))
    assert record["tree_sha256"] != tree_sha256(trained_mini.model, ("merge.json",))
    assert read_json(tmp_path / "merged" / "merge.json") == record
    with pytest.raises(RefusedError):
        merge_run(trained_mini.run, tmp_path / "merged")


def test_dry_run_writes_the_plan_and_starts_nothing(
    sft_world: SftWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(launch, "TrainerProcess", lambda *_: pytest.fail("a trainer was started"))
    run = tmp_path / "run"
    words = ["train", "sft", "--release", sft_world.sft, "--model", sft_world.base, "--run", run, "--device", "cpu"]
    words += ["--verdicts", sft_world.root / "verdicts", "--batch", 4, "--purpose", "practice", "--dry-run"]
    assert main.run([str(word) for word in words]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert sorted(path.name for path in run.iterdir()) == ["plan.json", "plan.sha256"]
    assert shown["argv"] == read_json(run / "plan.json")["argv"]
    assert shown["sha256"] == (run / "plan.sha256").read_text().split()[0]


def test_verl_killed_in_the_middle_is_not_trained_and_goes_on(sft_world: SftWorld) -> None:
    _, run = sft_world.plan("killed", answer_weight=8)
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


def test_two_ranks_have_the_loss_of_one_and_merge_to_one_model(sft_world: SftWorld, trained_mini: Trained) -> None:
    _, run = sft_world.plan("ranks2", steps=2, gpus=2)
    result = run_plan(run / "plan.json")
    assert result.status == "trained", result.reason
    lines = (trained_mini.run / "attempts" / "01" / "metrics.jsonl").read_text().splitlines()
    steps = {line["step"]: line["data"] for line in map(json.loads, lines) if "train/loss" in line["data"]}
    one_rank = [steps[step]["train/loss"] for step in (1, 2)]
    assert [result.first_loss, result.last_loss] == pytest.approx(one_rank, rel=1e-4)
    record = merge_run(run, run / "merged")
    assert record["ranks"] == 2 and record["max_logit_difference"] < 1e-4


@pytest.mark.parametrize("ranks", [1, 2])
def test_an_adapter_is_folded_without_rounding(sft_world: SftWorld, ranks: int) -> None:
    _, run = sft_world.plan(f"lora{ranks}", steps=2, lora=4, gpus=ranks)
    result = run_plan(run / "plan.json")
    assert result.status == "trained", result.reason
    record = merge_run(run, run / "merged")
    assert (record["lora"], record["ranks"]) == (4, ranks) and record["max_logit_difference"] < 1e-5
    assert not (run / "merged" / "lora_adapter").exists()


def test_a_shard_with_a_changed_byte_is_not_merged(trained_mini: Trained, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(trained_mini.run, run, ignore=shutil.ignore_patterns("merged", "tokens"))
    shard = run / "checkpoints" / f"global_step_{TRAINED_STEPS}" / "model_world_size_1_rank_0.pt"
    content = bytearray(shard.read_bytes())
    content[len(content) // 2] ^= 1
    shard.write_bytes(content)
    with pytest.raises(InputError, match=r"model_world_size_1_rank_0\.pt is damaged"):
        merge_run(run, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_a_broken_plug_in_stops_a_real_launch_with_its_traceback(sft_world: SftWorld, tmp_path: Path) -> None:
    plan, run = sft_world.plan("broken-plug-in", steps=2)
    sabotage = "import sys\nsys.modules['autoresearch.training.plugin.turn_boundaries'] = None\n"
    (tmp_path / "sitecustomize.py").write_text(sabotage)
    write_plan(plan.model_copy(update={"environment": {**plan.environment, "PYTHONPATH": str(tmp_path)}}), run)
    started = time.monotonic()
    result = run_plan(run / "plan.json")
    assert time.monotonic() - started < 60
    assert (result.status, result.steps_completed) == ("not_trained", 0)
    assert result.trouble is not None and result.trouble["kind"] == "crash"
    assert "turn_boundaries" in result.trouble["text"]
    assert "AUTORESEARCH-PLUGIN-FAILED" in (run / "attempts" / "01" / "trainer.log").read_text()


def checkpoint_bytes(trained: Trained) -> int:
    folder = trained.run / "checkpoints" / f"global_step_{TRAINED_STEPS}"
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


SMALL_DISK = """
mount -t tmpfs -o size={small} none {run}/checkpoints || exit 99
{python} -m autoresearch train sft --plan {run}/plan.json > {run}/first.json
echo $? > {run}/first.code
ls {run}/checkpoints > {run}/first.list
mount -o remount,size={large} {run}/checkpoints || exit 99
{python} -m autoresearch train sft --resume --run {run} > {run}/second.json
"""


def test_a_full_disk_at_a_checkpoint_is_not_trained_and_the_run_goes_on_from_the_last_whole_one(
    sft_world: SftWorld, trained_mini: Trained
) -> None:
    if subprocess.run(["unshare", "-rm", "true"], check=False, capture_output=True).returncode:
        pytest.skip("no user namespace to mount a small disk in")
    _, run = sft_world.plan("full-disk", steps=6)
    (run / "checkpoints").mkdir()
    size = checkpoint_bytes(trained_mini)
    words: dict[str, Any] = {"run": run, "python": sys.executable, "small": size * 3 // 2, "large": size * 6}
    done = subprocess.run(["unshare", "-rm", "bash", "-c", SMALL_DISK.format(**words)], timeout=300, check=False)
    assert done.returncode == 0
    first, second = read_json(run / "first.json"), read_json(run / "second.json")
    assert (run / "first.code").read_text().strip() == "1"
    assert first["result"] == "not_trained" and first["steps"] < 6
    assert first["reason"].startswith("crash: ") and "bytes free, a checkpoint needs" in first["reason"]
    assert "global_step_2" in (run / "first.list").read_text()
    assert (second["result"], second["steps"]) == ("trained", 6)
    assert read_json(run / "result.json")["joined"][1]["from"] == 3
