"""The host sampler writes real readings of this machine; broken lines are counted and never guessed."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from autoresearch.telemetry.host_sampler import HOST_SAMPLES, HostSampler, memory_reading, sample_attempt
from autoresearch.telemetry.samples import host_samples, read_host_rounds

pytest.importorskip("psutil")


def test_memory_parts_add_up_as_the_specification_says() -> None:
    found = memory_reading()
    total, free, used = found["memory_total_bytes"], found["memory_free_bytes"], found["memory_used_bytes"]
    assert total is not None
    assert free is not None
    assert found["memory_occupied_bytes"] == total - free
    assert used == total - free - (found["memory_buff_cache_bytes"] or 0)


def test_samples_cover_the_block_and_the_first_has_no_processor_share(tmp_path: Path) -> None:
    before = time.time() * 1000
    with HostSampler(tmp_path / "host-samples.jsonl", interval=0.05) as sampler:
        time.sleep(0.3)
    read = read_host_rounds(tmp_path / "host-samples.jsonl")
    assert read.unparsed_lines == 0
    assert len(read.rounds) == sampler.rounds >= 4
    assert read.rounds[0]["cpu_utilization_percent"] is None
    assert read.rounds[0]["epoch_ms"] >= int(before) - 1
    assert all(
        0 <= each["cpu_utilization_percent"] <= 100
        for each in read.rounds[2:-1]
        if each["cpu_utilization_percent"] is not None
    )


def test_the_launchers_hook_starts_and_stops_a_sampler(tmp_path: Path) -> None:
    stop = sample_attempt(tmp_path, 1)
    stop()
    assert len(read_host_rounds(tmp_path / HOST_SAMPLES).rounds) == 2


def test_cut_and_foreign_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "host-samples.jsonl"
    good = json.dumps({"epoch_ms": 1000, "memory_used_bytes": 5, "source": "psutil"})
    failed = json.dumps({"epoch_ms": 2000, "error": "OSError"})
    path.write_bytes(f"{good}\nnot json\n[1]\n{failed}\n".encode() + b'{"epoch_ms": 30\xff')
    read = read_host_rounds(path)
    assert (len(read.rounds), read.unparsed_lines, read.failed_rounds) == (1, 3, 1)


def test_a_missing_value_is_no_sample_and_a_constant_total_is_kept_once_a_minute() -> None:
    rounds = [
        {"epoch_ms": second * 1000, "memory_total_bytes": 64, "cpu_utilization_percent": None if second == 0 else 50.0}
        for second in range(130)
    ]
    samples = host_samples("sft.a1", rounds)
    totals = [each.epoch_ms for each in samples if each.metric == "memory_total_bytes"]
    assert totals == [0, 60_000, 120_000]
    assert sum(each.metric == "cpu_utilization_percent" for each in samples) == 129
