"""How a sheet of fields is read (data-line.md 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from autoresearch.fields import cleaning, labels


@dataclass(frozen=True)
class Options:
    """How to read a sheet; the defaults are those of the command."""

    sheet: str | None = None
    header_row: int = 1
    encoding: str | None = None
    delimiter: str | None = None
    missing_field_policy: Literal["error", "skip"] = "error"
    control_tokens: cleaning.ControlPolicy = "error"
    strip_trailing_codes: bool = False
    rewrite_rules: Sequence[labels.RewriteRule] = ()
    levels: Sequence[str] = labels.DEFAULT_LEVELS
