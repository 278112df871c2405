"""The ``chain`` check: lock hashes in sidecar, manifest, rows and results are those of the locks; every planned case
has a row (9.6).
"""

from __future__ import annotations

from typing import Any

from autoresearch.evidence.attempt_records import attempts
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.case_rows import is_config_lock
from autoresearch.evidence.derived import bundle_experiment, read_lock
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
    count += _check_additions(bundle, found)
    lock = read_lock(bundle)
    digests = LockDigests(bundle)
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
        count += _check_row(bundle, each.row, each.path, digests, found)
    matrix = {f"{each.get('case_id')}.a{each.get('attempt')}": each for each in read_lines(bundle.path("matrix"))}
    if set(matrix) != set(bundle.rows()):
        found.append(
            _difference(bundle.name("matrix"), sorted(matrix), f"the manifest's rows are {sorted(bundle.rows())}")
        )
    for entry in bundle.manifest.rows:
        line = matrix.get(entry.row, {})
        if line.get("status") != entry.status:
            found.append(_difference(f"{MANIFEST}: {entry.row}", entry.status, f"the matrix says {line.get('status')}"))
        if line.get("lock_sha256") not in digests.of(line.get("run_id")):
            place = f"{bundle.name('matrix')}: {entry.row}"
            found.append(_difference(place, line.get("lock_sha256"), digests.rule(line.get("run_id"))))
    if bundle.manifest.experiment != bundle_experiment(bundle, lock):
        found.append(_difference(f"{MANIFEST}: experiment", bundle.manifest.experiment, "follows from the rows"))
    return count, tuple(found)


class LockDigests:
    """sha256 of the config locks of a bundle, by the run that each belongs to: a merged bundle has those of several."""

    def __init__(self, bundle: Bundle) -> None:
        self.run_id = bundle.manifest.run_id
        self._of: dict[str, set[str]] = {}
        for each in bundle.manifest.locks:
            content = bundle.json(bundle.root / each.path)
            if is_config_lock(each.path) and isinstance(content, dict):
                digest = file_digest(bundle.root / each.path)
                self._of.setdefault(str(content.get("run_id")), set()).add(str(digest))

    def of(self, run_id: object) -> set[str]:
        """The legal lock hashes of a row of a run; a row that names no run is of this one."""
        return self._of.get(str(run_id or self.run_id), set())

    def rule(self, run_id: object) -> str:
        """The rule for a finding."""
        known = sorted(self.of(run_id))
        if not known:
            return f"the bundle holds no lock of run {run_id}: the row was copied from another bundle"
        return f"the sha256 of the config lock is {' or '.join(known)}"


def _check_additions(bundle: Bundle, found: list[Finding]) -> int:
    """Sidecars and statements of the locks beside the two first ones, and the parent of each addition."""
    first = {bundle.name("config_lock"), bundle.name("provenance_lock")}
    others = [each for each in bundle.manifest.locks if each.path not in first]
    known = {each.sha256 for each in bundle.manifest.locks if is_config_lock(each.path)}
    for each in others:
        path = bundle.root / each.path
        digest, content = file_digest(path), bundle.json(path)
        for place, value in ((sidecar(each.path), sidecar_digest(path)), (f"{MANIFEST}: locks", each.sha256)):
            if value != digest:
                found.append(_difference(place, value, f"the sha256 of {each.path} is {digest}"))
        parent = content.get("parent") if isinstance(content, dict) else None
        if isinstance(parent, dict) and parent.get("sha256") not in known:
            found.append(_difference(f"{each.path}: parent", parent.get("sha256"), "is no lock of this bundle"))
    return 3 * len(others)


def _check_row(bundle: Bundle, row: str, path: str, digests: LockDigests, found: list[Finding]) -> int:
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
            if content.get("lock_sha256") not in digests.of(content.get("run_id")):
                place, rule = bundle.relative(folder / name), digests.rule(content.get("run_id"))
                found.append(_difference(place, content.get("lock_sha256"), rule))
    plan: Any = described.get("plan")
    if isinstance(plan, dict) and plan.get("path"):
        count += 1
        actual = file_digest(bundle.root / str(plan.get("path")))
        if actual != plan.get("sha256"):
            found.append(_difference(str(plan.get("path")), actual, f"{row}/row.json says {plan.get('sha256')}"))
    return count
