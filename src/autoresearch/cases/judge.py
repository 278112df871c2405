"""Did an attempt pass, and if not, what is it called? From its raw files and its planned case alone (formal-case.md
6.2, 5.5, 4.2, 12.3, 13.1).

The same files give the same answer: the run loop, the bundle's check and the rehearsal call this one function. A
training row passes only if verl's own records show the steps 1 to target; exit code 0 is not evidence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from autoresearch.cases.attempt_facts import AttemptFacts, classify_facts, fact_findings, read_facts
from autoresearch.cases.classify import Evidence, Source, classify_text, last_line
from autoresearch.cases.events import Judged, RowFiles
from autoresearch.cases.field_measures import field_measures
from autoresearch.cases.geo3k import accuracy, read_dump, session_of, truncated
from autoresearch.cases.records import LOG, METRICS, content, read_records
from autoresearch.findings import Finding, finding
from autoresearch.training.stage_times import rl_throughput, step_times
from autoresearch.training.steps import RunRecords, count_steps, is_accepted, parse_log, parse_metrics

LAUNCHER = "launcher.log"
SFT_MODULE = "verl.trainer.sft_trainer"
VALIDATION = "trainer.val_only=True"
FIELD_REWARD = "autoresearch.training.episode_reward"
FILTERED = re.compile(rb"filter dataset len: (\d+)")
RESUMED_WORDS = (b"Resuming from", b"Setting global step to ")
RESUMED = re.compile(rb"^[^\n']*?\b(?:Resuming from|Setting global step to [1-9])[^\n]*", re.MULTILINE)


class PlannedCase(Protocol):
    """What judging needs of a lock's row."""

    @property
    def case_id(self) -> str:
        """The case."""
        ...

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The symbols of section 5."""
        ...

    @property
    def argv(self) -> Sequence[str]:
        """The trainer's command."""
        ...


@dataclass(frozen=True)
class _Result:
    """What the records or the dump say, before the question how the process ended."""

    complete: bool
    failure: str
    """Class when the process ended well and this is not complete."""
    evidence: Evidence
    completed: int
    target: int
    no_signal: bool | None
    validation: Mapping[str, Any] | None
    findings: tuple[Finding, ...]


def kind_of(row: PlannedCase) -> Literal["sft", "rl"]:
    """Which keys make a step."""
    return "sft" if SFT_MODULE in row.argv else "rl"


def is_validation(row: PlannedCase) -> bool:
    """True for a row that updates nothing."""
    return VALIDATION in row.argv


def judge(files: RowFiles, row: PlannedCase) -> Judged:
    """Judge one attempt. Never raises on content; unknown is None."""
    log = content(files.logs / LOG)
    facts = read_facts(files)
    found = _validation(files, row, log) if is_validation(row) else _training(files, row, log, facts)
    findings = (*found.findings, *_cut(facts, row), *fact_findings(facts, row.case_id))
    if facts.ended_well and found.complete:
        return _judged("passed", None, None, found, findings)
    name, evidence = _classify(files, facts, found, log)
    return _judged("failed", name, evidence, found, findings)


def _judged(
    status: Literal["passed", "failed"],
    name: str | None,
    evidence: Evidence | None,
    found: _Result,
    findings: tuple[Finding, ...],
) -> Judged:
    return Judged(
        status=status,
        failure_class=name,
        failure_evidence=None if evidence is None else evidence.as_dict(),
        completed_steps=found.completed,
        target_steps=found.target,
        no_learning_signal=found.no_signal,
        validation=found.validation,
        findings=findings,
    )


def _classify(files: RowFiles, facts: AttemptFacts, found: _Result, log: bytes) -> tuple[str, Evidence]:
    """Facts, then text, then the exit code; a process that ended with 0 is judged by its records alone."""
    sources = [Source(LOG, log), Source(LAUNCHER, content(files.logs / LAUNCHER))]
    known = classify_facts(facts) if not facts.ended_well or facts.result is None else None
    if known is not None:
        if known[0] == "killed":
            return classify_text(sources, only="host_memory") or known
        return known
    if facts.ended_well:
        return found.failure, found.evidence
    told = classify_text(sources)
    if told is not None:
        return told
    return "trainer_exit", last_line(sources[0])


def _cut(facts: AttemptFacts, row: PlannedCase) -> list[Finding]:
    if not facts.log_cut:
        return []
    log = (facts.result or {}).get("log") or {}
    value = str(log.get("left_out") or f"{log.get('lost_bytes')} bytes lost")
    rule = "of the log are not there; the steps are in metrics.jsonl"
    return [finding("V512", place=f"{row.case_id}: {LOG}", value=value, rule=rule)]


def _training(files: RowFiles, row: PlannedCase, log: bytes, facts: AttemptFacts) -> _Result:
    kind = kind_of(row)
    read = read_records(files, kind, log)
    target = int(row.numbers.get("S") or 0)
    count = read.steps
    invalid = _invalid(files, read, target, log, facts, row)
    notices = [*read.notices, *_times(read, kind, row)]
    findings = [
        finding(item.code, place=f"{row.case_id}: {item.place}", value=item.value)
        for item in notices
        if item.code != "V511"
    ]
    if count.zero_gradient:
        rule = "steps with gradient norm 0"
        findings.append(finding("V514", place=row.case_id, value=str(count.zero_gradient), rule=rule))
    complete = not invalid and count.completed == target and (target > 0 or not count.accepted)
    failure = "records_invalid" if invalid else "incomplete_training_steps"
    return _Result(
        complete=complete,
        failure=failure,
        evidence=_record_evidence(read, log, content(files.folder / METRICS), invalid),
        completed=count.completed,
        target=target,
        no_signal=count.zero_gradient == len(count.accepted) if count.accepted else None,
        validation=None,
        findings=(*findings, *invalid),
    )


def _times(read: RunRecords, kind: str, row: PlannedCase) -> list[Any]:
    if kind == "sft":
        return []
    accepted = [record for record in read.records if is_accepted(record, "rl")]
    found = [item for record in accepted for item in step_times(record, read.dialect).notices]
    return found + list(rl_throughput(accepted, int(row.numbers.get("D") or 1)).notices) if accepted else found


def _invalid(
    files: RowFiles, read: RunRecords, target: int, log: bytes, facts: AttemptFacts, row: PlannedCase
) -> list[Finding]:
    """What makes records unusable: repeats, steps beyond the target, another first step, a resumed run, two sources
    that count differently (5.5, 12.1, 12.3)."""
    count, place = read.steps, row.case_id
    found = [
        finding("V511", place=f"{place}: {read.source}, step {step}", rule="stands twice with different values")
        for step in count.repeated
    ]
    beyond = [step for step in count.accepted if step > target or step < 1]
    if beyond:
        rule = f"is no step of 1 to {target}"
        found.append(finding("V510", place=place, value=f"step {beyond[0]}", rule=rule, severity="error"))
    if count.accepted and count.accepted[0] > 1:
        rule = "is the first step; the records begin in the middle"
        found.append(finding("V510", place=place, value=f"step {count.accepted[0]}", rule=rule, severity="error"))
    resumed = RESUMED.search(log) if any(word in log for word in RESUMED_WORDS) else None
    if resumed:
        text = resumed.group(0).decode("utf-8", "replace").strip()[:200]
        rule = "shows a resumed checkpoint; resume_mode is disable"
        found.append(finding("V510", place=f"{place}: {LOG}", value=text, rule=rule, severity="error"))
    kind = kind_of(row)
    metrics, console = parse_metrics(content(files.folder / METRICS)).records, parse_log(log).records
    if metrics and console and not facts.log_cut:
        one, two = count_steps(metrics, kind).completed, count_steps(console, kind).completed
        if one != two:
            rule = "steps in metrics.jsonl and in the log"
            found.append(finding("V510", place=place, value=f"{one} and {two}", rule=rule, severity="error"))
    return found


def _record_evidence(read: RunRecords, log: bytes, metrics: bytes, invalid: Sequence[Finding]) -> Evidence:
    """The last accepted record, or the last line of the log where there is none."""
    if invalid:
        return Evidence(METRICS if read.source == "metrics" else LOG, None, None, invalid[0].message())
    if not read.records:
        return last_line(Source(LOG, log))
    last = read.records[-1]
    name, data = (METRICS, metrics) if read.source == "metrics" else (LOG, log)
    lines = data.split(b"\n")
    offset = sum(len(each) + 1 for each in lines[: last.line - 1])
    text = lines[last.line - 1].decode("utf-8", "replace")[:400] if last.line <= len(lines) else ""
    return Evidence(name, last.line, offset, text)


def _validation(files: RowFiles, row: PlannedCase, log: bytes) -> _Result:
    """A dump with one line of its own uid for each validation sample that the length filter left (4.2)."""
    dumps = sorted((files.folder / "validation").glob("*.jsonl"), key=lambda path: (len(path.name), path.name))
    dump = content(dumps[0]) if dumps else b""
    samples = read_dump(dump)
    counts = FILTERED.findall(log)
    expected = int(counts[-1]) if counts else int(row.numbers.get("V") or 0)
    sessions = {session_of(sample.uid) for sample in samples if sample.uid}
    without = sum(not sample.uid for sample in samples)
    twice = len(samples) - without - len({sample.uid for sample in samples if sample.uid})
    complete = bool(dumps) and expected > 0 and len(sessions) == expected and not without and not twice
    if not dumps:
        text = "there is no validation dump"
    else:
        text = f"{len(sessions)} samples of {expected}, {without} lines without uid, {twice} repeated"
    name = f"validation/{dumps[0].name}" if dumps else "validation"
    return _Result(
        complete=complete,
        failure="incomplete_validation",
        evidence=Evidence(name, len(samples) or None, None, text),
        completed=0,
        target=0,
        no_signal=None,
        validation=measures(dump, row) if dumps else None,
        findings=(),
    )


def measures(dump: bytes, row: PlannedCase) -> dict[str, Any]:
    """Named measures of a dump (14): those of geometry3k, or of field classification."""
    if any(FIELD_REWARD in item for item in row.argv):
        return field_measures(dump)
    samples = read_dump(dump)
    return {**accuracy(samples).as_dict(), "truncated": truncated(samples)}
