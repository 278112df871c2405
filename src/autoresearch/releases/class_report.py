"""The class report of a trajectory release: how many rows each class has, and how well search does (6.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autoresearch.findings import Finding, finding
from autoresearch.releases.trajectories import BUNDLE, CLASSES, DIRECT_MARGIN, TIE_MARGIN, ClassPolicy, Trajectory
from autoresearch.standards.text import comparison_form
from autoresearch.task.assets import TaskAssets
from autoresearch.task.retrieval import Ranked

RARE_SHARE = 0.05
NO_DESCRIPTION = frozenset(("", "-", "--", "—", "——", "/", "无", "null", "none", "n/a", "na"))


@dataclass
class _SplitTally:
    classes: Counter[str] = field(default_factory=Counter)
    ranks: Counter[str] = field(default_factory=Counter)
    ties: int = 0
    reassigned: int = 0
    recalled: int = 0
    recalled_without: int = 0
    missing: int = 0


class ClassTally:
    """Counts trajectories by split; ``report`` gives the block of the export report."""

    def __init__(self, assets: TaskAssets, policy: ClassPolicy) -> None:
        self._assets = assets
        self._policy = policy
        self._splits: dict[str, _SplitTally] = {}

    def add(self, split: str, rows: Sequence[tuple[Trajectory, str, tuple[str, str, str]]]) -> None:
        """Count rows: trajectory, gold category and the query of each."""
        tally = self._splits.setdefault(split, _SplitTally())
        queries = [(name, table, "") for _, _, (name, table, _) in rows]
        without = self._assets.index.rank_many(queries, [gold for _, gold, _ in rows])
        for (trajectory, _, (_, _, description)), bare in zip(rows, without, strict=True):
            tally.classes[trajectory.assignment.trajectory_class] += 1
            tally.ranks[rank_bucket(trajectory.ranked)] += 1
            tally.ties += trajectory.assignment.tie
            tally.reassigned += trajectory.assignment.reassigned
            tally.recalled += in_bundle(trajectory.ranked)
            tally.recalled_without += in_bundle(bare)
            tally.missing += comparison_form(description) in NO_DESCRIPTION

    def report(self) -> dict[str, Any]:
        """``{policy, thresholds, splits}``."""
        return {
            "policy": self._policy,
            "thresholds": {"direct_margin": DIRECT_MARGIN, "tie_margin": TIE_MARGIN, "bundle": BUNDLE},
            "splits": {split: _split_report(tally) for split, tally in self._splits.items()},
        }

    def rare(self) -> list[Finding]:
        """R066 for each class that is rare in train."""
        return rare_classes(self._splits.get("train", _SplitTally()).classes)


def rare_classes(counts: Mapping[str, int]) -> list[Finding]:
    """R066 for each class below five percent of the train rows."""
    total = sum(counts.values())
    return [
        finding("R066", place="train", value=name, rule=f"has {counts.get(name, 0)} of {total} rows, hardly learnt")
        for name in CLASSES
        if total and counts.get(name, 0) < RARE_SHARE * total
    ]


def in_bundle(ranked: Ranked) -> bool:
    """Whether the gold is among the first five."""
    return ranked.rank is not None and ranked.rank <= BUNDLE


def rank_bucket(ranked: Ranked) -> str:
    """``1``, ``2-5``, ``>5`` or ``none``."""
    if ranked.rank is None:
        return "none"
    if ranked.rank == 1:
        return "1"
    return "2-5" if ranked.rank <= BUNDLE else ">5"


def _split_report(tally: _SplitTally) -> dict[str, Any]:
    total = sum(tally.classes.values())
    return {
        "class_counts": {name: tally.classes[name] for name in CLASSES},
        "class_shares": {name: _share(tally.classes[name], total) for name in CLASSES},
        "search_rank": {bucket: tally.ranks[bucket] for bucket in ("1", "2-5", ">5", "none")},
        "ties": tally.ties,
        "reassigned": tally.reassigned,
        "gold_recall_at_5": _share(tally.recalled, total),
        "gold_recall_at_5_without_description": _share(tally.recalled_without, total),
        "missing_description_share": _share(tally.missing, total),
    }


def _share(count: int, total: int) -> float:
    return round(count / total, 4) if total else 0.0
