"""Which tests may run beside others (``script/test.sh``): real trainers one after another, clocks and ports alone."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
# They measure intervals, look for processes that are left, or restart services.
ALONE = {"cli", "hosts", "report", "runner", "telemetry"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what runs alone, and name the group that one worker takes whole."""
    for item in items:
        place = item.path.relative_to(HERE)
        train = item.get_closest_marker("train") is not None or place.parts[0] == "training"
        if not train and (place.parts[0] in ALONE or place.name.startswith("test_bench")):
            item.add_marker("alone")
        item.add_marker(pytest.mark.xdist_group("train" if train else str(place)))
