"""Evaluation reports checked against what they were made from: their own rows, each other and the transcripts
(training.md 9, 11.4)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from autoresearch.errors import AutoResearchError
from autoresearch.evaluation.compare import compare_reports
from autoresearch.evaluation.eval_report import EvalReport, read_report
from autoresearch.evaluation.metrics import main_numbers
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.numbers_evaluation import REPORTS, transcript_folder
from autoresearch.findings import Finding, finding
from autoresearch.training.transcripts import read_transcripts

COMPARED = (("compare", "before", "after"), ("compare-greedy", "before-greedy", "after-greedy"))


def _finding(place: str, value: object, rule: str) -> Finding:
    return finding("V617", place=place, value=str(value)[:200], rule=rule)


def evaluation_findings(bundle: Bundle) -> list[Finding]:
    """Numbers of reports that do not follow from their rows, comparisons that do not follow from their reports, and
    rows that the transcripts do not show.
    """
    folder = bundle.path("evaluation")
    found: list[Finding] = []
    reports: dict[str, EvalReport] = {}
    for name in REPORTS:
        path = folder / f"{name}.json"
        if not path.is_file():
            continue
        try:
            reports[name] = read_report(path)
        except AutoResearchError as error:
            found.append(_finding(bundle.relative(path), "unreadable", error.message))
            continue
        found += _report_findings(bundle.relative(path), reports[name])
        found += _transcript_findings(bundle, name, reports[name])
    for name, before, after in COMPARED:
        recorded = bundle.json(folder / f"{name}.json")
        if isinstance(recorded, dict) and before in reports and after in reports:
            found += _comparison_findings(
                bundle.relative(folder / f"{name}.json"), recorded, reports[before], reports[after]
            )
    return found


def _report_findings(place: str, report: EvalReport) -> list[Finding]:
    derived = main_numbers(report.rows, int(report.settings.get("seed", 0)))
    return [
        _finding(f"{place}: numbers.{key}", report.numbers.get(key), "another value follows from the report's own rows")
        for key, value in derived.items()
        if report.numbers.get(key) != value
    ]


def _comparison_findings(place: str, recorded: dict[str, Any], before: EvalReport, after: EvalReport) -> list[Finding]:
    try:
        derived = compare_reports(before, after)
    except AutoResearchError as error:
        return [_finding(place, "cannot be derived", error.message)]
    return [
        _finding(f"{place}: {key}", recorded.get(key), "another value follows from the two reports")
        for key in ("verdict", "measures", "rows", "samples")
        if recorded.get(key) != derived[key]
    ]


def _transcript_findings(bundle: Bundle, name: str, report: EvalReport) -> list[Finding]:
    folder = transcript_folder(bundle, name)
    if not folder.is_dir():
        return []
    place = bundle.relative(folder)
    try:
        episodes = [each for each in read_transcripts(folder) if each.error is None]
    except ValueError as error:
        return [_finding(place, "unreadable", str(error))]
    shown = Counter((each.source_id, each.sample, each.score == 1.0, each.tool_calls) for each in episodes)
    stated = Counter((row.source_id, row.sample, row.exact, row.tool_calls) for row in report.rows)
    differing = sorted((shown - stated) + (stated - shown))
    if not differing:
        return []
    source, sample, _, _ = differing[0]
    rule = f"the transcripts show other results than {name}.json; {len(differing)} differ"
    return [_finding(place, f"{source}, sample {sample}", rule)]
