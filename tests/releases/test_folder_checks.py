"""Checks of a release as a folder (7.1): family, headers, assets, hashes, ledger, splits, label gap."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from release_copies import MINI, Copy

from autoresearch.errors import InputError
from autoresearch.files import write_json
from autoresearch.releases.header import read_header
from autoresearch.releases.release import Release
from autoresearch.releases.trajectory_dataset import validate_tool_trajectory_dataset
from autoresearch.releases.validate import validate
from autoresearch.standards.corpus import load_corpus_categories
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import TaskConfig


@pytest.mark.parametrize("name", ["search", "hash", "off", "three", "pairs", "cascade", "mixture"])
def test_a_copied_release_of_each_family_verifies(copy_of: Callable[[str], Copy], name: str) -> None:
    copy = copy_of(name)
    report = copy.judge()
    assert report["valid"], report["findings"]
    assert Release(copy.folder).verify() == []


def test_the_report_repeats_the_header_without_its_split(made: Path) -> None:
    release = Release(made / "search")
    assert release.report.header == release.header.without_split()
    assert read_header(made / "search" / "val.parquet").split == "val"


def test_another_family_is_answered_with_the_right_command(copy_of: Callable[[str], Copy]) -> None:
    report = copy_of("search").judge(family="three-message")
    assert [item["code"] for item in report["findings"]] == ["R003"]
    assert "validate_tool_trajectories" in report["cross_split_errors"][0]
    assert report["checks_run"] == ["R003"]


def test_a_changed_byte_is_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    path = copy.folder / "val.parquet"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    assert "R006" in copy.errors()


def test_a_further_file_is_found_but_a_validation_report_at_the_top_is_not(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    write_json(copy.folder / "validation.json", copy.judge())
    write_json(copy.folder / "validation-2.json", {})
    assert copy.errors() == set()
    (copy.folder / "assets" / "validation.json").write_text("{}")
    assert copy.errors() == {"R006"}


def test_an_absent_parquet_file_is_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    (copy.folder / "test.parquet").unlink()
    assert {"R006", "R007"} <= copy.errors()


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("split", "val", "R004"),
        ("task_name", "other", "R004"),
        ("enable_thinking", False, "R014"),
    ],
)
def test_headers_of_the_three_files_must_agree(copy_of: Callable[[str], Copy], key: str, value: Any, code: str) -> None:
    copy = copy_of("search")
    copy.change_header(lambda header: header.update({key: value}), ("test",))
    assert copy.errors() == {code}


def test_a_header_that_the_report_does_not_repeat_is_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    copy.change_report(lambda report: report["header"].update(max_think_tokens=64))
    assert copy.errors() == {"R004"}


@pytest.mark.parametrize("key", ["format", "prompt_version", "trajectory_format"])
def test_an_unknown_version_is_found(copy_of: Callable[[str], Copy], key: str) -> None:
    copy = copy_of("search")
    copy.change_header(lambda header: header.update({key: "native-9"}), ("train", "val", "test"))
    copy.change_report(lambda report: report["header"].update({key: "native-9"}))
    assert "R015" in copy.errors()


def test_an_asset_of_another_registry_is_found_whatever_the_rows_say(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    registry = json.loads((copy.folder / "assets" / "registry.json").read_text(encoding="utf-8"))
    registry["categories"].reverse()
    write_json(copy.folder / "assets" / "registry.json", registry)
    copy.rehash()
    assert copy.errors() == {"R005"}


def test_given_assets_must_be_those_of_the_release(copy_of: Callable[[str], Copy], tmp_path: Path) -> None:
    copy = copy_of("search")
    registry = json.loads((MINI / "registry.json").read_text(encoding="utf-8"))
    same = tmp_path / "same.json"
    same.write_text(json.dumps(registry, sort_keys=True, ensure_ascii=True), encoding="utf-8")
    assert copy.errors(registry=same) == set()
    registry["categories"].reverse()
    write_json(tmp_path / "other.json", registry)
    assert copy.errors(registry=tmp_path / "other.json") == {"R005"}
    assert copy.errors(metadata_fields=["field_name", "table_name"]) == {"R005"}
    assert copy.errors(dataset="other") == {"R005"}


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report["ledger"]["train"].update(records=17),
        lambda report: report["ledger"]["train"].update(rows=15),
        lambda report: report["ledger"]["train"]["skipped"].update(no_level=1),
        lambda report: report["splits"]["val"].update(rows=3),
        lambda report: report["splits"]["val"].update(sha256="0" * 64),
        lambda report: report["records"].update(resolved=25),
        lambda report: report["ledger"].pop("test"),
    ],
)
def test_a_ledger_that_does_not_add_up_is_found(copy_of: Callable[[str], Copy], change: Callable[[Any], Any]) -> None:
    copy = copy_of("search")
    copy.change_report(change)
    assert copy.errors() == {"R008"}


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report["release"].update(status="failed"),
        lambda report: report["release"].update(published=False),
        lambda report: report["splits"]["val"].update(file="../val.parquet"),
        lambda report: report["inputs"][0].update(name="/home/x/canonical.json"),
        lambda report: report.pop("versions"),
        lambda report: report.update(unknown=1),
    ],
)
def test_a_report_of_another_status_or_with_a_path_outside_is_found(
    copy_of: Callable[[str], Copy], change: Callable[[Any], Any]
) -> None:
    copy = copy_of("search")
    copy.change_report(change)
    assert "R009" in copy.errors()


def test_a_source_in_two_splits_is_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    row = copy.rows("train")[0]
    copy.change_rows(lambda rows: rows.__setitem__(0, row), "val")
    assert copy.errors() == {"R012"}


def test_a_recorded_label_gap_that_the_rows_do_not_give_is_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    gap = {"label": "A1-1", "split": "val"}
    copy.change_report(lambda report: report["label_gap_gate"].update(status="waived", waived=[gap]))
    assert copy.errors() == {"R011"}


def test_a_file_without_rows_or_with_other_columns_is_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")
    copy.change_rows(lambda rows: rows.clear(), "val")
    assert {"R007", "R008"} == copy.errors()
    other = copy_of("pairs")
    path = other.folder / "val.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["ability"]), path)
    other.rehash()
    assert other.errors() == {"R070"}


def test_what_cannot_be_judged_is_an_error_and_not_a_verdict(copy_of: Callable[[str], Copy], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such release folder"):
        validate(tmp_path / "nowhere")
    copy = copy_of("search")
    with pytest.raises(InputError):
        copy.judge(registry=tmp_path / "nowhere.json")
    (copy.folder / "export_report.json").unlink()
    with pytest.raises(InputError, match="export_report.json is absent"):
        copy.judge()
    shutil.rmtree(copy.folder)
    with pytest.raises(InputError):
        Release(copy.folder)


def test_all_places_are_counted_and_a_hundred_are_listed(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("search")

    def change(rows: list[dict[str, Any]]) -> None:
        rows[:] = [dict(rows[0], source_id=f"s-{number}", stage="x") for number in range(150)]

    copy.change_rows(change)
    item = next(item for item in copy.judge()["splits"]["train"]["findings"] if item["code"] == "R040")
    assert item["count"] == 150
    assert len(item["places"]) == 100


def test_the_runbooks_function_runs_the_same_checks_on_loaded_standards(copy_of: Callable[[str], Copy]) -> None:
    """Acceptance 2."""
    copy = copy_of("search")
    registry = LeafRegistry.from_path(MINI / "registry.json")
    categories = load_corpus_categories(MINI / "corpus.json")
    standards: dict[str, Any] = {
        "task_config": TaskConfig.from_path(MINI / "task.json"),
        "grading": GradingConfig.from_path(MINI / "grading.json"),
        "dataset": "steelmini",
    }
    for corpus in (categories, {item.category_id: item for item in categories}):
        report = validate_tool_trajectory_dataset(copy.folder, registry, corpus=corpus, **standards)
        assert report == copy.judge()
        assert report["valid"]
    other = LeafRegistry(tuple(reversed(registry.leaves)), registry.groups, registry.standard)
    report = validate_tool_trajectory_dataset(copy.folder, other, corpus=categories, **standards)
    assert [item["code"] for item in report["findings"]] == ["R005"]
