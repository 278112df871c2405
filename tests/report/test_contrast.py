"""Text and lines of the page have a contrast of at least 4.5 : 1 in both schemes (formal-case.md 15.1)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autoresearch.report import figures

HERE = Path(figures.__file__).parent
CSS = (HERE / "page.css").read_text()
SCRIPT = (HERE / "page.js").read_text()


def luminance(color: str) -> float:
    """Relative luminance of ``#rrggbb`` (WCAG 2)."""
    parts = [int(color[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    """Contrast ratio of two colors."""
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def scheme(index: int) -> dict[str, str]:
    """The color variables of the light (0), dark (1) or print (2) scheme."""
    block = re.findall(r":root \{(.*?)\}", CSS, flags=re.DOTALL)[index]
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize("name", ["ink", "soft", "accent", "good", "bad"])
@pytest.mark.parametrize("ground", ["paper", "panel"])
def test_text_is_readable_on_every_ground(index: int, name: str, ground: str) -> None:
    colors = scheme(index)
    assert contrast(colors[name], colors[ground]) >= 4.5


@pytest.mark.parametrize("index", [0, 1])
def test_the_warning_badge_is_readable(index: int) -> None:
    colors = scheme(index)
    assert contrast(colors["warn-ink"], colors["warn-bg"]) >= 4.5


def test_lines_are_visible_in_both_schemes() -> None:
    lighter = dict(re.findall(r'"(#[0-9a-f]{6})": "(#[0-9a-f]{6})"', SCRIPT))
    for color in figures.COLORS:
        assert contrast(color, scheme(0)["paper"]) >= 4.5, color
        assert contrast(lighter[color], scheme(1)["paper"]) >= 4.5, color
