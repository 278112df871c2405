"""A sheet in batches gives what it gives at once: records, report, findings, places and messages."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from sheets import MAPPING, row, workbook

from autoresearch.errors import InputError
from autoresearch.fields import delimited, table_file
from autoresearch.fields import preprocess as room
from autoresearch.fields.preprocess import Options, process, report_json
from autoresearch.fields.spilled import SpilledFrames, nearest_folder

HEADER = "库名,表名,字段名,描述,类型,四级分类,级别,"


def dirty(count: int) -> list[str]:
    """Rows with a finding of nearly every kind, spread so that no batch holds all rows of one."""
    lines = []
    for number in range(count):
        kind = number % 12
        field = f"F{number % 50 if kind == 1 else number}"
        described = {2: "炉\u200b号", 3: "a\u3000b", 4: "-", 5: "长" * 2001, 6: 'x"y\\z', 7: "含<think>词"}.get(
            kind, "炉号"
        )
        database = {8: "ＤＢ", 9: "D\u200bB", 10: "D<think>B"}.get(kind, "DB")
        leaf = "订单（A1）" if kind == 11 else "订单"
        name = field if kind != 8 else f"F{number - 1}"
        lines.append(f"{database},T,{name},{described},INT,{leaf},L2," + ("x" if number == count - 1 else ""))
        if kind == 0:
            lines += ["", f"DB,T,F1,说{number // 24},INT,订单,L2,", f"DB,T,{field},{described},INT,订单,L2", ",T,,,,,,"]
    return lines


def outcome(path: Path, out: Path, **options: object) -> object:
    """Bytes and reports of both ways, or the message."""
    chosen = Options(**options)  # type: ignore[arg-type]
    try:
        done = process(path, MAPPING, "steel", chosen)
        report = room.preprocess(path, MAPPING, out, "steel", options=chosen, overwrite=True)
    except InputError as error:
        return str(error), error.findings
    assert report == done.report
    assert (out / "all.json").read_bytes() == done.content
    return done.content, report_json(report)


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_batches_of_a_text_table_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text("\n".join([HEADER, *dirty(60)]), encoding="utf-8")
    bad.write_text("\n".join([HEADER, *dirty(40), "DB,T,F3,x,INT,别的,L3", "DB,T,Z,x,INT,订单,2.5"]), encoding="utf-8")
    long = tmp_path / "long.csv"
    long.write_text("\n".join([HEADER, *dirty(40), "DB,T,F3,x,INT,别的,L3,,more"]), encoding="utf-8")
    runs = ((good, {"missing_field_policy": "skip", "control_tokens": "strip"}), (bad, {}), (long, {}))
    whole = [outcome(path, tmp_path / "out", **options) for path, options in runs]
    codes = {item["code"] for item in whole[0][1]["findings"]}  # type: ignore[index]
    assert codes >= {"F009", "F011", "F013", "F015", "F017", "F023", "F024", "F025", "F026", "F027", "F029"}
    assert {"F012", "F016"} <= {item.code for item in whole[1][1]}  # type: ignore[index]
    assert {item.code for item in whole[2][1]} == {"F028"}  # type: ignore[index]
    monkeypatch.setattr(delimited, "ROWS_AT_ONCE", size)
    assert [outcome(path, tmp_path / "out", **options) for path, options in runs] == whole


def test_batches_of_a_workbook_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row(field_name=f"F{number % 20}", field_description=number) for number in range(40)]
    rows[5] = row(
        database_name=" ", field_name="", table_name="", field_description="", field_type="", level_4="", data_level=""
    )
    path = workbook(tmp_path / "a.xlsx", rows)
    whole = outcome(path, tmp_path / "out")
    assert whole[1]["ledger"]["merged_duplicates"] > 0  # type: ignore[index]
    monkeypatch.setattr(room, "ROWS_AT_ONCE", 3)
    assert outcome(path, tmp_path / "out") == whole


@pytest.mark.parametrize("given", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "utf-16-le", "latin-1", "utf-7", "big5"])
@pytest.mark.parametrize("flag", [True, False])
def test_text_in_parts_is_text_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, flag: bool) -> None:
    monkeypatch.setattr(table_file, "BLOCK_BYTES", 3)
    text = "a,b\r\nä,\r\n" if given == "latin-1" else '\ufeff庫,"炉\r号\n"\r\nx,' if given != "big5" else "庫,爐\n"
    path = tmp_path / "a.csv"
    path.write_bytes(text.removeprefix("\ufeff" if given == "big5" else "").encode(given))
    encoding = given if flag else None
    try:
        expected, name = table_file.decode(path, path.read_bytes(), encoding)
    except InputError as error:
        with pytest.raises(InputError) as raised:
            table_file.text_lines(path, encoding)
        assert str(raised.value) == str(error)
        return
    lines, found = table_file.text_lines(path, encoding)
    assert ("".join(lines), found) == (expected, name)
    assert found == codecs.lookup(found).name


def test_spilled_frames_come_back_as_often_as_wanted(tmp_path: Path) -> None:
    import polars as pl

    frames = SpilledFrames(tmp_path)
    given = [
        pl.DataFrame({"a": ["炉", None], "b": [1, 2]}),
        pl.DataFrame({"a": [], "b": []}, schema={"a": pl.String, "b": pl.Int64}),
    ]
    for frame in given:
        frames.append(frame)
    for _ in range(2):
        assert [frame.to_dicts() for frame in frames] == [frame.to_dicts() for frame in given]
    assert list(tmp_path.iterdir()) == []


def test_a_temporary_file_lies_in_the_nearest_folder_that_is_there(tmp_path: Path) -> None:
    assert nearest_folder(tmp_path / "a" / "b") == tmp_path
    assert nearest_folder(tmp_path) == tmp_path
