"""The disk here is full at every place where the run writes (formal-case.md 18, fault 7)."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest
from stub_runs import Recorder, run_cases, stub_work
from test_run import ONE

from autoresearch.cases import attempt
from autoresearch.hosts import rows
from autoresearch.hosts.local import LocalHost


@pytest.mark.parametrize("place", ["files on their way", "what was seen of a row", "files of a row"])
def test_fault_7_wherever_the_disk_is_full_the_run_stops_in_words_and_goes_on_later(
    host: LocalHost, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def full(*words: object, **more: object) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    write_text = Path.write_text

    def full_below_sent(path: Path, *words: Any, **more: Any) -> Any:
        return full() if ".sent" in path.parts else write_text(path, *words, **more)

    command = "--resume" if place == "files on their way" else "--collect-only"
    with monkeypatch.context() as patch:
        if place == "files on their way":
            patch.setattr(rows.Path, "write_text", full_below_sent)
        elif place == "what was seen of a row":
            patch.setattr(attempt, "write_json", full)
        else:
            patch.setattr(host, "get_tree", full)
        seen = Recorder()
        ending = run_cases(host, stub_work(tmp_path, archive), seen)
    assert ending.state != "finished" and seen.judged() == []
    assert ending.message and "No space left on device" in ending.message and command in ending.message
    again = Recorder()
    run_cases(host, stub_work(tmp_path, archive, resumed=True), again)
    assert again.judged() == [(f"{ONE}.a1", "passed", None)]
