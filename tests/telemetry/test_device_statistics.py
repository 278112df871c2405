"""Statements about devices rest on what was sampled: frozen sources, idle devices, gaps (formal-case.md 10.3)."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import pytest
from npu_smi_texts import chip_values, compound

from autoresearch.telemetry.ascend_sampler import RAW_LOG, stamp_line
from autoresearch.telemetry.bounded_call import Called
from autoresearch.telemetry.device_statistics import (
    StepWindow,
    device_statistics,
    flat_runs,
    push_findings,
    telemetry_findings,
)
from autoresearch.telemetry.families import SeriesKey
from autoresearch.telemetry.series import Series, SourceRead, read_devices

SECOND = 1000
LOG = [(k * SECOND, 10 * k) for k in range(300)]


def series(metric: str, values: list[float], device: str = "0", every: int = SECOND, source: str = "npu-smi") -> Series:
    """Values at equal distances from time 0."""
    stamps = array("q", range(0, every * len(values), every))
    return Series("c.a1", SeriesKey(source, device, "0", None, metric), stamps, array("d", values))


def read_of(*parts: Series, **facts: Any) -> SourceRead:
    """A source with these series, its stamps those of the first."""
    return SourceRead("c.a1", "npu-smi", parts[0].epoch_ms if parts else array("q"), series=list(parts), **facts)


def codes(*blocks: dict[str, Any], accelerator: str = "ascend") -> list[str]:
    """Codes of the findings of a row."""
    return [each.code for each in telemetry_findings("c.a1", accelerator, blocks)]


def test_a_device_whose_values_stand_still_while_the_log_grows_is_a_frozen_source() -> None:
    used = series("memory_used_mib", [float(k) for k in range(50)] + [7.0] * 100 + [float(k) for k in range(50)])
    power = series("power_watts", [90.0] * 200)
    block = device_statistics(read_of(used, power), (0, 200 * SECOND), log_index=LOG)
    assert [(each["from"], each["to"], each["device_id"]) for each in block["flat_lines"]] == [(50_000, 149_000, "0")]
    assert codes(block) == ["V411"]


def test_one_moving_value_or_a_still_log_makes_no_frozen_source() -> None:
    still = series("memory_used_mib", [7.0] * 100)
    moving = series("temperature_celsius", [30.0 + k % 2 for k in range(100)])
    assert device_statistics(read_of(still, moving), None, log_index=LOG)["flat_lines"] == []
    stopped = [(0, 10), (10, 10), (300 * SECOND, 10)]
    assert device_statistics(read_of(still), None, log_index=stopped)["flat_lines"] == []
    assert device_statistics(read_of(still), None)["flat_lines"] == []


def test_totals_and_times_of_reading_do_not_hide_or_make_a_flat_line() -> None:
    still = {
        "memory_used_mib": series("memory_used_mib", [7.0] * 100),
        "memory_total_mib": series("memory_total_mib", [64.0, 64.0], every=60 * SECOND),
        "sample_time_seconds": series("sample_time_seconds", [float(k) for k in range(100)]),
    }
    assert flat_runs(still, 2.0) == [(0, 99_000)]


def test_a_gap_breaks_a_flat_line() -> None:
    stamps = array("q", [*range(0, 40 * SECOND, SECOND), *range(70 * SECOND, 110 * SECOND, SECOND)])
    used = Series("c.a1", SeriesKey("npu-smi", "0", "0", None, "memory_used_mib"), stamps, array("d", [7.0] * 80))
    assert flat_runs({"memory_used_mib": used}, 3.0) == []


def test_a_wanted_device_without_work_in_most_measured_steps_is_idle() -> None:
    steps = [StepWindow(k, 10_000 * k, 10_000 * k + 9_000, measured=k > 0) for k in range(4)]
    busy = series("utilization_percent", [50.0] * 40)
    idle = series("utilization_percent", [90.0] * 10 + [0.0] * 20 + [30.0] * 10, device="1")
    block = device_statistics(read_of(busy, idle), (0, 39_000), steps, wanted={"0/0", "1/0"})
    assert [each["device_id"] for each in block["idle_devices"]] == ["1"]
    assert block["devices"][1]["idle_step_share"] == pytest.approx(2 / 3)
    assert codes(block) == ["V412"]
    assert device_statistics(read_of(busy, idle), None, steps, wanted={"0/0"})["idle_devices"] == []


def test_steps_without_a_sample_count_for_nothing() -> None:
    used = series("utilization_percent", [0.0] * 5)
    block = device_statistics(read_of(used), None, [StepWindow(2, 60_000, 70_000)])
    assert block["devices"][0]["idle_step_share"] is None
    assert block["idle_devices"] == []


def test_memory_is_judged_against_its_total_within_steps() -> None:
    used = series("memory_used_mib", [10.0] * 10 + [95.0] + [20.0] * 19)
    total = series("memory_total_mib", [100.0])
    steps = [StepWindow(1, 0, 9_000), StepWindow(2, 10_000, 19_000), StepWindow(3, 20_000, 29_000)]
    (device,) = device_statistics(read_of(used, total), None, steps)["devices"]
    assert (device["memory_max_mib"], device["memory_p50_mib"], device["memory_total_mib"]) == (95.0, 20.0, 100.0)
    assert device["steps_above_90_percent"] == pytest.approx(1 / 3)


def test_utilisation_is_that_within_steps() -> None:
    busy = series("utilization_percent", [0.0] * 10 + [80.0] * 10 + [0.0] * 10)
    (device,) = device_statistics(read_of(busy), None, [StepWindow(1, 10_000, 19_000)])["devices"]
    assert (device["utilization_mean_percent"], device["utilization_p95_percent"]) == (80.0, 80.0)


def test_a_second_source_is_never_joined_to_the_first() -> None:
    first, second = series("memory_used_mib", [1.0] * 3), series("memory_used_mib", [9.0] * 3, source="nvml")
    (device,) = device_statistics(read_of(first, second), None)["devices"]
    assert (device["source"], device["memory_max_mib"]) == ("npu-smi", 1.0)


@pytest.mark.parametrize(
    ("life", "found", "unfit"), [(104_000, [], False), (150_000, ["V410"], False), (400_000, ["V410"], True)]
)
def test_a_coverage_below_095_is_a_finding_and_below_05_unfit(life: int, found: list[str], unfit: bool) -> None:
    block = device_statistics(read_of(series("memory_used_mib", [float(k) for k in range(101)])), (0, life))
    assert (codes(block), block["unfit"]) == (found, unfit)


def test_lines_not_understood_and_clock_steps_are_findings() -> None:
    used = series("memory_used_mib", [1.0, 2.0])
    block = device_statistics(read_of(used, unparsed=3, clock_steps=[{"at": 5, "step_ms": -28_800_000}]), None)
    assert codes(block) == ["V413", "V430"]
    (unparsed, clock) = telemetry_findings("c.a1", "ascend", [block])
    assert (unparsed.value, clock.value) == ("3", "-28800.0 s")


def test_a_device_row_without_any_device_sample_is_an_error_and_a_cpu_row_is_not() -> None:
    host = device_statistics(SourceRead("c.a1", "proc"), None)
    (found,) = telemetry_findings("c.a1", "nvidia", [host])
    assert (found.code, found.severity) == ("V414", "error")
    assert codes(host, accelerator="cpu") == []


def test_failed_pushes_are_counted_in_one_finding() -> None:
    (found,) = push_findings("c.a1", {"ok": 7, "failed": 3, "first_error": "PUT: HTTP 500"})
    assert (found.code, found.value) == ("V420", "3 of 10")
    assert push_findings("c.a1", {"ok": 7, "failed": 0}) == []


def test_the_statistics_of_a_raw_log_show_what_was_asked_and_what_was_achieved(tmp_path: Path) -> None:
    out = b""
    for number in range(40):
        stamp = 1_796_000_000_000 + 600 * number
        text = b"dcmi: ret is -8020\n" if number == 7 else compound([chip_values(0, number)]).encode()
        trouble = "deadline" if number == 9 else None
        called = Called(b"" if trouble else text, 0, 0.2, trouble)
        out += stamp_line(stamp, 600 * number, number, number % 20, 500, called) + called.output
    (tmp_path / RAW_LOG).write_bytes(out)
    block = device_statistics(read_devices(tmp_path / RAW_LOG, "c.a1"), None)
    assert (block["source"], block["rounds"], block["asked_interval"]) == ("npu-smi", 38, 0.5)
    assert block["interval"]["median"] == 0.6
    assert block["interval"]["max"] == 1.2
    assert block["missed"] == 19 + 19
    assert block["failures"] == {"deadline": 1, "device_count_zero": 1}
    assert block["parse_errors"] == 2
