"""What a command returns: the JSON object for standard output and the exit code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Outcome:
    """``exit_code``: 0 done, 1 it ran and the answer is no. Refusals (2) are raised as ``AutoResearchError``."""

    payload: dict[str, Any]
    exit_code: int = 0
