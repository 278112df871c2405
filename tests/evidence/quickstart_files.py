"""A small, complete quickstart run in the documented formats, made by code: two run folders, verdicts, reports,
transcripts, a sheet."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any, Literal

from autoresearch.evaluation.compare import compare_files
from autoresearch.evaluation.eval_report import EvalReport, write_report
from autoresearch.evaluation.metrics import episode_numbers, main_numbers
from autoresearch.evaluation.results import RowResult
from autoresearch.evidence.quickstart import QuickstartRun
from autoresearch.files import write_json
from autoresearch.gates.statistics import share
from autoresearch.training.plan import Plan, write_plan
from autoresearch.training.transcripts import Episode, TranscriptWriter
from autoresearch.verdict import make_verdict, write_verdict

START_MS = 1_795_000_000_000
HOSTILE = '</script><script>alert("x")</script> \u202e "quotes" & \'ticks\''
LEVELS = ("1", "2", "3", "4")


def make_plan(run: Path, kind: str, steps: int) -> str:
    """``plan.json`` and ``plan.sha256`` of a run folder; returns the plan's sha256."""
    rl = kind == "rl"
    plan = Plan(
        kind="rl" if rl else "sft",
        algorithm="rloo" if rl else "sft",
        purpose="practice",
        device="cpu",
        engine="transformers" if rl else "",
        steps=steps,
        argv=(
            "/venv/bin/python",
            "-m",
            "verl.trainer.main_ppo" if rl else "verl.trainer.sft_trainer",
            f"trainer.total={steps}",
        ),
        environment={"VERL_PLATFORM": "cpu", "OMP_NUM_THREADS": "2"},
        paths={"run": str(run), "release": "/data/release", "model": "/data/model"},
        inputs=(),
        release_header={"dataset": "steel"},
        thinking=False,
        template_sha256="a" * 64,
        tokenizer_sha256="b" * 64,
        verdicts=(),
        checks=(),
        limits={"max_prompt": 512, "max_response": 192} if rl else {"max_length": 320},
        settings={"n": 8, "tp": 1, "tiny": True} if rl else {"tiny": True},
        overrides={},
        variable={"batch": 8, "mini": 8, "micro": 16, "devices": 1, "nodes": 1, "steps": steps},
        versions={"verl": "0.9.1"},
    )
    return write_plan(plan, run)


def sft_metrics(step: int) -> dict[str, float]:
    """verl's keys of one SFT step."""
    data = {
        "train/loss": 2.5 * math.exp(-step / 8) + 0.2,
        "train/grad_norm": 1.0 + 1 / step,
        "train/lr": 3e-3,
        "train/global_tokens": 1600 + step,
    }
    if step % 5 == 0:
        data["val/loss"] = 2.6 * math.exp(-step / 8) + 0.3
    return data


def rl_metrics(step: int) -> dict[str, float]:
    """verl's keys of one RL step."""
    return {
        "training/global_step": step,
        "actor/grad_norm": 0.4 + 0.01 * step,
        "actor/pg_loss": -0.02 * step,
        "actor/entropy": 1.2 / step + 0.3,
        "actor/ppo_kl": 0.001 * step,
        "critic/score/mean": min(0.9, 0.2 + 0.04 * step),
        "response_length/mean": 12.0 + step,
        "response_length/clip_ratio": 0.0,
        "training/rollout_probs_diff_max": 2e-6,
        "timing_s/gen": 2.0,
        "timing_s/old_log_prob": 1.4,
        "timing_s/update_actor": 2.5,
        "timing_s/update_weights": 0.05,
        "timing_s/step": 20.0 if step == 1 else 6.2,
        "perf/total_num_tokens": 6400,
        "perf/time_per_step": 20.0 if step == 1 else 6.2,
        "perf/throughput": 6400 / 20 if step == 1 else 6400 / 6.2,
    }


def write_attempt(attempt: Path, kind: str, steps: int, start_ms: int, seconds_a_step: float) -> int:
    """Log, index, metrics and host samples of an attempt; returns the last time stamp in milliseconds."""
    attempt.mkdir(parents=True)
    prefix = "(TaskRunnerV1 pid=77) " if kind == "rl" else ""
    log = [f"starting\n{HOSTILE}\n"]
    metrics, index = [], [{"offset": 0, "epoch_ms": start_ms, "mono_ms": 1000}]
    for step in range(1, steps + 1):
        data = rl_metrics(step) if kind == "rl" else sft_metrics(step)
        metrics.append({"step": step, "data": data})
        log.append(f"{prefix}step:{step} - " + " - ".join(f"{key}:{value!r}" for key, value in data.items()) + "\n")
        stamp = start_ms + int(step * seconds_a_step * 1000)
        index.append({"offset": sum(map(len, log)), "epoch_ms": stamp, "mono_ms": 1000 + stamp - start_ms})
    end = index[-1]["epoch_ms"]
    (attempt / "trainer.log").write_text("".join(log), encoding="utf-8")
    (attempt / "metrics.jsonl").write_text("".join(json.dumps(each) + "\n" for each in metrics))
    (attempt / "log-index.jsonl").write_text("".join(json.dumps(each) + "\n" for each in index))
    write_json(attempt / "environment.json", {"versions": {"verl": "0.9.1"}, "cores": 2})
    write_json(attempt / "state.json", {"attempt": 1, "state": "finished", "exit_code": 0})
    samples = [host_round(number, start_ms + number * 1000) for number in range((end - start_ms) // 1000 + 1)]
    (attempt / "host-samples.jsonl").write_text("".join(json.dumps(each) + "\n" for each in samples))
    return int(end)


def host_round(number: int, epoch_ms: int) -> dict[str, Any]:
    """One line of ``host-samples.jsonl``."""
    used = (3 << 30) + number * (1 << 20)
    return {
        "round": number,
        "epoch_ms": epoch_ms,
        "mono_ms": 1000 + number * 1000,
        "asked_interval_ms": 1000,
        "missed": 0,
        "source": "psutil",
        "memory_total_bytes": 24 << 30,
        "memory_used_bytes": used,
        "memory_free_bytes": 10 << 30,
        "memory_available_bytes": (24 << 30) - used,
        "memory_buff_cache_bytes": 2 << 30,
        "memory_occupied_bytes": 14 << 30,
        "cpu_utilization_percent": None if number == 0 else 50.0 + (number * 7) % 45,
        "disk_free_bytes": (100 << 30) - number * 4096,
        "took_ms": 0.8,
    }


def write_result(run: Path, kind: str, steps: int, plan_sha256: str) -> None:
    """``result.json`` as the launcher writes it."""
    content = {
        "format": "autoresearch-run-result-v1",
        "status": "trained",
        "reason": "every condition holds",
        "kind": kind,
        "plan_sha256": plan_sha256,
        "steps_asked": steps,
        "steps_completed": steps,
        "exit_code": 0,
        "trouble": None,
        "steps_with_signal": steps if kind == "rl" else None,
        "weights": {"tensors": 20, "changed": 20, "largest": 0.03, "sha256_before": "c" * 64, "sha256_after": "d" * 64},
    }
    write_json(run / "result.json", content)


def make_run(run: Path, kind: str, steps: int, start_ms: int, seconds_a_step: float) -> int:
    """A complete run folder; returns its last time stamp."""
    run.mkdir(parents=True)
    digest = make_plan(run, kind, steps)
    end = write_attempt(run / "attempts" / "01", kind, steps, start_ms, seconds_a_step)
    write_result(run, kind, steps, digest)
    checkpoint = run / "checkpoints" / f"global_step_{steps}"
    checkpoint.mkdir(parents=True)
    (checkpoint / "model.pt").write_bytes(b"\0" * 64)
    if kind == "rl":
        write_signal(run, steps)
        write_episodes(run / "transcripts", make_episodes(4, 2, 0.3, 0.5, step=1))
        (run / "rollouts").mkdir()
        (run / "rollouts" / "1.jsonl").write_text('{"uid": "u0_0_0", "score": 1.0}\n')
    return end


def write_signal(run: Path, steps: int) -> None:
    """``signal.jsonl`` of an RL run."""
    lines = [
        {
            "step": step,
            "groups": 8,
            "mixed_groups": 8 - step % 4,
            "mixed_share": (8 - step % 4) / 8,
            "mean_reward": min(0.9, 0.2 + 0.04 * step),
            "answer_valid_share": 0.8,
            "call_share": max(0.0, 0.5 - 0.05 * step),
            "truncated_share": 0.0,
            "tool_error_share": 0.1,
            "tokens_a_turn": 9.5,
        }
        for step in range(1, steps + 1)
    ]
    (run / "signal.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))


def make_episodes(rows: int, samples: int, exact: float, calls: float, step: int | None = None) -> list[Episode]:
    """Episodes of ``rows`` prompts, ``samples`` each; ``exact`` and ``calls`` are shares. Sample 0 says hostile
    things."""
    chance = random.Random(f"{exact}-{calls}-{samples}")
    made = []
    for row in range(rows):
        for sample in range(samples):
            good, called, valid = chance.random() < exact, chance.random() < calls, row % 10 != 0
            level = "2" if good else chance.choice(LEVELS)
            category = "c3" if good or sample == 0 else "c4"
            final = json.dumps({"answer": category[1:], "level": level})
            right = valid and category == "c3" and level == "2"
            episode = Episode(
                source_id=f"t{row % 20}:{row}",
                sample=sample,
                prompt_ids=[*range(40), row],
                response_ids=[1, 2, 3],
                response_mask=[1, 1, 1],
                text=f"{final}<|im_end|>" if sample else f"{HOSTILE}{final}",
                turns=[{"tokens": 3, "calls": [{"name": "search_categories"}] if called else []}],
                final_text=final if valid else HOSTILE,
                answer={"choice_id": category[1:], "category_id": category, "level": level} if valid else None,
                reason="ok" if valid else "not_json",
                score=1.0 if right else 0.0,
                category_exact=valid and category == "c3",
                level_exact=valid and level == "2",
                under_graded=valid and level == "1",
                answer_valid=valid,
                tool_calls=int(called),
                tool_errors=int(called and sample == 1),
                terminated_by="answer",
                seconds=0.1,
                step=step,
                uid=f"u{row}" if step else "",
            )
            made.append(episode)
    return made


def write_episodes(folder: Path, episodes: list[Episode]) -> None:
    """Transcripts of these episodes."""
    writer = TranscriptWriter(folder / "episodes.jsonl")
    for episode in episodes:
        writer.write(episode)


def row_of(episode: Episode) -> RowResult:
    """The scored row of an episode; the truth is always category c3, level 2."""
    answer = episode.answer
    return RowResult(
        source_id=episode.source_id,
        sample=episode.sample,
        table=f"table{int(episode.source_id.rpartition(':')[2]) % 5}",
        seen_table=False,
        described=True,
        group="g",
        category_id="c3",
        level="2",
        predicted_category=answer["category_id"] if answer else None,
        predicted_level=answer["level"] if answer else None,
        valid=answer is not None,
        reason=episode.reason,
        steps=int(answer["level"]) - 2 if answer else None,
        tool_calls=episode.tool_calls,
        tool_errors=episode.tool_errors,
    )


def write_eval(path: Path, episodes: list[Episode], kind: Literal["episodes", "baseline"] = "episodes") -> None:
    """An evaluation report of these episodes, by the project's own metrics, and its transcripts beside it."""
    rows = [row_of(episode) for episode in episodes]
    numbers = {**main_numbers(rows, 42), "level_lookup_baseline": {"of_predicted_category": share(40, 80)}}
    if kind == "episodes":
        numbers["episodes"] = episode_numbers(rows, 1.0)
        write_episodes(path.with_name(f"{path.stem}-transcripts"), episodes)
    report = EvalReport(
        kind=kind,
        complete=True,
        model={"name": "merged", "tree_sha256": "e" * 64} if kind == "episodes" else None,
        release={"name": "rl", "report_sha256": "f" * 64},
        split="test",
        rows_in_split=20,
        samples=max(row.sample for row in rows) + 1,
        settings={"seed": 42},
        numbers=numbers,
        baselines={"majority": {"exact": share(12, 100)}, "retrieval": {"exact": share(30, 100)}},
        parts={},
        mistakes=[],
        confusion_by_depth={},
        errors=[],
        transcripts=[f"{path.stem}-transcripts/episodes.jsonl"] if kind == "episodes" else [],
        versions={},
        machine="test",
        rows=rows,
    )
    write_report(path, report)


def write_verdicts(folder: Path) -> None:
    """The five verdicts of a quickstart."""
    numbers = {"nonzero_reward_rate": {**share(45, 256), "cluster_bootstrap95": [0.13, 0.23]}}
    for gate in ("conflict", "token_budget", "host", "rollout", "provenance"):
        found: dict[str, Any] = numbers if gate == "rollout" else {"conflict_keys": 0}
        rule = "0.05 <= nonzero/episodes <= 0.30, point; no episode error" if gate == "rollout" else "nothing over"
        write_verdict(
            folder / f"{gate}.json", make_verdict(gate=gate, passed=True, status="passed", rule=rule, numbers=found)
        )


def write_evaluation(folder: Path) -> None:
    """Evaluation reports with transcripts, comparisons, baseline and probes."""
    for name, samples, exact, calls in (
        ("before", 4, 0.2, 0.6),
        ("after", 4, 0.7, 0.1),
        ("before-greedy", 1, 0.2, 0.6),
        ("after-greedy", 1, 0.7, 0.1),
    ):
        write_eval(folder / f"{name}.json", make_episodes(20, samples, exact, calls))
    write_eval(folder / "baseline.json", make_episodes(20, 1, 0.3, 0.0), "baseline")
    for name, suffix in (("compare", ""), ("compare-greedy", "-greedy")):
        found = compare_files(folder / f"before{suffix}.json", folder / f"after{suffix}.json")
        write_json(folder / f"{name}.json", found.model_dump(mode="json"))
    probes = [{"step": step, "rate": step / 100, "majority": 0.1} for step in (5, 10, 15)]
    write_json(folder / "probes.json", {"rule": "first in the window", "chosen_step": 15, "probes": probes})


def make_quickstart(root: Path, *, sft_steps: int = 12, rl_steps: int = 6) -> QuickstartRun:
    """A whole quickstart under ``root``."""
    end = make_run(root / "sft", "sft", sft_steps, START_MS, 0.8)
    make_run(root / "rl", "rl", rl_steps, end + 60_000, 6.5)
    (root / "verdicts").mkdir()
    write_verdicts(root / "verdicts")
    write_evaluation(root / "eval")
    write_json(root / "reports" / "split_report.json", {"format": "autoresearch-split-v1", "sizes": {"train": 640}})
    (root / "labelled.xlsx").write_bytes(b"PK\x03\x04 not really a sheet")
    write_json(root / "result.json", {"status": "done"})
    evaluation = {path.name: path for path in sorted((root / "eval").glob("*.json"))}
    return QuickstartRun(
        run_id="quickstart-s42",
        sft=root / "sft",
        rl=root / "rl",
        verdicts=root / "verdicts",
        data_reports={
            "split_report.json": root / "reports" / "split_report.json",
            "audit.json": root / "reports" / "audit.json",
        },
        evaluation=evaluation,
        sheet=root / "labelled.xlsx",
        result=root / "result.json",
        settings={"sft": {"steps": sft_steps, "batch": 8}, "rl": {"steps": rl_steps, "prompts": 8, "n": 8}},
        seeds={"data": 42, "rollout": 42},
        started_at="2026-11-18T09:46:40Z",
    )
