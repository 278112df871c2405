"""Forms and content of the locks (formal-case.md 8.2)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from made_cases import geo3k_traits, matrix_facts, places, verl_case
from pydantic import ValidationError

from autoresearch.cases.lock_files import addition_content, lock_text, write_lock
from autoresearch.cases.locks import ConfigLock, LockAddition, config_lock_head
from autoresearch.cases.matrix import Addition, LockedRow
from autoresearch.cases.task_matrix import TaskMatrix
from autoresearch.cases.tasks import Geo3kTask

KEYS = """
schema_version run_id created_at task mode trainer_val_only server devices device_source case assets prompt reward
plan seeds rows ladder name_clock autoresearch"""


def head(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "run_id": "run-1",
        "created_at": "2026-11-30T06:12:40Z",
        "server": {"name": "npu-a", "accelerator": "ascend", "container": "docker", "image": "verl@sha256:0"},
        "devices": [{"id": 0, "chip": 0, "uuid": None}],
        "device_source": "detected",
        "assets": [],
        "prompt": {},
        "reward": {"name": "geo3k", "sha256": "0" * 64},
        "plan": None,
        "seed": 20240,
        "version": "0.1.0",
        "runner_sha256": "0" * 64,
    }
    return config_lock_head(verl_case(), **{**values, **changes})


def rows() -> list[LockedRow]:
    case = verl_case()
    matrix = TaskMatrix(Geo3kTask(case), matrix_facts(case), places())
    found = []
    for each in matrix.first():
        command = matrix.command(each, 1, f"/srv/rows/{each.case_id}.a1")
        found.append(
            LockedRow(
                each.case_id,
                each.stage,
                each.numbers,
                command.argv,
                command.env,
                each.inner_timeout,
                each.outer_timeout,
            )
        )
    return found


def test_a_lock_of_derived_rows_has_the_form_and_keys_of_the_text() -> None:
    content = {**head(), "rows": [row.as_dict() for row in rows()]}
    lock = ConfigLock.model_validate(content)
    assert sorted(content) == sorted(KEYS.split()) and lock.name_clock == "UTC"
    first = lock.rows[0]
    assert first.numbers == {"D": 1, "B": 1, "n": 4, "m": 1, "u": 1, "S": 3, "N": 3, "W": 1, "TP": 1, "V": 0}
    assert (first.inner_timeout, first.outer_timeout) == (7200, 7500)
    assert lock.seeds == dict.fromkeys(("data", "minibatch", "rollout", "engine"), 20240)
    assert f"trainer.experiment_name={matrix_name()}" in first.argv
    assert json.loads(lock_text(content)) == content


def matrix_name() -> str:
    case = verl_case()
    return Geo3kTask(case).derive_rows(matrix_facts(case))[0].display_name


def test_content_that_is_no_lock_is_not_written() -> None:
    assert geo3k_traits(verl_case()).seed == 20240
    with pytest.raises(ValidationError):
        head(device_source="guessed")


def test_an_addition_has_its_form_and_names_its_parent(tmp_path: Any) -> None:
    lock = write_lock(tmp_path / "config.lock.json", {**head(), "rows": []})
    addition = Addition("bisect", "one lies between", ("a", "b"), ())
    content = addition_content("run-1", addition, rows()[:1], lock.path, lock.sha256)
    made = LockAddition.model_validate(content)
    assert (made.parent.path, made.parent.sha256) == ("config.lock.json", lock.sha256)
    assert made.derived_from == ["a", "b"] and made.rows[0].stage == "single"
