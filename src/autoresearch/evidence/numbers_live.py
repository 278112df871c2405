"""Numbers of the live views: pushes of each row, and its W&B run (formal-case.md 10.5, 11.2, 15.2 chapter 12)."""

from __future__ import annotations

from autoresearch.evidence.attempt_records import attempts
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.derived import started
from autoresearch.evidence.locks import ConfigLock
from autoresearch.evidence.report_data import ReportData


def add_live(data: ReportData, bundle: Bundle, lock: ConfigLock) -> None:
    """Pushes that were taken and refused, and whether each W&B run is whole."""
    name = bundle.name("wandb_runs")
    content = bundle.json(bundle.path("wandb_runs")) or {}
    runs = {str(each.get("row")): each for each in content.get("source_runs") or [] if isinstance(each, dict)}
    data.number("wandb.runs", len(runs), "count", "wandb.runs", name)
    whole = sum(each.get("whole") is True for each in runs.values())
    data.number("wandb.whole", whole, "count", "wandb.runs", name)
    note = bundle.json(bundle.path("prometheus_notes"))
    if isinstance(note, dict):
        for key in ("pushed", "present", "missing"):
            found = len(note.get(f"metrics_{key}") or [])
            data.number(f"live.{key}", found, "count", "live.metrics", bundle.name("prometheus_notes"))
    for attempt in started(bundle, attempts(lock, bundle.rows())):
        path = bundle.row_folder(attempt.row) / "result.json"
        result = bundle.json(path)
        pushes = result.get("pushes") if isinstance(result, dict) else None
        if isinstance(pushes, dict):
            for key in ("ok", "failed"):
                data.number(f"push.{attempt.row}.{key}", pushes.get(key), "count", "read", bundle.relative(path))
        run = runs.get(attempt.row)
        head = f"wandb.{attempt.row}"
        data.fact(f"{head}.there", run is not None, "read", name)
        if run is None:
            continue
        for key in ("history_steps", "record_steps"):
            data.number(f"{head}.{key}", run.get(key), "steps", "read", name)
        for key in ("whole", "synced", "damage", "sync_error", "display_name", "wandb_id", "path"):
            data.fact(f"{head}.{key}", run.get(key), "read", name)
