"""Any bytes as CSV, TSV or workbook: records that can be read again and a ledger that adds up, or one refusal (4.1)."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
import xlsxwriter
from fuzzing import ANY_TEXT, batches, error_codes, fuzz, put, refused
from hypothesis import given, note
from hypothesis import strategies as st

from autoresearch.fields.cleaning import ControlPolicy
from autoresearch.fields.preprocess import Options, Processed, process
from autoresearch.fields.processed import ProcessedRecord, record_id
from autoresearch.files import strict_json_loads
from autoresearch.standards.mapping import ColumnMapping

HEADERS = ("库名", "表名", "字段名", "描述", "类型", "四级分类", "级别")
TARGETS = ("database_name", "table_name", "field_name", "field_description", "field_type", "level_4", "data_level")
MAPPING = ColumnMapping(dict(zip(HEADERS, TARGETS, strict=True)))
NAME_ONLY = ColumnMapping({"a": "field_name"})
CELLS = st.one_of(
    st.sampled_from(
        [
            "F",
            "f",
            "Ｆ",
            "T",
            "",
            " ",
            "-",
            "L1",
            "2",
            "3级",
            "第二级",
            "2.5",
            "订单（A1-1）",
            "varchar(20)",
            '"',
            '""',
            "a,b",
        ]
    ),
    st.sampled_from(
        ["\u3000x", "a\u200bb", "\x00", "\x85", "\u2028", "\\", "<|im_end|>", "\ufeff", "'", "\x1c", "a\nb", "\r"]
    ),
    ANY_TEXT,
)
ROWS = st.lists(st.lists(CELLS, min_size=5, max_size=8), max_size=5)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def written(rows: list[list[str]], end: str, quote: bool) -> str:
    """Rows as a CSV, with or without the quotes that they need."""
    texts = [[f'"{cell.replace(chr(34), chr(34) * 2)}"' if quote else cell for cell in row] for row in rows]
    return end.join(",".join(row) for row in texts)


def check(done: Processed) -> None:
    """The records are whole and unique, their ids are those of their names, and every row is accounted for."""
    records = strict_json_loads(done.content.decode("utf-8"))
    ledger = done.report.ledger
    dropped = ledger.blank_skipped + ledger.no_name_skipped + ledger.exact_duplicates + ledger.merged_duplicates
    assert ledger.read == dropped + ledger.written
    assert ledger.written == len(records) > 0
    for record in records:
        whole = ProcessedRecord.model_validate(record)
        assert json.loads(whole.model_dump_json()) is not None
        names = record["metadata"]
        assert names["field_name"]
        identity = (names["database_name"], names["table_name"], names["field_name"])
        assert record["id"] == record_id("steel", *identity)
        assert record["data_level"] in ("", "L1", "L2", "L3", "L4")
        for text in names.values():
            assert text == " ".join(text.split()), ascii(text)
    assert len({record["id"] for record in records}) == len(records)


@fuzz(100, batched=True, share=2)
@given(
    texts=batches(
        st.tuples(ROWS, ENDS, st.booleans()).map(lambda parts: written([list(HEADERS), *parts[0]], parts[1], parts[2]))
    ),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "gb18030"]),
    policy=st.sampled_from(["error", "strip"]),
)
def test_any_cells_give_whole_records_or_one_refusal(
    tmp_path: Path, texts: list[str], encoding: str, policy: ControlPolicy
) -> None:
    path = tmp_path / "a.csv"
    options = Options(control_tokens=policy, missing_field_policy="skip", strip_trailing_codes=policy == "strip")
    for text in texts:
        note(text)
        path.write_bytes(text.encode(encoding))
        done, message = refused(lambda: process(path, MAPPING, "steel", options))
        if done is not None:
            check(done)
        else:
            assert all(line.startswith("preprocess: F") for line in message.split("\n"))


@fuzz(share=2)
@given(
    data=st.binary(max_size=60),
    head=st.sampled_from([b"", b"a\n", b"a,a\n", b"\xff\xfe", b"\xef\xbb\xbfa\n", b'"a"\n"']),
)
def test_any_bytes_give_whole_records_or_one_refusal(tmp_path: Path, data: bytes, head: bytes) -> None:
    for name in ("a.csv", "a.tsv"):
        (tmp_path / name).write_bytes(head + data)
        done, _ = refused(lambda name=name: process(tmp_path / name, NAME_ONLY, "steel"))  # type: ignore[misc]
        if done is not None:
            check(done)


@fuzz(60, share=20)
@given(
    text=st.text(alphabet="a,;\t\"'\n\r|", max_size=30),
    delimiter=st.one_of(st.none(), st.text(max_size=2), st.sampled_from(list(',;|\t\n\r" a'))),
    encoding=st.sampled_from(
        [None, "utf-8", "utf-7", "idna", "punycode", "rot13", "unicode_escape", "x\x00", "utf-16", ""]
    ),
    header_row=st.integers(-1, 4),
)
def test_any_flags_give_whole_records_or_one_refusal(
    tmp_path: Path, text: str, delimiter: str | None, encoding: str | None, header_row: int
) -> None:
    path = put(tmp_path / "a.csv", text)
    options = Options(delimiter=delimiter, encoding=encoding, header_row=header_row)
    done, message = refused_flag(path, options)
    if done is not None:
        check(done)
    else:
        assert message.startswith("preprocess: ")


def refused_flag(path: Path, options: Options) -> tuple[Processed | None, str]:
    """As ``refused``; a flag that is wrong in itself has a message and no code, as it has no place in the file."""
    from autoresearch.errors import InputError

    try:
        return process(path, NAME_ONLY, "steel", options), ""
    except InputError as error:
        assert error_codes(error.message) or "--" in error.message or "encoding" in error.message
        return None, error.message


@pytest.fixture(scope="module")
def book() -> bytes:
    """A small workbook with texts, a number, a formula and a merged range."""
    made = io.BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as workbook:
        sheet = workbook.add_worksheet("字段")
        sheet.write_row(0, 0, HEADERS)
        sheet.write_row(1, 0, ("DB", "T", "F", 7, "INT", "订单", 2))
        sheet.write_formula(2, 3, "=1+1", None, 2)
        sheet.merge_range(2, 0, 3, 1, "x")
        sheet.write_row(3, 2, ("G", "描述"))
        sheet.write(2, 2, "H")
    return made.getvalue()


@fuzz(60, share=20)
@given(
    part=st.sampled_from(
        ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sharedStrings.xml"]
    ),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), st.binary(max_size=8)), min_size=1, max_size=2),
)
def test_a_damaged_part_of_a_workbook_gives_whole_records_or_one_refusal(
    tmp_path: Path, book: bytes, part: str, cuts: list[tuple[float, int, bytes]]
) -> None:
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for place, removed, put_in in cuts:
        at = int(place * len(parts[part]))
        parts[part] = parts[part][:at] + put_in + parts[part][at + removed :]
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    done, message = refused(lambda: process(tmp_path / "a.xlsx", MAPPING, "steel"))
    if done is not None:
        check(done)
    else:
        assert message.startswith("preprocess: F")


@fuzz(60, share=20)
@given(place=st.floats(0, 1), removed=st.integers(0, 300), put_in=st.binary(max_size=30))
def test_a_damaged_workbook_file_gives_whole_records_or_one_refusal(
    tmp_path: Path, book: bytes, place: float, removed: int, put_in: bytes
) -> None:
    at = int(place * len(book))
    (tmp_path / "a.xlsx").write_bytes(book[:at] + put_in + book[at + removed :])
    done, _ = refused(lambda: process(tmp_path / "a.xlsx", MAPPING, "steel"))
    if done is not None:
        check(done)
