"""What val and test share with train (data-line 8.3; 12.20)."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records import canonical, many, processed

from autoresearch.errors import InputError, RefusedError
from autoresearch.fields.leakage import LeakageReport, leakage_report, placed_records
from autoresearch.fields.leakage_counts import leakage_block
from autoresearch.fields.near import jaccard, near_pairs, trigrams
from autoresearch.fields.pool import SEPARATOR, native_forms
from autoresearch.files import write_records

LONG = "转炉炼钢过程中第一次取样的钢水碳含量实测值（百分比）"


def placed(field: str, split: str, *, leaf: str = "订单", level: str = "L1", **texts: str) -> dict[str, Any]:
    """A resolved record in ``split``."""
    record = canonical(processed(field, level_4=leaf, data_level=level, **texts), leaf)
    return {**record, "split": split}


@settings(max_examples=150, deadline=None)
@given(
    texts=st.lists(st.text(alphabet="abcde", max_size=14), unique=True, max_size=25),
    threshold=st.sampled_from((0.3, 0.5, 0.75, 0.9, 1.0)),
)
def test_the_join_finds_exactly_the_pairs_of_brute_force(texts: list[str], threshold: float) -> None:
    found = {tuple(sorted(pair)) for pair in near_pairs(texts, threshold)}
    expected = {
        (one, other)
        for other in range(len(texts))
        for one in range(other)
        if jaccard(trigrams(texts[one]), trigrams(texts[other])) >= threshold
    }
    assert found == expected


def test_no_pair_comes_twice() -> None:
    pairs = list(map(tuple, near_pairs([LONG + str(index) for index in range(30)], 0.8).tolist()))
    assert len(pairs) == len(set(pairs)) == 30 * 29 // 2


def test_planted_rows_are_found_by_kind() -> None:
    records = [
        placed("CARBON", "train", field_description=LONG),
        placed("ORDER", "train", table="ORDERS", database="A"),
        placed("Carbon ", "val", database="B", field_description=LONG),  # equal after NFKC, case and spaces
        placed("CARBON", "test", database="C", field_description=LONG + "。", level="L2"),
        placed("OTHER", "test", table="ORDERS", database="A"),
        placed("CARBON", "test", table="T2", database="D", field_description=LONG),
    ]
    block = leakage_block(*placed_records(records), 0.8)
    assert block.val.exact.model_dump() == {"rows": 1, "share": 1.0, "same_label": 1, "other_label": 0}
    assert block.test.exact.rows == 0
    assert (block.test.near.rows, block.test.near.other_label) == (2, 1)
    assert (block.test.tables, block.test.tables_seen_in_train, block.test.rows_in_seen_tables) == (3, 1, 1)
    assert block.test.equal_name_and_description == 1
    assert block.pairs.exact == ((records[2]["id"], records[0]["id"]),)
    assert {pair[1] for pair in block.pairs.near} == {records[0]["id"]}


def test_repetition_inside_train_is_counted() -> None:
    records = [placed("CARBON", "train", database=name, field_description=LONG) for name in "ABC"]
    records += [placed("CARBON", "train", database="D", field_description=LONG + "。"), placed("X", "train")]
    train = leakage_block(*placed_records(records), 0.8).train
    assert (train.rows, train.duplicate_rows, train.clusters, train.largest_cluster) == (5, 3, 1, 4)


def test_counts_equal_brute_force_on_500_records() -> None:
    draw = random.Random(5)
    records = [
        {**item, "split": draw.choice(("train", "train", "val", "test"))} for item in many(500, words=3, tables=4)
    ]
    for item in records:
        item["metadata"]["field_name"] = item["metadata"]["field_name"][:2]
    block = leakage_block(*placed_records(records), 0.7)
    texts = [SEPARATOR.join(native_forms(item)) for item in records]
    sets = [(trigrams(text), text, item) for text, item in zip(texts, records, strict=True)]
    train = [(tokens, text) for tokens, text, item in sets if item["split"] == "train"]
    for name, part in (("val", block.val), ("test", block.test)):
        rows = [(tokens, text) for tokens, text, item in sets if item["split"] == name]
        equal = {text for _, text in train}
        exact = [text in equal for _, text in rows]
        near = [
            not same and any(jaccard(tokens, other) >= 0.7 for other, _ in train)
            for (tokens, _), same in zip(rows, exact, strict=True)
        ]
        assert (part.rows, part.exact.rows, part.near.rows) == (len(rows), sum(exact), sum(near))
        assert part.exact.rows > 0
        assert part.near.rows > 0


def test_an_id_in_two_splits_fails_the_report(tmp_path: Path) -> None:
    write_records(tmp_path / "all.json", [placed("A", "train"), placed("A", "test"), placed("B", "val")])
    report = leakage_report({"steel": tmp_path / "all.json"}, tmp_path / "report.json")
    assert report.status == "failed"
    assert "A013" in {item.code for item in report.datasets["steel"].findings}


def test_a_maximum_decides_and_its_absence_passes(tmp_path: Path) -> None:
    write_records(tmp_path / "all.json", [placed("A", "train"), placed("B", "test"), placed("C", "val")])
    paths = {"steel": tmp_path / "all.json"}
    assert leakage_report(paths, tmp_path / "a.json").status == "passed"
    report = leakage_report(paths, tmp_path / "b.json", max_table_share=0.5)
    assert report.status == "failed"
    severity = {item.code: item.severity for item in report.datasets["steel"].findings}
    assert severity["A012"] == "error"
    assert LeakageReport.model_validate(json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))) == report


def test_rows_that_train_holds_are_warnings_and_over_a_maximum_errors(tmp_path: Path) -> None:
    records = [
        placed("CARBON", "train", field_description=LONG),
        placed("CARBON", "val", database="B", field_description=LONG),
        placed("CARBON", "test", database="C", field_description=LONG + "。"),
    ]
    write_records(tmp_path / "all.json", records)
    paths = {"steel": tmp_path / "all.json"}

    def found(name: str, **maxima: float) -> dict[str, str]:
        report = leakage_report(paths, tmp_path / name, **maxima)  # type: ignore[arg-type]
        return {item.code: item.severity for item in report.datasets["steel"].findings}

    assert found("a.json") == {"A010": "warning", "A011": "warning"}
    assert found("b.json", max_exact_share=0.5) == {"A010": "error", "A011": "warning"}
    assert found("c.json", max_near_share=0.5) == {"A010": "warning", "A011": "error"}


def test_the_report_holds_no_text_of_the_input(tmp_path: Path) -> None:
    records = [placed("秘密字段", "train", table="秘密表"), placed("秘密字段", "val", table="秘密表", database="B")]
    write_records(tmp_path / "all.json", records)
    leakage_report({"steel": tmp_path / "all.json"}, tmp_path / "a.json", max_exact_share=0.0)
    assert "秘密" not in (tmp_path / "a.json").read_text(encoding="utf-8")


def test_at_most_twenty_pairs_a_kind_are_kept() -> None:
    records = [placed("A", "train")] + [placed("A", "val", database=f"D{index}") for index in range(30)]
    assert len(leakage_block(*placed_records(records)).pairs.exact) == 20


def test_usage_errors(tmp_path: Path) -> None:
    write_records(tmp_path / "all.json", [canonical(processed("A"), None)])
    with pytest.raises(InputError, match="run data split"):
        leakage_report({"steel": tmp_path / "all.json"}, tmp_path / "a.json")
    with pytest.raises(InputError, match="--near-threshold"):
        leakage_report({"steel": tmp_path / "all.json"}, tmp_path / "a.json", near_threshold=2.0)
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RefusedError, match="--overwrite"):
        leakage_report({"steel": tmp_path / "all.json"}, tmp_path / "a.json")
