"""Which tests run alone (``script/test.sh``): real trainers, and what watches clocks, ports and processes."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ALONE = {"hosts", "runner", "telemetry", "training"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what runs alone: a trainer uses all cores, and the others measure intervals or look for what is left."""
    for item in items:
        place = item.path.relative_to(HERE)
        if place.parts[0] in ALONE or place.name.startswith("test_bench") or item.get_closest_marker("train"):
            item.add_marker("alone")
