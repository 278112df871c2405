"""Logs of one card, as the product's own plans left them (one H200, torch 2.11.0, verl 0.9.1, vLLM 0.24.0)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autoresearch.evidence import verified_on
from autoresearch.files import read_json
from autoresearch.gates.linear_attention import TOLERANCE
from autoresearch.gates.packing import TOLERANCE as LEAK
from autoresearch.training.steps import compare_sources, count_steps, parse_log, parse_metrics
from autoresearch.training.watch import ENDING_SECONDS, Watch
from autoresearch.verdict import read_verdict

LOGS = Path(__file__).with_name("logs")


def test_six_sft_steps_are_counted_from_either_record() -> None:
    log = parse_log((LOGS / "sft-one-card.log").read_bytes())
    metrics = parse_metrics((LOGS / "sft-one-card.metrics.jsonl").read_bytes())
    assert count_steps(metrics.records, "sft").completed == count_steps(log.records, "sft").completed == 6
    assert compare_sources(metrics.records, log.records, "sft") == []
    assert metrics.records[0].data["train/loss"] == 7.671421527862549
    assert metrics.records[5].data["train/loss"] == 1.8307584524154663


def test_three_rloo_steps_with_vllm_are_counted_from_either_record() -> None:
    log = parse_log((LOGS / "rloo-one-card.log").read_bytes())
    metrics = parse_metrics((LOGS / "rloo-one-card.metrics.jsonl").read_bytes())
    assert count_steps(metrics.records, "rl").completed == count_steps(log.records, "rl").completed == 3
    assert compare_sources(metrics.records, log.records, "rl") == []
    assert [record.data["critic/rewards/mean"] for record in log.records] == [0.8984375, 0.9140625, 0.890625]
    # A worker of a data loader is killed after the last step, with a traceback: the run had the time to end by itself.
    watch = Watch("rl", 0.0, 3)
    watch.see_records(metrics.records, 1.0)
    watch.see_log((LOGS / "rloo-one-card.log").read_bytes(), 1.0)
    assert watch.trouble(0.9 + ENDING_SECONDS) is None and watch.at_exit(0) is None
    late = watch.trouble(1.0 + ENDING_SECONDS)
    assert late is not None and late.kind == "crash" and "DataLoader worker" in late.text


def test_the_result_of_the_rloo_steps_is_what_their_records_give() -> None:
    result = read_json(LOGS / "rloo-one-card.result.json")
    metrics = parse_metrics((LOGS / "rloo-one-card.metrics.jsonl").read_bytes())
    signal = [json.loads(line) for line in (LOGS / "rloo-one-card.signal.jsonl").read_text().splitlines()]
    assert result["status"] == "trained" and all(each["passed"] for each in result["conditions"])
    assert result["steps_completed"] == count_steps(metrics.records, "rl").completed == len(signal)
    assert result["steps_with_signal"] == sum(step["mixed_groups"] > 0 for step in signal) == 3
    assert result["optimizer_updates"] == sum(record.data["actor/grad_norm"] > 0 for record in metrics.records)
    for record, step in zip(metrics.records, signal, strict=True):
        assert step["mean_reward"] == record.data["critic/rewards/mean"]
        assert step["rollout_probs_diff_max"] == record.data["training/rollout_probs_diff_max"]


def test_what_is_said_of_vllm_stands_in_the_records_of_that_card() -> None:
    metrics = parse_metrics((LOGS / "rloo-one-card.metrics.jsonl").read_bytes())
    after_updates = [record.data["training/rollout_probs_diff_mean"] for record in metrics.records[1:]]
    verdict = read_verdict(LOGS / "rollout-one-card.json")
    rate = verdict.numbers["nonzero_reward_rate"]
    assert not verdict.passed and verdict.status == "saturated"
    assert rate["denominator"] == 256 and rate["rate"] == rate["numerator"] / 256
    run, gate = next(each for each in verified_on.load().capabilities if each.id == "vllm").seen
    assert f"differ by {max(after_updates):.1e} on average" in run.note
    assert f"256 episodes of the rollout gate in this process, {100 * rate['rate']:.1f} % rewarded" in gate.note


def test_the_result_of_those_steps_is_what_their_records_give() -> None:
    result = read_json(LOGS / "sft-one-card.result.json")
    metrics = parse_metrics((LOGS / "sft-one-card.metrics.jsonl").read_bytes())
    assert result["status"] == "trained" and all(each["passed"] for each in result["conditions"])
    assert result["steps_completed"] == count_steps(metrics.records, "sft").completed
    assert result["first_loss"] == metrics.records[0].data["train/loss"]
    assert result["last_loss"] == metrics.records[-1].data["train/loss"]


def test_what_is_said_of_the_kernels_stands_in_the_verdict_of_that_card() -> None:
    verdict = read_verdict(LOGS / "host-one-card.json")
    backward, packed = verdict.numbers["backward"], verdict.numbers["packing"]
    assert verdict.passed and verdict.numbers["device"]["name"] == "NVIDIA H200"
    assert 0 < backward["largest"] <= TOLERANCE and packed["leak"] <= LEAK
    note = next(each for each in verified_on.load().capabilities if each.id == "kernels").seen[0].note
    assert note == f"gradients within {backward['largest']:.2%} of plain torch; leak {packed['leak']:g}".replace(
        "%", " %"
    )


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("rloo-one-card-engine.log", "crash", "mrope_section"),
        ("rloo-one-card-memory.log", "oom", "Failed to allocate device memory"),
    ],
)
def test_two_starts_that_failed_are_named(name: str, kind: str, says: str) -> None:
    watch = Watch("rl", 0.0, 3)
    content = (LOGS / name).read_bytes()
    watch.see_log(content, 1.0)
    trouble = watch.trouble(1_000.0)
    assert trouble is not None and trouble.kind == kind
    assert says.encode() in content
    assert count_steps(parse_log(content).records, "rl").completed == 0
