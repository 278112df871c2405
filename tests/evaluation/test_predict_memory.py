"""Memory of a prediction does not grow with the texts of its rows: a further field costs numbers (training 10).

Buffers and caches are made small here, so that what is left is what grows. Columns of polars and what the readers of
workbooks hold are not seen by the tracer; ``make bench-predict`` measures whole processes.
"""

from __future__ import annotations

import csv
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import xlsxwriter

from autoresearch import files
from autoresearch.evaluation import field_rows, field_source, prediction_run, retrieval_baseline, sheet
from autoresearch.evaluation.model_answers import ModelAnswer, PredictionLog, Settings
from autoresearch.evaluation.predict import predict
from autoresearch.evaluation.prediction_request import Request
from autoresearch.fields import table_file, xlsx_scan
from autoresearch.files import without_collector
from autoresearch.task import retrieval

SMALL = Path(__file__).resolve().parents[2] / "examples" / "steel" / "small"
WARM, FEW, MANY = 200, 600, 1_500
MOST_BYTES, MOST_OF_PROMPT = 200, 300
"""What a further field and a further answer of a model may cost; with their texts they take 300 to 10,000."""


@pytest.fixture(autouse=True)
def small_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    for room, names in {
        field_rows: ("PIECE", "GATHERED"),
        field_source: ("PIECE",),
        prediction_run: ("CHUNK",),
        retrieval_baseline: ("CHUNK", "MOST_NAMES", "MOST_TEXTS"),
        retrieval: ("CHUNK", "MOST_LATEST"),
    }.items():
        for name in names:
            monkeypatch.setattr(room, name, 128)
    monkeypatch.setattr(table_file, "BLOCK_BYTES", 1 << 12)
    monkeypatch.setattr(xlsx_scan, "BLOCK_BYTES", 1 << 13)
    monkeypatch.setattr(files, "BUFFER_BYTES", 1 << 12)
    monkeypatch.setattr(sheet, "MOST_ROWS_WITH_MERGES", 100)


def rows(count: int) -> list[tuple[str, ...]]:
    """Header and fields, each with texts of its own."""
    fields = [
        (f"T_{number // 20}", f"HEAT_{number:06d}", f"第{number}号高炉出铁口温度实测值（第{number * 7919}次取样）" * 3)
        for number in range(count)
    ]
    return [("表名", "字段名", "字段描述"), *fields]


def as_csv(path: Path, count: int) -> Path:
    with path.open("w", encoding="utf-8", newline="") as handle:
        csv.writer(handle).writerows(rows(count))
    return path


def as_workbook(path: Path, count: int) -> Path:
    book = xlsxwriter.Workbook(str(path))
    page = book.add_worksheet("字段")
    for number, texts in enumerate(rows(count)):
        page.write_row(number, 0, texts)
        page.write(number, 3, number * 1.5 if number else "数量")
    book.close()
    return path


def bytes_a_field(prepare: Callable[[int], object], action: Callable[[], object]) -> float:
    """How much the peak grows from ``FEW`` to ``MANY`` fields, over their difference."""
    peaks = []
    prepare(WARM)
    action()  # what is made once is made before
    for count in (FEW, MANY):
        prepare(count)
        with without_collector():
            tracemalloc.start()
            kept = action()
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        del kept
    return (peaks[1] - peaks[0]) / (MANY - FEW)


@pytest.mark.parametrize("out", ["out.csv", "out.xlsx"])
def test_a_further_line_costs_numbers(tmp_path: Path, out: str) -> None:
    source = tmp_path / "in.csv"
    request = Request(source, SMALL, tmp_path / out, overwrite=True)
    assert bytes_a_field(lambda count: as_csv(source, count), lambda: predict(request)) < MOST_BYTES


def test_labelled_neighbours_are_looked_up_in_caches_that_end(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    request = Request(source, SMALL, tmp_path / "out.csv", overwrite=True, labelled=SMALL / "raw/steel.xlsx")
    assert bytes_a_field(lambda count: as_csv(source, count), lambda: predict(request)) < MOST_BYTES


def test_typed_cells_of_a_workbook_are_laid_aside(tmp_path: Path) -> None:
    source = tmp_path / "in.xlsx"
    request = Request(source, SMALL, tmp_path / "out.csv", overwrite=True)
    assert bytes_a_field(lambda count: as_workbook(source, count), lambda: predict(request)) < MOST_BYTES


def test_what_a_model_said_stays_in_the_log(tmp_path: Path) -> None:
    path, settings = tmp_path / "predictions.jsonl", Settings("tree", 1, False)

    def write(count: int) -> None:
        log = PredictionLog.open(path, settings, resume=False, overwrite=True)
        log.append([ModelAnswer(f"{number:064d}", (("1", "L2"),), thought="炉次" * 500) for number in range(count)])

    assert bytes_a_field(write, lambda: PredictionLog.open(path, settings, resume=True)) < MOST_OF_PROMPT
