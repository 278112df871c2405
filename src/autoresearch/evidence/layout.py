"""Names inside a bundle (formal-case.md 9.2). Writers use these; readers go through the ``artifact_layout`` of the
manifest.
"""

from __future__ import annotations

LAYOUT_VERSION = 1
MANIFEST = "manifest.json"
CHECKSUMS = "SHA256SUMS"
SIGNATURE = "SHA256SUMS.sig"
UNLISTED = (CHECKSUMS, SIGNATURE)
"""Files that ``SHA256SUMS`` does not list."""

SECTIONS = {
    "report": "0-report",
    "wandb": "1-wandb",
    "prometheus": "2-prometheus",
    "raw_logs": "3-raw-logs",
    "config": "4-config",
    "provenance": "5-provenance",
    "rows": "6-rows",
    "restore": "restore",
}

ARTIFACTS = {
    "report": "0-report/report.html",
    "report_data": "0-report/report-data.json",
    "report_check": "0-report/check.json",
    "wandb_runs": "1-wandb/source-runs.json",
    "telemetry": "2-prometheus/telemetry-openmetrics.prom",
    "telemetry_table": "2-prometheus/telemetry.parquet",
    "host_latest": "2-prometheus/host-resource-openmetrics.prom",
    "experiment_cases": "2-prometheus/experiment-cases-openmetrics.prom",
    "prometheus_notes": "2-prometheus/formal-case-prometheus.json",
    "config_lock": "4-config/config.lock.json",
    "provenance_lock": "5-provenance/provenance.lock.json",
    "observed": "5-provenance/observed.json",
    "packages": "5-provenance/packages.txt",
    "matrix": "6-rows/matrix-results.jsonl",
    "stage_timings": "6-rows/stage-timings.jsonl",
    "steps": "6-rows/steps.jsonl",
    "verify": "restore/verify.sh",
    "render_report": "restore/render-report.sh",
    "rebuild_all": "restore/rebuild-all.sh",
    "skipped": "skipped-files.json",
    "readme": "README.md",
    "crate": "ro-crate-metadata.json",
}

FOLDERS = {
    "plans": "4-config/plan",
    "verdicts": "5-provenance/verdicts",
    "data_reports": "5-provenance/data",
    "environments": "5-provenance/environment",
    "diffs": "5-provenance/diffs",
    "row_logs": "3-raw-logs/cases",
    "row_files": "6-rows/cases",
    "evaluation": "6-rows/evaluation",
}
"""Folders that hold a varying number of files; they stand in the manifest's ``artifact_layout.artifacts`` beside the
files.
"""

CASE_ARTIFACTS = {
    "run": "5-provenance/run.json",
    "wandb_pages": "1-wandb/runs.json",
    "rebuild_wandb": "1-wandb/rebuild-wandb.sh",
    "replay_wandb": "1-wandb/replay_log_history.py",
    "telemetry_latest": "2-prometheus/telemetry-latest-openmetrics.prom",
    "machine_latest": "2-prometheus/machine-latest-openmetrics.prom",
    "progress": "3-raw-logs/progress.jsonl",
    "replay_prometheus": "restore/replay-prometheus.sh",
    "rebuild_environment": "restore/rebuild-environment.sh",
}
"""What the bundle of a formal case has beside ``ARTIFACTS``; one that a run did not leave is listed as skipped."""
CASE_FOLDERS = {"source_runs": "1-wandb/source-runs", "effective": "4-config/effective", "config": "4-config"}


def sidecar(path: str) -> str:
    """Where the sha256 of a lock lies."""
    return path + ".sha256"
