"""Random, group and cluster splits (data-line 3.9, 4.4; 12.7, 12.18, 12.19)."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from records import LEAVES, canonical, many, processed

from autoresearch.errors import InputError, RefusedError
from autoresearch.fields.near import jaccard, trigrams
from autoresearch.fields.pool import SEPARATOR, SPLITS, largest_remainder, native_forms
from autoresearch.fields.split import Plan, divide_records, split
from autoresearch.fields.split_report import SplitReport
from autoresearch.files import read_records, write_records


def written(folder: Path, records: list[dict[str, Any]]) -> Path:
    write_records(folder / "steel" / "all.json", records)
    return folder


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "steel").iterdir())}


def by_split(records: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        found[record["split"]].append(record)
    return found


@pytest.mark.parametrize(
    ("size", "ratios", "quotas"),
    [
        (10, (0.8, 0.1, 0.1), [8, 1, 1]),
        (13, (0.8, 0.1, 0.1), [11, 1, 1]),
        (15, (0.8, 0.1, 0.1), [12, 2, 1]),
        (1, (0.2, 0.4, 0.4), [1, 0, 0]),
        (3, (1.0, 0.0, 0.0), [3, 0, 0]),
    ],
)
def test_quotas_go_by_largest_remainder(size: int, ratios: tuple[float, ...], quotas: list[int]) -> None:
    assert largest_remainder(size, ratios) == quotas


def test_the_first_split_needs_no_overwrite_and_a_second_changes_nothing(tmp_path: Path) -> None:
    folder = written(tmp_path, many(100))
    report = split(folder, ["steel"])["steel"]
    before = bytes_of(folder)
    with pytest.raises(RefusedError, match="F060"):
        split(folder, ["steel"])
    assert bytes_of(folder) == before
    assert split(folder, ["steel"], overwrite=True)["steel"] == report
    assert bytes_of(folder) == before


def test_records_that_carry_a_split_are_refused(tmp_path: Path) -> None:
    records = many(20)
    records[3]["split"] = "train"
    with pytest.raises(RefusedError, match="already carry a split"):
        split(written(tmp_path, records), ["steel"])


def test_views_hold_the_records_of_their_split_and_all_keeps_the_others(tmp_path: Path) -> None:
    records = [*many(60), canonical(processed("OPEN"), None)]
    folder = written(tmp_path, records)
    report = split(folder, ["steel"])["steel"]
    stored = read_records(folder / "steel" / "all.json")
    parts = by_split(stored)
    for name in SPLITS:
        assert read_records(folder / "steel" / f"{name}.json") == parts[name]
        assert report.sizes[name] == len(parts[name])
    assert [item["metadata"]["field_name"] for item in parts[None]] == ["OPEN"]  # type: ignore[index]  # no split is None
    assert report.excluded.model_dump() == {"count": 1, "by_reason": {"resolution_status:unlabeled": 1}}
    assert (report.input_size, report.included_size) == (61, 60)
    read = json.loads((folder / "steel" / "split_report.json").read_text(encoding="utf-8"))
    assert SplitReport.model_validate(read) == report


@pytest.mark.parametrize("kind", ["random", "group", "cluster"])
def test_input_order_decides_nothing(kind: Any) -> None:
    records = many(200)
    one, other = (divide_records("steel", given, Plan(split_type=kind)) for given in (records, records[::-1]))
    assert one.report == other.report
    assert {item["id"]: item["split"] for item in one.records} == {item["id"]: item["split"] for item in other.records}


def test_another_seed_gives_another_split() -> None:
    records = many(200)
    one, other = (divide_records("steel", records, Plan(seed=seed)).records for seed in (1, 2))
    assert [item["split"] for item in one] != [item["split"] for item in other]


def test_random_quotas_hold_and_strata_are_in_proportion() -> None:
    done = divide_records("steel", many(1000), Plan())
    assert done.report.sizes == {"train": 800, "val": 100, "test": 100}
    spread = done.report.distributions["level_4"]
    for leaf in LEAVES:
        total = sum(spread[name][leaf] for name in SPLITS)
        assert abs(spread["train"][leaf] - 0.8 * total) <= 4
        assert abs(spread["val"][leaf] - 0.1 * total) <= 4


def test_train_covers_every_label_that_it_can() -> None:
    common = [canonical(processed(f"C{index}", level_4="订单", data_level="L1"), "订单") for index in range(12)]
    rare = [
        canonical(processed(f"R{index}", level_4=f"叶{index}", data_level="L2"), f"叶{index}") for index in range(5)
    ]
    for seed in range(12):
        done = divide_records(
            "steel", [*common, *rare], Plan(train_ratio=0.5, val_ratio=0.25, test_ratio=0.25, seed=seed)
        )
        train = by_split(done.records)["train"]
        assert {item["target"]["category_id"] for item in train} == {"订单", *(f"叶{index}" for index in range(5))}
        assert done.report.coverage.category_gaps == ()
        assert done.report.sizes == {"train": 9, "val": 4, "test": 4}


def test_records_without_a_level_do_not_count_for_coverage() -> None:
    graded = [canonical(processed(f"G{index}", level_4="订单", data_level="L1"), "订单") for index in range(8)]
    graded += [canonical(processed("X", level_4="库存", data_level="L2"), "库存")]
    blank = [canonical(processed(f"B{index}", level_4="库存"), "库存") for index in range(11)]
    for seed in range(8):
        done = divide_records(
            "steel", [*graded, *blank], Plan(train_ratio=0.5, val_ratio=0.25, test_ratio=0.25, seed=seed)
        )
        assert {item["split"] for item in done.records if item["metadata"]["field_name"] == "X"} == {"train"}


def test_gaps_that_train_cannot_close_are_reported_or_refused() -> None:
    records = [
        canonical(processed(f"F{index}", level_4=f"叶{index}", data_level="L1"), f"叶{index}") for index in range(10)
    ]
    plan = Plan(train_ratio=0.4, val_ratio=0.3, test_ratio=0.3)
    assert len(divide_records("steel", records, plan).report.coverage.category_gaps) == 6
    with pytest.raises(InputError, match="F062"):
        divide_records(
            "steel", records, Plan(train_ratio=0.4, val_ratio=0.3, test_ratio=0.3, require_train_coverage=True)
        )


def test_a_split_with_a_ratio_and_no_record_is_refused() -> None:
    with pytest.raises(InputError, match="F061"):
        divide_records("steel", many(3), Plan())
    with pytest.raises(InputError, match="F061"):
        divide_records("steel", many(50, tables=2), Plan(split_type="group"))


def test_no_group_stands_in_two_splits() -> None:
    done = divide_records("steel", many(400, tables=40), Plan(split_type="group"))
    found = defaultdict(set)
    for record in done.records:
        found[record["metadata"]["table_name"]].add(record["split"])
    assert all(len(splits) == 1 for splits in found.values())
    assert done.report.leakage.val.tables_seen_in_train == done.report.leakage.test.tables_seen_in_train == 0
    assert done.report.group_key == ("metadata.database_name", "metadata.table_name")
    assert abs(done.report.sizes["train"] - 320) <= 15


def test_a_record_with_an_empty_group_key_is_left_out_with_its_reason() -> None:
    nameless = canonical(processed("X", table="", level_4="订单"), "订单")
    done = divide_records("steel", [*many(200), nameless], Plan(split_type="group"))
    assert done.report.excluded.by_reason == {"empty_group_key:metadata.table_name": 1}
    assert done.records[-1]["split"] is None


def test_no_near_pair_stands_in_two_splits_of_a_cluster_split() -> None:
    records = many(150, tables=50)
    for index in range(0, 40, 2):  # copies of a table in another database, one word apart
        twin = processed(
            records[index]["metadata"]["field_name"],
            table=records[index]["metadata"]["table_name"],
            database="COPY",
            level_4="订单",
            data_level="L1",
            field_description=records[index]["metadata"]["field_description"] + "。",
            table_description="表",
        )
        records.append(canonical(twin, "订单"))
    done = divide_records("steel", records, Plan(split_type="cluster"))
    placed = [(trigrams(SEPARATOR.join(native_forms(item))), item["split"]) for item in done.records]
    for index, (one, where) in enumerate(placed):
        for other, there in placed[:index]:
            assert where == there or jaccard(one, other) < 0.9
    assert done.report.leakage.val.near.rows == done.report.leakage.test.near.rows == 0


def test_a_cluster_larger_than_train_goes_there_whole(capsys: pytest.CaptureFixture[str]) -> None:
    records = many(95, tables=1) + [
        canonical(processed(f"S{index}", table=f"S{index}", level_4="订单", field_description=f"{index}" * 9), "订单")
        for index in range(5)
    ]
    done = divide_records(
        "steel", records, Plan(split_type="cluster", train_ratio=0.5, val_ratio=0.25, test_ratio=0.25)
    )
    assert {item["split"] for item in done.records[:95]} == {"train"}
    assert "F063" in capsys.readouterr().err


def test_a_random_split_tells_how_many_tables_train_also_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    split(written(tmp_path, many(200)), ["steel"])
    assert "--split-type group" in capsys.readouterr().err


def test_bad_ratios_and_thresholds_are_refused() -> None:
    for plan in (Plan(train_ratio=0.9), Plan(train_ratio=0.0, val_ratio=0.5, test_ratio=0.5), Plan(near_threshold=0.0)):
        with pytest.raises(InputError):
            plan.check()


def test_nothing_is_written_for_any_dataset_when_one_fails(tmp_path: Path) -> None:
    folder = written(tmp_path, many(50))
    write_records(folder / "other" / "all.json", [canonical(processed("X"), None)])
    before = bytes_of(folder)
    with pytest.raises(InputError, match="no resolved record"):
        split(folder, ["steel", "other"])
    assert bytes_of(folder) == before
