"""Resolution of labels to leaves (data-line 3.8, 4.3; 12.7, 12.9, 12.17)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from records import LEAVES, processed, standards, write_processed
from sheets import read, row, workbook

from autoresearch.errors import InputError, RefusedError
from autoresearch.fields.canonical import build
from autoresearch.fields.resolution_report import ResolutionReport
from autoresearch.files import read_json, read_records, write_json


def built(folder: Path, records: list[Any], **config: Any) -> tuple[dict[str, Any], ResolutionReport]:
    """Resolve ``records``; returns field name (or status) → canonical record, and the report."""
    write_processed(folder, records)
    report = build(**standards(folder, **config), datasets=["steel"])["steel"]
    found = read_records(folder / "canonical" / "steel" / "all.json")
    return {item.get("metadata", {}).get("field_name", "no object"): item for item in found}, report


def test_code_strategy_gives_each_status(tmp_path: Path) -> None:
    labelled = {
        "RESOLVED": {"level_4": "订单"},
        "CODED": {"level_4": "订单（A1）"},
        "WRONG_CODE": {"level_4": "订单（A2）"},
        "UNKNOWN": {"level_4": "没有"},
        "PLACEHOLDER": {"level_4": "－－"},
        "NO_LEAF": {"level_1": "经营"},
        "NOTHING": {},
    }
    records: list[Any] = [processed(name, **texts) for name, texts in labelled.items()]
    broken = {**processed("NO_LABELS"), "classification": None}
    found, report = built(tmp_path, [*records, broken, "no object"], placeholder_labels=["--"])
    status = {name: item["resolution_status"] for name, item in found.items()}
    assert status == {
        "RESOLVED": "resolved",
        "CODED": "resolved",
        "WRONG_CODE": "code_unresolved",
        "UNKNOWN": "code_unresolved",
        "PLACEHOLDER": "placeholder",
        "NO_LEAF": "invalid_record",
        "NOTHING": "unlabeled",
        "NO_LABELS": "invalid_record",
        "no object": "invalid_record",
    }
    assert "disagrees" in found["WRONG_CODE"]["resolution"]["reason"]
    assert found["no object"]["record"] == "no object"
    assert report.status_counts["invalid_record"] == 3
    assert report.unresolved.code_unresolved.by_leaf == {"没有": 1, "订单（A2）": 1}
    assert sum(report.status_counts.values()) == report.input_records == report.output_records == 9
    unresolved = {item.code: item.first for item in report.findings}["F042"]
    assert "dataset steel, code_unresolved: 2" in unresolved


def test_path_strategy_tells_a_wrong_path_from_an_unknown_leaf(tmp_path: Path) -> None:
    records = [
        processed("RESOLVED", level_1="经 营", level_4="订单"),
        processed("MISMATCH", level_1="生产", level_4="订单"),
        processed("MISSING", level_1="经营", level_4="没有"),
    ]
    found, report = built(tmp_path, records, strategy="path")
    assert found["RESOLVED"]["target"] == {
        "leaf_level": "level_4",
        "leaf_name": "订单",
        "category_id": "steel:经营...订单",
        "category_path": ["经 营", "订单"],
    }
    assert found["MISMATCH"]["resolution_status"] == "path_mismatch"
    assert found["MISSING"]["resolution_status"] == "missing_leaf"
    assert report.unresolved.path_mismatch.by_id == {"steel:生产...订单": 1}
    assert report.unresolved.record_ids == tuple(sorted((found["MISMATCH"]["id"], found["MISSING"]["id"])))


def test_a_canonical_record_is_the_processed_one_with_nine_keys_more(tmp_path: Path) -> None:
    record = processed("F", level_4="订单", data_level="L2")
    found, _ = built(tmp_path, [{**record, "target": {"category_id": "A9"}}])
    added = {
        "schema_version": 2,
        "dataset": "steel",
        "path_mask": [False, False, False, True],
        "leaf": {"field": "level_4", "value": "订单"},
        "resolution": {"status": "resolved", "category_id": "A1", "reason": "the leaf text has this code"},
        "resolution_status": "resolved",
        "target": {"leaf_level": "level_4", "leaf_name": "订单", "category_id": "A1", "category_path": ["订单"]},
        "split": None,
        "split_exclusion_reason": None,
    }
    assert list(found["F"].items()) == list({**record, **added}.items())


def test_a_target_that_came_along_is_dropped(tmp_path: Path) -> None:
    found, _ = built(tmp_path, [{**processed("F"), "target": {"category_id": "A1"}, "split": "train"}])
    assert found["F"]["target"] is None
    assert found["F"]["split"] is None
    assert found["F"]["split_exclusion_reason"] == "resolution_status:unlabeled"


def test_the_order_of_records_does_not_change_a_byte(tmp_path: Path) -> None:
    records = [processed(f"F{index}", level_4=LEAVES[index % 6]) for index in range(40)]
    built(tmp_path / "a", records)
    built(tmp_path / "b", records[::-1])
    name = "canonical/steel/all.json"
    assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_records_handed_over_in_memory_give_the_same_bytes(tmp_path: Path) -> None:
    done = read(
        workbook(
            tmp_path / "a.xlsx", [row(), row(field_name="G", level_4="库存（A2）"), row(field_name="H", level_4="")]
        )
    )
    for folder, given in ((tmp_path / "disk", None), (tmp_path / "memory", {"steel": done})):
        (folder / "processed" / "steel").mkdir(parents=True)
        (folder / "processed" / "steel" / "all.json").write_bytes(done.content)
        build(**standards(folder), datasets=["steel"], in_memory=given)
    for name in ("all.json", "resolution_report.json"):
        path = Path("canonical") / "steel" / name
        assert (tmp_path / "disk" / path).read_bytes() == (tmp_path / "memory" / path).read_bytes()


def test_an_ambiguous_leaf_text_needs_its_path(tmp_path: Path) -> None:
    arguments = standards(tmp_path)
    items = [
        {"category_id": "A1", "name": "登记", "code": "A1", "path": ["经营", "登记"]},
        {"category_id": "B1", "name": "登记", "code": "B1", "path": ["生产", "登记"]},
        *({"category_id": f"C{index}", "name": f"其他{index}"} for index in range(4)),
    ]
    for name in ("registry", "corpus"):
        write_json(tmp_path / "std" / f"steel.{name}.json", {"categories": items})
    write_processed(tmp_path, [processed("A", level_1="生产", level_4="登记"), processed("B", level_4="登记（A1）")])
    build(**arguments, datasets=["steel"])
    found = read_records(tmp_path / "canonical" / "steel" / "all.json")
    assert {item["metadata"]["field_name"]: item["target"]["category_id"] for item in found} == {"A": "B1", "B": "A1"}
    write_processed(tmp_path, [processed("A", level_4="登记")])
    with pytest.raises(InputError, match="F038"):
        build(**arguments, datasets=["steel"], overwrite=True)


def test_an_excluded_category_is_a_configuration_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="F039"):
        built(tmp_path, [processed("A", level_4="订单")], projection_excluded_category_ids=["A1"])


def test_stale_and_duplicate_ids_are_refused_by_record_number(tmp_path: Path) -> None:
    renamed = processed("A")
    renamed["metadata"]["field_name"] = "B"
    with pytest.raises(InputError, match="F040.*record 2"):
        built(tmp_path, [processed("C"), renamed])
    with pytest.raises(InputError, match="F041"):
        built(tmp_path, [processed("C"), processed("C")])


def test_nothing_is_written_for_any_dataset_when_one_fails(tmp_path: Path) -> None:
    arguments = standards(tmp_path)
    config = {
        "datasets": {"steel": {"id_strategy": "code"}, "other": {"id_strategy": "code", "registry_source": "steel"}}
    }
    write_json(tmp_path / "datasets.json", config)
    write_processed(tmp_path, [processed("A", level_4="订单")])
    write_processed(tmp_path, [processed("A", level_4="订单")], "other")  # the id is that of dataset steel
    with pytest.raises(InputError, match="F040"):
        build(**arguments, datasets=["steel", "other"])
    assert not (tmp_path / "canonical").exists()


def test_a_second_build_refuses_and_reports_a_changed_registry(tmp_path: Path) -> None:
    records = [processed("A", level_4="订单")]
    built(tmp_path, records)
    arguments = standards(tmp_path)
    with pytest.raises(RefusedError, match="--overwrite"):
        build(**arguments, datasets=["steel"])
    path = tmp_path / "std" / "steel.registry.json"
    write_json(path, {"categories": read_json(path)["categories"][::-1]})
    report = build(**arguments, datasets=["steel"], overwrite=True)["steel"]
    assert "F043" in {item.code for item in report.findings}
    assert "F043" not in {
        item.code for item in build(**arguments, datasets=["steel"], overwrite=True)["steel"].findings
    }


def test_the_report_counts_levels_and_categories(tmp_path: Path) -> None:
    levels = ["L1", "L2", "L2", "L3"]
    records = [processed(f"F{index}", level_4="订单", data_level=level) for index, level in enumerate(levels)]
    _, report = built(
        tmp_path, [*records, processed("G", level_4="库存", data_level="L1"), processed("H", level_4="库存")]
    )
    assert [item.model_dump() for item in report.leaves_with_two_levels] == [
        {"category_id": "A1", "levels": ("L1", "L2", "L3")}
    ]
    assert report.level_lookup_baseline == pytest.approx(3 / 5)
    assert report.categories_without_records == ("A3", "A4", "A5", "A6")
    written = json.loads((tmp_path / "canonical" / "steel" / "resolution_report.json").read_text(encoding="utf-8"))
    assert ResolutionReport.model_validate(written) == report


def test_usage_errors_say_what_is_missing(tmp_path: Path) -> None:
    arguments = standards(tmp_path)
    with pytest.raises(InputError, match="'other' is not in datasets.json"):
        build(**arguments, datasets=["other"])
    with pytest.raises(InputError, match="needs --corpus-dir"):
        build(**{**arguments, "corpus_dir": None}, datasets=["steel"])
    with pytest.raises(InputError, match="run data preprocess"):
        build(**arguments, datasets=["steel"])
