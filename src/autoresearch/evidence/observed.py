"""``observed.json``: what trees and rows were after the run, against what the locks say (formal-case.md 8.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from autoresearch.evidence.bundle import Bundle
from autoresearch.findings import Finding, finding

COMPARED = ("commit_sha", "branch", "dirty", "tree_sha256", "version", "record_sha256")
"""Facts of a repository that must not change during a run."""


def row_versions(bundle: Bundle) -> dict[str, dict[str, str]]:
    """Row -> versions that it printed itself, from its ``result.json``."""
    found = {}
    for row in bundle.rows():
        result = bundle.json(bundle.row_folder(row) / "result.json")
        versions = result.get("versions") if isinstance(result, dict) else None
        if isinstance(versions, dict):
            found[row] = {str(name): str(text) for name, text in sorted(versions.items()) if text is not None}
    return found


def observed_content(bundle: Bundle, observed: Mapping[str, Any]) -> dict[str, Any]:
    """The content of the file. ``observed`` is what the run saw at its end: ``repositories`` in the lock's form, and
    ``rows``: row -> ``{versions}`` where they are not in the rows' own results. Differences are findings (V322), as are
    modified trees (V320), beside the ``findings`` that the run brings itself.
    """
    lock = bundle.json(bundle.path("provenance_lock"))
    lock = lock if isinstance(lock, dict) else {}
    rows: dict[str, Any] = {row: {"versions": versions} for row, versions in row_versions(bundle).items()}
    for row, facts in (observed.get("rows") or {}).items():
        rows[row] = {**rows.get(row, {}), **facts}
    repositories = list(observed.get("repositories") or [])
    found = [*_modified(lock), *_changed(lock, repositories), *_other_versions(lock, rows)]
    rest = {key: value for key, value in observed.items() if key not in ("rows", "repositories")}
    return {
        "schema_version": 1,
        "run_id": bundle.manifest.run_id,
        **rest,
        "rows": rows,
        "repositories": repositories,
        "findings": [*(observed.get("findings") or []), *(each.as_dict() for each in found)],
    }


def _modified(lock: Mapping[str, Any]) -> Iterator[Finding]:
    """Trees that were modified when the lock was written: allowed, because the difference is saved."""
    for each in lock.get("repositories") or []:
        if isinstance(each, dict) and each.get("dirty"):
            files = f"modified files: {len(each.get('dirty_files') or [])}"
            saved = (each.get("diff") or {}).get("path") or "nowhere"
            rule = f"are not in commit {str(each.get('commit_sha'))[:12]}; the difference is in {saved}"
            remedy = "commit them before the next run, so that the commit alone says what ran"
            yield finding("V320", place=str(each.get("name")), value=files, rule=rule, remedy=remedy)


def _changed(lock: Mapping[str, Any], repositories: list[Any]) -> Iterator[Finding]:
    before = {each.get("name"): each for each in lock.get("repositories") or [] if isinstance(each, dict)}
    for now in repositories:
        known = before.get(now.get("name"))
        if known is None:
            yield finding(
                "V322", place=str(now.get("name")), value="seen after the run", rule="the lock has no such tree"
            )
            continue
        for key in COMPARED:
            if key in now and known.get(key) != now[key]:
                place, rule = f"{now['name']}: {key}", f"the lock says {known.get(key)}"
                yield finding("V322", place=place, value=str(now[key]), rule=rule)


def _other_versions(lock: Mapping[str, Any], rows: Mapping[str, Any]) -> Iterator[Finding]:
    environment = lock.get("environment") or {}
    wanted = environment.get("versions") or {}
    for row, facts in rows.items():
        for name, version in (facts.get("versions") or {}).items():
            locked = wanted.get(name)
            if locked is not None and str(version) != str(locked):
                yield finding("V322", place=f"{row}: {name}", value=str(version), rule=f"the lock says {locked}")
