"""The one form in which every check answers, and how answers are merged (formal-case.md 2.1)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from autoresearch.errors import AutoResearchError
from autoresearch.findings import Finding

Severity = Literal["ok", "warn", "fail"]
ORDER: tuple[Severity, ...] = ("ok", "warn", "fail")


@dataclass(frozen=True)
class CheckResult:
    """The answer of one check. ``ok`` is true for ``ok`` and ``warn``."""

    id: str
    severity: Severity
    message: str
    data: dict[str, Any] = field(default_factory=dict)
    findings: tuple[dict[str, Any], ...] = ()
    elapsed_ms: int = 0

    @property
    def ok(self) -> bool:
        """Nothing stands in the way."""
        return self.severity != "fail"

    def as_dict(self) -> dict[str, Any]:
        """Exactly the form of 2.1."""
        return {
            "id": self.id,
            "ok": self.ok,
            "severity": self.severity,
            "message": self.message,
            "data": self.data,
            "findings": list(self.findings),
            "elapsed_ms": self.elapsed_ms,
        }

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> CheckResult:
        """A result that another check gave in the form of 2.1."""
        return cls(
            content["id"],
            content["severity"],
            content["message"],
            content["data"],
            tuple(content["findings"]),
            content["elapsed_ms"],
        )


def worst(severities: Sequence[Severity]) -> Severity:
    """By the order ok < warn < fail; of nothing it is ok."""
    return max(severities, key=ORDER.index, default="ok")


def merge(name: str, results: Sequence[CheckResult]) -> CheckResult:
    """One result of several: worst severity, data by id, findings in order, and how many were checked."""
    warned = sum(each.severity == "warn" for each in results)
    failed = sum(each.severity == "fail" for each in results)
    counts = {"checked": len(results), "warned": warned, "failed": failed}
    troubles = [f"{each.id}: {each.message}" for each in results if each.severity != "ok"]
    return CheckResult(
        name,
        worst([each.severity for each in results]),
        "; ".join(troubles) or f"{len(results)} checked, all well",
        {**{each.id: each.as_dict() for each in results}, "counts": counts},
        tuple(item for each in results for item in each.findings),
        sum(each.elapsed_ms for each in results),
    )


def checked(name: str, work: Callable[[], tuple[Severity, str, dict[str, Any], Sequence[Finding]]]) -> CheckResult:
    """Do a check and time it; an error of ours that it raises is its failure, with the error's findings."""
    began = time.monotonic()
    try:
        severity, message, data, findings = work()
    except AutoResearchError as error:
        severity, message, data, findings = "fail", error.message, {}, error.findings
    elapsed = int((time.monotonic() - began) * 1000)
    return CheckResult(name, severity, message, data, tuple(item.as_dict() for item in findings), elapsed)
