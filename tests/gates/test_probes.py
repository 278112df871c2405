"""The rule that chooses a checkpoint for the gate (training.md 11.3)."""

from __future__ import annotations

from dataclasses import replace

from autoresearch.gates.probes import Probe, ProbeRule, judge_probe, nearest, probe_in_order
from autoresearch.training.episodes import EpisodeRow
from autoresearch.training.transcripts import Episode

RULE = ProbeRule(0.14, 0.24)
BLANK = Probe(0, 0, 100, 0.0, (0.0, 0.0), 0.1, False, 0, 1.0, 0.0, False)


def row(number: int, category: str = "A") -> EpisodeRow:
    return EpisodeRow(f"s{number:03d}", [], {}, category, "L1", {}, "d/stage1")


def played(hits: list[int], samples: int) -> list[Episode]:
    return [
        Episode(f"s{number:03d}", sample, score=1.0 if sample < count else 0.0, answer_valid=True)
        for number, count in enumerate(hits)
        for sample in range(samples)
    ]


def test_a_rate_in_the_window_and_above_the_majority_qualifies() -> None:
    rows = [row(number, f"c{number % 20}") for number in range(64)]
    probe = judge_probe(80, played([1] * 48 + [0] * 16, 4), rows, rows, RULE, samples=4, seed=1)
    assert (probe.numerator, probe.denominator) == (48, 256)
    assert probe.above_baseline
    assert probe.qualifies


def test_the_same_rate_does_not_qualify_when_the_majority_answer_earns_it() -> None:
    rows = [row(number, "A" if number < 16 else f"c{number}") for number in range(64)]
    probe = judge_probe(80, played([1] * 48 + [0] * 16, 4), rows, rows, RULE, samples=4, seed=1)
    assert probe.majority == 0.25
    assert not probe.above_baseline
    assert not probe.qualifies


def test_an_episode_error_disqualifies() -> None:
    rows = [row(number, f"c{number % 20}") for number in range(64)]
    episodes = played([1] * 48 + [0] * 16, 4)
    episodes[0] = Episode("s000", 0, error="engine gone")
    assert not judge_probe(80, episodes, rows, rows, RULE, samples=4, seed=1).qualifies


def test_the_first_that_qualifies_is_taken_and_later_ones_are_not_probed() -> None:
    rates = {40: 0.05, 45: 0.16, 50: 0.2}
    asked: list[int] = []

    def probe(step: int) -> Probe:
        asked.append(step)
        return replace(BLANK, step=step, rate=rates[step], qualifies=0.14 <= rates[step] <= 0.24)

    chosen, done = probe_in_order([50, 40, 45], 5, probe, RULE)
    assert chosen is not None and chosen.step == 45
    assert asked == [40, 45]
    assert len(done) == 2


def test_none_qualifies_names_the_nearest_on_both_sides_and_stops_past_the_rise() -> None:
    rates = {40: 0.05, 45: 0.12, 50: 0.3, 55: 0.4, 60: 0.2}

    def probe(step: int) -> Probe:
        return replace(BLANK, step=step, rate=rates[step])

    chosen, done = probe_in_order(rates, 5, probe, RULE)
    assert chosen is None
    assert [item.step for item in done] == [40, 45, 50, 55]
    near = nearest(done, RULE)
    assert (near["below"]["step"], near["above"]["step"]) == (45, 50)


def test_a_jump_over_the_window_is_looked_into_in_ascending_order() -> None:
    rates = {40: 0.05, 41: 0.08, 42: 0.1, 43: 0.2, 44: 0.22, 45: 0.3, 50: 0.4}
    asked: list[int] = []

    def probe(step: int) -> Probe:
        asked.append(step)
        return replace(BLANK, step=step, rate=rates[step], qualifies=0.14 <= rates[step] <= 0.24)

    chosen, _ = probe_in_order(rates, 5, probe, RULE)
    assert chosen is not None and chosen.step == 43
    assert asked == [40, 45, 41, 42, 43]
