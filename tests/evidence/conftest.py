"""One sealed bundle of a synthetic quickstart for all tests of this folder, and writable copies of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from quickstart_files import make_quickstart

from autoresearch.evidence.quickstart import QuickstartRun, write_quickstart_bundle
from autoresearch.evidence.writer import make_writable
from autoresearch.report.check import check_page
from autoresearch.report.render import render_page

pytest.importorskip("bokeh")


@pytest.fixture(scope="session")
def quickstart_run(tmp_path_factory: pytest.TempPathFactory) -> QuickstartRun:
    """The synthetic run that the bundle was made from."""
    return make_quickstart(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="session")
def sealed(quickstart_run: QuickstartRun, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sealed, read-only bundle."""
    target = tmp_path_factory.mktemp("sealed") / "bundle"
    yield write_quickstart_bundle(quickstart_run, target, render=render_page, check=check_page)
    make_writable(target)


@pytest.fixture
def copied(sealed: Path, tmp_path: Path) -> Iterator[Path]:
    """A writable copy of the bundle in another folder."""
    target = tmp_path / "elsewhere" / "copy of a bundle"
    shutil.copytree(sealed, target)
    make_writable(target)
    yield target
    make_writable(target)


@pytest.fixture
def write_bundle(tmp_path: Path) -> Iterator[Callable[[QuickstartRun], Path]]:
    """Writes a bundle of another run."""
    written: list[Path] = []

    def write(run: QuickstartRun) -> Path:
        target = tmp_path / "written" / "bundle"
        written.append(target)
        return write_quickstart_bundle(run, target, render=render_page, check=check_page)

    yield write
    for target in written:
        if target.exists():
            make_writable(target)
