"""The page: says what happened, escapes what models and logs wrote, asks for nothing, and holds only the bundle's
numbers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoresearch.errors import RefusedError
from autoresearch.evidence.report_data import from_dict, shown
from autoresearch.evidence.verify_page import read_page
from autoresearch.evidence.writer import make_writable
from autoresearch.files import sha256_text
from autoresearch.report.check import check_page
from autoresearch.report.excerpts import choose_rows
from autoresearch.report.figures import thin
from autoresearch.report.markup import TEXTS, visible
from autoresearch.report.render import render_beside
from autoresearch.report.view import CHAPTERS
from autoresearch.training.transcripts import Episode


@pytest.fixture(scope="session")
def page(page_bundle: Path) -> str:
    """The sealed page's text."""
    return (page_bundle / "0-report" / "report.html").read_text(encoding="utf-8")


SIDES = (("before", "share"), ("after", "share"), ("difference", "difference"))


def plain(html: str, language: str) -> str:
    """The text of an element in one language, tags taken out."""
    other = "en" if language == "zh" else "zh"
    html = re.sub(rf'<span class="{other}" lang="{other}">.*?</span>', "", html, flags=re.DOTALL)
    return re.sub(r"[ \n]+", " ", re.sub(r"<[^>]+>", "", html)).strip()


def test_the_first_screen_says_what_happened_in_one_sentence(page: str, page_bundle: Path) -> None:
    lead = re.search(r'<p class="lead">(.*?)</p>', page, flags=re.DOTALL)
    assert lead is not None
    text = plain(lead[1], "en")
    exact = json.loads((page_bundle / "6-rows" / "evaluation" / "compare.json").read_text())["measures"]["exact"]
    low, high = (shown(each, "difference") for each in exact["paired_cluster_bootstrap95"])
    before, after, difference = (shown(exact[key], unit) for key, unit in SIDES)
    assert "SFT did 12 of 12 steps, RLOO did 6 of 6 steps" in text
    assert f"from {before} to {after} (difference {difference}, 95 % interval {low} to {high}): better." in text
    assert "更好" in plain(lead[1], "zh")


def test_both_languages_say_every_text(page: str) -> None:
    assert page.count('class="zh" lang="zh"') == page.count('class="en" lang="en"') > 200
    assert all(set(text) == {"zh", "en"} and all(text.values()) for text in TEXTS.values())


def test_both_languages_of_a_text_have_the_same_holes() -> None:
    for key, text in TEXTS.items():
        assert set(re.findall(r"\{\w+\}", text["zh"])) == set(re.findall(r"\{\w+\}", text["en"])), key


def test_every_chapter_is_there_in_reading_order(page: str) -> None:
    assert tuple(read_page(page).chapters) == CHAPTERS


def test_what_a_model_wrote_cannot_become_markup(page: str) -> None:
    assert 'alert("x")' not in page
    assert "\u202e" not in page
    assert "⟨U+202E⟩" in page
    assert page.count("</script>") == page.count("<script")


def test_nothing_is_loaded_and_the_policy_forbids_it(page: str) -> None:
    reader = read_page(page)
    assert reader.policy.startswith("default-src 'none'")
    assert not [link for link in reader.links if "//" in link]
    own = page[: page.index('<script type="application/json" id="series-data">')]
    assert not re.search(r"https?://|url\(|@import|fetch\(|XMLHttpRequest", own)


def test_the_unlearnt_tools_are_a_finding_beside_the_reward(page: str) -> None:
    assert "The model unlearnt the tools" in page
    assert 'data-statement="tools"' in page


def test_every_number_is_in_the_data_with_formula_and_existing_sources(page_bundle: Path, page: str) -> None:
    data = from_dict(json.loads((page_bundle / "0-report" / "report-data.json").read_text()))
    assert {number.id for number in read_page(page).numbers} <= set(data.numbers)
    for item in [*data.numbers.values(), *data.series.values(), *data.facts.values()]:
        assert item.sources, item.id
        assert all((page_bundle / source).exists() for source in item.sources), item.id


def test_check_accepts_the_page_and_names_what_is_taken_out(page_bundle: Path, page: str, tmp_path: Path) -> None:
    assert check_page(page_bundle)["ok"]
    assert json.loads((page_bundle / "0-report" / "check.json").read_text()) == check_page(page_bundle)
    edited = tmp_path / "edited.html"
    edited.write_text(
        page.replace('data-chapter="signal"', 'data-chapter="x"').replace('data-statement="mode"', 'data-statement="y"')
    )
    found = check_page(page_bundle, edited)
    assert not found["ok"]
    assert found["missing"] == ["signal", "mode"]
    edited.write_text(page.replace('id="series-data">{', 'id="series-data">{"invented": {},', 1))
    assert {each["id"] for each in check_page(page_bundle, edited)["checks"] if not each["ok"]} == {"numbers"}


def test_rendering_again_gives_the_same_numbers_and_never_writes_into_the_bundle(
    page_bundle: Path, tmp_path: Path
) -> None:
    beside = render_beside(page_bundle, tmp_path / "again" / "report.html", "en")
    assert beside.read_bytes() == (page_bundle / "0-report" / "report-data.json").read_bytes()
    assert 'data-lang="en"' in (tmp_path / "again" / "report.html").read_text()
    assert check_page(page_bundle, tmp_path / "again" / "report.html")["ok"]
    with pytest.raises(RefusedError, match="never written into"):
        render_beside(page_bundle, page_bundle / "0-report" / "new.html")


def test_rendering_twice_gives_the_same_bytes(page_bundle: Path, tmp_path: Path) -> None:
    texts = []
    for _ in range(2):
        render_beside(page_bundle, tmp_path / "report.html")
        texts.append((tmp_path / "report.html").read_bytes())
    assert texts[0] == texts[1]


def test_the_shipped_script_renders_again_and_compares(page_bundle: Path, tmp_path: Path) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(page_bundle, copied)
    program = tmp_path / "autoresearch"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from autoresearch.cli.main import main; main()" "$@"\n')
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "RESTORE_DIR": str(tmp_path / "work")}
    command = ["bash", str(copied / "restore" / "rebuild-all.sh")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    make_writable(copied)
    assert "all files are as they were sealed" in done.stdout
    command.append("report")
    signal = copied / "6-rows" / "cases" / "rl.a1" / "signal.jsonl"
    signal.write_text(signal.read_text().replace('"mixed_share": 0.875', '"mixed_share": 0.5'))
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 1
    assert "numbers differ" in done.stderr


@settings(max_examples=50)
@given(st.lists(st.none() | st.floats(-1e6, 1e6), min_size=1, max_size=3000), st.integers(8, 200))
def test_thinning_keeps_first_last_extremes_and_gap_edges(values: list[float | None], most: int) -> None:
    kept = thin(range(len(values)), values, most)
    assert kept == sorted(set(kept))
    assert {0, len(values) - 1} <= set(kept)
    known = [value for value in values if value is not None]
    drawn = [values[index] for index in kept if values[index] is not None]
    if known:
        assert (min(known), max(known)) == (min(drawn), max(drawn))
    edges = {i for i in range(1, len(values)) if (values[i] is None) != (values[i - 1] is None)}
    assert edges <= set(kept) or len(values) <= most


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "share", "–"),
        (0.4375, "share", "43.8 %"),
        (0.224, "difference", "+22.4 pp"),
        (1234567, "count", "1,234,567"),
        (3 * 2**30, "bytes", "3.00 GiB"),
        (0.00012345, "loss", "0.0001234"),
        (6.2, "seconds", "6.20 s"),
    ],
)
def test_numbers_are_shown_with_their_unit(value: float | None, unit: str, text: str) -> None:
    assert shown(value, unit).replace("\u00a0", " ") == text


def test_hidden_characters_are_made_visible_and_others_stay() -> None:
    assert visible("a\u200bb\u202ec\x00 中文\n\t") == "a⟨U+200B⟩b⟨U+202E⟩c⟨U+0000⟩ 中文\n\t"


def test_transcripts_are_chosen_by_the_stated_rule() -> None:
    def episode(name: str, score: float, calls: int = 0) -> Episode:
        return Episode(source_id=name, sample=0, score=score, tool_calls=calls)

    order = sorted((f"row{index}" for index in range(8)), key=sha256_text)
    before = {name: episode(name, 0.0) for name in order}
    after = dict(before)
    before[order[5]] = episode(order[5], 0.0, calls=1)
    after[order[6]] = episode(order[6], 1.0)
    assert choose_rows(before, after) == [order[5], order[6], order[0]]
    before[order[7]] = episode(order[7], 1.0)
    assert choose_rows(before, after) == [order[5], order[6], order[7]]
    assert choose_rows(before, {}) == []
