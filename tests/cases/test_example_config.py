"""The shipped configs: they are read as they are, and hold placeholders only (formal-case.md 3)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autoresearch.cases.config import VerlCase, load_case

ROOT = Path(__file__).parents[2]
SHIPPED = [ROOT / "config" / "config.example.yaml", ROOT / "examples" / "case-cpu" / "config.yaml"]
ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
NAME = re.compile(r"\b[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|cn|io|local|lan|internal|example)\b")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.parent.name))
def test_a_shipped_config_is_read_and_names_nobody(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    load_case(path)
    assert set(ADDRESS.findall(text)) <= {"127.0.0.1"}
    assert all(name.endswith(".example") for name in NAME.findall(text))


def test_the_example_states_the_defaults() -> None:
    case = load_case(SHIPPED[0]).verl_case
    assert case == VerlCase()
