"""What a prediction adds up to: the object that the command prints and the summary sheet (training 10.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from autoresearch import __version__
from autoresearch.evaluation.sheet import Language, texts

if TYPE_CHECKING:
    from autoresearch.evaluation.prediction_columns import Labels, Predictions
    from autoresearch.task.assets import TaskAssets


def prediction_report(
    predictions: Predictions, facts: Mapping[str, Any], *, labels: Labels, assets: TaskAssets, neighbours: int
) -> dict[str, Any]:
    """Counts over the rows; ``labels`` are the input's own."""
    levels, reasons = predictions.levels(), predictions.reasons()
    known = [*assets.levels, *sorted(level for level in levels if level and level not in assets.levels)]
    return {
        "fields": len(predictions),
        **facts,
        "answered": predictions.answered(),
        "review": len(predictions.urgent_first()),
        "levels": {level: levels[level] for level in known},
        "no_level": levels[None],
        "review_reasons": {code: reasons[code] for code in sorted(reasons, key=lambda code: (-reasons[code], code))},
        "labelled_neighbours": neighbours,
        "compared": labels.compared(predictions),
        "version": __version__,
    }


def summary_rows(report: Mapping[str, Any], language: Language) -> list[tuple[str, Any]]:
    """The summary sheet: no clock, so that equal predictions give equal bytes (seconds are in the printed result)."""
    words: Mapping[str, str] = texts(language)["summary"]
    of_review: Mapping[str, str] = texts(language)["review"]
    standards, compared = report["standards"], report["compared"]
    rows: list[tuple[str, Any]] = [
        (words["input"], report["input"]),
        (words["mode"], words["baseline"] if report["mode"] == "baseline" else words["model"]),
        (words["rows"], report["rows"]),
        (words["fields"], report["fields"]),
        (words["answered"], report["answered"]),
        (words["review"], report["review"]),
        (words["review_below"], f"{report['review_below']:.2f}"),
        *_calibration_row(report["calibration"], words),
        *((words["levels"].format(level=level), count) for level, count in report["levels"].items()),
        (words["no_level"], report["no_level"]),
    ]
    rows += [
        (words["reasons"].format(reason=of_review[code].format(common="…")), count)
        for code, count in report["review_reasons"].items()
    ]
    rows.append((words["labelled"], report["labelled_neighbours"]))
    if compared["rows"]:
        rows.append((words["compared"], compared["rows"]))
        rows.append((words["category_right"], f"{compared['category_right']} / {compared['rows']}"))
        rows.append((words["pair_right"], f"{compared['pair_right']} / {compared['rows_with_level']}"))
    if report["mode"] == "model":
        rows += [
            (words["model"], report["model"]),
            (words["model_tree"], report["model_tree"]),
            (words["thinking"], str(report["enable_thinking"])),
            (words["samples"], report["samples"]),
            (words["prompts"], report["prompts"]),
        ]
    for role in ("registry", "corpus", "grading"):
        rows.append((words[role], standards[role] or words["none"]))
    rows.append((words["version"], report["version"]))
    return rows


def _calibration_row(found: Mapping[str, Any] | None, words: Mapping[str, str]) -> list[tuple[str, Any]]:
    """How the threshold was set, where a report set it."""
    return [] if found is None else [(words["calibrated"], words["calibrated_by"].format(**found))]
