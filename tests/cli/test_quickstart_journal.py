"""The quickstart's journal: what is done stays done, other settings are refused, interrupted work is set aside."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoresearch.cli.quickstart.journal import Journal, set_aside
from autoresearch.errors import RefusedError


def test_a_second_start_does_not_repeat_a_finished_step(tmp_path: Path) -> None:
    calls: list[str] = []

    def work() -> dict[str, str]:
        calls.append("x")
        return {"made": "it"}

    assert Journal(tmp_path, {"seed": 1}).run("a", work) == {"made": "it"}
    again = Journal(tmp_path, {"seed": 1})
    assert again.run("a", work) == {"made": "it"}
    assert calls == ["x"]
    assert list(again.seconds()) == ["a"]


def test_a_step_that_was_interrupted_is_not_done(tmp_path: Path) -> None:
    def stopped() -> dict[str, str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Journal(tmp_path, {}).run("a", stopped)
    assert Journal(tmp_path, {}).run("a", lambda: {"second": "start"}) == {"second": "start"}


def test_a_folder_begun_with_other_settings_is_refused(tmp_path: Path) -> None:
    Journal(tmp_path, {"seed": 1})
    with pytest.raises(RefusedError, match="begun with seed 1"):
        Journal(tmp_path, {"seed": 2})


def test_interrupted_work_is_kept_beside(tmp_path: Path) -> None:
    for text in ("first", "second"):
        (tmp_path / "run").mkdir()
        (tmp_path / "run" / "x").write_text(text)
        set_aside(tmp_path / "run")
    set_aside(tmp_path / "run")
    assert {path.name: (path / "x").read_text() for path in tmp_path.iterdir()} == {
        "run.interrupted-1": "first",
        "run.interrupted-2": "second",
    }
