"""Numbers of the held-out evaluation: reports before and after, their comparison, and the tools counted from the
transcripts (training.md 9, 11.4).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.report_data import ReportData, finite
from autoresearch.training.transcripts import Episode, read_transcripts

REPORTS = ("baseline", "before", "after", "before-greedy", "after-greedy")
COMPARISONS = (("compare", "sampled"), ("compare-greedy", "greedy"))
METRICS = ("exact", "category_exact", "level_exact", "answer_valid", "under_grading_rate", "under_grading_rate_all")
INTERVALS = ("cluster_bootstrap95", "bootstrap95", "wilson95")
UNLEARNT_FACTOR = 0.5
"""The tools count as unlearnt when the share of episodes with a call falls by more than this share of itself."""


def add_evaluation(data: ReportData, bundle: Bundle) -> None:
    """All evaluation numbers of a bundle; a report or transcript folder that is absent adds nothing."""
    folder = bundle.path("evaluation")
    for name in REPORTS:
        path = folder / f"{name}.json"
        report = bundle.json(path)
        if isinstance(report, dict):
            add_report(data, f"eval.{name}", report, bundle.relative(path))
    for name, kind in COMPARISONS:
        path = folder / f"{name}.json"
        comparison = bundle.json(path)
        if isinstance(comparison, dict):
            add_comparison(data, f"compare.{kind}", comparison, bundle.relative(path))
    for name in REPORTS:
        path = folder / "transcripts" / name
        if path.is_dir():
            add_episodes(data, f"episodes.{name}", read_transcripts(path), bundle.relative(path))
    _add_tools(data, bundle)
    _add_probes(data, bundle)


def find_share(report: dict[str, Any], metric: str) -> dict[str, Any] | None:
    """The block of a metric: ``{numerator, denominator, rate, <interval>}``."""
    for holder in (report.get("metrics"), report.get("numbers"), report):
        if isinstance(holder, dict) and metric in holder:
            value = holder[metric]
            if isinstance(value, dict):
                return value
            if finite(value) is not None:
                return {"rate": value}
    return None


def interval(block: dict[str, Any]) -> tuple[str, float, float] | None:
    """(name, low, high) of the block's first known interval."""
    for name in INTERVALS:
        bounds = block.get(name)
        if isinstance(bounds, (list, tuple)) and len(bounds) == 2 and all(finite(each) is not None for each in bounds):
            return name, float(bounds[0]), float(bounds[1])
    return None


def add_report(data: ReportData, head: str, report: dict[str, Any], source: str) -> None:
    """Rates of one evaluation report with numerator, denominator and interval."""
    for metric in METRICS:
        block = find_share(report, metric)
        if block is None:
            continue
        data.number(f"{head}.{metric}.rate", block.get("rate"), "share", "read", source)
        for key in ("numerator", "denominator"):
            data.number(f"{head}.{metric}.{key}", block.get(key), "count", "read", source)
        bounds = interval(block)
        if bounds is not None:
            data.number(f"{head}.{metric}.low", bounds[1], "share", "read", source)
            data.number(f"{head}.{metric}.high", bounds[2], "share", "read", source)
            data.fact(f"{head}.{metric}.interval", bounds[0], "read", source)


def add_comparison(data: ReportData, head: str, comparison: dict[str, Any], source: str) -> None:
    """Difference with interval, the paired table, McNemar's p and the word."""
    exact = comparison.get("exact")
    block: dict[str, Any] = exact if isinstance(exact, dict) else comparison
    difference = block.get("difference")
    inner: dict[str, Any] = difference if isinstance(difference, dict) else {"value": difference, **block}
    data.number(f"{head}.difference", inner.get("value", inner.get("rate")), "difference", "read", source)
    bounds = interval(inner)
    data.number(f"{head}.low", bounds[1] if bounds else None, "difference", "read", source)
    data.number(f"{head}.high", bounds[2] if bounds else None, "difference", "read", source)
    data.fact(f"{head}.word", block.get("verdict", comparison.get("verdict")), "read", source)


def add_episodes(data: ReportData, head: str, episodes: Iterable[Episode], source: str) -> None:
    """Counts and shares over all episodes of a folder of transcripts; an episode with an error has no score and is
    counted apart.
    """
    kept = list(episodes)
    scored = [each for each in kept if each.error is None]
    data.number(f"{head}.episodes", len(kept), "count", "episodes.count", source)
    data.number(f"{head}.errors", len(kept) - len(scored), "count", "episodes.errors", source)
    data.number(f"{head}.rows", len({each.source_id for each in kept}), "count", "episodes.rows", source)
    shares = {
        "exact": sum(each.score == 1.0 for each in scored),
        "category_exact": sum(each.category_exact for each in scored),
        "level_exact": sum(each.level_exact for each in scored),
        "answer_valid": sum(each.answer_valid for each in scored),
        "under_graded": sum(each.under_graded for each in scored),
        "with_call": sum(each.tool_calls > 0 for each in scored),
    }
    for name, count in shares.items():
        data.number(f"{head}.{name}.numerator", count, "count", f"episodes.{name}", source)
        data.number(f"{head}.{name}.rate", count / len(scored) if scored else None, "share", f"episodes.{name}", source)
    calls, errors = sum(each.tool_calls for each in scored), sum(each.tool_errors for each in scored)
    data.number(f"{head}.calls", calls, "count", "episodes.calls", source)
    data.number(
        f"{head}.call_success", (calls - errors) / calls if calls else None, "share", "episodes.call_success", source
    )


def _add_tools(data: ReportData, bundle: Bundle) -> None:
    before, after = data.value("episodes.before.with_call.rate"), data.value("episodes.after.with_call.rate")
    if before is None or after is None:
        return
    source = bundle.relative(bundle.path("evaluation") / "transcripts")
    unlearnt = before > 0 and after < before * UNLEARNT_FACTOR
    data.fact("tools.unlearnt", unlearnt, "tools.unlearnt", f"{source}/before", f"{source}/after")


def _add_probes(data: ReportData, bundle: Bundle) -> None:
    path = bundle.path("evaluation") / "probes.json"
    content = bundle.json(path)
    probes = content.get("probes") if isinstance(content, dict) else content
    if not isinstance(probes, list):
        return
    source = bundle.relative(path)
    points = []
    for each in probes:
        block = find_share(each, "nonzero_reward_rate") or find_share(each, "rate") if isinstance(each, dict) else None
        if block is not None and isinstance(each.get("step"), int):
            points.append((each["step"], block.get("rate")))
    if points:
        data.line("probes.rate", sorted(points), ("steps", "share"), "probes.rate", source)
    majority = [(each["step"], finite(each.get("majority"))) for each in probes if isinstance(each.get("step"), int)]
    if any(value is not None for _, value in majority):
        data.line("probes.majority", sorted(majority), ("steps", "share"), "probes.majority", source)
    chosen = content.get("chosen") if isinstance(content, dict) else None
    step = chosen.get("step") if isinstance(chosen, dict) else chosen
    data.number("probes.chosen_step", step, "steps", "read", source)
