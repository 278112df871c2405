"""The command line and files of a plan, with its variable keys changed and nothing else (formal-case.md 4.1). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from autoresearch.cases.overrides import profile
from autoresearch.errors import RefusedError
from autoresearch.findings import finding
from autoresearch.training.plan import Plan, fill_in, hydra_value

RANKS = "--nproc-per-node="
TORCHRUN = "torch.distributed.run"
_OVERRIDE = re.compile(r"^(\+{0,2})([A-Za-z_][A-Za-z0-9_.@/]*)=(.*)$", re.DOTALL)


def allowed_keys(kind: str) -> frozenset[str]:
    """verl's keys that the variable keys of a plan stand for."""
    groups = profile("plan_keys")[kind]
    return frozenset(key for group in groups.values() for key in group)


def refuse_key(key: str, place: str, value: str = "") -> RefusedError:
    """V203 for a key that the plan fixes."""
    item = finding(
        "V203",
        place=place,
        value=f"{key}{f' = {value}' if value else ''}",
        rule="is fixed by the plan; a case changes batch, mini, micro, devices, nodes, samples, steps, lengths, logger "
        "and output folders only",
        remedy="make the plan again with another value, or leave the key out",
    )
    return RefusedError(item.message(), [item])


def vary(plan: Plan, values: Mapping[str, object], place: str) -> list[str]:
    """The plan's arguments with ``values`` in place; a key that the plan does not state is appended, unless it is one
    that is changed only where it stands. Raises ``RefusedError`` (V203) for a key that is not variable."""
    legal, present = allowed_keys(plan.kind), set(profile("plan_keys")[plan.kind]["present"])
    for key, value in values.items():
        if key not in legal:
            raise refuse_key(key, place, str(value))
    left = dict(values)
    changed = []
    for item in plan.argv:
        match = _OVERRIDE.match(item)
        if match and match.group(2) in values:
            changed.append(f"{match.group(1)}{match.group(2)}={hydra_value(values[match.group(2)])}")
            left.pop(match.group(2), None)
        else:
            changed.append(item)
    return changed + [f"{key}={hydra_value(value)}" for key, value in left.items() if key not in present]


def set_ranks(argv: Sequence[str], ranks: int) -> list[str]:
    """torchrun's processes on this machine."""
    return [f"{RANKS}{ranks}" if item.startswith(RANKS) else item for item in argv]


def move(text: str, moves: Mapping[str, str]) -> str:
    """A value whose path begins with one of the old folders, at its new place; the longest old folder first."""
    quoted = len(text) > 1 and text[0] == text[-1] == "'" and "\\" not in text
    bare = text[1:-1] if quoted else text
    for old in sorted(moves, key=len, reverse=True):
        if bare == old or bare.startswith(old + "/"):
            return hydra_value(moves[old] + bare[len(old) :])
    return text


def move_argv(argv: Sequence[str], moves: Mapping[str, str]) -> list[str]:
    """All overrides with their path prefixes exchanged."""
    moved = []
    for item in argv:
        match = _OVERRIDE.match(item)
        moved.append(f"{match.group(1)}{match.group(2)}={move(match.group(3), moves)}" if match else item)
    return moved


def move_tree(content: Any, moves: Mapping[str, str]) -> Any:
    """Path prefixes exchanged in every text of a parsed YAML document."""
    if isinstance(content, dict):
        return {key: move_tree(value, moves) for key, value in content.items()}
    if isinstance(content, list):
        return [move_tree(value, moves) for value in content]
    if isinstance(content, str):
        for old in sorted(moves, key=len, reverse=True):
            if content == old or content.startswith(old + "/"):
                return moves[old] + content[len(old) :]
    return content


def moved_yaml(text: str, moves: Mapping[str, str]) -> str:
    """``loop.yaml`` or ``tools.yaml`` of a plan for another place."""
    moved = move_tree(yaml.safe_load(text), moves)
    return str(yaml.safe_dump(moved, allow_unicode=True, sort_keys=False, width=1000))


def fill_all(argv: Sequence[str], attempt: int, digest: str) -> list[str]:
    """The two tokens of a plan filled in."""
    return [fill_in(item, attempt=attempt, digest=digest) for item in argv]
