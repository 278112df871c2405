"""A GRPO plan of the eight-leaf fixture, and configs of cases that run it."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_calls import STUB, CaseFile


@pytest.fixture(scope="session")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GRPO plan of the eight-leaf fixture."""
    from made_field_plans import FieldWorld

    return FieldWorld(tmp_path_factory.mktemp("world")).rl_plan("rl")


@pytest.fixture
def write_config(plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CaseFile:
    """Writes a config that keeps everything below ``tmp_path``."""
    monkeypatch.setenv("PYTHONPATH", str(STUB))
    return CaseFile(tmp_path, plan)
