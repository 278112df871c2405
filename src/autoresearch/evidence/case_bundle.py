"""The bundle of a formal case while it is written: takes the events of a run and keeps a partial folder true to them
(formal-case.md 9.1-9.4).

``CaseBundle`` is a ``cases.events.Listener``. After every event the manifest and the list of skipped files are
replaced, so that nothing that comes later can lose what is there. An event that is given again leaves the same state.
Ended runs are sealed by ``case_seal``; an interrupted one stays as it is, to be resumed or sealed as partial.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autoresearch.cases.events import (
    Event,
    LockWritten,
    RowJudged,
    RowSkipped,
    RowStarted,
    RunEnded,
    RunOpened,
)
from autoresearch.errors import InfrastructureError, InputError, RefusedError
from autoresearch.evidence.attempt_records import attempts
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.case_files import (
    TUNNEL,
    list_absent,
    lock_name,
    put_beside,
    put_command,
    take_row,
    wanted_files,
)
from autoresearch.evidence.case_rows import case_experiment, derive_case_row
from autoresearch.evidence.derived import lines_text, read_lock
from autoresearch.evidence.layout import (
    ARTIFACTS,
    CASE_ARTIFACTS,
    CASE_FOLDERS,
    FOLDERS,
    MANIFEST,
    SECTIONS,
    sidecar,
)
from autoresearch.evidence.manifest import ArtifactLayout, HashedPath, Live, Manifest, ManifestRow
from autoresearch.evidence.writer import BundleWriter, partial_path
from autoresearch.files import atomic_write_bytes, sha256_bytes, strict_json_loads
from autoresearch.findings import finding

LAYOUT = {**ARTIFACTS, **CASE_ARTIFACTS, **FOLDERS, **CASE_FOLDERS}


def now_text() -> str:
    """UTC with ``Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class CaseBundle:
    """Writes ``<artifact_root>/.<run_id>.partial/`` from the events of one run.

    Raises ``RefusedError``: V601 when the run id is taken, V602 when a lock is another than the one that is there.
    """

    def __init__(self, artifact_root: Path) -> None:
        self.artifact_root = artifact_root
        self._writer: BundleWriter | None = None

    @classmethod
    def open(cls, artifact_root: Path, run_id: str) -> CaseBundle:
        """The partial bundle of a run that went on before. Raises ``InputError`` when there is none."""
        target = artifact_root / run_id
        if not target.exists() and not partial_path(target).is_dir():
            raise InputError(f"no run {run_id} in {artifact_root}; its partial bundle would be {partial_path(target)}")
        found = cls(artifact_root)
        found._writer = BundleWriter.reopen(target)
        return found

    @property
    def writer(self) -> BundleWriter:
        """The open folder. Raises ``InputError`` before the run was opened."""
        if self._writer is None:
            raise InputError("no run was opened yet")
        return self._writer

    @property
    def root(self) -> Path:
        """The partial folder."""
        return self.writer.root

    @property
    def orchestration_log(self) -> Path:
        """Where the orchestrator's own log lines go; events are noted there too."""
        return self.root / SECTIONS["raw_logs"] / f"{self.writer.manifest.run_id}-orchestration.log"

    @property
    def progress(self) -> Path:
        """Where progress events go, one JSON a line."""
        return self.root / CASE_ARTIFACTS["progress"]

    def __call__(self, event: Event) -> None:
        """Take one event. Raises ``InfrastructureError`` when the folder cannot be written; what is in it stays."""
        try:
            self._take(event)
            self._note(event)
            self.save()
        except OSError as error:
            raise InfrastructureError(
                f"the bundle in {self.artifact_root} cannot be written: {error}; free space there, then go on with "
                "--resume, or bring home what the host holds with --collect-only"
            ) from error

    def _take(self, event: Event) -> None:
        if isinstance(event, RunOpened):
            self._open(event)
        elif isinstance(event, LockWritten):
            self._lock(event)
        elif isinstance(event, RowStarted):
            self._started(event)
        elif isinstance(event, RowJudged):
            self._judged(event)
        elif isinstance(event, RowSkipped):
            self._skipped(event)
        else:
            self._ended(event)

    def save(self, **changes: Any) -> None:
        """Replace the list of skipped files, then the manifest."""
        writer = self.writer
        writer.put_json(ARTIFACTS["skipped"], writer.skipped)
        writer.save_manifest(skipped=len(writer.skipped), **changes)

    def _open(self, event: RunOpened) -> None:
        target = self.artifact_root / event.run_id
        if event.resumed and (partial_path(target) / MANIFEST).is_file():
            self._writer = BundleWriter.reopen(target)
        else:  # without a manifest there is nothing in the folder yet
            self._writer = BundleWriter(target, _manifest(event), resume=event.resumed)
        run = self._run()
        run.update(
            schema_version=1,
            run_id=event.run_id,
            server=dict(event.server),
            settings=dict(event.settings),
            resumed=bool(run.get("resumed")) or event.resumed,
        )
        run.setdefault("readiness", dict(event.readiness))
        run.setdefault("ended", None)
        self.writer.put_json(CASE_ARTIFACTS["run"], run)

    def _run(self) -> dict[str, Any]:
        bundle = self.writer.bundle()
        content = bundle.json(bundle.path("run"))
        return content if isinstance(content, dict) else {}

    def _lock(self, event: LockWritten) -> None:
        name, data = lock_name(event), event.path.read_bytes()
        target = self.root / name
        there = sha256_bytes(target.read_bytes()) if target.is_file() else None
        for found, rule in (
            (sha256_bytes(data), "is not the sha256 that the run was told"),
            (there, "is in the bundle"),
        ):
            if found is not None and found != event.sha256:
                item = finding(
                    "V602",
                    place=name,
                    value=found,
                    rule=f"{rule}; the run's lock is {event.sha256}",
                    remedy="start a new run, or continue from the bundle that this run began with",
                )
                raise RefusedError(item.message(), [item])
        if there is None:
            atomic_write_bytes(target, data)
            target.chmod(0o444)
        if not (self.root / sidecar(name)).is_file():
            self.writer.put_text(sidecar(name), f"{event.sha256}  {target.name}\n")
        put_beside(self.writer, event.beside)
        if event.name == "provenance":
            environment = strict_json_loads(data.decode("utf-8")).get("environment") or {}
            server = self.writer.manifest.server
            self.writer.put_json(f"{FOLDERS['environments']}/{server}.json", {"server": server, **environment})
        locks = [each for each in self.writer.manifest.locks if each.path != name]
        locks.append(HashedPath(path=name, sha256=event.sha256))
        self.save(locks=[each.model_dump() for each in locks])

    def _started(self, event: RowStarted) -> None:
        run = self._run()
        names = {"display_name": event.display_name, "wandb_id": event.wandb_id}
        run["rows"] = {**(run.get("rows") or {}), event.row: names}
        self.writer.put_json(CASE_ARTIFACTS["run"], run)
        self._drop_skipped(event.case_id)

    def _drop_skipped(self, case_id: str) -> None:
        """A case that was skipped before is started after all."""
        rows = self.writer.manifest.rows
        kept = [each for each in rows if each.status != "skipped" or each.row.rpartition(".a")[0] != case_id]
        for each in rows:
            if each not in kept:
                (self.root / each.path / "row.json").unlink(missing_ok=True)
        self.save(rows=[each.model_dump() for each in kept])

    def _judged(self, event: RowJudged) -> None:
        writer = self.writer
        take_row(writer, event.row, event.files, event.left)
        folder = f"{FOLDERS['row_files']}/{event.row}"
        described = writer.bundle().json(writer.root / folder / "row.json")
        if not isinstance(described, dict):
            described = self._missing_row(event)
            writer.put_json(f"{folder}/row.json", described)
        put_command(writer, event.row, described)
        if event.tunnel or not (writer.root / folder / TUNNEL).is_file():
            writer.put_json(f"{folder}/{TUNNEL}", dict(event.tunnel))
        shown = described.get("telemetry")
        host = shown.get("host", True) if isinstance(shown, dict) else False
        list_absent(writer, event.row, wanted_files(writer.manifest.accelerator, writer.manifest.mode, bool(host)))
        self._put_row(event.row, event.judged.status)
        self._refresh(event.row)

    def _missing_row(self, event: RowJudged) -> dict[str, Any]:
        """What is known of an attempt whose ``row.json`` never came back from its host."""
        names = (self._run().get("rows") or {}).get(event.row, {})
        env = {"WANDB_RUN_ID": names.get("wandb_id"), "WANDB_NAME": names.get("display_name")}
        return {
            "schema_version": 1,
            "run_id": self.writer.manifest.run_id,
            "row": event.row,
            "case_id": event.case_id,
            "attempt": event.attempt,
            "argv": [],
            "env": {name: text for name, text in env.items() if text},
            "lock_sha256": self._config_digest(event.case_id),
            "reconstructed": "row.json did not come back from the host",
        }

    def _config_digest(self, case_id: str) -> str | None:
        from autoresearch.evidence.case_rows import plan_digest

        return plan_digest(self.writer.bundle(), case_id)

    def _put_row(self, row: str, status: str) -> None:
        rows = [each for each in self.writer.manifest.rows if each.row != row]
        entry = ManifestRow.model_validate({"row": row, "status": status, "path": f"{FOLDERS['row_files']}/{row}"})
        known = [each.row for each in self.writer.manifest.rows]
        rows.insert(known.index(row) if row in known else len(rows), entry)
        self.save(rows=[each.model_dump() for each in rows])

    def skip_case(self, case_id: str, reason: str) -> None:
        """A row for a planned case that was not started. One that has an attempt keeps it."""
        if any(
            each.row.rpartition(".a")[0] == case_id and each.status != "skipped" for each in self.writer.manifest.rows
        ):
            return
        row = f"{case_id}.a1"
        content = {
            "schema_version": 1,
            "run_id": self.writer.manifest.run_id,
            "row": row,
            "case_id": case_id,
            "attempt": 1,
            "skip_reason": reason,
            "lock_sha256": self._config_digest(case_id),
        }
        self.writer.put_json(f"{FOLDERS['row_files']}/{row}/row.json", content)
        self._put_row(row, "skipped")

    def _skipped(self, event: RowSkipped) -> None:
        self.skip_case(event.case_id, event.reason)
        self._refresh(f"{event.case_id}.a1")

    def _refresh(self, row: str) -> None:
        """Matrix line of a row, live counters, the hardware's mark and the experiment's result so far."""
        bundle = self.writer.bundle()
        lock = read_lock(bundle)
        lines = {f"{each.get('case_id')}.a{each.get('attempt')}": each for each in read_lines(bundle.path("matrix"))}
        for attempt in attempts(lock, [row]):
            lines[row] = derive_case_row(bundle, lock, attempt).model_dump(mode="json")
        order = [name for name in bundle.rows() if name in lines]
        self.writer.put_text(ARTIFACTS["matrix"], lines_text(lines[name] for name in order))
        self.save(**row_facts(bundle))
        self.save(experiment=case_experiment(self.writer.bundle(), lock).model_dump())

    def _ended(self, event: RunEnded) -> None:
        run = self._run()
        run["ended"] = {"state": event.state, "finished_at": event.finished_at, "experiment": dict(event.experiment)}
        self.writer.put_json(CASE_ARTIFACTS["run"], run)
        self.writer.put_json(ARTIFACTS["observed"], self._observed(event.observed))
        self.save(finished_at=event.finished_at)

    def _observed(self, observed: Mapping[str, Any]) -> dict[str, Any]:
        from autoresearch.evidence.observed import observed_content

        return observed_content(self.writer.bundle(), observed)

    def _note(self, event: Event) -> None:
        """One line of the orchestrator's log and one of its progress for each event."""
        kind = type(event).__name__
        about = getattr(event, "row", None) or getattr(event, "case_id", None) or getattr(event, "name", None)
        about = about or self.writer.manifest.run_id
        if isinstance(event, RowJudged):
            tail = event.judged.failure_class or event.judged.status
        elif isinstance(event, RowSkipped):
            tail = event.reason
        else:
            tail = event.state if isinstance(event, RunEnded) else ""
        stamp = now_text()
        with self.orchestration_log.open("a", encoding="utf-8") as handle:
            handle.write(f"{stamp} {kind} {about} {tail}".rstrip() + "\n")
        line = {"stage": "bundle", "ts": stamp, "level": "info", "message": kind, "about": about, "detail": tail}
        with self.progress.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(line, ensure_ascii=False) + "\n")


def row_facts(bundle: Bundle) -> dict[str, Any]:
    """What the manifest says of all rows together: live counters, and whether their hardware was a fake."""
    results = [bundle.json(bundle.row_folder(row) / "result.json") for row in bundle.rows()]
    known = [each for each in results if isinstance(each, dict)]
    pushes = [each.get("pushes") or {} for each in known]
    live = Live(
        pushes_ok=sum(int(each.get("ok") or 0) for each in pushes),
        pushes_failed=sum(int(each.get("failed") or 0) for each in pushes),
        wandb_synced=bundle.manifest.live.wandb_synced,
    )
    return {"live": live.model_dump(), "synthetic_hardware": any(bool(each.get("synthetic")) for each in known)}


def _manifest(event: RunOpened) -> Manifest:
    return Manifest(
        kind=event.kind,
        state="open",
        run_id=event.run_id,
        task=event.task,
        mode=event.mode,
        trainer_val_only=event.mode == "validation",
        started_at=event.created_at,
        finished_at=None,
        server=str(event.server.get("name") or "local"),
        accelerator=event.accelerator,
        synthetic_hardware=False,
        artifact_layout=ArtifactLayout(artifacts=dict(LAYOUT)),
    )
