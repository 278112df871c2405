"""What the interpreter of a launch is asked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autoresearch.training.probe import unusable_trl


@pytest.fixture(autouse=True)
def no_trace_of_trl() -> Iterator[None]:
    yield
    sys.modules.pop("trl", None)  # verl asks whether it is there


def installed(folder: Path, name: str, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution named trl on the path, with ``body`` as its module."""
    (folder / "trl.py").write_text(body, encoding="utf-8")
    (folder / f"trl-{name}.dist-info").mkdir()
    (folder / f"trl-{name}.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: trl\nVersion: {name}\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "trl", raising=False)


def test_a_trl_without_the_class_that_verl_imports_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, "1.16.0", "", monkeypatch)
    assert unusable_trl() == "1.16.0"


def test_a_trl_that_has_the_class_is_no_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, "0.9.0", "class AutoModelForCausalLMWithValueHead: pass\n", monkeypatch)
    assert unusable_trl() == ""
