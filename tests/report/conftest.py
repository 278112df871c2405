"""A sealed bundle for the tests of the page; the run is made by the builder beside the evidence tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent.parent / name) for name in ("evidence", "fixtures")]
pytest.importorskip("bokeh")


@pytest.fixture(scope="session")
def page_bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sealed bundle of a synthetic quickstart."""
    from quickstart_files import make_quickstart

    from autoresearch.evidence.quickstart import write_quickstart_bundle
    from autoresearch.evidence.writer import make_writable
    from autoresearch.report.check import check_page
    from autoresearch.report.render import render_page

    run = make_quickstart(tmp_path_factory.mktemp("run"))
    target = tmp_path_factory.mktemp("sealed") / "bundle"
    yield write_quickstart_bundle(run, target, render=render_page, check=check_page)
    make_writable(target)


@pytest.fixture(scope="session")
def case_bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sealed bundle of a case on stand-ins: single rows, one out of memory, one on two devices with a gap."""
    from case_world import OUT_OF_MEMORY, CaseWorld, RowPlan, case_name, listen

    from autoresearch.cases.judge import judge
    from autoresearch.evidence.case_seal import seal
    from autoresearch.evidence.writer import make_writable
    from autoresearch.report.check import check_page
    from autoresearch.report.render import render_page

    root, fake = tmp_path_factory.mktemp("case"), {"synthetic": True}
    node = RowPlan(
        "train-2npu-sync-bs4-n4-mini4-micro1-1024-2048", stage="node", numbers={"D": 2}, gap=(20, 40), changes=fake
    )
    rows = [
        RowPlan(case_name(1), changes=fake),
        RowPlan(case_name(2), steps=1, exit_code=1, last_line=OUT_OF_MEMORY, changes=fake),
        node,
    ]
    world = CaseWorld(root / "world", rows, devices=2)
    path = seal(listen(root / "runs", world.events(judge)), render=render_page, check=check_page).path
    yield path
    make_writable(path)
