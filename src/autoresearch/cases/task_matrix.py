"""The matrix of a task on one host: rows derived, checked, bisected and promoted, as the run loop asks for them.

``tasks`` says what a row is, ``ladder`` which rows follow; here the two meet the loop's small view of a case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from autoresearch.cases.ladder import Outcome, bisect_row, early_stopped, experiment_ok, promoted_rows, series
from autoresearch.cases.matrix import Addition, Case, Command, Ended
from autoresearch.cases.names import CaseNumbers, display_name, row_name, wandb_id
from autoresearch.cases.overrides import Places
from autoresearch.cases.planned import MatrixFacts, PlannedRow
from autoresearch.cases.row_checks import require_legal
from autoresearch.cases.tasks import Task
from autoresearch.findings import Finding

MEMORY_WARNING = "V216"


def case_of(row: PlannedRow) -> Case:
    """A planned row as the loop sees it."""
    return Case(
        case_id=row.case_id,
        stage=row.stage,
        kind=row.kind,
        devices=row.devices,
        inner_timeout=row.inner_timeout,
        outer_timeout=row.outer_timeout,
        numbers=row.numbers.model_dump(),
        target_steps=row.numbers.S,
        scratch=(row.scratch,),
        facts={
            "algorithm": row.algorithm,
            "inference_mode": row.inference_mode,
            "input_tokens": row.input_tokens,
            "output_tokens": row.output_tokens,
            "ignore_eos": row.ignore_eos,
            "derived_from": list(row.derived_from),
            "reasons": dict(row.engine.reasons),
        },
    )


class TaskMatrix:
    """A ``Matrix`` of one task. ``places`` is the template of an attempt's places: its folder, number and display name
    are filled in for each. ``plan`` is ``{path, sha256}`` where the task runs one."""

    def __init__(self, task: Task, facts: MatrixFacts, places: Places, plan: Mapping[str, str] | None = None) -> None:
        self.task, self.facts, self.places, self.plan = task, facts, places, plan
        self.traits = task.traits(facts.accelerator)
        self.rows: dict[str, PlannedRow] = {}
        self.warnings: dict[str, list[Finding]] = {}
        self.promoted = False

    def first(self) -> list[Case]:
        """The rows of the config lock. Raises ``RefusedError`` with every finding of 5.1."""
        rows = self.task.derive_rows(self.facts)
        require_legal(rows, self.task.check_row)
        return [self._take(row) for row in rows]

    def _take(self, row: PlannedRow) -> Case:
        self.rows[row.case_id] = row
        self.warnings[row.case_id] = self.task.check_row(row)
        return case_of(row)

    def command(self, case: Case, attempt: int, folder: str) -> Command:
        """The trainer's command, environment and names."""
        row = self.rows[case.case_id]
        shown = display_name(self.facts.names, _numbers(row), row.inference_mode, attempt)
        places = replace(self.places, attempt=attempt, row=folder, display_name=shown)
        return Command(
            tuple(self.task.argv(row, places)),
            self.task.environment(row, places),
            shown,
            wandb_id(self.facts.run_id, row_name(row.case_id, attempt)),
            self.task.files(row, places),
        )

    def plan_of(self, case: Case) -> Mapping[str, str] | None:
        """The plan of a field task."""
        return self.plan

    def stopped(self, planned: Sequence[Case], ended: Mapping[str, Ended]) -> list[str]:
        """Cases after too many memory failures of their series (5.2); a bisected row lies below those that failed."""
        limit = self.facts.case.ladder.stop_after_memory_failures
        rows = [self.rows[case.case_id] for case in planned]
        return early_stopped([row for row in rows if row.stage != "bisect"], self._outcomes(ended), limit)

    def more(self, ended: Mapping[str, Ended]) -> Addition | None:
        """One bisect round of one series, or, once none is left, the promotion."""
        if self.facts.case.mode == "validation":
            return None
        outcomes = self._outcomes(ended)
        return self._bisect(outcomes) or self._promotion(outcomes)

    def ok(self, planned: Sequence[Case], passed: Sequence[str]) -> bool:
        """The rule of 2.2."""
        case, facts = self.facts.case, self.facts
        rows = [self.rows[each.case_id] for each in planned]
        reaches = bool(case.ladder.promote) and len(facts.devices) > len(facts.single_devices)
        node = any(row.stage == "node" for row in rows) or (reaches and not case.ladder.skip_single)
        return experiment_ok(case.mode, rows, passed, node_planned=node)

    def _outcomes(self, ended: Mapping[str, Ended]) -> dict[str, Outcome]:
        return {
            case_id: Outcome(
                row=self.rows[case_id],
                status=each.status,
                group=each.group,
                tokens_per_second_per_device=each.tokens_per_second_per_device,
                measured_steps=each.measured_steps,
                memory_warning=any(item.code == MEMORY_WARNING for item in self.warnings[case_id]),
                cause=each.cause,
            )
            for case_id, each in ended.items()
        }

    def _bisect(self, outcomes: Mapping[str, Outcome]) -> Addition | None:
        stages = ("node", "bisect") if self.facts.case.ladder.skip_single else ("single", "bisect")
        ladders: dict[tuple[object, ...], list[Outcome]] = {}
        for each in outcomes.values():
            if each.row.stage in stages:
                ladders.setdefault(series(each.row)[1:], []).append(each)
        for ladder in ladders.values():
            row = bisect_row(self.facts, self.traits, ladder)
            if row is not None and row.case_id not in self.rows:
                low, high = row.derived_from
                reason = f"{low} passed and {high} ran out of memory; B {row.numbers.B} lies between"
                return Addition("bisect", reason, row.derived_from, (self._take(row),))
        return None

    def _promotion(self, outcomes: Mapping[str, Outcome]) -> Addition | None:
        if self.promoted:
            return None
        self.promoted = True
        rows = [row for row in promoted_rows(self.facts, self.traits, list(outcomes.values())) if self._new(row)]
        refused = {row.case_id: _errors(self.task.check_row(row)) for row in rows}
        legal = [row for row in rows if not refused[row.case_id]]
        if not legal:
            return None
        parents = tuple(dict.fromkeys(name for row in legal for name in row.derived_from))
        reason = f"promotion of {', '.join(parents)} to {len(self.facts.devices)} devices"
        left_out = [f"{name}: {found[0].message()}" for name, found in refused.items() if found]
        if left_out:
            reason += "; not planned: " + "; ".join(left_out)
        return Addition("promotion", reason, parents, tuple(self._take(row) for row in legal))

    def _new(self, row: PlannedRow) -> bool:
        return row.case_id not in self.rows


def _errors(found: Sequence[Finding]) -> list[Finding]:
    return [item for item in found if item.severity == "error"]


def _numbers(row: PlannedRow) -> CaseNumbers:
    n = row.numbers
    return CaseNumbers(n.D, n.B, n.n, n.m, n.u, row.input_tokens, row.output_tokens)
