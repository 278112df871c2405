"""Classes of trajectories: vectors, thresholds at their edges, calls of each class (6.1, 6.2)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from release_copies import MINI, mini_inputs

from autoresearch.errors import InputError
from autoresearch.releases.inputs import load_assets
from autoresearch.releases.trajectories import Subject, TrajectoryDeriver, assign, hash_class, tie_class
from autoresearch.task.assets import TaskAssets
from autoresearch.task.candidates import presented_order
from autoresearch.task.retrieval import Hit, Ranked

HITS = (Hit("a", "1", 2.0), Hit("b", "2", 1.0))


@pytest.mark.parametrize(
    ("source_id", "by_hash", "by_tie"),
    [
        ("rec-1", "direct", "direct"),
        ("sg-0", "single_tool", "single_tool"),
        ("train-00", "multi_tool", "direct"),
        ("rec-6", "no_result", "single_tool"),
    ],
)
def test_hash_policy_and_tie_rule_keep_their_check_vectors(source_id: str, by_hash: str, by_tie: str) -> None:
    """Acceptance 6: 6.2."""
    assert (hash_class(source_id), tie_class(source_id)) == (by_hash, by_tie)


@pytest.mark.parametrize(
    ("source_id", "order"),
    [("rec-1", "BAGDC"), ("rec-2", "CDAGB"), ("train-00", "DGCBA")],
)
def test_presented_order_keeps_its_check_vectors(source_id: str, order: str) -> None:
    """Acceptance 6: 5.5."""
    assert "".join(presented_order(source_id, "GABCD")) == order


@pytest.mark.parametrize(
    ("rank", "margin", "expected"),
    [
        (1, 1.0, "direct"),
        (1, 0.2, "direct"),
        (1, 0.1999, "tie"),
        (1, 0.1, "tie"),
        (1, 0.0999, "multi_tool"),
        (5, 0.0, "multi_tool"),
        (2, 0.1, "single_tool"),
        (5, 0.9, "single_tool"),
        (6, 0.05, "no_result"),
        (None, None, "no_result"),
        (None, 0.5, "no_result"),
    ],
)
def test_the_search_policy_has_its_thresholds_at_the_edges(
    rank: int | None, margin: float | None, expected: str
) -> None:
    found = assign("search", "sg-0", Ranked(HITS, rank, margin))
    assert found.tie == (expected == "tie")
    assert found.trajectory_class == ("single_tool" if expected == "tie" else expected)


def test_multi_tool_without_a_hit_becomes_single_tool_under_the_hash_policy() -> None:
    found = assign("hash", "train-00", Ranked((), None, None))
    assert (found.trajectory_class, found.reassigned) == ("single_tool", True)


def test_the_hash_policy_gives_about_a_quarter_each() -> None:
    counts = Counter(hash_class(f"id-{number}") for number in range(4000))
    assert all(900 < count < 1100 for count in counts.values())


@pytest.fixture(scope="module")
def assets() -> TaskAssets:
    return TaskAssets.load(MINI)


SUBJECT = Subject("x", "B1-1", {"field_name": "HEAT_NO", "table_name": "T_HEAT", "field_description": "炉号"})


def test_calls_come_from_metadata_and_results(assets: TaskAssets) -> None:
    deriver = TrajectoryDeriver(assets, "search")
    hits = deriver.rank([SUBJECT])[0].hits
    ids = [hit.choice_id for hit in hits]
    search, details, examples = deriver.calls(SUBJECT, "multi_tool", hits)
    assert search.arguments == {"field_name": "HEAT_NO", "table_name": "T_HEAT", "field_description": "炉号"}
    assert details.arguments == {"choice_ids": ids}
    assert examples.arguments == {"choice_ids": ids[:2], "limit": 2}
    assert [call.name for call in deriver.calls(SUBJECT, "no_result", hits)] == [
        "search_categories",
        "browse_categories",
    ]
    assert deriver.calls(SUBJECT, "direct", hits) == ()


def test_a_blank_description_is_left_out_of_the_search(assets: TaskAssets) -> None:
    subject = SUBJECT._replace(metadata={**SUBJECT.metadata, "field_description": " "})
    (search,) = TrajectoryDeriver(assets, "search").calls(subject, "single_tool", ())
    assert search.arguments == {"field_name": "HEAT_NO", "table_name": "T_HEAT"}


def test_no_result_of_the_hash_policy_searches_in_a_group_that_is_not_the_golds(assets: TaskAssets) -> None:
    deriver = TrajectoryDeriver(assets, "hash")
    browse, search = deriver.calls(SUBJECT, "no_result", ())
    assert browse.arguments == {}
    assert search.arguments["scope"] == "设备管理"
    gold = assets.registry.choice_id("B1-1")
    assert f'"choice_id": "{gold}"' not in deriver.result(search, ())


def test_trajectories_need_field_and_table_name(tmp_path: Path) -> None:
    inputs = mini_inputs(task_config=None, metadata_fields=["field_name", "field_description"])
    with pytest.raises(InputError, match="table_name"):
        TrajectoryDeriver(load_assets(inputs).assets, "search")
