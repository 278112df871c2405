"""The end of the quickstart, good or not: the result object, the bundle and its page."""

from __future__ import annotations

from typing import Any

from autoresearch import progress
from autoresearch.cli.outcome import Outcome
from autoresearch.cli.quickstart.data_steps import DataPaths
from autoresearch.cli.quickstart.journal import Journal, now, set_aside
from autoresearch.cli.quickstart.settings import QuickstartSettings
from autoresearch.cli.quickstart.train_steps import Layout
from autoresearch.evidence.quickstart import QuickstartRun, write_quickstart_bundle
from autoresearch.files import write_json
from autoresearch.report.check import check_page
from autoresearch.report.render import render_page

EVALUATIONS = ("before", "before-greedy", "after", "after-greedy", "compare", "compare-greedy", "baseline", "probes")


def result_of(journal: Journal, layout: Layout, status: str, reason: str) -> dict[str, Any]:
    """What happened, from the facts of the steps; paths are relative to the run folder."""
    facts = {name: step["facts"] for name, step in journal.steps.items()}
    compared = facts.get("compare", {})
    verdicts = sorted(path.name for path in layout.verdicts.glob("*.json"))
    return {
        "outcome": status,
        "reason": reason,
        "purpose": "practice",
        "model": "tiny, randomly initialised",
        "bundle": "bundle",
        "report": "bundle/0-report/report.html",
        "sheet": "labelled.xlsx" if (layout.root / "labelled.xlsx").exists() else None,
        "verdicts": {name.removesuffix(".json"): f"verdicts/{name}" for name in verdicts},
        "sft": facts.get("sft"),
        "rl": facts.get("rl"),
        "probes": {key: facts["probes"][key] for key in ("rule", "chosen_step")} if "probes" in facts else None,
        "gate": facts.get("gate"),
        "held_out_exact": {kind: compared[kind] for kind in ("sampled", "greedy")} if compared else None,
        "baseline": facts.get("baseline"),
        "seconds": journal.seconds(),
        "seconds_in_all": round(sum(journal.seconds().values()), 1),
    }


def _run(
    layout: Layout, data: DataPaths, settings: QuickstartSettings, started: str, finished: str, reason: str
) -> QuickstartRun:
    evaluation = {f"{name}.json": layout.evaluation / f"{name}.json" for name in EVALUATIONS}
    names = ("before", "before-greedy", "after", "after-greedy")
    transcripts = {name: layout.evaluation / f"{name}-transcripts" for name in names}
    transcripts["rollout-gate"] = layout.verdicts / "rollout-transcripts"
    rl = layout.run("rl")
    sheet = layout.root / "labelled.xlsx"
    budgets = layout.root / "data" / "budgets"
    return QuickstartRun(
        run_id=f"quickstart-{settings.seed}",
        sft=layout.run("sft"),
        rl=rl if rl.is_dir() else None,
        verdicts=layout.verdicts,
        rl_skip_reason=None if rl.is_dir() else reason,
        data_reports={
            name: path
            for name, path in {
                **data.reports(),
                **{f"{path.name}": path for path in sorted(budgets.glob("*.json"))},
            }.items()
            if path.exists()
        },
        evaluation={name: path for name, path in evaluation.items() if path.exists()},
        transcripts={name: path for name, path in transcripts.items() if path.is_dir()},
        sheet=sheet if sheet.exists() else None,
        result=layout.root / "result.json",
        settings=settings.model_dump(mode="json"),
        seeds=dict(settings.seeds),
        enable_thinking=False,
        started_at=started,
        finished_at=finished,
        label="practice",
    )


def close(
    journal: Journal,
    layout: Layout,
    data: DataPaths,
    settings: QuickstartSettings,
    started: str,
    status: str,
    exit_code: int,
    reason: str,
) -> Outcome:
    """Write ``result.json`` and the bundle (again, when an earlier start ended elsewhere); returns the outcome."""
    bundle = layout.root / "bundle"
    outcome_before = journal.steps.get("bundle", {}).get("facts", {}).get("outcome")
    if bundle.exists() and outcome_before != status:
        set_aside(bundle)
        journal.steps.pop("bundle", None)

    def write() -> dict[str, Any]:
        write_json(layout.root / "result.json", result_of(journal, layout, status, reason))
        run = _run(layout, data, settings, started, now(), reason)
        write_quickstart_bundle(run, bundle, render=render_page, check=check_page, resume=True)
        return {"outcome": status}

    journal.run("bundle", write)
    result = result_of(journal, layout, status, reason)
    paths = {name: str(layout.root / result[name]) for name in ("bundle", "report", "sheet") if result[name]}
    progress.event("quickstart", f"{status}: {reason}", **paths)
    return Outcome({**result, "folder": str(layout.root), **paths}, exit_code)
