"""Lines sorted on disk, and records that are sorted by them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from records import line, processed, standards, write_processed

from autoresearch.errors import InputError
from autoresearch.fields import sorted_lines
from autoresearch.fields.canonical import build
from autoresearch.fields.sorted_lines import SortedLines
from autoresearch.files import read_records


@pytest.mark.parametrize(("run_bytes", "block_bytes"), [(1 << 24, 1 << 16), (100, 7), (1, 3), (40, 1)])
def test_lines_come_back_sorted_whatever_the_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_bytes: int, block_bytes: int
) -> None:
    monkeypatch.setattr(sorted_lines, "RUN_BYTES", run_bytes)
    monkeypatch.setattr(sorted_lines, "BLOCK_BYTES", block_bytes)
    draw = random.Random(4)
    given = [("号" * draw.randrange(5) + str(draw.randrange(90))).encode() for _ in range(200)] + [b""]
    lines = SortedLines(tmp_path)
    for item in given:
        lines.append(item)
    assert list(lines) == sorted(given)
    assert list(tmp_path.iterdir()) == []


def test_no_line_gives_none() -> None:
    assert list(SortedLines()) == []


def test_records_of_many_runs_are_written_by_id_and_what_is_no_object_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = standards(tmp_path)
    records = [processed(f"F{index}", level_4="订单", field_description="a\tb\\") for index in range(60)]
    mixed = [*records[:30], 12, "text", 1, {"no": "id"}, [1], 1.5, *records[30:]]
    with pytest.raises(InputError, match="F040"):
        write_processed(tmp_path, mixed)
        build(**given, datasets=["steel"])
    mixed.remove({"no": "id"})
    write_processed(tmp_path, mixed)
    monkeypatch.setattr(sorted_lines, "RUN_BYTES", 900)
    report = build(**given, datasets=["steel"])["steel"]
    assert (report.input_records, report.status_counts["invalid_record"]) == (65, 5)
    text = (tmp_path / "canonical" / "steel" / "all.json").read_text(encoding="utf-8")
    stored = read_records(tmp_path / "canonical" / "steel" / "all.json")
    assert text == "[\n" + ",\n".join(map(line, stored)) + "\n]\n"
    assert [item["record"] for item in stored[:5]] == ["text", 1, 1.5, 12, [1]]
    assert [item["id"] for item in stored[5:]] == sorted(item["id"] for item in records)


def test_a_refused_build_leaves_no_folder(tmp_path: Path) -> None:
    given = standards(tmp_path)
    write_processed(tmp_path, [processed("A", level_4="订单"), processed("A", level_4="订单")])
    with pytest.raises(InputError, match="F041.*stands on 2 records"):
        build(**given, datasets=["steel"])
    assert not (tmp_path / "canonical").exists()
