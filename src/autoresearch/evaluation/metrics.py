"""The numbers of a report, from scored rows alone (training.md 9). Pure; numpy is the only library.

Every row stands in every denominator, rows without a valid answer too, unless a number says ``of_valid``. Shares
carry numerator, denominator and Wilson interval; headline shares also an interval that draws whole tables, since
fields of a table are alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autoresearch.evaluation.model_answers import vote
from autoresearch.evaluation.results import RowResult
from autoresearch.gates.statistics import cluster_bootstrap, paired_cluster_bootstrap, share

SMALL_PART = 30
"""Rows below which a part is shown as a count only."""
RARE_BELOW = 5
"""Train rows below which a category counts as rare."""
MISTAKES = 20
BINS = 10

Flag = Callable[[RowResult], bool]
HEADLINES: dict[str, Flag] = {
    "exact": lambda row: row.exact,
    "category_exact": lambda row: row.category_exact,
    "level_exact": lambda row: row.level_exact,
}


def is_graded(rows: Sequence[RowResult]) -> bool:
    """Whether the truth has levels; no rows speak against it."""
    return not rows or any(row.level for row in rows)


def headline(rows: Sequence[RowResult], flag: Flag, seed: int) -> dict[str, Any]:
    """A share over all rows with Wilson interval and cluster bootstrap by table."""
    hits = [flag(row) for row in rows]
    counted = share(sum(hits), len(rows))
    if rows:
        interval = cluster_bootstrap([float(hit) for hit in hits], [row.table for row in rows], seed=seed)
        counted["cluster_bootstrap95"] = list(interval)
    return counted


def grading(rows: Sequence[RowResult], seed: int) -> dict[str, Any]:
    """Under- and over-grading over all rows and over valid answers, and by how many steps on average."""
    valid = [row for row in rows if row.valid]
    found: dict[str, Any] = {}
    flags: dict[str, Flag] = {"under": lambda row: row.under_graded, "over": lambda row: row.over_graded}
    for name, flag in flags.items():
        steps = [abs(row.steps) for row in rows if row.steps is not None and flag(row)]
        found[f"{name}_grading_rate"] = {
            "of_all": headline(rows, flag, seed),
            "of_valid": share(len(steps), len(valid)),
            "mean_steps": sum(steps) / len(steps) if steps else None,
        }
    return found


def main_numbers(rows: Sequence[RowResult], seed: int) -> dict[str, Any]:
    """The headline numbers of any set of rows; those of the level only where rows have one."""
    graded = is_graded(rows)
    return {
        **{name: headline(rows, flag, seed) for name, flag in HEADLINES.items() if graded or name != "level_exact"},
        **(grading(rows, seed) if graded else {}),
        "answer_valid": share(sum(row.valid for row in rows), len(rows)),
        "reasons": dict(sorted(Counter(row.reason for row in rows).items())),
    }


def level_lookup(rows: Sequence[RowResult], lookup: Mapping[str, str], seed: int) -> dict[str, Any]:
    """Level accuracy of "most frequent train level of the category", of the predicted and of the true one (5 of 9).

    ``difference`` is ``level_exact`` minus the predicted-category baseline, with its paired interval by table.
    """
    looked = [float(lookup.get(row.predicted_category or "") == row.level) for row in rows]
    own = [float(row.level_exact) for row in rows]
    tables = [row.table for row in rows]
    found: dict[str, Any] = {
        "of_predicted_category": share(int(sum(looked)), len(rows)),
        "of_true_category": share(sum(lookup.get(row.category_id) == row.level for row in rows), len(rows)),
    }
    if rows:
        found["difference"] = {
            "value": (sum(own) - sum(looked)) / len(rows),
            "paired_cluster_bootstrap95": list(paired_cluster_bootstrap(looked, own, tables, seed=seed)),
        }
    return found


def macro_f1(truths: Sequence[str], predictions: Sequence[str | None]) -> float | None:
    """Mean F1 over the labels that occur among the truths; None without rows."""
    if not truths:
        return None
    right = Counter(truth for truth, guess in zip(truths, predictions, strict=True) if truth == guess)
    true, guessed = Counter(truths), Counter(guess for guess in predictions if guess is not None)
    return sum(2 * right[label] / (true[label] + guessed[label]) for label in true) / len(true)


def parent_accuracy(rows: Sequence[RowResult], paths: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """For each depth: of the rows whose true path is that deep, the share whose predicted path begins alike."""
    deepest = max((len(paths[row.category_id]) for row in rows), default=0)
    found: dict[str, Any] = {}
    for depth in range(1, deepest + 1):
        deep = [row for row in rows if len(paths[row.category_id]) >= depth]
        right = sum(
            list(paths.get(row.predicted_category or "", ()))[:depth] == list(paths[row.category_id][:depth])
            for row in deep
        )
        found[str(depth)] = share(right, len(deep))
    return found


def episode_numbers(rows: Sequence[RowResult], wall_seconds: float | None) -> dict[str, Any]:
    """Calls and what episodes cost. ``call_success``: exact among the episodes that called a tool."""
    count = len(rows)
    called = [row for row in rows if row.tool_calls]
    found: dict[str, Any] = {
        "call_share": share(len(called), count),
        "call_success": share(sum(row.exact for row in called), len(called)),
        "no_call_success": share(sum(row.exact for row in rows if not row.tool_calls), count - len(called)),
        "calls": sum(row.tool_calls for row in rows),
        "tool_error_share": share(sum(row.tool_errors > 0 for row in rows), count),
        "recall_by_search": share(sum(row.found_by_search for row in rows), count),
    }
    return {**found, **cost_numbers(rows, wall_seconds)}


def cost_numbers(rows: Sequence[RowResult], wall_seconds: float | None) -> dict[str, Any]:
    """Turns, tokens and time a field; seconds are those of the whole run, shared among its fields."""
    count = len(rows)
    found: dict[str, Any] = {
        "truncated": share(sum(row.truncated for row in rows), count),
        "turns_mean": sum(row.turns for row in rows) / count if count else None,
        "tokens_a_field": sum(row.tokens for row in rows) / count if count else None,
    }
    if wall_seconds is not None and count:
        found["seconds_a_field"] = wall_seconds / count
        found["hours_per_10000_fields"] = wall_seconds / count * 10_000 / 3600
    return found


def two_stage_numbers(rows: Sequence[RowResult]) -> dict[str, Any]:
    """Where two-stage answers are lost: ``stage1_valid`` and ``recall_at_5`` over all rows, ``stage2_valid`` over the
    rows with a shortlist, ``stage2_given_recall`` over those whose shortlist holds the truth, ``joint`` over all.
    """
    count = len(rows)
    listed = [row for row in rows if row.shortlist is not None]
    recalled = [row for row in listed if row.category_id in (row.shortlist or ())]
    return {
        "stage1_valid": share(len(listed), count),
        "recall_at_5": share(len(recalled), count),
        "stage2_valid": share(sum(row.valid for row in listed), len(listed)),
        "stage2_given_recall": {
            "category": share(sum(row.category_exact for row in recalled), len(recalled)),
            "exact": share(sum(row.exact for row in recalled), len(recalled)),
        },
        "joint": share(sum(row.exact for row in rows), count),
    }


def parts(
    rows: Sequence[RowResult],
    train_counts: Mapping[str, int],
    numbers: Callable[[Sequence[RowResult]], dict[str, Any]],
) -> dict[str, Any]:
    """All ``numbers`` once more for seen and unseen tables, descriptions, rare categories, levels and groups; a part
    below ``SMALL_PART`` rows is a count.
    """
    named: dict[str, dict[str, list[RowResult]]] = {
        "table": {
            "seen": [row for row in rows if row.seen_table],
            "unseen": [row for row in rows if not row.seen_table],
        },
        "description": {
            "present": [row for row in rows if row.described],
            "missing": [row for row in rows if not row.described],
        },
        "category_in_train": {
            f"fewer_than_{RARE_BELOW}": [row for row in rows if train_counts.get(row.category_id, 0) < RARE_BELOW],
            f"at_least_{RARE_BELOW}": [row for row in rows if train_counts.get(row.category_id, 0) >= RARE_BELOW],
        },
        "level": _grouped(rows, lambda row: row.level) if is_graded(rows) else {},
        "group": _grouped(rows, lambda row: row.group),
    }
    return {
        kind: {
            name: {"rows": len(some), **(numbers(some) if len(some) >= SMALL_PART else {})}
            for name, some in members.items()
        }
        for kind, members in named.items()
    }


def _grouped(rows: Sequence[RowResult], key: Callable[[RowResult], str]) -> dict[str, list[RowResult]]:
    found: dict[str, list[RowResult]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return {name: found[name] for name in sorted(found)}


def mistakes(rows: Sequence[RowResult], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The commonest confusions: true and predicted category with names, most frequent first."""
    counts = Counter(
        (row.category_id, row.predicted_category)
        for row in rows
        if row.predicted_category is not None and not row.category_exact
    )
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MISTAKES]
    return [
        {"true": true, "true_name": names[true], "predicted": guess, "predicted_name": names[guess], "rows": count}
        for (true, guess), count in ordered
        if guess is not None
    ]


def confusion_by_depth(rows: Sequence[RowResult], paths: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How deep a wrong prediction still agrees with the truth: ``0`` is another branch altogether."""
    found: Counter[str] = Counter()
    for row in rows:
        if row.predicted_category is None or row.category_exact:
            continue
        agreed = 0
        for left, right in zip(paths[row.category_id], paths.get(row.predicted_category, ()), strict=False):
            if left != right:
                break
            agreed += 1
        found[str(agreed)] += 1
    return dict(sorted(found.items()))


def calibration(rows: Sequence[RowResult]) -> dict[str, Any] | None:
    """Reliability of the agreement of several samples: ten bins and the expected calibration error; None for one
    sample.

    Agreement is the share of a row's samples that gave the winning pair (0 where none is valid); a row is right when
    that pair is.
    """
    by_row: dict[str, list[RowResult]] = defaultdict(list)
    for row in rows:
        by_row[row.source_id].append(row)
    if not by_row or max(map(len, by_row.values())) < 2:
        return None
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for samples in by_row.values():
        ordered = sorted(samples, key=lambda row: row.sample)
        won = vote([row.pair for row in ordered])
        agreement = won.share or 0.0
        right = won.pair == (ordered[0].category_id, ordered[0].level)
        bins[min(BINS - 1, int(agreement * BINS))].append((agreement, right))
    total = sum(map(len, bins))
    table = [
        {
            "from": place / BINS,
            "to": (place + 1) / BINS,
            "rows": len(some),
            "agreement": sum(value for value, _ in some) / len(some) if some else None,
            "right": sum(right for _, right in some) / len(some) if some else None,
        }
        for place, some in enumerate(bins)
    ]
    error = sum(abs(sum(value for value, _ in some) - sum(right for _, right in some)) for some in bins if some)
    return {"rows": total, "bins": table, "expected_calibration_error": error / total if total else None}
