"""Raw samples with values of any form: damaged rounds are counted, nothing raises (formal-case.md 10.3, 20.1)."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoresearch.telemetry.series import read_devices, read_host

ODD = st.sampled_from(
    [None, True, -1, 10**400, 1 << 63, "x", "²", [1], {"a": 1}, 1e308, float("nan"), float("inf"), ""]
)
ROUND: dict[str, Any] = {"mono_ms": 5, "round": 0, "missed": 0, "took_ms": 3.0, "asked_interval_ms": 500}
CARD = {"index": 0, "uuid": "GPU-a", "instance": "0", "memory_used_mib": 5, "utilization_percent": 3}
DEVICES = {**ROUND, "epoch_ms": 1_796_000_000_000, "source": "nvml", "devices": [CARD], "raw": []}
HOST = {**ROUND, "epoch_ms": 1_796_000_000_000, "memory_used_bytes": 5, "memory_total_bytes": 9, "source": "host"}
CHANGES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 20), ODD, st.booleans()), max_size=5)


def damaged(content: dict[str, Any], changes: list[tuple[int, int, Any, bool]]) -> str:
    """Three rounds, of which some values are others."""
    rounds = [json.loads(json.dumps({**content, "round": number})) for number in range(3)]
    for number, each in enumerate(rounds):
        each.update(epoch_ms=content["epoch_ms"] + 500 * number, mono_ms=5 + 500 * number)
    for number, place, value, inner in changes:
        target = rounds[number]
        cards = target.get("devices")
        if inner and isinstance(cards, list) and cards and isinstance(cards[0], dict) and cards[0]:
            target = cards[0]
        target[list(target)[place % len(target)]] = value
    return "".join(json.dumps(each) + "\n" for each in rounds)


@pytest.mark.parametrize(
    ("name", "content", "read"),
    [("nvml-samples.jsonl", DEVICES, read_devices), ("host-samples.jsonl", HOST, read_host)],
    ids=["devices", "host"],
)
def test_a_round_with_values_of_any_form_is_read_or_counted(name: str, content: dict[str, Any], read: Any) -> None:
    @settings(max_examples=300, deadline=None)
    @given(CHANGES)
    def check(changes: list[tuple[int, int, Any, bool]]) -> None:
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / name
            path.write_text(damaged(content, changes), encoding="utf-8")
            found = read(path, "row")
        assert len(found.stamps) + sum(found.failures.values()) == 3

    check()


def test_rounds_that_are_whole_are_all_read(tmp_path: Path) -> None:
    for name, content, read in (
        ("nvml-samples.jsonl", DEVICES, read_devices),
        ("host-samples.jsonl", HOST, read_host),
    ):
        (tmp_path / name).write_text(damaged(content, []), encoding="utf-8")
        found = read(tmp_path / name, "row")
        assert (len(found.stamps), +found.failures) == (3, {})
