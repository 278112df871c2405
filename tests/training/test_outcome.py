"""When a run counts as trained, and from which checkpoint it goes on (training.md 5.6, 5.7, 7.6)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_plans import stub_plan

from autoresearch.errors import RefusedError
from autoresearch.training import outcome
from autoresearch.training.checkpoints import Checkpoint, last_complete, read_checkpoint
from autoresearch.training.launch import resume_point, resumed_argv, run_plan
from autoresearch.training.outcome import WeightChange, conditions_of, joined_records, signal_conditions, status_of
from autoresearch.training.plan import write_plan
from autoresearch.training.steps import StepCount, count_steps

CHANGED = WeightChange(tensors=3, changed=3, largest=0.1, sha256_before="a", sha256_after="b")
SAME = WeightChange(tensors=3, changed=0, largest=0.0, sha256_before="a", sha256_after="a")


def count(completed: int = 3, zero: int = 0, repeated: tuple[int, ...] = ()) -> StepCount:
    return StepCount(tuple(range(1, completed + 1)), completed, zero, repeated, ())


def checkpoint(step: int = 3, missing: tuple[str, ...] = ()) -> Checkpoint:
    return Checkpoint(step, Path("x"), Path("x"), 1, missing)


def make_checkpoint(run: Path, step: int, kind: str = "sft") -> Path:
    """A complete checkpoint of one rank by its files: empty archives are whole archives."""
    import zipfile

    folder = run / "checkpoints" / f"global_step_{step}"
    weights = folder / "actor" if kind == "rl" else folder
    (weights / "huggingface").mkdir(parents=True)
    for name in ("config.json", "tokenizer.json"):
        (weights / "huggingface" / name).write_text("{}")
    (weights / "fsdp_config.json").write_text('{"world_size": 1}')
    for part in ("model", "optim", "extra_state"):
        zipfile.ZipFile(weights / f"{part}_world_size_1_rank_0.pt", "w").close()
    zipfile.ZipFile(folder / ("data.pt" if kind == "rl" else "data_0.pt"), "w").close()
    return folder


def failed(tmp_path: Path, *facts: object) -> list[str]:
    return [item.id for item in conditions_of(stub_plan(tmp_path), *facts) if not item.passed]  # type: ignore[arg-type]


def test_all_conditions_make_it_trained(tmp_path: Path) -> None:
    conditions = conditions_of(stub_plan(tmp_path), count(), 0, checkpoint(), CHANGED)
    assert status_of(conditions, None, False) == ("trained", "every condition holds")


def test_each_missing_condition_refuses_trained(tmp_path: Path) -> None:
    assert failed(tmp_path, count(2), 0, checkpoint(), CHANGED) == ["steps"]
    assert failed(tmp_path, count(3, repeated=(2,)), 0, checkpoint(), CHANGED) == ["steps"]
    assert failed(tmp_path, count(4), 0, checkpoint(), CHANGED) == ["steps"]
    assert failed(tmp_path, count(3, zero=1), 0, checkpoint(), CHANGED) == ["gradient"]
    assert failed(tmp_path, count(), 1, checkpoint(), CHANGED) == ["exit_code"]
    assert failed(tmp_path, count(), 0, checkpoint(2), CHANGED) == ["checkpoint"]
    assert failed(tmp_path, count(), 0, checkpoint(3, ("optim",)), CHANGED) == ["checkpoint"]
    assert failed(tmp_path, count(), 0, None, None) == ["checkpoint", "weights_changed"]
    assert failed(tmp_path, count(), 0, checkpoint(), SAME) == ["weights_changed"]


def test_one_zero_gradient_in_ten_is_allowed(tmp_path: Path) -> None:
    plan = stub_plan(tmp_path, steps=10)
    ten = conditions_of(plan, count(10, zero=1), 0, checkpoint(10), CHANGED)
    assert all(item.passed for item in ten)
    assert not all(item.passed for item in conditions_of(plan, count(10, zero=2), 0, checkpoint(10), CHANGED))


def test_a_run_without_signal_says_so_whatever_the_trainer_returned(tmp_path: Path) -> None:
    conditions = conditions_of(stub_plan(tmp_path), count(3, zero=3), 0, checkpoint(), SAME)
    assert status_of(conditions, 0, False)[0] == "ran_without_signal"
    conditions += signal_conditions(0, 3, 3)
    assert status_of(conditions, 0, False)[0] == "ran_without_signal"
    broken = conditions_of(stub_plan(tmp_path), count(1), 1, None, None)
    assert status_of(broken, 0, False)[0] == "not_trained"


def test_steps_whose_groups_are_not_recorded_are_not_called_without_signal(tmp_path: Path) -> None:
    conditions = conditions_of(stub_plan(tmp_path), count(3), 0, checkpoint(), CHANGED)
    status, reason = status_of([*conditions, *signal_conditions(0, 1, 3)], 0, False)
    assert status == "not_trained" and "groups_recorded: 1 of 3" in reason
    assert status_of([*conditions, *signal_conditions(1, 3, 3)], 1, False)[0] == "trained"


def test_a_checkpoint_is_complete_only_with_every_rank_and_whole_files(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path, 2)
    assert read_checkpoint(tmp_path, 2, "sft").complete
    part = folder / "optim_world_size_1_rank_0.pt"
    part.write_bytes(part.read_bytes()[:-4])
    assert read_checkpoint(tmp_path, 2, "sft").missing == ("optim_world_size_1_rank_0.pt is cut",)
    (folder / "fsdp_config.json").write_text('{"world_size": 2}')
    assert len(read_checkpoint(tmp_path, 2, "sft").missing) == 6


def test_an_rl_checkpoint_lies_below_actor(tmp_path: Path) -> None:
    make_checkpoint(tmp_path, 1, "rl")
    assert read_checkpoint(tmp_path, 1, "rl").complete
    assert not read_checkpoint(tmp_path, 1, "sft").complete


def test_resume_takes_the_last_complete_checkpoint(tmp_path: Path) -> None:
    make_checkpoint(tmp_path, 1)
    folder = make_checkpoint(tmp_path, 2)
    (folder / "model_world_size_1_rank_0.pt").unlink()
    found = last_complete(tmp_path, "sft")
    assert found is not None and found.step == 1
    assert resume_point(stub_plan(tmp_path), tmp_path).step == 1


def test_a_finished_run_is_refused(tmp_path: Path) -> None:
    make_checkpoint(tmp_path, 3)
    with pytest.raises(RefusedError, match="is finished"):
        resume_point(stub_plan(tmp_path), tmp_path)


def test_resume_passes_an_explicit_path_and_nothing_else_changes() -> None:
    argv = ["python", "trainer.resume_mode=disable", "a=b"]
    point = Checkpoint(2, Path("/run/checkpoints/global_step_2"), Path("/x"), 1, ())
    assert resumed_argv(argv, point) == [
        "python",
        "trainer.resume_mode=resume_path",
        "trainer.resume_from_path=/run/checkpoints/global_step_2",
        "a=b",
    ]


def test_an_interrupted_run_goes_on_and_its_curve_is_joined(tmp_path: Path) -> None:
    write_plan(stub_plan(tmp_path, "kill_at=3", steps=5), tmp_path)
    assert run_plan(tmp_path / "plan.json").steps_completed == 3
    make_checkpoint(tmp_path, 2)
    result = run_plan(tmp_path / "plan.json", resume=True)
    assert result.attempts == 2 and result.steps_completed == 3
    assert result.joined == ({"attempt": 1, "from": 1, "to": 3}, {"attempt": 2, "from": 3, "to": 3})


def test_the_later_attempt_wins_in_a_joined_curve(tmp_path: Path) -> None:
    for number, steps in ((1, [1, 2, 3]), (2, [3, 4])):
        folder = tmp_path / "attempts" / f"{number:02d}"
        folder.mkdir(parents=True)
        lines = [
            json.dumps({"step": step, "data": {"train/loss": float(number), "train/grad_norm": 1.0}}) for step in steps
        ]
        (folder / "metrics.jsonl").write_text("\n".join(lines) + "\n")
    records, joins, _ = joined_records(tmp_path, "sft")
    assert [(record.step, record.data["train/loss"]) for record in records] == [(1, 1.0), (2, 1.0), (3, 2.0), (4, 2.0)]
    assert [item["attempt"] for item in joins] == [1, 2]


def rl_record(step: int, norm: float) -> dict[str, object]:
    """What verl's file logger writes of an RL step."""
    numbers = {"actor/grad_norm": norm, "actor/pg_loss": 0.1, "training/global_step": step}
    return {"step": step, "data": {**numbers, "timing_s/update_actor": 1.0, "timing_s/step": 2.0}}


def test_a_validation_at_the_step_that_a_run_goes_on_from_takes_nothing_away(tmp_path: Path) -> None:
    attempts: list[list[dict[str, object]]] = [
        [{"step": 0, "data": {"val-core/acc": 0.1}}, rl_record(1, 1.0)],
        [{"step": 1, "data": {"val-core/acc": 0.2}}],
        [{"step": 1, "data": {"val-core/acc": 0.3}}, rl_record(2, 2.0)],
    ]
    for number, lines in enumerate(attempts, start=1):
        folder = tmp_path / "attempts" / f"{number:02d}"
        folder.mkdir(parents=True)
        (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    records, joins, _ = joined_records(tmp_path, "rl")
    count = count_steps(records, "rl")
    assert (count.completed, count.repeated) == (2, ())
    assert joins == [{"attempt": 1, "from": 1, "to": 1}, {"attempt": 3, "from": 2, "to": 2}]
    assert [record.step for record in records] == [0, 1, 1, 2]


def test_weights_are_compared_by_value_whatever_the_file(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from safetensors.torch import save_file

    model = tmp_path / "model"
    model.mkdir()
    before = {"a": torch.ones(4), "b": torch.zeros(2)}
    save_file(before, str(model / "model.safetensors"))
    folder = make_checkpoint(tmp_path, 3)
    shard = folder / "model_world_size_1_rank_0.pt"
    torch.save(before, shard)
    found = read_checkpoint(tmp_path, 3, "sft")
    same = outcome.weight_change(model, found)
    assert same.largest == 0 and same.sha256_before == same.sha256_after
    torch.save({"a": torch.ones(4), "b": torch.tensor([0.0, -0.25])}, shard)
    other = outcome.weight_change(model, found)
    assert (other.tensors, other.changed, other.largest) == (2, 1, 0.25)
    assert other.sha256_before == same.sha256_before != other.sha256_after


def test_an_adapter_counts_by_its_own_weights(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    shard = make_checkpoint(tmp_path, 3) / "model_world_size_1_rank_0.pt"
    names = {
        "base_model.model.q.lora_A.default.weight": torch.ones(2),
        "base_model.model.q.lora_B.default.weight": torch.zeros(2),
    }
    torch.save(names, shard)
    found = read_checkpoint(tmp_path, 3, "sft")
    assert outcome.weight_change(tmp_path, found).largest == 0
    names["base_model.model.q.lora_B.default.weight"][0] = 0.5
    torch.save(names, shard)
    change = outcome.weight_change(tmp_path, found)
    assert change.largest == 0.5 and change.sha256_before != change.sha256_after
