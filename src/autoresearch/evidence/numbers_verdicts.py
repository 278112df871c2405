"""Numbers of the gates' verdicts: passed, status and each share with numerator, denominator and interval (training.md
8.1).
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.report_data import ReportData, finite
from autoresearch.verdict import Verdict

INTERVALS = ("cluster_bootstrap95", "wilson95")


def read_bundle_verdicts(bundle: Bundle) -> list[tuple[str, Verdict]]:
    """(relative path, verdict) of the readable verdict files beside the attempts' copies, by name."""
    found = []
    for path in sorted(bundle.path("verdicts").glob("*.json")):
        try:
            found.append((bundle.relative(path), Verdict.model_validate(bundle.json(path))))
        except ValidationError:
            continue  # the schema check names it
    return found


def add_verdicts(data: ReportData, bundle: Bundle) -> None:
    """One block a verdict file, named after the file."""
    for source, verdict in read_bundle_verdicts(bundle):
        head = f"verdict.{source.rpartition('/')[2].removesuffix('.json')}"
        data.fact(f"{head}.gate", verdict.gate, "read", source)
        data.fact(f"{head}.passed", verdict.passed, "read", source)
        data.fact(f"{head}.status", verdict.status, "read", source)
        data.fact(f"{head}.rule", verdict.rule, "read", source)
        for name, value in sorted(verdict.numbers.items()):
            _add_value(data, f"{head}.{name}", value, source)


def _add_value(data: ReportData, head: str, value: Any, source: str) -> None:
    if isinstance(value, dict) and finite(value.get("rate")) is not None:
        data.number(f"{head}.rate", value["rate"], "share", "read", source)
        for key in ("numerator", "denominator"):
            data.number(f"{head}.{key}", value.get(key), "count", "read", source)
        for key in INTERVALS:
            bounds = value.get(key)
            if isinstance(bounds, list) and len(bounds) == 2:
                data.number(f"{head}.{key}.low", bounds[0], "share", "read", source)
                data.number(f"{head}.{key}.high", bounds[1], "share", "read", source)
    elif isinstance(value, int) and not isinstance(value, bool):
        data.number(head, value, "count", "read", source)
