"""The four tasks behind one protocol; field tasks change only what their plan lists as variable (formal-case.md 4)."""

from __future__ import annotations

import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from made_cases import CREATED, matrix_facts, places, verl_case
from made_field_plans import FieldWorld
from test_overrides import compose

from autoresearch.cases.config import VerlCase
from autoresearch.cases.events import RowFiles
from autoresearch.cases.field_plan import FieldPlan
from autoresearch.cases.ladder import Outcome, promoted_rows
from autoresearch.cases.names import NameFacts
from autoresearch.cases.plan_argv import allowed_keys, move, vary
from autoresearch.cases.planned import MatrixFacts, PlannedRow
from autoresearch.cases.row_checks import check_row
from autoresearch.cases.tasks import FieldTask, Task, open_task
from autoresearch.errors import InputError, RefusedError
from autoresearch.training.plan import VARIABLE_KEYS, Plan, read_plan

LOGS = Path(__file__).parents[1] / "training" / "logs"
needs_verl = pytest.mark.skipif(find_spec("verl") is None, reason="verl is not installed: nothing to compose against")


def plain_key(item: str) -> str | None:
    """The hydra key of an argument without its plus signs, or None where it is no override."""
    match = re.match(r"\+{0,2}([A-Za-z_][A-Za-z0-9_.@/]*)=", item)
    return match[1] if match else None


@pytest.fixture(scope="session")
def field_world(tmp_path_factory: pytest.TempPathFactory) -> FieldWorld:
    return FieldWorld(tmp_path_factory.mktemp("field-world"))


def field_facts(task: Task, case: VerlCase, **changes: Any) -> MatrixFacts:
    """Facts of this machine's processor for a field task."""
    assert isinstance(task, FieldTask)
    values: dict[str, Any] = {"accelerator": "cpu", "devices": 1, "cores": 2}
    made = matrix_facts(case, **{**values, **changes, "model": task.plan.model, "data": task.plan.data})
    names = NameFacts("tiny", case.algorithm, case.mode, True, made.accelerator, False, CREATED)
    return MatrixFacts(**{**made.__dict__, "names": names, "device_memory": 0})


def opened(plan: Path, name: str, **keys: Any) -> tuple[Task, VerlCase, list[PlannedRow]]:
    case = verl_case(task=name, plan=str(plan), **keys)
    task = open_task(case)
    return task, case, task.derive_rows(field_facts(task, case))


def changed_keys(plan: Plan, argv: list[str]) -> set[str]:
    """Keys whose argument differs from the plan's."""
    before = {plain_key(item): item for item in plan.argv if plain_key(item)}
    after = {plain_key(item): item for item in argv if plain_key(item)}
    assert set(before) <= set(after), "a key of the plan is never dropped"
    return {str(key) for key, item in after.items() if before.get(key) != item}


def test_geo3k_opens_without_a_plan() -> None:
    case = verl_case()
    task = open_task(case)
    rows = task.derive_rows(matrix_facts(case))
    assert len(rows) == 4 and not [item for row in rows for item in task.check_row(row)]
    assert task.argv(rows[0], places())[2] == "verl.trainer.main_ppo"
    assert task.environment(rows[0], places())["HF_HUB_OFFLINE"] == "1"
    assert task.files(rows[0], places()) == {}


def test_an_rl_plan_becomes_a_ladder_of_its_own_n_and_lengths(field_world: FieldWorld) -> None:
    task, _, rows = opened(field_world.rl_plan("ladder"), "field-grpo", ladder={"batch_sizes": [1, 2, 4]})
    assert [row.case_id for row in rows] == [
        f"train-1cpu-sync-bs{batch}-n4-mini{batch}-micro1-2048-320" for batch in (1, 2, 4)
    ]
    assert [item.message() for row in rows for item in task.check_row(row) if item.severity == "error"] == []


def test_an_rl_row_changes_only_variable_keys_of_the_plan(field_world: FieldWorld) -> None:
    folder = field_world.rl_plan("keys", "rloo")
    task, _, rows = opened(folder, "field-rloo")
    plan, digest = read_plan(folder / "plan.json")
    at = places(plan_paths={"release": "/srv/a b/rl", "model": "/srv/model"}, python="/opt/python", plan_sha256=digest)
    argv = task.argv(rows[1], at)
    paths = {"data.train_files", "data.val_files", "actor_rollout_ref.model.path"}
    loop = {
        "actor_rollout_ref.rollout.agent.agent_loop_config_path",
        "actor_rollout_ref.rollout.multi_turn.tool_config_path",
    }
    assert changed_keys(plan, argv) <= allowed_keys("rl") | paths | loop
    assert argv[0] == "/opt/python"
    for item in (
        "data.train_batch_size=2",
        "data.train_files='/srv/a b/rl/train.parquet'",
        "actor_rollout_ref.model.path=/srv/model",
        f"actor_rollout_ref.rollout.agent.agent_loop_config_path={at.row}/loop.yaml",
        f"trainer.rollout_data_dir={at.row}/rollouts",
        f"+ray_kwargs.ray_init.runtime_env.env_vars.VERL_FILE_LOGGER_PATH={at.row}/metrics.jsonl",
        "trainer.total_training_steps=3",
        "trainer.save_freq=-1",
        "trainer.val_before_train=False",
        "trainer.val_only=False",
        "trainer.logger=[console,file,wandb]",
    ):
        assert item in argv, item
    assert not [item for item in argv if "{attempt}" in item or str(folder) in item]
    environment = task.environment(rows[1], at)
    assert environment["VERL_FILE_LOGGER_PATH"] == f"{at.row}/metrics.jsonl"
    assert environment["VERL_PLATFORM"] == "cpu" and not [v for v in environment.values() if str(folder) in v]


def test_loop_and_tool_files_name_the_attempts_own_folders(field_world: FieldWorld) -> None:
    folder = field_world.rl_plan("files")
    task, _, rows = opened(folder, "field-grpo")
    at = places(plan_paths={"release": "/srv/rl", "model": "/srv/model"})
    found = task.files(rows[0], at)
    entry = yaml.safe_load(found["loop.yaml"])[0]
    assert (entry["assets"], entry["transcripts"]) == ("/srv/rl/assets", f"{at.row}/transcripts")
    assert {tool["config"]["assets"] for tool in yaml.safe_load(found["tools.yaml"])["tools"]} == {"/srv/rl/assets"}


def test_an_sft_plan_becomes_a_ladder_without_modes(field_world: FieldWorld) -> None:
    folder = field_world.sft_plan("sft")
    task, _, rows = opened(folder, "field-sft", ladder={"batch_sizes": [1, 2]})
    assert [row.case_id for row in rows] == [f"train-1cpu-bs{batch}-mini{batch}-micro1-4096" for batch in (1, 2)]
    assert [item.message() for row in rows for item in task.check_row(row) if item.severity == "error"] == []
    plan, _ = read_plan(folder / "plan.json")
    argv = task.argv(rows[1], places())
    assert changed_keys(plan, argv) - {"data.plan_sha256"} <= allowed_keys("sft"), "that one is a token, filled in"
    assert "--nproc-per-node=1" in argv and "data.val_files=null" in argv


@needs_verl
@pytest.mark.parametrize("name", ["field-sft", "field-grpo"])
def test_every_key_of_a_field_row_exists_in_verl(field_world: FieldWorld, name: str) -> None:
    make = field_world.sft_plan if name == "field-sft" else field_world.rl_plan
    task, _, rows = opened(make(f"compose-{name}"), name)
    argv = task.argv(rows[-1], places())
    config = compose(
        "sft_trainer_engine" if name == "field-sft" else "ppo_trainer", [item for item in argv if plain_key(item)]
    )
    assert config.data.train_batch_size == rows[-1].numbers.B and config.trainer.total_training_steps == 3


@needs_verl
def test_a_plan_for_cards_is_varied_with_all_that_depends_on_batch_and_lengths(field_world: FieldWorld) -> None:
    folder = field_world.rl_plan("cards", device="cuda", engine="vllm", kl_coef=0.01, drop_constant_groups=True)
    plan, digest = read_plan(folder / "plan.json")
    case = verl_case(task="field-grpo", plan=str(folder), ladder={"micro_batches": [4]})
    task = FieldTask(case, FieldPlan(folder, plan, digest, field_world.facts(field_world.rl, "rl"), None))
    facts = field_facts(task, case, accelerator="nvidia", devices=8, cores=64)
    best = task.derive_rows(facts)[1]
    (row,) = [row for row in promoted_rows(facts, task.traits("nvidia"), [measured(best)]) if row.numbers.B == 16]
    assert not check_row(row)
    config = compose("ppo_trainer", [item for item in task.argv(row, places()) if plain_key(item)])
    ours = config.actor_rollout_ref
    assert config.trainer.v1.sampler.sampler_kwargs.train_batch_size == 16
    assert (ours.ref.log_prob_micro_batch_size_per_gpu, ours.rollout.agent.num_workers) == (4, 8)
    assert ours.rollout.max_model_len == 2048 + 320 + 1 and config.trainer.n_gpus_per_node == 8
    assert task.environment(row, places())["CUDA_VISIBLE_DEVICES"] == "0,1,2,3,4,5,6,7"


def measured(row: PlannedRow) -> Outcome:
    return Outcome(row, "passed", tokens_per_second_per_device=10.0, measured_steps=2)


def test_validation_runs_the_plan_without_updates(field_world: FieldWorld) -> None:
    task, _, rows = opened(field_world.rl_plan("val"), "field-grpo", mode="validation", val_samples=3)
    assert [row.case_id for row in rows] == ["sync-2048-320"]
    assert rows[0].numbers.S == 0 and rows[0].numbers.V == 3
    assert not [item for item in task.check_row(rows[0]) if item.severity == "error"]
    argv = task.argv(rows[0], places())
    assert "trainer.val_only=True" in argv and "data.val_max_samples=3" in argv


def test_the_plans_own_checks_run_again_on_the_changed_numbers(field_world: FieldWorld) -> None:
    task, case, rows = opened(field_world.rl_plan("checks"), "field-grpo")
    many = rows[0].model_copy(
        update={"numbers": rows[0].numbers.model_copy(update={"B": 5000, "m": 5000}), "input_tokens": 100}
    )
    codes = {item.code for item in task.check_row(many)}
    assert {"T103", "T105", "V206"} <= codes
    beyond = open_task(verl_case(task="field-grpo", plan=str(case.plan), input_tokens=8000))
    long = beyond.derive_rows(field_facts(beyond, case))
    assert {"T106", "V209"} <= {item.code for item in beyond.check_row(long[0])}


@pytest.mark.parametrize(
    "keys",
    [
        {"group_size": 8},
        {"seed": 7},
        {"profile": "fsdp"},
        {"padding_removal": "on"},
        {"dynamic_batch": "on"},
        {"rollout": {"gpu_memory_utilization": 0.7}},
        {"tensor_parallel": 2},
        {"inference_modes": ["async"]},
    ],
)
def test_a_key_that_the_plan_fixes_is_refused(field_world: FieldWorld, keys: dict[str, Any]) -> None:
    folder = field_world.root / "runs" / "fixed"
    if not folder.exists():
        field_world.rl_plan("fixed")
    with pytest.raises(RefusedError, match="V203 plan-key-fixed") as error:
        open_task(verl_case(task="field-grpo", plan=str(folder), **keys))
    assert next(iter(keys)) in error.value.message
    assert open_task(verl_case(task="field-grpo", plan=str(folder), group_size=4, seed=42)).name == "field-grpo"


def test_only_the_listed_keys_can_be_varied(field_world: FieldWorld) -> None:
    plan, _ = read_plan(field_world.rl_plan("vary") / "plan.json")
    with pytest.raises(RefusedError, match="V203"):
        vary(plan, {"actor_rollout_ref.actor.optim.lr": 1}, "row")
    from autoresearch.cases.overrides import profile

    for kind in ("rl", "sft"):
        assert set(profile("plan_keys")[kind]) - {"present"} <= set(VARIABLE_KEYS)


def test_another_device_than_the_plans_is_refused(field_world: FieldWorld) -> None:
    case = verl_case(task="field-grpo", plan=str(field_world.rl_plan("device")))
    task = open_task(case)
    with pytest.raises(RefusedError, match="V203"):
        task.derive_rows(field_facts(task, case, accelerator="ascend"))


def test_a_plan_of_another_algorithm_is_refused(field_world: FieldWorld) -> None:
    folder = field_world.rl_plan("algorithm", "rloo")
    with pytest.raises(InputError, match="write task: field-rloo"):
        open_task(verl_case(task="field-grpo", plan=str(folder)))


def test_a_missing_plan_and_a_changed_plan_are_refused(field_world: FieldWorld, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--dry-run"):
        open_task(verl_case(task="field-grpo", plan=str(tmp_path)))
    folder = field_world.rl_plan("edited")
    content = json.loads((folder / "plan.json").read_text())
    (folder / "plan.json").write_text(json.dumps({**content, "steps": 5}))
    with pytest.raises(RefusedError, match="was changed after it was written"):
        open_task(verl_case(task="field-grpo", plan=str(folder)))


def test_a_changed_input_and_a_changed_verdict_are_refused(tmp_path: Path) -> None:
    world = FieldWorld(tmp_path)
    case = verl_case(task="field-grpo", plan=str(world.rl_plan("plan")))
    assert open_task(case).name == "field-grpo"
    verdict = world.verdicts["rl"] / "rollout.json"
    kept = verdict.read_bytes()
    verdict.write_text(kept.decode().replace('"passed": true', '"passed": false'), encoding="utf-8")
    with pytest.raises((InputError, RefusedError), match="changed|differs"):
        open_task(case)
    verdict.write_bytes(kept)
    shutil.copyfile(world.model / "config.json", world.model / "extra.json")
    with pytest.raises(RefusedError, match="inputs changed since the plan was made"):
        open_task(case)


def test_paths_are_exchanged_by_whole_folders_only() -> None:
    moves = {"/a/rl": "/x", "/a/rl/assets": "/y z"}
    assert move("/a/rl/train.parquet", moves) == "/x/train.parquet"
    assert move("/a/rl2/train.parquet", moves) == "/a/rl2/train.parquet"
    assert move("'/a/rl/assets/名'", moves) == "'/y z/名'"
    assert move("3", moves) == "3"


def test_a_task_reads_the_records_of_an_attempt(field_world: FieldWorld, tmp_path: Path) -> None:
    task, _, rows = opened(field_world.sft_plan("parse"), "field-sft")
    (tmp_path / "logs").mkdir()
    shutil.copyfile(LOGS / "sft-one-card.log", tmp_path / "logs" / "trainer.log")
    shutil.copyfile(LOGS / "sft-one-card.metrics.jsonl", tmp_path / "metrics.jsonl")
    read = task.parse(RowFiles(tmp_path, tmp_path / "logs"), rows[0])
    assert read.steps.completed == 6 and read.source == "metrics" and not read.notices
