"""Does a Prometheus loaded from a bundle's exposition show what ``telemetry.parquet`` holds (formal-case.md 9.7)?

``restore/replay-prometheus.sh`` starts it and calls this module: ``wait URL PID`` until it answers, then
``compare BUNDLE URL``.
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from autoresearch.evidence.attempt_records import attempts
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.case_telemetry import run_labels
from autoresearch.evidence.derived import read_lock
from autoresearch.telemetry.exposition import Labels, Summary, expected
from autoresearch.telemetry.table import TableReader

START_SECONDS = 60.0
QUERY_SECONDS = 60.0
SHOWN = 10
Series = tuple[str, Labels]


def wait(url: str, pid: int) -> bool:
    """True once Prometheus at ``url`` is ready; false when the process ends or takes longer than a minute."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{url}/-/ready", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            try:
                os.kill(pid, 0)
            except OSError:
                return False
            time.sleep(0.1)
    return False


def query(url: str, expression: str, at: float) -> list[dict[str, Any]]:
    """The series of an instant query. Raises ``OSError`` or ``ValueError`` when Prometheus says no."""
    words = urllib.parse.urlencode({"query": expression, "time": f"{at:.3f}"})
    with urllib.request.urlopen(f"{url}/api/v1/query?{words}", timeout=QUERY_SECONDS) as answer:
        content = json.load(answer)
    found: list[dict[str, Any]] = content["data"]["result"]
    return found


def span_ms(table: Path) -> tuple[int, int]:
    """First and last time of all samples, UTC ms."""
    with TableReader(table) as reader:
        stamps = [reader.read(index)[0] for index in range(len(reader.series))]
    return min(int(each[0]) for each in stamps), max(int(each[-1]) for each in stamps)


def wanted_series(bundle: Bundle) -> dict[Series, Summary]:
    """Family and labels -> what the table says of the series."""
    lock = read_lock(bundle)
    table = bundle.path("telemetry_table")
    labels = {each.row: run_labels(bundle, lock, each) for each in attempts(lock, bundle.rows())}
    return expected(table, labels)


def compare(bundle: Bundle, url: str) -> list[str]:
    """One line for each series whose number or maximum differs, or that only one side has."""
    wanted = wanted_series(bundle)
    first, last = span_ms(bundle.path("telemetry_table"))
    window, at = f"{last - first + 1000}ms", last / 1000
    problems = []
    for family in sorted({name for name, _ in wanted}):
        counts = _answers(query(url, f"count_over_time({family}[{window}])", at))
        peaks = _answers(query(url, f"max_over_time({family}[{window}])", at))
        known = {frozenset(labels): summary for (name, labels), summary in wanted.items() if name == family}
        for labels in sorted(known.keys() | counts.keys(), key=sorted):
            summary = known.get(labels)
            seen = (counts.get(labels), peaks.get(labels))
            if summary is None or seen != (float(summary.samples), summary.maximum):
                shown = None if summary is None else (summary.samples, summary.maximum)
                problems.append(f"{family} {dict(sorted(labels))}: Prometheus has {seen}, the table {shown}")
    return problems


def _answers(found: list[dict[str, Any]]) -> dict[frozenset[tuple[str, str]], float]:
    return {
        frozenset((name, text) for name, text in each["metric"].items() if name != "__name__"): float(each["value"][1])
        for each in found
    }


def main(words: list[str]) -> int:
    """``wait URL PID`` or ``compare BUNDLE URL``; 0 when it is ready, or when everything is equal."""
    if words[0] == "wait":
        return 0 if wait(words[1], int(words[2])) else 1
    bundle = Bundle(Path(words[1]))
    count = len(wanted_series(bundle))
    problems = compare(bundle, words[2])
    for line in problems[:SHOWN]:
        print(f"replay-prometheus: {line}", file=sys.stderr)
    if problems:
        print(f"replay-prometheus: {len(problems)} of {count} series differ", file=sys.stderr)
        return 1
    print(f"replay-prometheus: number and maximum of all {count} series are those of telemetry.parquet")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
