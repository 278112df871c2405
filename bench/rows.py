"""Figures of rows (formal-case.md 17): B3 the log at 50 MB/s, B8 what bookkeeping costs beside the trainer.

Each prints one JSON object with its numbers, their limits, the machine, n and spread: `make bench-B3`, `make bench-B8`.
Ratios of this machine; run them when nothing else does.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "fixtures")]

from measure import publish, spread  # noqa: E402
from row_stub import RUN, make_lock, make_spec, python  # noqa: E402

from autoresearch.files import sha256_file  # noqa: E402
from autoresearch.hosts import rows  # noqa: E402
from autoresearch.hosts.local import LocalHost  # noqa: E402
from autoresearch.runner.build import build_runner  # noqa: E402

MEGABYTES_A_SECOND = 50
WRITER = """
import hashlib, json, os, sys, time
seconds, rate = float(sys.argv[1]), float(sys.argv[2]) * 1e6
digest, number, longest, sent, began = hashlib.sha256(), 0, 0.0, 0, time.monotonic()
while time.monotonic() - began < seconds:
    lines = b''.join(b'line %012d of a trainer that has a lot to say about every single thing\\n' % n
                     for n in range(number, number + 1000))
    number += 1000
    view = memoryview(lines)
    while view:
        before = time.monotonic()
        done = os.write(1, view)
        longest = max(longest, time.monotonic() - before)
        view = view[done:]
    digest.update(lines)
    sent += len(lines)
    ahead = sent / rate - (time.monotonic() - began)
    if ahead > 0:
        time.sleep(ahead)
took = time.monotonic() - began
json.dump({'sha256': digest.hexdigest(), 'lines': number, 'bytes': sent, 'longest_write_ms': longest * 1000,
           'megabytes_a_second': sent / took / 1e6}, open('sent.json', 'w'))
"""
STAMPS = "import time; print(time.monotonic(), flush=True); time.sleep(1); print(time.monotonic(), flush=True)"


def run_row(root: Path, argv: list[str]) -> tuple[Path, float, float]:
    """Run one row on this machine; its folder, and the monotonic seconds of its launch and of its seen result."""
    archive, _ = build_runner(root)
    host = LocalHost("local", str(root / "host"))
    folder = Path(rows.row_folder(host, RUN, "case.a1"))
    limits = {"inner_timeout": 300.0, "outer_timeout": 600.0, "ballast_bytes": 64 << 20, "heartbeat_seconds": 5.0}
    spec = make_spec(make_lock(folder.parents[1]), argv, limits=limits)
    began = time.monotonic()
    rows.launch(host, spec, str(folder), archive=archive, scratch=root / "scratch")
    while not (folder / "result.json").exists():
        time.sleep(0.02)
    return folder, began, time.monotonic()


def log_at_full_speed(seconds: float) -> dict[str, Any]:
    """B3: no byte lost or torn, and the writer never waits longer than 100 ms."""
    with tempfile.TemporaryDirectory() as place:
        folder, _, _ = run_row(Path(place), [*python(WRITER), str(seconds), str(MEGABYTES_A_SECOND)])
        sent = json.loads((folder / "sent.json").read_text())
        log = folder / "trainer.log"
        same = sha256_file(log) == sent.pop("sha256") and log.stat().st_size == sent["bytes"]
        index = sum(1 for _ in (folder / "log-index.jsonl").open())
    held = same and sent["longest_write_ms"] < 100 and sent["megabytes_a_second"] > 0.95 * MEGABYTES_A_SECOND
    limits = {"longest_write_ms": 100, "megabytes_a_second": MEGABYTES_A_SECOND}
    return {
        "same_bytes": same,
        **sent,
        "index_lines": index,
        "seconds": seconds,
        "limits": limits,
        "ok": held,
    }


def bookkeeping(times: int) -> dict[str, Any]:
    """B8: seconds from the launch to the trainer's first byte, and from its end to the result, over ``times`` rows."""
    before, after = [], []
    for _ in range(times):
        with tempfile.TemporaryDirectory() as place:
            folder, began, seen = run_row(Path(place), python(STAMPS))
            first, last = map(float, (folder / "trainer.log").read_text().split())
            before.append(first - began)
            after.append(seen - last)
    both = [one + other for one, other in zip(before, after, strict=True)]
    return {
        "n": times,
        "before_seconds": median(before),
        "after_seconds": median(after),
        "both_seconds": spread(both),
        "limits": {"both_seconds": 5},
        "ok": max(both) < 5,
    }


def main() -> int:
    """Run one figure; exit 0 when its limits hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figure", choices=("B3", "B8"))
    parser.add_argument("--seconds", type=float, default=60.0, help="of B3")
    parser.add_argument("--times", type=int, default=5, help="rows of B8")
    parser.add_argument("--output", type=Path, help="a file for the JSON beside the terminal")
    given = parser.parse_args()
    if given.figure == "B3":
        return publish("B3", [log_at_full_speed(given.seconds)], given.seconds >= 60, given.output)
    return publish("B8", [bookkeeping(given.times)], True, given.output)


if __name__ == "__main__":
    sys.exit(main())
