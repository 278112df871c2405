"""Launch, log and end of a run, with a stub in place of verl's trainer (training.md 5.5, 5.6)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from made_plans import stub_plan

from autoresearch.errors import InputError, RefusedError
from autoresearch.training import launch, process, watch
from autoresearch.training.launch import run_plan
from autoresearch.training.plan import write_plan


def start(run: Path, *arguments: str, steps: int = 3) -> launch.RunResult:
    write_plan(stub_plan(run, *arguments, steps=steps), run)
    return run_plan(run / "plan.json")


def attempt(run: Path, number: int = 1) -> Path:
    return run / "attempts" / f"{number:02d}"


def test_exit_zero_with_all_steps_but_no_checkpoint_is_not_trained(tmp_path: Path) -> None:
    result = start(tmp_path)
    assert result.status == "not_trained"
    assert result.steps_completed == 3 and result.exit_code == 0
    assert [item.id for item in result.conditions if not item.passed] == ["checkpoint", "weights_changed"]


def test_log_holds_the_exact_bytes_and_the_index_an_offset_of_each_step(tmp_path: Path) -> None:
    start(tmp_path, "pause=0.2")
    log = (attempt(tmp_path) / "trainer.log").read_bytes()
    assert log.count(b"step:") == 3 and log.endswith(b"\n")
    entries = [json.loads(line) for line in (attempt(tmp_path) / "log-index.jsonl").read_text().splitlines()]
    assert all(set(entry) == {"offset", "epoch_ms", "mono_ms"} for entry in entries)
    found = [log.find(b"step:%d " % step) for step in (1, 2, 3)]
    assert set(found) <= {entry["offset"] for entry in entries}


def test_state_and_environment_say_what_was_started(tmp_path: Path) -> None:
    start(tmp_path)
    state = json.loads((attempt(tmp_path) / "state.json").read_text())
    assert state["state"] == "finished" and state["exit_code"] == 0 and state["trouble"] is None
    environment = json.loads((attempt(tmp_path) / "environment.json").read_text())
    assert environment["set"]["VERL_FILE_LOGGER_PATH"].endswith("attempts/01/metrics.jsonl")
    assert "PATH" not in environment["set"]


def test_a_traceback_ends_as_crash_with_its_last_frame(tmp_path: Path) -> None:
    result = start(tmp_path, "raise=weights gone")
    assert result.status == "not_trained" and result.trouble is not None
    assert result.trouble["kind"] == "crash"
    assert result.trouble["text"].startswith("RuntimeError: weights gone (") and "in main" in result.trouble["text"]


def test_a_traceback_of_a_process_that_hangs_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "GRACE_SECONDS", 0.5)
    monkeypatch.setattr(watch, "ENDING_SECONDS", 0.5)
    text = "AUTORESEARCH-PLUGIN-FAILED"
    started = time.monotonic()
    result = start(tmp_path, f"say={text}")
    assert time.monotonic() - started < 15
    assert result.trouble is not None and result.trouble["kind"] == "crash" and result.exit_code != 0


def test_a_traceback_after_the_last_step_leaves_the_exit_code_to_decide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "GRACE_SECONDS", 0.2)
    result = start(tmp_path, "say=Traceback (most recent call last):", "hang=2")
    assert (result.exit_code, result.trouble, result.steps_completed) == (0, None, 3)


def test_a_crash_on_a_full_disk_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "checkpoints" / "global_step_2").mkdir(parents=True)
    (tmp_path / "checkpoints" / "global_step_2" / "model.pt").write_bytes(b"x" * 1000)
    monkeypatch.setattr(launch, "free_disk_bytes", lambda path: 999)
    result = start(tmp_path, "raise=unexpected pos")
    assert result.trouble is not None and "unexpected pos" in result.trouble["text"]
    assert result.trouble["text"].endswith("checkpoints has 999 bytes free, a checkpoint needs 1000")
    monkeypatch.setattr(launch, "free_disk_bytes", lambda path: 1001)
    assert launch.full_disk(tmp_path) == ""


def test_out_of_memory_text_stops_the_run(tmp_path: Path) -> None:
    result = start(tmp_path, "say=torch.OutOfMemoryError: CUDA out of memory. Tried 3 GiB")
    assert result.trouble is not None and result.trouble["kind"] == "oom"


def test_a_loss_that_is_not_finite_stops_the_run(tmp_path: Path) -> None:
    result = start(tmp_path, "nan_at=2", "pause=0.4", steps=60)
    assert result.trouble is not None and result.trouble["kind"] == "nonfinite"
    assert result.steps_completed < 60 and result.status == "not_trained"


def test_a_run_without_new_steps_counts_as_stalled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "STALL_SECONDS", 0.6)
    result = start(tmp_path, "wait=60")
    assert result.trouble is not None and result.trouble["kind"] == "stalled"


def test_a_killed_trainer_is_not_trained(tmp_path: Path) -> None:
    result = start(tmp_path, "kill_at=2", steps=5)
    assert result.status == "not_trained" and result.exit_code == -9 and result.steps_completed == 2
    assert result.trouble is not None and result.trouble["kind"] == "oom"


def test_processes_that_left_the_group_end_with_the_run(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    start(tmp_path / "run", f"child={note}", "wait=0.3")
    pid = int(note.read_text())
    time.sleep(0.1)
    state = Path(f"/proc/{pid}/stat")
    assert not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def test_a_changed_plan_is_refused(tmp_path: Path) -> None:
    write_plan(stub_plan(tmp_path), tmp_path)
    path = tmp_path / "plan.json"
    path.write_text(path.read_text().replace("steps=3", "steps=4"))
    with pytest.raises(RefusedError, match="changed after it was written"):
        run_plan(path)
    assert not (tmp_path / "attempts").exists()


def test_a_changed_input_is_refused_and_named(tmp_path: Path) -> None:
    data = tmp_path / "data.parquet"
    data.write_bytes(b"one")
    run = tmp_path / "run"
    write_plan(stub_plan(run, inputs=[data]), run)
    data.write_bytes(b"two")
    with pytest.raises(RefusedError, match="data.parquet"):
        run_plan(run / "plan.json")


def test_a_moved_run_folder_is_refused(tmp_path: Path) -> None:
    write_plan(stub_plan(tmp_path / "one"), tmp_path / "one")
    (tmp_path / "one").rename(tmp_path / "two")
    with pytest.raises(RefusedError, match="made for"):
        run_plan(tmp_path / "two" / "plan.json")


def test_a_second_start_is_refused_without_resume(tmp_path: Path) -> None:
    start(tmp_path)
    with pytest.raises(RefusedError, match="already holds 1 attempt"):
        run_plan(tmp_path / "plan.json")
    with pytest.raises(RefusedError, match="no complete checkpoint"):
        run_plan(tmp_path / "plan.json", resume=True)


def test_no_plan_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a readable plan"):
        run_plan(tmp_path / "plan.json")


def test_the_sampler_runs_as_long_as_the_trainer(tmp_path: Path) -> None:
    seen: list[object] = []

    def sampler(folder: Path, pid: int) -> object:
        seen.append((folder, pid > 0))
        return lambda: seen.append("stopped")

    write_plan(stub_plan(tmp_path), tmp_path)
    run_plan(tmp_path / "plan.json", sampler=sampler)  # type: ignore[arg-type]  # a plain function is enough
    assert seen == [(attempt(tmp_path), True), "stopped"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_stops_the_trainer_keeps_files_and_says_so(tmp_path: Path, number: int) -> None:
    write_plan(stub_plan(tmp_path, "pause=0.2", steps=200), tmp_path)
    command = [sys.executable, "-m", "autoresearch", "train", "sft", "--plan", str(tmp_path / "plan.json")]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    metrics = attempt(tmp_path) / "metrics.jsonl"
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (metrics.is_file() and metrics.stat().st_size):
        time.sleep(0.05)
    os.kill(child.pid, number)
    output, _ = child.communicate(timeout=40)
    assert child.returncode == 130
    assert json.loads(output)["result"] == "interrupted"
    assert json.loads((tmp_path / "result.json").read_text())["status"] == "interrupted"
    pid = json.loads((attempt(tmp_path) / "state.json").read_text())["pid"]
    assert not Path(f"/proc/{pid}").exists()
    assert metrics.stat().st_size > 0


def test_the_mark_of_a_launch_finds_no_other_process() -> None:
    assert process.marked_processes("no-such-mark") == []
