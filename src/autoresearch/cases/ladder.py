"""The matrix and its ladder (formal-case.md 4.2, 4.4, 5.2 to 5.4): pure functions from facts and outcomes to rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from autoresearch.cases.planned import MatrixFacts, PlannedRow, Stage
from autoresearch.cases.row_checks import check_row
from autoresearch.cases.shapes import Shape, Traits, build_row, divisors
from autoresearch.findings import Finding, finding
from autoresearch.hosts.row_spec import RowDevice

LEAST_MEASURED = 2
MEMORY, STOP, HOST = "memory", "stop", "host"
"""Groups of failure classes (section 13)."""
EARLY_STOP = "early_stop_memory"
Series = tuple[object, ...]


@dataclass(frozen=True)
class Outcome:
    """How the last attempt of a case ended."""

    row: PlannedRow
    status: Literal["passed", "failed", "skipped"]
    group: str | None = None
    """Group of the failure class."""
    tokens_per_second_per_device: float | None = None
    measured_steps: int = 0
    memory_warning: bool = False
    cause: str = "first"
    """Of the last attempt: ``first``, ``retry:<class>`` or ``manual``."""


def series(row: PlannedRow) -> Series:
    """What the rows of one ladder share; they differ only in B (5.2)."""
    stage = "single" if row.stage == "bisect" else row.stage
    return (stage, row.numbers.D, row.inference_mode, row.output_tokens, row.mini_rule, row.numbers.u)


def _legal(row: PlannedRow) -> bool:
    return not any(item.severity == "error" for item in check_row(row))


def validation_rows(facts: MatrixFacts, traits: Traits) -> list[PlannedRow]:
    """For each output length (outer) and each mode (inner) one case, on all devices, one prompt a device."""
    count = len(facts.devices) * traits.nodes
    stage: Stage = "node" if count > 1 else "single"
    return [
        build_row(facts, traits, Shape(stage, facts.devices, count, count, 1, mode, output))
        for output in facts.case.output_tokens
        for mode in facts.case.inference_modes
    ]


def training_rows(facts: MatrixFacts, traits: Traits) -> list[PlannedRow]:
    """The ladder of the fewest devices, ascending batch within each series; with ``skip_single`` of all devices.

    Points of the grid whose mini- or micro-batch does not divide are left out; a value that fits no batch at all keeps
    one row, which ``check_row`` refuses with the nearest legal value.
    """
    case = facts.case
    stage: Stage = "node" if case.ladder.skip_single else "single"
    devices = facts.devices if case.ladder.skip_single else facts.single_devices
    modes: Sequence[Literal["sync", "async"] | None] = (None,) if traits.kind == "sft" else case.ladder_modes
    asked = case.ladder.mini_batch
    minis: Sequence[Literal["batch"] | int] = ("batch",) if asked == "batch" or traits.kind == "sft" else asked
    rows = []
    for output in case.ladder_outputs:
        for mode in modes:
            for mini in minis:
                for micro in case.ladder.micro_batches:
                    shapes = [
                        _shape(stage, devices, traits.nodes, size, mini, micro, mode, output)
                        for size in case.ladder.batch_sizes
                    ]
                    rows += _divisible([build_row(facts, traits, shape) for shape in shapes])
    return rows


def _shape(
    stage: Stage,
    devices: tuple[RowDevice, ...],
    nodes: int,
    size: int,
    mini: Literal["batch"] | int,
    micro: int,
    mode: Literal["sync", "async"] | None,
    output: int,
    derived_from: tuple[str, ...] = (),
) -> Shape:
    """``size`` and ``mini`` are prompts per device."""
    count = len(devices) * nodes
    batch = size * count
    own = batch if mini == "batch" else mini * count
    return Shape(stage, devices, batch, own, micro, mode, output, mini, derived_from)


def _divides(row: PlannedRow) -> bool:
    n = row.numbers
    if row.kind == "sft":
        return (n.B // row.dp) % n.u == 0
    return n.B % n.m == 0 and (row.engine.actor_dynamic or (n.m * n.n // row.dp) % n.u == 0)


def _divisible(rows: list[PlannedRow]) -> list[PlannedRow]:
    return [row for row in rows if _divides(row)] or rows[-1:]


def early_stopped(rows: Sequence[PlannedRow], outcomes: Mapping[str, Outcome], limit: int) -> list[str]:
    """Case ids that are not started any more: ``limit`` consecutive memory failures came before them in their series.

    ``rows`` in planned order; cases without an outcome have not run yet.
    """
    streak: dict[Series, int] = {}
    stopped = []
    for row in rows:
        key = series(row)
        outcome = outcomes.get(row.case_id)
        if outcome is None:
            if streak.get(key, 0) >= limit:
                stopped.append(row.case_id)
        elif outcome.status != "skipped":
            failed = outcome.status == "failed" and outcome.group == MEMORY
            streak[key] = streak.get(key, 0) + 1 if failed else 0
    return stopped


def early_stop_finding(case_id: str, limit: int) -> Finding:
    """V220 for a case that is not started."""
    rule = "memory failures in a row came before it in its ladder"
    return finding("V220", place=case_id, value=str(limit), rule=rule)


def bisect_finding(case_id: str, batch: int, derived_from: Sequence[str]) -> Finding:
    """V221 for a case that was added between two others."""
    rule = "lies between " + " and ".join(derived_from)
    return finding("V221", place=case_id, value=str(batch), rule=rule)


def bisect_row(facts: MatrixFacts, traits: Traits, outcomes: Sequence[Outcome]) -> PlannedRow | None:
    """The next row between the largest passed and the smallest memory-failed batch of one series; None when there is
    nothing left to ask, or ``bisect_limit`` rows were asked (5.3)."""
    tried = {outcome.row.numbers.B for outcome in outcomes}
    asked = sum(outcome.row.stage == "bisect" for outcome in outcomes)
    passed = [outcome.row for outcome in outcomes if outcome.status == "passed"]
    failed = [each.row for each in outcomes if each.status == "failed" and each.group == MEMORY]
    if not passed or asked >= facts.case.ladder.bisect_limit:
        return None
    low = max(passed, key=lambda row: row.numbers.B)
    above = [row for row in failed if row.numbers.B > low.numbers.B]
    if not above:
        return None
    high = min(above, key=lambda row: row.numbers.B)
    middle = (low.numbers.B + high.numbers.B) // 2
    between = [
        row
        for row in _between(facts, traits, low, high)
        if row.numbers.B not in tried and _divides(row) and _legal(row)
    ]
    below = [row for row in between if middle >= row.numbers.B]
    return below[-1] if below else next(iter(between), None)


def _between(facts: MatrixFacts, traits: Traits, low: PlannedRow, high: PlannedRow) -> Iterator[PlannedRow]:
    count = low.numbers.D
    parents = (low.case_id, high.case_id)
    for size in range(low.numbers.B // count + 1, -(-high.numbers.B // count)):
        yield build_row(
            facts,
            traits,
            _shape(
                "bisect",
                low.devices,
                traits.nodes,
                size,
                low.mini_rule,
                low.numbers.u,
                low.inference_mode,
                low.output_tokens,
                parents,
            ),
        )


def candidates(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Cases that may be promoted, the best first (5.4): measured tokens/s per device, then larger B, then case id."""
    fit = [
        each
        for each in outcomes
        if each.status == "passed"
        and each.measured_steps >= LEAST_MEASURED
        and not each.memory_warning
        and not each.cause.startswith("retry:")
        and each.row.stage in ("single", "bisect")
        and each.tokens_per_second_per_device is not None
    ]
    return sorted(
        fit, key=lambda each: (-(each.tokens_per_second_per_device or 0), -each.row.numbers.B, each.row.case_id)
    )


def promoted_rows(facts: MatrixFacts, traits: Traits, outcomes: Sequence[Outcome]) -> list[PlannedRow]:
    """Rows on all devices for the best candidates; none when the first stage held all devices already."""
    if facts.case.ladder.skip_single or len(facts.devices) <= len(facts.single_devices):
        return []
    rows: dict[str, PlannedRow] = {}
    for best in candidates(outcomes)[: facts.case.ladder.promote]:
        for row in _promote(facts, traits, best.row):
            rows.setdefault(row.case_id, row)
    return list(rows.values())


def _promote(facts: MatrixFacts, traits: Traits, row: PlannedRow) -> Iterator[PlannedRow]:
    count = len(facts.devices) * traits.nodes
    for size in sorted({*facts.case.ladder.batch_sizes, max(1, row.per_device)}):
        batch = size * count
        minis = [batch] if row.mini_rule == "batch" else [m for m in divisors(batch) if _enough(m, row, count)]
        for mini in minis:
            shape = Shape(
                "node",
                facts.devices,
                batch,
                mini,
                row.numbers.u,
                row.inference_mode,
                row.output_tokens,
                row.mini_rule,
                (row.case_id,),
            )
            made = build_row(facts, traits, shape)
            if _divides(made) and (made.numbers.m * made.numbers.n) % made.dp == 0:
                yield made
                break


def _enough(mini: int, row: PlannedRow, count: int) -> bool:
    """``mini`` keeps at least the candidate's mini-batch per device."""
    return mini * row.numbers.D >= row.numbers.m * count


def experiment_ok(
    mode: Literal["training", "validation"], planned: Sequence[PlannedRow], passed: Sequence[str], *, node_planned: bool
) -> bool:
    """The rule of 2.2 over case ids whose last attempt passed. ``node_planned``: the run was to reach the node."""
    done = [row for row in planned if row.case_id in set(passed)]
    if mode == "validation":
        return bool(planned) and len(done) == len(planned)
    first = any(row.stage in ("single", "bisect") for row in done)
    node = any(row.stage == "node" for row in done)
    has_single = any(row.stage == "single" for row in planned)
    return (first or not has_single) and (node or not node_planned) and bool(done)
