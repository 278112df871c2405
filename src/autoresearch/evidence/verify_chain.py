"""The ``chain`` check: lock hashes in sidecar, manifest, rows and results are those of the locks; every planned case
has a row (9.6).
"""

from __future__ import annotations

from typing import Any

from autoresearch.evidence.attempt_records import attempts
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.derived import experiment, read_lock
from autoresearch.evidence.layout import MANIFEST, sidecar
from autoresearch.evidence.locks import file_digest, sidecar_digest
from autoresearch.findings import Finding, finding


def _difference(place: str, value: object, rule: str) -> Finding:
    return finding("V612", place=place, value=str(value), rule=rule, remedy="one of the two was changed after sealing")


def check_chain(bundle: Bundle) -> tuple[int, tuple[Finding, ...]]:
    """Number of links looked at, and a finding for each that does not hold."""
    found: list[Finding] = []
    count = 0
    stated = {each.path: each.sha256 for each in bundle.manifest.locks}
    for artifact in ("config_lock", "provenance_lock"):
        name, path = bundle.name(artifact), bundle.path(artifact)
        digest = file_digest(path)
        count += 2
        if sidecar_digest(path) != digest:
            found.append(_difference(sidecar(name), sidecar_digest(path), f"the sha256 of {name} is {digest}"))
        if stated.get(name) != digest:
            found.append(_difference(f"{MANIFEST}: locks", stated.get(name), f"the sha256 of {name} is {digest}"))
    lock = read_lock(bundle)
    lock_digest = file_digest(bundle.path("config_lock"))
    planned = {each.row for each in attempts(lock, bundle.rows())}
    for row in bundle.rows():
        count += 1
        if row not in planned:
            found.append(_difference(f"{MANIFEST}: rows", row, "belongs to no planned case of the config lock"))
    for case in lock.rows:
        count += 1
        if not any(row.rpartition(".a")[0] == case.case_id for row in bundle.rows()):
            found.append(_difference(bundle.name("config_lock"), case.case_id, "a planned case without a row"))
    for each in bundle.manifest.rows:
        count += _check_row(bundle, each.row, each.path, lock_digest, found)
    matrix = {f"{each.get('case_id')}.a{each.get('attempt')}": each for each in read_lines(bundle.path("matrix"))}
    if set(matrix) != set(bundle.rows()):
        found.append(
            _difference(bundle.name("matrix"), sorted(matrix), f"the manifest's rows are {sorted(bundle.rows())}")
        )
    for entry in bundle.manifest.rows:
        line = matrix.get(entry.row, {})
        if line.get("status") != entry.status:
            found.append(_difference(f"{MANIFEST}: {entry.row}", entry.status, f"the matrix says {line.get('status')}"))
        if line.get("lock_sha256") != lock_digest:
            found.append(
                _difference(
                    f"{bundle.name('matrix')}: {entry.row}", line.get("lock_sha256"), "the config lock's sha256"
                )
            )
    if bundle.manifest.experiment != experiment(lock, bundle.manifest.rows):
        found.append(_difference(f"{MANIFEST}: experiment", bundle.manifest.experiment, "follows from the rows"))
    return count, tuple(found)


def _check_row(bundle: Bundle, row: str, path: str, lock_digest: str | None, found: list[Finding]) -> int:
    folder = bundle.row_folder(row)
    if bundle.relative(folder) != path:
        found.append(_difference(f"{MANIFEST}: {row}", path, f"the row's folder is {bundle.relative(folder)}"))
    described = bundle.json(folder / "row.json")
    count = 1
    if not isinstance(described, dict):
        found.append(_difference(bundle.relative(folder / "row.json"), "missing", "every row has one"))
        return count
    for name, content in (("row.json", described), ("result.json", bundle.json(folder / "result.json"))):
        if isinstance(content, dict):
            count += 1
            if content.get("lock_sha256") != lock_digest:
                found.append(
                    _difference(bundle.relative(folder / name), content.get("lock_sha256"), "the config lock's sha256")
                )
    plan: Any = described.get("plan")
    if isinstance(plan, dict):
        count += 1
        actual = file_digest(bundle.root / str(plan.get("path")))
        if actual != plan.get("sha256"):
            found.append(_difference(str(plan.get("path")), actual, f"{row}/row.json says {plan.get('sha256')}"))
    return count
