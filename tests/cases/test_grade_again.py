"""Dumps graded again by verl's own reward, in a process with a limit (formal-case.md 14)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("verl", reason="verl's own reward grades")
pytest.importorskip("PIL.Image", reason="Pillow draws the pictures of these tests")

from geo3k_world import grader

from autoresearch.cases import grade_again as module
from autoresearch.cases.geo3k_data import unboxed, wrapped
from autoresearch.cases.grade_again import grade_again


@pytest.fixture(autouse=True)
def graded() -> Iterator[None]:
    """mathruler, or what takes its place."""
    with grader():
        yield


def dump(path: Path, *lines: tuple[str, float | None]) -> Path:
    """A dump of outputs with their recorded scores; the truth is always 7."""
    text = "".join(json.dumps({"output": output, "gts": "7", "score": score}) + "\n" for output, score in lines)
    path.write_text(text, encoding="utf-8")
    return path


def test_lines_whose_recorded_score_is_another_are_found_and_counted(tmp_path: Path) -> None:
    good = dump(tmp_path / "0.jsonl", (wrapped("7"), 1.0), (unboxed("7"), 0.0), (wrapped("8"), 0.1))
    bad = dump(tmp_path / "1.jsonl", (wrapped("7"), 0.9), *[(unboxed("7"), 1.0)] * 3, (wrapped("7"), None))
    found = grade_again({"a/0": good, "a/1": bad})
    assert found.as_dict() == {"lines": 8, "different": 5, "reason": None}
    assert [(item.code, item.place) for item in found.findings] == [
        ("V510", "a/1, line 1"),
        ("V510", "a/1, line 2"),
        ("V510", "a/1, line 3"),
        ("V510", "a/1"),
    ]


def test_a_grader_that_takes_too_long_is_ended_and_told(tmp_path: Path) -> None:
    found = grade_again({"a/0": dump(tmp_path / "0.jsonl", (wrapped("7"), 1.0))}, seconds=0.0)
    assert found.reason == "stopped after 0 s: 0 of 1 dumps were graded" and found.findings == ()


def test_without_the_reward_nothing_is_graded_and_the_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent() -> None:
        raise module.MissingPackageError("mathruler", "geo3k")

    monkeypatch.setattr(module, "load_scorer", absent)
    found = grade_again({"a/0": dump(tmp_path / "0.jsonl", (wrapped("7"), 0.0))})
    assert found.lines == 0 and found.reason is not None and "autoresearch[geo3k]" in found.reason
