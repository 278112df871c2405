"""The split report: sizes, label distributions, coverage, warnings, leakage (data-line.md 3.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal

import numpy as np

from autoresearch.fields.leakage_counts import LeakageBlock
from autoresearch.fields.pool import SPLITS, Pool
from autoresearch.fields.random_split import Assignment, Coverage
from autoresearch.standards.loading import Strict
from autoresearch.standards.mapping import LEVEL_FIELDS

EMPTY = "<EMPTY>"
LABEL_FIELDS = (*LEVEL_FIELDS, "data_level")
SplitType = Literal["random", "group", "cluster"]
WarningType = Literal["labels_missing_from_train", "train_labels_missing_from_val", "train_labels_missing_from_test"]


class Excluded(Strict):
    """Records that are in no split."""

    count: int
    by_reason: dict[str, int]


class CoverageBlock(Strict):
    """Labels that val or test hold and train does not, after the swaps."""

    swaps: int
    category_gaps: tuple[str, ...]
    level_gaps: tuple[str, ...]


class LabelWarning(Strict):
    """Labels of one field that one split has and another has not."""

    type: WarningType
    field: str
    labels: tuple[str, ...]


class SplitReport(Strict):
    """``split_report.json``."""

    format: Literal["autoresearch-split-v1"] = "autoresearch-split-v1"
    dataset: str
    sizes: dict[str, int]
    input_size: int
    included_size: int
    excluded: Excluded
    seed: int
    split_type: SplitType
    ratios: dict[str, float]
    order_rule: Literal["id-ascending"] = "id-ascending"
    algorithm_version: Literal[2] = 2
    group_key: tuple[str, ...] | None
    distributions: dict[str, dict[str, dict[str, int]]]
    coverage: CoverageBlock
    warnings: tuple[LabelWarning, ...]
    leakage: LeakageBlock


def distributions(pool: Pool, assigned: Assignment) -> dict[str, dict[str, dict[str, int]]]:
    """Field → split → label → count, labels sorted, ``<EMPTY>`` for an empty one."""
    counts = {name: {split: Counter[str]() for split in SPLITS} for name in LABEL_FIELDS}
    sizes = np.bincount(pool.stratum * np.int64(len(SPLITS)) + assigned, minlength=len(pool.strata) * len(SPLITS))
    for place in np.flatnonzero(sizes).tolist():
        stratum, split = divmod(place, len(SPLITS))
        for name, text in zip(LABEL_FIELDS, pool.strata[stratum], strict=True):
            counts[name][SPLITS[split]][text or EMPTY] += int(sizes[place])
    return {
        name: {split: dict(sorted(counter.items())) for split, counter in by_split.items()}
        for name, by_split in counts.items()
    }


def warnings(found: Mapping[str, Mapping[str, Mapping[str, int]]]) -> tuple[LabelWarning, ...]:
    """The three kinds of labels that are missing somewhere."""
    out: list[LabelWarning] = []
    for name, by_split in found.items():
        labels = {split: set(by_split[split]) - {EMPTY} for split in SPLITS}
        kinds: tuple[tuple[WarningType, set[str]], ...] = (
            ("labels_missing_from_train", (labels["val"] | labels["test"]) - labels["train"]),
            ("train_labels_missing_from_val", labels["train"] - labels["val"]),
            ("train_labels_missing_from_test", labels["train"] - labels["test"]),
        )
        out += [
            LabelWarning(type=kind, field=name, labels=tuple(sorted(missing))) for kind, missing in kinds if missing
        ]
    return tuple(out)


def coverage_block(found: Coverage) -> CoverageBlock:
    """The coverage of a split as it is reported."""
    return CoverageBlock(swaps=found.swaps, category_gaps=found.category_gaps, level_gaps=found.level_gaps)
