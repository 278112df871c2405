"""The four tasks behind one protocol (formal-case.md 4): what a matrix is made of, and how a row is started and read.

The run loop, hosts, telemetry, bundle and report know no task names: they call ``open_task`` and use what it gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from autoresearch.cases.config import PLAN_KEYS, VerlCase
from autoresearch.cases.events import RowFiles
from autoresearch.cases.field_plan import FieldPlan, load_plan
from autoresearch.cases.ladder import training_rows, validation_rows
from autoresearch.cases.overrides import Places, ppo_argv, row_environment
from autoresearch.cases.plan_argv import (
    TORCHRUN,
    fill_all,
    move_argv,
    moved_yaml,
    refuse_key,
    set_ranks,
    vary,
)
from autoresearch.cases.planned import PLATFORMS, Accelerator, EngineSettings, MatrixFacts, PlannedRow
from autoresearch.cases.records import read_records
from autoresearch.cases.row_checks import check_row
from autoresearch.cases.shapes import Traits, default_engine
from autoresearch.errors import InputError
from autoresearch.findings import Finding
from autoresearch.training.plan import Plan
from autoresearch.training.steps import RunRecords

LOOP_FILES = ("loop.yaml", "tools.yaml")
"""Files beside a plan that verl reads and that name folders."""
MOST_SEQUENCES = 256


class Task(Protocol):
    """What the run loop needs of a task."""

    name: str

    def traits(self, accelerator: Accelerator) -> Traits:
        """What the task fixes for all its rows; ``ladder`` derives later rows from it."""
        ...

    def derive_rows(self, facts: MatrixFacts) -> list[PlannedRow]:
        """The first rows of the matrix, in the order in which they run."""
        ...

    def check_row(self, row: PlannedRow) -> list[Finding]:
        """Everything that would refuse the row, as findings; warnings too."""
        ...

    def argv(self, row: PlannedRow, places: Places) -> list[str]:
        """The trainer's command for one attempt."""
        ...

    def environment(self, row: PlannedRow, places: Places) -> dict[str, str]:
        """The trainer's environment for one attempt."""
        ...

    def files(self, row: PlannedRow, places: Places) -> dict[str, str]:
        """Name -> text of small files that must lie in the attempt's folder before it starts."""
        ...

    def parse(self, files: RowFiles, row: PlannedRow) -> RunRecords:
        """The records that an attempt left."""
        ...


class Geo3kTask:
    """GRPO on geometry3k through ``verl.trainer.main_ppo``."""

    name: str = "geo3k-grpo"

    def __init__(self, case: VerlCase) -> None:
        self.case = case

    def traits(self, accelerator: Accelerator) -> Traits:
        """Group size, prompt length and seed come from the config."""
        return Traits(
            task=self.name,
            kind="rl",
            algorithm="grpo",
            group=self.case.group_size,
            input_tokens=self.case.input_tokens,
            seed=self.case.seed,
            engine=default_engine(accelerator),
        )

    def derive_rows(self, facts: MatrixFacts) -> list[PlannedRow]:
        """Validation: length x mode. Training: the ladder."""
        make = validation_rows if self.case.mode == "validation" else training_rows
        return make(facts, self.traits(facts.accelerator))

    def check_row(self, row: PlannedRow) -> list[Finding]:
        """The invariants of 5.1."""
        return check_row(row)

    def argv(self, row: PlannedRow, places: Places) -> list[str]:
        """From the profiles."""
        return ppo_argv(row, self.case, places)

    def environment(self, row: PlannedRow, places: Places) -> dict[str, str]:
        """From the profiles."""
        return row_environment(row, self.case, places)

    def files(self, row: PlannedRow, places: Places) -> dict[str, str]:
        """None: everything is in the command line."""
        return {}

    def parse(self, files: RowFiles, row: PlannedRow) -> RunRecords:
        """Records of a run with RL steps."""
        return read_records(files, "rl")


class FieldTask:
    """SFT, RLOO or GRPO on field classification: a plan's command with only its variable keys changed."""

    def __init__(self, case: VerlCase, plan: FieldPlan) -> None:
        self.case = case
        self.plan = plan
        self.name: str = case.task
        own = plan.plan
        if own.algorithm != case.algorithm:
            raise InputError(
                f"plan: {plan.folder} was made for {own.algorithm}, the task is {case.task}; "
                f"write task: field-{own.algorithm}, or give another plan"
            )
        for key in case.stated(*PLAN_KEYS):
            if getattr(case, key) != _planned_value(own, key):
                raise refuse_key(f"verl_case.{key}", str(plan.folder))
        if "async" in case.inference_modes and own.kind == "rl":
            raise refuse_key("verl_case.inference_modes", str(plan.folder), "async")

    def traits(self, accelerator: Accelerator) -> Traits:
        """n, lengths, seed and engine are the plan's."""
        plan, settings = self.plan.plan, self.plan.plan.settings
        if PLATFORMS[accelerator] != plan.device:
            raise refuse_key("device", str(self.plan.folder), f"{PLATFORMS[accelerator]} instead of {plan.device}")
        rl = plan.kind == "rl"
        asked = self.case.train_samples
        input_tokens = plan.limits["max_prompt"] if rl else 0
        return Traits(
            task=self.name,
            kind="rl" if rl else "sft",
            algorithm=plan.algorithm,
            group=int(settings["n"]) if rl else 1,
            input_tokens=self.case.input_tokens if rl and self.case.stated("input_tokens") else input_tokens,
            seed=int(settings["seed"]),
            engine=plan.engine,
            samples=int(plan.variable["samples"]) if asked == "auto" else asked,
            nodes=int(plan.variable.get("nodes") or 1),
            tensor_parallel=int(settings.get("tp", 1)),
            plan_engine=_plan_engine(plan),
        )

    def derive_rows(self, facts: MatrixFacts) -> list[PlannedRow]:
        """Training: the ladder over the plan; validation: the plan with ``val_only``. Lengths are the plan's unless
        the config states them."""
        if not self.case.stated("output_tokens") and self.case.ladder.output_tokens is None:
            limits = self.plan.plan.limits
            length = limits.get("max_response", limits.get("max_length", 0))
            facts = _with_outputs(facts, length)
        make = validation_rows if self.case.mode == "validation" else training_rows
        return make(facts, self.traits(facts.accelerator))

    def check_row(self, row: PlannedRow) -> list[Finding]:
        """The invariants of 5.1 and the plan's own checks on the changed numbers."""
        return check_row(row) + self.plan.checks(row)

    def argv(self, row: PlannedRow, places: Places) -> list[str]:
        """The plan's command: variable keys changed, path prefixes exchanged, tokens filled in."""
        plan = self.plan.plan
        values = _rl_values(row, self.case, places) if plan.kind == "rl" else _sft_values(row, self.case, places)
        argv = move_argv(vary(plan, values, row.case_id), self._moves(places))
        if TORCHRUN in argv:
            argv = set_ranks(argv, len(row.devices))
        return fill_all([places.python, *argv[1:]], places.attempt, self.plan.sha256)

    def environment(self, row: PlannedRow, places: Places) -> dict[str, str]:
        """The plan's environment below the row's own."""
        own = dict(self.plan.plan.environment) | {"TENSORBOARD_DIR": f"{places.row}/tensorboard"}
        return {**places.server_env, **own, **row_environment(row, self.case, places)}

    def files(self, row: PlannedRow, places: Places) -> dict[str, str]:
        """``loop.yaml`` and ``tools.yaml`` with the folders of this attempt."""
        found = {}
        for name in LOOP_FILES:
            path = self.plan.folder / name
            if path.is_file():
                found[name] = moved_yaml(path.read_text(encoding="utf-8"), self._moves(places))
        return found

    def parse(self, files: RowFiles, row: PlannedRow) -> RunRecords:
        """Records of the plan's kind."""
        return read_records(files, self.plan.plan.kind)

    def _moves(self, places: Places) -> dict[str, str]:
        paths: Mapping[str, str] = self.plan.plan.paths
        moved = {paths[role]: places.plan_paths.get(role, paths[role]) for role in ("release", "model")}
        return {**moved, paths["run"]: places.row}


def _with_outputs(facts: MatrixFacts, length: int) -> MatrixFacts:
    return replace(facts, case=facts.case.model_copy(update={"output_tokens": (length,)}))


def _planned_value(plan: Plan, key: str) -> Any:
    """What a plan says for a key of the config, where the two speak of the same thing; else something unequal."""
    return {"group_size": plan.settings.get("n"), "seed": plan.settings.get("seed")}.get(key)


def _plan_engine(plan: Plan) -> EngineSettings:
    dynamic = plan.device != "cpu"
    return EngineSettings(
        rollout=plan.engine,
        actor_strategy="fsdp2",
        ref_strategy="fsdp2",
        padding_removal=bool(plan.settings.get("packs")),
        actor_dynamic=dynamic,
        ref_dynamic=dynamic,
        rollout_dynamic=dynamic,
        token_limit=0,
        log_prob_token_limit=0,
        log_prob_micro=1,
        max_model_len=0,
        max_num_batched_tokens=0,
        max_num_seqs=MOST_SEQUENCES,
        chunked_prefill=True,
        reasons={"padding_removal": "the plan's", "dynamic_batch": "the plan's"},
    )


def _shared_values(row: PlannedRow, case: VerlCase, places: Places) -> dict[str, object]:
    numbers = row.numbers
    return {
        "data.train_batch_size": numbers.B,
        "trainer.n_gpus_per_node": len(row.devices),
        "trainer.total_training_steps": numbers.S or None,
        "trainer.total_epochs": row.epochs,
        "trainer.save_freq": numbers.S if case.save_final and row.mode == "training" else -1,
        "trainer.test_freq": -1,
        "trainer.logger": ["console", "file", "wandb"],
        "trainer.project_name": case.wandb_project,
        "trainer.experiment_name": places.display_name,
        "trainer.default_local_dir": f"{places.row}/checkpoints",
        "hydra.run.dir": f"{places.row}/hydra",
        "hydra.output_subdir": ".hydra",
    }


def _rl_values(row: PlannedRow, case: VerlCase, places: Places) -> dict[str, object]:
    numbers, engine = row.numbers, row.engine
    micro, env = numbers.u, "ray_kwargs.ray_init.runtime_env.env_vars"
    return {
        **_shared_values(row, case, places),
        "actor_rollout_ref.rollout.agent.num_workers": numbers.W,
        "actor_rollout_ref.actor.ppo_mini_batch_size": numbers.m,
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": micro,
        "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": micro,
        "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu": micro,
        "ray_kwargs.ray_init.num_gpus": len(row.devices),
        "data.train_max_samples": row.train_max_samples,
        "data.val_max_samples": row.val_max_samples,
        "trainer.val_before_train": row.validates,
        "trainer.val_only": row.validates,
        "data.max_prompt_length": row.input_tokens,
        "data.max_response_length": row.output_tokens,
        "actor_rollout_ref.rollout.max_model_len": engine.max_model_len,
        "actor_rollout_ref.rollout.max_num_batched_tokens": engine.max_num_batched_tokens,
        "actor_rollout_ref.actor.ppo_max_token_len_per_gpu": engine.token_limit,
        "trainer.rollout_data_dir": f"{places.row}/rollouts",
        "trainer.validation_data_dir": f"{places.row}/validation",
        f"{env}.VERL_FILE_LOGGER_PATH": f"{places.row}/metrics.jsonl",
        f"{env}.TENSORBOARD_DIR": f"{places.row}/tensorboard",
        "trainer.v1.sampler.sampler_kwargs.train_batch_size": numbers.B,
    }


def _sft_values(row: PlannedRow, case: VerlCase, places: Places) -> dict[str, object]:
    return {
        **_shared_values(row, case, places),
        "data.micro_batch_size_per_gpu": row.numbers.u,
        "data.val_files": None,
        "data.max_length": row.output_tokens,
        "data.max_token_len_per_gpu": max(8192, row.output_tokens),
        "data.token_store": f"{places.row}/tokens",
    }


def open_task(case: VerlCase) -> Task:
    """The task of a case; for field tasks the plan is loaded and its inputs are hashed again.

    Raises ``InputError`` or ``RefusedError`` (V203 for a key that the plan fixes).
    """
    if not case.is_field:
        return Geo3kTask(case)
    assert case.plan is not None, "the config refuses a field task without a plan"
    return FieldTask(case, load_plan(Path(case.plan).expanduser()))
