"""The runner archive, built once, and a starter of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from runner_archive import Runs

from autoresearch.runner.build import build_runner


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``autoresearch-runner.pyz``."""
    return build_runner(tmp_path_factory.mktemp("runner"))[0]


@pytest.fixture
def runs(archive: Path) -> Iterator[Runs]:
    """A starter of the archive; whatever still runs at the end of the test is killed."""
    made = Runs(archive)
    yield made
    made.stop()
