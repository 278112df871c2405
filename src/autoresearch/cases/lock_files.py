"""Lock files of a run: written once, read-only, their sha256 beside them; later rows are additions (formal-case.md 8).

The content is made elsewhere; here is how a lock comes to lie on the disk, and how a resumed run finds the same again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from autoresearch.cases.matrix import Addition, LockedRow
from autoresearch.errors import RefusedError
from autoresearch.files import atomic_write_text, create_text, read_json, sha256_file, sha256_text
from autoresearch.findings import finding

CONFIG, PROVENANCE = "config.lock.json", "provenance.lock.json"
PROMOTION = "config.lock.promotion.json"


class Lock(NamedTuple):
    """A lock on the disk."""

    path: Path
    sha256: str
    found: bool
    """It lay there already, with the same bytes."""


def lock_text(content: Mapping[str, Any]) -> str:
    """The bytes of a lock: sorted keys, two-space indent, no NaN, newline at the end."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False) + "\n"


def lock_mismatch(place: str, value: str, rule: str) -> RefusedError:
    """V602 for a lock that is not the run's."""
    remedy = "continue with the config that this run began with, or take another --run-id"
    item = finding("V602", place=place, value=value, rule=rule, remedy=remedy)
    return RefusedError(item.message(), [item])


def write_lock(path: Path, content: Mapping[str, Any]) -> Lock:
    """Write a lock by exclusive create, with its sidecar, and make both read-only.

    The same lock from before is found again. Raises ``RefusedError`` (V602) when another lies there.
    """
    text = lock_text(content)
    digest = sha256_text(text)
    path.parent.mkdir(parents=True, exist_ok=True)
    known = False
    try:
        create_text(path, text)
    except FileExistsError:
        known = True
        there = sha256_file(path)
        if there != digest:
            raise lock_mismatch(
                path.name, there[:12], f"is the lock of this run, now it would be {digest[:12]}"
            ) from None
    path.chmod(0o444)
    sidecar = path.with_name(path.name + ".sha256")
    if not sidecar.is_file():
        atomic_write_text(sidecar, f"{digest}  {path.name}\n")
        sidecar.chmod(0o444)
    return Lock(path, digest, known)


def addition_name(addition: Addition, folder: Path) -> str:
    """``config.lock.bisect-<k>.json`` or ``config.lock.promotion.json``: k counts the bisect rounds of the run.

    A round that is written already is found by its cases, so a resumed run gives it the same name.
    """
    if addition.name == "promotion":
        return PROMOTION
    wanted = [case.case_id for case in addition.cases]
    number = 1
    while (path := folder / f"config.lock.bisect-{number}.json").is_file():
        if [row["case_id"] for row in read_json(path)["rows"]] == wanted:
            break
        number += 1
    return path.name


def addition_content(
    run_id: str, addition: Addition, rows: Sequence[LockedRow], parent: Path, parent_sha256: str
) -> dict[str, Any]:
    """``{schema_version, run_id, parent, reason, derived_from, rows}`` of 8.2; ``parent`` is the lock before it."""
    return {
        "schema_version": 1,
        "run_id": run_id,
        "parent": {"path": parent.name, "sha256": parent_sha256},
        "reason": addition.reason,
        "derived_from": list(addition.derived_from),
        "rows": [row.as_dict() for row in rows],
    }
