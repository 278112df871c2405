"""Role ``cleanup``: end what an attempt left behind, and nothing else (formal-case.md 6.5).

Ours are: the supervisor, the trainer and its session, named by ``owner.json`` with start ticks and boot id; processes
that inherited the attempt's token; the container of that name if it carries our run's label. What else holds a wanted
device is reported as foreign and left alone. Standard library only, Python 3.8 grammar.
"""

from __future__ import annotations

import json
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from autoresearch.runner.attempt_files import OWNER, RESULT, AttemptFiles
from autoresearch.runner.containers import ContainerWatch
from autoresearch.runner.occupancy import OccupancyError, device_key, holders
from autoresearch.runner.processes import Stat, boot_id, describe, end_processes, is_same, row_processes, stat_of
from autoresearch.runner.row_file import Row, RowFileError, read_row
from autoresearch.runner.supervise import BALLAST
from autoresearch.runner.telemetry_commands import row_labels
from autoresearch.runner.trainer_log import join_log
from autoresearch.telemetry.push import Pusher

RESULT_SECONDS = 30.0
"""How long a living supervisor may take to write its result after its trainer was ended."""


def read_owner(folder: Path) -> dict[str, Any] | None:
    """``owner.json``, or None when the attempt was never started or the file was cut."""
    try:
        content = json.loads((folder / OWNER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) and isinstance(content.get("supervisor_pid"), int) else None


def supervisor_of(owner: dict[str, Any]) -> Stat | None:
    """The supervisor, when it is alive: pid, start ticks and boot id agree."""
    if owner.get("boot_id") != boot_id() or not is_same(owner["supervisor_pid"], owner["start_ticks"]):
        return None
    return stat_of(owner["supervisor_pid"])


def _ours(owner: dict[str, Any], supervisor: Stat | None) -> list[Stat]:
    """Processes of the attempt except a living supervisor and its side processes.

    A session counts only while the leader that ``owner.json`` names is alive and the same: a number that was given to
    somebody else proves nothing. What has lost its leader is known by the token.
    """
    token = owner.get("token")
    if owner.get("boot_id") != boot_id() or not token:
        return []
    trainer, ticks = owner.get("trainer_pid"), owner.get("trainer_start_ticks")
    sessions = [trainer] if trainer is not None and ticks is not None and is_same(trainer, ticks) else []
    if supervisor is None and is_same(owner["supervisor_pid"], owner["start_ticks"]):
        sessions.append(owner["supervisor_pid"])
    return row_processes(token, sessions)


def clean_up(folder: Path) -> dict[str, Any]:
    """End the processes of an attempt; ``{"terminated": […], "killed": […], "foreign": […], "result": bool}``.

    A living supervisor first gets the chance to write its result once its trainer is gone.
    """
    owner = read_owner(folder)
    row: Row | None
    try:
        row = read_row(folder)
    except RowFileError:
        row = None
    done: dict[str, Any] = {"terminated": [], "killed": [], "foreign": []}
    if owner is not None:
        supervisor = supervisor_of(owner)
        _end_container(row)
        done.update(end_processes(lambda: _ours(owner, supervisor)))
        if supervisor is not None and not _await_result(folder, supervisor):
            for key, pids in end_processes(lambda: _ours(owner, None)).items():
                done[key].extend(pids)
        _tidy(folder, row)
        _delete_groups(row)
    done["foreign"] = _foreign(row, owner)
    done["result"] = (folder / RESULT).is_file()
    if owner is not None:
        AttemptFiles(folder).event("cleanup", **done)
    return done


def _await_result(folder: Path, supervisor: Stat) -> bool:
    deadline = time.monotonic() + RESULT_SECONDS
    while time.monotonic() < deadline:
        if not is_same(supervisor.pid, supervisor.start_ticks):
            return True
        time.sleep(0.1)
    return False


def _end_container(row: Row | None) -> None:
    if row is None or row.container is None:
        return
    watch = ContainerWatch(row)
    watch.kill()
    watch.remove()


def _tidy(folder: Path, row: Row | None) -> None:
    if (folder / BALLAST).exists():
        (folder / BALLAST).unlink()
    with suppress(OSError):  # a full disk: the segments stay beside the log
        join_log(folder)
    for path in row.scratch if row is not None else ():
        shutil.rmtree(path, ignore_errors=True)


def _delete_groups(row: Row | None) -> None:
    """A gateway keeps the last value for ever: the live groups go with the row (10.5)."""
    if row is not None and row.telemetry.push_url:
        Pusher(row.telemetry.push_url, row_labels(row)).delete()


def _foreign(row: Row | None, owner: dict[str, Any] | None) -> list[dict[str, Any]]:
    if row is None:
        return []
    wanted = {device_key(device) for device in row.devices}
    ours = {each.pid for each in _ours(owner, None)} if owner is not None else set()
    try:
        found = [each for each in holders(row.accelerator) if each.device in wanted and each.pid not in ours]
    except OccupancyError:
        return []
    return [{"device": each.device, **describe(each.pid, each.memory_mib)} for each in found]


def sweep(rows_of_all_runs: Path) -> dict[str, Any]:
    """End what attempts whose supervisor is gone left running, in every run below a ``runs`` folder.

    ``{"terminated": […], "killed": […], "foreign": [], "rows": [folder…]}``; an attempt with a living supervisor is
    somebody's running row and is not touched.
    """
    done: dict[str, Any] = {"terminated": [], "killed": [], "foreign": [], "rows": []}
    for path in sorted(rows_of_all_runs.glob(f"*/rows/*/{OWNER}")):
        owner = read_owner(path.parent)
        if owner is None or supervisor_of(owner) is not None or not _left_over(path.parent, owner):
            continue
        found = clean_up(path.parent)
        done["rows"].append(str(path.parent))
        for key in ("terminated", "killed"):
            done[key].extend(found[key])
    return done


def _left_over(folder: Path, owner: dict[str, Any]) -> bool:
    if _ours(owner, None):
        return True
    if not owner.get("container_name") or (folder / RESULT).is_file():
        return False
    try:
        return ContainerWatch(read_row(folder)).alive() is True
    except RowFileError:
        return False
