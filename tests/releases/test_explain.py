"""``data explain``: what one record became at each step, and why (data-line.md 4.13)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from release_copies import MINI, mini_inputs

from autoresearch.cli.main import run
from autoresearch.files import tree_sha256
from autoresearch.releases import trajectory_export
from autoresearch.releases.collect import collect
from autoresearch.releases.explain import class_reason
from autoresearch.releases.release import Release

CANONICAL = MINI / "canonical.json"
RECORDS: list[dict[str, Any]] = json.loads(CANONICAL.read_text(encoding="utf-8"))


@pytest.fixture
def explained(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(record_id: str, canonical: Path, *words: Any) -> tuple[int, dict[str, Any]]:
        code = run(["data", "explain", record_id, "--canonical", str(canonical), *map(str, words)])
        return code, json.loads(capsys.readouterr().out)

    return call


def changed(folder: Path, index: int, **changes: Any) -> Path:
    """A canonical file in which one record differs."""
    records = [dict(record) for record in RECORDS]
    records[index].update(changes)
    (folder / "all.json").write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    return folder / "all.json"


def test_a_record_is_followed_into_every_release_and_nothing_is_written(made: Path, explained: Any) -> None:
    before = tree_sha256(made)
    names = ("search", "hash", "three", "pairs", "cascade", "mixture")
    for record in RECORDS[::4]:
        code, shown = explained(
            record["id"], CANONICAL, "--processed", CANONICAL, *(w for n in names for w in ("--release", made / n))
        )
        assert code == 0
        assert shown["processed"]["label_status"] == record["label_status"]
        assert (shown["canonical"]["split"], shown["canonical"]["target"]) == (record["split"], record["target"])
        rows = {item["name"]: item["rows"] for item in shown["releases"]}
        assert [len(rows[name]) for name in names] == [1, 1, 2, 2, 1, 2]
        assert {row["split"] for found in rows.values() for row in found} == {record["split"]}
        assert {row["ground_truth"] for found in rows.values() for row in found} == {record["target"]["category_id"]}
        assert all(item["same_canonical"] for item in shown["releases"])
        assert rows["cascade"][0]["source_id"].startswith("mix:steelmini:")
        assert len(shown["story"]) == 3 + len(names)
    assert tree_sha256(made) == before


def test_the_class_comes_with_rank_margin_and_the_rule_that_gave_it(made: Path, explained: Any) -> None:
    for row in Release(made / "search").records("train")[::3]:
        _, shown = explained(row["source_id"], CANONICAL, "--release", made / "search", "--release", made / "hash")
        first, second = shown["releases"]
        told = first["rows"][0]
        assert [told.get(name) for name in ("trajectory_class", "search_rank", "search_margin")] == [
            row["trajectory_class"],
            row["search_rank"],
            row["search_margin"],
        ]
        assert first["class_reason"].endswith(row["trajectory_class"])
        assert second["class_reason"] == f"the hash of the source id draws {second['rows'][0]['trajectory_class']}"


@pytest.mark.parametrize(
    ("name", "rank", "margin", "words"),
    [
        ("direct", 1, 0.2, "first and the margin 0.2 is at least 0.20"),
        ("single_tool", 1, 0.15, "between 0.10 and 0.20, so the hash"),
        ("single_tool", 2, 0.1, "not first and the margin 0.1 is at least 0.10"),
        ("multi_tool", 1, 0.09, "below 0.10"),
        ("no_result", 6, 0.5, "rank 6, beyond 5"),
        ("no_result", None, None, "not found by search"),
    ],
)
def test_each_rule_of_the_search_policy_has_its_words(name: str, rank: Any, margin: Any, words: str) -> None:
    row = {"trajectory_class": name, "search_rank": rank, "search_margin": margin}
    assert words in class_reason("search", "rec-1", row)


def test_a_record_without_a_leaf_says_its_status_and_reason(tmp_path: Path, made: Path, explained: Any) -> None:
    resolution = {"status": "missing_leaf", "category_id": None, "reason": "no leaf of that name"}
    path = changed(tmp_path, 0, resolution=resolution, resolution_status="missing_leaf", target=None, split=None)
    record_id = "0175a274-a1b6-5c96-a551-961ab78a2b95"
    records = json.loads(path.read_text(encoding="utf-8"))
    records[0]["id"] = "not-in-the-release"
    path.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    code, shown = explained("not-in-the-release", tmp_path, "--release", made / "three")
    assert code == 0
    assert shown["canonical"]["resolution"] == resolution
    assert shown["releases"][0]["skipped"] == "not resolved: missing_leaf"
    assert not shown["releases"][0]["same_canonical"]
    assert "canonical: missing_leaf (no leaf of that name)" in shown["story"]
    _, shown = explained(record_id, tmp_path, "--release", made / "three")
    assert shown["story"][0] == "canonical: not there"


def test_a_record_that_an_exporter_skipped_says_the_reason(tmp_path: Path, explained: Any) -> None:
    train = [index for index, record in enumerate(RECORDS) if record["split"] == "train"]
    metadata = {**RECORDS[train[0]]["metadata"], "field_description": RECORDS[train[0]]["target"]["category_id"]}
    records = [dict(record) for record in RECORDS]
    records[train[0]]["metadata"] = metadata
    records[train[1]]["data_level"] = ""
    path = tmp_path / "all.json"
    path.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    inputs = mini_inputs(canonical=path, allow_any_label_gap=True)
    trajectory_export.assemble(inputs, tmp_path / "release", trajectory_export.TrajectoryOptions())
    for index, reason in ((train[0], "label_in_metadata"), (train[1], "no_level")):
        code, shown = explained(RECORDS[index]["id"], path, "--release", tmp_path / "release")
        assert (code, shown["releases"][0]["skipped"]) == (0, reason)
        assert shown["story"][-1] == f"release (trajectory): no row; {reason}"


def test_the_split_says_how_the_records_were_divided(tmp_path: Path, explained: Any) -> None:
    path = changed(tmp_path, 0)
    facts = {"split_type": "group", "group_key": ["metadata.table_name"], "seed": 7, "ratios": {"train": 0.8}}
    (tmp_path / "split_report.json").write_text(json.dumps({**facts, "more": 1}), encoding="utf-8")
    _, shown = explained(RECORDS[0]["id"], path)
    assert shown["canonical"]["split_settings"] == facts
    assert shown["story"][-1] == f"split: {RECORDS[0]['split']}, divided by group, seed 7"


def test_a_record_whose_thought_was_over_the_cap_says_so(tmp_path: Path, explained: Any) -> None:
    collect(mini_inputs(), tmp_path / "thoughts")
    shards = sorted((tmp_path / "thoughts").glob("*.jsonl"))
    dropped = ""
    for shard in shards:
        lines = [json.loads(line) for line in shard.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            line.update(think="短。", tool_think=["短。"] * len(line["tool_calls"]))
        if shard.name == "think-train-000.jsonl":
            dropped = lines[0]["sample_id"]
            lines[0]["think"] = "很" * 40
        shard.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    options = trajectory_export.TrajectoryOptions(
        think_source=f"file:{tmp_path / 'thoughts'}", max_think_tokens=20, think_over_limit="discard"
    )
    trajectory_export.assemble(mini_inputs(), tmp_path / "release", options)
    code, shown = explained(dropped, CANONICAL, "--release", tmp_path / "release")
    assert (code, shown["releases"][0]["skipped"]) == (0, "thought_over_cap")


def test_an_id_that_is_nowhere_and_files_that_cannot_be_read_are_refused(
    tmp_path: Path, made: Path, explained: Any
) -> None:
    code, shown = explained("nobody", CANONICAL, "--release", made / "three")
    assert (code, shown["status"]) == (2, "refused")
    assert "nobody" in shown["message"]
    assert explained(RECORDS[0]["id"], tmp_path / "absent.json")[0] == 2
    assert explained(RECORDS[0]["id"], CANONICAL, "--release", tmp_path)[0] == 2
