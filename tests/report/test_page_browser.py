"""The page in a real browser, from disk and without network: figures are drawn, nothing is asked for, it fits a
phone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = [pytest.mark.services, pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")]

PROBE = Path(__file__).with_name("probe.js")
FRAME = Path(__file__).with_name("frame.html")


def browse(page_bundle: Path, tmp_path: Path, width: int) -> tuple[dict[str, object], str]:
    """Open the page in a frame of this width; returns what the probe saw and the console's text."""
    (tmp_path / "page").mkdir()
    text = (page_bundle / "0-report" / "report.html").read_text(encoding="utf-8")
    (tmp_path / "page" / "report.html").write_text(
        text.replace("</body>", f"<script>{PROBE.read_text()}</script></body>"), encoding="utf-8"
    )
    (tmp_path / "frame.html").write_text(FRAME.read_text().replace("WIDTH", str(width)))
    command = [
        str(CHROMIUM),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--enable-logging=stderr",
        "--virtual-time-budget=15000",
        f"--user-data-dir={tmp_path / 'profile'}",
        "--window-size=1400,3000",
        "--dump-dom",
        (tmp_path / "frame.html").as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    found = re.search(r'data-result="([^"]*)"', done.stdout)
    assert found is not None, done.stderr[-2000:]
    result: dict[str, object] = json.loads(found[1].replace("&quot;", '"'))
    return result, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


def fits(result: dict[str, object], console: str, width: int) -> None:
    """The page is as wide as its frame, every figure is drawn, both languages work, and nothing was complained of."""
    assert result["inner"] == width
    assert isinstance(result["width"], int)
    assert result["width"] <= width
    assert result["figures"] == result["drawn"] == result["roots"]
    assert result["language"] == "en"
    assert isinstance(result["smallest"], float | int)
    assert result["smallest"] >= 13
    assert result["body"] == 16
    assert not re.search(r"error|refused|violat|blocked|failed", console, flags=re.IGNORECASE), console


@pytest.mark.parametrize("width", [360, 1280])
def test_figures_are_drawn_and_the_page_does_not_scroll_sideways(page_bundle: Path, tmp_path: Path, width: int) -> None:
    result, console = browse(page_bundle, tmp_path, width)
    fits(result, console, width)
    assert result["rows"] == 6


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_of_a_case_is_drawn_in_a_browser(case_bundle: Path, tmp_path: Path, width: int) -> None:
    result, console = browse(case_bundle, tmp_path, width)
    fits(result, console, width)
    # stages of three rows, nine resource figures of each source's metrics, and the training curves
    assert isinstance(result["figures"], int)
    assert result["figures"] == 3 + 3 * 6 + 3
    assert result["rows"] == 3
