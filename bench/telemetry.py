"""Figures of the telemetry room (formal-case.md 17): B1 cost of sampling, B2 interval, B6 exposition, B10 push.

Each prints one JSON object with its numbers, their limits, the machine, n and spread: `make bench-B1` and so on. Ratios
of this machine; run them when nothing else does.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "fixtures")]

from measure import publish, spread  # noqa: E402
from npu_smi_texts import chip_values, compound  # noqa: E402

from autoresearch.telemetry.ascend_sampler import RAW_LOG, stamp_line  # noqa: E402
from autoresearch.telemetry.bounded_call import Called  # noqa: E402
from autoresearch.telemetry.exposition import HISTORY, TABLE, TelemetryRow, expected, shown, write  # noqa: E402
from autoresearch.telemetry.families import RowLabels  # noqa: E402
from autoresearch.telemetry.push import Pusher, newest_values  # noqa: E402
from autoresearch.telemetry.rounds import read_rounds  # noqa: E402
from autoresearch.telemetry.samplers import RAW_FILES  # noqa: E402
from autoresearch.telemetry.statistics import quantile  # noqa: E402

FAKES = ROOT / "tests" / "fixtures" / "fake_programs"
TICKS = os.sysconf("SC_CLK_TCK")
SAMPLE = (
    "import sys; sys.path[:0] = sys.argv[4:]; from pathlib import Path; "
    "from autoresearch.telemetry.samplers import run; "
    "sys.exit(run(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])))"
)
T0 = 1_796_000_000_000
WHOLE = {"B1": 120.0, "B2": 60.0, "B10": 600.0}
"""Seconds that a figure asks for."""


@contextmanager
def sampler(kind: str, folder: Path, programs: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A sampler at 0.5 s in a process of its own; for Ascend with ``programs`` first on its PATH."""
    places = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"} if kind == "ascend" else {}
    more = os.environ.get("BENCH_PYTHONPATH", "").split(os.pathsep)
    argv = [sys.executable, "-I", "-S", "-c", SAMPLE, kind, str(folder), "0.5", str(ROOT / "src"), *filter(None, more)]
    child = subprocess.Popen(argv, env={**os.environ, **places})
    try:
        yield child
    finally:
        child.terminate()
        child.wait(10)


def quick_program(folder: Path, delay: float) -> Path:
    """A folder with an ``npu-smi`` that waits and prints eight devices, and costs as little as a compiled one."""
    (folder / "bin").mkdir()
    text = compound([chip_values(device, 1) for device in range(8)])
    (folder / "bin" / "text").write_text(text, encoding="utf-8")
    wait = f"sleep {delay}\n" if delay else ""
    (folder / "bin" / "npu-smi").write_text(f"#!/bin/sh\n{wait}exec cat {folder}/bin/text\n", encoding="utf-8")
    (folder / "bin" / "npu-smi").chmod(0o755)
    return folder / "bin"


def processor_seconds(pid: int) -> tuple[float, float]:
    """User and system time of a process, and that of its children that it waited for."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own, called = int(words[11]) + int(words[12]), int(words[13]) + int(words[14])
    return own / TICKS, called / TICKS


def cost(kind: str, seconds: float) -> dict[str, Any]:
    """B1: share of one core that sampling takes; the called program is told apart. ``spread`` is over parts of 10 s."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with sampler(kind, folder, FAKES) as child:
            time.sleep(2)
            began, spent = time.monotonic(), [processor_seconds(child.pid)]
            marks = [began]
            while marks[-1] - began < seconds:
                time.sleep(min(10.0, max(0.01, began + seconds - time.monotonic())))
                marks.append(time.monotonic())
                spent.append(processor_seconds(child.pid))
        rounds = [each for each in read_rounds(folder / RAW_FILES[kind]) if each is not None and each.devices]
        took = marks[-1] - began
        own, called = (b - a for a, b in zip(spent[0], spent[-1], strict=True))
        parts = [(b[0] - a[0]) / (t - s) for (a, b), (s, t) in zip(pairwise(spent), pairwise(marks), strict=True)]
        return {
            "kind": kind,
            "devices": len(rounds[-1].devices),
            "source": rounds[-1].source,
            "rounds": len(rounds),
            "seconds": round(took, 1),
            "sampler_share_of_a_core": round(own / took, 5),
            "called_program_share_of_a_core": round(called / took, 5),
            "spread": spread(parts),
            "limits": {"sampler_share_of_a_core": 0.01},
            "ok": own / took < 0.01,
        }


@contextmanager
def load() -> Iterator[None]:
    """One busy process a core, as a trainer has them."""
    busy = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


def interval(kind: str, seconds: float, delay: float) -> dict[str, Any]:
    """B2: achieved interval at 0.5 s while all cores are busy."""
    with tempfile.TemporaryDirectory() as name, load():
        folder = Path(name)
        with sampler(kind, folder, quick_program(folder, delay)):
            time.sleep(seconds)
        path = folder / RAW_FILES[kind]
        if kind == "host":
            stamps = [json.loads(line)["mono_ms"] for line in path.read_text().splitlines()][:-1]
        else:
            stamps = [each.mono_ms for each in read_rounds(path) if each is not None]
    between = [(b - a) / 1000 for a, b in pairwise(stamps)]
    middle, late = median(between), quantile(between, 0.95)
    return {
        "kind": kind,
        "program_delay_seconds": delay,
        "n": len(between),
        "median_seconds": middle,
        "p95_seconds": late,
        "min_seconds": min(between),
        "max_seconds": max(between),
        "limits": {"median_seconds": [0.495, 0.505], "p95_seconds": 0.55},
        "ok": abs(middle - 0.5) <= 0.005 and late < 0.55,
    }


def raw_row(path: Path, begin_ms: int, rounds: int, devices: int) -> None:
    """A raw log of one row; its texts repeat after 2000 rounds."""
    texts = [compound([chip_values(device, number) for device in range(devices)]).encode() for number in range(20)]
    with path.open("wb") as out:
        for number in range(rounds):
            text = texts[number % 20]
            stamp = begin_ms + 500 * number
            out.write(stamp_line(stamp, stamp - T0, number, 0, 500, Called(text, 0, 0.02, None)) + text)


def exposition(cases: int, hours: float, devices: int) -> dict[str, Any]:
    """B6: table and expositions of ``cases`` rows of ``devices`` at 0.5 s; parsing of the raw logs is told apart."""
    rounds = int(hours * 7200)
    with tempfile.TemporaryDirectory() as name:
        folder, rows = Path(name), []
        (folder / "out").mkdir()
        for case in range(cases):
            (folder / str(case)).mkdir()
            begin = T0 + case * (rounds * 500 + 60_000)
            raw_row(folder / str(case) / RAW_LOG, begin, rounds, devices)
            labels = RowLabels("run-20261130", f"train-{devices}npu-sync-bs{case}", "1", "npu-a")
            rows.append(TelemetryRow(f"case-{case}.a1", labels, folder / str(case) / RAW_LOG, None, begin))
        raw = sum((folder / str(case) / RAW_LOG).stat().st_size for case in range(cases))
        began = time.perf_counter()
        written = write(folder / "out", rows)
        seconds = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        history = (folder / "out" / HISTORY).stat().st_size
        found = {
            "cases": cases,
            "devices": devices,
            "device_readings": cases * rounds * devices,
            "raw_bytes": raw,
            "table_samples": written.samples,
            "history_samples": sum(written.present.values()),
            "history_bytes": history,
            "table_bytes": (folder / "out" / TABLE).stat().st_size,
            "seconds": round(seconds, 1),
            "seconds_of_reading_raw_logs": round(written.reading_seconds, 1),
            "seconds_of_expositions": round(seconds - written.reading_seconds, 1),
            "peak_mib": round(peak, 1),
            "n": 1,
            "limits": {"seconds_of_expositions": 120, "peak_mib": 500},
            "ok": seconds - written.reading_seconds < 120 and peak < 500,
        }
        found["table_and_history_agree"] = expected(folder / "out" / TABLE, {r.row: r.labels for r in rows}) == shown(
            folder / "out" / HISTORY
        )
        found["strict_parser"] = _strict_sample(folder / "out" / HISTORY)
        found["promtool"] = _promtool(folder)
        judged = (found["table_and_history_agree"], found["strict_parser"]["ok"], found["promtool"]["ok"] is not False)
        found["ok"] = found["ok"] and all(judged)
        return found


def _strict_sample(history: Path, each: int = 2000) -> dict[str, Any]:
    """prometheus-client's strict parser on the first ``each`` lines of every family, which is parsed on its own."""
    from prometheus_client.openmetrics.parser import text_string_to_metric_families

    families: list[list[str]] = []
    with history.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# HELP"):
                families.append([])
            if line != "# EOF\n" and len(families[-1]) < each:
                families[-1].append(line)
    read = [list(text_string_to_metric_families("".join([*family, "# EOF\n"]))) for family in families]
    samples = sum(len(family.samples) for found in read for family in found)
    wanted = sum(not line.startswith("# ") for family in families for line in family)
    return {"ok": samples == wanted > 0, "families": len(families), "samples": samples}


def _promtool(folder: Path) -> dict[str, Any]:
    argv = [
        "promtool",
        "tsdb",
        "create-blocks-from",
        "--max-block-duration=64h",  # by default the whole text is read anew for every two hours of it
        "openmetrics",
        str(folder / "out" / HISTORY),
        str(folder / "blocks"),
    ]
    began = time.perf_counter()
    try:
        done = subprocess.run(argv, capture_output=True, text=True)
    except FileNotFoundError:
        return {"ok": None, "why": "promtool is not installed: not run"}
    return {"ok": done.returncode == 0, "seconds": round(time.perf_counter() - began, 1), "error": done.stderr[-300:]}


def push(seconds: float) -> dict[str, Any]:
    """B10: processor time of a push of a round, first minute against last minute, while the raw file grows."""
    sys.path.insert(0, str(ROOT / "tests"))
    from local_services import pushgateway

    row = RowLabels("run-1", "case-1", "1", "npu-a")
    with tempfile.TemporaryDirectory() as name, pushgateway(Path(name)) as url:
        folder = Path(name) / "row"
        folder.mkdir()
        pusher, spent = Pusher(url, row), []
        texts = [compound([chip_values(device, number) for device in range(8)]).encode() for number in range(20)]
        stop = threading.Event()

        def grow() -> None:
            number = 0
            with (folder / RAW_LOG).open("ab", buffering=0) as log:
                while not stop.wait(0.5):
                    called = Called(texts[number % 20], 0, 0.02, None)
                    log.write(
                        stamp_line(int(time.time() * 1000), int(time.monotonic() * 1000), number, 0, 500, called)
                        + called.output
                    )
                    number += 1

        writer = threading.Thread(target=grow)
        writer.start()
        time.sleep(1.2)
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            before = time.thread_time()
            pusher.push(newest_values(folder, row))
            spent.append(time.thread_time() - before)
            time.sleep(1)
        stop.set()
        writer.join()
        pusher.delete()
    minute = min(60, len(spent) // 2)
    first, last = median(spent[:minute]), median(spent[-minute:])
    return {
        "pushes": len(spent),
        "failed": pusher.failed,
        "median_ms": round(1000 * median(spent), 3),
        "p95_ms": round(1000 * quantile(spent, 0.95), 3),
        "first_minute_median_ms": round(1000 * first, 3),
        "last_minute_median_ms": round(1000 * last, 3),
        "last_over_first": round(last / first, 3),
        "seconds": seconds,
        "spread_ms": spread([1000 * each for each in spent]),
        "limits": {"median_ms": 5, "last_over_first": 1.5},
        "ok": median(spent) < 0.005 and last < 1.5 * first,
    }


def main() -> int:
    """One figure, printed as one JSON object; exit 1 when a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figure", choices=("B1", "B2", "B6", "B10"))
    parser.add_argument("--seconds", type=float, help="default 120, 60, -, 600")
    parser.add_argument(
        "--kinds", nargs="+", default=["ascend", "host"], choices=sorted(RAW_FILES), help="of B1 and B2"
    )
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--output", type=Path, help="a file for the JSON beside the terminal")
    given = parser.parse_args()
    seconds = given.seconds or WHOLE.get(given.figure, 0.0)
    figures: dict[str, Callable[[], list[dict[str, Any]]]] = {
        "B1": lambda: [cost(kind, seconds) for kind in given.kinds if kind != "host"],
        "B2": lambda: [
            interval(kind, seconds, delay)
            for kind in given.kinds
            for delay in ((0.0, 0.2) if kind == "ascend" else (0.0,))
        ],
        "B6": lambda: [exposition(given.cases, given.hours, 8)],
        "B10": lambda: [push(seconds)],
    }
    whole = seconds >= WHOLE.get(given.figure, 0.0) and given.cases >= 20 and given.hours >= 2
    return publish(given.figure, figures[given.figure](), whole, given.output)


if __name__ == "__main__":
    sys.exit(main())
