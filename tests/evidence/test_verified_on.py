"""The table of what was run on what."""

from __future__ import annotations

from pathlib import Path

from autoresearch.evidence import verified_on

PAGE = Path(__file__).parents[2] / "docs" / "verified-on.md"


def test_the_page_is_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == verified_on.page()


def test_nothing_counts_as_verified_on_an_accelerator_that_it_never_met() -> None:
    open_on_ascend = {each.id for each in verified_on.unverified("ascend")}
    assert open_on_ascend == {each.id for each in verified_on.load().capabilities}
    assert "several-cards" in {each.id for each in verified_on.unverified("nvidia")}
    assert "sft" not in {each.id for each in verified_on.unverified("nvidia")}
