"""The canonical record as a form (data-line.md 3.8): what a processed record becomes when its label is resolved."""

from __future__ import annotations

from typing import Literal

from autoresearch.fields.processed import ProcessedRecord
from autoresearch.fields.resolution import Status
from autoresearch.standards.loading import Strict


class LeafText(Strict):
    """The configured leaf level and its text."""

    field: str
    value: str


class ResolutionResult(Strict):
    """How the label resolved: the leaf, or the reason why there is none."""

    status: Status
    category_id: str | None
    reason: str | None


class Target(Strict):
    """The leaf of a resolved record; ``category_path`` holds the level texts that are not empty, in order."""

    leaf_level: str
    leaf_name: str
    category_id: str
    category_path: tuple[str, ...]


class CanonicalRecord(ProcessedRecord):
    """One field after resolution, and after the split step with its split.

    An input that is not an object has ``record`` in place of the keys of a processed record, and the status
    ``invalid_record``; this form does not describe it.
    """

    schema_version: Literal[2]
    dataset: str
    path_mask: tuple[bool, ...]
    """For each path field: its text is not empty."""
    leaf: LeafText
    resolution: ResolutionResult
    resolution_status: Status
    """Equal to ``resolution.status``."""
    target: Target | None
    """Set only when the record is resolved."""
    split: Literal["train", "val", "test"] | None
    split_exclusion_reason: str | None
    """``resolution_status:<status>`` or ``empty_group_key:<key>``."""
