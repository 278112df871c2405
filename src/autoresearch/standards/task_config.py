"""The task config: which metadata the model sees, and the task's name (data-line.md 3.7)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field, field_validator

from autoresearch.files import content_digest
from autoresearch.standards.loading import Lenient, load

NATIVE_FOUR = ("field_name", "table_name", "field_description", "table_description")
"""What the RL line and the rollout gate show of a field, in this order."""
METADATA_FIELDS = (
    "database_name",
    "database_description",
    "table_name",
    "table_description",
    "field_name",
    "field_description",
    "field_type",
)


class TaskConfig(Lenient):
    """Metadata fields in the order of the prompt; no field is implied."""

    metadata_fields: tuple[str, ...] = Field(min_length=1)
    task_name: str = Field(default="data_classification", min_length=1)

    @field_validator("metadata_fields")
    @classmethod
    def _known_and_unique(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in value if name not in METADATA_FIELDS]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is none of {' '.join(METADATA_FIELDS)}")
        if len(set(value)) != len(value):
            raise ValueError("a metadata field stands twice")
        return value

    @classmethod
    def from_path(cls, path: str | Path) -> TaskConfig:
        """Load and validate a task file; ``InputError`` F036."""
        return load(Path(path), "F036", cls.model_validate, 'a task is {"metadata_fields": ["field_name", …]}')

    def with_fields(self, fields: Sequence[str] | None) -> TaskConfig:
        """The task with its fields replaced by those of the command line, the name kept."""
        return self if fields is None else TaskConfig(metadata_fields=tuple(fields), task_name=self.task_name)

    @property
    def digest(self) -> str:
        """Content digest of fields and name."""
        return content_digest(self.model_dump(mode="json"))
