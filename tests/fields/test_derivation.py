"""Registry and corpus from a classification standard (data-line 3.7, 4.3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from records import processed, write_processed

from autoresearch.errors import InputError, RefusedError
from autoresearch.fields.canonical import build
from autoresearch.files import read_json, read_records, write_json

CATEGORIES: list[dict[str, Any]] = [
    {"code": f"A{index}", "name": f"类{index}", "path": ["经营"], "description": "说明", "examples": ["例"]}
    for index in range(1, 7)
]


def arguments(folder: Path, strategy: str) -> dict[str, Any]:
    write_json(folder / "datasets.json", {"datasets": {"steel": {"id_strategy": strategy}}})
    write_json(folder / "standard.json", {"name": "标准", "groups": {"A": "经营"}, "categories": CATEGORIES})
    write_processed(folder, [processed("F", level_1="经营", level_4="类2")])
    return {
        "processed_dir": folder / "processed",
        "canonical_dir": folder / "canonical",
        "config_file": folder / "datasets.json",
        "registry_dir": folder / "std",
        "corpus_dir": folder / "std",
        "derive_from": folder / "standard.json",
        "datasets": ["steel"],
        "overwrite": True,
    }


@pytest.mark.parametrize(("strategy", "category_id"), [("code", "A2"), ("path", "steel:经营...类2")])
def test_records_resolve_to_what_was_derived(tmp_path: Path, strategy: str, category_id: str) -> None:
    build(**arguments(tmp_path, strategy))
    [record] = read_records(tmp_path / "canonical" / "steel" / "all.json")
    assert record["target"]["category_id"] == category_id
    assert read_json(tmp_path / "std" / "steel.registry.json")["groups"] == {"A": "经营"}
    assert read_json(tmp_path / "std" / "steel.corpus.json")["categories"][0]["examples"] == ["例"]


def test_a_second_derivation_keeps_equal_files_and_refuses_others(tmp_path: Path) -> None:
    given = arguments(tmp_path, "code")
    build(**given)
    before = (tmp_path / "std" / "steel.registry.json").read_bytes()
    build(**given)
    write_json(tmp_path / "standard.json", {"categories": CATEGORIES[::-1]})
    with pytest.raises(RefusedError, match="differs from what"):
        build(**given)
    assert (tmp_path / "std" / "steel.registry.json").read_bytes() == before


def test_a_sheet_is_read_like_json(tmp_path: Path) -> None:
    given = arguments(tmp_path, "code")
    book = xlsxwriter.Workbook(str(tmp_path / "standard.xlsx"))
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ("code", "name", "level_1", "description", "examples"))
    for index, item in enumerate(CATEGORIES, start=1):
        sheet.write_row(index, 0, (item["code"], item["name"], "经营", "说明", "甲；乙\n丙"))
    book.close()
    build(**{**given, "derive_from": tmp_path / "standard.xlsx"})
    assert read_json(tmp_path / "std" / "steel.corpus.json")["categories"][0]["examples"] == ["甲", "乙", "丙"]
    assert read_json(tmp_path / "std" / "steel.registry.json")["categories"][1]["path"] == ["经营"]


def test_too_few_categories_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    given = arguments(tmp_path, "code")
    write_json(tmp_path / "standard.json", {"categories": CATEGORIES[:3]})
    with pytest.raises(InputError, match="at least 5"):
        build(**given)
    assert not (tmp_path / "std").exists()
