"""What a report says is held against its rows, assets and source; rows stand in their order (3.10, 3.11, 3.16, 7.1)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from release_copies import Copy

Change = Callable[[Any], Any]
SPLITS = ("train", "val", "test")


def put(*keys: Any, value: Any) -> Change:
    """Writes a value into the report."""

    def change(report: dict[str, Any]) -> None:
        holder: Any = report
        for key in keys[:-1]:
            holder = holder[key]
        holder[keys[-1]] = value

    return change


CHANGES: list[tuple[str, str, Change, str]] = [
    ("a class count", "search", put("class_report", "splits", "train", "ties", value=9), "R098"),
    (
        "a recall",
        "search",
        put("class_report", "splits", "val", "gold_recall_at_5", value=2),
        "R098",
    ),
    ("a recall of search", "three", put("candidate_report", "gold_recall_of_search_at_5", value=0.1), "R098"),
    ("a share of negatives", "pairs", put("candidate_report", "most_frequent_negative_share", value=0.1), "R098"),
    ("a reused mock thought", "search", put("think", "reused_thoughts", value=1), "R098"),
    ("a discarded thought", "search", put("think", "discarded", value=1), "R008"),
    ("another cap", "search", put("think", "max_tokens", value=64), "R004"),
    ("a counter of no form", "search", put("think", "counter", value="guess"), "R009"),
    ("another grading", "three", put("grading", "enabled", value=False), "R004"),
    ("the file of another split", "three", put("splits", "val", "file", value="test.parquet"), "R008"),
    ("more tables than sources", "three", put("splits", "val", "tables", value=99), "R008"),
    ("an unknown reason", "three", put("ledger", "val", "skipped", value={"bored": 0}), "R008"),
    ("skipped ids of no skip", "three", put("skipped_sources", value={"label_in_metadata": ["a"]}), "R008"),
    ("a block of another family", "three", put("label_source", value="canonical"), "R009"),
    ("another registry file", "three", put("inputs", 1, "sha256", value="0" * 64), "R005"),
    ("an unknown role", "three", put("inputs", 0, "role", value="notes"), "R009"),
    ("a recorded verdict that failed", "three", put("validation", "valid", value=False), "R009"),
    ("a recorded size", "three", put("validation", "registry_size", value=9), "R009"),
    ("other records than the source", "cascade", put("records", "not_resolved", value=5), "R094"),
    ("a manifest elsewhere", "cascade", put("grading_manifest", "path", value="assets/other.json"), "R090"),
]


@pytest.mark.parametrize(("name", "change", "code"), [item[1:] for item in CHANGES], ids=[item[0] for item in CHANGES])
def test_each_number_of_a_report_is_held_against_what_it_speaks_of(
    copy_of: Callable[[str], Copy], name: str, change: Change, code: str
) -> None:
    copy_of("pairs") if name == "cascade" else None
    copy = copy_of(name)
    copy.change_report(change)
    assert copy.errors() == {code}


@pytest.mark.parametrize("name", ["search", "three", "pairs"])
def test_a_source_that_is_skipped_and_exported_is_found(copy_of: Callable[[str], Copy], name: str) -> None:
    copy = copy_of(name)
    row = copy.rows()[0]
    source_id = row["source_id"] if "source_id" in row else row["extra_info"]["source_id"]

    def change(report: dict[str, Any]) -> None:
        report["skipped_sources"] = {"label_in_metadata": [source_id]}
        report["ledger"]["train"]["skipped"] = {"label_in_metadata": 1}
        report["ledger"]["train"]["records"] += 1
        report["records"]["resolved"] += 1

    copy.change_report(change)
    assert copy.errors() == {"R008"}
    assert f"train, row 0, {source_id}" in str(copy.judge()["splits"]["train"])


def test_a_cascade_row_with_another_truth_than_its_source_is_found(copy_of: Callable[[str], Copy]) -> None:
    copy_of("pairs")
    copy = copy_of("cascade")
    row = copy.rows()[0]
    level = "L4" if row["extra_info"]["ground_truth_level"] != "L4" else "L3"
    copy.change_rows(lambda rows: rows[0]["extra_info"].update(ground_truth_level=level))
    assert copy.errors() == {"R094"}
    place = copy.judge()["splits"]["train"]["findings"][0]["places"][0]
    assert row["extra_info"]["source_id"] in place


@pytest.mark.parametrize("name", ["search", "three", "pairs"])
def test_rows_that_do_not_stand_in_the_order_of_their_ids_are_found(copy_of: Callable[[str], Copy], name: str) -> None:
    copy = copy_of(name)
    copy.change_rows(lambda rows: rows.insert(0, rows.pop(2)))
    assert copy.errors() == {"R099"}


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("search", "class_policy", None),
        ("search", "candidate_policy", "hard_negatives"),
        ("search", "max_think_tokens", -1),
        ("pairs", "candidate_policy", None),
        ("three", "max_think_tokens", 128),
    ],
)
def test_a_header_key_that_does_not_fit_its_family_is_found(
    copy_of: Callable[[str], Copy], name: str, key: str, value: Any
) -> None:
    copy = copy_of(name)
    copy.change_header(lambda header: header.update({key: value}), SPLITS)
    copy.change_report(lambda report: report["header"].update({key: value}))
    assert "R004" in copy.errors()


def test_a_mock_thought_cut_without_need_is_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    copy.change_rows(lambda rows: rows[0]["messages"][-1].update(reasoning_content="名称"))
    thought = copy.rows()[0]["messages"][-1]["reasoning_content"]
    assert thought == "名称"
    assert copy.errors() & {"R059", "R062"}


def test_arguments_of_a_call_in_another_order_are_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")

    def change(rows: list[dict[str, Any]]) -> None:
        row = next(row for row in rows if row["trajectory_class"] == "single_tool")
        call = json.loads(row["messages"][2]["tool_calls"])
        function = call[0]["function"]
        function["arguments"] = dict(reversed(function["arguments"].items()))
        row["messages"][2]["tool_calls"] = json.dumps(call, ensure_ascii=False)

    copy.change_rows(change)
    assert copy.errors() == {"R045"}


def test_a_finding_of_a_split_that_cannot_be_opened_names_its_place(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("three")
    (copy.folder / "val.parquet").write_bytes(b"x")
    report = copy.judge()
    assert report["splits"]["val"]["rows"] == 0
    assert [item["code"] for item in report["splits"]["val"]["findings"]] == ["R007"]


def test_a_text_that_is_not_utf8_is_a_finding_and_not_a_crash(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("three")
    path = copy.folder / "val.parquet"
    table = pq.read_table(path)
    broken = pa.array([b"\xff"] * len(table), pa.binary()).view(pa.string())
    place = table.schema.names.index("ground_truth_level")
    pq.write_table(table.set_column(place, "ground_truth_level", broken), path)
    copy.rehash()
    assert "R007" in copy.errors()


def test_assets_that_do_not_cover_each_other_are_a_finding_and_not_a_crash(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("pairs")
    path = copy.folder / "assets" / "corpus.json"
    corpus = json.loads(path.read_text(encoding="utf-8"))
    corpus["categories"].pop()
    path.write_text(json.dumps(corpus, ensure_ascii=False), encoding="utf-8")
    copy.rehash()
    assert copy.errors() == {"R005"}
