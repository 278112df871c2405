"""A host that is reachable and fails: a question without an answer, a cleanup or a pull that does not work
(formal-case.md 6.3, 18)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from stub_runs import Recorder, run_cases, stub_work
from test_run import ONE

from autoresearch.errors import InfrastructureError
from autoresearch.hosts.local import LocalHost


def test_a_question_that_the_host_cannot_answer_for_a_moment_ends_nothing(
    host: LocalHost, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0
    answer = host.read_many

    def short_of_memory(*words: Any, **more: Any) -> Any:
        nonlocal asked
        asked += 1
        if 3 <= asked <= 5:
            raise InfrastructureError("files cannot be read: fork: Cannot allocate memory")
        return answer(*words, **more)

    monkeypatch.setattr(host, "read_many", short_of_memory)
    seen = Recorder()
    ending = run_cases(host, stub_work(tmp_path, archive, {"wait": 1}), seen)
    assert seen.judged() == [(f"{ONE}.a1", "passed", None)] and ending.state == "finished" and asked > 5


def test_files_that_cannot_be_brought_leave_a_run_that_goes_on_later(
    host: LocalHost, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*words: Any, **more: Any) -> Any:
        raise InfrastructureError("the transfer ended: no such subsystem")

    with monkeypatch.context() as patch:
        patch.setattr(host, "get_tree", broken)
        seen = Recorder()
        ending = run_cases(host, stub_work(tmp_path, archive), seen)
    assert ending.state == "unreachable" and seen.kinds()[-1] == "RunEnded" and seen.judged() == []
    assert ending.message and "no such subsystem" in ending.message and "--resume" in ending.message
    again = Recorder()
    run_cases(host, stub_work(tmp_path, archive, resumed=True), again)
    assert again.judged() == [(f"{ONE}.a1", "passed", None)]
