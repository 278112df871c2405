"""Figures as Bokeh documents for embedding (formal-case.md 15.3). Bokeh is imported inside the functions.

A figure is drawn from lines of ``report-data.json`` only. Long lines are thinned for drawing; the first and last
point, the smallest and largest value of each bucket and both sides of a gap are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autoresearch.errors import require
from autoresearch.evidence import thinning
from autoresearch.evidence.report_data import ReportData, Series

if TYPE_CHECKING:
    from bokeh.plotting import figure as Figure

COLORS = ("#1f6feb", "#c2410c", "#15803d", "#7c3aed", "#a16207", "#be185d", "#0e7490", "#57534e", "#4d7c0f", "#b91c1c")
"""Each at 4.5 : 1 or better on white; the page lightens nothing, dark figures stand on their own panel."""
MARK_COLOR = "#808890"
"""At 3 : 1 or better on white and on the dark paper: marks, not text."""
MOST_POINTS = 2000
ABOVE_TOTAL = 1.04
"""Where the axis of a memory figure ends, as a multiple of the total."""
HEIGHT = 280
LEGEND_LINE = 22
BYTES_A_UNIT = 1 << 30
AXIS = {
    "steps": "step / 步",
    "seconds": "seconds / 秒",
    "loss": "loss / 损失",
    "norm": "norm / 范数",
    "reward": "reward / 奖励",
    "share": "share / 比例",
    "nats": "nats / 纳特",
    "tokens": "tokens",
    "bytes": "GiB",
    "percent": "%",
    "rate": "rate / 学习率",
    "probability": "probability / 概率",
    "MiB": "MiB",
    "watts": "W",
}


@dataclass(frozen=True)
class Drawn:
    """One figure: its id, the lines it draws, points drawn and held, and the Bokeh figure (None: nothing to draw)."""

    id: str
    series: tuple[str, ...]
    points_drawn: int
    points_held: int
    plot: Any
    labels: tuple[str, ...] = ()
    """How the lines are called in the figure; empty: by the ends of their ids."""

    @property
    def names(self) -> tuple[str, ...]:
        """How the table below the figure calls each line."""
        return self.labels or tuple(line.rpartition(".")[2] for line in self.series)


def thin(x: Sequence[float], y: Sequence[float | None], most: int = MOST_POINTS) -> list[int]:
    """Indexes of a line to draw; unknown values are None."""
    import numpy as np

    known = np.array([float("nan") if value is None else float(value) for value in y])
    return thinning.thin(known, most) if len(x) else []


def columns(line: Series, indexes: Sequence[int], *, small: bool = False) -> dict[str, Any]:
    """Typed arrays of a line; unknown values are NaN, so that a gap is drawn as a gap. ``small``: of 32 bits, for the
    many lines of a case."""
    import numpy as np

    scale = BYTES_A_UNIT if line.unit == "bytes" else 1
    values = [line.y[index] for index in indexes]
    kind = np.float32 if small else np.float64
    return {
        "x": np.array([float(line.x[index]) for index in indexes], dtype=kind),
        "y": np.array([float("nan") if value is None else float(value) / scale for value in values], dtype=kind),
    }


def new_figure(x_label: str, y_label: str, x_range: Any = None) -> Figure:
    require("bokeh", "report")
    from bokeh.models import WheelZoomTool
    from bokeh.plotting import figure

    extra = {} if x_range is None else {"x_range": x_range}
    plot = figure(
        height=HEIGHT,
        min_width=260,
        sizing_mode="stretch_width",
        tools="pan,box_zoom,reset",
        toolbar_location="above",
        x_axis_label=x_label,
        y_axis_label=y_label,
        output_backend="canvas",
        **extra,
    )
    plot.add_tools(WheelZoomTool())
    plot.toolbar.logo = None
    plot.toolbar.autohide = False
    for axis in (*plot.xaxis, *plot.yaxis):
        axis.axis_label_text_font_size = "13px"
        axis.axis_label_text_font_style = "normal"
        axis.major_label_text_font_size = "13px"
    return plot


def add_legend(plot: Figure) -> None:
    if not plot.legend:
        return
    legend = plot.legend[0]
    plot.add_layout(legend, "below")
    plot.height = HEIGHT + LEGEND_LINE * len(legend.items)
    legend.click_policy = "hide"
    legend.label_text_font_size = "13px"
    legend.orientation = "vertical"
    legend.location = "left"
    legend.border_line_alpha = 0
    legend.padding = 2
    legend.spacing = 0


def add_marks(plot: Figure, *, total: float | None, shades: Any) -> None:
    """Behind the lines: stages inside the steps as bands, the ends of steps, the memory's total as a dashed line."""
    from bokeh.models import Span, VSpan, VStrip

    if shades is not None:
        band = VStrip(x0="begin", x1="end", fill_color="color", fill_alpha=0.12, line_color=None)
        plot.add_glyph(shades["bands"], band)
        plot.add_glyph(shades["steps"], VSpan(x="x", line_color=MARK_COLOR, line_alpha=0.6))
    if total is not None:
        span = Span(location=total, dimension="width", line_color=MARK_COLOR, line_dash="dashed", line_width=2)
        plot.add_layout(span)
        plot.y_range.start, plot.y_range.end = 0, total * ABOVE_TOTAL  # type: ignore[attr-defined]


def line_figure(name: str, data: ReportData, lines: Sequence[tuple[str, str]], x_range: Any = None) -> Drawn:
    """A figure of those ``(series id, label)`` lines that exist; ``x_range`` of another figure links both."""
    found = [(data.series[each], label) for each, label in lines if each in data.series and data.series[each].x]
    if not found:
        return Drawn(name, (), 0, 0, None)
    from bokeh.models import ColumnDataSource, HoverTool

    first = found[0][0]
    plot = new_figure(AXIS.get(first.x_unit, first.x_unit), AXIS.get(first.unit, first.unit), x_range)
    drawn = 0
    for index, (line, label) in enumerate(found):
        kept = thin(line.x, line.y)
        drawn += len(kept)
        source = ColumnDataSource(columns(line, kept))
        color = COLORS[index % len(COLORS)]
        renderer = plot.line("x", "y", source=source, line_width=2, color=color, legend_label=label)
        if len(kept) <= 60:
            plot.scatter("x", "y", source=source, size=6, color=color, legend_label=label)
        tips = [(label, "@y{0.0000}"), (first.x_unit, "@x{0.[00]}")]
        plot.add_tools(HoverTool(renderers=[renderer], tooltips=tips, mode="vline" if index == 0 else "mouse"))
    add_legend(plot)
    held = sum(len(line.x) for line, _ in found)
    return Drawn(name, tuple(line.id for line, _ in found), drawn, held, plot)


def stack_figure(name: str, data: ReportData, lines: Sequence[tuple[str, str]]) -> Drawn:
    """Bars a step, one part a stage; parts that are unknown or negative are drawn as nothing (the table lists them)."""
    found = [(data.series[each], label) for each, label in lines if each in data.series and data.series[each].x]
    if not found:
        return Drawn(name, (), 0, 0, None)
    import numpy as np
    from bokeh.models import ColumnDataSource, HoverTool

    steps = sorted({x for line, _ in found for x in line.x})
    columns: dict[str, Any] = {"x": np.array([float(step) for step in steps])}
    for index, (line, _) in enumerate(found):
        known = dict(zip(line.x, line.y, strict=True))
        columns[f"part{index}"] = np.array([max(0.0, float(known.get(step) or 0.0)) for step in steps])
    plot = new_figure(AXIS["steps"], AXIS["seconds"])
    parts = [f"part{index}" for index in range(len(found))]
    renderers = plot.vbar_stack(
        parts,
        x="x",
        width=0.8,
        source=ColumnDataSource(columns),
        color=[COLORS[index % len(COLORS)] for index in range(len(found))],
        legend_label=[label for _, label in found],
    )
    for renderer, part, (_, label) in zip(renderers, parts, found, strict=True):
        plot.add_tools(HoverTool(renderers=[renderer], tooltips=[(label, f"@{part}{{0.000}} s"), ("step", "@x")]))
    add_legend(plot)
    held = sum(len(line.x) for line, _ in found)
    return Drawn(name, tuple(line.id for line, _ in found), held, held, plot)


@dataclass(frozen=True)
class Bar:
    """One bar with its interval (share, 0 to 1); ``group`` is what is measured, ``when`` before or after."""

    group: str
    when: str
    value: float
    low: float | None
    high: float | None


def bar_figure(name: str, bars: Sequence[Bar]) -> Drawn:
    """Grouped bars with whiskers for their intervals."""
    if not bars:
        return Drawn(name, (), 0, 0, None)
    from bokeh.models import ColumnDataSource, HoverTool, Range1d, Whisker

    plot = new_figure("", AXIS["share"])
    groups = list(dict.fromkeys(bar.group for bar in bars))
    names = list(dict.fromkeys(bar.when for bar in bars))
    width = 0.8 / len(names)
    for index, when in enumerate(names):
        kept = [bar for bar in bars if bar.when == when]
        place = [groups.index(bar.group) + (index - (len(names) - 1) / 2) * width for bar in kept]
        source = ColumnDataSource(
            {
                "x": place,
                "value": [bar.value for bar in kept],
                "low": [bar.value if bar.low is None else bar.low for bar in kept],
                "high": [bar.value if bar.high is None else bar.high for bar in kept],
                "group": [bar.group for bar in kept],
            }
        )
        color = COLORS[index % len(COLORS)]
        drawn = plot.vbar(x="x", top="value", width=width * 0.9, source=source, color=color, legend_label=when)
        whisker = Whisker(
            source=source, base="x", lower="low", upper="high", line_width=2, line_color="#1b1f24", level="overlay"
        )
        plot.add_layout(whisker)
        tips = [("", "@group"), (when, "@value{0.0%}"), ("95 %", "@low{0.0%} – @high{0.0%}")]
        plot.add_tools(HoverTool(renderers=[drawn], tooltips=tips))
    plot.xaxis.ticker = list(range(len(groups)))
    plot.xaxis.major_label_overrides = dict(enumerate(groups))
    plot.y_range = Range1d(0, 1)
    add_legend(plot)
    return Drawn(name, (), len(bars), len(bars), plot)


def embed(figures: Sequence[Drawn]) -> str | None:
    """Figures of one group as JSON ``{docs, items}`` for ``Bokeh.embed.embed_items``; each goes into the element
    ``figure-<id>``.

    Figures of a group share a document, so that linked axes move together. Ids are renumbered: equal figures give
    equal text.
    """
    drawn = [each for each in figures if each.plot is not None]
    if not drawn:
        return None
    from bokeh.document import Document
    from bokeh.embed.util import standalone_docs_json_and_render_items

    document = Document()
    with document.models.freeze():  # the models are gone through once, not once for each figure
        for each in drawn:
            document.add_root(each.plot)
    docs, items = standalone_docs_json_and_render_items(document)
    content = [item.to_json() for item in items]
    names = {each.plot.id: f"figure-{each.id}" for each in drawn}
    for item in content:
        item["roots"] = {root: names[root] for root in item["roots"]}
    # The order of keys matters: a model is defined where it is met first, and referred to afterwards.
    text = json.dumps({"docs": docs, "items": content}, allow_nan=False)
    order: dict[str, str] = {}

    def renumber(match: re.Match[str]) -> str:
        return order.setdefault(match[0], f'"p{len(order) + 1}"')

    return re.sub(r'"(?:p\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"', renumber, text)


def bokeh_script() -> str:
    """Bokeh's own script from the installed package, safe inside a script element."""
    resources = require("bokeh.resources", "report").Resources(mode="inline", components=["bokeh"])
    return "\n".join(resources.js_raw).replace("</script", "<\\/script")
