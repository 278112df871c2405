"""When steps ended by the log's index, and SFT throughput from it."""

from __future__ import annotations

import pytest

from autoresearch.training.step_ends import StepEnd, log_times, sft_throughput, step_ends
from autoresearch.training.steps import parse_log

NOISE = b"step:9 - not a record\n"


def sft_log(validated: int = 0, steps: int = 4) -> tuple[bytes, list[dict[str, int]]]:
    """A log of SFT steps ten seconds apart and its index; ``validated`` holds a validation, which takes a minute."""
    log, index, stamp = b"begin\n" + NOISE, [{"offset": 0, "epoch_ms": 1_000_000, "mono_ms": 500}], 0
    for step in range(1, steps + 1):
        stamp += 10_000
        index.append({"offset": len(log), "epoch_ms": 1_000_000 + stamp, "mono_ms": 500 + stamp})
        tail = b" - val/loss:0.5" if step == validated else b""
        log += b"step:%d - train/loss:1.5 - train/grad_norm:0.5 - train/global_tokens:1000%s\n" % (step, tail)
        stamp += 60_000 if step == validated else 0
    return log, index


def test_each_training_record_has_the_time_of_its_line() -> None:
    log, index = sft_log()
    ends = step_ends(log, index, "sft")
    assert [(end.step, end.epoch_ms) for end in ends] == [(step, 1_000_000 + 10_000 * step) for step in range(1, 5)]
    assert log[ends[1].offset :].startswith(b"step:2 - ")


def test_times_go_on_by_the_monotonic_clock_when_the_wall_clock_is_set() -> None:
    index = [{"offset": 0, "epoch_ms": 1000, "mono_ms": 10}, {"offset": 5, "epoch_ms": 9_000_000, "mono_ms": 1010}]
    assert log_times([*index, {"offset": "x"}, "cut"]) == [(0, 1000), (5, 2000)]


def test_the_first_step_and_steps_around_a_validation_are_not_measured() -> None:
    log, index = sft_log(validated=2, steps=5)
    rate = sft_throughput(parse_log(log).records, step_ends(log, index, "sft"), 2)
    assert (rate.steps, rate.tokens, rate.seconds) == (2, 2000.0, 20.0), "steps 4 and 5"
    assert rate.per_device == pytest.approx(50.0)
    assert not rate.notices


def test_a_single_measured_step_is_noticed() -> None:
    log, index = sft_log(steps=2)
    rate = sft_throughput(parse_log(log).records, step_ends(log, index, "sft"), 1)
    assert (rate.steps, rate.notices[0].code) == (1, "V530")
    nothing = sft_throughput(parse_log(log).records, [StepEnd(1, 0, 5, False)], 1)
    assert (nothing.per_device, nothing.steps) == (None, 0)
