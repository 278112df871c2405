"""Does a verdict speak of the files that are about to be used? (training.md 8.1, T006, T108, T109)

A demand names a gate and what its verdict must hold. The verdict that fits is used; if none fits, the refusal says
which hash differs in the nearest one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autoresearch.training.plan import PlanVerdict
from autoresearch.verdict import Verdict

SHOWN = 16
"""Characters of a hash that a message shows."""


@dataclass(frozen=True)
class Demand:
    """What a verdict of ``gate`` must hold to be used."""

    gate: str
    places: Mapping[str, str] = field(default_factory=dict)
    """Dotted place in the verdict (``judged.model.tree_sha256``, ``settings.max_length``) -> value."""
    hashes: Mapping[str, str] = field(default_factory=dict)
    """Name -> sha256 that must stand somewhere in ``judged``."""


def value_at(verdict: Verdict, place: str) -> str | None:
    """The value at a dotted place as text, or None if there is nothing."""
    node: Any = verdict.model_dump(mode="json")
    for part in place.split("."):
        if not isinstance(node, Mapping) or part not in node:
            return None
        node = node[part]
    return None if node is None else str(node)


def hashes_in(node: object) -> set[str]:
    """All texts inside ``node``, keys left out: where a hash may stand."""
    if isinstance(node, Mapping):
        return set().union(*(hashes_in(item) for item in node.values())) if node else set()
    if isinstance(node, list | tuple):
        return set().union(*(hashes_in(item) for item in node)) if node else set()
    return {node} if isinstance(node, str) else set()


def differences(verdict: Verdict, demand: Demand) -> list[str]:
    """One sentence for each thing in which ``verdict`` does not meet ``demand``; empty when it fits and passed."""
    found = []
    for place, wanted in demand.places.items():
        value = value_at(verdict, place)
        if value is None:
            found.append(f"{place} is not in it, needed {shorten(wanted)}")
        elif value != wanted:
            found.append(f"{place} is {shorten(value)}, needed {shorten(wanted)}")
    held = hashes_in(verdict.judged)
    for name, wanted in demand.hashes.items():
        if wanted not in held:
            found.append(f"the {name} with sha256 {shorten(wanted)} was not what it judged")
    if not verdict.passed:
        found.append(f"it did not pass: {verdict.status}")
    return found


def shorten(value: str) -> str:
    """A long hash cut for a message."""
    return value if len(value) < 40 else value[:SHOWN] + "…"


def match(verdicts: Sequence[tuple[Path, Verdict]], demand: Demand) -> tuple[PlanVerdict | None, str]:
    """The first verdict that meets the demand, or None and the sentence that says what differs in the nearest."""
    candidates = [(path, verdict) for path, verdict in verdicts if verdict.gate == demand.gate]
    if not candidates:
        return None, f"there is no verdict of the gate {demand.gate}"
    judged = [(differences(verdict, demand), path, verdict) for path, verdict in candidates]
    for gaps, path, verdict in judged:
        if not gaps:
            matched = {**demand.places, **demand.hashes}
            return (
                PlanVerdict(
                    gate=verdict.gate,
                    path=str(path.resolve()),
                    sha256=verdict.sha256_of_self_without_this_key,
                    passed=True,
                    matched=dict(matched),
                ),
                path.name,
            )
    gaps, path, _ = min(judged, key=lambda item: (not _speaks_of_it(item[2], demand), len(item[0])))
    return None, f"{path.name}: " + "; ".join(gaps)


def _speaks_of_it(verdict: Verdict, demand: Demand) -> bool:
    """The first demanded place says what the verdict is about; a verdict that agrees there is the nearest."""
    return all(value_at(verdict, place) == wanted for place, wanted in list(demand.places.items())[:1])


def match_all(
    verdicts: Sequence[tuple[Path, Verdict]], demands: Iterable[Demand]
) -> tuple[list[PlanVerdict], dict[str, str]]:
    """Match each demand; returns the verdicts to use and, by gate, why one is missing."""
    used: list[PlanVerdict] = []
    missing: dict[str, str] = {}
    for demand in demands:
        verdict, text = match(verdicts, demand)
        if verdict is None:
            missing[demand.gate] = text
        else:
            used.append(verdict)
    return used, missing
