"""Renders the page of a bundle: one file, opened from disk, that asks nothing of anyone (formal-case.md 15)."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from autoresearch.errors import InputError, RefusedError, require
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.numbers import derive_numbers, report_data_text
from autoresearch.evidence.report_data import ReportData, shown
from autoresearch.evidence.verify_page import series_content
from autoresearch.files import atomic_write_text
from autoresearch.report.case_figures import case_figures
from autoresearch.report.case_texts import is_case
from autoresearch.report.excerpts import transcript_pairs
from autoresearch.report.figures import bokeh_script
from autoresearch.report.markup import Words, visible
from autoresearch.report.plots import Plots, all_figures
from autoresearch.report.view import CHAPTERS, build_view

HERE = Path(__file__).parent
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
Language = Literal["zh", "en"]


def script_json(content: Any) -> str:
    """JSON that may stand inside a script element: no ``<``, so no tag can end it."""
    return script_text(json.dumps(content, ensure_ascii=False, sort_keys=True, allow_nan=False))


def script_text(text: str) -> str:
    """JSON text made safe for a script element."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def page_html(bundle: Bundle, data: ReportData, *, language: Language = "zh", base: str = "") -> str:
    """The page's text. ``base`` is put before relative links: the way from the page to the bundle's folder."""
    jinja2 = require("jinja2", "report")
    words = Words(data)
    view = build_view(bundle, words)
    plots = _figures(bundle, data)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(str(HERE)),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    markup = words.markup
    template = environment.get_template("page.html.jinja")
    text: str = template.render(
        **view,
        n=words.number,
        t=words.text,
        w=words.word,
        plain=words.plain,
        visible=visible,
        shown=shown,
        data=data,
        numbers_of=by_prefix(data),
        has=lambda name: data.value(name) is not None,
        link=lambda path: posixpath.join(base, path) if base else path,
        exists=lambda path: (bundle.root / path).exists(),
        language=language,
        policy=POLICY,
        chapters=CHAPTERS,
        figures=plots.chapters,
        documents=[markup(script_text(each)) for each in plots.documents],
        series_json=markup(script_json(series_content(data))),
        pairs=transcript_pairs(bundle),
        style=markup((HERE / "page.css").read_text(encoding="utf-8")),
        script=markup((HERE / "page.js").read_text(encoding="utf-8")),
        bokeh=markup(bokeh_script()),
    )
    return text


def page_numbers(bundle: Bundle) -> ReportData:
    """All numbers of a bundle. Raises ``InputError`` when a file that they are made from is damaged."""
    try:
        return derive_numbers(bundle)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise InputError(
            f"{bundle.root}: a file that the page is made from is damaged ({type(error).__name__}: {error}); "
            f"autoresearch bundle verify {bundle.root} names it, then take that file from the bundle's source again"
        ) from error


def _figures(bundle: Bundle, data: ReportData) -> Plots:
    """All figures, by the kind of the bundle."""
    wanted = ("steps", "stage_timings", "evaluation", "row_files", "telemetry_table")
    names = {name: bundle.name(name) for name in wanted}
    make = case_figures if is_case(bundle) else all_figures
    return make(data, names, bundle.rows())


def by_prefix(data: ReportData) -> Callable[[str], list[str]]:
    """Ids of numbers that begin with a prefix which ends in a dot, without going through all of them each time."""
    groups: dict[str, list[str]] = {}
    for name in data.numbers:
        head, _, _ = name.rpartition(".")
        while head:
            groups.setdefault(head + ".", []).append(name)
            head, _, _ = head.rpartition(".")
    return lambda prefix: groups.get(prefix, [])


def way_to(bundle: Path, out: Path) -> str:
    """Relative POSIX path from the folder of ``out`` to the bundle; the page's links begin with it."""
    import os

    return Path(os.path.relpath(bundle.resolve(), out.resolve().parent)).as_posix()


def render_page(root: Path, out: Path, language: Language = "zh") -> None:
    """Render the page of the bundle at ``root`` to ``out``; numbers come from the bundle's raw files, never from an
    older page."""
    bundle = Bundle(root)
    atomic_write_text(out, page_html(bundle, page_numbers(bundle), language=language, base=way_to(root, out)))


def render_beside(root: Path, out: Path, language: Language = "zh") -> Path:
    """Render outside a sealed bundle: the page, and ``report-data.json`` beside it. Returns the path of the data.

    Raises ``RefusedError`` when ``out`` lies inside the bundle.
    """
    if out.resolve().is_relative_to(root.resolve()):
        raise RefusedError(f"{out} lies inside the bundle {root}, which is never written into; give an --out elsewhere")
    bundle = Bundle(root)
    data = page_numbers(bundle)
    beside = out.with_name("report-data.json")
    atomic_write_text(beside, report_data_text(data))
    atomic_write_text(out, page_html(bundle, data, language=language, base=way_to(root, out)))
    return beside
