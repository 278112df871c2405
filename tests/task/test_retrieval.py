"""Ranked search of data-line 5.4: tokens, scores, order, rank and margin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from steel_task import write_assets

from autoresearch.task.assets import TaskAssets
from autoresearch.task.retrieval import Hit, margin, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HEAT_NO", ("heat", "no")),
        ("tapTemp2Max", ("tap", "temp", "2", "max")),
        ("HTTPServer", ("http", "server")),
        ("出钢温度", ("出钢", "钢温", "温度")),
        ("炉", ("炉",)),
        ("ＨＥＡＴ炉号", ("heat", "炉号")),
        ("CO2排放-量", ("co", "2", "排放", "量")),
        ("Größe", ("gr", "öß".casefold(), "e")),
        ("", ()),
    ],
)
def test_tokens_are_words_and_bigrams(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


def test_scores_are_the_librarys_bm25_summed_with_weights(assets: TaskAssets) -> None:
    import bm25s

    from autoresearch.task.retrieval import _document

    model = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    model.index([_document(entry) for entry in assets.catalogue.entries], show_progress=False)
    name, table, description = "合同编号", "员工表", "采购合同"
    expected = (
        2 * model.get_scores(list(tokens(description)))
        + 2 * model.get_scores(list(tokens(name)))
        + model.get_scores(list(tokens(table)))
    )
    hits = assets.index.search(name, table, description, top_k=len(assets.registry))
    for hit in hits:
        assert hit.score == pytest.approx(expected[assets.registry.index(hit.category_id)], abs=2e-4)
    assert len(hits) == int((expected > 5e-5).sum())


def test_exact_leaf_name_gets_a_hundred(assets: TaskAssets) -> None:
    hits = assets.index.search("x", "", " 合　同 ".replace("　", ""))
    assert {hit.category_id for hit in hits[:2]} == {"demo:A2-1", "demo:A3-1"}
    assert all(hit.score > 100 for hit in hits[:2])
    assert all(hit.score < 100 for hit in hits[2:])


def test_nothing_found_is_an_empty_list(assets: TaskAssets) -> None:
    assert assets.index.search("zzz", "", "") == []
    assert assets.index.search("", "", "") == []


def test_equal_scores_stand_in_registry_order(assets: TaskAssets) -> None:
    hits = assets.index.search("员工", "", "")
    found = [assets.registry.index(hit.category_id) for hit in hits if hit.score == hits[0].score]
    assert found == sorted(found)


TEXTS = st.text(alphabet="炉号合同员工温度ABCxyz_12 ", max_size=12)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=8))
def test_many_at_once_equals_one_by_one(assets: TaskAssets, queries: list[tuple[str, str, str]]) -> None:
    assert assets.index.search_many(queries) == [assets.index.search(*query) for query in queries]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(TEXTS, TEXTS, st.integers(0, 7))
def test_rank_is_the_place_in_the_whole_ranking(assets: TaskAssets, name: str, description: str, gold: int) -> None:
    category_id = assets.registry.leaves[gold].category_id
    every = [hit.category_id for hit in assets.index.search(name, "", description, top_k=len(assets.registry))]
    ranked = assets.index.rank_many([(name, "", description)], [category_id])[0]
    assert ranked.rank == (every.index(category_id) + 1 if category_id in every else None)
    assert [hit.category_id for hit in ranked.hits] == every[:5]


def test_margin_is_relative_to_the_best() -> None:
    assert margin([]) is None
    assert margin([Hit("a", "1", 3.0)]) == 1.0
    assert margin([Hit("a", "1", 3.0), Hit("b", "2", 2.0)]) == 0.3333


def test_another_process_with_another_hash_seed_finds_the_same(tmp_path: Path) -> None:
    write_assets(tmp_path)
    code = (
        "import sys; from pathlib import Path; from autoresearch.task.assets import TaskAssets;"
        "print(TaskAssets.load(Path(sys.argv[1])).index.search('合同编号', 'T', '员工 采购', top_k=8))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin", "PYTHONIOENCODING": "utf-8"},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(found) == 1


@pytest.mark.field
def test_public_registry_is_searched_at_thousands_of_records_a_second() -> None:
    """A rate is the bench's business; here only that 2,000 records of 233 leaves come back, each with its own hits."""
    folder = Path(__file__).parents[3] / "shared" / "data" / "standards" / "registries"
    if not folder.is_dir():
        pytest.skip("the public files are absent")
    task = TaskAssets.from_paths(folder / "company_a.registry.json", folder / "company_a.corpus.json")
    names = [entry.leaf_name for entry in task.catalogue.entries]
    queries = [(f"F_{number}", "T", names[number % len(names)]) for number in range(2_000)]
    ranked = task.index.rank_many(queries, [task.registry.leaves[n % len(names)].category_id for n in range(2_000)])
    assert sum(item.rank == 1 for item in ranked) > 1_900
