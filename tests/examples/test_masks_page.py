"""docs/masks.md is what the program writes now, from releases of the small example (training.md 4.3)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "masks.md"


def test_the_page_is_written_again_byte_for_byte(tmp_path: Path) -> None:
    out = tmp_path / "masks.md"
    command = [sys.executable, str(ROOT / "examples" / "steel" / "masks.py"), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert out.read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8"), "run: make masks"


def test_the_page_shows_every_family_both_switches_and_both_classes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for title in (
        *(f"trajectory, {kind}, thinking {switch}" for kind in ("direct", "single_tool") for switch in ("off", "on")),
        *(f"{family}, stage1, thinking off" for family in ("three-message", "rl-pairs", "rl-cascade")),
    ):
        for kind in ("text-only class (qwen3_5_text)", "image-text class (qwen3_5)"):
            assert f"{title}, {kind}" in text
