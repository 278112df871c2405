"""The resolution report: counts by status, what did not resolve, and how far a lookup of levels would go (data-line.md
3.8).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from autoresearch.fields.preprocess import FindingCount
from autoresearch.fields.resolution import STATUSES, Resolution
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.corpus import Corpus
from autoresearch.standards.datasets import DatasetConfig
from autoresearch.standards.loading import Strict
from autoresearch.standards.registry import LeafRegistry

NOT_FOUND = ("missing_leaf", "path_mismatch", "code_unresolved")


class RegistryFacts(Strict):
    """The registry that was used."""

    size: int
    sha256: str
    source: str
    derivation: Literal["standard", "shared-standard", "dataset-universe"]


class FileFacts(Strict):
    """A file by name and hash."""

    name: str
    sha256: str


class ByLeaf(Strict):
    """Unresolved records by leaf text."""

    count: int
    by_leaf: dict[str, int]


class ById(Strict):
    """Unresolved records by the category id that their path would have."""

    count: int
    by_id: dict[str, int]


class Unresolved(Strict):
    """Labelled records without a leaf of the standard."""

    missing_leaf: ByLeaf
    path_mismatch: ById
    code_unresolved: ByLeaf
    record_ids: tuple[str, ...]


class TwoLevels(Strict):
    """A leaf whose records carry more than one level."""

    category_id: str
    levels: tuple[str, ...]


class ResolutionReport(Strict):
    """``resolution_report.json`` (3.8)."""

    format: Literal["autoresearch-resolution-v1"] = "autoresearch-resolution-v1"
    dataset: str
    schema_version: int = 2
    input_records: int
    output_records: int
    status_counts: dict[str, int]
    registry: RegistryFacts
    corpus_sha256: str | None
    input: FileFacts
    unresolved: Unresolved
    categories_without_records: tuple[str, ...]
    leaves_with_two_levels: tuple[TwoLevels, ...]
    level_lookup_baseline: float | None
    findings: tuple[FindingCount, ...] = ()


@dataclass(frozen=True)
class Tally:
    """What a report needs of all records: how many have each combination of label texts (by its place in
    ``resolutions``) and level, and the ids of labelled ones without a leaf, ascending.
    """

    resolutions: Sequence[Resolution]
    leaves: Sequence[str]
    """The leaf text of each combination."""
    counts: Mapping[tuple[int, str], int]
    unresolved_ids: Sequence[str]

    def by(self, text: Callable[[int], str], status: str | None = None) -> dict[str, int]:
        """Records by the text that a combination has, of one status if given; sorted."""
        found: Counter[str] = Counter()
        for (place, _), count in self.counts.items():
            if status in (None, self.resolutions[place].status):
                found[text(place)] += count
        return dict(sorted(found.items()))


def _levels(tally: Tally) -> tuple[tuple[TwoLevels, ...], float | None]:
    """Leaves with two levels, and the accuracy of the most frequent level of each leaf on the records that have one."""
    by_leaf: dict[str, Counter[str]] = defaultdict(Counter)
    for (place, level), count in tally.counts.items():
        category_id = tally.resolutions[place].category_id
        if category_id is not None and level:
            by_leaf[category_id][level] += count
    if not by_leaf:
        return (), None
    two = tuple(
        TwoLevels(category_id=category_id, levels=tuple(sorted(levels)))
        for category_id, levels in sorted(by_leaf.items())
        if len(levels) > 1
    )
    graded = sum(levels.total() for levels in by_leaf.values())
    return two, sum(max(levels.values()) for levels in by_leaf.values()) / graded


def resolution_report(
    tally: Tally,
    config: DatasetConfig,
    registry: LeafRegistry,
    corpus: Corpus | None,
    source: Mapping[str, str],
) -> ResolutionReport:
    """The report of resolved records; ``source`` is name and sha256 of the processed file."""
    status = tally.by(lambda place: tally.resolutions[place].status)
    counts: dict[str, int] = {name: status.get(name, 0) for name in STATUSES}
    missing, code = (tally.by(tally.leaves.__getitem__, name) for name in ("missing_leaf", "code_unresolved"))
    mismatch = tally.by(lambda place: tally.resolutions[place].tried_id or "", "path_mismatch")
    found = {tally.resolutions[place].category_id for place, _ in tally.counts}
    two, baseline = _levels(tally)
    records = sum(tally.counts.values())
    findings = FindingCounter()
    for name in STATUSES[1:]:
        if counts[name]:
            item = finding(
                "F042", place=f"dataset {config.dataset}, {name}: {counts[name]}", rule="records did not resolve"
            )
            findings.add(item, counts[name])
    return ResolutionReport(
        dataset=config.dataset,
        input_records=records,
        output_records=records,
        status_counts=counts,
        registry=RegistryFacts(
            size=len(registry),
            sha256=registry.digest,
            source=config.registry_source or config.dataset,
            derivation=config.registry_derivation,
        ),
        corpus_sha256=None if corpus is None else corpus.digest,
        input=FileFacts(name=source["name"], sha256=source["sha256"]),
        unresolved=Unresolved(
            missing_leaf=ByLeaf(count=counts["missing_leaf"], by_leaf=missing),
            path_mismatch=ById(count=counts["path_mismatch"], by_id=mismatch),
            code_unresolved=ByLeaf(count=counts["code_unresolved"], by_leaf=code),
            record_ids=tuple(tally.unresolved_ids),
        ),
        categories_without_records=tuple(leaf.category_id for leaf in registry.leaves if leaf.category_id not in found),
        leaves_with_two_levels=two,
        level_lookup_baseline=baseline,
        findings=tuple(FindingCount.model_validate(item) for item in findings.summary()),
    )
