"""Write docs/measurements.md from the JSON files of this folder: ``python bench/gpu/table.py [--out FILE]``.

A file is what one script wrote on one machine. A line without a file says "not measured"; a rehearsal on the processor
is no measurement and is passed over.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autoresearch.files import atomic_write_text

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "measurements.md"
EMPTY = "not measured"
LINES = {
    1: ("matmul 8192³ in bf16, random numbers: the yardstick", "matmul.py"),
    2: ("SFT, preset `gpu` and a 2 B shape, rows of the example", "sft.py"),
    3: ("SFT with packing on and off, LoRA and full, answer weight 1 and 8", "sft_variants.py"),
    4: ("flash-linear-attention on and off", "linear_attention.py"),
    5: ("our dataset over verl's stock one, same rows; target of the step time 1.02", "dataset.py"),
    6: ("an RL step, taken apart", "rl.py"),
    7: ("our loop over verl's stock tool loop; strict sampler over stock", ""),
    8: ("vLLM against the transformers engine", "engine_agreement.py"),
    9: ("start-up, cold and compiled", "start_up.py"),
    10: ("predict: fields/s, prefix cache hits", ""),
    11: ("packing leak test of the device; a plan packs at most 1e-5", "packing.py"),
    12: ("field SFT, gate, RLOO with SmolLM2-135M", ""),
}
SHOWN_VERSIONS = ("torch", "triton", "transformers", "verl", "vllm", "flash-linear-attention", "tilelang")
HEAD = """# Measurements on cards

Written by `make measurements` from the JSON files in `bench/gpu/`; do not edit. Each file was written by one script on
one machine and holds every number with its n, its smallest and largest value, the versions, the device and the sha256
of the plans that ran. A number is a median; behind it stand the smallest and the largest value and how many there are.
An empty cell is not measured, which says nothing about the speed.

The models are random ones of a named shape. A random model chooses between nearly equal tokens: the greedy texts of two
engines part after a few of them, and line 8 is to be read by its log-probabilities, bf16 on the card against float32.

On a machine with a card: install `constraints/cuda.txt`, then `python bench/gpu/matmul.py`, and so on; `--gpus 2` uses
two cards. Scripts that train start `autoresearch train … --plan` on a plan that they let `train … --dry-run` write;
none of them changes an override, a verdict or a plan.
"""


def read_results(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    """File name and content of every result of a card, by name."""
    found = [(path.name, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*.json"))]
    return [(name, item) for name, item in found if item["device"].get("kind", "cuda") == "cuda"]


def cards(item: Mapping[str, Any]) -> int:
    """How many cards a result is of."""
    return int(item["device"].get("used", 1))


def cell(item: Mapping[str, Any]) -> str:
    """The numbers of a result, one below the other."""
    shown = [f"{name}: {amount(value)}" for name, value in numbers_of(item).items()]
    shown += [f"{name}: {value}" for name, value in item.get("facts", {}).items()]
    return "<br>".join(shown)


def numbers_of(item: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Numbers by name; line 8 is written by a script that compares and has a form of its own."""
    if "numbers" in item:
        return dict(item["numbers"])
    greedy = item["greedy_episodes"]
    found = {"equal greedy texts": {"unit": f"of {greedy['n']} episodes", "median": greedy["equal_texts"]}}
    for part in item["logprobs"]:
        difference = part["absolute_difference"]
        name = f"log-prob difference at temperature {part['temperature']:g}"
        found[name] = {"unit": "", "median": difference["median"], "most": difference["max"], "n": part["n"]}
    return found


def amount(value: Mapping[str, Any]) -> str:
    """``788 TFLOP/s (770 to 790, n 50)``, as far as the parts are there."""
    text = f"{short(value['median'])} {value['unit']}".strip()
    limits = [short(value[key]) for key in ("least", "most") if value.get(key) is not None]
    behind = " to ".join(limits) if len(limits) == 2 else f"at most {limits[0]}" if limits else ""
    count = f"n {value['n']}" if "n" in value else ""
    return text + (f" ({', '.join(part for part in (behind, count) if part)})" if behind or count else "")


def short(value: float) -> str:
    """Four significant digits, without an exponent where a person would write none."""
    if value and abs(value) < 1e-3:
        return f"{value:.2g}"
    return f"{float(f'{value:.4g}'):,.10g}"


def table(results: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """The lines of training.md 12, a column for each number of cards that was measured, one at least."""
    counts = sorted({1, 2, *(cards(item) for _, item in results)})
    head = " | ".join("one card" if count == 1 else f"{count} cards" for count in counts)
    lines = [f"| # | what | script | {head} |", "| ---: | --- | --- |" + " --- |" * len(counts)]
    for line, (what, script) in LINES.items():
        cells = []
        for count in counts:
            found = [cell(item) for _, item in results if item["line"] == line and cards(item) == count]
            cells.append("<br>".join(found) or EMPTY)
        lines.append(f"| {line} | {what} | {f'`{script}`' if script else '–'} | {' | '.join(cells)} |")
    return lines


def sources(results: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """What each file was measured on and with."""
    if not results:
        return ["No file is there yet."]
    lines = ["| file | line | measured | device | versions | plans |", "| --- | ---: | --- | --- | --- | --- |"]
    for name, item in results:
        device = f"{cards(item)} × {item['device']['name']}"
        known = item["versions"]
        shown = ", ".join(f"{key} {known[key]}" for key in SHOWN_VERSIONS if key in known)
        plans = ", ".join(f"{label} {digest[:12]}" for label, digest in item.get("plans", {}).items()) or "–"
        lines.append(f"| `{name}` | {item['line']} | {item.get('measured', '–')} | {device} | {shown} | {plans} |")
    return lines


def page(folder: Path = HERE) -> str:
    """The whole page over the results in ``folder``."""
    results = read_results(folder)
    return "\n".join([HEAD, *table(results), "", "## Files", "", *sources(results)]) + "\n"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PAGE)
    given = parser.parse_args()
    atomic_write_text(given.out, page())
    print(given.out)


if __name__ == "__main__":
    main()
