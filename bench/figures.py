"""Write docs/figures.md from ``bench/B1.json`` to ``bench/B10.json``: ``python bench/figures.py [--out FILE]``.

Each file is what ``make bench-<id>`` wrote on one machine. A figure without a file says "not measured".
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autoresearch.files import atomic_write_text

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "figures.md"
FIGURES = {
    "B1": "cost of a sampler at 0.5 s, share of a core",
    "B2": "achieved interval at 0.5 s while all cores are busy",
    "B3": "a trainer's log at 50 MB/s for 60 s",
    "B4": "`bundle verify` beside plain sha256 (`hashlib.file_digest`) over the same bytes, 4 GiB in 400 files",
    "B5": "report of 20 cases × 8 devices × 2 h at 0.5 s",
    "B6": "exposition of the same data",
    "B7": "parser of console logs on one core, three dialects",
    "B8": "bookkeeping of a row beside its trainer",
    "B9": "`run verl-case --dry-run` and `--help`",
    "B10": "push of a round over ten minutes",
}
NAMES = ("kind", "log", "command", "name", "program_delay_seconds")
"""Keys that tell the results of one figure apart."""
HEAD = """# Figures of the formal case

Written by `make bench-page` from `bench/B1.json` to `bench/B10.json`; do not edit. `make bench-B1`, and so on, measures
one figure and writes its file: every number with its limit, n, the machine and how busy it was (load average of one
minute at the end). `make bench` runs all of them, long ones shortened, and writes none. Where a value has a spread it
is a median, with the smallest and the largest behind it. The limits are those of a machine with two cores on which
nothing else runs; wall times on a busy one are worse than they need to be.

| id | what | measured, against its limit | n | machine | |
| --- | --- | --- | --- | --- | --- |
"""


def number(value: Any) -> str:
    """A number for a reader, a list as its ends."""
    if isinstance(value, (list, tuple)):
        return "–".join(map(number, value))
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def measured(value: Any) -> str:
    """A value, or a spread as median (least to most)."""
    if isinstance(value, Mapping):
        return f"{number(value['median'])} ({number(value['least'])} to {number(value['most'])})"
    return number(value)


def cell(result: Mapping[str, Any]) -> str:
    """The judged values of a result, each with its limit, and those that it wants to be seen ``beside`` them."""
    name = ", ".join(str(result[key]) for key in NAMES if key in result)
    limits = {**result.get("limits", {})}
    if "limit_seconds" in result:
        limits["seconds"] = result["limit_seconds"]
    shown = [
        f"{key.replace('_', ' ')} {measured(result[key])}, limit {number(limit)}"
        for key, limit in limits.items()
        if key in result
    ]
    shown += [f"{key.replace('_', ' ')} {measured(result[key])}" for key in result.get("beside", ())]
    return (f"{name}: " if name else "") + "; ".join(shown)


def count(result: Mapping[str, Any]) -> str:
    """How often a result was measured."""
    spreads = [value["n"] for value in result.values() if isinstance(value, Mapping) and "n" in value]
    return number(result.get("n") or next(iter(spreads), 1))


def page(folder: Path = HERE) -> str:
    """The page's text."""
    lines = []
    for figure, what in FIGURES.items():
        path = folder / f"{figure}.json"
        if not path.is_file():
            lines.append(f"| {figure} | {what} | not measured | | | |\n")
            continue
        found = json.loads(path.read_text(encoding="utf-8"))
        results, where = found["results"], found["environment"]
        machine = f"{where['machine']}, {where['cores']} cores, load {where['load_average']}"
        state = "reached" if found["ok"] else "not reached"
        state += "" if found["whole"] else ", shortened"
        cells = "<br>".join(filter(None, map(cell, results)))
        counts = "<br>".join(count(result) for result in results if cell(result))
        lines.append(f"| {figure} | {what} | {cells} | {counts} | {machine} | {state} |\n")
    return HEAD + "".join(lines)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PAGE)
    atomic_write_text(parser.parse_args().out, page())


if __name__ == "__main__":
    main()
