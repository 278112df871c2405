from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autoresearch.training.signal import signal_findings, step_signal, steps_with_signal, trained_groups, write_signal
from autoresearch.training.transcripts import Episode, TranscriptWriter

METRICS = {"actor/entropy": 0.5, "actor/grad_norm": 1.0, "training/rollout_probs_diff_max": 1e-6}


def episode(uid: str, score: float, **more: Any) -> Episode:
    fields = {"terminated_by": "answer", "turns": [{"tokens": 10}], "answer_valid": True, **more}
    return Episode(source_id=uid, sample=0, uid=uid, score=score, **fields)


def line(**changes: Any) -> dict[str, Any]:
    made = step_signal(1, [episode("a", 1.0), episode("a", 0.0)], METRICS)
    return {**made, **changes}


def test_groups_are_counted_as_all_zero_all_one_or_mixed() -> None:
    made = step_signal(
        3, [episode(uid, score) for uid, score in [("a", 0), ("a", 0), ("b", 1), ("b", 1), ("c", 0), ("c", 1)]], METRICS
    )
    assert made["constant_groups"] == {"all_0": 1, "all_1": 1}
    assert (made["groups"], made["mixed_groups"], made["mean_reward"]) == (3, 1, 0.5)
    assert made["entropy"] == 0.5 and made["kl"] is None


def test_calls_and_truncation_are_shares_of_episodes() -> None:
    made = step_signal(1, [episode("a", 0.0, tool_calls=2, terminated_by="length"), episode("a", 1.0)], METRICS)
    assert (made["call_share"], made["truncated_share"]) == (0.5, 0.5)
    assert made["terminated_by"] == {"answer": 0.5, "length": 0.5}


def test_validation_episodes_and_failures_do_not_enter_a_step(tmp_path: Path) -> None:
    writer = TranscriptWriter(tmp_path / "transcripts" / "1.jsonl")
    for one in (episode("a", 1.0), episode("a", 0.0), episode("held-out", 1.0), Episode("x", 0, uid="a", error="gone")):
        writer.write(one)
    (tmp_path / "rollouts").mkdir()
    rows = [{"uid": "a_0_0", "step": 1}, {"uid": "a_1_0", "step": 1}]
    (tmp_path / "rollouts" / "1.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "rollouts" / "2.jsonl").write_text('{"uid": "b_0', encoding="utf-8")
    lines = write_signal(tmp_path, {1: METRICS})
    assert [(made["step"], made["episodes"]) for made in lines] == [(1, 2)]
    assert json.loads((tmp_path / "signal.jsonl").read_text(encoding="utf-8")) == lines[0]
    assert steps_with_signal(lines) == 1


def test_uids_with_underscores_are_kept_whole(tmp_path: Path) -> None:
    (tmp_path / "7.jsonl").write_text('{"uid": "a_b_0_0"}\n', encoding="utf-8")
    assert trained_groups(tmp_path) == {7: {"a_b"}}


def test_equal_rewards_throughout_are_no_signal_and_five_steps_of_it_are_a_finding() -> None:
    without = [line(mixed_groups=0) for _ in range(5)]
    assert steps_with_signal(without) == 0
    assert [found["name"] for found in signal_findings(without)] == ["no_mixed_groups"]
    assert signal_findings(without[:4]) == []


def test_each_finding_needs_its_own_sign() -> None:
    def names(*lines: dict[str, Any], **more: Any) -> list[str]:
        return [found["name"] for found in signal_findings(lines, **more)]

    assert names(line()) == []
    assert names(line(mean_reward=0.97), held_out=[0.5, 0.5, 0.5]) == ["saturated"]
    assert names(line(mean_reward=0.97), held_out=[0.4, 0.5, 0.6]) == []
    assert names(line(entropy=1.0), line(entropy=0.09)) == ["entropy_collapse"]
    assert names(line(rollout_probs_diff_max=0.01)) == ["weights_differ"]
    assert names(line(rollout_probs_diff_max=0.01), device="cuda") == []
    assert names(line(pearson=0.9)) == ["weights_differ"]
    assert names(line(truncated_share=0.05)) == ["truncated"]
