"""A sealed bundle for the tests of the page; the run is made by the builder beside the evidence tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "evidence"))
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
