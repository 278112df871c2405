"""Three-message rows, as the exporter writes them and the validator builds them again: one as a dictionary, many as
Arrow columns (data-line.md 3.11, 5.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from autoresearch.releases.episode_rows import STAGE1
from autoresearch.releases.long_texts import MOST_BYTES
from autoresearch.releases.pair_columns import STAGES
from autoresearch.releases.sources import Source
from autoresearch.task.assets import TaskAssets
from autoresearch.task.candidates import BUNDLE
from autoresearch.task.prompts import (
    metadata_json,
    stage1_beginning,
    stage1_system,
    stage1_target,
    stage2_beginning,
    stage2_system,
    stage2_target,
)

ROLES = ("system", "user", "assistant")


class StageTexts(NamedTuple):
    """The three texts of a row, the user text in two parts: the catalogue that all first stages begin with, and the
    rest.
    """

    system: str
    beginning: str
    rest: str
    target: str


def stage_texts(
    assets: TaskAssets, stage: str, candidates: Sequence[str], shown: str, category_id: str, level: str | None
) -> StageTexts:
    """The texts of one stage; ``shown`` is the JSON text of the metadata.

    Raises ``ValueError`` when the gold is not among the candidates, ``KeyError`` when a candidate is unknown.
    """
    if stage == STAGE1:
        target = stage1_target([assets.registry.choice_id(item) for item in candidates])
        return StageTexts(stage1_system(), stage1_beginning(assets), shown, target)
    target = stage2_target(str(candidates.index(category_id) + 1), level)
    system = stage2_system(assets.grading is not None)
    return StageTexts(system, "", stage2_beginning(assets, candidates) + shown, target)


def pair_texts(
    assets: TaskAssets, bundle: Sequence[str], metadata: Mapping[str, str], category_id: str, level: str | None
) -> list[StageTexts]:
    """``stage_texts`` of both rows of a source."""
    shown = metadata_json(metadata, assets.fields)
    return [stage_texts(assets, stage, bundle, shown, category_id, level) for stage in STAGES]


def stage_messages(
    assets: TaskAssets,
    stage: str,
    candidates: Sequence[str],
    metadata: Mapping[str, str],
    category_id: str,
    level: str | None,
) -> list[dict[str, str]]:
    """System, user and assistant of one stage. Raises as ``stage_texts``."""
    shown = metadata_json(metadata, assets.fields)
    system, beginning, rest, target = stage_texts(assets, stage, candidates, shown, category_id, level)
    return [
        {"role": role, "content": text} for role, text in zip(ROLES, (system, beginning + rest, target), strict=True)
    ]


def messages_array(texts: Sequence[StageTexts]) -> pa.Array:
    """The ``messages`` of many rows: list of (role, content). What rows share is encoded once.

    Raises ``ValueError`` for more than 2 GiB of text, which no group of 2,000 rows comes near.
    """
    shared: dict[str, bytes] = {}
    parts: list[bytes] = []
    for system, beginning, rest, target in texts:
        if system not in shared:
            shared[system] = system.encode("utf-8")
        if beginning not in shared:
            shared[beginning] = beginning.encode("utf-8")
        parts += (shared[system], shared[beginning], rest.encode("utf-8"), target.encode("utf-8"))
    lengths = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts)).reshape(len(texts), 4)
    ends = np.zeros(len(texts) * len(ROLES) + 1, dtype=np.int64)
    ends[1:] = np.stack((lengths[:, 0], lengths[:, 1] + lengths[:, 2], lengths[:, 3]), axis=1).reshape(-1).cumsum()
    if ends[-1] > MOST_BYTES:
        raise ValueError(f"{ends[-1]} bytes of text in one group of {len(texts)} rows")
    contents = pa.StringArray.from_buffers(
        len(ends) - 1, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(parts))
    )
    messages = pa.StructArray.from_arrays([pa.array(ROLES * len(texts)), contents], names=["role", "content"])
    places = np.arange(len(texts) + 1, dtype=np.int32) * len(ROLES)
    return pa.ListArray.from_arrays(pa.array(places), messages)


def source_table(
    assets: TaskAssets, sources: Sequence[Source], bundles: Sequence[Sequence[str]], schema: pa.Schema
) -> pa.Table:
    """Both rows of each source (3.11), stage1 first, outside a mixture."""
    texts = []
    for source, bundle in zip(sources, bundles, strict=True):
        texts += pair_texts(assets, bundle, source.metadata, source.category_id, source.level)
    names = [field.name for field in schema.field("metadata").type]
    shown_columns = [_twice([source.metadata[name] for source in sources]) for name in names]
    places = np.arange(len(texts) + 1, dtype=np.int32) * BUNDLE
    shown_twice = [item for bundle in bundles for _ in STAGES for item in bundle]
    columns = {
        "messages": messages_array(texts),
        "stage": pa.array(STAGES * len(sources)),
        "source_id": _twice([source.source_id for source in sources]),
        "metadata": pa.StructArray.from_arrays(shown_columns, names=names),
        "ground_truth": _twice([source.category_id for source in sources]),
        "candidates": pa.ListArray.from_arrays(pa.array(places), pa.array(shown_twice, pa.string())),
        "ground_truth_level": _twice([source.level for source in sources]),
        "mixture_provenance": pa.nulls(len(texts), schema.field("mixture_provenance").type),
    }
    return pa.Table.from_arrays([columns[name] for name in schema.names], schema=schema)


def _twice(values: Sequence[str | None]) -> pa.Array:
    """A text of each source for each of its rows."""
    return pa.array(values, pa.string()).take(pa.array(np.repeat(np.arange(len(values)), len(STAGES))))


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
