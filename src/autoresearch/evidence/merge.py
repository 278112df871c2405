"""``bundle merge``: bundles of one config lock become one, in which each row names the run it came from (formal-case.md
4.5).

The locks of every run come along, so that the chain of each row can be followed. A row that was copied by hand is found
by the hash of its run's lock, before and after.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError, RefusedError
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.case_bundle import CaseBundle, now_text
from autoresearch.evidence.case_rows import addition_paths, skip_reason
from autoresearch.evidence.case_seal import Check, Render, Sealed, seal
from autoresearch.evidence.checksums import check_checksums
from autoresearch.evidence.layout import ARTIFACTS, CASE_ARTIFACTS, CASE_FOLDERS, FOLDERS, SECTIONS, sidecar
from autoresearch.evidence.locks import ConfigLock, ProvenanceLock, lock_text
from autoresearch.evidence.manifest import HashedPath, Manifest, ManifestRow
from autoresearch.evidence.observed import observed_content
from autoresearch.evidence.verify_chain import check_chain
from autoresearch.evidence.wandb_runs import run_files
from autoresearch.evidence.writer import BundleWriter, make_writable
from autoresearch.files import compact_json, content_digest, read_json, sha256_text, write_json

RUN_KEYS = ("run_id", "created_at")
OWN_TEXTS = ("WANDB_RUN_ID", "WANDB_NAME", "WANDB_RUN_GROUP", "RAY_TMPDIR")
"""Environment values that are made from the run's id or its instant: they say nothing about what was asked."""
MERGED = f"{SECTIONS['config']}/merged"


def asked_digest(lock: dict[str, Any]) -> str:
    """Hash of what a config lock asks: without run id and time, wherever they stand in commands and environments."""
    rest = {key: value for key, value in lock.items() if key not in RUN_KEYS}
    rows = []
    for row in rest.get("rows") or []:
        text = compact_json(row)
        env = row.get("env") or {}
        for name in (*(env.get(key) for key in OWN_TEXTS), lock.get("run_id")):
            if name:
                text = text.replace(str(name), "*")
        rows.append(text)
    return content_digest({**rest, "rows": rows})


def merge(sources: Sequence[Path], out: Path, *, render: Render, check: Check) -> Sealed:
    """Join sealed bundles into the new one ``out``; the run id is the folder's name.

    Attempts of a case are numbered anew in the order of their runs. Raises ``InputError`` when there are fewer than two
    bundles or two of one run, ``RefusedError`` when one is not as it was sealed or asks something else, or ``out``
    exists.
    """
    if len(sources) < 2:
        raise InputError("bundle merge joins two bundles or more; give their folders")
    bundles = sorted(
        (_sealed(path) for path in sources), key=lambda bundle: (_config(bundle)["created_at"] or "", bundle.root)
    )
    runs = [bundle.manifest.run_id for bundle in bundles]
    if len(set(runs)) != len(runs):
        raise InputError(f"two of the bundles are of one run: {', '.join(runs)}; give each run once")
    first = bundles[0]
    for bundle in bundles[1:]:
        if asked_digest(_config(bundle)) != asked_digest(_config(first)):
            raise RefusedError(
                f"{bundle.root} was asked something else than {first.root}: their config locks differ in more than run "
                "id and time; only bundles of one config lock can be merged"
            )
    return _write(bundles, out, render, check)


def _sealed(path: Path) -> Bundle:
    bundle = Bundle(path)
    if bundle.manifest.kind != "verl-case" or bundle.manifest.state == "open":
        raise RefusedError(
            f"{path} is no sealed bundle of a formal case (kind {bundle.manifest.kind}, {bundle.manifest.state})"
        )
    if bundle.manifest.merged_from:
        raise RefusedError(f"{path} is merged already; give the bundles that it was made from")
    found = [*check_checksums(path)[1], *check_chain(bundle)[1]]
    if found:
        raise RefusedError(f"{path} is not as it was sealed: {found[0].message()}", found)
    return bundle


def _config(bundle: Bundle) -> dict[str, Any]:
    content: dict[str, Any] = read_json(bundle.path("config_lock"))
    return content


def _write(bundles: Sequence[Bundle], out: Path, render: Render, check: Check) -> Sealed:
    first = bundles[0].manifest
    states = {bundle.manifest.state for bundle in bundles}
    manifest = Manifest.model_validate(
        {
            **first.model_dump(),
            "state": "open",
            "run_id": out.name,
            "started_at": min((each.manifest.started_at or "" for each in bundles), default=None),
            "finished_at": max((each.manifest.finished_at or "" for each in bundles), default=None),
            "experiment": None,
            "locks": [],
            "rows": [],
            "live": {},
            "merged_from": [each.manifest.run_id for each in bundles],
            "files": None,
            "skipped": 0,
        }
    )
    case = CaseBundle(out.parent)
    case._writer = writer = BundleWriter(out, manifest)
    try:
        _put_locks(case, bundles)
        for bundle in bundles:
            _put_run(writer, bundle)
        _put_rows(case, bundles)
        ended = {"state": "finished" if states == {"complete"} else "interrupted", "finished_at": manifest.finished_at}
        run = {"schema_version": 1, "run_id": out.name, "merged": [_run(bundle) for bundle in bundles], "ended": ended}
        writer.put_json(CASE_ARTIFACTS["run"], {**_run(bundles[0]), **run})
        writer.put_json(ARTIFACTS["observed"], observed_content(writer.bundle(), {}))
        return seal(case, render=render, check=check)
    except BaseException:
        make_writable(writer.root)
        shutil.rmtree(writer.root)
        raise


def _run(bundle: Bundle) -> dict[str, Any]:
    content = bundle.json(bundle.path("run"))
    return content if isinstance(content, dict) else {}


def _put_locks(case: CaseBundle, bundles: Sequence[Bundle]) -> None:
    """The merged run's own two locks, and those of every run below ``4-config/merged/<run_id>/``."""
    writer, written = case.writer, now_text()
    head = {"run_id": writer.manifest.run_id, "created_at": written}
    config = ConfigLock.model_validate({**_config(bundles[0]), **head})
    used = ProvenanceLock.model_validate({**read_json(bundles[0].path("provenance_lock")), **head})
    locks = []
    for artifact, lock in (("config_lock", config), ("provenance_lock", used)):
        locks.append(_put_lock(writer, ARTIFACTS[artifact], lock_text(lock)))
    for bundle in bundles:
        for path in [bundle.path("config_lock"), bundle.path("provenance_lock"), *addition_paths(bundle)]:
            name = f"{MERGED}/{bundle.manifest.run_id}/{path.name}"
            locks.append(_put_lock(writer, name, path.read_text(encoding="utf-8")))
    case.save(locks=[each.model_dump() for each in locks])


def _put_lock(writer: BundleWriter, name: str, text: str) -> HashedPath:
    digest = sha256_text(text)
    writer.put_text(name, text)
    writer.put_text(sidecar(name), f"{digest}  {name.rpartition('/')[2]}\n")
    return HashedPath(path=name, sha256=digest)


def _put_run(writer: BundleWriter, bundle: Bundle) -> None:
    """Files of a run that belong to no row. What two runs have under one name comes from the first that has it."""
    for folder in run_files(bundle):
        shutil.copytree(folder, writer.root / CASE_FOLDERS["source_runs"] / folder.name)
    for artifact in ("verdicts", "diffs", "plans", "environments"):
        source = bundle.path(artifact)
        for path in sorted(source.rglob("*")) if source.is_dir() else []:
            target = f"{FOLDERS[artifact]}/{path.relative_to(source).as_posix()}"
            if path.is_file() and not (writer.root / target).exists():
                writer.put_file(path, target)
    if not (writer.root / ARTIFACTS["packages"]).exists() and bundle.path("packages").is_file():
        writer.put_file(bundle.path("packages"), ARTIFACTS["packages"])
    logs = bundle.root / bundle.manifest.artifact_layout.sections["raw_logs"]
    for path in sorted(logs.glob("*")):
        if path.is_file():
            name = (
                path.name if path.name.startswith(bundle.manifest.run_id) else f"{bundle.manifest.run_id}-{path.name}"
            )
            writer.put_file(path, f"{SECTIONS['raw_logs']}/{name}")


def _put_rows(case: CaseBundle, bundles: Sequence[Bundle]) -> None:
    """Rows with their files; attempts of a case are numbered in the order of their runs. A case that one run skipped
    and another started is the one that was started.
    """
    writer = case.writer
    attempted = {
        row.row.rpartition(".a")[0] for bundle in bundles for row in bundle.manifest.rows if row.status != "skipped"
    }
    numbers: dict[str, int] = {}
    rows: list[ManifestRow] = []
    for bundle in bundles:
        for row in bundle.manifest.rows:
            case_id = row.row.rpartition(".a")[0]
            if row.status == "skipped" and (case_id in attempted or case_id in numbers):
                continue
            numbers[case_id] = numbers.get(case_id, 0) + 1
            name = f"{case_id}.a{numbers[case_id]}"
            _copy_row(writer, bundle, row.row, name)
            rows.append(ManifestRow(row=name, status=row.status, path=f"{FOLDERS['row_files']}/{name}"))
    case.save(rows=[each.model_dump() for each in rows])


def _copy_row(writer: BundleWriter, bundle: Bundle, row: str, name: str) -> None:
    folder = writer.root / FOLDERS["row_files"] / name
    shutil.copytree(bundle.row_folder(row), folder)
    make_writable(folder)
    (folder / "telemetry-stats.json").unlink(missing_ok=True)
    if bundle.log_folder(row).is_dir():
        shutil.copytree(bundle.log_folder(row), writer.root / FOLDERS["row_logs"] / name)
        make_writable(writer.root / FOLDERS["row_logs"] / name)
    effective = bundle.path("effective") / f"{row}.yaml"
    if effective.is_file():
        writer.put_file(effective, f"{CASE_FOLDERS['effective']}/{name}.yaml")
    if skip_reason(bundle, row) is None:
        write_json(folder / "merged-from.json", {"run_id": bundle.manifest.run_id, "row": row})
