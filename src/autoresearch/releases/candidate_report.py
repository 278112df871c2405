"""How good candidate bundles are: recall of search, and how varied the negatives (3.16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from autoresearch.releases.report import CandidateReport
from autoresearch.task.retrieval import Best


class CandidateTally:
    """Counts bundles; shares are over all splits."""

    def __init__(self, policy: str) -> None:
        self._policy = policy
        self._negatives: Counter[str] = Counter()
        self._rows = 0
        self._recalled = 0

    def add(self, found: Sequence[Best], gold: Sequence[str], bundles: Sequence[Sequence[str]]) -> None:
        """Count sources with the search of each, their gold and their bundle."""
        self._rows += len(found)
        self._recalled += sum(best.recalled for best in found)
        pairs = zip(gold, bundles, strict=True)
        self._negatives.update([item for truth, bundle in pairs for item in bundle if item != truth])

    def report(self) -> CandidateReport:
        """``most_frequent_negative_share``: sources whose bundle holds the most frequent negative, over all sources."""
        most = max(self._negatives.values(), default=0)
        return CandidateReport(
            policy=self._policy,
            gold_recall_of_search_at_5=round(self._recalled / self._rows, 4) if self._rows else 0.0,
            distinct_negatives=len(self._negatives),
            most_frequent_negative_share=round(most / self._rows, 4) if self._rows else 0.0,
        )
