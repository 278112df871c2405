"""What ``result.json`` says: facts only (formal-case.md 6.2). Passed or failed is decided in ``cases/`` from the files.

Standard library only, Python 3.8 grammar.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from autoresearch.runner.attempt_files import RESULT
from autoresearch.runner.row_file import Row
from autoresearch.runner.trainer_log import LOG
from autoresearch.telemetry.npu_smi import SYNTHETIC_MARKER
from autoresearch.telemetry.samplers import RAW_FILES


def head_facts(row: Row, runner: Path) -> dict[str, Any]:
    """Who and what: names, lock and runner."""
    from autoresearch import __version__
    from autoresearch.files import sha256_file

    return {
        "schema_version": 1,
        "run_id": row.run_id,
        "row": row.row,
        "case_id": row.case_id,
        "attempt": row.attempt,
        "lock_sha256": row.lock_sha256,
        "runner": {"version": __version__, "sha256": sha256_file(runner) if runner.is_file() else None},
    }


def exit_facts(returncode: int | None) -> dict[str, int | None]:
    """``exit_code`` and ``signal`` of a child; both None when it never ran."""
    if returncode is None:
        return {"exit_code": None, "signal": None}
    if returncode < 0:
        return {"exit_code": None, "signal": -returncode}
    return {"exit_code": returncode, "signal": None}


def folder_sizes(folder: Path) -> dict[str, int]:
    """Files and bytes that the attempt left, links not followed; the ballast and ``result.json`` do not count."""
    files = size = 0
    for place, _, names in os.walk(str(folder)):
        for name in names:
            path = Path(place) / name
            if name in (".ballast", RESULT):
                continue
            try:
                size += path.lstat().st_size
                files += 1
            except OSError:
                continue
    return {"files": files, "bytes": size}


def is_synthetic(folder: Path) -> bool:
    """True when a fake program of the tests left its mark in the first MiB of samples or logs."""
    mark = SYNTHETIC_MARKER.encode()
    for name in (*RAW_FILES.values(), "launcher.log", LOG):
        try:
            with (folder / name).open("rb") as handle:
                if mark in handle.read(1 << 20):
                    return True
        except OSError:
            continue
    return False
