"""One sealed bundle of a synthetic quickstart for all tests of this folder, and writable copies of it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from case_world import (
    OUT_OF_MEMORY,
    CaseWorld,
    RowPlan,
    case_name,
    listen,
    make_offline_run,
    seal_plainly,
)
from quickstart_files import make_quickstart

from autoresearch.cases.judge import judge
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


@pytest.fixture(scope="session")
def offline_run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Gives a whole offline run of three steps under an id; the SDK makes it once."""
    pytest.importorskip("wandb")
    made = make_offline_run(tmp_path_factory.mktemp("sdk"), "3fa09c11d2e4")

    def under(wandb_id: str) -> Path:
        target = tmp_path_factory.mktemp("offline") / f"{made.name.rpartition('-')[0]}-{wandb_id}"
        shutil.copytree(made, target)
        return target

    return under


@pytest.fixture(scope="session")
def case_sealed(offline_run: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sealed, read-only bundle of a case: one row passed, one out of memory with a cut W&B run, one skipped."""
    root = tmp_path_factory.mktemp("case")
    rows = [
        RowPlan(case_name(1), wandb="whole"),
        RowPlan(case_name(2), steps=1, exit_code=1, last_line=OUT_OF_MEMORY, wandb="cut"),
    ]
    world = CaseWorld(root / "world", rows, skipped={case_name(4): "early_stop_memory"}, runs=offline_run)
    sealed = seal_plainly(listen(root / "runs", world.events(judge)))
    yield sealed.path
    make_writable(sealed.path)


@pytest.fixture
def case_copied(case_sealed: Path, tmp_path: Path) -> Iterator[Path]:
    """A writable copy of that bundle in another folder."""
    target = tmp_path / "elsewhere" / "copy of a case"
    shutil.copytree(case_sealed, target)
    make_writable(target)
    yield target
    make_writable(target)


@pytest.fixture
def artifacts(tmp_path: Path) -> Iterator[Path]:
    """A parent of bundles that is writable again at the end."""
    yield tmp_path / "runs"
    if (tmp_path / "runs").exists():
        make_writable(tmp_path / "runs")
