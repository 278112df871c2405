"""Record files one record at a time, and the pause of the cycle collector."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoresearch.files import json_writer, read_records, stream_records, without_collector, write_records

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
RECORDS = st.lists(st.dictionaries(st.text(max_size=4), VALUES, max_size=3), max_size=5)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(records=RECORDS)
def test_every_layout_gives_the_records_of_the_whole_file(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    path = tmp_path / "all.json"
    write_records(path, records)
    assert list(stream_records(path)) == records
    for indent in (None, 0, 2):
        path.write_text(json.dumps(records, indent=indent), encoding="utf-8")
        assert list(stream_records(path)) == records


@pytest.mark.parametrize(
    "text",
    [
        '[\n{"a":1},\n{"a":1,"a":2}\n]\n',
        '[\n{"a":1},\n{"a":2},\n]\n',
        '[\n{"a":1}\n',
        '[\n{"a":1}\n]\n{"b":2}\n',
        '[\n{"a":1}\n{"b":2}\n]\n',
        '[\n{"a":1},{"b":2},\n',
        '[\n{"a":NaN}\n]\n',
        '{"a":1}\n',
        "",
    ],
)
def test_what_is_no_record_file_is_refused_as_when_read_whole(tmp_path: Path, text: str) -> None:
    path = tmp_path / "all.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError) as whole:
        read_records(path)
    with pytest.raises(ValueError) as streamed:
        list(stream_records(path))
    assert str(streamed.value) == str(whole.value)


def test_a_byte_order_mark_and_several_records_on_a_line_are_read(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    path.write_bytes(b'\xef\xbb\xbf[\n{"a":1},{"a":2},\n{"a":3}\n]\n')
    assert [record["a"] for record in stream_records(path)] == [1, 2, 3]


@given(value=VALUES)
def test_the_prepared_writer_writes_as_json_does(value: Any) -> None:
    assert json_writer(",", ":")(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert json_writer(", ", ": ")(value) == json.dumps(value, ensure_ascii=False)


def test_the_collector_runs_again_after_a_pause_and_after_an_error() -> None:
    def fail() -> None:
        raise ValueError

    assert gc.isenabled()
    with without_collector():
        assert not gc.isenabled()
        with without_collector():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError), without_collector():
        fail()
    assert gc.isenabled()
