"""``formal-case-prometheus.json``: what was pushed, what the files hold, and what is missing (formal-case.md 10.5).

Missing (no sample anywhere) and not pushed (in the files, never taken by a gateway) are different things here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autoresearch.files import sha256_file
from autoresearch.telemetry.exposition import Written

NOTE = (
    "The files hold the history; a gateway keeps only the newest value, and its groups are deleted when a row ends. A "
    "metric that was not pushed may be present in the files; a missing one has no sample at all."
)
NOTHING_PUSHED = "Nothing was pushed: live views were no part of this run. "


def prometheus_note(
    folder: Path,
    written: Written,
    urls: Mapping[str, str],
    pushes: Mapping[str, Mapping[str, Any]],
    intervals: Mapping[str, Mapping[str, Any] | None],
) -> dict[str, Any]:
    """The content of the note for the files of ``folder``.

    ``pushes`` holds each row's ``push-status.json`` (empty where nothing was pushed), ``intervals`` each row's achieved
    interval in seconds as its statistics have it. Raises ``OSError`` when a file cannot be read.
    """
    pushed = sorted({name for status in pushes.values() for name in status.get("metrics", ())})
    counts = {
        row: {"ok": status.get("ok", 0), "failed": status.get("failed", 0), "first_error": status.get("first_error")}
        for row, status in pushes.items()
    }
    return {
        "urls": dict(urls),
        "groups": sorted({group for status in pushes.values() for group in status.get("groups", ())}),
        "pushes": counts,
        "metrics_pushed": pushed,
        "metrics_present": sorted(written.present),
        "metrics_not_pushed": sorted(set(written.present) - set(pushed)),
        "metrics_missing": [{"metric": name, "reason": why} for name, why in sorted(written.missing.items())],
        "achieved_interval_seconds": dict(intervals),
        "files": [
            {"path": name, "bytes": (folder / name).stat().st_size, "sha256": sha256_file(folder / name)}
            for name in written.files
        ],
        "note": NOTE if any(pushes.values()) else NOTHING_PUSHED + NOTE,
    }
