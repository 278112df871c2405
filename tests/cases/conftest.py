"""The runner archive and this machine as a host with a work folder of its own."""

from __future__ import annotations

import json
import shutil
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
    for path in tmp_path.rglob("row.json"):
        for folder in json.loads(path.read_text(encoding="utf-8")).get("scratch", []):
            shutil.rmtree(folder, ignore_errors=True)
