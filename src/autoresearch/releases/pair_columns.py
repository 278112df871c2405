"""Sources whose two rows stand side by side, as columns: what nearly every batch of a three-message release is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from autoresearch.releases.episode_rows import STAGE1, STAGE2
from autoresearch.releases.values import values_of
from autoresearch.task.assets import TaskAssets
from autoresearch.task.candidates import BUNDLE, Source, search_of
from autoresearch.task.retrieval import Best

STAGES = (STAGE1, STAGE2)
_LEVEL, _PROVENANCE = "ground_truth_level", "mixture_provenance"
_SAID = ("source_id", "metadata", "ground_truth", "candidates", _LEVEL)


@dataclass
class PairColumns:
    """What both rows of each source say of it, source by source."""

    subjects: Sequence[Source]
    """Id, gold and metadata."""
    levels: Sequence[str | None]
    candidates: Sequence[list[str]]
    fields: Sequence[str]
    """Names of the metadata, at least one."""
    _best: list[Best] = field(default_factory=list)

    def search(self, assets: TaskAssets) -> list[Best]:
        """``search_of`` the sources, made once; all calls give the same assets."""
        self._best = self._best or search_of(assets, self.subjects)
        return self._best


def pairs_of(batch: pa.RecordBatch) -> PairColumns | None:
    """The sources of rows of 3.11 outside a mixture, messages aside.

    None unless the rows are stage1 and stage2 of one source after the other, both rows of a source say the same of it,
    no value is missing but all levels at once, and each has five candidates.
    """
    count = batch.num_rows // len(STAGES)
    if not count or batch.num_rows % len(STAGES) or not {"stage", _PROVENANCE, *_SAID} <= set(batch.schema.names):
        return None
    if batch.column(_PROVENANCE).null_count < batch.num_rows or not batch.column("stage").equals(
        pa.array(STAGES * count)
    ):
        return None
    first, second = (
        batch.select(_SAID).take(pa.array(np.arange(place, batch.num_rows, len(STAGES)))) for place in (0, 1)
    )
    if not first.equals(second):
        return None
    ids, metadata, truths, candidates, levels = first.columns
    fields = [metadata.type.field(place).name for place in range(metadata.type.num_fields)]
    texts, shown = metadata.flatten(), candidates.flatten()
    whole = (ids, metadata, truths, candidates, shown, *texts)
    if not fields or any(column.null_count for column in whole) or levels.null_count not in (0, count):
        return None
    if set(candidates.value_lengths().to_pylist()) != {BUNDLE}:
        return None
    flat = shown.to_pylist()
    return PairColumns(
        list(map(Source, ids.to_pylist(), truths.to_pylist(), values_of(metadata))),
        levels.to_pylist(),
        [flat[start : start + BUNDLE] for start in range(0, len(flat), BUNDLE)],
        fields,
    )
