"""The random split: strata in proportion, then swaps until train covers what it can (data-line.md 4.4)."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autoresearch.fields.pool import SPLITS, Member, Split, largest_remainder


@dataclass(frozen=True)
class Coverage:
    """Categories and levels of val and test that train lacks, and the swaps that were made."""

    swaps: int
    category_gaps: tuple[str, ...]
    level_gaps: tuple[str, ...]


def divide(pool: Sequence[Member], ratios: Sequence[float], seed: int) -> dict[str, Split]:
    """Id → split. ``pool`` is sorted by id; equal pools give equal results."""
    draw = random.Random(seed)
    quotas = largest_remainder(len(pool), ratios)
    by_stratum: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for item in pool:
        by_stratum[item.stratum].append(item.id)
    strata = [by_stratum[key] for key in sorted(by_stratum)]
    draw.shuffle(strata)
    strata.sort(key=len, reverse=True)
    filled = [0, 0, 0]
    assigned: dict[str, Split] = {}
    for ids in strata:
        draw.shuffle(ids)
        expected = [len(ids) * ratio for ratio in ratios]
        scale = [max(value, 1.0) for value in expected]
        taken = [0, 0, 0]
        for record_id in ids:
            best = min(
                (index for index in range(3) if filled[index] < quotas[index]),
                key=lambda index: (
                    (2 * (taken[index] - expected[index]) + 1) / scale[index],
                    filled[index] / quotas[index],
                    index,
                ),
            )
            taken[best] += 1
            filled[best] += 1
            assigned[record_id] = SPLITS[best]
    return assigned


def counted(pool: Iterable[Member]) -> list[Member]:
    """The members whose labels count for coverage: where the dataset has levels, only those with one (exporters skip
    the others).
    """
    members = list(pool)
    graded = [item for item in members if item.level]
    return graded or members


def _labels(item: Member) -> list[tuple[str, str]]:
    return [("category", item.category_id), *([("level", item.level)] if item.level else [])]


def coverage(pool: Sequence[Member], assigned: dict[str, Split], swaps: int = 0) -> Coverage:
    """What val and test hold and train does not."""
    seen: dict[str, set[tuple[str, str]]] = {"train": set(), "other": set()}
    for item in counted(pool):
        seen["train" if assigned[item.id] == "train" else "other"].update(_labels(item))
    gaps = sorted(seen["other"] - seen["train"])
    return Coverage(
        swaps,
        tuple(label for kind, label in gaps if kind == "category"),
        tuple(label for kind, label in gaps if kind == "level"),
    )


def cover_train(pool: Sequence[Member], assigned: dict[str, Split]) -> Coverage:
    """Swap records into train until every category and level that it can hold is there; changes ``assigned``.

    The lowest id that closes a gap comes in; the lowest id whose labels stay covered goes out to its place.
    """
    members = counted(pool)
    counts: Counter[tuple[str, str]] = Counter()
    for item in members:
        if assigned[item.id] == "train":
            counts.update(_labels(item))
    swaps = 0
    weighing = {item.id for item in members}
    donors = sorted(pool, key=lambda item: item.id)
    while True:
        outside = [item for item in members if assigned[item.id] != "train"]
        gaps = {label for item in outside for label in _labels(item) if not counts[label]}
        incoming = next((item for item in sorted(outside, key=lambda item: item.id) if gaps & set(_labels(item))), None)
        if incoming is None:
            break
        brought = Counter(_labels(incoming))
        donor = next(
            (
                item
                for item in donors
                if assigned[item.id] == "train"
                and (item.id not in weighing or all(counts[label] + brought[label] > 1 for label in _labels(item)))
            ),
            None,
        )
        if donor is None:
            break
        assigned[donor.id], assigned[incoming.id] = assigned[incoming.id], "train"
        counts.update(brought)
        if donor.id in weighing:
            counts.subtract(_labels(donor))
        swaps += 1
    return coverage(pool, assigned, swaps)
