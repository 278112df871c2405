"""B5 of formal-case.md 17: the page of a case with 20 rows on 8 devices over 2 h at 0.5 s, 2.3 million points a metric.

Prints one JSON object with seconds, bytes and peak memory of rendering, the machine, n and spread: ``make bench-B5``.
The bundle is generated: its raw files are written here, the table, the statistics and the matrix are derived from them
by the tool itself. Every rendering runs in a process of its own, from the finished bundle to the page. Afterwards the
smallest and largest value of every curve, read from the raw files here, must be drawn, and stand in the page's tables.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / each) for each in ("src", "tests/fixtures", "tests/evidence")]

from case_raw_files import START_MS  # noqa: E402
from case_world import CaseWorld, RowPlan, listen  # noqa: E402
from measure import MEBIBYTE, peak_bytes, publish, spread  # noqa: E402

CASES, DEVICES, HOURS, EVERY_MS = 20, 8, 2.0, 500
STEPS, STEP_MS = 60, 110_000
LIMITS = {"seconds": 30, "page_bytes": 8_000_000, "peak_mib": 2048}
METRICS = ("memory_used_mib", "utilization_percent", "power_watts")
HOST = ("memory_used_bytes", "cpu_utilization_percent", "disk_free_bytes")


class LongWorld(CaseWorld):
    """A run whose rows have hours of samples of many cards."""

    def __init__(self, root: Path, rows: Sequence[RowPlan], rounds: int) -> None:
        self.rounds = rounds
        super().__init__(root, rows, accelerator="nvidia", devices=DEVICES, run_id="long")

    def device_list(self, count: int) -> list[dict[str, Any]]:
        """Cards with a UUID each."""
        return [{"id": number, "chip": 0, "uuid": f"GPU-{number}"} for number in range(count)]

    def files(self, plan: RowPlan) -> Any:
        """The attempt's folder with its long files."""
        found = super().files(plan)
        write_devices(found.folder / "nvml-samples.jsonl", self.rounds, self.rows.index(plan))
        write_host(found.folder / "host-samples.jsonl", self.rounds)
        write_index(found.folder, self.rounds)
        return found


def value(number: int, device: int, row: int) -> tuple[float, float, float]:
    """Memory, utilisation and power of a card in a round: slow waves, noise, and now and then a lone peak."""
    noise = (number * 7919 + device * 104_729 + row * 1_299_709) % 9973
    peak = 20_000 if noise == 17 else 0
    memory = 40_000 + 2_000 * device + (number * 13) % 4001 + noise % 977 + peak
    used = 0.0 if noise == 23 else float(40 + (number // 40 + noise) % 60)
    return float(memory), used, round(90 + used * 2.5 + noise % 37 * 0.1, 1)


def write_devices(path: Path, rounds: int, row: int) -> None:
    """``nvml-samples.jsonl`` of a row."""
    with path.open("w", encoding="utf-8") as out:
        for number in range(rounds):
            cards = []
            for device in range(DEVICES):
                memory, used, power = value(number, device, row)
                cards.append(
                    f'{{"index": {device}, "uuid": "GPU-{device}", "memory_used_mib": {memory}, '
                    f'"memory_total_mib": 81559.0, "utilization_percent": {used}, "power_watts": {power}, '
                    f'"temperature_celsius": {40 + used // 4}}}'
                )
            at = number * EVERY_MS
            out.write(
                f'{{"epoch_ms": {START_MS + at}, "mono_ms": {1000 + at}, "round": {number}, "took_ms": 1.0, '
                f'"missed": 0, "asked_interval_ms": {EVERY_MS}, "source": "nvml", "devices": [{", ".join(cards)}]}}\n'
            )


def write_host(path: Path, rounds: int) -> None:
    """``host-samples.jsonl`` of a row."""
    with path.open("w", encoding="utf-8") as out:
        for number in range(rounds):
            at = number * EVERY_MS
            line = {"round": number, "epoch_ms": START_MS + at, "mono_ms": 1000 + at, "asked_interval_ms": EVERY_MS}
            line |= {"missed": 0, "source": "proc", "took_ms": 0.8, "memory_total_bytes": 512 << 30}
            line["memory_used_bytes"] = (100 << 30) + (number * 7919 % 9973) * 1_048_576
            line["cpu_utilization_percent"] = number * 31 % 1000 / 10
            line["disk_free_bytes"] = (900 << 30) - number * 65_536
            out.write(json.dumps(line) + "\n")


def write_index(folder: Path, rounds: int) -> None:
    """``log-index.jsonl`` of a row: twice a second, and at each step."""
    log = (folder / "trainer.log").read_bytes()
    ends, place = [], 0
    while (place := log.find(b"step:", place)) >= 0:
        ends.append(place)
        place += 5
    ticks = [(number * EVERY_MS, len(log) + number) for number in range(rounds)]
    stamps = sorted([*ticks, *(((step + 1) * STEP_MS + 1, offset) for step, offset in enumerate(ends))])
    lines = (json.dumps({"offset": offset, "epoch_ms": START_MS + at, "mono_ms": 1000 + at}) for at, offset in stamps)
    (folder / "log-index.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def make_bundle(folder: Path, cases: int, hours: float) -> Path:
    """The unfinished bundle of the long run, with everything that a page is made from. Expositions are B6's."""
    from autoresearch.cases.judge import judge
    from autoresearch.evidence.attempt_records import attempts
    from autoresearch.evidence.case_telemetry import telemetry_row
    from autoresearch.evidence.derived import derived_texts, read_lock
    from autoresearch.telemetry.exposition import row_reads
    from autoresearch.telemetry.table import TableWriter

    length = int(hours * 3_600_000)
    end = {"trainer_finished_epoch_ms": START_MS + length, "trainer_finished_mono_ms": 1000 + length}
    plan = RowPlan("", steps=min(STEPS, length // STEP_MS), speed=100.0, changes=end)
    names = [f"train-8gpu-sync-bs{8 * (case + 1)}-n4-mini8-micro1-1024-2048" for case in range(cases)]
    size = {"D": DEVICES, "S": plan.steps, "m": 8}
    rows = [replace(plan, case_id=name, numbers=size) for name in names]
    world = LongWorld(folder / "world", rows, length // EVERY_MS)
    case = listen(folder / "runs", world.events(judge))
    bundle = case.writer.bundle()
    lock = read_lock(bundle)
    for name, text in derived_texts(bundle, lock).items():
        case.writer.put_text(name, text)
    bundle.path("telemetry_table").parent.mkdir(exist_ok=True)
    with TableWriter(bundle.path("telemetry_table")) as table:
        for attempt in attempts(lock, bundle.rows()):
            for read in row_reads(telemetry_row(bundle, lock, attempt)):
                for series in read.series:
                    table.add(series)
    return case.root


def render(bundle: Path, page: Path) -> int:
    """Render once and print what it took."""
    from autoresearch.report.render import render_page

    wall, processor = time.perf_counter(), time.process_time()
    render_page(bundle, page)
    found = {"seconds": time.perf_counter() - wall, "processor_seconds": time.process_time() - processor}
    print(json.dumps({**found, "peak_bytes": peak_bytes(), "page_bytes": page.stat().st_size}))
    return 0


def raw_extremes(bundle: Path) -> dict[str, tuple[float, float, int]]:
    """Curve -> smallest, largest and number of values, from the lines of the raw files alone."""
    values: dict[str, list[float]] = defaultdict(list)
    for row in sorted((bundle / "6-rows" / "cases").iterdir()):
        for line in (row / "nvml-samples.jsonl").open(encoding="utf-8"):
            for card in json.loads(line)["devices"]:
                for metric in METRICS:
                    name = f"curve.{row.name}.{metric}.nvml.{card['index']}/{card['uuid']}"
                    values[name].append(card[metric])
        for line in (row / "host-samples.jsonl").open(encoding="utf-8"):
            content = json.loads(line)
            for metric in HOST:
                values[f"curve.{row.name}.{metric}.proc"].append(content[metric])
    return {name: (min(found), max(found), len(found)) for name, found in values.items()}


def lost_extremes(bundle: Path, page: Path) -> Iterator[str]:
    """Curves whose smallest or largest value is not drawn, or whose table says another one than the raw files."""
    from autoresearch.evidence.verify_page import read_page

    read = read_page(page.read_text(encoding="utf-8"))
    lines = json.loads(read.series_text)
    told = {number.id: float(number.value) for number in read.numbers if number.value != "null"}
    for name, (low, high, count) in raw_extremes(bundle).items():
        drawn = [y for y in lines.get(name, {"y": []})["y"] if y is not None]
        table = tuple(told.get(f"{name}.{key}") for key in ("min", "max", "n"))
        if not drawn or (min(drawn), max(drawn)) != (low, high) or table != (low, high, count):
            yield name


def measure(cases: int, hours: float, repeats: int) -> dict[str, Any]:
    """Make the bundle, render it ``repeats`` times, compare the extremes."""
    with tempfile.TemporaryDirectory() as name:
        folder, runs = Path(name), []
        bundle, page = make_bundle(folder, cases, hours), folder / "report.html"
        for _ in range(repeats):
            command = [sys.executable, __file__, "--render", str(bundle), str(page)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            runs.append(json.loads(done.stdout.splitlines()[-1]))
        lost = list(lost_extremes(bundle, page))
        curves = cases * (DEVICES * len(METRICS) + len(HOST))
    seconds = spread([run["seconds"] for run in runs])
    peak = max(run["peak_bytes"] for run in runs) / MEBIBYTE
    size = runs[-1]["page_bytes"]
    return {
        "cases": cases,
        "devices": DEVICES,
        "hours": hours,
        "points_a_metric": cases * DEVICES * int(hours * 3_600_000 / EVERY_MS),
        "curves": curves,
        "seconds": seconds,
        "processor_seconds": spread([run["processor_seconds"] for run in runs]),
        "peak_mib": round(peak, 1),
        "page_bytes": size,
        "curves_with_lost_extremes": lost[:5],
        "limits": LIMITS,
        "ok": seconds["median"] < LIMITS["seconds"]
        and size < LIMITS["page_bytes"]
        and peak < LIMITS["peak_mib"]
        and not lost,
    }


def main() -> int:
    """Measure; exit 1 when a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--hours", type=float, default=HOURS)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", type=Path, help="a file for the JSON beside the terminal")
    parser.add_argument("--render", nargs=2, type=Path, metavar=("BUNDLE", "PAGE"), help="render once, in this process")
    given = parser.parse_args()
    if given.render:
        return render(*given.render)
    whole = given.cases >= CASES and given.hours >= HOURS
    return publish("B5", [measure(given.cases, given.hours, given.repeats)], whole, given.output)


if __name__ == "__main__":
    sys.exit(main())
