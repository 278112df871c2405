"""What every script of this folder shares: the card, the spread of its numbers, and the file that it writes.

A script refuses where there is no card, with one message and exit 2. ``--rehearse`` of the scripts that launch plans
goes the same way on the processor with a tiny model, to try the script; such a file is never shown in the table.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from autoresearch.gates.device_operation import operate_in_child
from autoresearch.training.environment import find_device, versions

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))  # measure.py and training.py of the bench folder

from measure import spread  # noqa: E402 - after the path is known

REMEDY = (
    "run it on a machine with an NVIDIA card and the environment of constraints/cuda.txt; "
    "autoresearch gate host --for sft --out FILE says what a machine lacks"
)


def arguments(line: int, doc: str | None, rehearsable: bool = False) -> argparse.ArgumentParser:
    """A parser with the flags that every script has; ``line`` is the line of the table of training.md 12."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.set_defaults(line=line, rehearse=False)
    parser.add_argument("--gpus", type=int, default=1, help="cards of this machine to use")
    parser.add_argument("--output", type=Path, help="default: beside this script, named after it")
    if rehearsable:
        parser.add_argument("--rehearse", action="store_true", help="on the processor, to try the script")
        parser.add_argument("--work", type=Path, help="folder for releases, models and runs; default a temporary one")
    return parser


def require_card(given: argparse.Namespace) -> dict[str, Any]:
    """What the device is, after a matmul and a collective ran on it. Exits with 2 and one message without a card."""
    kind = "cpu" if given.rehearse else "cuda"
    if kind == "cuda" and find_device() != "cuda":
        refuse(given, "no CUDA device", str(given.gpus))
    found = operate_in_child(kind)
    if not found["ok"] or found["count"] < given.gpus:
        reason = f"; {found['error']}" if found["error"] else ""
        refuse(given, f"{found['count']} CUDA devices{reason}", str(given.gpus))
    kept = ("name", "capability", "memory_bytes", "driver")
    return {"kind": kind, "used": given.gpus, **{key: found.get(key) for key in kept}}


def refuse(given: argparse.Namespace, found: str, needed: str) -> NoReturn:
    """Leave with 2 and one message: script, what was found, what is needed, what to do."""
    place = f"bench/gpu/{Path(sys.argv[0]).name}"
    print(f"{place}: {found}, {needed} needed (training.md 12, line {given.line}): {REMEDY}", file=sys.stderr)
    raise SystemExit(2)


def number(values: Sequence[float], unit: str) -> dict[str, Any]:
    """A measured number: unit, median, least, most and n. ``values`` must not be empty."""
    return {"unit": unit, **spread(values)}


def write(given: argparse.Namespace, device: dict[str, Any], numbers: dict[str, Any], **more: Any) -> None:
    """Print the result and write it. ``more``: facts, plans (label to sha256) and settings of the script."""
    found = {
        "line": given.line,
        "measured": datetime.now(UTC).strftime("%Y-%m-%d"),
        "numbers": numbers,
        "facts": more.get("facts", {}),
        "plans": more.get("plans", {}),
        "settings": more.get("settings", {}),
        "device": device,
        "versions": versions(),
    }
    text = json.dumps(found, indent=2, ensure_ascii=False)
    print(text)
    name = Path(sys.argv[0]).stem + ("" if given.gpus == 1 else f"-x{given.gpus}")
    out = given.output or HERE / f"{name}{'.rehearsal' if given.rehearse else ''}.json"
    out.write_text(text + "\n", encoding="utf-8")
