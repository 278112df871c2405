"""The dumps of a geometry3k run, graded again by the reward that is installed here (formal-case.md 14).

In a process of its own, with a limit: what a model wrote can keep a grader busy for ever, and a run that is over must
not wait for it.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from autoresearch.cases.geo3k import TOLERANCE, Sample, read_dump
from autoresearch.cases.geo3k_data import Score, load_scorer
from autoresearch.errors import MissingPackageError
from autoresearch.findings import Finding, finding

LIMIT_SECONDS = 300.0
NAMED = 3
"""Differing lines of a dump that get a finding each."""


@dataclass(frozen=True)
class Difference:
    """A line whose recorded score is not the reward's own."""

    line: int
    recorded: float | None
    again: float


@dataclass(frozen=True)
class Regraded:
    """What grading again gave. ``reason``: why it was not done, or not to the end."""

    lines: int
    different: int
    reason: str | None
    findings: tuple[Finding, ...]

    def as_dict(self) -> dict[str, object]:
        """The JSON form; the findings are kept apart."""
        return {"lines": self.lines, "different": self.different, "reason": self.reason}


def differences(samples: Sequence[Sample], score: Score) -> list[Difference]:
    """Lines of a dump whose recorded score is another than the one that ``score`` gives, counted from 1."""
    again = [score(sample.output, sample.truth) for sample in samples]
    return [
        Difference(line, sample.score, value)
        for line, (sample, value) in enumerate(zip(samples, again, strict=True), 1)
        if sample.score is None or abs(sample.score - value) > TOLERANCE
    ]


def grade_again(dumps: Mapping[str, Path], seconds: float = LIMIT_SECONDS) -> Regraded:
    """Grade every line of the dumps (name -> file); V510 for each of the first that differ in a dump."""
    try:
        load_scorer()
    except MissingPackageError as error:
        return Regraded(0, 0, error.message, ())
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_grade, args=(dict(dumps), there), daemon=True)
    child.start()
    there.close()
    try:
        return _received(here, len(dumps), time.monotonic() + seconds, seconds)
    finally:
        child.kill()
        child.join()


def _grade(dumps: Mapping[str, Path], out: Connection) -> None:
    score = load_scorer()
    for name, path in dumps.items():
        samples = read_dump(path.read_bytes())
        out.send((name, len(samples), differences(samples, score)))


def _received(here: Connection, files: int, deadline: float, seconds: float) -> Regraded:
    lines = different = 0
    findings: list[Finding] = []
    for done in range(files):
        try:
            if not here.poll(max(0.0, deadline - time.monotonic())):
                reason = f"stopped after {seconds:g} s: {done} of {files} dumps were graded"
                return Regraded(lines, different, reason, tuple(findings))
            name, count, found = here.recv()
        except EOFError:
            return Regraded(lines, different, f"the grader ended after {done} of {files} dumps", tuple(findings))
        lines, different = lines + count, different + len(found)
        findings += _findings(name, found)
    return Regraded(lines, different, None, tuple(findings))


def _findings(name: str, found: Sequence[Difference]) -> list[Finding]:
    made = []
    for each in found[:NAMED]:
        place, rule = f"{name}, line {each.line}", f"is the recorded score, graded again it is {each.again:g}"
        made.append(finding("V510", place=place, value=str(each.recorded), rule=rule))
    if len(found) > NAMED:
        made.append(
            finding("V510", place=name, value=str(len(found)), rule="lines differ from what grading again gives")
        )
    return made
