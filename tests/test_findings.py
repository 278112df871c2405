"""Findings: the table of codes, messages, counting."""

from __future__ import annotations

import re

import pytest

from autoresearch.errors import InputError, raise_if_errors
from autoresearch.findings import CODES, FindingCounter, finding


def test_codes_have_a_hyphenated_name_and_a_severity() -> None:
    assert len(CODES) > 200
    for code, (name, severity) in CODES.items():
        assert re.fullmatch(r"[FRATV]\d{3}", code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name), (code, name)
        assert severity in ("error", "warning", "note")


def test_a_message_names_place_value_rule_and_remedy() -> None:
    item = finding("F016", place="steel.xlsx, row 37", value="2.5", rule="is not a level", remedy="correct the cell")
    assert item.message() == 'F016 level-not-recognised: steel.xlsx, row 37: "2.5" is not a level; correct the cell'


def test_an_unknown_code_cannot_be_raised() -> None:
    with pytest.raises(KeyError):
        finding("F999")


def test_a_counter_keeps_ten_places_and_counts_all() -> None:
    counter = FindingCounter()
    for row in range(25):
        counter.add(finding("F016", place=f"row {row}", value=str(row), rule="is not a level"))
    counter.add(finding("F010", place="sheet"))
    assert [(item["code"], item["count"], len(item["first"])) for item in counter.summary()] == [
        ("F010", 1, 1),
        ("F016", 25, 10),
    ]
    with pytest.raises(InputError, match="25 in all") as caught:
        raise_if_errors(counter, "preprocess")
    assert "F010" not in str(caught.value)


def test_a_message_is_one_line_whatever_the_texts_of_a_file_hold() -> None:
    counter = FindingCounter()
    for number in range(2):
        counter.add(
            finding("F016", place=f"a\nb, row {number}", value="L\u20289", rule="is\r\nnone", remedy="correct\x85it")
        )
    assert counter.findings()[0].message() == 'F016 level-not-recognised: a b, row 0: "L 9" is none; correct it'
    assert len(counter.message("x").splitlines()) == 1
    assert counter.findings()[0].value == "L\u20289"
