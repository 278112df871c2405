"""The runner archive and a local host with a work folder of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from row_stub import end_rows

from autoresearch.hosts.local import LocalHost
from autoresearch.runner.build import build_runner


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``autoresearch-runner.pyz``."""
    return build_runner(tmp_path_factory.mktemp("runner"))[0]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[LocalHost]:
    """This machine; rows that still run at the end of the test are ended."""
    with LocalHost("local", str(tmp_path / "host")) as opened:
        yield opened
    end_rows(tmp_path)
