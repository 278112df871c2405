"""``sft stats``: every text that a trajectory's prompt will hold, counted by split and class (4.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError, RefusedError
from autoresearch.findings import finding
from autoresearch.progress import bar
from autoresearch.releases.budget import p95
from autoresearch.releases.class_report import NO_DESCRIPTION
from autoresearch.releases.columns import read_row_groups
from autoresearch.releases.header import SPLITS
from autoresearch.releases.release import Release
from autoresearch.releases.report_forms import TrajectoryStats
from autoresearch.standards.text import comparison_form

FORMAT = "autoresearch-trajectory-stats-v1"
ALL = "all"
LINES = ("system", "user", "assistant", "reasoning_content", "calls", "tool_results", "tools", "total")


@dataclass
class _Tally:
    """Counts of one split and class."""

    lengths: dict[str, list[int]] = field(default_factory=lambda: {line: [] for line in LINES})
    turns: Counter[int] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    thoughts: Counter[str] = field(default_factory=Counter)
    ranks: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)
    truncated: int = 0
    missing: int = 0
    tokens: list[int] = field(default_factory=list)

    def add(self, row: Mapping[str, Any], lengths: Mapping[str, int], tokens: int | None) -> None:
        """Count one row."""
        for line, length in lengths.items():
            self.lengths[line].append(length)
        self.turns[sum(1 for message in row["messages"] if message["role"] == "assistant")] += 1
        self.calls.update(call["name"] for call in row["tool_calls"])
        self.thoughts[row["think_source"]] += 1
        self.ranks["none" if row["search_rank"] is None else str(row["search_rank"])] += 1
        self.levels[row["ground_truth_level"]] += 1
        self.categories[row["ground_truth"]] += 1
        self.truncated += row["think_truncated_turns"]
        self.missing += comparison_form(row["metadata"].get("field_description", "")) in NO_DESCRIPTION
        if tokens is not None:
            self.tokens.append(tokens)

    def report(self) -> dict[str, Any]:
        """The block of one split and class."""
        rows = len(self.lengths["total"])
        return {
            "rows": rows,
            "characters": {line: summary(values) for line, values in self.lengths.items()},
            "tokens": summary(self.tokens) if self.tokens else None,
            "turns": {str(count): self.turns[count] for count in sorted(self.turns)},
            "calls": dict(sorted(self.calls.items())),
            "think_sources": dict(sorted(self.thoughts.items())),
            "truncated_turns": self.truncated,
            "missing_description_share": round(self.missing / rows, 4) if rows else 0.0,
            "search_rank": dict(
                sorted(self.ranks.items(), key=lambda item: (item[0] == "none", len(item[0]), item[0]))
            ),
            "levels": dict(sorted(self.levels.items())),
            "categories": dict(sorted(self.categories.items())),
        }


def summary(values: Sequence[int]) -> dict[str, Any]:
    """``{rows, max, p95, mean}`` of a list that is not empty."""
    return {
        "rows": len(values),
        "max": max(values),
        "p95": p95(values),
        "mean": round(sum(values) / len(values), 2),
    }


def lengths_of(row: Mapping[str, Any]) -> dict[str, int]:
    """Characters of each part of a row, and their sum."""
    found = dict.fromkeys(LINES, 0)
    part = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool_results"}
    for message in row["messages"]:
        found[part[message["role"]]] += len(message["content"])
        found["reasoning_content"] += len(message["reasoning_content"] or "")
        found["calls"] += len(message["tool_calls"] or "")
    found["tools"] = len(row["tools"])
    found["total"] = sum(found.values())
    return found


def stats(
    folder: Path, *, model: Path | None = None, max_length: int | None = None, snapshot_rows: int = 2
) -> dict[str, Any]:
    """Count a trajectory release; with ``model`` also tokens of the whole chat and rendered snapshots.

    Raises ``RefusedError`` R003 for a release of another family, ``InputError`` for ``max_length`` without ``model``.
    """
    release = Release(folder)
    if release.family != "trajectory":
        item = finding("R003", place=folder.name, rule=f"is of the family {release.family}; stats are of trajectories")
        raise RefusedError(item.message(), [item])
    if max_length is not None and model is None:
        raise InputError("--max-length counts tokens: give --model too")
    renderer = None if model is None else _Renderer(model)
    tallies: dict[str, dict[str, _Tally]] = {}
    over: list[str] = []
    snapshots: list[dict[str, str]] = []
    for split in SPLITS:
        tallies[split] = {ALL: _Tally()}
        with bar(f"stats {split}", release.report.splits[split].rows) as progress:
            for group in read_row_groups(release.parquet(split)):
                for row in group:
                    tokens = None
                    if renderer is not None:
                        tokens, text = renderer.count(row)
                        if max_length is not None and tokens > max_length:
                            over.append(row["source_id"])
                        if len(snapshots) < snapshot_rows:
                            snapshots.append({"source_id": row["source_id"], "text": text})
                    lengths = lengths_of(row)
                    for name in (ALL, row["trajectory_class"]):
                        tallies[split].setdefault(name, _Tally()).add(row, lengths, tokens)
                progress.advance(len(group))
    splits = {split: {name: found[name].report() for name in sorted(found)} for split, found in tallies.items()}
    content = {
        "format": FORMAT,
        "dataset": release.header.dataset,
        "header": release.header.without_split(),
        "rows": {split: splits[split][ALL]["rows"] for split in SPLITS},
        "classes": {split: {name: block["rows"] for name, block in splits[split].items()} for split in SPLITS},
        "think_sources": {split: splits[split][ALL]["think_sources"] for split in SPLITS},
        "max_length": max_length,
        "over_length": over,
        "splits": splits,
        "snapshots": snapshots,
    }
    return TrajectoryStats.model_validate(content).model_dump(mode="json")


class _Renderer:
    """Tokens and text of whole rows."""

    def __init__(self, model: Path) -> None:
        from autoresearch.releases.tokenizers import load_tokenizer
        from autoresearch.task.segments import SegmentCache

        self._cache = SegmentCache(load_tokenizer(model))

    def count(self, row: Mapping[str, Any]) -> tuple[int, str]:
        """Tokens of the row and its rendered text."""
        from autoresearch.task.conversation import decode_row

        encoded = self._cache.encode(decode_row(row))
        return len(encoded.input_ids), encoded.text
