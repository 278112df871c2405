"""Device samplers against programs on the PATH: raw text first, deadlines kept; what hangs or prints garbage stops
nothing (formal-case.md 10.2, 18.16)."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autoresearch
from autoresearch.telemetry.ascend_sampler import RAW_LOG
from autoresearch.telemetry.bounded_call import call
from autoresearch.telemetry.nvidia_sampler import SAMPLES, sample_nvidia
from autoresearch.telemetry.rounds import Round, last_round, read_rounds
from autoresearch.telemetry.samplers import KINDS, RAW_FILES
from autoresearch.telemetry.schedule import Stop

FAKES = Path(__file__).parents[1] / "fixtures" / "fake_programs"
TELEMETRY = Path(autoresearch.__file__).parent / "telemetry"
CARRIED = (
    "__init__ ascend_sampler bounded_call families host_sampler npu_smi npu_smi_columns nvidia_sampler",
    "openmetrics push rounds samplers schedule",
)
"""What the runner carries of this room."""


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Path]:
    """Put the fake programs first on the PATH and tell them what to play."""
    monkeypatch.setenv("PATH", f"{FAKES}{os.pathsep}{os.environ['PATH']}")

    def play(variable: str, **what: Any) -> Path:
        (tmp_path / "play.json").write_text(json.dumps(what), encoding="utf-8")
        monkeypatch.setenv(variable, str(tmp_path / "play.json"))
        return tmp_path

    return play


def sample(rounds: int, kind: str, folder: Path, interval: float) -> int:
    """Run a sampler until its file holds this many rounds; the rounds that it counted."""
    stop, counted = Stop(), []
    thread = threading.Thread(target=lambda: counted.append(KINDS[kind](folder, interval, stop)))
    thread.start()
    path, until = folder / RAW_FILES[kind], time.monotonic() + 30
    while time.monotonic() < until and (not path.exists() or len(list(read_rounds(path))) < rounds):
        time.sleep(0.05)
    stop.set()
    thread.join(10)
    assert not thread.is_alive()
    return counted[0]


def whole_rounds(path: Path) -> list[Round]:
    """All rounds of a file; none is damaged."""
    found = list(read_rounds(path))
    assert None not in found
    return [each for each in found if each is not None]


def test_rounds_keep_the_raw_text_and_their_stamps(fakes: Callable[..., Path]) -> None:
    folder = fakes("FAKE_NPU_SMI", devices=2)
    counted = sample(5, "ascend", folder, 0.2)
    found = whole_rounds(folder / RAW_LOG)
    assert counted >= len(found) >= 5
    assert [each.number for each in found] == list(range(len(found)))
    assert all(b >= a + 199 for a, b in zip([r.mono_ms for r in found], [r.mono_ms for r in found[1:]], strict=False))
    assert {(each.source, each.asked_ms, each.error, each.synthetic) for each in found} == {
        ("npu-smi", 200, None, True)
    }
    assert [device.values["hbm_used_mib"] for device in found[1].devices] == [3959, 4470]
    assert "| 0     910B2" in (folder / RAW_LOG).read_text()
    assert last_round(folder / RAW_LOG) in found


def test_a_slow_program_skips_deadlines_and_the_skipped_ones_are_counted(fakes: Callable[..., Path]) -> None:
    folder = fakes("FAKE_NPU_SMI", delay=0.25, devices=1)
    sample(4, "ascend", folder, 0.1)
    found = whole_rounds(folder / RAW_LOG)
    assert found[3].missed >= 2 * 3
    assert all(each.took_ms > 250 for each in found)


def test_fail_garbage_and_another_layout_in_mid_run_are_counted_and_sampling_goes_on(
    fakes: Callable[..., Path],
) -> None:
    folder = fakes("FAKE_NPU_SMI", devices=2, fail=[1], garbage=[2], switch={"at": 4, "layout": "A"})
    sample(6, "ascend", folder, 0.2)
    found = whole_rounds(folder / RAW_LOG)
    assert [each.error for each in found[:6]] == [None, "device_count_zero", "no_table", None, None, None]
    assert found[2].unparsed == 6
    assert [len(each.devices) for each in found[3:6]] == [2, 2, 2]


def test_a_program_that_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    began = time.monotonic()
    found = call(["sh", "-c", "echo begun; sleep 60 & sleep 60"], 0.5, Stop())
    assert (found.output, found.trouble) == (b"begun\n", "deadline")
    assert time.monotonic() - began < 3


def test_a_flood_is_cut_and_a_missing_program_is_named() -> None:
    assert call(["yes"], 5, Stop(), max_bytes=1 << 16).trouble == "too_long"
    assert call(["/no/such/npu-smi"], 5, Stop()).trouble == "not_started"


def test_a_hanging_call_costs_five_seconds_while_the_host_sampler_goes_on(fakes: Callable[..., Path]) -> None:
    folder = fakes("FAKE_NPU_SMI", devices=1, hang=[1])
    stop = Stop()
    host = threading.Thread(target=KINDS["host"], args=(folder, 0.25, stop))
    host.start()
    sample(3, "ascend", folder, 0.5)
    stop.set()
    host.join(5)
    found = whole_rounds(folder / RAW_LOG)
    assert [each.error for each in found[:3]] == [None, "deadline", None]
    assert 5000 <= found[1].took_ms < 6000
    assert found[2].missed >= 9
    assert len((folder / "host-samples.jsonl").read_text().splitlines()) > 10


def test_without_the_program_the_rounds_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autoresearch.telemetry.ascend_sampler.PLACES", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    sample(1, "ascend", tmp_path, 0.1)
    assert whole_rounds(tmp_path / RAW_LOG)[0].error == "not_found"
    assert last_round(tmp_path / RAW_LOG) is not None


def test_a_cut_file_loses_its_last_round_only(fakes: Callable[..., Path]) -> None:
    folder = fakes("FAKE_NPU_SMI", devices=2)
    sample(4, "ascend", folder, 0.2)
    content = (folder / RAW_LOG).read_bytes()
    whole = list(read_rounds(folder / RAW_LOG))
    (folder / RAW_LOG).write_bytes(content[:-300])
    cut = list(read_rounds(folder / RAW_LOG))
    assert cut[:-1] == whole[:-1]
    assert cut[-1] is not None
    assert (cut[-1].error, cut[-1].devices) == ("cut", ())
    assert last_round(folder / RAW_LOG) == whole[-2]
    (folder / RAW_LOG).write_bytes(content[-900:])
    assert next(read_rounds(folder / RAW_LOG)) is None


@pytest.fixture
def nvml(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A ``pynvml.py`` on the path, as the runner carries one."""
    monkeypatch.syspath_prepend(str(FAKES.parent / "fake_nvml"))
    sys.modules.pop("pynvml", None)
    import pynvml

    pynvml.CALLS.clear()
    yield pynvml
    sys.modules.pop("pynvml", None)


def test_nvml_gives_whole_cards_and_mig_instances_and_never_counts_memory_twice(nvml: Any, tmp_path: Path) -> None:
    sample(4, "nvidia", tmp_path, 0.1)
    found = whole_rounds(tmp_path / SAMPLES)[1]
    assert (found.source, found.asked_ms, found.field_errors, found.unparsed) == ("nvml", 100, 0, 0)
    assert [(d.device_id, d.chip_id, d.uuid) for d in found.devices] == [
        ("0", "0", "GPU-a"),
        ("1", "0", "GPU-b"),
        ("1", "0", "MIG-0"),
        ("1", "1", "MIG-1"),
    ]
    whole, around, instance, _ = (d.values for d in found.devices)
    assert (whole["utilization_percent"], whole["power_watts"], whole["temperature_celsius"]) == (37.0, 123.456, 41.0)
    assert whole["memory_total_mib"] == 143771.0
    assert (around["memory_used_mib"], around["power_watts"]) == (None, 123.456)
    assert (instance["utilization_percent"], instance["power_watts"]) == (None, None)
    assert instance["memory_used_mib"] is not None
    line = json.loads((tmp_path / SAMPLES).read_text().splitlines()[1])
    assert (line["devices"][0]["sm_clock_mhz"], line["devices"][0]["throttle_reasons"]) == (1980, None)


def test_what_the_driver_refuses_once_is_not_asked_again(nvml: Any, tmp_path: Path) -> None:
    sample(4, "nvidia", tmp_path, 0.05)
    assert nvml.CALLS.count("throttle") == 2  # once a card


def test_nvidia_smi_serves_where_there_is_no_nvml(fakes: Callable[..., Path]) -> None:
    folder = fakes("FAKE_NVIDIA_SMI")
    sample(5, "nvidia", folder, 0.2)
    found = [each for each in whole_rounds(folder / SAMPLES) if each.error != "synthetic"]
    assert len(found) >= 4
    assert found[1].devices[1] == (
        "1",
        "0",
        "GPU-fake-1",
        {
            "memory_used_mib": 1011.0,
            "memory_total_mib": 143771.0,
            "utilization_percent": 8.0,
            "power_watts": 91.5,
            "temperature_celsius": 41.0,
        },
    )
    assert {each.source for each in found} == {"nvidia-smi"}


def test_an_nvidia_smi_that_ends_is_an_error_of_the_process(fakes: Callable[..., Path]) -> None:
    folder = fakes("FAKE_NVIDIA_SMI", end=2)
    with pytest.raises(RuntimeError, match="nvidia-smi ended"):
        sample_nvidia(folder, 0.1, Stop())
    assert len([each for each in whole_rounds(folder / SAMPLES) if each.devices]) == 2


def test_damaged_json_lines_are_null_rounds(tmp_path: Path) -> None:
    good = '{"round":0,"epoch_ms":5,"mono_ms":5,"source":"nvml","devices":[{"index":"0","uuid":"G","power_watts":7}]}'
    (tmp_path / SAMPLES).write_text(f'{good}\n[1]\n{{"epoch_ms": "x"}}\n{good[:40]}')
    found = list(read_rounds(tmp_path / SAMPLES))
    assert [each is None for each in found] == [False, True, True, True]
    assert last_round(tmp_path / SAMPLES) == found[0]


@pytest.fixture
def sampler_process(fakes: Callable[..., Path]) -> Iterator[subprocess.Popen[bytes]]:
    """The host sampler as the runner starts it: isolated, no site packages."""
    folder = fakes("FAKE_NPU_SMI")
    program = "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; "
    program += "from autoresearch.telemetry import samplers; "
    program += "sys.exit(samplers.run('host', Path(sys.argv[2]), 0.1))"
    child = subprocess.Popen([sys.executable, "-I", "-S", "-c", program, str(TELEMETRY.parents[1]), str(folder)])
    yield child
    child.kill()
    child.wait()


def test_a_sampler_process_ends_on_term_with_its_last_round_written(sampler_process: Any, tmp_path: Path) -> None:
    time.sleep(0.8)
    sampler_process.send_signal(signal.SIGTERM)
    assert sampler_process.wait(5) == 0
    lines = (tmp_path / "host-samples.jsonl").read_text().splitlines()
    assert len(lines) >= 4
    assert json.loads(lines[-1])["memory_total_bytes"] > 0


def test_a_sampler_process_ends_when_its_parent_is_gone(tmp_path: Path) -> None:
    inner = "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; "
    inner += "from autoresearch.telemetry import samplers; "
    inner += "print(__import__('os').getpid(), flush=True); samplers.run('host', Path(sys.argv[2]), 0.1)"
    outer = "import subprocess, sys; child = subprocess.Popen([sys.executable, '-I', '-S', '-c', *sys.argv[1:]], "
    outer += (
        "stdout=subprocess.PIPE); print(child.stdout.readline().decode(), flush=True); __import__('time').sleep(0.5)"
    )
    argv = [sys.executable, "-c", outer, inner, str(TELEMETRY.parents[1]), str(tmp_path)]
    pid = int(subprocess.run(argv, capture_output=True, text=True, timeout=20).stdout)
    until = time.monotonic() + 5
    while Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z":
        assert time.monotonic() < until, "the sampler outlived its parent"
        time.sleep(0.05)
    assert len((tmp_path / "host-samples.jsonl").read_text().splitlines()) >= 2


@given(st.binary(max_size=600), st.sampled_from([RAW_LOG, SAMPLES]), st.booleans())
def test_random_bytes_in_a_raw_file_never_raise(content: bytes, name: str, stamped: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(b"# ar epoch_ms=5 mono_ms=6 round=0 took_ms=1.0 bytes=9\n" + content if stamped else content)
        list(read_rounds(path))
        last_round(path)


def test_what_the_runner_carries_keeps_to_the_standard_library_and_python_3_8() -> None:
    standard = sys.stdlib_module_names | {"pynvml", "psutil"}  # psutil elsewhere than on Linux only
    names = [name for line in CARRIED for name in line.split()]
    for name in names:
        tree = ast.parse((TELEMETRY / f"{name}.py").read_text(encoding="utf-8"), feature_version=(3, 8))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert all(alias.name.split(".")[0] in standard for alias in node.names), name
            elif isinstance(node, ast.ImportFrom) and node.module != "autoresearch.errors":
                room = str(node.module).removeprefix("autoresearch.telemetry")
                assert node.module in standard or str(node.module).split(".")[0] in standard or room[1:] in names, name
