"""Predictions and labels of all rows as numbers: some fifty bytes a row, texts once (training 10).

What a model said is not among them: it stands in ``predictions.jsonl`` and is read when a row is put into words.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from autoresearch.evaluation.prediction import Prediction
from autoresearch.evaluation.retrieval_baseline import BaselineAnswer, LabelledField
from autoresearch.evaluation.review import REVIEW_CODES, urgency

Thing = TypeVar("Thing", bound=Hashable)
NONE = -1
PREDICTION = np.dtype(
    [
        ("category", np.int32),
        ("level", np.int32),
        ("certainty", np.float64),
        ("second", np.int32),
        ("second_level", np.int32),
        ("second_share", np.float64),
        ("common_level", np.int32),
        ("base", np.int32),
        ("base_level", np.int32),
        ("nearest", np.int32),
        ("reasons", np.int16),
        ("first", np.int8),
        ("then", np.float64),
    ]
)
"""One row. ``reasons`` has a bit for each of ``REVIEW_CODES``; ``first`` and ``then`` are its urgency, least first."""


class Codes(Generic[Thing]):
    """Numbers for things, from 0 in the order of their coming; None is ``NONE``."""

    def __init__(self) -> None:
        self._codes: dict[Thing, int] = {}
        self._things: list[Thing] = []

    def code(self, thing: Thing | None) -> int:
        """The number of a thing, a new one for a new thing."""
        if thing is None:
            return NONE
        code = self._codes.setdefault(thing, len(self._things))
        if code == len(self._things):
            self._things.append(thing)
        return code

    def thing(self, code: int) -> Thing | None:
        """What has this number."""
        return None if code == NONE else self._things[code]


class Texts:
    """The categories and levels of a run, shared by its predictions and labels."""

    def __init__(self) -> None:
        self.categories, self.levels = Codes[str](), Codes[str]()

    def pair(self, pair: tuple[str, str | None] | None) -> tuple[int, int]:
        """Numbers of a category and its level."""
        return (NONE, NONE) if pair is None else (self.categories.code(pair[0]), self.levels.code(pair[1]))

    def named(self, category: int, level: int) -> tuple[str, str | None] | None:
        """The category and level of two numbers."""
        category_id = self.categories.thing(category)
        return None if category_id is None else (category_id, self.levels.thing(level))


class Labels:
    """The own categories and levels of the rows that have one, by place."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._places, self._categories, self._levels = array("q"), array("i"), array("i")

    def put(self, place: int, label: tuple[str, str]) -> None:
        """Keep the label of one row; the level is ``""`` where there is none."""
        category, level = self._texts.pair(label)
        self._places.append(place)
        self._categories.append(category)
        self._levels.append(level)

    def compared(self, predictions: Predictions) -> dict[str, int]:
        """How many labelled rows have a prediction, how many of them a level, and how many of these are right."""
        places = np.frombuffer(self._places, dtype=np.int64)
        given = np.isin(places, predictions.places)
        found = predictions.rows[places[given]]
        levels = np.frombuffer(self._levels, dtype=np.intc)[given]
        category = np.frombuffer(self._categories, dtype=np.intc)[given] == found["category"]
        graded = levels != self._texts.levels.code("")
        return {
            "rows": len(found),
            "category_right": int(category.sum()),
            "rows_with_level": int(graded.sum()),
            "pair_right": int((category & graded & (levels == found["level"])).sum()),
        }


class Predictions:
    """Predictions by place. ``places`` are those of the rows that get one, ascending; ``rows`` has an entry for every
    row of the input.
    """

    def __init__(self, texts: Texts, rows: int, places: NDArray[np.int64]) -> None:
        self.places = places
        self.rows: NDArray[Any] = np.zeros(rows, dtype=PREDICTION)
        self._texts = texts
        self._fields = Codes[LabelledField]()
        self._given = np.zeros(rows, dtype=np.bool_)
        self._given[places] = True

    def __len__(self) -> int:
        return len(self.places)

    def put(self, place: int, found: Prediction) -> None:
        """Keep the prediction of one row; what the model said is left out."""
        base, texts = found.baseline, self._texts
        second = texts.pair(found.second)
        reasons = sum(1 << REVIEW_CODES.index(code) for code in found.codes)
        self.rows[place] = (
            *texts.pair(found.pair),
            np.nan if found.certainty is None else found.certainty,
            *second,
            np.nan if found.second_share is None else found.second_share,
            texts.levels.code(found.common_level),
            texts.categories.code(base.category_id),
            texts.levels.code(base.level),
            self._fields.code(base.nearest),
            reasons,
            *urgency(found.codes, found.certainty),
        )

    def get(self, place: int) -> Prediction | None:
        """The prediction of one row; None where it has none. Of the baseline it holds what a sheet shows."""
        if not self._given[place]:
            return None
        texts = self._texts
        category, level, sure, second, second_level, share, common, base, base_level, near, reasons, _, _ = self.rows[
            place
        ].item()
        return Prediction(
            texts.named(category, level),
            None if sure != sure else sure,
            texts.named(second, second_level),
            None if share != share else share,
            texts.levels.thing(common),
            tuple(code for bit, code in enumerate(REVIEW_CODES) if reasons >> bit & 1) if reasons else (),
            BaselineAnswer(
                texts.categories.thing(base), texts.levels.thing(base_level), nearest=self._fields.thing(near)
            ),
        )

    def answered(self) -> int:
        """How many rows have an answer."""
        return int((self.rows["category"][self.places] != NONE).sum())

    def levels(self) -> Counter[str | None]:
        """How many rows have each level; None for those without one or without an answer."""
        codes, counts = np.unique(self.rows["level"][self.places], return_counts=True)
        return Counter(dict(zip(map(self._texts.levels.thing, codes.tolist()), counts.tolist(), strict=True)))

    def reasons(self) -> Counter[str]:
        """How many rows have each reason for a review."""
        given = self.rows["reasons"][self.places]
        counts = {code: int((given >> bit & 1).sum()) for bit, code in enumerate(REVIEW_CODES)}
        return Counter({code: count for code, count in counts.items() if count})

    def urgent_first(self) -> NDArray[np.int64]:
        """Places of the rows to review, most urgent first."""
        flagged = self.places[self.rows["reasons"][self.places] != 0]
        order: NDArray[np.int64] = flagged[np.lexsort((self.rows["then"][flagged], self.rows["first"][flagged]))]
        return order
