"""Processed records: check vectors, models, report and rewrite rules (data-line 3.2, 3.3, 4.1; 12.6, 12.10, 12.13)."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sheets import HEADERS, MAPPING, counts, read, row, texts, workbook

from autoresearch.errors import AutoResearchError, InputError, RefusedError
from autoresearch.fields.cleaning import field_type
from autoresearch.fields.labels import RewriteRule, level_code, split_trailing_code
from autoresearch.fields.preprocess import Options, PreprocessReport, preprocess, process
from autoresearch.fields.processed import ProcessedRecord, key_text, record_id, record_ids
from autoresearch.files import read_records
from autoresearch.standards.mapping import ColumnMapping


@pytest.mark.parametrize(
    ("identity", "expected"),
    [
        (("shougang", "DB1", "T_ORDER", "ORDER_NO"), "045566d9-2e98-554c-962c-44242d9072b1"),
        (("steel", "MES", "T_HEAT", "HEAT_NO"), "6663364e-7648-56fc-ae58-c9df66e4bfa1"),
        (("steel", " MES ", "T_HEAT", "HEAT_NO\n"), "6663364e-7648-56fc-ae58-c9df66e4bfa1"),
    ],
)
def test_ids_are_those_of_the_check_vectors(identity: tuple[str, str, str, str], expected: str) -> None:
    assert record_id(*identity) == expected


@given(st.lists(st.text(min_size=1), min_size=4, max_size=4))
def test_ids_are_uuid5_of_the_url_namespace(parts: list[str]) -> None:
    dataset, *identity = [part.encode("utf-8", "replace").decode() for part in parts]
    name = "\x1f".join((dataset, *(" ".join(text.split()) for text in identity)))
    assert record_id(dataset, *identity) == str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def test_ids_of_a_column_are_those_of_single_records() -> None:
    fields = [f"FIELD_{number}" for number in range(500)]
    frame = pl.DataFrame({"database_name": ["MES"] * 500, "table_name": ["表"] * 500, "field_name": fields})
    assert record_ids("steel", frame).to_list() == [record_id("steel", "MES", "表", name) for name in fields]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("ORDER_NO", "order_no"),
        ("Order No.", "order_no"),
        ("炉号 (主键)", "炉号_主键"),
        ("订单-编号#1", "订单_编号_1"),
    ],
)
def test_keys_are_those_of_the_check_vectors(name: str, key: str) -> None:
    assert pl.DataFrame({"field_name": [name]}).select(key_text()).item() == key


def test_a_record_is_written_as_the_specification_shows_it(tmp_path: Path) -> None:
    headers = ("库", "表", "表描述", "字段", "描述", "类型", "一级", "四级", "级别")
    targets = (
        "database_name table_name table_description field_name field_description field_type level_1 level_4 data_level"
    )
    mapping = ColumnMapping(dict(zip(headers, targets.split(), strict=True)))
    cells = ("DB1", "T_ORDER", "订单主表", "ORDER_NO", "订单号", "varchar(32)", "经营", "订单登记", "l2")
    done = process(workbook(tmp_path / "a.xlsx", [cells], headers), mapping, "shougang")
    assert done.content.decode().splitlines()[1] == (
        '{"id":"045566d9-2e98-554c-962c-44242d9072b1","key":"order_no","label_status":"labeled","metadata":'
        '{"database_name":"DB1","database_description":"","table_name":"T_ORDER","table_description":"订单主表",'
        '"field_name":"ORDER_NO","field_description":"订单号","field_type":"STRING"},"classification":{"level_1":"经营",'
        '"level_2":"","level_3":"","level_4":"订单登记"},"data_level":"L2","label_notes":null,"rewritten_from":null,'
        '"cleaned_from":null}'
    )


def test_records_and_report_are_valid_by_their_models_and_are_what_was_returned(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [row(field_name='A"\\', level_4="订单（A1-1-3）"), row(level_4="")])
    (tmp_path / "m.json").write_text(json.dumps(MAPPING.columns), encoding="utf-8")
    report = preprocess(path, tmp_path / "m.json", tmp_path / "out" / "all.json", "steel")
    records = [ProcessedRecord.model_validate(item) for item in read_records(tmp_path / "out" / "all.json")]
    assert [item.metadata.field_name for item in records] == ['A"\\', "F"]
    assert [item.label_status for item in records] == ["labeled", "unlabeled"]
    written = json.loads((tmp_path / "out" / "preprocess_report.json").read_text(encoding="utf-8"))
    assert PreprocessReport.model_validate(written) == report
    assert (report.labeled, report.unlabeled, report.levels) == (1, 1, {"L2": 2})


def test_an_existing_output_is_refused_and_stays(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [row()])
    target = tmp_path / "all.json"
    target.write_text("mine", encoding="utf-8")
    with pytest.raises(RefusedError, match="--overwrite"):
        preprocess(path, MAPPING, target, "steel")
    assert target.read_text(encoding="utf-8") == "mine"
    preprocess(path, MAPPING, target, "steel", overwrite=True)
    assert len(read_records(target)) == 1


def test_nothing_is_written_on_an_error(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [row(data_level="?")])
    with pytest.raises(InputError):
        preprocess(path, MAPPING, tmp_path / "out" / "all.json", "steel")
    assert not (tmp_path / "out").exists()


def test_trailing_codes_are_kept_and_noted_or_stripped(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [row(level_4="订单 (A1-1-3)"), row(field_name="G")])
    kept, stripped = read(path), read(path, strip_trailing_codes=True)
    assert texts(kept, "level_4") == ["订单 (A1-1-3)", "订单"]
    assert '"label_notes":[{"field":"level_4","kept_code":"A1-1-3"}]' in kept.content.decode()
    assert texts(stripped, "level_4") == ["订单", "订单"]
    assert '"label_notes":[{"field":"level_4","stripped_code":"A1-1-3"}]' in stripped.content.decode()
    assert [counts(done)["F017"] for done in (kept, stripped)] == [1, 1]


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("订单（A1-1）", "订单", "A1-1"),
        ("订单 【B.2】", "订单", "B.2"),
        ("订单(A1）", "订单(A1）", None),
        ("订单（主键）", "订单（主键）", None),
        ("（A1）", "（A1）", None),
    ],
)
def test_a_trailing_code_is_a_bracket_pair_at_the_end(text: str, name: str, code: str | None) -> None:
    assert split_trailing_code(text) == (name, code)


def test_a_rewrite_rule_touches_its_column_only(tmp_path: Path) -> None:
    headers = (*HEADERS, "三级")
    mapping = ColumnMapping({**MAPPING.columns, "三级": "level_3"})
    path = workbook(tmp_path / "a.xlsx", [(*row(level_4="旧"), "旧")], headers)
    rules = [RewriteRule(match="旧", replace="新", field="level_4")]
    done = process(path, mapping, "steel", Options(rewrite_rules=rules))
    assert (texts(done, "level_3"), texts(done, "level_4")) == (["旧"], ["新"])
    assert '"rewritten_from":{"level_4":"旧"}' in done.content.decode()
    assert counts(done)["F018"] == 1


LEVELS = ("L1", "L2", "L3", "L4")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("L2", "L2"),
        ("l2", "L2"),
        (" Ｌ２ ", "L2"),
        ("2", "L2"),
        ("2.0", "L2"),
        ("2级", "L2"),
        ("第2级", "L2"),
        ("第三级", "L3"),
        ("四", "L4"),
        ("LEVEL 1", "L1"),
        ("", ""),
        ("2.5", None),
        ("5", None),
        ("高", None),
        ("L22", None),
    ],
)
def test_levels_are_read_as_written_by_people(text: str, code: str | None) -> None:
    assert level_code(text, LEVELS) == code


def test_a_number_that_fits_two_codes_is_none() -> None:
    assert level_code("2", ("A2", "B2")) is None
    assert level_code("12", ("S2", "S12")) == "S12"


@pytest.mark.parametrize(
    ("declared", "family"),
    [
        ("varchar(32)", "STRING"),
        ("NVARCHAR2 (10)", "STRING"),
        ("enum('a','b')", "STRING"),
        ("bigint unsigned", "INTEGER"),
        ("tinyint(1)", "INTEGER"),
        ("number(10,2)", "DECIMAL"),
        ("double precision", "FLOAT"),
        ("bit", "BOOLEAN"),
        ("timestamp with time zone", "DATETIME"),
        ("datetime2(7)", "DATETIME"),
        ("date", "DATE"),
        ("jsonb", "JSON"),
        ("longblob", "BINARY"),
        ("geometry", "GEOMETRY"),
        ("", ""),
    ],
)
def test_types_fall_into_families(declared: str, family: str) -> None:
    assert field_type(declared) == family


CELLS = st.tuples(
    st.sampled_from(("DB", "")),
    st.just("T"),
    st.sampled_from(("A", "B", " ", "")),
    st.sampled_from(("甲", "乙", "")),
    st.sampled_from(("INT", "")),
    st.sampled_from(("订单", "")),
    st.just(""),
)
BLANK = st.just(("", "", " ", "", "", "", ""))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.one_of(CELLS, BLANK), min_size=1, max_size=12))
def test_the_ledger_adds_up_for_any_mix(tmp_path: Path, rows: list[tuple[str, ...]]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("\n".join(",".join(cells) for cells in (HEADERS, *rows)) + "\n", encoding="utf-8")
    try:
        ledger = read(path, missing_field_policy="skip").report.ledger
    except AutoResearchError as error:
        assert {item.code for item in error.findings} <= {"F012", "F004"}
        return
    parts = ledger.model_dump()
    assert parts.pop("read") == sum(parts.values()) == len(rows)
