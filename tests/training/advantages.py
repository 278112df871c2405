"""Advantages by the definitions of RLOO and GRPO, from what transcripts say; no line of verl is used here."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence

from autoresearch.training.transcripts import Episode

EPSILON = 1e-6
"""verl adds it to GRPO's standard deviation."""


def rloo(scores: Sequence[float]) -> list[float]:
    """Each score minus the mean of the others of its group."""
    return [score - (sum(scores) - score) / (len(scores) - 1) for score in scores]


def grpo(scores: Sequence[float]) -> list[float]:
    """Each score minus the mean of its group, over the sample's standard deviation."""
    mean, deviation = statistics.fmean(scores), statistics.stdev(scores)
    return [(score - mean) / (deviation + EPSILON) for score in scores]


def of_episodes(algorithm: str, episodes: Iterable[Episode]) -> list[tuple[Episode, float]]:
    """Every episode with its advantage; groups are those of equal ``uid``."""
    groups: dict[str, list[Episode]] = defaultdict(list)
    for episode in episodes:
        assert episode.score is not None
        groups[episode.uid].append(episode)
    formula = {"rloo": rloo, "grpo": grpo}[algorithm]
    found = []
    for group in groups.values():
        found += list(zip(group, formula([episode.score or 0.0 for episode in group]), strict=True))
    return found


def by_token(pairs: Sequence[tuple[Episode, float]]) -> list[float]:
    """The advantage of every token that the model wrote."""
    return [advantage for episode, advantage in pairs for mask in episode.response_mask if mask]
