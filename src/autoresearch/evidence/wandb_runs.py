"""The W&B runs of a bundle: which offline run belongs to which attempt, and whether it is whole (formal-case.md 11.2).

The SDK is needed to look into a record file. Without it everything else is still written and checked; what only the
SDK can tell is null.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from autoresearch.evidence import wandb_records
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.layout import ARTIFACTS, SECTIONS
from autoresearch.evidence.wandb_records import OfflineRun, read_offline_run
from autoresearch.evidence.writer import BundleWriter
from autoresearch.files import tree_sha256
from autoresearch.findings import Finding, finding
from autoresearch.training import steps as step_records
from autoresearch.training.steps import parse_log, parse_metrics

RUN_FOLDERS = "offline-run-*"
RESTORE = f"bash {SECTIONS['wandb']}/rebuild-wandb.sh"
NO_SDK = "the wandb SDK is not installed: pip install wandb; the record files were not looked into"
SCRIPTS = Path(__file__).with_name("scripts")


class SourceRun(BaseModel):
    """One offline run as it lies in the bundle."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    offline_run: str
    path: str
    wandb_id: str
    display_name: str | None
    row: str
    case_id: str
    attempt: int
    history_steps: int | None
    """Distinct steps in the run's history; null when the SDK was not there to look."""
    record_steps: int
    """Distinct steps in verl's own records."""
    whole: bool | None
    """The exit record is there and no step is missing."""
    damage: str | None = None
    """Where the record file ends early."""
    tree_sha256: str
    synced: bool = False
    sync_error: str | None = None


class SourceRuns(BaseModel):
    """``1-wandb/source-runs.json``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    project: str | None
    entity: str | None = None
    restore_command: str | None
    source_runs: list[SourceRun]


def has_sdk() -> bool:
    """Whether record files can be looked into here."""
    return importlib.util.find_spec("wandb") is not None


def take_offline_runs(writer: BundleWriter, source: Path) -> list[str]:
    """Move the offline runs of an attempt's ``wandb`` folder into the bundle; their names. What is no file is listed.

    May be repeated: a run that is pulled again replaces the one taken before.
    """
    taken = []
    for folder in sorted(source.glob(RUN_FOLDERS)):
        if not folder.is_dir() or folder.is_symlink():
            continue
        name = f"{SECTIONS['wandb']}/source-runs/{folder.name}"
        for path in sorted(folder.rglob("*")):
            if path.is_symlink():
                writer.skip(f"{name}/{path.relative_to(folder).as_posix()}", None, "a link")
                path.unlink()
        target = writer.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(target, ignore_errors=True)
        shutil.move(folder, target)
        taken.append(folder.name)
    return taken


def run_files(bundle: Bundle) -> list[Path]:
    """The folders of all offline runs, by name."""
    return sorted(path for path in bundle.path("source_runs").glob(RUN_FOLDERS) if path.is_dir())


def _look(folder: Path) -> OfflineRun | None:
    files = sorted(folder.glob("*.wandb"))
    if not files or not has_sdk():
        return None
    return read_offline_run(files[0])


def record_steps(bundle: Bundle, row: str) -> set[int]:
    """Distinct steps of verl's own records: the metrics file, or the log where that has none."""
    metrics, log = bundle.row_folder(row) / "metrics.jsonl", bundle.log_folder(row) / "trainer.log"
    records = parse_metrics(metrics.read_bytes()).records if metrics.is_file() else ()
    if not records and log.is_file():
        records = parse_log(log.read_bytes()).records
    return {record.step for record in records}


def _rows_by_id(bundle: Bundle) -> dict[str, tuple[str, dict[str, Any]]]:
    """W&B id -> attempt and its ``row.json``."""
    found = {}
    for row in bundle.rows():
        described = bundle.json(bundle.row_folder(row) / "row.json")
        env = described.get("env") if isinstance(described, dict) else None
        if isinstance(env, dict) and env.get("WANDB_RUN_ID"):
            found[str(env["WANDB_RUN_ID"])] = (row, described)
    return found


def describe_runs(bundle: Bundle, sync: dict[str, str | None] | None = None) -> SourceRuns:
    """``source-runs.json`` from the folders, the rows' files and the record files. ``sync``: W&B id -> null when it was
    uploaded, else why not.
    """
    rows = _rows_by_id(bundle)
    project = next((row["env"].get("WANDB_PROJECT") for _, row in rows.values()), None)
    found = []
    for folder in run_files(bundle):
        wandb_id = folder.name.rpartition("-")[2]
        row, described = rows.get(wandb_id, (None, None))
        if row is None or described is None:
            continue
        seen, steps = _look(folder), record_steps(bundle, row)
        outcome = (sync or {}).get(wandb_id, "not uploaded")
        found.append(
            SourceRun(
                offline_run=folder.name,
                path=bundle.relative(folder),
                wandb_id=wandb_id,
                display_name=described["env"].get("WANDB_NAME"),
                row=row,
                case_id=row.rpartition(".a")[0],
                attempt=int(row.rpartition(".a")[2]),
                history_steps=len(seen.steps) if seen else None,
                record_steps=len(steps),
                whole=is_whole(seen, steps),
                damage=seen.damage if seen else None,
                tree_sha256=tree_sha256(folder),
                synced=outcome is None,
                sync_error=outcome if sync and wandb_id in sync else None,
            )
        )
    return SourceRuns(project=project, restore_command=RESTORE if found else None, source_runs=found)


def is_whole(seen: OfflineRun | None, steps: set[int]) -> bool | None:
    """Whether a run may be called whole; null when nobody could look."""
    if seen is None:
        return None if not has_sdk() else False
    return seen.exited and seen.damage is None and steps <= set(seen.steps)


def write_wandb(writer: BundleWriter, sync: dict[str, str | None] | None = None, pages: Sequence[Any] = ()) -> None:
    """Write ``source-runs.json``, ``runs.json``, scripts and their README. ``pages``: of runs that were uploaded."""
    runs = describe_runs(writer.bundle(), sync)
    writer.put_json(ARTIFACTS["wandb_runs"], runs.model_dump(mode="json"))
    folder = SECTIONS["wandb"]
    writer.put_json(f"{folder}/runs.json", list(pages))
    for name in ("rebuild-wandb.sh", "replay_log_history.py"):
        writer.put_text(f"{folder}/{name}", (SCRIPTS / name).read_text(encoding="utf-8"), executable=True)
    readers = {"wandb_records.py": wandb_records.__file__, "verl_steps.py": step_records.__file__}
    for name, path in readers.items():
        writer.put_text(f"{folder}/{name}", Path(path).read_text(encoding="utf-8"))
    writer.put_text(f"{folder}/README.md", (SCRIPTS / "wandb-readme.md").read_text(encoding="utf-8"))


def check_runs(bundle: Bundle) -> tuple[int, tuple[Finding, ...], str]:
    """The ``wandb`` check of 9.6: number of runs looked at, findings (V616), and a note where nothing could be."""
    recorded = SourceRuns.model_validate(bundle.json(bundle.path("wandb_runs")))
    runs = {run.path: run for run in recorded.source_runs}
    found = [
        _bad(bundle.relative(folder), "not listed", f"{bundle.name('wandb_runs')} lists every offline run")
        for folder in (run_files(bundle) if "source_runs" in bundle.manifest.artifact_layout.artifacts else [])
        if bundle.relative(folder) not in runs
    ]
    for run in recorded.source_runs:
        found += _check_run(bundle, run)
    note = "" if runs else "W&B was not used"
    return len(runs), tuple(found), NO_SDK if runs and not has_sdk() else note


def _check_run(bundle: Bundle, run: SourceRun) -> Iterator[Finding]:
    folder, steps = bundle.root / run.path, record_steps(bundle, run.row)
    if not folder.is_dir():
        yield _bad(run.path, "missing", f"{bundle.name('wandb_runs')} lists it")
        return
    if tree_sha256(folder) != run.tree_sha256:
        yield _bad(run.path, "another content", f"its tree hash is {run.tree_sha256}")
    if run.record_steps != len(steps):
        yield _bad(run.path, f"record_steps {run.record_steps}", f"the records of {run.row} have {len(steps)} steps")
    if not has_sdk():
        return
    seen = _look(folder)
    counted = None if seen is None else len(seen.steps)
    if run.history_steps is not None and run.history_steps != counted:
        yield _bad(run.path, f"history_steps {run.history_steps}", f"the record file has {counted}")
    if run.whole and (seen is None or not seen.exited or set(seen.steps) != steps):
        rule = f"a whole run has the {len(steps)} steps of the records of {run.row} and an exit record"
        yield _bad(run.path, f"{counted} steps", rule)


def _bad(place: str, value: str, rule: str) -> Finding:
    return finding("V616", place=place, value=value, rule=rule, remedy="one of the two was changed after sealing")
