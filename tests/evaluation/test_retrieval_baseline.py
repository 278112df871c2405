"""The retrieval baseline: ranks joined, levels looked up, no field answers for itself (training 10.4)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autoresearch.evaluation.retrieval_baseline import BaselineAnswer, LabelledField, RetrievalBaseline
from autoresearch.evaluation.standards_folder import find_standards
from autoresearch.task.assets import TaskAssets

SMALL = Path(__file__).resolve().parents[2] / "examples" / "steel" / "small"


@pytest.fixture(scope="module")
def assets() -> TaskAssets:
    return find_standards(SMALL).load()


def field(name: str, description: str = "", table: str = "T_X") -> dict[str, str]:
    return {"field_name": name, "table_name": table, "field_description": description}


def test_without_labelled_fields_it_gives_a_category_and_leaves_the_level_to_people(assets: TaskAssets) -> None:
    [answer] = RetrievalBaseline(assets).answer_many([field("HEAT_NO", "炉次编号")])
    assert answer.category_id == "B2-1"
    assert answer.level is None
    assert answer.margin is not None and 0 < answer.margin <= 1


def test_a_field_that_nothing_matches_has_no_answer(assets: TaskAssets) -> None:
    assert RetrievalBaseline(assets).answer_many([field("ZZZ")]) == [BaselineAnswer()]


def test_a_labelled_name_decides_where_the_catalogue_knows_nothing(assets: TaskAssets) -> None:
    labelled = [LabelledField("ZZZ_NO", "T_A", "", "C1-3", "L4"), LabelledField("QQQ", "T_A", "", "A1-1", "L3")]
    [answer] = RetrievalBaseline(assets, labelled).answer_many([field("zzz_no")])
    assert (answer.category_id, answer.level) == ("C1-3", "L4")
    assert answer.nearest == labelled[0]


def test_rankings_are_joined_by_reciprocal_rank_with_sixty(assets: TaskAssets) -> None:
    labelled = [LabelledField("ZZZ_NO", "", "", "C1-3", "L4")]
    [answer] = RetrievalBaseline(assets, labelled).answer_many([field("ZZZ_NO", "炉次编号", "")])
    # C1-3 leads two rankings (words and spelling of the name), B2-1 one (the catalogue)
    assert (answer.category_id, answer.second) == ("C1-3", "B2-1")
    assert answer.margin == 0.5
    assert answer.candidates == ("C1-3", "B2-1")


def test_level_is_the_most_frequent_of_the_category_and_ties_go_to_the_higher(assets: TaskAssets) -> None:
    fields = [LabelledField(f"CHEM_{n}", "", "成分", "B2-10", level) for n, level in enumerate(["L3", "L3", "L4"])]
    baseline = RetrievalBaseline(assets, fields)
    assert baseline.common_level("B2-10") == "L3"
    assert RetrievalBaseline(assets, fields[1:]).common_level("B2-10") == "L4"
    assert baseline.common_level("A1-1") is None


def test_level_of_neighbours_stands_in_where_the_category_has_none(assets: TaskAssets) -> None:
    labelled = [LabelledField("HEAT_KIND", "", "吹炼炉次", "B5-2", "L2")]
    baseline = RetrievalBaseline(assets, labelled)
    [answer] = baseline.answer_many([field("BLOW_RATE", "炉次吹炼炉次", "")])
    assert answer.category_id in ("B2-1", "B5-2")
    assert answer.level == "L2"


def test_a_field_never_answers_for_itself(assets: TaskAssets) -> None:
    own = LabelledField("ZZZ_NO", "T_A", "", "C1-3", "L4", identity="db\x1ft_a\x1fzzz_no")
    baseline = RetrievalBaseline(assets, [own])
    query = field("ZZZ_NO", "", "T_A")
    assert baseline.answer_many([query], [own.identity]) == [BaselineAnswer()]
    assert baseline.answer_many([query], ["other"])[0].category_id == "C1-3"


def test_answers_do_not_depend_on_their_company(assets: TaskAssets) -> None:
    labelled = [LabelledField("HEAT_NO", "", "炉次编号", "B2-1", "L2"), LabelledField("EMP_NO", "", "", "A1-1", "L3")]
    queries = [field("HEAT_NO", "炉次"), field("EMP_NO", "工号"), field("ORDER_QTY", "订单数量")] * 300
    baseline = RetrievalBaseline(assets, labelled)
    assert baseline.answer_many(queries) == [baseline.answer_many([query])[0] for query in queries[:3]] * 300


def test_unknown_category_of_a_labelled_field_is_refused(assets: TaskAssets) -> None:
    with pytest.raises(KeyError):
        RetrievalBaseline(assets, [LabelledField("A", "", "", "no-such-id")])


def test_it_needs_no_torch() -> None:
    program = (
        "import sys; sys.modules['torch'] = None; sys.modules['verl'] = None\n"
        "from pathlib import Path\n"
        "from autoresearch.evaluation.predict import predict\n"
        "from autoresearch.evaluation.prediction_request import Request\n"
        f"small = Path({str(SMALL)!r})\n"
        "from tempfile import TemporaryDirectory\n"
        "with TemporaryDirectory() as name:\n"
        "    done = predict(Request(small / 'raw/unlabelled.xlsx', small, Path(name) / 'out.xlsx'))\n"
        "assert done['fields'] == 60\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
