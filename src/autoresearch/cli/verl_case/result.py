"""The one result object of a run (formal-case.md 2.2): steps with their first cause, experiment, live, evidence."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from autoresearch.errors import AutoResearchError

STEPS = ("readiness", "assets", "lock", "rows", "collect", "report", "seal")
INTERRUPTED, REFUSED = 130, 2


@dataclass
class Step:
    """One step of a run. The first cause stays."""

    id: str
    status: Literal["pass", "warn", "fail", "skipped"] = "skipped"
    exit_code: int = 0
    diagnosis: str | None = None
    elapsed_ms: int = 0

    def fail(self, diagnosis: str, exit_code: int = 1) -> None:
        """The step failed; what is known already is not replaced."""
        if self.status != "fail":
            self.status, self.exit_code, self.diagnosis = "fail", exit_code, diagnosis

    def warn(self, diagnosis: str) -> None:
        """The step is done, with something to be said."""
        if self.status != "fail":
            self.status = "warn"
            self.diagnosis = self.diagnosis or diagnosis


@dataclass
class Result:
    """What a run says of itself at its end, filled in while it goes on."""

    run_id: str | None = None
    bundle: str | None = None
    bundle_state: str | None = None
    experiment: dict[str, Any] = field(default_factory=lambda: {"ok": False})
    live: dict[str, Any] = field(default_factory=lambda: {"ok": False})
    evidence: dict[str, Any] = field(default_factory=lambda: {"ok": False, "verified": False})
    steps: dict[str, Step] = field(default_factory=lambda: {name: Step(name) for name in STEPS})
    warnings: list[str] = field(default_factory=list)
    findings: list[dict[str, str]] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[Step]:
        """Time a step; an error that leaves it is its diagnosis."""
        step, began = self.steps[name], time.monotonic()
        try:
            yield step
            if step.status == "skipped":
                step.status = "pass"
        except AutoResearchError as error:
            step.fail(error.message, error.exit_code)
            raise
        except KeyboardInterrupt:
            step.fail("interrupted", INTERRUPTED)
            raise
        except Exception as error:
            step.fail(f"{type(error).__name__}: {error}", REFUSED)
            raise
        finally:
            step.elapsed_ms = round((time.monotonic() - began) * 1000)

    def take(self, error: AutoResearchError) -> None:
        """Keep an error's findings."""
        self.findings += [item.as_dict() for item in error.findings]

    def take_live(self, live: Mapping[str, Any], rows: int) -> None:
        """What live views got."""
        failed = int(live.get("pushes_failed") or 0)
        ok = failed == 0 and int(live.get("pushes_ok") or 0) > 0
        self.live = {"ok": ok or rows == 0, **live}

    def payload(self, exit_code: int, message: str | None = None) -> dict[str, Any]:
        """The object of 2.2."""
        names = {0: "pass", 1: "fail", REFUSED: "refused", INTERRUPTED: "interrupted"}
        content = {
            "status": names.get(exit_code, "fail"),
            "ok": exit_code == 0,
            "exit_code": exit_code,
            "run_id": self.run_id,
            "bundle": self.bundle,
            "bundle_state": self.bundle_state,
            "experiment": self.experiment,
            "live": self.live,
            "evidence": self.evidence,
            "steps": [vars(self.steps[name]) for name in STEPS],
            "warnings": self.warnings,
            "findings": self.findings,
            **self.more,
        }
        return content if message is None else {**content, "message": message}
