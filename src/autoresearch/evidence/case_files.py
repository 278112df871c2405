"""Which raw file of an attempt goes where in the bundle of a formal case (formal-case.md 9.2).

Files are moved, not copied: what is in the bundle is the one copy on this machine. Moving may be interrupted and done
again, after another pull too.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from autoresearch.cases.events import LockWritten, RowFiles
from autoresearch.evidence.layout import ARTIFACTS, CASE_FOLDERS, FOLDERS, SECTIONS
from autoresearch.evidence.secrets import redact_environment
from autoresearch.evidence.wandb_runs import take_offline_runs
from autoresearch.evidence.writer import BundleWriter
from autoresearch.hosts.selection import NOT_PULLED, reason_to_leave
from autoresearch.telemetry.samplers import RAW_FILES

LOG_FILES = ("trainer.log", "log-index.jsonl", "launcher.log")
FACTS = ("row.json", "owner.json", "heartbeat.json", "events.jsonl", "result.json")
ABSENT = "the attempt left no such file"
HYDRA = ("hydra/.hydra/config.yaml", "hydra/config.yaml")
"""Where verl's composed configuration lies below an attempt's folder."""
TUNNEL = "tunnel.json"
"""What only this side knows of an attempt: tunnels, ports, the offset of the host's clock."""
PLAN_FILES = ("plan.json", "plan.sha256", "loop.yaml", "tools.yaml")
BESIDE = {
    "diffs": FOLDERS["diffs"],
    "verdicts": FOLDERS["verdicts"],
    "plan": FOLDERS["plans"],
    "environment": FOLDERS["environments"],
}
"""Name of the folder in which a file beside a lock lies -> its folder in the bundle."""
LOCK_ARTIFACTS = {"config": "config_lock", "provenance": "provenance_lock"}


def take_row(writer: BundleWriter, row: str, files: RowFiles, left: Iterable[Mapping[str, Any]]) -> None:
    """Move an attempt's files in and list what is not there, with its reason. Files that lie in the bundle already are
    left as they are.
    """
    folder, logs = f"{FOLDERS['row_files']}/{row}", f"{FOLDERS['row_logs']}/{row}"
    if files.folder == writer.root / folder:
        return
    for prefix in (f"{folder}/", f"{logs}/"):
        writer.forget_skipped(prefix)
    (writer.root / folder).mkdir(parents=True, exist_ok=True)
    (writer.root / logs).mkdir(parents=True, exist_ok=True)
    for each in left:
        writer.skip(f"{folder}/{each['path']}", each.get("bytes"), str(each["reason"]))
    for name in LOG_FILES:
        for source in (files.logs / name, files.folder / name):
            if source.is_file():
                writer.take_file(source, f"{logs}/{name}")
                break
    take_offline_runs(writer, files.folder / "wandb")
    if (files.folder / "wandb").is_dir():
        shutil.rmtree(files.folder / "wandb")
    for name in HYDRA:
        if (files.folder / name).is_file():
            writer.take_file(files.folder / name, f"{CASE_FOLDERS['effective']}/{row}.yaml")
            break
    if files.folder.is_dir():
        _take_rest(writer, files.folder, folder)


def _take_rest(writer: BundleWriter, source: Path, folder: str) -> None:
    """``row.json`` comes last: an attempt whose folder has it was taken whole."""
    for path in sorted(source.rglob("*"), key=lambda each: (each == source / "row.json", each)):
        if path.is_dir() and not path.is_symlink():
            continue
        relative = path.relative_to(source).as_posix()
        size = path.lstat().st_size
        reason = reason_to_leave(relative, size, exclude=tuple(NOT_PULLED))
        if reason is not None:
            writer.skip(f"{folder}/{relative}", size, reason)
        else:
            writer.take_file(path, f"{folder}/{relative}")


def wanted_files(accelerator: str, mode: str, host: bool) -> tuple[str, ...]:
    """Files that an attempt's folder should have; Ascend rows must have their raw ``npu-smi`` log."""
    samples = [RAW_FILES[accelerator]] if accelerator in RAW_FILES and accelerator != "host" else []
    records = ["metrics.jsonl"] if mode == "training" else []
    return (*FACTS, *records, *samples, *([RAW_FILES["host"]] if host else []))


def list_absent(writer: BundleWriter, row: str, wanted: Iterable[str]) -> None:
    """List the files of an attempt that are not in the bundle."""
    folder, logs = f"{FOLDERS['row_files']}/{row}", f"{FOLDERS['row_logs']}/{row}"
    listed = {each["path"] for each in writer.skipped}
    for name in [*(f"{folder}/{each}" for each in wanted), *(f"{logs}/{each}" for each in LOG_FILES)]:
        if name not in listed and not (writer.root / name).is_file():
            writer.skip(name, None, ABSENT)


def put_command(writer: BundleWriter, row: str, described: Mapping[str, Any]) -> None:
    """``command.json``: command line and environment as the host got them, secret values replaced."""
    command = {"argv": list(described.get("argv", [])), "env": redact_environment(described.get("env") or {})}
    writer.put_json(f"{FOLDERS['row_files']}/{row}/command.json", command)


def lock_name(event: LockWritten) -> str:
    """Where a lock lies in the bundle."""
    artifact = LOCK_ARTIFACTS.get(event.name)
    return ARTIFACTS[artifact] if artifact else f"{SECTIONS['config']}/{event.path.name}"


def put_beside(writer: BundleWriter, paths: Iterable[Path]) -> None:
    """Copy the files that belong to a lock: differences, the plan and its verdicts, package list, environment."""
    for path in paths:
        if path.is_dir():
            for each in sorted(path.rglob("*")):
                if each.is_file():
                    base = BESIDE.get(path.name, f"{SECTIONS['provenance']}/{path.name}")
                    writer.put_file(each, f"{base}/{each.relative_to(path).as_posix()}")
        else:
            writer.put_file(path, _place_of(path))


def _place_of(path: Path) -> str:
    if path.name == "packages.txt":
        return ARTIFACTS["packages"]
    if path.suffix == ".patch":
        return f"{FOLDERS['diffs']}/{path.name}"
    if path.name in PLAN_FILES:
        return f"{FOLDERS['plans']}/{path.name}"
    return f"{BESIDE.get(path.parent.name, SECTIONS['provenance'])}/{path.name}"
