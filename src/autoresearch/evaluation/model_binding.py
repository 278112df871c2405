"""Whether a model may answer for these standards: choice ids are positions in one registry (training 9, T201)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InputError
from autoresearch.files import tree_sha256

if TYPE_CHECKING:
    from autoresearch.task.assets import TaskAssets


@dataclass(frozen=True)
class BoundModel:
    """What is known of a model: its tree hash, thinking switch, training rows by category (empty when unknown)."""

    tree: str
    enable_thinking: bool
    bound: bool
    categories: Mapping[str, int]


def bound_model(model: Path, assets: TaskAssets, *, enable_thinking: bool | None, unbound: bool) -> BoundModel:
    """Check ``merge.json`` against the standards in use.

    Raises ``RefusedError`` (T201) for other standards and for a model without ``merge.json`` unless ``unbound``;
    ``InputError`` where there is no model, no grading standard, or nobody says whether it thinks.
    """
    from autoresearch.task.tools import tools_sha256
    from autoresearch.training.binding import RECORD, read_merge_record, require_binding

    if not (model / "config.json").is_file():
        raise InputError(f"predict: {model} is no model folder (no config.json); give one, or --baseline")
    if assets.grading is None:
        raise InputError("predict: a model answers with a level; the standards need a grading standard beside them")
    record: Mapping[str, Any] = read_merge_record(model) or {}
    stated = record.get("enable_thinking")
    thinking = enable_thinking if enable_thinking is not None else stated
    if not isinstance(thinking, bool):
        raise InputError(
            "predict: nothing says whether this model thinks; give --enable-thinking or --no-enable-thinking"
        )
    used = {
        "registry_sha256": assets.registry.digest,
        "grading_sha256": assets.grading.digest,
        "tools_sha256": tools_sha256(),
        "enable_thinking": thinking,
    }
    facts = require_binding(model, used, unbound=unbound)
    counts = record.get("train_counts") or {}
    return BoundModel(tree_sha256(model, (RECORD,)), thinking, bool(facts["bound"]), counts.get("categories") or {})
