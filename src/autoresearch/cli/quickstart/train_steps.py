"""The training part of the quickstart: tiny model, verdicts, SFT, probes, the gate, RLOO."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch import progress
from autoresearch.cli.quickstart.data_steps import DataPaths
from autoresearch.cli.quickstart.journal import set_aside
from autoresearch.cli.quickstart.settings import QuickstartSettings
from autoresearch.errors import InfrastructureError, require
from autoresearch.files import write_json
from autoresearch.gates import host, probes, provenance, rollout
from autoresearch.releases import budget
from autoresearch.releases.release import Release
from autoresearch.task import conversation
from autoresearch.telemetry.host_sampler import sample_attempt
from autoresearch.training import episodes, launch, merge, rl_plan, sft_plan, tiny
from autoresearch.training.checkpoints import checkpoint_steps, read_checkpoint
from autoresearch.training.outcome import RunResult, read_result
from autoresearch.training.plan import write_plan
from autoresearch.training.rl_checks import RlOptions
from autoresearch.training.sft_checks import SftOptions

MAX_LENGTH = 1024
"""Tokens of the longest SFT row and RL prompt that the plans allow; the example's rows have under 500."""


@dataclass(frozen=True)
class Layout:
    """The run folder of a quickstart."""

    root: Path

    @property
    def base(self) -> Path:
        """The tiny model that SFT starts from."""
        return self.root / "model"

    @property
    def verdicts(self) -> Path:
        """The five gates' verdict files."""
        return self.root / "verdicts"

    @property
    def evaluation(self) -> Path:
        """Reports and transcripts of everything that was scored."""
        return self.root / "eval"

    def run(self, kind: str) -> Path:
        """A run folder, ``sft`` or ``rl``."""
        return self.root / kind

    def merged(self, kind: str) -> Path:
        """The model folder merged from a run."""
        return self.run(kind) / "merged"

    def verdict(self, name: str) -> Path:
        """One verdict file."""
        return self.verdicts / f"{name}.json"


def build_model(layout: Layout, data: DataPaths, settings: QuickstartSettings) -> dict[str, Any]:
    """A tokenizer from the rendered train rows, and a random Qwen3.5-shaped model of about 0.7 M parameters."""
    set_aside(layout.base)
    with tempfile.TemporaryDirectory() as scratch:
        # Rendering needs a tokenizer for its template only; which words it knows does not matter.
        template_only = tiny.build_tokenizer(["\n"], Path(scratch))
        texts = [
            conversation.render(template_only, conversation.decode_row(row))
            for row in Release(data.release("trajectory")).records("train")
        ]
    tokenizer = tiny.build_tokenizer(texts, layout.base)
    tiny.build_model(layout.base, "small", settings.seed)
    return {"preset": settings.model_preset, "vocabulary": len(tokenizer), "rows": len(texts)}


def budgets(layout: Layout, data: DataPaths, settings: QuickstartSettings) -> dict[str, Any]:
    """Token counts of both releases against the model's own template, as the verdicts of the gate ``token_budget``."""
    facts: dict[str, Any] = {}
    limits = {
        "trajectory": budget.Limits(max_length=MAX_LENGTH, rollout_response=settings.max_response),
        "cascade": budget.Limits(rollout_prompt=MAX_LENGTH),
    }
    for name, release in (("budget-sft", "trajectory"), ("budget-rl", "cascade")):
        out = layout.verdict(name)
        out.unlink(missing_ok=True)
        report = layout.root / "data" / "budgets" / f"{name}.json"
        found = budget.check(data.release(release), layout.base, limits[release], report=report, verdict=out)
        facts[name] = {"valid": found["valid"], "splits": found["splits"]}
    return facts


def host_verdicts(layout: Layout) -> dict[str, Any]:
    """Is this machine fit for SFT and for RL? Each check runs here and now."""
    facts = {}
    for use in ("sft", "rl"):
        out = layout.verdict(f"host-{use}")
        out.unlink(missing_ok=True)
        options = host.HostOptions(
            use="sft" if use == "sft" else "rl", out=out, device="cpu", engine="transformers", model=layout.base
        )
        verdict = host.gate_host(options)
        facts[use] = verdict.status
        if not verdict.passed:
            raise InfrastructureError(f"quickstart: this machine does not pass the host gate for {use}; see {out}")
    return facts


def _launched(plan_path: Path) -> dict[str, Any]:
    result: RunResult = launch.run_plan(plan_path, sampler=sample_attempt)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return {
        "status": result.status,
        "reason": result.reason,
        "steps": result.steps_completed,
        "asked": result.steps_asked,
        "seconds": result.seconds,
        "steps_with_signal": result.steps_with_signal,
    }


def _finished(run: Path) -> dict[str, Any] | None:
    """Facts of a run that ended before the journal knew of it, else None."""
    result = read_result(run) if run.is_dir() else None
    if result is None or result.status == "interrupted":
        return None
    return {
        "status": result.status,
        "reason": result.reason,
        "steps": result.steps_completed,
        "asked": result.steps_asked,
    }


def supervised(layout: Layout, data: DataPaths, settings: QuickstartSettings) -> dict[str, Any]:
    """SFT to its maximum, with a checkpoint every few steps."""
    run = layout.run("sft")
    if (facts := _finished(run)) is not None:
        return facts
    set_aside(run)
    options = SftOptions(
        release=data.release("trajectory"),
        model=layout.base,
        run=run,
        device="cpu",
        steps=settings.sft_steps,
        batch=settings.sft_batch,
        micro_batch=settings.sft_batch,
        lr=settings.sft_lr,
        warmup=0.0,
        scheduler="constant",
        answer_weight=settings.sft_answer_weight,
        save_every=settings.sft_save_every,
        eval_every=0,
        keep=0,
        purpose="practice",
        verdicts=layout.verdicts,
        seed=settings.seed,
    )
    write_plan(sft_plan.plan_sft(options), run)
    return _launched(run / "plan.json")


def choose_checkpoint(layout: Layout, data: DataPaths, settings: QuickstartSettings) -> dict[str, Any]:
    """Probe checkpoints in ascending order by the rule that was fixed before the run (training.md 11.3)."""
    require("torch", "train")
    from autoresearch.training.engines.transformers import TransformersEngine

    rule = probes.ProbeRule(settings.probe_low, settings.probe_high)
    release = data.release("cascade")
    train_rows = episodes.read_rows(release, "train")
    rows = rollout.probe_prompts(train_rows, settings.seed, settings.probe_prompts, settings.gate_prompts)
    run = layout.run("sft")
    engine = TransformersEngine(layout.base)
    sampling = episodes.Sampling(max_response=settings.max_response)

    def probe(step: int) -> probes.Probe:
        engine.load_weights(read_checkpoint(run, step, "sft").folder)
        played = episodes.run(
            layout.base,
            rows,
            release=release,
            samples=settings.probe_samples,
            sampling=sampling,
            seed=settings.seed,
            engine=engine,
            transcripts=layout.evaluation / "probe-transcripts" / f"step-{step}",
            stage=f"probe step {step}",
        )
        found = probes.judge_probe(
            step, played, rows, train_rows, rule, samples=settings.probe_samples, seed=settings.seed
        )
        progress.event("quickstart", f"probe of step {step}: {100 * found.rate:.1f} %", rate=found.rate, step=step)
        return found

    set_aside(layout.evaluation / "probe-transcripts")
    try:
        steps = [step for step in checkpoint_steps(run) if step >= settings.probe_first_step]
        chosen, done = probes.probe_in_order(steps, settings.probe_stride, probe, rule)
    finally:
        engine.close()
    facts = {
        "rule": rule.text(),
        "chosen_step": chosen.step if chosen else None,
        "probes": [item.as_dict() for item in done],
        "nearest": probes.nearest(done, rule),
        "prompts": len(rows),
        "samples": settings.probe_samples,
        "seed": settings.seed,
    }
    write_json(layout.evaluation / "probes.json", facts)
    return facts


def merged_sft(layout: Layout, step: int) -> dict[str, Any]:
    """The chosen checkpoint as a model folder."""
    record = merge.merge_run(layout.run("sft"), layout.merged("sft"), step=step)
    return {"step": record["step"], "tree_sha256": record["tree_sha256"]}


def gate(layout: Layout, data: DataPaths, settings: QuickstartSettings, probed: int) -> dict[str, Any]:
    """The rollout gate, once, on prompts and seeds that no probe has seen."""
    out = layout.verdict("rollout")
    if not out.exists():
        set_aside(layout.verdicts / "rollout-transcripts")
        rollout.gate_rollout(
            rollout.RolloutOptions(
                model=layout.merged("sft"),
                release=data.release("cascade"),
                sft_release=data.release("trajectory"),
                out=out,
                prompts=settings.gate_prompts,
                samples=settings.gate_samples,
                seed=settings.seed,
                max_response=settings.max_response,
                probes=probed,
            )
        )
    from autoresearch.verdict import read_verdict

    verdict = read_verdict(out)
    rate = verdict.numbers["nonzero_reward_rate"]
    return {"passed": verdict.passed, "status": verdict.status, "nonzero_reward_rate": rate}


def reference(layout: Layout, data: DataPaths) -> dict[str, Any]:
    """The provenance verdict: what RL starts from, checked byte by byte."""
    out = layout.verdict("provenance")
    out.unlink(missing_ok=True)
    verdict = provenance.gate_provenance(
        provenance.ProvenanceOptions(
            run=layout.run("sft"), model=layout.merged("sft"), audit=data.audit, out=out, verdicts=layout.verdicts
        )
    )
    if not verdict.passed:
        raise InfrastructureError(f"quickstart: the provenance of the SFT model does not hold; see {out}")
    return {"status": verdict.status}


def reinforced(layout: Layout, data: DataPaths, settings: QuickstartSettings) -> dict[str, Any]:
    """RLOO from the gated model; refuses to start without verdicts whose hashes fit."""
    run = layout.run("rl")
    if (facts := _finished(run)) is not None:
        return facts
    set_aside(run)
    options = RlOptions(
        algorithm="rloo",
        release=data.release("cascade"),
        model=layout.merged("sft"),
        run=run,
        device="cpu",
        engine="transformers",
        n=settings.rl_n,
        prompts=settings.rl_prompts,
        micro=settings.rl_micro,
        steps=settings.rl_steps,
        max_response=settings.max_response,
        lr=settings.rl_lr,
        kl_coef=0.0,
        eval_every=0,
        val_before=False,
        purpose="practice",
        verdicts=layout.verdicts,
        seed=settings.seed,
    )
    write_plan(rl_plan.plan_rl(options), run)
    return _launched(run / "plan.json")


def merged_rl(layout: Layout) -> dict[str, Any]:
    """The last RL checkpoint as a model folder."""
    record = merge.merge_run(layout.run("rl"), layout.merged("rl"))
    return {"step": record["step"], "tree_sha256": record["tree_sha256"]}
