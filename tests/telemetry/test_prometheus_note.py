"""The note of a run tells apart what was pushed, what is in the files, and what has no sample (formal-case.md 10.5)."""

from __future__ import annotations

from pathlib import Path

from test_exposition import T0, make_row

from autoresearch.files import sha256_file
from autoresearch.telemetry.exposition import HISTORY, write
from autoresearch.telemetry.prometheus_note import prometheus_note


def test_missing_and_not_pushed_are_two_lists(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    row = make_row(tmp_path, "case-a", T0, rounds=20)
    status = {
        "ok": 18,
        "failed": 2,
        "first_error": "PUT: timed out",
        "groups": ["/metrics/job/autoresearch/run_id/run-1"],
        "metrics": ["autoresearch_npu_hbm_used_mib"],
    }
    note = prometheus_note(out, write(out, [row]), {"pushgateway": "http://127.0.0.1:9091"}, {row.row: status}, {})
    assert note["pushes"] == {row.row: {"ok": 18, "failed": 2, "first_error": "PUT: timed out"}}
    assert note["metrics_pushed"] == ["autoresearch_npu_hbm_used_mib"]
    assert "autoresearch_npu_power_watts" in note["metrics_not_pushed"]
    missing = {each["metric"]: each["reason"] for each in note["metrics_missing"]}
    assert missing == {
        "autoresearch_npu_utilization_percent": "no sample",
        "autoresearch_machine_npu_utilization_percent": "no sample",
    }
    assert not set(missing) & set(note["metrics_not_pushed"])
    (history,) = [each for each in note["files"] if each["path"] == HISTORY]
    assert history["sha256"] == sha256_file(out / HISTORY)


def test_a_run_that_pushed_nothing_says_so_without_calling_anything_missing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    row = make_row(tmp_path, "case-a", T0, rounds=20)
    note = prometheus_note(out, write(out, [row]), {}, {row.row: {}}, {row.row: None})
    assert note["metrics_pushed"] == []
    assert note["metrics_not_pushed"] == note["metrics_present"]
    assert note["pushes"] == {row.row: {"ok": 0, "failed": 0, "first_error": None}}
