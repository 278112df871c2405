"""The scripts for cards: they refuse without one, and docs/measurements.md holds what their files hold."""

from __future__ import annotations

import json
import os
import py_compile
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autoresearch.training.environment import find_device

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "bench" / "gpu"
SCRIPTS = ("matmul", "sft", "sft_variants", "linear_attention", "dataset", "rl", "start_up", "packing")
without_card = pytest.mark.skipif(find_device() == "cuda", reason="this machine has a card")


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    import table as module  # type: ignore[import-not-found]  # a program, not a package

    return module


def result(line: int, used: int = 1, kind: str = "cuda", **numbers: dict[str, Any]) -> dict[str, Any]:
    return {
        "line": line,
        "measured": "2026-01-02",
        "numbers": numbers,
        "facts": {"small": "trained"},
        "plans": {"small": "0123456789abcdef"},
        "device": {"kind": kind, "used": used, "name": "Card 9000"},
        "versions": {"torch": "2.11.0", "python": "3.12.0"},
    }


def row(page: str, line: int) -> list[str]:
    (found,) = [text for text in page.splitlines() if text.startswith(f"| {line} |")]
    return [part.strip() for part in found.strip("|").split(" | ")]


def test_the_page_is_what_the_files_say(table: Any) -> None:
    text = (ROOT / "docs" / "measurements.md").read_text(encoding="utf-8")
    assert text == table.page(), "run: make measurements"


def test_every_line_without_a_file_says_not_measured(table: Any, tmp_path: Path) -> None:
    page = table.page(tmp_path)
    for line in range(1, 13):
        assert row(page, line)[-2:] == ["not measured", "not measured"]
    assert "No file is there yet." in page


def test_a_file_fills_the_cell_of_its_line_and_its_number_of_cards(table: Any, tmp_path: Path) -> None:
    speed = {"unit": "tokens/s", "median": 15712.4, "least": 15001.0, "most": 16000.0, "n": 9}
    leak = {"unit": "logit", "median": 3.2e-6, "n": 1}
    (tmp_path / "sft-x2.json").write_text(json.dumps(result(2, used=2, tokens=speed)), encoding="utf-8")
    (tmp_path / "packing.json").write_text(json.dumps(result(11, leak=leak)), encoding="utf-8")
    page = table.page(tmp_path)
    assert row(page, 2)[-2:] == [
        "not measured",
        "tokens: 15,710 tokens/s (15,000 to 16,000, n 9)<br>small: trained",
    ]
    assert row(page, 11)[-2] == "leak: 3.2e-06 logit (n 1)<br>small: trained"
    assert "| `sft-x2.json` | 2 | 2026-01-02 | 2 × Card 9000 | torch 2.11.0 | small 0123456789ab |" in page


def test_a_rehearsal_on_the_processor_is_no_measurement(table: Any, tmp_path: Path) -> None:
    speed = {"unit": "tokens/s", "median": 1.0, "n": 9}
    (tmp_path / "sft.rehearsal.json").write_text(json.dumps(result(2, kind="cpu", tokens=speed)), encoding="utf-8")
    assert row(table.page(tmp_path), 2)[-2] == "not measured"


def test_the_comparison_of_engines_fills_line_eight(table: Any, tmp_path: Path) -> None:
    found = {
        "line": 8,
        "greedy_episodes": {"n": 32, "equal_texts": 30},
        "logprobs": [{"temperature": 0.7, "n": 640, "absolute_difference": {"median": 1e-4, "max": 0.02}}],
        "device": {"name": "Card 9000"},
        "versions": {},
    }
    (tmp_path / "engine_agreement.json").write_text(json.dumps(found), encoding="utf-8")
    shown = row(table.page(tmp_path), 8)[-2]
    assert "equal greedy texts: 30 of 32 episodes" in shown
    assert "log-prob difference at temperature 0.7: 0.0001 (at most 0.02, n 640)" in shown


def test_every_script_that_the_page_names_is_there_and_compiles(table: Any, tmp_path: Path) -> None:
    named = {script for _, script in table.LINES.values() if script}
    assert {f"{name}.py" for name in SCRIPTS} <= named
    for script in named:
        py_compile.compile(str(FOLDER / script), cfile=str(tmp_path / f"{script}c"), doraise=True)


@without_card
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_refuses_without_a_card_in_one_message(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / f"{name}.py"), "--output", str(tmp_path / "found.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ})
    assert done.returncode == 2
    assert done.stdout == ""
    assert not (tmp_path / "found.json").exists()
    (message,) = done.stderr.splitlines()
    assert message.startswith(f"bench/gpu/{name}.py: no CUDA device, 1 needed (training.md 12, line ")
    assert "constraints/cuda.txt" in message


def test_times_of_steps_are_read_from_the_index_of_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    from launches import step_moments  # type: ignore[import-not-found]

    lines = [b"starting\n", b"step:1 - train/loss:2.0\n", b"noise step:1 of 2\n", b"step:2 - train/loss:1.0\n"]
    (tmp_path / "trainer.log").write_bytes(b"".join(lines))
    offsets = [sum(map(len, lines[:at])) for at in range(len(lines))]
    index = [json.dumps({"offset": at, "epoch_ms": 1000 * (number + 1)}) for number, at in enumerate(offsets)]
    (tmp_path / "log-index.jsonl").write_text("\n".join(index) + "\n", encoding="utf-8")
    assert step_moments(tmp_path) == {1: 2.0, 2: 4.0}
