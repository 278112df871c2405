"""The runbook's way walked once, in an environment that holds the core dependencies only."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from bare_environment import bare_interpreter
from journey import Journey, lay_out
from printed import RUNBOOK, kept_commands, printed_commands


@pytest.fixture(scope="session")
def journey(tmp_path_factory: pytest.TempPathFactory) -> Journey:
    """Sections 0 to 5 done on the shipped example; from the runbook itself where it is at hand."""
    root = tmp_path_factory.mktemp("runbook")
    python = bare_interpreter(root / "env", with_package=False)
    made = Journey(lay_out(root, python))
    made.walk(printed_commands(RUNBOOK.read_text(encoding="utf-8")) if RUNBOOK.is_file() else kept_commands())
    return made
