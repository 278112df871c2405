"""What a failure is called (formal-case.md 13.1): rules in table order over facts and text, with the line that says so.

Pure: from the facts of ``result.json`` and ``orchestrator.json`` and the bytes of the logs. Patterns are data
(``failures.yaml``). Whoever calls has found before that the attempt did not pass, so a line that the program recovered
from never fails a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import yaml

from autoresearch.cases.needles import needles

WINDOW_BYTES = 4 << 20
AROUND = 3
LONGEST_LINE = 4000
TRACEBACK = b"Traceback (most recent call last)"
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PREFIX = re.compile(r"^(?:\([^()]*\bpid=\d+[^()]*\) ?)*")
_CONFIG = re.compile(r"^[\s{\[(]*'[\w./@+-]+': |^ray init kwargs: |^\s*[\w.]+=\S+ \\?$")
_COMMAND = re.compile(r"^\+ |(?:^|\s)-m verl\.trainer\.|^(?:python3?|exec|env) ")
_SAMPLE = re.compile(r"^\[(prompt|response|ground_truth|score)\]")


@dataclass(frozen=True)
class Rule:
    """One text pattern of a class."""

    pattern: re.Pattern[str]
    requires: tuple[re.Pattern[str], ...] = ()
    within: int = 0
    """Lines around the match in which companions are looked for; -1: everywhere in what is searched."""
    final_traceback: bool = False
    needles: tuple[str, ...] = ()
    """Lower-cased words of which every match holds one; empty: not known."""

    def may_match(self, text: str, lowered: str) -> bool:
        """Whether the pattern matches anywhere in a long text."""
        known = not self.needles or any(word in lowered for word in self.needles)
        return known and self.pattern.search(text) is not None


@dataclass(frozen=True)
class FailureClass:
    """One class: its group, its text rules, cause and fix in two languages."""

    id: str
    group: str
    rules: tuple[Rule, ...]
    cause: Mapping[str, str]
    fix: Mapping[str, str]


class Evidence(NamedTuple):
    """The line that a class was found in. ``line`` counts from 1, ``offset`` is in bytes; None where a fact of a file
    has no line of its own."""

    file: str
    line: int | None
    offset: int | None
    text: str
    around: tuple[str, ...] = ()
    """Up to three lines before and after, the line itself among them."""

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**self._asdict(), "around": list(self.around)}


@dataclass(frozen=True)
class Source:
    """A log that is searched: its name and bytes."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Line:
    """One line of the searched part."""

    source: str
    number: int
    offset: int
    text: str


@dataclass(frozen=True)
class _Searched:
    lines: Sequence[Line]
    hidden: frozenset[int]
    """Places in ``lines`` that are command echo, configuration or echoed samples."""
    text: str
    """All lines in one, hidden ones too: what does not match here matches in no line."""
    lowered: str
    final: Mapping[str, int] = field(default_factory=dict)
    """Source -> place of the last traceback."""


@cache
def classes() -> tuple[FailureClass, ...]:
    """All classes in table order."""
    text = (files("autoresearch.cases") / "failures.yaml").read_text(encoding="utf-8")
    return tuple(
        FailureClass(
            each["id"], each["group"], tuple(_rule(rule) for rule in each.get("rules", ())), each["cause"], each["fix"]
        )
        for each in yaml.safe_load(text)
    )


def _rule(content: Mapping[str, Any]) -> Rule:
    flags = 0 if content.get("case") else re.IGNORECASE
    return Rule(
        re.compile(content["pattern"], flags),
        tuple(re.compile(each, re.IGNORECASE) for each in content.get("requires", ())),
        int(content.get("within", 0)),
        content.get("where") == "final_traceback",
        needles(content["pattern"]),
    )


@cache
def _by_id() -> dict[str, FailureClass]:
    return {each.id: each for each in classes()}


def failure_class(name: str) -> FailureClass | None:
    """A class by its id."""
    return _by_id().get(name)


def group_of(name: str) -> str | None:
    """The group of a class; None for a name that is no class."""
    found = _by_id().get(name)
    return found.group if found else None


def _ends(content: bytes, position: int) -> int:
    newline = content.find(b"\n", position)
    return len(content) if newline < 0 else newline


def _windows(content: bytes) -> list[tuple[int, int]]:
    """Spans that are searched: from the first traceback, and the end; whole lines, at most ``WINDOW_BYTES`` each."""
    end = len(content)
    last = max(0, end - WINDOW_BYTES)
    if last:
        last = content.rfind(b"\n", 0, last) + 1
    first = content.find(TRACEBACK)
    if first < 0 or first >= last:
        return [(last, end)]
    first = content.rfind(b"\n", 0, first) + 1
    stop = min(first + WINDOW_BYTES, last)
    return [(first, stop), (last, end)]


def _lines(source: Source) -> Iterator[Line]:
    content, number, counted = source.content, 1, 0
    for start, stop in _windows(content):
        number += content.count(b"\n", counted, start)
        counted = start
        position = start
        while position < stop:
            end = _ends(content, position)
            raw = content[position : min(end, position + LONGEST_LINE)]
            for piece in raw.split(b"\r"):
                text = _ANSI.sub("", piece.decode("utf-8", errors="replace"))
                yield Line(source.name, number, position, text)
            number += 1
            position = end + 1
        counted = min(position, len(content))


def _hide(lines: Sequence[Line]) -> frozenset[int]:
    """Places of lines that only repeat what was asked, or what a model wrote."""
    hidden: set[int] = set()
    in_sample: dict[str, bool] = {}
    for place, line in enumerate(lines):
        prefix = _PREFIX.match(line.text)
        who = prefix.group(0) if prefix else ""
        text = line.text[len(who) :]
        if "Traceback (most recent" in text:
            in_sample[who] = False
        sample = _SAMPLE.match(text)
        if sample:
            in_sample[who] = sample.group(1) != "score"
        if sample or in_sample.get(who) or _CONFIG.match(text) or _COMMAND.search(text[:400]):
            hidden.add(place)
    return frozenset(hidden)


def _searched(sources: Sequence[Source]) -> _Searched:
    lines = [line for source in sources for line in _lines(source)]
    final: dict[str, int] = {}
    for place, line in enumerate(lines):
        if "Traceback (most recent" in line.text:
            final[line.source] = place
    text = "\n".join(line.text for line in lines)
    return _Searched(lines, _hide(lines), text, text.lower(), final)


def _companions(rule: Rule, searched: _Searched, place: int) -> bool:
    if not rule.requires:
        return True
    if rule.within < 0:
        span = range(len(searched.lines))
    else:
        span = range(max(0, place - rule.within), min(len(searched.lines), place + rule.within + 1))
    texts = [searched.lines[each].text for each in span if each not in searched.hidden]
    return all(any(wanted.search(text) for text in texts) for wanted in rule.requires)


def _first(found: FailureClass, searched: _Searched) -> int | None:
    """Place of the earliest line that a rule of the class matches."""
    rules = [rule for rule in found.rules if rule.may_match(searched.text, searched.lowered)]
    if not rules:
        return None
    for place, line in enumerate(searched.lines):
        if place in searched.hidden:
            continue
        for rule in rules:
            if not rule.pattern.search(line.text):
                continue
            if rule.final_traceback and place < searched.final.get(line.source, len(searched.lines)):
                continue
            if _companions(rule, searched, place):
                return place
    return None


def classify_text(sources: Sequence[Source], only: str | None = None) -> tuple[str, Evidence] | None:
    """The first class in table order that a line of the logs matches, and that line; ``only``: ask for one class."""
    searched = _searched(sources)
    for each in classes():
        if only is not None and each.id != only:
            continue
        place = _first(each, searched) if each.rules else None
        if place is not None:
            return each.id, _evidence(searched.lines, place)
    return None


def _evidence(lines: Sequence[Line], place: int) -> Evidence:
    line = lines[place]
    around = [each.text for each in lines[max(0, place - AROUND) : place + AROUND + 1] if each.source == line.source]
    return Evidence(line.source, line.number, line.offset, line.text.strip(), tuple(around))


def last_line(source: Source) -> Evidence:
    """The last line of a log that is not empty: what there is to show when nothing explains an exit code."""
    lines = [line for line in _lines(source) if line.text.strip()]
    return _evidence(lines, len(lines) - 1) if lines else Evidence(source.name, None, None, "the log is empty")


def fact_evidence(source: Source, key: str, text: str) -> Evidence:
    """Where a key stands in a JSON file of facts; ``text`` is what is shown."""
    at = source.content.find(f'"{key}"'.encode())
    if at < 0:
        return Evidence(source.name, None, None, text)
    return Evidence(source.name, source.content.count(b"\n", 0, at) + 1, at, text)
