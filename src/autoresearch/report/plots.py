"""Which figures the page draws, from which lines of the data, in which group (formal-case.md 15.2, 15.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autoresearch.evidence.report_data import ReportData
from autoresearch.report.figures import Bar, Drawn, bar_figure, embed, line_figure, stack_figure

BAR_METRICS = (
    ("exact", "both\n全对"),
    ("category_exact", "category\n类别"),
    ("level_exact", "level\n级别"),
    ("answer_valid", "valid\n有效"),
)
BAR_NAMES = (("before", "before / 前"), ("after", "after / 后"))


@dataclass(frozen=True)
class Figure:
    """A figure as the template needs it."""

    drawn: Drawn
    text: str
    """Key of its caption in ``texts.json``."""
    row: str
    source: str
    """Relative path of the full data, inside the bundle."""

    @property
    def id(self) -> str:
        """Id of the figure, without its prefix."""
        return self.drawn.id


@dataclass(frozen=True)
class Plots:
    """All figures by the chapter they stand in, and the documents to embed."""

    chapters: dict[str, list[Figure]]
    documents: list[str]


def _bars(data: ReportData) -> list[Bar]:
    bars = []
    for metric, group in BAR_METRICS:
        for name, when in BAR_NAMES:
            head = f"eval.{name}.{metric}"
            value = data.value(f"{head}.rate")
            if value is not None:
                bars.append(Bar(group, when, float(value), _float(data, f"{head}.low"), _float(data, f"{head}.high")))
    return bars


def _float(data: ReportData, name: str) -> float | None:
    value = data.value(name)
    return None if value is None else float(value)


def training_figures(data: ReportData, row: str, steps: str, signal: str) -> list[Figure]:
    """Curves of one attempt; all share the step axis. ``steps`` and ``signal`` are relative paths of the full data."""
    head = f"row.{row}."
    if row.startswith("sft"):
        wanted: list[tuple[str, str, list[tuple[str, str]]]] = [
            ("sft-loss", steps, [("loss", "train/loss"), ("val_loss", "val/loss")]),
            ("sft-grad", steps, [("grad_norm", "train/grad_norm")]),
        ]
    else:
        shares = [
            ("call_share", "call share"),
            ("answer_valid_share", "answer valid"),
            ("truncated_share", "truncated"),
        ]
        wanted = [
            ("rl-reward", steps, [("reward", "critic/score/mean")]),
            ("rl-mixed", signal, [("mixed_share", "mixed share")]),
            ("rl-calls", signal, shares),
            ("rl-grad", steps, [("grad_norm", "actor/grad_norm")]),
            ("rl-entropy", steps, [("entropy", "actor/entropy"), ("kl", "actor/ppo_kl")]),
            ("rl-length", steps, [("response_length", "response_length/mean")]),
        ]
    figures: list[Figure] = []
    x_range = None
    for text, source, lines in wanted:
        drawn = line_figure(f"{text}-{row}", data, [(head + name, label) for name, label in lines], x_range)
        x_range = drawn.plot.x_range if drawn.plot is not None and x_range is None else x_range
        figures.append(Figure(drawn, f"figure.{text}", row, source))
    return figures


def host_figures(data: ReportData, row: str, source: str) -> list[Figure]:
    """Memory and processor of the host during one attempt, on one time axis."""
    lines = [(f"host.{row}.memory_used", "used"), (f"host.{row}.memory_available", "available")]
    memory = line_figure(f"memory-{row}", data, lines)
    x_range = None if memory.plot is None else memory.plot.x_range
    processor = line_figure(f"cpu-{row}", data, [(f"host.{row}.cpu", "cpu")], x_range)
    return [Figure(memory, "figure.memory", row, source), Figure(processor, "figure.cpu", row, source)]


def all_figures(data: ReportData, paths: dict[str, str], rows: Sequence[str]) -> Plots:
    """Every figure of the page. ``paths``: ``steps``, ``stage_timings``, ``evaluation`` and ``row_files`` of the
    bundle."""
    chapters: dict[str, list[Figure]] = {"signal": [], "stages": [], "accuracy": [], "resources": []}
    groups: list[list[Figure]] = []
    for row in rows:
        folder = f"{paths['row_files']}/{row}"
        training = training_figures(data, row, paths["steps"], f"{folder}/signal.jsonl")
        host = host_figures(data, row, f"{folder}/host-samples.jsonl")
        chapters["signal"] += training
        chapters["resources"] += host
        groups += [training, host]
        stages = [name for name in data.series if name.startswith(f"row.{row}.time.")]
        if stages:
            drawn = stack_figure(f"stages-{row}", data, [(name, name.rpartition(".")[2]) for name in stages])
            chapters["stages"].append(Figure(drawn, "figure.rl-stages", row, paths["stage_timings"]))
            groups.append(chapters["stages"][-1:])
    probes = Figure(
        line_figure("probes", data, [("probes.rate", "probe"), ("probes.majority", "majority pair")]),
        "figure.probes",
        "",
        f"{paths['evaluation']}/probes.json",
    )
    if probes.drawn.plot is not None:
        chapters["signal"].insert(len([each for each in chapters["signal"] if each.row.startswith("sft")]), probes)
        groups.append([probes])
    bars = Figure(bar_figure("before-after", _bars(data)), "figure.before-after", "", paths["evaluation"])
    chapters["accuracy"].append(bars)
    groups.append([bars])
    documents = [text for group in groups if (text := embed([each.drawn for each in group])) is not None]
    return Plots(chapters, documents)
