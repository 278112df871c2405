"""The review threshold that is read off a report (training 10.3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoresearch.errors import InputError
from autoresearch.evaluation.calibration import ALL_REVIEWED, calibrate
from autoresearch.evaluation.predict import predict
from autoresearch.evaluation.prediction_request import Request
from autoresearch.evaluation.results import RowResult

SMALL = Path(__file__).resolve().parents[2] / "examples" / "steel" / "small"


def rows(source_id: str, answers: str) -> list[RowResult]:
    """One row with the truth ``A``; each letter is the category that a sample gave, ``-`` for none."""
    return [
        RowResult(
            source_id=source_id,
            sample=number,
            table="T",
            seen_table=False,
            described=True,
            group="g",
            category_id="A",
            level="L2",
            predicted_category=None if answer == "-" else answer,
            predicted_level=None if answer == "-" else "L2",
            valid=answer != "-",
            reason="",
            steps=None if answer == "-" else 0,
        )
        for number, answer in enumerate(answers)
    ]


REPORT = [
    *rows("sure and right", "AAAA"),
    *rows("sure and right too", "AAAA"),
    *rows("mostly right", "AAAB"),
    *rows("mostly wrong", "BBB-"),
    *rows("half", "ABBA"),
]


@pytest.mark.parametrize(("asked", "threshold"), [(0.8, 0.5), (0.7, 0.5), (0.9, 1.0), (0.81, 1.0)])
def test_smallest_threshold_that_keeps_the_share_is_chosen(asked: float, threshold: float) -> None:
    found = calibrate(REPORT, asked)
    assert (found.threshold, found.rows) == (threshold, 5)
    assert found.right >= asked * found.kept


def test_where_none_keeps_it_every_row_is_reviewed() -> None:
    assert calibrate(rows("x", "BBBB"), 0.5).threshold == ALL_REVIEWED


def test_one_sample_a_row_has_no_agreement() -> None:
    with pytest.raises(InputError, match="--samples 2 or more"):
        calibrate(rows("x", "A"), 0.9)


def test_a_share_outside_its_range_is_refused() -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        calibrate(REPORT, 90)


def test_calibration_is_for_a_model_only(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leave out --baseline"):
        predict(Request(SMALL / "raw/unlabelled.xlsx", SMALL, tmp_path / "o.xlsx", calibration=tmp_path / "r.json"))
