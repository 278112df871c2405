"""What the template reads of a formal case beside its numbers: rows by name, failures with cause and fix, accuracy
rows, pairs of modes, readiness. Only choosing and arranging; every number is looked up by its id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autoresearch.cases.classify import failure_class
from autoresearch.cases.field_measures import MEASURES
from autoresearch.cases.geo3k import CAUSES
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.derived import read_lock
from autoresearch.evidence.report_data import ReportData
from autoresearch.report import case_texts
from autoresearch.report.case_figures import short_name
from autoresearch.report.case_statements import case_marks, case_statements, value_of
from autoresearch.report.markup import Words

if TYPE_CHECKING:
    from markupsafe import Markup

NEIGHBOURS = 2
LOGP_HINT, ROLLOUT_HINT, MFU_HINT = 0.8, 0.7, 0.05
POLL_SECONDS = (1.8, 2.4)
"""verl's replay buffer polls every 2 s: a rollout near that on tiny rows is a floor, not a speed (12.4)."""


@dataclass(frozen=True)
class Row:
    """One attempt: its number on the page, its name, and its words."""

    number: str
    name: str
    head: str
    facts: Mapping[str, Any]
    line: Mapping[str, Any]
    """Its line of the matrix."""

    @property
    def started(self) -> bool:
        """False for a planned case that was skipped."""
        return bool(self.facts["status"] != "skipped")


@dataclass(frozen=True)
class Failure:
    """A failed row with what its class means, and rows beside it that passed."""

    row: Row
    cause: Mapping[str, str]
    fix: Mapping[str, str]
    log: str
    """Relative path of the file that the evidence stands in; empty when it is not in the bundle."""
    neighbours: tuple[Row, ...]


FACTS = (
    "status", "failure_class", "skip_reason", "stage", "cause", "inference_mode", "resolved_mode", "no_learning_signal",
    "ranked", "evidence.file", "evidence.text",
)  # fmt: skip


def case_headline(words: Words, bundle: Bundle) -> list[Markup]:
    """The first sentence of the page: whether parameters were updated."""
    mode = case_texts.mode_of(bundle, read_lock(bundle))
    holes = {name: f"rows.{name}" for name in ("reached", "moved", "started", "updated", "passed", "all")}
    return [words.text(case_texts.headline_key(mode, words.data), **holes)]


def build_case(bundle: Bundle, words: Words, matrix: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Everything that the case's chapters read."""
    data, lock = words.data, read_lock(bundle)
    names = bundle.rows()
    rows = [_row(data, names, name, matrix.get(name, {})) for name in names]
    run = bundle.json(bundle.path("run"))
    run = run if isinstance(run, dict) else {}
    said = case_statements(words, bundle, names)
    return {
        "mode": case_texts.mode_of(bundle, lock),
        "smoke": bundle.manifest.kind == "smoke",
        "rows": rows,
        "started": [row for row in rows if row.started],
        "general": [each for each in said if not each.row],
        "by_row": [each for each in said if each.row],
        "marks": case_marks(bundle),
        "failures": [_failure(bundle, row, rows) for row in rows if row.facts["status"] == "failed"],
        "skipped": [row for row in rows if not row.started],
        "measured": [row for row in rows if data.value(f"acc.{row.name}.samples")],
        "zero": [row for row in rows if data.value(f"acc.{row.name}.ladder.wrong_answer") is not None],
        "asked": _facts_of(data, "asked."),
        "environment": _facts_of(data, "environment."),
        "measures": MEASURES,
        "causes": CAUSES,
        "lengths": _length_groups(rows),
        "pairs": _pairs(data, rows),
        "asked_modes": sorted({str(row.facts["inference_mode"]) for row in rows if row.facts["inference_mode"]}),
        "hints": {row.name: _hints(words, row) for row in rows if row.started},
        "devices": {row.name: _devices(data, row) for row in rows},
        "gaps": {row.name: _gaps(data, row) for row in rows},
        "assets": lock.assets,
        "judged_by": [*_flat("prompt", lock.prompt), *_flat("reward", lock.reward)],
        "hardware": _hardware(bundle, lock.devices),
        "plan": lock.plan,
        "readiness": _readiness(run),
        "urls": (run.get("settings") or {}).get("urls") or {},
        "purpose": (run.get("settings") or {}).get("purpose"),
        "skip_single": lock.case.get("ladder", {}).get("skip_single") if isinstance(lock.case, dict) else None,
        "ladder": lock.ladder or {},
        "reasons": {str(each.get("path")): str(each.get("reason")) for each in _skipped(bundle)},
    }


def _facts_of(data: ReportData, prefix: str) -> list[tuple[str, Any]]:
    """(name without the prefix, value) of the facts that begin with it."""
    return [(name.removeprefix(prefix), fact.value) for name, fact in data.facts.items() if name.startswith(prefix)]


def _flat(name: str, value: Any) -> list[tuple[str, str]]:
    """Settings of the prompt and the reward by their dotted names; hashes by their first twelve signs."""
    if isinstance(value, dict):
        return [pair for key, inner in sorted(value.items()) for pair in _flat(f"{name}.{key}", inner)]
    text = str(value)
    return [(name, text[:12] if "sha256" in name else text)]


def _hardware(bundle: Bundle, devices: list[dict[str, Any]]) -> str:
    """The devices of the run in words: how many of which accelerator on which server."""
    return f"{len(devices)} × {bundle.manifest.accelerator} ({bundle.manifest.server})"


def _skipped(bundle: Bundle) -> list[dict[str, Any]]:
    content = bundle.json(bundle.path("skipped"))
    return [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []


def _row(data: ReportData, names: list[str], name: str, line: Mapping[str, Any]) -> Row:
    head = f"row.{name}"
    return Row(short_name(names, name), name, head, {key: value_of(data, f"{head}.{key}") for key in FACTS}, line)


def _axes(row: Row, *without: str) -> tuple[Any, ...]:
    """What a row is, but for the named axes."""
    numbers = row.line.get("numbers") or {}
    keys = {key: numbers.get(key) for key in ("D", "B", "n", "m", "u", "TP")}
    keys |= {key: row.line.get(key) for key in ("input_tokens", "output_tokens", "inference_mode", "ignore_eos")}
    return tuple(value for key, value in keys.items() if key not in without)


def _failure(bundle: Bundle, row: Row, rows: list[Row]) -> Failure:
    known = failure_class(str(row.facts["failure_class"]))
    folders = (bundle.log_folder(row.name), bundle.row_folder(row.name))
    file = str(row.facts["evidence.file"] or "")
    path = next((folder / file for folder in folders if file and (folder / file).is_file()), None)
    alike = [
        each for each in rows if each.facts["status"] == "passed" and _axes(each, "B", "m") == _axes(row, "B", "m")
    ]
    size = float((row.line.get("numbers") or {}).get("B") or 0)
    alike.sort(key=lambda each: abs(float((each.line.get("numbers") or {}).get("B") or 0) - size))
    return Failure(
        row,
        known.cause if known else {},
        known.fix if known else {},
        bundle.relative(path) if path is not None else "",
        tuple(alike[:NEIGHBOURS]),
    )


def _length_groups(rows: list[Row]) -> list[list[Row]]:
    """Passed rows that differ in their output length alone."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if row.facts["status"] == "passed":
            groups.setdefault(_axes(row, "output_tokens"), []).append(row)
    found = [group for group in groups.values() if len({row.line.get("output_tokens") for row in group}) > 1]
    return [sorted(group, key=lambda row: int(row.line.get("output_tokens") or 0)) for group in found]


def _pairs(data: ReportData, rows: list[Row]) -> list[tuple[Row, Row, str, str]]:
    """(one row, the other, id of their numbers, engine: same, other or unknown)."""
    known = {row.name: row for row in rows}
    found = []
    for one in rows:
        for two in rows:
            head = f"modes.{one.name}.{two.name}"
            engine = value_of(data, f"{head}.engine")
            if engine is not None:
                found.append((known[one.name], known[two.name], head, str(engine)))
    return found


def _hints(words: Words, row: Row) -> list[Markup]:
    """Signatures of 12.4 whose numbers are beyond their limits."""
    data, found = words.data, []
    logp, rollout = data.value(f"{row.head}.hint.logp"), data.value(f"{row.head}.hint.rollout")
    mfu, seconds = data.value(f"{row.head}.mfu"), data.value(f"{row.head}.stage.rollout")
    if logp is not None and logp >= LOGP_HINT:
        found.append(words.text("hint.logp", share=f"{row.head}.hint.logp"))
    if rollout is not None and rollout > ROLLOUT_HINT:
        found.append(words.text("hint.rollout", share=f"{row.head}.hint.rollout"))
    if mfu is not None and 0 < mfu < MFU_HINT:
        found.append(words.text("hint.mfu", share=f"{row.head}.mfu"))
    if seconds is not None and POLL_SECONDS[0] <= seconds <= POLL_SECONDS[1]:
        found.append(words.text("hint.poll", seconds=f"{row.head}.stage.rollout"))
    return found


def _devices(data: ReportData, row: Row) -> list[tuple[str, str, Any]]:
    """(name, id of its numbers, whether the row wanted it) of each device."""
    head = f"device.{row.name}.of."
    return [
        (name.removeprefix(head).removesuffix(".wanted"), name.removesuffix(".wanted"), fact.value)
        for name, fact in data.facts.items()
        if name.startswith(head) and name.endswith(".wanted")
    ]


def _gaps(data: ReportData, row: Row) -> list[tuple[str, str]]:
    """(source, id of its numbers) of each listed gap."""
    found = []
    for source in ("device", "host"):
        head = f"{source}.{row.name}.gap."
        ends = [name for name in data.numbers if name.startswith(head) and name.endswith(".begin")]
        found += [(source, name.removesuffix(".begin")) for name in ends]
    return found


def _readiness(run: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """(check, severity, message) as readiness gave them before the run, outermost first."""
    found: list[tuple[str, str, str]] = []

    def walk(check: Any) -> None:
        if not isinstance(check, dict) or "severity" not in check:
            return
        found.append((str(check.get("id")), str(check["severity"]), str(check.get("message") or "")))
        inner = check.get("data")
        for each in (inner if isinstance(inner, dict) else {}).values():
            walk(each)

    walk(run.get("readiness"))
    return found
