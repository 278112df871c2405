"""The scoring part of the quickstart: the floor, before and after RLOO, the comparison, and the labelled sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autoresearch.cli.quickstart.data_steps import DataPaths
from autoresearch.cli.quickstart.journal import set_aside
from autoresearch.cli.quickstart.settings import QuickstartSettings
from autoresearch.cli.quickstart.train_steps import Layout
from autoresearch.evaluation import compare, episodes, predict
from autoresearch.evaluation.eval_report import EvalReport
from autoresearch.evaluation.prediction_request import Request
from autoresearch.files import write_json

MODEL_OF = {"before": "sft", "after": "rl"}


def _headline(report: EvalReport) -> dict[str, Any]:
    numbers = report.numbers
    return {name: numbers[name] for name in ("exact", "category_exact", "under_grading_rate") if name in numbers}


def _fresh(out: Path) -> Path:
    """Set aside what an interrupted evaluation left, so that the new report stands alone."""
    out.unlink(missing_ok=True)
    set_aside(out.parent / f"{out.stem}-transcripts")
    return out


def baseline(layout: Layout, data: DataPaths) -> dict[str, Any]:
    """The floor without training, on the held-out rows."""
    out = _fresh(layout.evaluation / "baseline.json")
    return _headline(episodes.evaluate(episodes.EvalOptions(release=data.release("cascade"), out=out)))


def evaluate(layout: Layout, data: DataPaths, settings: QuickstartSettings, when: str) -> dict[str, Any]:
    """Held-out rows sampled at temperature 1 and once greedily; the same seeds before and after."""
    facts = {}
    for name, samples, greedy in ((when, settings.eval_samples, False), (f"{when}-greedy", 1, True)):
        options = episodes.EvalOptions(
            release=data.release("cascade"),
            out=_fresh(layout.evaluation / f"{name}.json"),
            model=layout.merged(MODEL_OF[when]),
            samples=samples,
            temperature=None if greedy else 1.0,
            greedy=greedy,
            seed=settings.seed,
            max_response=settings.max_response,
        )
        facts["greedy" if greedy else "sampled"] = _headline(episodes.evaluate(options))
    return facts


def compare_both(layout: Layout) -> dict[str, Any]:
    """After against before: the paired difference with its interval by table, and the word that goes with it."""
    facts = {}
    for kind, tail in (("sampled", ""), ("greedy", "-greedy")):
        found = compare.compare_files(layout.evaluation / f"before{tail}.json", layout.evaluation / f"after{tail}.json")
        write_json(layout.evaluation / f"compare{tail}.json", found.model_dump(mode="json"))
        exact = found.measures["exact"]
        facts[kind] = {
            "word": found.verdict,
            "before": exact["before"],
            "after": exact["after"],
            "difference": exact["difference"],
            "interval": exact["paired_cluster_bootstrap95"],
            "mcnemar_p": exact["mcnemar_p"],
            "calls": found.calls,
        }
    return facts


def predict_unlabelled(layout: Layout, data: DataPaths, settings: QuickstartSettings) -> dict[str, Any]:
    """The fields that nobody has labelled, as a sheet with answer, level, reason, confidence and review flag."""
    found = predict.predict(
        Request(
            input=data.example / "raw" / "unlabelled.xlsx",
            standards=data.release("cascade") / "assets",
            out=layout.root / "labelled.xlsx",
            model=layout.merged("rl"),
            mapping=data.mapping,
            labelled=data.canonical,
            samples=settings.predict_samples,
            overwrite=True,
            seed=settings.seed,
            max_response=settings.max_response,
        )
    )
    return {key: found[key] for key in ("rows", "seconds") if key in found}
