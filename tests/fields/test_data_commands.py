"""The ``data`` commands: one JSON object on stdout, exit codes, messages without a traceback (data-line 4.0; 12.5,
12.41).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from records import standards
from sheets import MAPPING, row, workbook

from autoresearch.cli.main import run


@pytest.fixture
def called(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: Any) -> tuple[int, dict[str, Any], str]:
        code = run(["data", *(str(word) for word in words)])
        shown = capsys.readouterr()
        result: dict[str, Any] = json.loads(shown.out)
        return code, result, shown.err

    return call


def prepared(folder: Path, count: int = 60) -> dict[str, Path]:
    rows = [
        row(table_name=f"T{index // 3}", field_name=f"F{index}", level_4=("订单", "库存", "炉次")[index % 3])
        for index in range(count)
    ]
    workbook(folder / "a.xlsx", rows)
    (folder / "m.json").write_text(json.dumps(MAPPING.columns), encoding="utf-8")
    return standards(folder)


def test_the_commands_run_in_order_as_printed(tmp_path: Path, called: Any) -> None:
    paths = prepared(tmp_path)
    reading = ("preprocess", "--input", tmp_path / "a.xlsx", "--mapping", tmp_path / "m.json", "--dataset", "steel")
    reading = (*reading, "--output", tmp_path / "processed" / "steel" / "all.json")
    code, result, _ = called(*reading)
    assert (code, result["command"], result["ledger"]["written"]) == (0, "data preprocess", 60)
    flags = [word for name, path in paths.items() for word in (f"--{name.replace('_', '-')}", path)]
    code, result, _ = called("build", *flags, "--dataset", "steel")
    assert (code, result["datasets"]["steel"]["status_counts"]["resolved"]) == (0, 60)
    splitting = ("split", "--canonical-dir", tmp_path / "canonical", "--dataset", "steel", "--split-type", "group")
    assert called(*splitting)[0] == 0
    code, result, error = called(*splitting)
    assert (code, result["findings"][0]["code"]) == (2, "F060")
    assert error.startswith("split: F060")
    measuring = ("leakage", "--canonical", f"steel={tmp_path / 'canonical' / 'steel' / 'all.json'}")
    assert called(*measuring, "--report", tmp_path / "l.json")[0] == 0
    code, result, _ = called(*measuring, "--report", tmp_path / "m2.json", "--max-near-share", "-1")
    assert (code, result["status"]) == (1, "failed")
    assert not list(tmp_path.rglob(".*staging*"))


def test_a_lost_table_is_exit_1_with_the_output_written(tmp_path: Path, called: Any) -> None:
    (tmp_path / "a.sql").write_text("CREATE TABLE `t` (a int);\nCREATE TABLE `x` (a int b c d);", encoding="utf-8")
    code, result, _ = called("import-ddl", tmp_path / "a.sql", "--dataset", "steel", "--output", tmp_path / "out")
    assert (code, result["lost_tables"], result["columns"]) == (1, 1, 1)
    assert (tmp_path / "out" / "all.json").is_file()


def test_a_users_mistake_shows_one_message_and_no_traceback(tmp_path: Path, called: Any) -> None:
    workbook(tmp_path / "a.xlsx", [row(data_level="2.5")])
    (tmp_path / "m.json").write_text(json.dumps(MAPPING.columns), encoding="utf-8")
    words = ("--input", tmp_path / "a.xlsx", "--mapping", tmp_path / "m.json", "--dataset", "steel")
    code, result, error = called("preprocess", *words, "--output", tmp_path / "out.json")
    assert (code, result["status"]) == (2, "refused")
    assert "Traceback" not in error
    assert called("preprocess", "--input", tmp_path / "a.xlsx")[0] == 2


def test_the_room_needs_no_training_stack() -> None:
    """12.5: importing everything here loads none of the packages of the training stack."""
    modules = ["preprocess", "canonical", "split", "leakage", "ddl", "derivation"]
    code = "import sys; " + "; ".join(f"import autoresearch.fields.{name}" for name in modules)
    code += "; print([name for name in ('torch', 'ray', 'verl', 'wandb', 'transformers') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
