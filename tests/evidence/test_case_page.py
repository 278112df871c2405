"""What the page of a formal case says of itself: nothing of a quickstart, and no gain (formal-case.md 15.4)."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.numbers import derive_numbers
from autoresearch.evidence.writer import make_writable
from autoresearch.files import read_json, write_json
from autoresearch.report import case_texts
from autoresearch.report.render import page_html

pytest.importorskip("bokeh")


def english(root: Path) -> str:
    bundle = Bundle(root)
    text = re.sub(r"<(script|style).*?</\1>", "", page_html(bundle, derive_numbers(bundle), language="en"), flags=re.S)
    return " ".join(" ".join(re.findall(r'<span class="en" lang="en">(.*?)</span>', text, flags=re.S)).split())


def changed(case: Path, to: Path, **manifest: object) -> Path:
    shutil.copytree(case, to)
    make_writable(to)
    write_json(to / "manifest.json", {**read_json(to / "manifest.json"), **manifest})
    return to


def test_a_case_claims_nothing_of_a_quickstart(case_sealed: Path) -> None:
    text = english(case_sealed)
    assert "did their target steps and updated parameters" in text
    for false in (
        "W&amp;B was not used",
        "this model is tiny",
        "there was none, only processors",
        "Every seam, from spreadsheet",
        "SFT did",
    ):
        assert false not in text
    assert "These parts of the tool have no real run on this kind of accelerator" in text
    assert "training on Ascend" in text


def test_a_validation_matrix_claims_no_gain(case_sealed: Path) -> None:
    bundle = Bundle(case_sealed)
    assert case_texts.headline_key(bundle, True) == "headline.case_validation"
    assert case_texts.mode_key(bundle, True) == "statement.validation"


def test_no_passed_row_is_said_first(case_sealed: Path, tmp_path: Path) -> None:
    rows = [{**row, "status": "failed"} for row in read_json(case_sealed / "manifest.json")["rows"]]
    assert "nothing here may be called trained" in english(changed(case_sealed, tmp_path / "none", rows=rows))


def test_a_smoke_run_says_nothing_about_training(case_sealed: Path, tmp_path: Path) -> None:
    text = english(changed(case_sealed, tmp_path / "smoke", kind="smoke"))
    assert "nothing is said about training" in text and "Real training" not in text and "Validation matrix" not in text


def test_synthetic_hardware_is_told_at_the_head(case_sealed: Path, tmp_path: Path) -> None:
    assert "synthetic hardware" in english(changed(case_sealed, tmp_path / "fake", synthetic_hardware=True))
    assert "synthetic hardware" not in english(changed(case_sealed, tmp_path / "real", synthetic_hardware=False))
