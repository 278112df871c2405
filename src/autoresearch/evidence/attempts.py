"""A run folder of training (training.md 5.9) taken apart: which of its files goes where in a bundle, and which stays
out and why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.evidence.layout import ARTIFACTS, FOLDERS
from autoresearch.evidence.secrets import redact_environment
from autoresearch.evidence.writer import BundleWriter
from autoresearch.files import read_json, sha256_file

LOG_FILES = ("trainer.log", "log-index.jsonl", "launcher.log")
ROW_FILES = ("metrics.jsonl", "host-samples.jsonl", "state.json", "heartbeat.json", "owner.json", "events.jsonl")
ROW_FOLDERS = ("transcripts", "rollouts", "validation")
PLAN_FILES = ("plan.json", "plan.sha256", "loop.yaml", "tools.yaml")
NEEDED = {"sft": ("metrics.jsonl", "host-samples.jsonl"), "rl": ("metrics.jsonl", "host-samples.jsonl", "transcripts")}
LEFT_OUT = {
    "checkpoints": "checkpoints stay where they were trained",
    "merged": "model weights stay where they were trained",
    "tokens": "rebuilt from the release; its hash is in the plan",
    "tensorboard": "the same values are in metrics.jsonl",
    "__pycache__": "compiled code",
}
NO_SUPERVISOR = "the local launcher keeps no such file"
ABSENT = {
    "heartbeat.json": NO_SUPERVISOR,
    "owner.json": NO_SUPERVISOR,
    "events.jsonl": NO_SUPERVISOR,
    "launcher.log": NO_SUPERVISOR,
}


@dataclass(frozen=True)
class RunFolder:
    """One run folder: its plan (None when unreadable), the plan's sha256 and its attempts ``01``, ``02``, … by
    number."""

    path: Path
    plan: dict[str, Any] | None
    plan_sha256: str
    attempts: tuple[tuple[int, Path], ...]

    @classmethod
    def read(cls, path: Path) -> RunFolder:
        """Read a run folder; a missing plan or attempt is no error here, the bundle's checks name it."""
        plan_path = path / "plan.json"
        plan = _document(plan_path) if plan_path.is_file() else None
        found = [(int(each.name), each) for each in sorted((path / "attempts").glob("*")) if each.name.isdigit()]
        digest = sha256_file(plan_path) if plan_path.is_file() else ""
        return cls(path, plan if isinstance(plan, dict) else None, digest, tuple(found))


def put_run_files(
    writer: BundleWriter, folders: Mapping[str, RunFolder | None], rl_skip_reason: str | None
) -> list[dict[str, str]]:
    """Copy the files of all runs; returns the manifest's rows (all ``failed`` until the matrix is derived)."""
    rows = []
    for case_id, run in folders.items():
        if run is None or not run.attempts:
            reason = rl_skip_reason or "not started"
            rows.append(_put_skipped(writer, f"{case_id}.a1", case_id, reason))
            continue
        for number, attempt in run.attempts:
            row = f"{case_id}.a{number}"
            _put_attempt(writer, row, case_id, run, attempt)
            if number == run.attempts[-1][0]:
                _put_shared(writer, row, run)
            rows.append({"row": row, "status": "failed", "path": f"{FOLDERS['row_files']}/{row}"})
    return rows


def _lock_digest(writer: BundleWriter) -> str:
    return sha256_file(writer.root / ARTIFACTS["config_lock"])


def _put_skipped(writer: BundleWriter, row: str, case_id: str, reason: str) -> dict[str, str]:
    folder = f"{FOLDERS['row_files']}/{row}"
    content = {
        "schema_version": 1,
        "run_id": writer.manifest.run_id,
        "row": row,
        "case_id": case_id,
        "attempt": 1,
        "skip_reason": reason,
        "lock_sha256": _lock_digest(writer),
    }
    writer.put_json(f"{folder}/row.json", content)
    return {"row": row, "status": "skipped", "path": folder}


def _put_attempt(writer: BundleWriter, row: str, case_id: str, run: RunFolder, attempt: Path) -> None:
    folder, logs = f"{FOLDERS['row_files']}/{row}", f"{FOLDERS['row_logs']}/{row}"
    for name in LOG_FILES:
        writer.put_file(attempt / name, f"{logs}/{name}", ABSENT.get(name, "not written by this run"))
    for name in ROW_FILES:
        writer.put_file(attempt / name, f"{folder}/{name}", ABSENT.get(name, "not written by this run"))
    writer.put_file(attempt / "environment.json", f"{FOLDERS['environments']}/{row}.json")
    for name in PLAN_FILES:
        if (run.path / name).is_file() or name.startswith("plan"):
            writer.put_file(run.path / name, f"{FOLDERS['plans']}/{row}/{name}")
    plan = run.plan or {}
    algorithm = plan.get("algorithm", case_id)
    command = {"argv": list(plan.get("argv", [])), "env": redact_environment(plan.get("environment", {}))}
    writer.put_json(f"{folder}/command.json", command)
    content = {
        "schema_version": 1,
        "run_id": writer.manifest.run_id,
        "row": row,
        "case_id": case_id,
        "attempt": int(row.rpartition(".a")[2]),
        "stage": "single",
        "task": f"field-{algorithm}",
        "purpose": plan.get("purpose"),
        "skip_reason": None,
        **command,
        "plan": {"path": f"{FOLDERS['plans']}/{row}/plan.json", "sha256": run.plan_sha256},
        "limits": plan.get("limits", {}),
        "devices": [],
        "container": None,
        "lock_sha256": _lock_digest(writer),
    }
    writer.put_json(f"{folder}/row.json", content)
    known = {*LOG_FILES, *ROW_FILES, "environment.json"}
    _put_rest(writer, attempt, f"{folder}/attempt", known, f"{row}/attempts/{attempt.name}")


def _put_shared(writer: BundleWriter, row: str, run: RunFolder) -> None:
    """Files that lie beside the attempts: the result (wrapped with the lock's hash), dumps, the signal and the rest."""
    folder = f"{FOLDERS['row_files']}/{row}"
    result = run.path / "result.json"
    if result.is_file():
        content = {
            "schema_version": 1,
            "run_id": writer.manifest.run_id,
            "row": row,
            "lock_sha256": _lock_digest(writer),
            "result_sha256": sha256_file(result),
            "result": _document(result),
        }
        writer.put_json(f"{folder}/result.json", content)
    else:
        writer.skip(f"{folder}/result.json", None, "the run ended without a result")
    if row.startswith("rl"):
        writer.put_file(run.path / "signal.jsonl", f"{folder}/signal.jsonl")
        for name in ROW_FOLDERS:
            writer.put_tree(run.path / name, f"{folder}/{name}")
    known = {*PLAN_FILES, "result.json", "attempts", "verdicts"}
    if row.startswith("rl"):
        known |= {"signal.jsonl", *ROW_FOLDERS}
    _put_verdict_copies(writer, row, run)
    _put_rest(writer, run.path, f"{folder}/run", known, row)


def _document(path: Path) -> object:
    """A JSON document, or None when it was cut in the middle."""
    try:
        return read_json(path)
    except ValueError:
        return None


def _put_verdict_copies(writer: BundleWriter, row: str, run: RunFolder) -> None:
    for path in sorted((run.path / "verdicts").glob("*.json")):
        writer.put_file(path, f"{FOLDERS['verdicts']}/{row}/{path.name}")


def _put_rest(writer: BundleWriter, source: Path, target: str, known: set[str], shown: str) -> None:
    """Whatever else lies there: heavy folders are listed file by file as left out, the others are copied."""
    for path in sorted(source.rglob("*")):
        relative = path.relative_to(source)
        if not path.is_file() or relative.parts[0] in known:
            continue
        reason = next((LEFT_OUT[part] for part in relative.parts[:-1] if part in LEFT_OUT), None)
        if reason is not None:
            writer.skip(f"{shown}/{relative.as_posix()}", path.lstat().st_size, reason)
        else:
            writer.put_file(path, f"{target}/{relative.as_posix()}")
