"""A gateway in trouble and a clock that steps under a whole row (formal-case.md 18: faults 2, 9 and 10)."""

from __future__ import annotations

import hashlib
import http.server
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from local_services import get, pushgateway
from row_stub import make_row, python
from runner_archive import Runs, lines, wait_for

STEP = "step:{n} - training/global_step:{n} - actor/grad_norm:0.5 - actor/pg_loss:0.1"
HOURS_8 = 8 * 3600
STEPPING = """
import runpy, sys, time
real, began = time.time, time.monotonic()
time.time = lambda: real() - ({back} if time.monotonic() - began > {after} else 0)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.services
def test_fault_2_the_supervisor_alone_deletes_the_live_groups_of_its_row(runs: Runs, tmp_path: Path) -> None:
    with pushgateway(tmp_path) as url:
        folder = make_row(tmp_path, ["sleep", "2.5"], telemetry={"host": True, "push_url": url})
        child = runs.start("supervise", folder)
        deadline = time.monotonic() + 30
        while b'case_id="case"' not in get(url + "/metrics"):
            assert time.monotonic() < deadline and child.poll() is None
            time.sleep(0.1)
        assert b'server="local"' in get(url + "/metrics")
        assert child.wait(60) == 0
        assert b"autoresearch" not in get(url + "/metrics")
    assert json.loads((folder / "result.json").read_text())["pushes"]["ok"] >= 1


@pytest.fixture
def failing() -> Iterator[str]:
    """A gateway that answers 500, every second time after ten seconds."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            turns.append(0)
            if len(turns) % 2 == 0:
                stop.wait(10)
            self.send_error(500)

        do_DELETE = do_PUT

        def log_message(self, *words: object) -> None:
            pass

    turns: list[int] = []
    stop = threading.Event()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    stop.set()
    server.shutdown()
    server.server_close()


def test_fault_9_with_a_failing_gateway_no_log_byte_is_lost_and_sampling_keeps_its_interval(
    runs: Runs, tmp_path: Path, failing: str
) -> None:
    program = """
import hashlib, os, time
digest, end, longest = hashlib.sha256(), time.monotonic() + 2.5, 0
block = b''.join(b'line %06d of a trainer that writes much\\n' % n for n in range(5000))
while time.monotonic() < end:
    began = time.monotonic()
    os.write(1, block) == len(block) or 1/0
    longest = max(longest, time.monotonic() - began)
    digest.update(block)
    time.sleep(0.02)
open('sent', 'w').write(digest.hexdigest() + ' ' + str(longest))
"""
    telemetry = {"host": True, "push_url": failing, "interval_seconds": 0.2}
    folder = make_row(tmp_path, python(program), telemetry=telemetry)
    result = runs.supervise(folder)
    digest, longest = (folder / "sent").read_text().split()
    assert result["exit_code"] == 0 and result["log"]["bytes"] > 10_000_000 and result["trainer_seconds"] < 10
    assert hashlib.sha256((folder / "trainer.log").read_bytes()).hexdigest() == digest
    assert float(longest) < 1.0
    stamps = [each["mono_ms"] for each in lines(folder / "host-samples.jsonl")]
    between = sorted(later - earlier for earlier, later in pairwise(stamps[:-1]))
    assert 190 <= between[len(between) // 2] <= 210
    assert result["pushes"]["ok"] == 0 and result["pushes"]["failed"] >= 2 and "500" in result["pushes"]["first_error"]


def test_fault_10_a_clock_that_steps_back_in_a_row_changes_no_duration_and_is_recorded_once(
    runs: Runs, tmp_path: Path
) -> None:
    program = "import time\n" + "".join(f"print({STEP.format(n=n)!r}); time.sleep(0.8)\n" for n in (1, 2, 3))
    folder = make_row(tmp_path, python(program), limits={"inner_timeout": 30.0})
    wrapper = STEPPING.format(back=HOURS_8, after=1.5)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", wrapper, runs.archive, "supervise", folder],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    wait_for(folder / "result.json")
    result = json.loads((folder / "result.json").read_text())
    assert (result["exit_code"], result["limit"], result["last_step"]) == (0, None, 3)
    assert 2.4 <= result["trainer_seconds"] < 10 and 2.4 <= result["elapsed_seconds"] < 12
    assert result["finished_epoch_ms"] < result["started_epoch_ms"], "the wall clock is kept as it was"
    (step,) = result["clock_steps"]
    assert abs(step["step_ms"] + HOURS_8 * 1000) < 100
    (event,) = [each for each in lines(folder / "events.jsonl") if each["event"] == "clock-step"]
    assert (event["code"], event["step_ms"]) == ("V430", step["step_ms"])
    index = lines(folder / "log-index.jsonl")
    assert [each["mono_ms"] for each in index] == sorted(each["mono_ms"] for each in index) and len(index) >= 3
