"""Command lines and environments: composed against verl's own configuration (formal-case.md 7)."""

from __future__ import annotations

import itertools
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from made_cases import geo3k_traits, matrix_facts, places, verl_case

from autoresearch.cases.ladder import training_rows, validation_rows
from autoresearch.cases.overrides import MODULE, ppo_argv, ppo_overrides, profile, row_environment
from autoresearch.cases.planned import Accelerator, PlannedRow
from autoresearch.hosts.config import HUB_TOKENS, ROW_VARIABLES
from autoresearch.training.plan import hydra_overrides

needs_verl = pytest.mark.skipif(find_spec("verl") is None, reason="verl is not installed: nothing to compose against")


def compose(name: str, overrides: list[str]) -> Any:
    """verl's configuration with these overrides, by hydra's own composer; raises for a key that does not exist."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir

    spec = find_spec("verl")
    assert spec is not None and spec.submodule_search_locations
    folder = Path(next(iter(spec.submodule_search_locations))) / "trainer" / "config"
    own = [item for item in overrides if not item.startswith("hydra.")]
    with initialize_config_dir(config_dir=str(folder), version_base=None):
        return hydra_compose(config_name=name, overrides=own)


def some_row(accelerator: Accelerator, mode: str, **keys: Any) -> tuple[PlannedRow, Any]:
    case = verl_case(mode=mode, **keys)
    facts = matrix_facts(case, accelerator=accelerator, devices=1 if accelerator == "cpu" else 8)
    make = validation_rows if mode == "validation" else training_rows
    return make(facts, geo3k_traits(case, accelerator))[-1], case


@needs_verl
@pytest.mark.parametrize("mode", ["training", "validation"])
@pytest.mark.parametrize("accelerator", ["ascend", "nvidia", "cpu"])
def test_every_override_exists_in_verl_and_has_the_value_that_was_meant(accelerator: Accelerator, mode: str) -> None:
    row, case = some_row(accelerator, mode)
    values = ppo_overrides(row, case, places())
    config = compose("ppo_trainer", hydra_overrides(values))
    from omegaconf import OmegaConf

    for key, value in values.items():
        if not key.startswith("hydra."):
            found = OmegaConf.select(config, key.lstrip("+"))
            assert (OmegaConf.to_object(found) if OmegaConf.is_config(found) else found) == value, key
    assert config.trainer.val_only is (mode == "validation")
    assert config.actor_rollout_ref.ref.strategy == config.actor_rollout_ref.actor.strategy
    assert config.data.val_batch_size is None, "deprecated in verl, must not be passed"


@needs_verl
def test_a_wrong_key_would_be_noticed() -> None:
    from hydra.errors import ConfigCompositionException

    with pytest.raises(ConfigCompositionException):
        compose("ppo_trainer", ["actor_rollout_ref.rollout.modus=sync"])


def test_sync_and_async_are_trainer_modes_and_the_removed_key_is_not_passed() -> None:
    seen = {}
    for mode in ("sync", "async"):
        row, case = some_row("ascend", "training", inference_modes=[mode])
        values = ppo_overrides(row, case, places())
        assert "actor_rollout_ref.rollout.mode" not in values
        seen[mode] = values["trainer.v1.trainer_mode"], values.get("trainer.v1.colocate_async.num_warmup_batches")
    assert seen == {"sync": ("sync", None), "async": ("colocate_async", 1)}


def test_what_is_fixed_for_every_row() -> None:
    row, case = some_row("ascend", "training")
    argv = ppo_argv(row, case, places())
    assert argv[:3] == ["python3", "-m", MODULE]
    for item in (
        "trainer.resume_mode=disable",
        "trainer.log_val_generations=0",
        "trainer.critic_warmup=0",
        "trainer.logger=[console,file,wandb]",
        "data.truncation=error",
        "actor_rollout_ref.rollout.enable_chunked_prefill=False",
        "actor_rollout_ref.rollout.enforce_eager=True",
        "actor_rollout_ref.model.use_remove_padding=False",
        "trainer.total_training_steps=3",
        "trainer.save_freq=-1",
        "trainer.rollout_data_dir=/srv/autoresearch/autoresearch/runs/run-1/rows/case.a1/rollouts",
    ):
        assert item in argv, item
    kept, case = some_row("ascend", "training", save_final=True)
    assert "trainer.save_freq=3" in ppo_argv(kept, case, places())


def test_compile_and_eager_can_be_set_on_nvidia_only() -> None:
    keys = {"rollout": {"enforce_eager": False, "use_torch_compile": True}}
    for accelerator, changed in (("nvidia", True), ("ascend", False)):
        row, case = some_row(accelerator, "training", **keys)  # type: ignore[arg-type]  # literals of the loop
        values = ppo_overrides(row, case, places())
        assert values["actor_rollout_ref.actor.use_torch_compile"] is changed
        assert values["actor_rollout_ref.rollout.enforce_eager"] is not changed


@pytest.mark.parametrize(("mine", "other"), itertools.permutations(["ascend", "nvidia", "cpu"], 2))
def test_no_variable_of_another_accelerator_is_set(mine: Accelerator, other: Accelerator) -> None:
    row, case = some_row(mine, "training")
    environment = row_environment(row, case, places())
    assert not set(environment) & set(profile(other)["environment"])
    assert "VLLM_VERSION" not in environment and not set(environment) & HUB_TOKENS


def test_the_environment_of_an_attempt() -> None:
    row, case = some_row("ascend", "training")
    found = row_environment(row, case, places(server_env={"OMP_NUM_THREADS": "4", "HF_HOME": "/elsewhere"}))
    assert found["OMP_NUM_THREADS"] == "4" and found["HF_HOME"] == "/srv/autoresearch/hf"
    assert found["ASCEND_RT_VISIBLE_DEVICES"] == "0"
    assert found["VERL_FILE_LOGGER_PATH"].endswith("/case.a1/metrics.jsonl")
    assert found["RAY_TMPDIR"] == row.scratch and found["WANDB_RESUME"] == "never"
    assert not any("proxy" in name.lower() for name in found)
    second = row_environment(row, case, places(attempt=2))
    assert second["WANDB_RUN_ID"] != found["WANDB_RUN_ID"]


def test_what_the_case_sets_a_server_may_not() -> None:
    """``hosts.config`` refuses these names in a server's env; the list must hold all that the common part sets."""
    assert set(profile("common")["environment"]) - {"WANDB_RUN_GROUP"} <= ROW_VARIABLES


def test_a_row_writes_its_run_offline_whatever_the_mode_so_that_no_server_can_fail_it() -> None:
    row, case = some_row("ascend", "training", wandb_mode="online")
    found = row_environment(row, case, places())
    assert found["WANDB_MODE"] == "offline" and not {"WANDB_BASE_URL", "no_proxy", "NO_PROXY"} & set(found)
