"""One parser for every npu-smi layout of formal-case.md 10.1: values come from the header's places, what is missing is
null with a reason, and nothing is dropped in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from npu_smi_texts import DUAL, Chip, chip_values, compound, processes, text, watch

import autoresearch
from autoresearch.telemetry.npu_smi import SYNTHETIC_MARKER, Process, Reading, parse
from autoresearch.telemetry.npu_smi_columns import NOT_AVAILABLE

ALIASES = Path(autoresearch.__file__).parent / "telemetry" / "npu_smi_aliases.json"
EIGHT = [chip_values(device, 1) for device in range(8)]
LAYOUTS = "ABCDEFGHIJKLM"


def errors(reading: Reading) -> set[tuple[str, str]]:
    """Fields without a value, and why."""
    return {(each.field, each.reason) for each in reading.field_errors}


@pytest.mark.parametrize("layout", ["A", "B"])
def test_separate_and_compound_cells_give_the_same_eight_devices(layout: str) -> None:
    found = parse(text(layout, EIGHT))
    assert [(d.device_id, d.chip_id) for d in found.devices] == [(k, 0) for k in range(8)]
    assert [(d.power_watts, d.temperature_celsius, d.aicore_percent) for d in found.devices[:2]] == [
        (97.0, 37.0, 35.0),
        (100.1, 36.0, 50.0),
    ]
    assert [d.memory_used_mib for d in found.devices] == [3959, 4470, 4981, 5492, 6003, 3774, 4285, 4796]
    assert {d.hbm_total_mib for d in found.devices} == {65536.0}
    assert (found.unparsed, found.field_errors, found.error, found.version) == ((), (), None, "25.3.rc1")


def test_units_in_words_and_names_with_a_slash_are_read() -> None:
    found = parse(text("C", [Chip(0, total=32768, used=4096), Chip(1, total=32768, used=2048, temp=39)]))
    assert [(d.device_id, d.hbm_used_mib, d.hbm_total_mib) for d in found.devices] == [
        (0, 4096, 32768),
        (1, 2048, 32768),
    ]
    assert found.devices[1].name == "Ascend 910B Premium"
    assert (found.devices[1].temperature_celsius, found.devices[1].power_watts) == (39, 91.5)
    assert found.version == "24.1.RC3"


def test_two_chips_of_a_card_are_two_records_and_a_dash_is_no_power() -> None:
    rows = "| 0       0                 | 4102          | trainer                  | 26672                   |\n"
    found = parse(text("D", DUAL) + processes(rows + "| No running processes found in NPU 1 |\n"))
    assert [(d.device_id, d.chip_id, d.phy_id) for d in found.devices] == [(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 3)]
    assert [d.power_watts for d in found.devices] == [165.5, None, 166.0, None]
    assert [d.hbm_used_mib for d in found.devices] == [29726, 29498, 3088, 2882]
    assert errors(found) == {("power_watts", NOT_AVAILABLE)}
    assert found.processes == (Process(0, 0, 4102, "trainer", 26672.0),)
    assert found.unparsed == ()


def test_missing_values_are_null_with_their_reason_never_zero() -> None:
    (device,) = (found := parse(text("E", EIGHT))).devices
    assert (device.temperature_celsius, device.aicore_percent, device.hbm_used_mib, device.hbm_total_mib) == (None,) * 4
    assert device.power_watts == 97.0
    assert errors(found) == {
        ("temperature_celsius", NOT_AVAILABLE),
        ("aicore_percent", "not a number"),
        ("hbm", "incomplete"),
    }


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("dcmi module initialize failed. ret is -8020", "device_count_zero"),
        ("drv: device_count=0, nothing to show", "device_count_zero"),
        ("Ascend device diagnostic report\nfirmware channel: stable", "no_table"),
        ("", "no_output"),
    ],
)
def test_prose_and_error_texts_give_no_device_and_one_error(said: str, error: str) -> None:
    found = parse(said)
    assert (found.devices, found.error) == ((), error)
    assert len(found.unparsed) == len(said.splitlines())


def test_a_hostile_process_id_is_a_warning_and_its_text_is_not_kept() -> None:
    found = parse(text("G", EIGHT))
    assert found.processes == (Process(0, 0, 4102, "trainer", 26672.0),)
    assert len(found.warnings) == 2
    assert "touch" not in repr(found)
    assert "invalid" not in repr(found)
    assert len(found.devices) == 8


@pytest.mark.parametrize("joined", [True, False])
def test_watch_rows_are_records_whether_memory_is_one_cell_or_two(joined: bool) -> None:
    found = parse(watch(EIGHT, joined) + watch([chip_values(0, 2)], joined))
    assert [d.device_id for d in found.devices] == [*range(8), 0]
    assert (found.devices[8].npu_percent, found.devices[8].aicore_percent) == (70, 70)
    assert (found.devices[1].hbm_used_mib, found.devices[1].hbm_total_mib) == (4470, 65536)
    assert found.unparsed == ()


def test_the_310p_has_its_memory_in_memory_usage_and_no_hbm() -> None:
    (device,) = (found := parse(text("I", [Chip(0, used=1590, total=21527)]))).devices
    assert (device.device_id, device.memory_used_mib, device.memory_total_mib) == (32896, 1590, 21527)
    assert (device.hbm_used_mib, device.hbm_total_mib, device.power_watts) == (None, None, None)
    assert errors(found) == {("power_watts", NOT_AVAILABLE)}


def test_fewer_columns_give_fewer_values() -> None:
    device = parse(text("J", EIGHT)).devices[1]
    assert (device.health, device.bus_id, device.power_watts, device.aicore_percent) == ("Alarm", None, 100.1, 50)
    assert device.memory_used_mib is None


def test_a_watch_without_a_chip_column_means_chip_zero() -> None:
    device = parse(text("K", EIGHT)).devices[1]
    assert (device.chip_id, device.npu_percent, device.memory_percent, device.power_watts) == (0, 11, 3, 100.1)


def test_a_controller_is_no_device() -> None:
    found = parse(text("L", [Chip(0, 0, 0), Chip(1, 0, 1)]))
    assert [(d.device_id, d.chip_id, d.logic_id, d.name) for d in found.devices] == [
        (0, 0, 0, "Ascend 910B"),
        (1, 0, 1, "Ascend 910B"),
    ]
    assert found.unparsed == ()


def test_a_wrapped_record_is_joined() -> None:
    found = parse(text("M", EIGHT))
    assert [(d.device_id, d.name, d.hbm_used_mib) for d in found.devices[:2]] == [
        (0, "Ascend 910B2", 3959),
        (1, "Ascend 910B2", 4470),
    ]
    assert found.unparsed == ()


def test_a_record_of_too_many_lines_is_counted_and_the_next_ones_are_read() -> None:
    lines = compound(EIGHT[:3]).split("\n")
    lines.insert(8, "| 7                   | stray         | 1 |")
    found = parse("\n".join(lines))
    assert [d.device_id for d in found.devices] == [0, 1, 2]
    assert [number for number, _ in found.unparsed] == [9]


@pytest.mark.parametrize("layout", [each for each in LAYOUTS if each != "F"])
def test_a_lost_line_never_puts_a_value_into_another_column(layout: str) -> None:
    whole = text(layout, DUAL if layout == "D" else EIGHT[:2])
    good = set(parse(whole).devices)
    lines = whole.split("\n")
    for index, line in enumerate(lines):
        if any(letter.isdigit() for letter in line) and "Version" not in line:
            found = parse("\n".join(lines[:index] + lines[index + 1 :]))
            if layout == "M":  # the wrapped half of a name may be missing
                good |= {each._replace(name="Ascend") for each in good}
            assert set(found.devices) <= good


def test_the_marker_of_the_fake_program_is_seen_and_is_no_line() -> None:
    found = parse(f"#{SYNTHETIC_MARKER}: fake\n" + text("B", EIGHT))
    assert found.synthetic
    assert found.unparsed == ()
    assert not parse(text("B", EIGHT)).synthetic


NAMES = [name for column in json.loads(ALIASES.read_text())["columns"].values() for name in column["aliases"]]


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=12), st.integers(1, 3), st.sampled_from(["|", "  ", " "]))
def test_headers_of_any_known_names_never_raise(names: list[str], lines: int, between: str) -> None:
    header = [
        f"| {between.join(names[k::lines])} |" if between == "|" else between.join(names[k::lines])
        for k in range(lines)
    ]
    rows = [between.join(str(k) for k in range(line.count(between) + 1)) for line in header]
    found = parse("\n".join([*header, *rows, *rows]))
    assert all(device.device_id >= 0 for device in found.devices)


@given(st.text(max_size=400))
def test_random_text_never_raises(said: str) -> None:
    assert isinstance(parse(said), Reading)


@given(st.sampled_from(LAYOUTS), st.lists(st.tuples(st.integers(0, 4000), st.text(max_size=6)), max_size=8))
def test_damaged_tables_never_raise_and_keep_whole_numbers(layout: str, edits: list[tuple[int, str]]) -> None:
    said = text(layout, EIGHT[:3])
    for at, more in edits:
        said = said[: at % (len(said) + 1)] + more + said[(at + 3) % (len(said) + 1) :]
    for device in parse(said).devices:
        assert device.device_id >= 0
        assert all(value is None or value == value for value in device[7:])


def test_a_long_text_of_words_is_read_in_bounded_time() -> None:
    import time

    began = time.perf_counter()
    parse("\n".join(f"npu chip {'x' * 380} {k}" for k in range(300)))
    assert time.perf_counter() - began < 3
