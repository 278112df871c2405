"""What NVML told of one H200 in a smoke run (`bench/gpu/proof.sh smoke`); the card's id is another."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

from autoresearch.evidence import verified_on
from autoresearch.telemetry.rounds import read_rounds
from autoresearch.telemetry.statistics import quantile

RECORD = Path(__file__).with_name("records") / "nvml-one-card.jsonl"


def test_every_round_of_the_card_is_read_with_the_values_on_its_line() -> None:
    lines = [json.loads(line) for line in RECORD.read_text().splitlines()]
    rounds = list(read_rounds(RECORD))
    assert len(rounds) == len(lines) == 72
    for line, read in zip(lines, rounds, strict=True):
        assert read is not None and read.error is None and read.source == "nvml" and not read.synthetic
        [device], [shown] = read.devices, line["devices"]
        assert device.uuid == shown["uuid"] and read.took_ms == line["took_ms"]
        assert device.values["memory_used_mib"] == shown["memory_used_mib"]
        assert device.values["power_watts"] == shown["power_watts"]
    assert max(read.devices[0].values["memory_used_mib"] for read in rounds) == 1276.812
    assert rounds[0].devices[0].values["memory_total_mib"] == 143771.0


def test_half_a_second_was_kept_on_the_card_as_is_said_of_it() -> None:
    rounds = list(read_rounds(RECORD))
    gaps = sorted((later.mono_ms - earlier.mono_ms) / 1000 for earlier, later in pairwise(rounds))
    note = next(each for each in verified_on.load().capabilities if each.id == "nvidia-sampling").seen[0].note
    assert f"{len(rounds)} rounds at 0.5 s, median {quantile(gaps, 0.5):.3f} s, longest {gaps[-1]:.3f} s" in note
    assert f"a reading takes {quantile(sorted(read.took_ms for read in rounds), 0.5):.2f} ms" in note
    [cost] = json.loads(RECORD.with_name("nvml-one-card-b1.json").read_text())["results"]
    assert cost["source"] == "nvml" and cost["ok"]
    assert f"takes {100 * cost['sampler_share_of_a_core']:.2f} % of a core" in note
