"""``docs/findings.md``, the table of codes, the sources and the tests say the same (data-line.md 9)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from finding_uses import expected_codes, raised_codes

from autoresearch.findings import CODES

PAGE = (Path(__file__).parents[1] / "docs" / "findings.md").read_text(encoding="utf-8")
BODY, _, RESERVED = PAGE.partition("\n## Reserved\n")
HEADING = re.compile(r"^### ([FRATV]\d{3}) (\S+) \((error|warning|note)\)$", re.MULTILINE)
LISTED = re.compile(r"^- ([FRATV]\d{3}) (\S+)$", re.MULTILINE)


def paragraphs() -> dict[str, str]:
    """Code → the text below its heading."""
    parts = re.split(r"^### ", BODY, flags=re.MULTILINE)[1:]
    return {part[:4]: part.partition("\n")[2].partition("\n## ")[0] for part in parts}


def test_every_code_that_is_raised_has_one_paragraph_and_no_other_has() -> None:
    described = [match.group(1) for match in HEADING.finditer(BODY)]
    assert len(described) == len(set(described)) == BODY.count("\n### ")
    raised = raised_codes()
    assert len(raised) > 200
    assert sorted(raised - set(described)) == [], "raised and not described: write the paragraph"
    assert sorted(set(described) - raised) == [], "described and not raised: move to Reserved, or out"


def test_the_reserved_codes_are_those_that_nothing_raises() -> None:
    listed = {match.group(1): match.group(2) for match in LISTED.finditer(RESERVED)}
    assert listed == {code: CODES[code][0] for code in set(CODES) - raised_codes()}


def test_no_code_is_raised_that_the_table_lacks() -> None:
    assert raised_codes() - set(CODES) == set()


def test_headings_have_the_name_and_severity_of_the_table() -> None:
    for match in HEADING.finditer(BODY):
        code, name, severity = match.groups()
        assert CODES[code] == (name, severity)


@pytest.mark.parametrize("code", sorted(paragraphs()))
def test_a_paragraph_has_a_meaning_an_example_and_a_remedy(code: str) -> None:
    meaning, example, remedy = paragraphs()[code].strip().split("\n\n")
    assert len(meaning) > 30
    assert example.startswith("Example: ") and f"{code} {CODES[code][0]}" in example
    assert remedy.startswith("Remedy: ") and len(remedy) > len("Remedy: Nothing")


def test_every_code_of_fields_releases_and_audits_is_expected_by_a_test() -> None:
    without = {code for code in raised_codes() - expected_codes() if code[0] in "FRA"}
    assert sorted(without) == [], "no test names this code: write one that raises it"
