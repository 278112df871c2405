"""Words that stand in for patterns in long texts: no match is ever passed over for one (formal-case.md 13.1)."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log_excerpts import EXCERPTS, MORE

from autoresearch.cases.classify import Rule, Source, classes, classify_text
from autoresearch.cases.needles import needles

RULES: list[Rule] = [rule for each in classes() for rule in each.rules]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bOOM\b", ("oom",)),
        (r"\bConflict\. The container name\b", ("conflict. the container name",)),
        (r"\bdevice_count ?= ?0\b", ("device_count",)),
        (r"\bNPU\b[^\n]{0,60}\blost\b", ("lost",)),
        (r"\bexceeds dimension size\b|\bstart out of range\b", ("exceeds dimension size", "start out of range")),
        (r"\b(?:HCCL|NCCL)\b[^\n]*\b(?:timeout|timed out)\b", ()),
        (r"colou?rs*", ("colo",)),
        (r"\d+ [abc]", ()),
        (r"a|bb", ()),
    ],
)
def test_the_longest_part_that_is_always_there_is_taken(pattern: str, words: tuple[str, ...]) -> None:
    assert needles(pattern) == words


def test_nearly_every_rule_has_such_a_word() -> None:
    assert sum(not rule.needles for rule in RULES) <= 4


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_every_match_of_a_rule_holds_one_of_its_words(data: st.DataObject) -> None:
    rule = data.draw(st.sampled_from([rule for rule in RULES if rule.needles]))
    text = data.draw(st.from_regex(rule.pattern, alphabet=st.characters(codec="ascii")))
    match = re.search(rule.pattern, text)
    assert match and any(word in match.group(0).lower() for word in rule.needles)


def test_a_large_log_is_classified_in_a_second_or_two_and_as_a_small_one_is() -> None:
    line = "(WorkerDict pid={0}) INFO 12:00:{1:02d} [loggers.py:12] Engine 000: Avg prompt throughput: {0} tokens/s\n"
    noise = "".join(line.format(number, number % 60) for number in range(1000, 50_000))
    for name, text in [*EXCERPTS.items(), *MORE][::6]:
        answer = classify_text([Source("trainer.log", (noise[-20_000:] + text + "\n" + noise[:20_000]).encode())])
        assert answer is not None and answer[0] == name
    began = time.process_time()
    assert classify_text([Source("trainer.log", noise.encode())]) is None
    assert time.process_time() - began < 4
