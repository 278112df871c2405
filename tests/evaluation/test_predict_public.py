"""Prediction on public field lists and registries: every row comes back, original columns unchanged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from autoresearch.evaluation.predict import predict
from autoresearch.evaluation.prediction_request import Request

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FIELDS, REGISTRIES = DATA / "fields", DATA / "standards" / "registries"
pytestmark = [pytest.mark.field, pytest.mark.skipif(not FIELDS.is_dir(), reason="public files are absent")]


@pytest.fixture(params=["finance", "infra"])
def standards(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "standards"
    folder.mkdir()
    for kind in ("registry", "corpus"):
        shutil.copyfile(REGISTRIES / f"{request.param}.{kind}.json", folder / f"{request.param}.{kind}.json")
    return folder


def first_sheet(path: Path) -> list[list[object]]:
    with CalamineWorkbook.from_path(str(path)) as book:
        found: list[list[object]] = book.get_sheet_by_index(0).to_python(skip_empty_area=False)
        return found


def test_public_spreadsheet_comes_back_whole(standards: Path, tmp_path: Path) -> None:
    source, out = FIELDS / "massive_column_metadata.xlsx", tmp_path / "out.xlsx"
    done = predict(Request(source, standards, out))
    before, after = first_sheet(source), first_sheet(out)
    assert done["rows"] == done["fields"] == 1508
    assert len(after) == len(before) == 1509
    assert [row[:8] for row in after] == before
    assert done["answered"] > 1300


def test_without_a_grading_standard_the_level_is_left_to_people(standards: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.xlsx"
    done = predict(Request(FIELDS / "massive_column_metadata.csv", standards, out))
    header, *rows = first_sheet(out)
    level, review, answer = (header.index(name) for name in ("预测级别", "复核", "预测类别"))
    assert done["no_level"] == 1508
    assert not any(row[level] for row in rows)
    assert all("没有分级标准" in str(row[review]) for row in rows if row[answer])


@pytest.mark.parametrize("name", ["ry_20260417.sql", "mall.sql", "mes_tables"])
def test_public_schemas_give_one_row_a_column(name: str, standards: Path, tmp_path: Path) -> None:
    done = predict(Request(FIELDS / name, standards, tmp_path / "out.xlsx"))
    assert len(first_sheet(tmp_path / "out.xlsx")) == done["rows"] + 1
    assert done["rows"] == done["fields"] > 200
    assert 0 < done["answered"] <= done["fields"]
