"""Which metric becomes which family under which labels: the table of formal-case.md 10.4, which is data
(``families.json``). Standard library only, Python 3.8; the runner carries it.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from autoresearch.telemetry.openmetrics import Family, Point, label_set


class SeriesKey(NamedTuple):
    """One series of a row: the telemetry table's columns beside row, time and value. Null where there is no device."""

    source: str
    device_id: str | None
    chip_id: str | None
    uuid: str | None
    metric: str


class RowLabels(NamedTuple):
    """The labels of one attempt; they never change while it runs."""

    run_id: str
    case_id: str
    attempt: str
    server: str
    wandb_project: str = ""
    wandb_run_name: str = ""


class FamilyRule(NamedTuple):
    """One gauge: made from ``metric`` with the labels of ``group``."""

    family: str
    metric: str
    group: str
    help: str


class Value(NamedTuple):
    """One value of a series; ``epoch_ms`` is null in pushes and latest-value files."""

    row: RowLabels
    key: SeriesKey
    epoch_ms: int | None
    value: float


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    content = pkgutil.get_data("autoresearch.telemetry", "families.json") or b""
    return dict(json.loads(content.decode("utf-8")))


@lru_cache(maxsize=1)
def family_rules() -> tuple[FamilyRule, ...]:
    """All families in the order in which an exposition has them."""
    rules: list[dict[str, str]] = _table()["families"]
    return tuple(FamilyRule(**rule) for rule in rules)


@lru_cache(maxsize=1)
def thinned_metrics() -> frozenset[str]:
    """Metrics of which an unchanged value is kept once in 60 s."""
    metrics: list[str] = _table()["kept_once_a_minute"]
    return frozenset(metrics)


@lru_cache(maxsize=1)
def _labels() -> tuple[dict[str, list[str]], dict[str, str], frozenset[str]]:
    table = _table()
    return table["labels"], table["vendors"], frozenset(table["ascend_only"])


@lru_cache(maxsize=4096)
def labels_of(group: str, row: RowLabels, key: SeriesKey) -> tuple[tuple[str, str], ...] | None:
    """The labels of a series in a group of families, without empty ones; null when the group is not for its vendor."""
    names, vendors, ascend_only = _labels()
    vendor = vendors.get(key.source, "")
    if (group in ascend_only and vendor != "ascend") or (group == "host" and vendor):
        return None
    if ("device_id" in names[group]) != (key.device_id is not None):
        return None
    texts = {**row._asdict(), **key._asdict(), "vendor": vendor}
    return label_set({name: texts[name] for name in names[group] if texts[name]})


def families_of(values: Iterable[Value], groups: Iterable[str] | None = None) -> list[Family]:
    """Families with one point a value, in the table's order, those without a point left out."""
    by_metric: dict[str, list[Value]] = {}
    for value in values:
        by_metric.setdefault(value.key.metric, []).append(value)
    wanted = None if groups is None else frozenset(groups)
    found = []
    for rule in family_rules():
        if wanted is not None and rule.group not in wanted:
            continue
        points = []
        for each in by_metric.get(rule.metric, ()):
            labels = labels_of(rule.group, each.row, each.key)
            if labels is not None:
                points.append(Point(labels, each.epoch_ms, each.value))
        if points:
            found.append(Family(rule.family, rule.help, points))
    return found
