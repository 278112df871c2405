from __future__ import annotations

from autoresearch.evaluation.abstention import abstention
from autoresearch.evaluation.results import RowResult
from autoresearch.evaluation.retrieval_baseline import BaselineAnswer


def row(name: str, guess: tuple[str, str] | None, sample: int = 0, described: bool = True) -> RowResult:
    return RowResult(
        source_id=name,
        sample=sample,
        table="T",
        seen_table=True,
        described=described,
        group="A",
        category_id="A1",
        level="L2",
        predicted_category=guess and guess[0],
        predicted_level=guess and guess[1],
        valid=guess is not None,
        reason="ok",
    )


LOOKUP = {"A1": "L2", "B1": "L2", "R1": "L1"}
COUNTS = {"A1": 9, "B1": 9, "R1": 2}


def flagged(rows: list[RowResult]) -> tuple[int, int, int]:
    baselines = {one.source_id: BaselineAnswer(category_id="A1", level="L2", margin=0.5) for one in rows}
    found = abstention(rows, baselines, LOOKUP, COUNTS, ("L1", "L2", "L3"))
    rest = found["exact_on_rest"]
    return found["flagged"]["numerator"], rest["numerator"], rest["denominator"]


def test_an_answer_nothing_speaks_against_is_kept_and_counted() -> None:
    assert flagged([row("a", ("A1", "L2")), row("b", ("B1", "L3"))]) == (0, 1, 2)


def test_no_answer_possible_under_grading_and_rare_categories_are_held_back() -> None:
    assert flagged([row("a", None)]) == (1, 0, 0)
    assert flagged([row("a", ("A1", "L1"))]) == (1, 0, 0)
    assert flagged([row("a", ("R1", "L2"))]) == (1, 0, 0)


def test_samples_are_joined_by_majority_and_held_back_below_the_agreement() -> None:
    right, other = ("A1", "L2"), ("B1", "L3")
    assert flagged([row("a", guess, n) for n, guess in enumerate([right] * 4 + [other])]) == (0, 1, 1)
    assert flagged([row("a", guess, n) for n, guess in enumerate([right] * 3 + [other] * 2)]) == (1, 0, 0)
