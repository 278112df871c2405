"""The pages of the runbook's sections 4 and 6: every demand names tests, and every named test exists."""

from __future__ import annotations

import ast
import re

import pytest
from printed import ROOT

PAGES = {"4": "blocker-4-trajectory-training.md", "6": "blocker-6-rollout-gate.md"}
TEXTS = {section: (ROOT / "docs" / name).read_text(encoding="utf-8") for section, name in PAGES.items()}
NAME = re.compile(r"`(tests/[\w/]+\.py)::([\w:]+)`")
NAMED = sorted({found for text in TEXTS.values() for found in NAME.findall(text)})
DEMANDS = {"4": 9, "6": 9}
"""What the runbook's section asks for."""


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


@pytest.mark.parametrize("section", PAGES)
def test_every_demand_of_the_section_says_what_is_done_and_names_a_test(section: str) -> None:
    found = rows(TEXTS[section])
    assert len(found) == DEMANDS[section]
    for demand, done, shown in found:
        assert demand and done
        assert NAME.search(shown), demand


@pytest.mark.parametrize(("path", "name"), NAMED, ids=lambda text: text.rsplit("/", 1)[-1])
def test_a_named_test_exists(path: str, name: str) -> None:
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    *classes, function = name.split("::")
    for wanted in classes:
        (found,) = [node for node in body if isinstance(node, ast.ClassDef) and node.name == wanted]
        body = found.body
    assert function.startswith("test_")
    assert [node for node in body if isinstance(node, ast.FunctionDef) and node.name == function]


@pytest.mark.parametrize("section", PAGES)
def test_the_runbook_links_to_the_page(section: str) -> None:
    runbook = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
    assert f"]({PAGES[section]})" in runbook


@pytest.mark.parametrize("section", PAGES)
def test_links_of_the_page_lead_to_pages(section: str) -> None:
    for target in re.findall(r"\]\(([\w./-]+)\)", TEXTS[section]):
        assert (ROOT / "docs" / target).is_file(), target
