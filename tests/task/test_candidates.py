"""Candidate bundles of data-line 5.5 and acceptance 33."""

from __future__ import annotations

from collections import Counter

import pytest
from steel_task import METADATA

from autoresearch.task.assets import TaskAssets
from autoresearch.task.candidates import Source, candidate_bundles, presented_order, visible_query


@pytest.mark.parametrize(("source_id", "expected"), [("rec-1", "BAGDC"), ("rec-2", "CDAGB"), ("train-00", "DGCBA")])
def test_presented_order_has_the_check_vectors(source_id: str, expected: str) -> None:
    assert "".join(presented_order(source_id, "GABCD")) == expected


def bundle(assets: TaskAssets, policy: str, gold: str, **metadata: str) -> list[str]:
    source = Source("rec-1", gold, {**METADATA, **metadata})
    made = candidate_bundles(assets, policy, [source])[0]  # type: ignore[arg-type]  # policies come as parameters
    base = [""] * 5
    for place, original in enumerate(presented_order("rec-1", list(range(5)))):
        base[original] = made[place]
    return base


def test_hard_negatives_are_the_first_that_search_finds(assets: TaskAssets) -> None:
    found = [hit.category_id for hit in assets.index.search(**dict(list(METADATA.items())[:3]))]
    base = bundle(assets, "hard_negatives", "demo:A1-1")
    assert base[0] == "demo:A1-1"
    assert base[1 : 1 + len(found)] == found[:4]
    assert len(set(base)) == 5


def test_hard_negatives_fall_back_to_the_golds_own_words_and_then_registry_order(assets: TaskAssets) -> None:
    empty = {"field_name": "zz", "table_name": "zz", "field_description": ""}
    base = bundle(assets, "hard_negatives", "demo:A2-1", **empty)
    gold = assets.catalogue.by_category("demo:A2-1")
    near = [hit.category_id for hit in assets.index.search(gold.leaf_name, "", gold.description, top_k=10)]
    near.remove("demo:A2-1")
    assert base[: 1 + len(near)][:5] == ["demo:A2-1", *near][:5]
    assert len(set(base)) == 5


def test_gold_first4_takes_the_first_other_leaves(assets: TaskAssets) -> None:
    ids = [leaf.category_id for leaf in assets.registry.leaves]
    assert bundle(assets, "gold_first4", ids[1]) == [ids[1], ids[0], ids[2], ids[3], ids[4]]


def test_bundles_are_made_together_as_one_by_one(assets: TaskAssets) -> None:
    words = ["合同金额", "员工手机", "铁水成分", "温度", "厚度"]
    sources = [
        Source(f"s{number}", leaf.category_id, {**METADATA, "field_description": words[number % 5]})
        for number, leaf in enumerate(assets.registry.leaves)
    ]
    together = candidate_bundles(assets, "hard_negatives", sources)
    assert together == [candidate_bundles(assets, "hard_negatives", [source])[0] for source in sources]
    negatives = Counter(
        category for source, made in zip(sources, together, strict=True) for category in made if category != source.gold
    )
    assert len(negatives) > 4


def test_search_uses_configured_fields_only() -> None:
    assert visible_query(METADATA, ("table_name",)) == ("", "T_HEAT", "")
    assert visible_query(METADATA, ("field_description", "field_name")) == ("LUHAO", "", "炉号")


def test_unknown_gold_is_a_key_error(assets: TaskAssets) -> None:
    with pytest.raises(KeyError):
        candidate_bundles(assets, "gold_first4", [Source("s", "demo:none", METADATA)])
