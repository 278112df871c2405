"""``eval compare A B``: is B better than A on the same rows? (training.md 9)

The words are fixed: ``better``, ``worse``, ``not distinguishable`` at 95 %, by the paired bootstrap interval that
draws whole tables. The exact McNemar test stands beside it where each row was answered once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from autoresearch.errors import RefusedError
from autoresearch.evaluation.eval_report import EvalReport, read_report
from autoresearch.evaluation.results import RowResult
from autoresearch.files import sha256_file
from autoresearch.gates.statistics import mcnemar_exact, paired_cluster_bootstrap

SEED = 42

Word = Literal["better", "worse", "not distinguishable"]
MEASURES: dict[str, Callable[[RowResult], bool]] = {
    "exact": lambda row: row.exact,
    "category_exact": lambda row: row.category_exact,
    "not_under_graded": lambda row: not row.under_graded,
}
"""What is compared; of each, more is better."""


class Comparison(BaseModel):
    """The result of comparing two reports."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["autoresearch-eval-comparison-v1"] = "autoresearch-eval-comparison-v1"
    before: dict[str, Any]
    after: dict[str, Any]
    release: dict[str, Any]
    split: str
    rows: int
    samples: int
    tables: int
    verdict: Word
    """The word for ``exact``."""
    measures: dict[str, dict[str, Any]]
    calls: dict[str, Any]
    """Call share and call success of both, and whether the share fell by more than half (11.4)."""
    changed: list[dict[str, Any]]
    """Rows whose number of exact samples differs."""


def word_of(interval: tuple[float, float]) -> Word:
    """``better`` when the whole interval lies above 0, ``worse`` when below, else ``not distinguishable``."""
    if interval[0] > 0:
        return "better"
    return "worse" if interval[1] < 0 else "not distinguishable"


def compare_reports(before: EvalReport, after: EvalReport) -> dict[str, Any]:
    """Compare the rows of two reports; the caller adds their names. Raises ``RefusedError`` when they are not of the
    same rows.
    """
    require_comparable(before, after)
    first, second = (_by_row(report.rows) for report in (before, after))
    order = sorted(first)
    measures = {name: compare_measure(first, second, order, flag) for name, flag in MEASURES.items()}
    return {
        "release": {"name": after.release.get("name"), "report_sha256": after.release.get("report_sha256")},
        "split": after.split,
        "rows": len(order),
        "samples": after.samples,
        "tables": len({rows[0].table for rows in first.values()}),
        "verdict": measures["exact"]["verdict"],
        "measures": measures,
        "calls": compare_calls(before, after),
        "changed": changed_rows(first, second, order),
    }


def require_comparable(before: EvalReport, after: EvalReport) -> None:
    """Same release, split, rows and samples a row, and nothing missing on either side."""
    for name, left, right in (
        ("release", before.release.get("report_sha256"), after.release.get("report_sha256")),
        ("split", before.split, after.split),
        ("number of samples", before.samples, after.samples),
    ):
        if left != right:
            raise RefusedError(f"the reports differ in their {name} ({left}, {right}); evaluate both on the same")
    for which, report in (("first", before), ("second", after)):
        if report.errors:
            raise RefusedError(f"the {which} report is incomplete: episodes failed; evaluate it again")
    keys = [{(row.source_id, row.sample) for row in report.rows} for report in (before, after)]
    if keys[0] != keys[1]:
        odd = sorted(keys[0] ^ keys[1])[0]
        raise RefusedError(f"the reports do not hold the same rows; one of them lacks {odd[0]}")


def compare_measure(
    first: dict[str, list[RowResult]],
    second: dict[str, list[RowResult]],
    order: Sequence[str],
    flag: Callable[[RowResult], bool],
) -> dict[str, Any]:
    """One measure of both sides: rates, difference with interval and word, the paired table, McNemar."""
    left = [sum(map(flag, first[key])) / len(first[key]) for key in order]
    right = [sum(map(flag, second[key])) / len(second[key]) for key in order]
    interval = paired_cluster_bootstrap(left, right, [first[key][0].table for key in order], seed=SEED)
    pairs = [(flag(one), flag(two)) for key in order for one, two in zip(first[key], second[key], strict=True)]
    table = {
        "both": pairs.count((True, True)),
        "only_before": pairs.count((True, False)),
        "only_after": pairs.count((False, True)),
        "neither": pairs.count((False, False)),
    }
    once = all(len(rows) == 1 for rows in first.values())
    return {
        "before": sum(left) / len(left),
        "after": sum(right) / len(right),
        "difference": (sum(right) - sum(left)) / len(left),
        "paired_cluster_bootstrap95": list(interval),
        "verdict": word_of(interval),
        "pairs": table,
        "mcnemar_p": mcnemar_exact(table["only_before"], table["only_after"]) if once else None,
    }


def compare_calls(before: EvalReport, after: EvalReport) -> dict[str, Any]:
    """Whether the tools were unlearnt while the reward rose; empty for baselines."""
    sides = {name: report.numbers.get("episodes") for name, report in (("before", before), ("after", after))}
    if any(side is None for side in sides.values()):
        return {}
    found: dict[str, Any] = {
        name: {"call_share": side["call_share"], "call_success": side["call_success"]}
        for name, side in sides.items()
        if side is not None
    }
    rates = [found[name]["call_share"]["rate"] or 0.0 for name in ("before", "after")]
    found["fell_by_more_than_half"] = rates[1] < rates[0] / 2
    return found


def changed_rows(
    first: dict[str, list[RowResult]], second: dict[str, list[RowResult]], order: Sequence[str]
) -> list[dict[str, Any]]:
    """Rows that gained or lost exact answers, with what was answered first on each side."""
    found = []
    for key in order:
        left, right = (sum(row.exact for row in side[key]) for side in (first, second))
        if left != right:
            one, two = first[key][0], second[key][0]
            found.append(
                {
                    "source_id": key,
                    "true": [one.category_id, one.level],
                    "before": {"exact": left, "answer": [one.predicted_category, one.predicted_level]},
                    "after": {"exact": right, "answer": [two.predicted_category, two.predicted_level]},
                }
            )
    return found


def _by_row(rows: Sequence[RowResult]) -> dict[str, list[RowResult]]:
    found: dict[str, list[RowResult]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row.source_id, row.sample)):
        found[row.source_id].append(row)
    return dict(found)


def compare_files(before: Path, after: Path) -> Comparison:
    """Read two reports and compare them. Raises ``InputError`` for another file, ``RefusedError`` for other rows."""
    reports = [read_report(path) for path in (before, after)]
    names = [
        {"name": path.name, "sha256": sha256_file(path), "model": report.model and report.model.get("tree_sha256")}
        for path, report in zip((before, after), reports, strict=True)
    ]
    return Comparison(before=names[0], after=names[1], **compare_reports(*reports))
