"""docs/faults.md: every fault has a line, and every test that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
LINES = re.findall(r"^\| (\d+) \| (.*) \|$", PAGE, re.MULTILINE)
NAMED = [(number, *test) for number, line in LINES for test in re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", line)]


def test_every_fault_has_a_line_that_says_what_happens_and_names_a_test() -> None:
    numbers = [int(number) for number, _ in LINES]
    assert numbers == list(range(1, 25))
    assert [number for number, line in LINES if len(line.split(" | ")) != 3] == []
    assert {number for number, *_ in NAMED} == {number for number, _ in LINES}


@pytest.mark.parametrize(("number", "path", "name"), NAMED)
def test_a_test_that_the_page_names_exists(number: str, path: str, name: str) -> None:
    assert re.search(rf"^def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_a_test_that_names_a_fault_stands_on_the_page() -> None:
    shown = {(path, name) for _, path, name in NAMED}
    written = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_faults?_\d\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert sorted(written - shown) == []
