"""What facts of an attempt tell beside its class, and that no content of them raises (formal-case.md 13.2, 20.1)."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stub_runs import Recorder, run_cases, stub_work
from test_judge import Folder, whole

from autoresearch.cases.classify import classes
from autoresearch.cases.events import RowJudged
from autoresearch.hosts import rows
from autoresearch.hosts.local import LocalHost
from autoresearch.hosts.state import State

HOLDER = {"device": "0:0", "pid": 8112, "user": "trainer", "command": "python3", "memory_mib": 3}
ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-300, 300) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["reason", "holders", "cgroup"]), inner)
    ),
    max_leaves=4,
)
RESULT = ["exit_code", "signal", "limit", "refused", "container", "log", "oom_kills", "devices_still_held"]
SEEN = ["state", "message", "outer_limit_hit", "stalled_seconds", "cleanup"]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_still_heartbeat_a_kept_device_and_a_stranger_are_findings_of_the_row(folder: Folder) -> None:
    kept = whole(folder).result(devices_still_held=[HOLDER]).seen(state="finished", stalled_seconds=90).judge()
    assert kept.status == "passed"
    assert [(item.code, item.value) for item in kept.findings] == [
        ("V331", "90 s"),
        ("V332", "python3 (pid 8112, user trainer)"),
    ]
    refused = {"reason": "resource_busy", "message": "held", "holders": [HOLDER]}
    busy = folder.result(exit_code=None, refused=refused).seen(state="finished").judge()
    assert busy.failure_class == "resource_busy"
    assert [(item.code, item.place.rpartition(": ")[2]) for item in busy.findings] == [("V333", "device 0:0")]


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(RESULT), ODD), st.dictionaries(st.sampled_from(SEEN), ODD))
def test_facts_of_any_form_are_judged(result: dict[str, Any], seen: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = whole(Folder(Path(place)))
        (folder.path / "result.json").write_text(json.dumps(result))
        judged = folder.seen(**seen).judge()
    assert judged.failure_class is None or judged.failure_class in {each.id for each in classes()}


def test_a_supervisor_that_is_silent_for_a_minute_is_told_and_its_row_is_not_ended(
    host: LocalHost, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = rows.RowWatch.look

    def silent(watch: rows.RowWatch) -> State:
        """What it looks like when nothing was written for one and a half minutes."""
        state = look(watch)
        seen = replace(state.seen, still_seconds=90.5)
        return replace(state, name="stalled", seen=seen) if state.name == "running" else state

    monkeypatch.setattr(rows.RowWatch, "look", silent)
    recorder = Recorder()
    run_cases(host, stub_work(tmp_path, archive, {"wait": 1}), recorder)
    (judged,) = [event.judged for event in recorder.events if isinstance(event, RowJudged)]
    assert judged.status == "passed" and [(item.code, item.value) for item in judged.findings] == [("V331", "90 s")]
