from __future__ import annotations

from typing import Any

import pytest

from autoresearch.evaluation import metrics
from autoresearch.evaluation.results import RowResult, lookup_levels

LEVELS = ("L1", "L2", "L3")


def row(
    number: int, truth: tuple[str, str], guess: tuple[str, str] | None, *, table: str = "T1", **more: Any
) -> RowResult:
    steps = None if guess is None else LEVELS.index(guess[1]) - LEVELS.index(truth[1])
    fields: dict[str, Any] = {"seen_table": True, "described": True, "group": truth[0][0], **more}
    return RowResult(
        source_id=fields.pop("source_id", f"r{number}"),
        table=table,
        category_id=truth[0],
        level=truth[1],
        predicted_category=guess and guess[0],
        predicted_level=guess and guess[1],
        valid=guess is not None,
        reason="ok" if guess else "not_json",
        steps=steps,
        **fields,
    )


# Twelve rows: 4 exact, 3 right category with wrong level (2 under by 1 and 2 steps, 1 over), 2 wrong category with
# right
# level, 1 wrong in both and under-graded, 2 without a valid answer.
ROWS = [
    row(0, ("A1", "L1"), ("A1", "L1")),
    row(1, ("A1", "L2"), ("A1", "L2")),
    row(2, ("A2", "L2"), ("A2", "L2"), table="T2"),
    row(3, ("B1", "L3"), ("B1", "L3"), table="T2"),
    row(4, ("A1", "L2"), ("A1", "L1")),
    row(5, ("B1", "L3"), ("B1", "L1"), table="T3"),
    row(6, ("B1", "L1"), ("B1", "L2"), table="T3"),
    row(7, ("A2", "L2"), ("A1", "L2"), table="T4"),
    row(8, ("B1", "L3"), ("A1", "L3"), table="T4"),
    row(9, ("A2", "L3"), ("B1", "L2"), table="T4"),
    row(10, ("A1", "L1"), None, table="T5"),
    row(11, ("B1", "L2"), None, table="T5"),
]
PATHS = {"A1": ("经营", "订单", "登记"), "A2": ("经营", "订单", "客户"), "B1": ("生产",)}


def counted(share: dict[str, Any]) -> tuple[int, int]:
    return share["numerator"], share["denominator"]


def test_every_row_stands_in_the_denominators_of_the_headlines() -> None:
    numbers = metrics.main_numbers(ROWS, 1)
    assert counted(numbers["exact"]) == (4, 12)
    assert counted(numbers["category_exact"]) == (7, 12)
    assert counted(numbers["level_exact"]) == (6, 12)
    assert counted(numbers["answer_valid"]) == (10, 12)
    assert numbers["reasons"] == {"not_json": 2, "ok": 10}


def test_under_and_over_grading_are_counted_over_all_rows_and_over_valid_answers() -> None:
    numbers = metrics.grading(ROWS, 1)
    under, over = numbers["under_grading_rate"], numbers["over_grading_rate"]
    assert counted(under["of_all"]) == (3, 12) and counted(under["of_valid"]) == (3, 10)
    assert under["mean_steps"] == pytest.approx(4 / 3)
    assert counted(over["of_all"]) == (1, 12) and over["mean_steps"] == 1.0


def test_headlines_carry_an_interval_by_table_that_holds_the_rate() -> None:
    exact = metrics.headline(ROWS, lambda one: one.exact, 1)
    low, high = exact["cluster_bootstrap95"]
    assert low <= 4 / 12 <= high
    assert exact["wilson95"] != exact["cluster_bootstrap95"]


def test_of_two_equally_frequent_levels_the_lookup_takes_the_more_sensitive() -> None:
    labels = [("A1", "L1"), ("A1", "L2"), ("B1", "L3"), ("B1", "L1"), ("B1", "L1")]
    assert lookup_levels(labels, LEVELS) == {"A1": "L2", "B1": "L1"}


def test_the_lookup_baseline_asks_for_the_level_of_the_predicted_category() -> None:
    lookup = {"A1": "L2", "A2": "L2", "B1": "L3"}
    found = metrics.level_lookup(ROWS, lookup, 1)
    # By the predicted category the level is right in rows 1, 2, 3, 4, 5, 7 and 9.
    assert counted(found["of_predicted_category"]) == (7, 12)
    assert counted(found["of_true_category"]) == (7, 12)
    assert found["difference"]["value"] == pytest.approx((6 - 7) / 12)
    low, high = found["difference"]["paired_cluster_bootstrap95"]
    assert low <= -1 / 12 <= high


def test_parents_are_right_as_far_as_the_paths_agree() -> None:
    found = metrics.parent_accuracy(ROWS, PATHS)
    # Depth 1, all rows: the seven right ones, and row 7 whose guess is in the same branch.
    assert counted(found["1"]) == (8, 12)
    # Depth 2: rows of A1 and A2 only.
    assert counted(found["2"]) == (5, 7)
    assert counted(found["3"]) == (4, 7)


def test_macro_f1_is_the_mean_over_labels_with_support() -> None:
    truths = ["a", "a", "b", "c"]
    guesses = ["a", "b", "b", None]
    # a: 2·1/(2+1), b: 2·1/(1+2), c: 0
    assert metrics.macro_f1(truths, guesses) == pytest.approx((2 / 3 + 2 / 3 + 0) / 3)
    assert metrics.macro_f1(["a"], ["z"]) == 0.0
    assert metrics.macro_f1([], []) is None


def test_mistakes_are_sorted_by_how_often_they_happen() -> None:
    names = {"A1": "登记", "A2": "客户", "B1": "炉次"}
    found = metrics.mistakes([*ROWS, row(12, ("A2", "L1"), ("A1", "L1"))], names)
    assert [(item["true"], item["predicted"], item["rows"]) for item in found] == [
        ("A2", "A1", 2),
        ("A2", "B1", 1),
        ("B1", "A1", 1),
    ]
    assert found[0]["true_name"] == "客户"


def test_confusion_by_depth_says_how_far_a_wrong_answer_agrees() -> None:
    assert metrics.confusion_by_depth(ROWS, PATHS) == {"0": 2, "2": 1}


def test_call_success_is_counted_among_the_episodes_that_called() -> None:
    rows = [
        row(0, ("A1", "L1"), ("A1", "L1"), tool_calls=2, turns=3, tokens=30, found_by_search=True),
        row(1, ("A1", "L1"), ("B1", "L1"), tool_calls=1, tool_errors=1, turns=2, tokens=20),
        row(2, ("A1", "L1"), ("A1", "L1"), turns=1, tokens=10, truncated=True),
    ]
    found = metrics.episode_numbers(rows, 6.0)
    assert counted(found["call_share"]) == (2, 3) and counted(found["call_success"]) == (1, 2)
    assert counted(found["no_call_success"]) == (1, 1) and counted(found["recall_by_search"]) == (1, 3)
    assert (found["tokens_a_field"], found["turns_mean"], found["seconds_a_field"]) == (20.0, 2.0, 2.0)
    assert found["hours_per_10000_fields"] == pytest.approx(20_000 / 3600)


def test_a_part_below_thirty_rows_is_a_count_only() -> None:
    many = [row(n, ("A1", "L1"), ("A1", "L1"), table=f"T{n % 5}") for n in range(30)]
    few = [row(100 + n, ("B1", "L2"), ("B1", "L2"), seen_table=False, described=False) for n in range(29)]
    found = metrics.parts([*many, *few], {"A1": 9, "B1": 4}, lambda some: metrics.main_numbers(some, 1))
    assert found["table"]["unseen"] == {"rows": 29}
    assert found["table"]["seen"]["exact"]["numerator"] == 30
    assert found["description"]["missing"] == {"rows": 29}
    assert found["category_in_train"]["fewer_than_5"] == {"rows": 29}
    assert found["level"]["L1"]["rows"] == 30 and found["group"]["B"] == {"rows": 29}


def test_one_sample_has_no_calibration() -> None:
    assert metrics.calibration(ROWS) is None


def test_calibration_compares_agreement_with_being_right() -> None:
    def samples(name: str, guesses: list[tuple[str, str] | None]) -> list[RowResult]:
        return [row(0, ("A1", "L1"), guess, source_id=name, sample=n) for n, guess in enumerate(guesses)]

    right, wrong = ("A1", "L1"), ("B1", "L2")
    rows = samples("sure", [right] * 4) + samples("unsure", [wrong, wrong, right, None]) + samples("no", [None] * 4)
    found = metrics.calibration(rows)
    assert found is not None and found["rows"] == 3
    assert found["bins"][9] == {"from": 0.9, "to": 1.0, "rows": 1, "agreement": 1.0, "right": 1.0}
    assert found["bins"][5]["right"] == 0.0
    assert found["bins"][0] == {"from": 0.0, "to": 0.1, "rows": 1, "agreement": 0.0, "right": 0.0}
    assert found["expected_calibration_error"] == pytest.approx(0.5 / 3)


def test_a_tie_of_samples_goes_to_the_greedy_one_as_in_prediction() -> None:
    guesses = [("A1", "L1"), ("B1", "L2")]
    rows = [row(0, ("A1", "L1"), guess, source_id="r", sample=n) for n, guess in enumerate(guesses)]
    found = metrics.calibration(rows[::-1])
    assert found is not None and found["bins"][5]["right"] == 1.0


def test_numbers_of_no_rows_are_counts_of_zero() -> None:
    assert counted(metrics.main_numbers([], 1)["exact"]) == (0, 0)
    assert metrics.episode_numbers([], None)["tokens_a_field"] is None
