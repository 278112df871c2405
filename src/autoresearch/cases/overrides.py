"""From a planned row to its command line and environment (formal-case.md 7). The content is data: ``profiles/*.yaml``.

``grpo.yaml`` holds verl's keys of a geometry3k row, ``common.yaml`` and one file an accelerator the environment. Pure:
the same row and places give the same texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, cast

import yaml

from autoresearch.cases.config import VerlCase
from autoresearch.cases.names import group_name, row_name, wandb_id
from autoresearch.cases.planned import PlannedRow
from autoresearch.training.plan import hydra_overrides

MODULE = "verl.trainer.main_ppo"
_ONE_NAME = re.compile(r"^\{(\w+)\}$")


@dataclass(frozen=True)
class Places:
    """Where things lie on the host, as absolute paths, for one attempt of one row."""

    run_id: str
    attempt: int
    row: str
    """The attempt's folder."""
    hf_home: str
    display_name: str
    """Of this attempt."""
    python: str = "python3"
    model: str = ""
    train_file: str = ""
    val_file: str = ""
    plan_paths: Mapping[str, str] = field(default_factory=dict)
    """Field tasks: role of the plan (release, model) -> its folder on the host."""
    plan_sha256: str = ""
    python_path: tuple[str, ...] = ()
    """``PYTHONPATH``: mounted sources, and for field tasks the unpacked wheel of this version."""
    server_env: Mapping[str, str] = field(default_factory=dict)


@cache
def profile(name: str) -> dict[str, Any]:
    """One file of ``profiles/``, parsed."""
    text = (files("autoresearch.cases") / "profiles" / f"{name}.yaml").read_text(encoding="utf-8")
    return cast("dict[str, Any]", yaml.safe_load(text))


def fill(value: Any, facts: Mapping[str, Any]) -> Any:
    """A profile value with its names filled in; one name alone keeps its type, within a text it becomes text."""
    if not isinstance(value, str):
        return value
    alone = _ONE_NAME.match(value)
    return facts[alone.group(1)] if alone else value.format_map(facts)


def _row_facts(row: PlannedRow, case: VerlCase, places: Places) -> dict[str, Any]:
    """Every name that the profiles use."""
    own = profile(row.accelerator)["settings"]
    facts: dict[str, Any] = {
        **row.numbers.model_dump(),
        **row.engine.model_dump(exclude={"reasons"}),
        "P": row.input_tokens,
        "R": row.output_tokens,
        "algorithm": row.algorithm,
        "seed": row.seed,
        "epochs": row.epochs,
        "total_steps": row.numbers.S or None,
        "train_max_samples": row.train_max_samples,
        "val_max_samples": row.val_max_samples,
        "ignore_eos": row.ignore_eos,
        "val_only": row.mode == "validation",
        "save_freq": row.numbers.S if case.save_final and row.mode == "training" else -1,
        "gpu_memory_utilization": case.rollout.gpu_memory_utilization,
        "free_cache_engine": case.rollout.free_cache_engine,
        "bucket_mb": case.rollout.update_weights_bucket_mb,
        "config_compile": case.rollout.use_torch_compile,
        "config_eager": case.rollout.enforce_eager,
        "scratch": row.scratch,
        "wandb_project": case.wandb_project,
        "wandb_id": wandb_id(places.run_id, row_name(row.case_id, places.attempt)),
        "wandb_group": group_name(places.run_id),
        "display_name": places.display_name,
        "device_ids": ",".join(str(device.id) for device in row.devices),
        "device_uuids": ",".join(device.uuid or str(device.id) for device in row.devices),
        "row": places.row,
        "hf_home": places.hf_home,
        "model": places.model,
        "train_file": places.train_file,
        "val_file": places.val_file,
    }
    return facts | {name: fill(value, facts) for name, value in own.items()}


def ppo_overrides(row: PlannedRow, case: VerlCase, places: Places) -> dict[str, object]:
    """verl's keys of a geometry3k row, in the order in which they stand in argv."""
    facts = _row_facts(row, case, places)
    content = profile("grpo")
    values = {**content["overrides"], **content["modes"][row.inference_mode or "sync"]}
    values |= profile(row.accelerator)["overrides"]
    return {key: fill(value, facts) for key, value in values.items()}


def ppo_argv(row: PlannedRow, case: VerlCase, places: Places) -> list[str]:
    """The command of a geometry3k row."""
    return [places.python, "-m", MODULE, *hydra_overrides(ppo_overrides(row, case, places))]


def row_environment(row: PlannedRow, case: VerlCase, places: Places) -> dict[str, str]:
    """Environment of a row: the common part, that of its accelerator and of no other, and what the server adds.

    Hub tokens are never in it; proxy variables neither, because a row reads nothing from a network. W&B runs are
    written offline whatever ``wandb_mode`` says: ``online`` is what happens to them at the end.
    """
    facts = _row_facts(row, case, places)
    values = {**profile("common")["environment"], **profile(row.accelerator)["environment"]}
    found = {name: str(fill(value, facts)) for name, value in values.items()}
    if places.python_path:
        # What was sent stays what was hashed: no byte-code is written beside it.
        found |= {"PYTHONPATH": ":".join(places.python_path), "PYTHONDONTWRITEBYTECODE": "1"}
    return {**places.server_env, **found}
