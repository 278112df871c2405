"""One scored answer, and how rows of a release and episodes become it (training.md 9). Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from autoresearch.releases.class_report import NO_DESCRIPTION
from autoresearch.standards.text import comparison_form

if TYPE_CHECKING:
    from autoresearch.task.assets import TaskAssets
    from autoresearch.training.episodes import EpisodeRow
    from autoresearch.training.transcripts import Episode


class RowResult(BaseModel):
    """What a model or baseline answered to one row, one sample; a line of a report's ``rows``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_id: str
    sample: int = 0
    table: str
    """Table name: the cluster of intervals, and what decides seen or unseen."""
    seen_table: bool
    described: bool
    """The field has a description."""
    group: str
    """Scope key of the true category."""
    category_id: str
    level: str
    """``""`` in a release without levels; the category alone then decides ``exact``."""
    predicted_category: str | None = None
    predicted_level: str | None = None
    valid: bool
    reason: str
    steps: int | None = None
    """Predicted level minus true level in steps of the grading standard; negative is under-graded. None without an
    answer.
    """
    tool_calls: int = 0
    tool_errors: int = 0
    turns: int = 0
    tokens: int = 0
    truncated: bool = False
    found_by_search: bool = False
    """The true category was among the ids that searches showed."""
    seconds: float = 0.0
    shortlist: tuple[str, ...] | None = None
    """Two-stage only: the category ids of stage 1 in presented order; None without a valid one."""

    @property
    def pair(self) -> tuple[str, str] | None:
        """The answered leaf and level (``""`` where the truth has none either); None without both."""
        level = self.predicted_level if self.level else ""
        if self.predicted_category is None or level is None:
            return None
        return self.predicted_category, level

    @property
    def category_exact(self) -> bool:
        """The leaf is right."""
        return self.predicted_category == self.category_id

    @property
    def level_exact(self) -> bool:
        """The level is right."""
        return self.steps == 0

    @property
    def exact(self) -> bool:
        """Leaf and level are right: the reward of training."""
        return self.category_exact and (self.level_exact or not self.level)

    @property
    def under_graded(self) -> bool:
        """The level is less sensitive than the true one: the costly error."""
        return self.steps is not None and self.steps < 0

    @property
    def over_graded(self) -> bool:
        """The level is more sensitive than the true one."""
        return self.steps is not None and self.steps > 0


def row_result(
    row: EpisodeRow,
    assets: TaskAssets,
    train_tables: set[str],
    *,
    predicted: tuple[str, str | None] | None,
    reason: str,
    **more: Any,
) -> RowResult:
    """Score ``predicted`` (category id, level or None) against the truth of ``row``; None is no valid answer.

    A level of None (a baseline that knows none) counts as wrong, and is neither under- nor over-graded.
    """
    assert row.ground_truth is not None
    table = row.metadata.get("table_name") or ""
    category, level = predicted or (None, None)
    truth = row.ground_truth_level
    steps = None if level is None or truth is None else assets.levels.index(level) - assets.levels.index(truth)
    return RowResult(
        source_id=row.source_id,
        table=table,
        seen_table=table in train_tables,
        described=comparison_form(row.metadata.get("field_description") or "") not in NO_DESCRIPTION,
        group=assets.catalogue.by_category(row.ground_truth).scope_key,
        category_id=row.ground_truth,
        level=truth or "",
        predicted_category=category,
        predicted_level=level,
        valid=predicted is not None,
        reason=reason,
        steps=steps,
        **more,
    )


def episode_result(row: EpisodeRow, episode: Episode, assets: TaskAssets, train_tables: set[str]) -> RowResult:
    """The result of an episode that was played without error."""
    answer = episode.answer
    assert row.ground_truth is not None
    gold = assets.registry.choice_id(row.ground_truth)
    return row_result(
        row,
        assets,
        train_tables,
        predicted=None if answer is None else (answer["category_id"], answer["level"]),
        reason=episode.reason,
        sample=episode.sample,
        tool_calls=episode.tool_calls,
        tool_errors=episode.tool_errors,
        turns=len(episode.turns),
        tokens=episode.model_tokens,
        truncated=episode.terminated_by in {"length", "tool_overflow"},
        found_by_search=gold in episode.surfaced,
        seconds=episode.seconds,
    )


def lookup_levels(labels: Sequence[tuple[str, str]], levels: Sequence[str]) -> Mapping[str, str]:
    """Category -> its most frequent level among (category, level) pairs; of equals the more sensitive one."""
    counts: dict[str, dict[str, int]] = {}
    for category, level in labels:
        counts.setdefault(category, {}).setdefault(level, 0)
        counts[category][level] += 1
    rank = {level: place for place, level in enumerate(levels)}
    return {category: max(seen, key=lambda level: (seen[level], rank[level])) for category, seen in counts.items()}
