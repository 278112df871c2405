"""Figures of a formal case: training curves with one line a row, stage times, and each row's resources on one time axis
(formal-case.md 15.2, 15.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autoresearch.evidence.report_data import ReportData, Series
from autoresearch.report.figures import (
    AXIS,
    BYTES_A_UNIT,
    COLORS,
    Drawn,
    add_legend,
    add_marks,
    columns,
    embed,
    new_figure,
    stack_figure,
)
from autoresearch.report.plots import Figure, Plots

SIGNAL = {
    "reward": "reward",
    "mixed_share": "mixed",
    "grad_norm": "grad",
    "kl": "kl",
    "kl_loss": "kl_loss",
    "entropy": "entropy",
    "response_length": "length",
    "clip_ratio": "clip",
}
"""Line of an RL row -> its figure's caption."""
SFT_SIGNAL = {"loss": "loss", "val_loss": "val_loss", "grad_norm": "grad", "tokens": "tokens"}
OPTIONAL = ("kl_loss", "val_loss")
"""What a run need not have: left out where no row has it. The absence of any other is told."""
RESOURCES = ("memory_used_mib", "utilization_percent", "power_watts")
HOST = ("memory_used_bytes", "cpu_utilization_percent", "disk_free_bytes")
TOTALS = {"memory_used_mib": "device.{row}.memory_total", "memory_used_bytes": "host.{row}.memory_total"}
"""Metric -> number that the memory is drawn against."""
ORDER = ("rollout", "reward", "logp", "ref_logp", "values", "advantage", "critic_update", "update")
"""verl's order of the stages inside a step."""
SHADED = {"rollout": "#1f6feb", "update": "#c2410c"}
FEW_POINTS = 60
DASHES = ("solid", "dashed", "dotted", "dashdot")


def short_name(rows: Sequence[str], row: str) -> str:
    """``R1``, ``R2``, …: how figures and tables name a row."""
    return f"R{rows.index(row) + 1}"


def lines_figure(
    name: str,
    data: ReportData,
    lines: Sequence[tuple[str, str]],
    *,
    x_range: Any = None,
    total: float | None = None,
    shades: Any = None,
) -> Drawn:
    """A figure of those ``(series id, label)`` lines that exist, with the memory's total and the shaded stages."""
    found = [(data.series[each], label) for each, label in lines if each in data.series and data.series[each].x]
    if not found:
        return Drawn(name, (), 0, 0, None)
    from bokeh.models import ColumnDataSource, HoverTool, Legend, LegendItem, Line, Scatter

    first = found[0][0]
    plot = new_figure(AXIS.get(first.x_unit, first.x_unit), AXIS.get(first.unit, first.unit), x_range)
    drawn, items, renderers = 0, [], []
    add_marks(plot, total=total, shades=shades)
    for index, (line, label) in enumerate(found):
        drawn += sum(value is not None for value in line.y)
        source = ColumnDataSource(columns(line, range(len(line.x)), small=True))
        color, dash = COLORS[index % len(COLORS)], DASHES[index // len(COLORS) % len(DASHES)]
        glyph = Line(x="x", y="y", line_width=2, line_color=color, line_dash=dash)
        kept = [plot.add_glyph(source, glyph, name=label)]
        if len(line.x) <= FEW_POINTS:
            kept.append(plot.add_glyph(source, Scatter(x="x", y="y", size=6, line_color=color, fill_color=color)))
        items.append(LegendItem(label=label, renderers=kept))
        renderers.append(kept[0])
    tips = [("", "$name"), (first.unit, "@y{0.[0000]}"), (first.x_unit, "@x{0.[00]}")]
    plot.add_tools(HoverTool(renderers=renderers, tooltips=tips, mode="vline"))
    plot.add_layout(Legend(items=items))
    add_legend(plot)
    names = tuple(label for _, label in found)
    return Drawn(name, tuple(line.id for line, _ in found), drawn, _held(data, found), plot, names)


def _held(data: ReportData, found: Sequence[tuple[Series, str]]) -> int:
    return sum(int(data.value(f"{line.id}.n") or 0) for line, _ in found)


def signal_figures(data: ReportData, rows: Sequence[str], source: str) -> list[Figure]:
    """One figure a measure, one line a row, on one step axis; without a plot where no row has the measure."""
    figures: list[Figure] = []
    task, x_range = data.facts.get("run.task"), None
    sft = task is not None and str(task.value).endswith("-sft")
    for name, text in (SFT_SIGNAL if sft else SIGNAL).items():
        lines = [(f"row.{row}.{name}", short_name(rows, row)) for row in rows]
        drawn = lines_figure(f"signal-{text}", data, lines, x_range=x_range)
        if drawn.plot is not None:
            x_range = x_range or drawn.plot.x_range
        if drawn.plot is not None or name not in OPTIONAL:
            figures.append(Figure(drawn, f"figure.case_{text}", "", source))
    return figures


def shaded_stages(data: ReportData, row: str) -> Any:
    """Where rollout and update lie inside each step, by the seconds that verl logged and its order of stages."""
    ends = data.series.get(f"curve.{row}.step")
    if ends is None:
        return None
    times = {name: data.series.get(f"row.{row}.time.{name}") for name in ORDER}
    seconds = {name: dict(zip(line.x, line.y, strict=True)) for name, line in times.items() if line is not None}
    rest = data.series.get(f"row.{row}.time.remainder")
    remainder = dict(zip(rest.x, rest.y, strict=True)) if rest is not None else {}
    begins, stops, colors = [], [], []
    for end, step in zip(ends.x, ends.y, strict=True):
        if step is None:
            continue
        spent = [(name, float(known[step] or 0)) for name, known in seconds.items() if step in known]
        begin = float(end) - sum(part for _, part in spent) - float(remainder.get(step) or 0)
        for name, part in spent:
            if name in SHADED and part > 0:
                begins.append(begin)
                stops.append(begin + part)
                colors.append(SHADED[name])
            begin += part
    return {"begin": begins, "end": stops, "color": colors, "steps": [float(x) for x in ends.x]}


def resource_figures(data: ReportData, row: str, number: str, source: str) -> list[Figure]:
    """Devices and host of a row on the time axis of the host's clock."""
    figures: list[Figure] = []
    x_range, marks = None, shaded_stages(data, row)
    if marks is not None:
        from bokeh.models import ColumnDataSource

        bands = ColumnDataSource({key: marks[key] for key in ("begin", "end", "color")})
        marks = {"bands": bands, "steps": ColumnDataSource({"x": marks["steps"]})}
    for metric in (*RESOURCES, *HOST):
        head = f"curve.{row}.{metric}."
        lines = [(name, name.removeprefix(head)) for name in data.series if name.startswith(head)]
        total = data.value(TOTALS[metric].format(row=row)) if metric in TOTALS else None
        if total is not None and metric in HOST:
            total /= BYTES_A_UNIT
        drawn = lines_figure(
            f"{number}-{metric}",
            data,
            lines,
            x_range=x_range,
            total=None if total is None else float(total),
            shades=marks if metric in RESOURCES else None,
        )
        x_range = drawn.plot.x_range if drawn.plot is not None and x_range is None else x_range
        figures.append(Figure(drawn, f"figure.case_{metric}", row, source))
    return figures


def case_figures(data: ReportData, paths: dict[str, str], rows: Sequence[str]) -> Plots:
    """Every figure of a case's page. ``paths``: ``steps``, ``stage_timings`` and ``telemetry_table`` of the bundle."""
    started = [row for row in rows if f"row.{row}.status" in data.facts and data.facts[f"row.{row}.status"].value]
    started = [row for row in started if data.facts[f"row.{row}.status"].value != "skipped"]
    signal = signal_figures(data, rows, paths["steps"])
    chapters: dict[str, list[Figure]] = {"signal": signal, "stages": [], "accuracy": [], "resources": []}
    groups: list[list[Figure]] = [signal]
    for row in started:
        number = short_name(rows, row)
        names = [name for name in data.series if name.startswith(f"row.{row}.time.")]
        if names:
            drawn = stack_figure(f"stages-{number}", data, [(name, name.rpartition(".")[2]) for name in names])
            chapters["stages"].append(Figure(drawn, "figure.case_stages", row, paths["stage_timings"]))
            groups.append(chapters["stages"][-1:])
        group = resource_figures(data, row, number, paths["telemetry_table"])
        chapters["resources"] += group
        groups.append(group)
    documents = [text for group in groups if (text := embed([each.drawn for each in group])) is not None]
    return Plots(chapters, documents)
