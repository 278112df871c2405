"""Line 11: does a packed row see the row before it on this card? The leak test of the host gate, for each class.

    python bench/gpu/packing.py [--attention sdpa flash_attention_2]

The number is the largest change of a logit of row two when row one changes; a plan packs at most 1e-5. The text-only
class gets no sequence boundaries from verl and must show a leak, else the test itself is broken.
"""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from card import arguments, number, require_card, write

from autoresearch.gates.packing import TOLERANCE, measure_in_child
from autoresearch.training import tiny

PRESETS: dict[str, tiny.Preset] = {"image-text class": "gpu", "text-only class": "small"}


def main() -> None:
    """Measure, print, write."""
    parser = arguments(11, __doc__, rehearsable=True)
    default = ["sdpa", *(["flash_attention_2"] if find_spec("flash_attn") else [])]
    parser.add_argument("--attention", nargs="+", default=default)
    given = parser.parse_args()
    device = require_card(given)
    numbers: dict[str, Any] = {}
    facts: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for kind, preset in PRESETS.items():
            folder = Path(scratch) / preset
            tiny.build_tokenizer(["\n"], folder)
            tiny.build_model(folder, preset, seed=0)
            for attention in given.attention:
                answer = measure_in_child(device["kind"], folder, attention)
                name = f"{kind}, {attention}"
                if answer["leak"] is None:
                    facts[name] = answer["error"]
                else:
                    # Leaks are small numbers: the four digits of other numbers would show them as 0.
                    value = float(f"{answer['leak']:.3g}")
                    numbers[name] = {**number([value], "logit"), "median": value, "least": value, "most": value}
                    facts[name] = "no leak" if answer["ok"] else "leaks"
    write(given, device, numbers, facts=facts, settings={"tolerance": TOLERANCE})


if __name__ == "__main__":
    main()
