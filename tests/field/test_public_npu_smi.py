"""Every public npu-smi text parses to values checked by hand, or is refused with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoresearch.telemetry.npu_smi import FieldError, Process, Reading, parse

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = [pytest.mark.field, pytest.mark.skipif(not DATA.is_dir(), reason="the public files are not here")]
CHECKED = {
    "npu-smi/driver_version_info.txt",
    "npu-smi/npu_smi_25_3_rc1_compound_columns.txt",
    "npu-smi/npu_smi_25_3_rc1_no_processes.txt",
    "npu-smi/npu_smi_missing_metric.txt",
    "npu-smi/npu_smi_with_processes.txt",
    "telemetry/npu_smi_watch_device0.txt",
}


def read(name: str) -> Reading:
    """The parsed file."""
    return parse((DATA / name).read_text(encoding="utf-8"))


def test_no_file_is_left_out() -> None:
    found = {path.relative_to(DATA).as_posix() for room in ("npu-smi", "telemetry") for path in (DATA / room).iterdir()}
    assert found == CHECKED


def test_compound_columns_give_eight_idle_cards() -> None:
    found = read("npu-smi/npu_smi_25_3_rc1_compound_columns.txt")
    assert (found.version, found.error, found.unparsed, found.field_errors) == ("25.3.rc1", None, (), ())
    assert [(d.device_id, d.chip_id, d.name, d.health) for d in found.devices] == [
        (k, 0, "910B2", "OK") for k in range(8)
    ]
    assert [d.power_watts for d in found.devices] == [92.6, 88.2, 90.8, 94.6, 92.7, 97.2, 93.8, 90.6]
    assert [d.temperature_celsius for d in found.devices] == [36, 35, 39, 36, 41, 40, 40, 41]
    assert [d.hbm_used_mib for d in found.devices] == [3468, 3450, 3448, 3443, 3449, 3458, 3449, 3452]
    assert {(d.aicore_percent, d.ddr_used_mib, d.ddr_total_mib, d.hbm_total_mib) for d in found.devices} == {
        (0, 0, 0, 65536)
    }
    assert [d.bus_id for d in found.devices][:3] == ["0000:C1:00.0", "0000:C2:00.0", "0000:81:00.0"]
    assert found.processes == ()


def test_separate_columns_give_eight_cards() -> None:
    found = read("npu-smi/npu_smi_25_3_rc1_no_processes.txt")
    assert (found.error, found.unparsed, found.field_errors, found.processes) == (None, (), (), ())
    assert [(d.device_id, d.chip_id, d.name) for d in found.devices] == [(k, k, "Ascend 910B2") for k in range(8)]
    assert [d.power_watts for d in found.devices] == [91.2, 90.8, 92.1, 89.9, 93.4, 91.7, 90.3, 92.6]
    assert [d.aicore_percent for d in found.devices] == [0, 3, 7, 0, 12, 4, 1, 9]
    assert [d.hbm_used_mib for d in found.devices] == [3467, 3512, 3601, 3421, 3718, 3560, 3499, 3650]
    assert {d.hbm_total_mib for d in found.devices} == {65536}


def test_missing_metrics_are_null_with_reasons() -> None:
    found = read("npu-smi/npu_smi_missing_metric.txt")
    (device,) = found.devices
    assert device.power_watts == 91.2
    assert (device.temperature_celsius, device.aicore_percent, device.hbm_used_mib, device.hbm_total_mib) == (None,) * 4
    assert found.field_errors == (
        FieldError(5, 0, 0, "temperature_celsius", "not available"),
        FieldError(6, 0, 0, "aicore_percent", "not a number"),
        FieldError(6, 0, 0, "hbm", "incomplete"),
    )


def test_of_three_process_rows_one_is_whole() -> None:
    found = read("npu-smi/npu_smi_with_processes.txt")
    assert found.processes == (Process(0, 0, 4102, "python3", 2048.0),)
    assert [number for number, _ in found.warnings] == [13, 14]
    assert "touch" not in repr(found)
    assert [(d.device_id, d.aicore_percent, d.hbm_used_mib) for d in found.devices] == [(0, 5, 3467)]


def test_the_watch_text_has_three_samples_of_one_chip() -> None:
    found = read("telemetry/npu_smi_watch_device0.txt")
    assert [(d.device_id, d.chip_id, d.power_watts, d.temperature_celsius) for d in found.devices] == [
        (0, 0, 280.8, 84),
        (0, 0, 280.9, 84),
        (0, 0, 280.8, 83),
    ]
    assert {(d.aicore_percent, d.npu_percent, d.memory_percent, d.memory_used_mib) for d in found.devices} == {
        (0, 0, 3, None)
    }
    assert (found.unparsed, found.field_errors, found.error) == ((), (), None)


def test_a_driver_version_file_is_refused_as_no_table() -> None:
    found = read("npu-smi/driver_version_info.txt")
    assert (found.devices, found.error, len(found.unparsed)) == ((), "no_table", 4)
