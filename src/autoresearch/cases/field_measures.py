"""Measures of a field task's validation dump: category, level, both, under-grading, each with its interval
(formal-case.md 14, training.md 6.3).

The task loop scored every episode; its judgement stands in the dump beside the score. A session of several turns has a
line for each turn with the same judgement, and counts once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from autoresearch.cases.geo3k import session_of, wilson

MEASURES = {
    "category": "category_exact",
    "level": "level_exact",
    "both": "score",
    "under_grading": "under_graded",
    "answer_valid": "answer_valid",
}
"""Name of the measure -> key of the dump, 1 or 0."""


def sessions(data: bytes) -> list[Mapping[str, Any]]:
    """One line for each session of a dump, the last of its turns; what is no whole line is passed over."""
    found: dict[str, Mapping[str, Any]] = {}
    for number, raw in enumerate(data.split(b"\n")):
        try:
            entry = json.loads(raw) if raw.strip() else None
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            uid = entry.get("uid")
            found[session_of(uid) if isinstance(uid, str) and uid else f"line {number}"] = entry
    return list(found.values())


def _flag(entry: Mapping[str, Any], key: str) -> bool | None:
    value = entry.get(key)
    return value >= 1 if isinstance(value, bool | int | float) else None


def field_measures(data: bytes) -> dict[str, Any]:
    """Shares with their Wilson intervals and counts; a measure that the dump does not hold is None.

    ``strict_acc`` is the share with category and level both exact. The level is judged only where the category says
    which levels there are, so each measure has its own ``n``.
    """
    lines = sessions(data)
    made: dict[str, Any] = {"samples": len(lines)}
    for name, key in MEASURES.items():
        flags = [flag for flag in (_flag(line, key) for line in lines) if flag is not None]
        share = wilson(sum(flags), len(flags))
        made[name] = {
            "hits": share.hits if share.n else None,
            "n": share.n,
            "share": share.share,
            "low": share.low,
            "high": share.high,
        }
    both = made["both"]
    return {
        **made,
        "strict_acc": both["share"],
        "strict_acc_low": both["low"],
        "strict_acc_high": both["high"],
        "format_rate": None,
        "mean_score": both["share"],
        "truncated": None,
    }
