"""The page of a formal case: what it says of itself, that it is complete, and that it claims no more than the bundle
(formal-case.md 15, 19)."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from case_world import OUT_OF_MEMORY, CaseWorld, RowPlan, case_name, listen

from autoresearch.cases.judge import judge
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.case_seal import seal
from autoresearch.evidence.numbers import derive_numbers
from autoresearch.evidence.rehearse import rehearse
from autoresearch.evidence.report_data import ReportData
from autoresearch.evidence.verify_page import read_page
from autoresearch.evidence.writer import make_writable
from autoresearch.files import read_json, write_json
from autoresearch.report.check import check_page
from autoresearch.report.render import page_html, render_page
from autoresearch.report.view import CHAPTERS

pytest.importorskip("bokeh")

WRONG = ("<think>x</think> \\boxed{3}", "4", 0.1)
NO_BOX = ("the answer is 4", "4", 0.0)
HOSTILE = ' </script><script>alert("x")</script> \u202e\'"'
NODE = "train-2npu-sync-bs4-n4-mini4-micro1-1024-2048"
GAIN = re.compile(
    r"improv|better|\bgain|\bbest\b|higher|increas|rais|learn(t|ed|s)|trained|提升|提高|改善|更好|收益|增益|变好|学会|已训练"
)
DENIED = re.compile(r"\b(no|not|never|nothing|cannot)\b|不|没有|无|未")


@cache
def page(root: Path) -> str:
    """The page's text, rendered once a bundle."""
    return page_html(Bundle(root), derive_numbers(Bundle(root)), language="en")


def texts(root: Path, language: str) -> list[str]:
    """Every sentence of the page in one language."""
    html = re.sub(r"<(script|style).*?</\1>", "", page(root), flags=re.S)
    other = "en" if language == "zh" else "zh"
    html = re.sub(rf'<span class="{other}" lang="{other}">.*?</span>', "", html, flags=re.S)
    lines = (" ".join(re.sub(r"<[^>]+>", " ", line).split()) for line in re.split(r"</(?:p|li|h\d|td|th|dd|dt)>", html))
    return [part.strip() for line in lines for part in re.split(r"[.;。；]\s*(?!\d)", line) if part.strip()]


def lead(root: Path) -> str:
    """The page's first sentence, in both languages, without markup."""
    found = re.search(r'<p class="lead">(.*?)</p>', page(root), flags=re.S)
    assert found is not None
    return re.sub(r"<[^>]+>", "", found[1])


def english(root: Path) -> str:
    return ". ".join(texts(root, "en"))


def changed(case: Path, to: Path, **manifest: object) -> Path:
    shutil.copytree(case, to)
    make_writable(to)
    write_json(to / "manifest.json", {**read_json(to / "manifest.json"), **manifest})
    return to


def sealed(root: Path, world: CaseWorld) -> Path:
    return seal(listen(root / "runs", world.events(judge)), render=render_page, check=check_page).path


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A ladder on stand-ins: two single rows close to each other, one out of memory, one on two devices with a gap, one
    whose gradient was 0."""
    root = tmp_path_factory.mktemp("ladder")
    fake = {"synthetic": True}
    rows = [
        RowPlan(case_name(1), changes=fake),
        RowPlan(case_name(2), speed=17.0, changes=fake, gradient=0.0),
        RowPlan(case_name(8), steps=1, exit_code=1, last_line=OUT_OF_MEMORY + HOSTILE, changes=fake),
        RowPlan(NODE, stage="node", numbers={"D": 2}, speed=10.0, gap=(20, 40), changes=fake),
    ]
    path = sealed(root, CaseWorld(root / "world", rows, skipped={case_name(16): "early_stop_memory"}, devices=2))
    yield path
    make_writable(path)


@pytest.fixture(scope="module")
def numbers(ladder: Path) -> ReportData:
    return derive_numbers(Bundle(ladder))


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A validation matrix of two lengths and two modes in which nothing was right."""
    root = tmp_path_factory.mktemp("matrix")
    rows = [
        RowPlan(
            f"{mode}-1024-{length}",
            lengths=(1024, length),
            asked=mode,
            resolved={"sync": "sync", "async": "colocate_async"}[mode],
            answers=[WRONG, NO_BOX, ("", "4", 0.0)],
        )
        for length in (2048, 4096)
        for mode in ("sync", "async")
    ]
    path = sealed(root, CaseWorld(root / "world", rows, mode="validation", run_id="matrix"))
    yield path
    make_writable(path)


def test_a_case_claims_nothing_of_a_quickstart(case_sealed: Path) -> None:
    text = english(case_sealed)
    assert "Parameters were updated: 1 of 2 started rows did all their target steps" in text
    for false in (
        "W&amp;B was not used",
        "this model is tiny",
        "there was none, only processors",
        "Every seam, from spreadsheet",
        "SFT did",
    ):
        assert false not in text
    assert "the following parts of the tool have no verified run on such hardware" in text
    assert "training on Ascend" in text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_validation_matrix_claims_no_gain_in_either_language(matrix: Path, language: str) -> None:
    said = texts(matrix, language)
    claims = [each for each in said if GAIN.search(each) and not DENIED.search(each)]
    assert claims == []
    first = {"en": "Validation matrix: no parameter was updated", "zh": "验证矩阵：没有更新任何参数"}
    assert first[language] in lead(matrix)


def test_the_first_screen_says_whether_parameters_were_updated(ladder: Path, case_sealed: Path, tmp_path: Path) -> None:
    assert "3 of 4 started rows did all their target steps, and only 2 of these had a gradient" in lead(ladder)
    assert "Parameters were updated: 1 of 2 started rows did all their target steps" in lead(case_sealed)
    still = sealed(tmp_path, CaseWorld(tmp_path / "world", [RowPlan(case_name(1), gradient=0.0)]))
    assert "the gradient was 0 in every step" in lead(still) and "nothing here may be called trained" in lead(still)
    make_writable(still)


def test_the_search_for_claims_finds_one(matrix: Path) -> None:
    assert GAIN.search("Accuracy improved by 3 points") and not DENIED.search("Accuracy improved by 3 points")
    assert GAIN.search("准确率得到提升") and not DENIED.search("准确率得到提升")


def test_an_accuracy_of_zero_has_its_ladder_with_counts_and_n(matrix: Path) -> None:
    data, text = derive_numbers(Bundle(matrix)), english(matrix)
    head = "acc.sync-1024-2048.a1"
    assert [data.value(f"{head}.ladder.{name}") for name in ("empty_output", "no_box", "wrong_answer")] == [1, 1, 1]
    assert (data.value(f"{head}.strict.denominator"), data.value(f"{head}.samples")) == (3, 3)
    assert "A right value without \\boxed{} scores 0" in text
    assert "Fewer than 100 samples: fit to test the pipeline, not to conclude" in text
    assert "4 no \\boxed{" in text


def test_modes_that_ran_on_the_same_engine_are_not_compared(matrix: Path) -> None:
    text = english(matrix)
    assert "R1 and R2: same engine path, no comparison" in text
    assert "sync → sync; async → async".replace("; ", ". ") in text.replace("; ", ". ")
    assert "Equal answers in both modes" in text


def test_no_row_at_its_target_is_said_first(tmp_path: Path) -> None:
    world = CaseWorld(tmp_path / "world", [RowPlan(case_name(1), steps=2, last_line="ended")])
    path = sealed(tmp_path, world)
    make_writable(path)
    text = english(path)
    assert "No training row reached its target steps: nothing here may be called trained" in text
    assert {"none-reached", "mode"} <= read_page((path / "0-report/report.html").read_text()).statements


def test_a_smoke_run_says_nothing_about_training(case_sealed: Path, tmp_path: Path) -> None:
    text = english(changed(case_sealed, tmp_path / "smoke", kind="smoke"))
    assert "nothing is said about training" in text and "Real training" not in text and "Validation matrix" not in text


def test_a_bundle_that_contradicts_itself_concludes_nothing(case_sealed: Path, tmp_path: Path) -> None:
    text = english(changed(case_sealed, tmp_path / "unclear", trainer_val_only=True))
    assert "It is unknown whether parameters were updated" in text and "Parameters were updated:" not in text


def test_synthetic_hardware_is_told_in_every_chapter(ladder: Path, case_sealed: Path, tmp_path: Path) -> None:
    seen = read_page((ladder / "0-report" / "report.html").read_text())
    assert seen.synthetic == set(CHAPTERS)
    assert "synthetic hardware" in english(ladder) and "synthetic hardware" not in english(case_sealed)
    edited = tmp_path / "report.html"
    text = (ladder / "0-report" / "report.html").read_text()
    edited.write_text(text.replace('data-chapter="resources" data-synthetic="yes"', 'data-chapter="resources"'))
    failed = [each["id"] for each in check_page(ladder, edited)["checks"] if not each["ok"]]
    assert "synthetic" in failed


def test_best_rows_stand_apart_with_steps_and_efficiency(numbers: ReportData, ladder: Path) -> None:
    single, node = f"{case_name(2)}.a1", f"{NODE}.a1"
    assert (numbers.facts["best.single"].value, numbers.facts["best.node"].value) == (single, node)
    rate = 6400 / 10.0 / 2
    assert numbers.value(f"row.{node}.tokens_per_second") == pytest.approx(rate)
    assert numbers.value("best.efficiency") == pytest.approx(rate / (6400 / 17.0))
    assert numbers.facts["best.single.resolved"].value is False
    text = english(ladder)
    assert "differences below 5 % between single rows are not resolved" in text
    assert "had a gradient norm of 0 in every step" in text


def test_failures_have_evidence_cause_fix_and_neighbours(ladder: Path) -> None:
    text = english(ladder)
    assert OUT_OF_MEMORY.partition(".")[2].strip()[:30] in text
    assert re.search(r"line 3 ?, offset \d", text)
    assert re.search(r"neighbours that passed\W+R2 \(B = +2", text)
    assert "early_stop_memory" in text


def test_what_a_log_wrote_cannot_become_markup(ladder: Path) -> None:
    text = (ladder / "0-report" / "report.html").read_text()
    assert 'alert("x")' not in text and "alert(&#34;x&#34;)" in text
    assert "\u202e" not in text and "⟨U+202E⟩" in text
    assert text.count("</script>") == text.count("<script")


def test_measures_that_no_row_recorded_are_told(ladder: Path) -> None:
    text = english(ladder)
    assert "Not drawn: there is no data for entropy" in text
    assert "no data for KL to the reference" not in text


def test_curves_keep_devices_apart_and_gaps_open(numbers: ReportData, ladder: Path) -> None:
    lines = [name for name in numbers.series if name.startswith(f"curve.{NODE}.a1.memory_used_mib.")]
    assert [name.rpartition(".")[2] for name in lines] == ["0/0", "1/0"]
    line = numbers.series[lines[0]]
    assert [x for x, y in zip(line.x, line.y, strict=True) if y is None] == [30.0]
    assert numbers.value(f"device.{NODE}.a1.gap.1.length") == 20.0
    assert numbers.value(f"{lines[0]}.n") == 42
    assert "Gaps (drawn as breaks)" in english(ladder)


def test_the_page_of_a_case_is_complete_and_every_number_is_derived_again(case_sealed: Path, tmp_path: Path) -> None:
    out = tmp_path / "page" / "report.html"
    out.parent.mkdir()
    render_page(case_sealed, out)
    found = check_page(case_sealed, out)
    assert [each for each in found["checks"] if not each["ok"]] == []
    again = rehearse(case_sealed, tmp_path / "again")
    assert (again.different, again.missing_sources, again.ok) == ([], [], True)
    make_writable(tmp_path / "again")


def test_an_edited_figure_is_found(ladder: Path, tmp_path: Path) -> None:
    text = (ladder / "0-report" / "report.html").read_text()
    arrays = re.findall(r'"type": "bytes", "data": "([^"]+)"', text)
    edited = tmp_path / "report.html"
    first = next(each for each in arrays if each != arrays[-1])
    edited.write_text(text.replace(first, arrays[-1]))
    failed = [each["id"] for each in check_page(ladder, edited)["checks"] if not each["ok"]]
    assert "figures" in failed


def test_rows_without_a_run_or_samples_are_named(ladder: Path) -> None:
    rows = next(each for each in check_page(ladder)["checks"] if each["id"] == "rows")
    assert not rows["ok"]
    assert {each["rule"] for each in rows["findings"]} == {"each row that passed has its W&B run"}
