"""The pusher is judged by a real Pushgateway; a gateway that is down, slow or broken costs counters only
(formal-case.md 10.5, 18.9)."""

from __future__ import annotations

import http.server
import json
import signal
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from local_services import free_port, get, pushgateway
from npu_smi_texts import chip_values, compound
from prometheus_client.parser import text_string_to_metric_families

import autoresearch
from autoresearch.telemetry.ascend_sampler import RAW_LOG, stamp_line
from autoresearch.telemetry.bounded_call import Called
from autoresearch.telemetry.families import RowLabels
from autoresearch.telemetry.host_sampler import HostSampler
from autoresearch.telemetry.push import STATUS, Pusher, group_path, newest_values

SOURCES = Path(autoresearch.__file__).parents[1]
ROW = RowLabels("run-1", "train-2npu-sync-bs1-n4-mini1-micro1-1024-2048", "1", "npu-a")
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from autoresearch.telemetry.families import RowLabels
from autoresearch.telemetry.push import run
sys.exit(run(Path(sys.argv[2]), sys.argv[3], RowLabels("run-1", "case", "1", "npu-a"), 0.1))
"""


def raw_rounds(numbers: range, devices: int = 2, age_seconds: float = 0) -> bytes:
    """What the Ascend sampler would have written until now, or until a while ago."""
    out, mono = b"", int((time.monotonic() - age_seconds) * 1000)
    for number in numbers:
        text = compound([chip_values(device, number) for device in range(devices)]).encode()
        stamp = stamp_line(1_796_000_000_000 + 1000 * number, mono, number, 0, 1000, Called(text, 0, 0.01, None))
        out += stamp + text
    return out


@pytest.fixture
def row_folder(tmp_path: Path) -> Path:
    """A row's folder with two rounds of two chips, three of the host, an owner and a heartbeat."""
    folder = tmp_path / "row"
    folder.mkdir()
    (folder / RAW_LOG).write_bytes(raw_rounds(range(2)))
    with HostSampler(folder / "host-samples.jsonl", 0.05):
        time.sleep(0.02)
    (folder / "owner.json").write_text('{"started_epoch_ms": 1796000000000}')
    (folder / "heartbeat.json").write_text('{"seq": 3, "step": 2}')
    return folder


def pushed(url: str) -> dict[str, dict[frozenset[tuple[str, str]], float]]:
    """What the gateway shows, its own metrics left out."""
    found: dict[str, dict[frozenset[tuple[str, str]], float]] = {}
    for family in text_string_to_metric_families(get(url + "/metrics").decode()):
        if family.name.startswith("autoresearch"):
            found[family.name] = {frozenset(s.labels.items()): s.value for s in family.samples}
    return found


def test_both_groups_carry_the_newest_values_and_the_heartbeat(row_folder: Path, tmp_path: Path) -> None:
    with pushgateway(tmp_path) as url:
        pusher = Pusher(url + "/", ROW)
        assert pusher.push(newest_values(row_folder, ROW))
        found = pushed(url)
        used = {dict(labels)["device_id"]: value for labels, value in found["autoresearch_npu_hbm_used_mib"].items()}
        assert used == {"0": 3959.0, "1": 4470.0}
        labels = dict(next(iter(found["autoresearch_npu_hbm_used_mib"])))
        assert (labels["job"], labels["run_id"], labels["case_id"], labels["attempt"]) == ("autoresearch", *ROW[:3])
        assert labels["source"] == "npu-smi"
        (machine,) = {dict(each)["job"] for each in found["autoresearch_machine_npu_hbm_used_mib"]}
        assert machine == "autoresearch_machine"
        assert "run_id" not in dict(next(iter(found["autoresearch_machine_host_memory_used_bytes"])))
        assert list(found["autoresearch_experiment_case_step"].values()) == [2.0]
        beats = found["autoresearch_run_heartbeat_time_seconds"]
        assert {dict(each)["job"] for each in beats} == {"autoresearch", "autoresearch_machine"}
        assert all(abs(value - time.time()) < 60 for value in beats.values())
        assert (pusher.ok, pusher.failed) == (2, 0)


def test_an_old_round_is_no_news_and_its_series_end(row_folder: Path, tmp_path: Path) -> None:
    with pushgateway(tmp_path) as url:
        pusher = Pusher(url, ROW)
        pusher.push(newest_values(row_folder, ROW))
        (row_folder / RAW_LOG).write_bytes(raw_rounds(range(3), age_seconds=11))
        line = json.loads((row_folder / "host-samples.jsonl").read_text().splitlines()[-1])
        (row_folder / "host-samples.jsonl").write_text(json.dumps({**line, "mono_ms": line["mono_ms"] - 11_000}) + "\n")
        pusher.push(newest_values(row_folder, ROW))
        found = pushed(url)
        assert not any("_npu_" in name or "_host_" in name for name in found)
        assert "autoresearch_run_heartbeat_time_seconds" in found


def test_a_later_push_replaces_and_deletion_leaves_nothing_behind(row_folder: Path, tmp_path: Path) -> None:
    with pushgateway(tmp_path) as url:
        pusher = Pusher(url, ROW)
        pusher.push(newest_values(row_folder, ROW))
        (row_folder / RAW_LOG).write_bytes(raw_rounds(range(6), devices=1))
        pusher.push(newest_values(row_folder, ROW))
        assert list(pushed(url)["autoresearch_npu_hbm_used_mib"].values()) == [3000 + 137 * (35 % 20)]
        assert pusher.delete()
        assert pushed(url) == {}
        assert not pusher.push(newest_values(row_folder, ROW))
        assert pushed(url) == {}
        assert pusher.status()["deleted"]


@pytest.mark.parametrize("value", ["a/b", "", "a b", "ü%", "x" * 300])
def test_group_names_of_any_kind_reach_the_gateway(value: str, tmp_path: Path) -> None:
    with pushgateway(tmp_path) as url:
        row = ROW._replace(case_id=value or "case", server=value or "server")
        pusher = Pusher(url, row)
        assert pusher.push([]), pusher.first_error
        labels = [dict(each) for each in pushed(url)["autoresearch_push_failures"]]
        assert {each["case_id"] for each in labels} == {row.case_id}
        assert {each["server"] for each in labels} == {row.server}
    assert group_path("j", [("a", "")]) == "/metrics/job/j/a@base64/="


def pusher_process(folder: Path, url: str) -> subprocess.Popen[bytes]:
    """The pusher as the runner starts it: isolated, without site packages."""
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", PROGRAM, str(SOURCES), str(folder), url])


def until(condition: Callable[[], bool], seconds: float = 15) -> None:
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def status(folder: Path) -> dict[str, Any]:
    """The counters that the process wrote."""
    path = folder / STATUS
    return dict(json.loads(path.read_text())) if path.exists() else {}


def test_the_process_deletes_its_groups_when_it_is_ended(row_folder: Path, tmp_path: Path) -> None:
    with pushgateway(tmp_path) as url:
        child = pusher_process(row_folder, url)
        until(lambda: "autoresearch_npu_hbm_used_mib" in pushed(url))
        child.send_signal(signal.SIGTERM)
        assert child.wait(10) == 0
        assert pushed(url) == {}
    found = status(row_folder)
    assert found["ok"] >= 2
    assert found["failed"] == 0
    assert "autoresearch_machine_host_cpu_utilization_percent" in found["metrics"] or len(found["metrics"]) > 10


class Broken(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """A gateway that answers 500 at once, or only after ten seconds."""

    daemon_threads = True
    delay = 0.0


class Answer(http.server.BaseHTTPRequestHandler):
    def do_PUT(self) -> None:
        time.sleep(self.server.delay)  # type: ignore[attr-defined]
        self.send_error(500, "broken on purpose")

    do_DELETE = do_PUT

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def broken() -> Iterator[Broken]:
    """Such a gateway on a free port."""
    server = Broken(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_gateway_that_answers_500_costs_counters_only(row_folder: Path, broken: Broken) -> None:
    pusher = Pusher(f"http://127.0.0.1:{broken.server_port}", ROW)
    assert not pusher.push(newest_values(row_folder, ROW))
    assert (pusher.ok, pusher.failed) == (0, 2)
    assert pusher.first_error is not None
    assert pusher.first_error.startswith("PUT: HTTP 500")
    assert not pusher.delete()
    assert not pusher.status()["deleted"]
    assert not pusher.push([])
    assert pusher.failed == 2


def test_a_slow_gateway_is_given_up_after_two_seconds(row_folder: Path, broken: Broken) -> None:
    broken.delay = 10
    pusher = Pusher(f"http://127.0.0.1:{broken.server_port}", ROW, timeout=0.3)
    began = time.monotonic()
    pusher.push([])
    assert time.monotonic() - began < 3
    assert pusher.failed == 1
    assert "timed out" in str(pusher.first_error)


def test_a_gateway_that_is_down_is_counted_and_found_again(row_folder: Path, tmp_path: Path) -> None:
    pusher = Pusher(f"http://127.0.0.1:{free_port()}", ROW)
    assert not pusher.push([])
    assert "refused" in str(pusher.first_error)
    with pushgateway(tmp_path) as url:
        pusher.url = url
        assert pusher.push([])
        assert list(pushed(url)["autoresearch_push_failures"].values()) == [1.0, 1.0]


@pytest.mark.parametrize("trouble", ["down", "slow", "500"])
def test_sampling_keeps_its_interval_whatever_the_gateway_does(trouble: str, tmp_path: Path, broken: Broken) -> None:
    broken.delay = 10 if trouble == "slow" else 0
    port = free_port() if trouble == "down" else broken.server_port
    child = pusher_process(tmp_path, f"http://127.0.0.1:{port}")
    with HostSampler(tmp_path / "host-samples.jsonl", 0.1):
        time.sleep(2.5)
    ended = time.monotonic()
    child.terminate()
    assert child.wait(15) == 0
    assert time.monotonic() - ended < 5  # the runner kills what is still there then
    stamps = [json.loads(line)["mono_ms"] for line in (tmp_path / "host-samples.jsonl").read_text().splitlines()]
    between = sorted(b - a for a, b in pairwise(stamps[:-1]))
    assert 95 <= between[len(between) // 2] <= 105
    found = status(tmp_path)
    assert found["ok"] == 0
    assert found["failed"] > 0


def test_a_pusher_that_was_started_again_goes_on_counting(row_folder: Path, tmp_path: Path) -> None:
    with pushgateway(tmp_path) as url:
        child = pusher_process(row_folder, url)
        until(lambda: status(row_folder).get("ok", 0) >= 2)
        child.kill()
        child.wait()
        before = status(row_folder)["ok"]
        again = pusher_process(row_folder, url)
        until(lambda: status(row_folder)["ok"] > before)
        again.terminate()
        assert again.wait(10) == 0
        assert pushed(url) == {}
        assert status(row_folder)["deleted"]


def test_proxies_of_the_environment_are_not_used(
    row_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    monkeypatch.delenv("no_proxy", raising=False)
    with pushgateway(tmp_path) as url:
        assert Pusher(url, ROW).push([])


def test_the_work_of_a_push_does_not_grow_with_the_file(tmp_path: Path) -> None:
    block = raw_rounds(range(40), devices=8)
    seconds = []
    for times in (1, 100):
        (tmp_path / RAW_LOG).write_bytes(block * times)
        began = time.process_time()
        for _ in range(20):
            newest_values(tmp_path, ROW)
        seconds.append(time.process_time() - began)
    assert (tmp_path / RAW_LOG).stat().st_size > 8 << 20
    assert seconds[1] < 4 * seconds[0] + 0.1
