"""The writer of a case's bundle is killed at every write: the same events again leave the same bundle
(formal-case.md 9.1, 18: fault 2)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from case_world import CaseWorld, RowPlan, case_name
from test_case_bundle import state

from autoresearch import files
from autoresearch.cases.judge import judge
from autoresearch.evidence.case_bundle import CaseBundle


class Killed(BaseException):
    """The process is gone."""


@contextmanager
def killed_at(write: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Nothing is written from that write on; gives the number of writes."""
    counted = [0]
    whole = files.replacing

    @contextmanager
    def replacing(path: Path) -> Iterator[Path]:
        counted[0] += 1
        if counted[0] >= write > 0:
            raise Killed
        with whole(path) as scratch:
            yield scratch

    with monkeypatch.context() as patch:
        patch.setattr(files, "replacing", replacing)
        yield counted


def test_fault_2_wherever_the_writer_of_a_bundle_is_killed_the_same_events_complete_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [RowPlan(case_name(1), samples=False)]

    def events(place: Path) -> list[Any]:
        world = CaseWorld(place, rows, accelerator="cpu")
        return [world.opened(), *world.locks(), *world.row_events(rows[0], judge), world.ended()]

    whole = CaseBundle(tmp_path / "whole")
    with killed_at(0, monkeypatch) as counted:
        for event in events(tmp_path / "world"):
            whole(event)
    wanted = state(whole.root)
    assert counted[0] > 20
    for write in [*range(1, 14), *range(14, counted[0] + 1, 5)]:
        given = events(tmp_path / f"world-{write}")
        artifacts = tmp_path / f"killed-{write}"
        with killed_at(write, monkeypatch), pytest.raises(Killed):
            case = CaseBundle(artifacts)
            for event in given:
                case(event)
        case = CaseBundle(artifacts)
        for event in [replace(given[0], resumed=True), *given[1:]]:
            case(event)
        found = state(case.root)
        different = {name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name)}
        assert different <= {"5-provenance/run.json"}, (write, different)
