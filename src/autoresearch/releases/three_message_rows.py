"""One three-message row, as the exporter writes it and the validator builds it again (data-line.md 3.11, 5.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autoresearch.releases.episode_rows import STAGE1, STAGE2, stage2_prompt
from autoresearch.task.assets import TaskAssets
from autoresearch.task.prompts import stage1_system, stage1_target, stage1_user, stage2_target

STAGES = (STAGE1, STAGE2)


def stage_messages(
    assets: TaskAssets,
    stage: str,
    candidates: Sequence[str],
    metadata: Mapping[str, str],
    category_id: str,
    level: str | None,
) -> list[dict[str, str]]:
    """System, user and assistant of one stage. Raises ``ValueError`` when the gold is not among the candidates."""
    if stage == STAGE1:
        prompt = [
            {"role": "system", "content": stage1_system()},
            {"role": "user", "content": stage1_user(assets, metadata, assets.fields)},
        ]
        target = stage1_target([assets.registry.choice_id(item) for item in candidates])
    else:
        prompt = stage2_prompt(assets, candidates, metadata)
        target = stage2_target(str(list(candidates).index(category_id) + 1), level)
    return [*prompt, {"role": "assistant", "content": target}]


def three_message_row(
    assets: TaskAssets,
    stage: str,
    source_id: str,
    candidates: Sequence[str],
    metadata: Mapping[str, str],
    category_id: str,
    level: str | None,
    provenance: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """One row of 3.11."""
    return {
        "messages": stage_messages(assets, stage, candidates, metadata, category_id, level),
        "stage": stage,
        "source_id": source_id,
        "metadata": dict(metadata),
        "ground_truth": category_id,
        "candidates": list(candidates),
        "ground_truth_level": level,
        "mixture_provenance": None if provenance is None else dict(provenance),
    }
