"""Rows of the RL line: the pair of a source, and the single row of the cascade (3.15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autoresearch.files import sha256_text
from autoresearch.releases.header import NATIVE_TOOL_TRAJECTORY_FORMAT
from autoresearch.task.assets import TaskAssets
from autoresearch.task.prompts import native_messages, stage1_system, stage1_user, stage2_system, stage2_user

STAGE1, STAGE2 = "stage1", "stage2"
SOURCE_HASH_CHARACTERS = 20


def stage1_prompt(assets: TaskAssets, metadata: Mapping[str, str], enable_thinking: bool) -> list[dict[str, str]]:
    """The native prompt when graded, else the first prompt of the two-stage line."""
    if assets.grading is not None:
        return native_messages(assets, metadata, enable_thinking)
    return _prompt(stage1_system(), stage1_user(assets, metadata, assets.fields))


def stage2_prompt(assets: TaskAssets, candidates: Sequence[str], metadata: Mapping[str, str]) -> list[dict[str, str]]:
    """The second prompt of the two-stage line over five candidates in presented order."""
    return _prompt(stage2_system(assets.grading is not None), stage2_user(assets, candidates, metadata, assets.fields))


def _prompt(system: str, user: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def episode_row(
    dataset: str,
    stage: str,
    source_id: str,
    prompt: list[dict[str, str]],
    task_name: str,
    category_id: str,
    level: str | None,
    metadata: Mapping[str, str],
    candidates: Sequence[str] | None,
) -> dict[str, Any]:
    """One row: exactly five columns, absent keys of ``extra_info`` null."""
    native = stage == STAGE1 and level is not None
    return {
        "data_source": f"{dataset}/{stage}",
        "prompt": prompt,
        "ability": task_name,
        "reward_model": {"style": "rule", "ground_truth": category_id},
        "extra_info": {
            "dataset": dataset,
            "stage": stage,
            "source_id": source_id,
            "metadata": dict(metadata),
            "ground_truth_level": level,
            "trajectory_format": NATIVE_TOOL_TRAJECTORY_FORMAT if native else None,
            "candidates": None if candidates is None else list(candidates),
        },
    }


def mixture_id(dataset: str, source_id: str, cycle: int = 0) -> str:
    """``mix:<ds>:<first 20 hex of sha256(source_id)>:<cycle, four digits>``."""
    return f"mix:{dataset}:{sha256_text(source_id)[:SOURCE_HASH_CHARACTERS]}:{cycle:04d}"


def mixture_order(split: str, identity: str, stage: str) -> str:
    """The key by which mixture rows are ordered: sha256 over ``split NUL mixture id NUL stage`` (4.12)."""
    return sha256_text(f"{split}\0{identity}\0{stage}")
