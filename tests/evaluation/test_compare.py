from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from autoresearch.errors import InputError, RefusedError
from autoresearch.evaluation.compare import compare_files, compare_reports, word_of
from autoresearch.evaluation.eval_report import EvalReport, read_report, write_report
from autoresearch.evaluation.results import RowResult


def result(number: int, right: bool, sample: int = 0, steps: int = 0) -> RowResult:
    return RowResult(
        source_id=f"r{number:03}",
        sample=sample,
        table=f"T{number % 12}",
        seen_table=False,
        described=True,
        group="A",
        category_id="A1",
        level="L2",
        predicted_category="A1" if right else "B1",
        predicted_level="L2",
        valid=True,
        reason="ok",
        steps=steps,
    )


def report(rows: list[RowResult], **changes: Any) -> EvalReport:
    fields: dict[str, Any] = {
        "kind": "episodes",
        "complete": True,
        "model": {"name": "m", "tree_sha256": "0" * 64},
        "release": {"name": "rel", "report_sha256": "1" * 64, "files": {}},
        "split": "test",
        "rows_in_split": len(rows),
        "samples": 1,
        "settings": {},
        "numbers": {},
        "baselines": {},
        "parts": {},
        "mistakes": [],
        "confusion_by_depth": {},
        "errors": [],
        "transcripts": [],
        "versions": {},
        "machine": "m",
        "rows": rows,
    }
    return EvalReport(**{**fields, **changes})


def rows(right: set[int], count: int = 60) -> list[RowResult]:
    return [result(number, number in right) for number in range(count)]


@pytest.mark.parametrize(
    ("interval", "word"),
    [
        ((0.001, 0.1), "better"),
        ((0.0, 0.1), "not distinguishable"),
        ((-0.1, 0.0), "not distinguishable"),
        ((-0.1, -0.001), "worse"),
    ],
)
def test_the_words_change_where_the_interval_leaves_zero(interval: tuple[float, float], word: str) -> None:
    assert word_of(interval) == word


def test_a_clear_gain_is_better_and_the_other_way_round_worse() -> None:
    low, high = report(rows(set(range(10)))), report(rows(set(range(45))))
    gained = compare_reports(low, high)
    assert gained["verdict"] == "better"
    assert gained["measures"]["exact"]["pairs"] == {"both": 10, "only_before": 0, "only_after": 35, "neither": 15}
    assert gained["measures"]["exact"]["mcnemar_p"] == pytest.approx(2 / 2**35)
    assert gained["measures"]["exact"]["difference"] == pytest.approx(35 / 60)
    assert compare_reports(high, low)["verdict"] == "worse"
    assert len(gained["changed"]) == 35 and gained["changed"][0]["source_id"] == "r010"


def test_gains_and_losses_that_cancel_are_not_distinguishable() -> None:
    found = compare_reports(report(rows(set(range(20)))), report(rows(set(range(5, 26)))))
    assert found["verdict"] == "not distinguishable"
    assert found["measures"]["exact"]["mcnemar_p"] > 0.5


def test_gains_in_a_single_table_are_not_distinguishable_though_mcnemar_is_sure() -> None:
    one_table = {number for number in range(120) if number % 12 == 3}
    found = compare_reports(report(rows(set(), 120)), report(rows(one_table, 120)))
    assert found["measures"]["exact"]["mcnemar_p"] < 0.01
    assert found["verdict"] == "not distinguishable"


def test_the_same_table_of_answers_is_counted_and_tested() -> None:
    """The published pairs 21, 9, 2, 12 (tests/gates/test_statistics.py), as rows of two reports."""
    before = report(rows({*range(21), *range(21, 30)}, 44))
    after = report(rows({*range(21), 30, 31}, 44))
    exact = compare_reports(before, after)["measures"]["exact"]
    assert exact["pairs"] == {"both": 21, "only_before": 9, "only_after": 2, "neither": 12}
    assert round(exact["mcnemar_p"], 5) == 0.06543


def test_fewer_under_gradings_count_as_better() -> None:
    before = [result(number, True, steps=-1) for number in range(40)]
    after = [result(number, True) for number in range(40)]
    found = compare_reports(report(before), report(after))
    assert found["measures"]["not_under_graded"]["verdict"] == "better"
    assert found["measures"]["category_exact"]["verdict"] == "not distinguishable"


def test_several_samples_of_a_row_are_averaged_and_have_no_mcnemar() -> None:
    before = [result(number, sample == 0, sample) for number in range(30) for sample in range(2)]
    after = [result(number, True, sample) for number in range(30) for sample in range(2)]
    found = compare_reports(report(before, samples=2), report(after, samples=2))
    exact = found["measures"]["exact"]
    assert (exact["before"], exact["after"], exact["mcnemar_p"]) == (0.5, 1.0, None)
    assert found["changed"][0]["before"]["exact"] == 1 and found["changed"][0]["after"]["exact"] == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"release": {"report_sha256": "2" * 64}}, "release"),
        ({"split": "val"}, "split"),
        ({"samples": 4}, "samples"),
        ({"errors": [{"source_id": "r000"}]}, "incomplete"),
        ({"rows": rows(set(), 59)}, "same rows"),
    ],
)
def test_reports_of_different_things_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        compare_reports(report(rows(set())), report(**{"rows": rows(set()), **changes}))


def test_unlearnt_tools_are_named_when_the_call_share_falls_by_more_than_half() -> None:
    def calls(rate: float) -> dict[str, Any]:
        return {"episodes": {"call_share": {"rate": rate}, "call_success": {"rate": 0.1}}}

    first, second = report(rows(set()), numbers=calls(0.5)), report(rows(set()), numbers=calls(0.2))
    assert compare_reports(first, second)["calls"]["fell_by_more_than_half"] is True
    assert compare_reports(second, second)["calls"]["fell_by_more_than_half"] is False
    assert compare_reports(report(rows(set())), second)["calls"] == {}


def test_reports_are_written_once_and_read_back_equal(tmp_path: Path) -> None:
    made = report(rows({1}))
    write_report(tmp_path / "a.json", made)
    assert read_report(tmp_path / "a.json") == made
    with pytest.raises(RefusedError, match="never overwritten"):
        write_report(tmp_path / "a.json", made)
    write_report(tmp_path / "b.json", report(rows({1, 2})))
    found = compare_files(tmp_path / "a.json", tmp_path / "b.json")
    assert (found.before["name"], found.rows, found.tables) == ("a.json", 60, 12)
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert sum('"source_id"' in line for line in text.splitlines()) == 60


def test_another_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"format": "other"}', encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.json"):
        read_report(tmp_path / "x.json")
