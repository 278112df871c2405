"""Table and exposition hold the same samples; the judges are prometheus-client's strict parser, promtool and a real
Prometheus (formal-case.md 10.4)."""

from __future__ import annotations

import json
import subprocess
import urllib.parse
from pathlib import Path
from typing import Any

import pytest
from local_services import get, needed, prometheus
from npu_smi_texts import chip_values, compound
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from autoresearch.telemetry.ascend_sampler import RAW_LOG, stamp_line
from autoresearch.telemetry.bounded_call import Called
from autoresearch.telemetry.exposition import HISTORY, LATEST, NO_DEVICE, TABLE, TelemetryRow, expected, shown, write
from autoresearch.telemetry.families import RowLabels, family_rules
from autoresearch.telemetry.nvidia_sampler import SAMPLES

T0 = 1_796_000_000_000
DEVICES = 2


def ascend_log(begin_ms: int, rounds: int, devices: int = DEVICES, every_ms: int = 500) -> bytes:
    """A raw log of the Ascend sampler."""
    out = b""
    for number in range(rounds):
        text = compound([chip_values(device, number) for device in range(devices)]).encode()
        stamp = begin_ms + every_ms * number
        out += stamp_line(stamp, stamp - T0 + 5000, number, 0, every_ms, Called(text, 0, 0.01, None)) + text
    return out


def host_lines(begin_ms: int, rounds: int) -> str:
    """Rounds of the host sampler, a second apart."""
    lines = []
    for number in range(rounds):
        stamp = begin_ms + 1000 * number
        memory = {
            f"memory_{name}_bytes": 2**30 + number for name in ("used", "free", "available", "buff_cache", "occupied")
        }
        line = {"round": number, "epoch_ms": stamp, "mono_ms": stamp - T0 + 5000, "source": "proc", **memory}
        lines.append(
            json.dumps(
                {**line, "memory_total_bytes": 2**34, "disk_free_bytes": 2**40, "cpu_utilization_percent": number / 3}
            )
            + "\n"
        )
    return "".join(lines)


def nvml_lines(begin_ms: int, rounds: int) -> str:
    """Rounds of the NVIDIA sampler with a whole card."""
    lines = []
    for number in range(rounds):
        stamp = begin_ms + 500 * number
        card = {
            "index": "0",
            "uuid": "GPU-1",
            "memory_used_mib": 1000.5 + number,
            "memory_total_mib": 143771,
            "power_watts": 90.1,
        }
        line = {"round": number, "epoch_ms": stamp, "mono_ms": stamp - T0, "source": "nvml", "devices": [card]}
        lines.append(json.dumps(line) + "\n")
    return "".join(lines)


def make_row(folder: Path, case: str, begin_ms: int, vendor: str = "ascend", rounds: int = 140) -> TelemetryRow:
    """One attempt of 70 s with its raw files."""
    place = folder / f"{case}.a1"
    place.mkdir()
    device = place / (RAW_LOG if vendor == "ascend" else SAMPLES)
    device.write_bytes(ascend_log(begin_ms, rounds) if vendor == "ascend" else nvml_lines(begin_ms, rounds).encode())
    (place / "host-samples.jsonl").write_text(host_lines(begin_ms, rounds // 2))
    end = begin_ms + 500 * rounds
    labels = RowLabels("run-1", case, "1", "npu-a", "verl", "name")
    steps = [(begin_ms + 20_000, 1), (begin_ms + 40_000, 2)]
    return TelemetryRow(f"{case}.a1", labels, device, place / "host-samples.jsonl", begin_ms, end, steps, 0)


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, list[TelemetryRow]]:
    """A run of two Ascend attempts, one after the other on the same machine, written."""
    rows = [make_row(tmp_path, "case-a", T0), make_row(tmp_path, "case-b", T0 + 100_000)]
    out = tmp_path / "2-prometheus"
    out.mkdir()
    assert write(out, rows).samples > 0
    return out, rows


def labels_of_rows(rows: list[TelemetryRow]) -> dict[str, RowLabels]:
    """Row -> labels."""
    return {row.row: row.labels for row in rows}


def test_the_strict_parser_reads_every_family_sorted_and_with_its_unit(
    written: tuple[Path, list[TelemetryRow]],
) -> None:
    text = (written[0] / HISTORY).read_text(encoding="utf-8")
    families = list(text_string_to_metric_families(text))
    names = [family.name for family in families]
    assert len(set(names)) == len(names)
    assert set(names) <= {rule.family for rule in family_rules()}
    used = next(family for family in families if family.name == "autoresearch_npu_hbm_used_mib")
    assert (used.unit, used.type, len(used.samples)) == ("mib", "gauge", 2 * DEVICES * 140)
    order = [(tuple(sample.labels.items()), float(sample.timestamp)) for sample in used.samples]
    assert order == sorted(order)
    assert dict(used.samples[0].labels) == {
        "run_id": "run-1",
        "case_id": "case-a",
        "attempt": "1",
        "server": "npu-a",
        "device_id": "0",
        "chip_id": "0",
        "source": "npu-smi",
    }
    assert used.samples[1].value == 3959


def test_table_and_history_agree_in_every_series(written: tuple[Path, list[TelemetryRow]]) -> None:
    out, rows = written
    wanted, found = expected(out / TABLE, labels_of_rows(rows)), shown(out / HISTORY)
    assert wanted == found
    assert len(found) > 40
    machine = [value for (name, _), value in found.items() if name == "autoresearch_machine_npu_hbm_used_mib"]
    assert [value.samples for value in machine] == [280, 280]


@pytest.mark.parametrize("edit", [lambda t: t.replace(" 3959 ", " 3958 ", 1), lambda t: t.replace("# EOF\n", "")])
def test_an_edited_history_is_seen(written: tuple[Path, list[TelemetryRow]], edit: Any) -> None:
    out, rows = written
    text = (out / HISTORY).read_text()
    (out / HISTORY).write_text(edit(text))
    try:
        assert shown(out / HISTORY) != expected(out / TABLE, labels_of_rows(rows))
    except ValueError as error:
        assert "EOF" in str(error)


def test_unchanged_totals_are_kept_once_a_minute_in_both(written: tuple[Path, list[TelemetryRow]]) -> None:
    found = shown(written[0] / HISTORY)
    totals = [value for (name, _), value in found.items() if name == "autoresearch_npu_hbm_total_mib"]
    assert [value.samples for value in totals] == [2] * 4
    unparsed = [value for (name, _), value in found.items() if name == "autoresearch_npu_unparsed_lines"]
    assert [(value.samples, value.maximum) for value in unparsed] == [(2, 0.0)] * 2


def test_the_same_rows_give_the_same_bytes(written: tuple[Path, list[TelemetryRow]], tmp_path: Path) -> None:
    out, rows = written
    again = tmp_path / "again"
    again.mkdir()
    write(again, rows)
    for path in sorted(out.iterdir()):
        assert (again / path.name).read_bytes() == path.read_bytes(), path.name


def test_promtool_makes_blocks_and_prometheus_shows_counts_and_maxima(
    written: tuple[Path, list[TelemetryRow]], tmp_path: Path
) -> None:
    promtool = needed("promtool")
    out, rows = written
    made = subprocess.run(
        [promtool, "tsdb", "create-blocks-from", "openmetrics", str(out / HISTORY), str(tmp_path / "data")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert made.returncode == 0, made.stderr
    wanted = {
        (name, frozenset(labels)): value
        for (name, labels), value in expected(out / TABLE, labels_of_rows(rows)).items()
    }
    with prometheus(tmp_path, tmp_path / "data") as url:
        at = (T0 + 200_000) / 1000
        for index, function in ((0, "count_over_time"), (4, "max_over_time")):
            for name in sorted({name for name, _ in wanted}):
                query = f"{function}({name}[300s])"
                answer = json.loads(get(f"{url}/api/v1/query?time={at}&query={urllib.parse.quote(query)}"))
                shown_here = {
                    frozenset(each["metric"].items()): float(each["value"][1]) for each in answer["data"]["result"]
                }
                assert shown_here == {labels: value[index] for (n, labels), value in wanted.items() if n == name}, query


def test_promtool_checks_the_latest_files(written: tuple[Path, list[TelemetryRow]]) -> None:
    promtool = needed("promtool")
    for name in LATEST:
        text = (written[0] / name).read_text()
        done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), name
    latest = (written[0] / "machine-latest-openmetrics.prom").read_text()
    assert latest.count("autoresearch_machine_npu_hbm_used_mib{") == DEVICES
    assert " 1796" not in latest.split("autoresearch_machine_npu_sample_time_seconds", 1)[0]


def test_nvidia_rows_use_device_families_only(tmp_path: Path) -> None:
    row = make_row(tmp_path, "case-n", T0, "nvidia")
    out = tmp_path / "out"
    out.mkdir()
    found = write(out, [row])
    assert not any("_npu_" in name for name in found.present)
    assert found.missing["autoresearch_npu_hbm_used_mib"] == "written for Ascend devices only"
    assert found.missing["autoresearch_device_temperature_celsius"] == "no sample"
    text = (out / HISTORY).read_text()
    assert 'vendor="nvidia",device_id="0",chip_id="0",uuid="GPU-1",source="nvml"} 1000.5 ' in text
    assert "machine-latest-openmetrics.prom" not in found.files
    assert not (out / "machine-latest-openmetrics.prom").exists()


def test_a_row_without_devices_has_its_hosts_series_and_says_that_no_device_was_sampled(tmp_path: Path) -> None:
    path = tmp_path / "host-samples.jsonl"
    path.write_text(host_lines(T0, 70))
    out = tmp_path / "out"
    out.mkdir()
    row = TelemetryRow("sft.a1", RowLabels("quickstart", "sft", "1", "local"), None, path, T0, T0 + 70_000)
    written = write(out, [row])
    found = shown(out / HISTORY)
    assert found == expected(out / TABLE, labels_of_rows([row]))
    host = (("server", "local"), ("source", "proc"))
    used = found["autoresearch_machine_host_memory_used_bytes", host]
    assert (used.samples, used.first, used.last) == (70, 2**30, 2**30 + 69)
    assert found["autoresearch_machine_host_memory_total_bytes", host].samples == 2
    assert {name for name, reason in written.missing.items() if reason == NO_DEVICE} == {
        rule.family for rule in family_rules() if rule.group in ("npu", "machine_npu", "source", "device")
    }
    newest = (out / "host-resource-openmetrics.prom").read_text()
    assert f'memory_used_bytes{{server="local",source="proc"}} {2**30 + 69}\n' in newest


def test_a_table_that_others_wrote_is_refused(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: ["a", "b"] for name in ("row", "device_id", "chip_id", "uuid", "source", "metric")}
    pq.write_table(pa.table({**columns, "epoch_ms": [1, 2], "value": [1.0, 2.0]}), tmp_path / "mixed.parquet")
    with pytest.raises(ValueError, match="more than one series"):
        expected(tmp_path / "mixed.parquet", {})
    pq.write_table(pa.table({"row": ["a"]}), tmp_path / "other.parquet")
    with pytest.raises(ValueError, match="columns"):
        expected(tmp_path / "other.parquet", {})


def test_no_samples_write_no_file_and_every_family_is_missing(tmp_path: Path) -> None:
    row = TelemetryRow("c.a1", RowLabels("r", "c", "1", "s"), None, None)
    found = write(tmp_path, [row])
    assert list(tmp_path.iterdir()) == []
    assert set(found.missing) == {rule.family for rule in family_rules()}
    assert found.present == {}


def test_a_clock_that_is_set_back_leaves_the_axis_rising(tmp_path: Path) -> None:
    row = make_row(tmp_path, "case-c", T0, rounds=40)
    assert row.device_file is not None
    log = row.device_file.read_bytes()
    early, late = log.split(b"# ar epoch_ms=")[:21], log.split(b"# ar epoch_ms=")[21:]
    moved = [str(int(part[:13]) - 8 * 3_600_000).encode() + part[13:] for part in late]
    row.device_file.write_bytes(b"# ar epoch_ms=".join(early + moved))
    out = tmp_path / "out"
    out.mkdir()
    write(out, [row])
    used = next(v for (name, _), v in shown(out / HISTORY).items() if name == "autoresearch_npu_hbm_used_mib")
    assert used.samples == 40
    from autoresearch.telemetry.series import read_devices

    read = read_devices(row.device_file, row.row)
    assert list(read.stamps) == [T0 + 500 * number for number in range(40)]
    assert [step["step_ms"] for step in read.clock_steps] == [-8 * 3_600_000]


def test_memory_does_not_grow_with_the_number_of_rows(tmp_path: Path) -> None:
    import tracemalloc

    peaks = []
    for rows in (2, 8):
        out = tmp_path / f"out-{rows}"
        out.mkdir()
        made = []
        for index in range(rows):
            (tmp_path / f"{rows}").mkdir(exist_ok=True)
            made.append(make_row(tmp_path / f"{rows}", f"case-{index}", T0 + 1_000_000 * index, rounds=60))
        tracemalloc.start()
        write(out, made)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
