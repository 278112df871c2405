"""A run of more than twenty rows is whole in every place (formal-case.md 18, fault 15)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from case_world import CaseWorld, RowPlan, case_name, listen

from autoresearch.cases.judge import judge
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.case_seal import seal
from autoresearch.evidence.verify_page import read_page
from autoresearch.report.check import check_page
from autoresearch.report.render import render_page

ROWS = 45
LARGEST_PAGE = 8_000_000


def test_fault_15_of_forty_five_rows_every_row_run_and_file_is_there_and_the_page_is_usable(
    tmp_path: Path, artifacts: Path, offline_run: Callable[[str], Path]
) -> None:
    rows = [RowPlan(case_name(batch), samples=False, wandb="whole") for batch in range(1, ROWS + 1)]
    world = CaseWorld(tmp_path / "world", rows, accelerator="cpu", runs=offline_run)
    sealed = seal(listen(artifacts, world.events(judge)), render=render_page, check=check_page)
    bundle = Bundle(sealed.path)
    lines = read_lines(bundle.path("matrix"))
    names = [f"{case_name(batch)}.a1" for batch in range(1, ROWS + 1)]
    assert [row.row for row in bundle.manifest.rows] == names
    assert [(line["status"], line["completed_training_steps"]) for line in lines] == [("passed", 3)] * ROWS
    runs = bundle.json(bundle.path("wandb_runs"))["source_runs"]
    assert len({each["wandb_id"] for each in runs}) == ROWS and all(each["whole"] for each in runs)
    for name in names:
        for path in ("metrics.jsonl", "row.json", "result.json"):
            assert (bundle.row_folder(name) / path).is_file()
        assert (bundle.log_folder(name) / "trainer.log").is_file()
    numbers = bundle.json(bundle.path("report_data"))["numbers"]
    assert [name for name in names if not any(name in each["id"] for each in numbers)] == []
    assert bundle.json(bundle.path("report_check"))["ok"] is True
    text = bundle.path("report").read_text(encoding="utf-8")
    page = read_page(text)
    shown = {number.id for number in page.numbers}
    assert [name for name in names if f"row.{name}.completed_steps" not in shown] == []
    assert {f"figure-stages-R{number}" for number in range(1, ROWS + 1)} <= page.figures
    assert len(text.encode()) < LARGEST_PAGE
    assert sealed.ok and sealed.findings == ()
