"""The column mapping: sheet header -> standard field (data-line.md 3.1)."""

from __future__ import annotations

import unicodedata
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from autoresearch.standards.loading import load
from autoresearch.standards.task_config import METADATA_FIELDS

LEVEL_FIELDS = ("level_1", "level_2", "level_3", "level_4")
TARGETS = (*METADATA_FIELDS, *LEVEL_FIELDS, "data_level")
MappingContent = Annotated[
    dict[str, Annotated[str, Field(json_schema_extra={"enum": list(TARGETS)})]], Field(min_length=1)
]
"""What a mapping file holds: sheet header -> one of ``TARGETS``."""


def header_form(text: str) -> str:
    """Headers are compared after trimming and NFKC."""
    return unicodedata.normalize("NFKC", text).strip()


class ColumnMapping:
    """``columns``: header form -> target. Each target at most once; ``field_name`` must be mapped."""

    def __init__(self, columns: dict[str, str]) -> None:
        if not columns:
            raise ValueError("the mapping is empty")
        self.columns: dict[str, str] = {}
        for header, target in columns.items():
            if not isinstance(target, str) or not header.strip() or not target.strip():
                raise ValueError(f"{header!r}: header and target must be texts that are not empty")
            key, name = header_form(header), target.strip()
            if name not in TARGETS:
                raise ValueError(f"{header!r}: {name!r} is none of {' '.join(TARGETS)}")
            if key in self.columns:
                raise ValueError(f"the header {header!r} stands twice")
            self.columns[key] = name
        twice = [name for name, count in Counter(self.columns.values()).items() if count > 1]
        if twice:
            raise ValueError(f"the target {twice[0]!r} is mapped twice")
        if "field_name" not in self.columns.values():
            raise ValueError("field_name must be mapped")

    @classmethod
    def from_obj(cls, obj: Any) -> ColumnMapping:
        """From parsed JSON; ``ValueError`` when it is no mapping."""
        if not isinstance(obj, dict):
            raise ValueError("a mapping is an object: header -> field")
        return cls(obj)

    @classmethod
    def from_path(cls, path: str | Path) -> ColumnMapping:
        """Load and validate a mapping file; ``InputError`` F006."""
        return load(Path(path), "F006", cls.from_obj, 'a mapping is {"column header": "field_name", …}')
