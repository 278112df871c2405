"""The numbers of the rollout gate and the decision about them: pure functions over episodes (training.md 8.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from autoresearch.gates.statistics import cluster_bootstrap, share
from autoresearch.training.episodes import EpisodeRow
from autoresearch.training.mixed_groups import mixed_group_shares
from autoresearch.training.transcripts import Episode

WINDOW_PERCENT = (5, 30)
LEAST_EPISODES = 256
"""Fewer episodes than this leave a wide interval; the verdict says so."""
GROUP_SIZES = (4, 8, 16)
SHOWN_ERRORS = 10

Decision = Literal["point", "interval"]


def judge(
    nonzero: int, episodes: int, errors: int, interval: tuple[float, float], decision: Decision
) -> tuple[bool, str]:
    """Whether the rate lies in the window, and the status word. ``interval`` is the 95 % cluster-bootstrap interval.

    Point: 5·episodes ≤ 100·nonzero ≤ 30·episodes in whole numbers. Interval: all of it inside. An episode error fails
    either.
    """
    low, high = WINDOW_PERCENT
    if errors:
        return False, "episode_errors"
    if episodes == 0:
        return False, "no_episodes"
    if decision == "point":
        below, above = 100 * nonzero < low * episodes, 100 * nonzero > high * episodes
    else:
        below, above = 100 * interval[0] < low, 100 * interval[1] > high
    if below:
        return False, "too_few"
    return (False, "saturated") if above else (True, "passed")


def majority_pair(rows: Sequence[EpisodeRow]) -> tuple[str, str] | None:
    """The most frequent (category, level) of labelled rows; of equals the first in sorted order."""
    counts = Counter((row.ground_truth, row.ground_truth_level) for row in rows if row.ground_truth is not None)
    best = min(counts.items(), key=lambda item: (-item[1], str(item[0])), default=None)
    return None if best is None else (str(best[0][0]), str(best[0][1]))


def rollout_numbers(
    episodes: Sequence[Episode],
    rows: Sequence[EpisodeRow],
    train_rows: Sequence[EpisodeRow],
    *,
    samples: int,
    seed: int,
) -> dict[str, Any]:
    """The numbers of the verdict. ``rows`` are the prompts that were played, ``train_rows`` all of train."""
    scored = [episode for episode in episodes if episode.error is None]
    errors = [episode for episode in episodes if episode.error is not None]
    numbers: dict[str, Any] = {
        "errors": {
            "count": len(errors),
            "first": [
                {"source_id": item.source_id, "sample": item.sample, "error": item.error}
                for item in errors[:SHOWN_ERRORS]
            ],
        }
    }
    hits = [episode.score is not None and episode.score > 0 for episode in scored]
    rate = share(sum(hits), len(scored))
    if scored:
        clusters = [episode.source_id for episode in scored]
        interval = cluster_bootstrap([float(hit) for hit in hits], clusters, seed=seed)
        rate["cluster_bootstrap95"] = list(interval)
        numbers.update(_baseline(interval[0], rows, train_rows))
    numbers["nonzero_reward_rate"] = rate
    played: dict[str, list[bool]] = {row.source_id: [] for row in rows}
    for episode, hit in zip(scored, hits, strict=True):
        played[episode.source_id].append(hit)
    numbers["per_prompt"] = [
        {"source_id": key, "nonzero": sum(values), "episodes": len(values)} for key, values in played.items()
    ]
    whole = [sum(values) for values in played.values() if len(values) == samples]
    numbers["mixed_group_share"] = mixed_group_shares(whole, samples, GROUP_SIZES) if whole else {}
    numbers.update(shares(scored))
    numbers["warnings"] = [
        name
        for name, present in (
            ("wide_interval", len(scored) < LEAST_EPISODES),
            ("not_above_baseline", numbers.get("above_baseline") is False),
        )
        if present
    ]
    return numbers


def _baseline(low: float, rows: Sequence[EpisodeRow], train_rows: Sequence[EpisodeRow]) -> dict[str, Any]:
    pair = majority_pair(train_rows)
    right = sum((row.ground_truth, row.ground_truth_level) == pair for row in rows)
    counted = share(right, len(rows))
    return {
        "majority_baseline": {**counted, "category_id": pair and pair[0], "level": pair and pair[1]},
        "above_baseline": low > (counted["rate"] or 0.0),
    }


def shares(scored: Sequence[Episode]) -> dict[str, Any]:
    """Shares of episodes, and mean turns and tokens that the model wrote."""
    count = len(scored)
    cut = sum(episode.terminated_by in {"length", "tool_overflow"} for episode in scored)
    return {
        "answer_valid": share(sum(episode.answer_valid for episode in scored), count),
        "category_exact": share(sum(episode.category_exact for episode in scored), count),
        "level_exact": share(sum(episode.level_exact for episode in scored), count),
        "under_graded": share(sum(episode.under_graded for episode in scored), count),
        "tool_call": share(sum(episode.tool_calls > 0 for episode in scored), count),
        "tool_error": share(sum(episode.tool_errors > 0 for episode in scored), count),
        "truncated": share(cut, count),
        "turns_mean": sum(len(episode.turns) for episode in scored) / count if count else None,
        "tokens_mean": sum(episode.model_tokens for episode in scored) / count if count else None,
    }


def saturation_advice(per_prompt: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What to do about a rate above the window, in this order. The window is never widened."""
    ordered = sorted(per_prompt, key=lambda item: (-item["nonzero"] / max(1, item["episodes"]), item["source_id"]))
    return {
        "prompts_by_rate": [item["source_id"] for item in ordered],
        "learnable": [item["source_id"] for item in ordered if 0 < item["nonzero"] < item["episodes"]],
        "advice": [
            "evaluate on unseen tables: RL may have nothing to add",
            "if RL is the point, take an earlier SFT checkpoint",
            "train on the prompts in `learnable` (rate strictly between 0 and 1) and gate again on those",
        ],
    }
