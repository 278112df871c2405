"""Numbers of the held-out evaluation: reports before and after, their comparison, and the tools counted from the
transcripts (training.md 9, 11.4).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.report_data import ReportData, finite
from autoresearch.training.transcripts import Episode, read_transcripts

REPORTS = ("baseline", "before", "after", "before-greedy", "after-greedy")
COMPARISONS = (("compare", "sampled"), ("compare-greedy", "greedy"))
METRICS = (
    ("exact", ("exact",)),
    ("category_exact", ("category_exact",)),
    ("level_exact", ("level_exact",)),
    ("answer_valid", ("answer_valid",)),
    ("under_grading_rate", ("under_grading_rate", "of_valid")),
    ("under_grading_rate_all", ("under_grading_rate", "of_all")),
)
"""(name on the page, keys in the report's ``numbers``)."""
INTERVALS = ("cluster_bootstrap95", "wilson95")
PAIRS = ("both", "only_before", "only_after", "neither")
UNLEARNT_FACTOR = 0.5
"""The tools count as unlearnt when the share of episodes with a call falls by more than this share of itself."""


def transcript_folder(bundle: Bundle, name: str) -> Path:
    """Folder of an evaluation's transcripts: beside its report, as the evaluation itself names it."""
    return bundle.path("evaluation") / f"{name}-transcripts"


def readable_transcripts(folder: Path) -> list[Episode] | None:
    """All episodes of a folder; None when it is absent or holds a broken record (the report check names that one)."""
    try:
        return read_transcripts(folder) if folder.is_dir() else None
    except ValueError:
        return None


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
        path = transcript_folder(bundle, name)
        episodes = readable_transcripts(path)
        if episodes is not None:
            add_episodes(data, f"episodes.{name}", episodes, bundle.relative(path))
    _add_tools(data, bundle)
    _add_probes(data, bundle)


def block_at(content: Any, keys: Iterable[str]) -> dict[str, Any]:
    """The block under nested keys, ``{}`` where there is none."""
    for key in keys:
        content = content.get(key) if isinstance(content, dict) else None
    return content if isinstance(content, dict) else {}


def bounds_of(block: dict[str, Any], name: str) -> tuple[object, object] | None:
    """Low and high of a named interval."""
    bounds = block.get(name)
    return (bounds[0], bounds[1]) if isinstance(bounds, list) and len(bounds) == 2 else None


def add_share(data: ReportData, head: str, block: dict[str, Any], source: str) -> None:
    """A share with numerator, denominator and the first interval it has (by table where there is one)."""
    if "rate" not in block:
        return
    data.number(f"{head}.rate", block["rate"], "share", "read", source)
    for key in ("numerator", "denominator"):
        data.number(f"{head}.{key}", block.get(key), "count", "read", source)
    for name in INTERVALS:
        bounds = bounds_of(block, name)
        if bounds is not None:
            data.number(f"{head}.low", bounds[0], "share", "read", source)
            data.number(f"{head}.high", bounds[1], "share", "read", source)
            data.fact(f"{head}.interval", name, "read", source)
            return


def add_report(data: ReportData, head: str, report: dict[str, Any], source: str) -> None:
    """Rates of one evaluation report with numerator, denominator and interval, and those of its baselines."""
    for name, keys in METRICS:
        add_share(data, f"{head}.{name}", block_at(report.get("numbers"), keys), source)
    for name in ("majority", "retrieval"):
        add_share(data, f"{head}.{name}_baseline", block_at(report.get("baselines"), (name, "exact")), source)
    lookup = block_at(report.get("numbers"), ("level_lookup_baseline", "of_predicted_category"))
    add_share(data, f"{head}.level_lookup", lookup, source)
    data.fact(f"{head}.complete", report.get("complete"), "read", source)


def add_comparison(data: ReportData, head: str, comparison: dict[str, Any], source: str) -> None:
    """Difference with interval, the paired table, McNemar's p and the word."""
    block = block_at(comparison, ("measures", "exact"))
    bounds = bounds_of(block, "paired_cluster_bootstrap95") or (None, None)
    data.number(f"{head}.difference", block.get("difference"), "difference", "read", source)
    data.number(f"{head}.low", bounds[0], "difference", "read", source)
    data.number(f"{head}.high", bounds[1], "difference", "read", source)
    data.fact(f"{head}.word", comparison.get("verdict"), "read", source)
    for name in PAIRS:
        data.number(f"{head}.{name}", block_at(block, ("pairs",)).get(name), "count", "read", source)
    data.number(f"{head}.mcnemar_p", block.get("mcnemar_p"), "probability", "read", source)


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
    without_error = (calls - errors) / calls if calls else None
    data.number(f"{head}.calls_without_error", without_error, "share", "episodes.calls_without_error", source)
    called = [each.score == 1.0 for each in scored if each.tool_calls > 0]
    success = sum(called) / len(called) if called else None
    data.number(f"{head}.call_success", success, "share", "episodes.call_success", source)


def _add_tools(data: ReportData, bundle: Bundle) -> None:
    before, after = data.value("episodes.before.with_call.rate"), data.value("episodes.after.with_call.rate")
    if before is None or after is None:
        return
    sources = [bundle.relative(transcript_folder(bundle, name)) for name in ("before", "after")]
    unlearnt = before > 0 and after < before * UNLEARNT_FACTOR
    data.fact("tools.unlearnt", unlearnt, "tools.unlearnt", *sources)


def _add_probes(data: ReportData, bundle: Bundle) -> None:
    """Rates of the probed checkpoints, the rule that was fixed before, and the step it chose (11.3)."""
    path = bundle.path("evaluation") / "probes.json"
    content = bundle.json(path)
    if not isinstance(content, dict):
        return
    source = bundle.relative(path)
    found = content.get("probes")
    probes = sorted(
        (each for each in (found if isinstance(found, list) else []) if isinstance(each.get("step"), int)),
        key=lambda each: int(each["step"]),
    )
    for name in ("rate", "majority"):
        points = [(each["step"], finite(each.get(name))) for each in probes]
        if any(value is not None for _, value in points):
            data.line(f"probes.{name}", points, ("steps", "share"), f"probes.{name}", source)
    data.number("probes.count", len(probes), "count", "probes.count", source)
    data.number("probes.chosen_step", content.get("chosen_step"), "steps", "read", source)
    data.fact("probes.rule", content.get("rule"), "read", source)
