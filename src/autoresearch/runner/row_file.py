"""``row.json`` as the runner reads it (formal-case.md 6.2): what to run, within which limits, on which devices.

The orchestrator writes the file once, by ``hosts.row_spec.RowSpec``. Here it is read again with the standard library;
a wrong or missing key is a ``RowFileError`` that names it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

GIB = 1 << 30
MIB = 1 << 20
SCRATCH = re.compile(r"^/tmp/ar-[0-9a-f]{10}$")
HASH = re.compile(r"^[0-9a-f]{64}$")


class RowFileError(ValueError):
    """``row.json`` cannot be run; the message names the key, the value and the rule."""


class Limits(NamedTuple):
    """Limits of one attempt. Seconds and bytes."""

    inner_timeout: float
    outer_timeout: float
    term_seconds: float = 20.0
    """Between TERM and KILL of the trainer's group."""
    log_bytes: int = 8 * GIB
    log_tail_bytes: int = GIB
    """Of ``log_bytes``, how much is kept from the end where the middle is left out."""
    ballast_bytes: int = 64 * MIB
    disk_floor_bytes: int = 16 * MIB
    """Free space below which the row is ended, before the trainer's records are torn."""
    free_wait_seconds: float = 60.0
    """How long the wanted devices may be busy before the start, and still held by us after the end."""
    heartbeat_seconds: float = 5.0
    index_seconds: float = 0.5


class Container(NamedTuple):
    """How the row's container is started, stopped, killed and asked; composed by ``hosts.containers``."""

    name: str
    run: tuple[str, ...]
    stop: tuple[str, ...]
    kill: tuple[str, ...]
    inspect: tuple[str, ...]
    remove: tuple[str, ...]
    wait: tuple[str, ...]
    logs: tuple[str, ...]
    reused: bool


class Telemetry(NamedTuple):
    """What is sampled and where it is pushed. ``push_url`` None: nothing is pushed."""

    interval_seconds: float = 0.5
    host: bool = True
    push_url: str | None = None
    wandb_project: str = ""
    wandb_run_name: str = ""


class Row(NamedTuple):
    """One attempt."""

    run_id: str
    row: str
    case_id: str
    attempt: int
    kind: str
    """``rl``, ``sft`` or ``none``: which records count as a step in the heartbeat."""
    server: str
    argv: tuple[str, ...]
    env: dict[str, str]
    limits: Limits
    accelerator: str
    devices: tuple[dict[str, Any], ...]
    container: Container | None
    telemetry: Telemetry
    scratch: tuple[str, ...]
    lock_sha256: str
    lock_path: str
    """Of the lock on this host; relative paths start at the row's folder."""


def _get(content: dict[str, Any], key: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
    if key not in content:
        if default is ...:
            raise RowFileError(f"row.json has no key {key!r}")
        return default
    value = content[key]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise RowFileError(f"row.json: {key} is {str(value)[:60]!r}, which is not of the kind that it must be")
    return value


def _texts(content: dict[str, Any], key: str, default: Any = ...) -> tuple[str, ...]:
    values = _get(content, key, list, default)
    if not all(isinstance(value, str) and "\0" not in value for value in values):
        raise RowFileError(f"row.json: {key} holds texts only")
    return tuple(values)


def _numbers(content: dict[str, Any], form: Any, key: str) -> Any:
    given = _get(content, key, dict)
    unknown = sorted(set(given) - set(form._fields))
    if unknown:
        raise RowFileError(f"row.json: {key} has the unknown key {unknown[0]!r}; legal are {', '.join(form._fields)}")
    try:
        return form(**given)
    except TypeError as error:
        raise RowFileError(f"row.json: {key}: {error}") from error


def _container(content: dict[str, Any]) -> Container | None:
    given = _get(content, "container", (dict, type(None)), None)
    if given is None:
        return None
    argvs = {key: _texts(given, key) for key in Container._fields if key not in ("name", "reused")}
    return Container(name=_get(given, "name", str), reused=_get(given, "reused", bool), **argvs)


def parse_row(content: Any) -> Row:
    """The attempt that a parsed ``row.json`` describes. Raises ``RowFileError``."""
    if not isinstance(content, dict):
        raise RowFileError("row.json is no JSON object")
    env = _get(content, "env", dict)
    if not all(isinstance(value, str) and "\0" not in value for value in env.values()):
        raise RowFileError("row.json: env holds texts only")
    argv = _texts(content, "argv")
    if not argv:
        raise RowFileError("row.json: argv is empty")
    scratch = _texts(content, "scratch", [])
    for path in scratch:
        if not SCRATCH.match(path):
            raise RowFileError(f"row.json: scratch {path!r} is not of the form /tmp/ar-<10 hex digits>")
    limits = _numbers(content, Limits, "limits")
    if not 0 < limits.inner_timeout < limits.outer_timeout:
        raise RowFileError("row.json: limits: 0 < inner_timeout < outer_timeout must hold")
    if not 0 <= limits.log_tail_bytes < limits.log_bytes:
        raise RowFileError("row.json: limits: 0 <= log_tail_bytes < log_bytes must hold")
    lock = _get(content, "lock_sha256", str)
    if not HASH.match(lock):
        raise RowFileError(f"row.json: lock_sha256 {lock[:70]!r} is not a sha256")
    return Row(
        run_id=_get(content, "run_id", str),
        row=_get(content, "row", str),
        case_id=_get(content, "case_id", str),
        attempt=_get(content, "attempt", int),
        kind=_get(content, "kind", str),
        server=_get(content, "server", str),
        argv=argv,
        env=dict(env),
        limits=limits,
        accelerator=_get(content, "accelerator", str),
        devices=tuple(_get(content, "devices", list)),
        container=_container(content),
        telemetry=_numbers(content, Telemetry, "telemetry"),
        scratch=scratch,
        lock_sha256=lock,
        lock_path=_get(content, "lock_path", str),
    )


def read_row(folder: Path) -> Row:
    """Read ``row.json`` of an attempt's folder. Raises ``RowFileError``."""
    try:
        content = json.loads((folder / "row.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RowFileError(f"row.json cannot be read: {error}") from error
    return parse_row(content)
