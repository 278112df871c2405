"""Candidate bundles of rows: each source of a batch is searched once, though two rows show it."""

from __future__ import annotations

from collections.abc import Sequence

from autoresearch.task.assets import TaskAssets
from autoresearch.task.candidates import CandidatePolicy, Source, candidate_bundles

_Key = tuple[str, str, tuple[str, ...]]


def bundles_of(assets: TaskAssets, policy: CandidatePolicy, subjects: Sequence[Source]) -> list[list[str]]:
    """``candidate_bundles`` of subjects that may repeat, in their order."""
    keys = [_key(subject) for subject in subjects]
    unique = dict(zip(keys, subjects, strict=True))
    made = dict(zip(unique, candidate_bundles(assets, policy, list(unique.values())), strict=True))
    return [made[key] for key in keys]


def _key(subject: Source) -> _Key:
    return subject.source_id, subject.gold, tuple(subject.metadata.values())
