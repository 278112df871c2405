"""Shares of mixed groups from what each prompt earned: pure, standard library only (training.md 7.2 T110, 8.4).

A group of n episodes is mixed when their rewards are not all equal; only such a group moves the weights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def mixed_share_measured(successes: Sequence[int], played: int, size: int) -> float:
    """Unbiased share of mixed groups of ``size``, from the successes of each prompt in ``played`` episodes; size ≤
    played.

    Mean over prompts of 1 − [C(f, n) + C(s, n)] / C(k, n): the chance that n of the k episodes are not all equal.
    """
    if size > played:
        raise ValueError(f"groups of {size} cannot be measured from {played} episodes a prompt")
    whole = math.comb(played, size)
    constant = [(math.comb(played - s, size) + math.comb(s, size)) / whole for s in successes]
    return 1 - sum(constant) / len(constant)


def mixed_share_extrapolated(successes: Sequence[int], played: int, size: int) -> float:
    """Mean over prompts of 1 − (1 − p)ⁿ − pⁿ with p = s / k: too low, because prompts seen at 0 or 1 may not be
    there.
    """
    rates = [s / played for s in successes]
    return sum(1 - (1 - p) ** size - p**size for p in rates) / len(rates)


def mixed_share_pooled(rate: float, size: int) -> float:
    """1 − (1 − p)ⁿ − pⁿ at the pooled rate: an upper bound when prompts differ."""
    return 1 - (1 - rate) ** size - rate**size


def mixed_share(successes: Sequence[int], played: int, size: int) -> tuple[float, str]:
    """The share at ``size`` and how it was obtained: ``measured`` up to ``played``, then ``extrapolated, low``."""
    if size <= played:
        return mixed_share_measured(successes, played, size), "measured"
    return mixed_share_extrapolated(successes, played, size), "extrapolated, low"


def mixed_group_shares(successes: Sequence[int], played: int, sizes: Sequence[int]) -> dict[str, dict[str, Any]]:
    """For each group size: ``share``, how it was obtained (``mixed_share``), and the ``pooled`` bound."""
    pooled = sum(successes) / (played * len(successes))
    found: dict[str, dict[str, Any]] = {}
    for size in sizes:
        value, method = mixed_share(successes, played, size)
        found[str(size)] = {"share": value, "method": method, "pooled": mixed_share_pooled(pooled, size)}
    return found


def share_of_verdict(numbers: Any, size: int) -> tuple[float, str] | None:
    """The share at any ``size`` from the numbers of a rollout verdict: its entry, else by the counts of its prompts.

    ``numbers`` holds ``mixed_group_share`` (by size) and ``per_prompt`` (``nonzero`` of ``episodes``); prompts that
    lost an episode are left out. None where the verdict says neither.
    """
    entry = numbers.get("mixed_group_share", {}).get(str(size))
    if entry is not None:
        return float(entry["share"]), str(entry.get("method", "measured"))
    prompts = numbers.get("per_prompt", [])
    played = max((int(prompt["episodes"]) for prompt in prompts), default=0)
    whole = [int(prompt["nonzero"]) for prompt in prompts if prompt["episodes"] == played]
    return mixed_share(whole, played, size) if played else None
