"""The ``report`` check: every number is reproduced by its formula, and the page shows no number that is not in the
data (9.6).

A number on the page stands in ``<data data-id="…" value="…">text</data>``; its value and text must be those of
``report-data.json``. The lines that the page's tables list stand in ``<script id="series-data">`` and must equal the
data's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.numbers import derive_numbers, report_data_text
from autoresearch.evidence.report_data import ReportData, differing_ids, from_dict, shown
from autoresearch.evidence.verify_evaluation import evaluation_findings
from autoresearch.files import read_json
from autoresearch.findings import Finding, finding


@dataclass(frozen=True)
class PageNumber:
    """One number as the page shows it."""

    id: str
    value: str
    text: str
    line: int


class PageReader(HTMLParser):
    """Collects numbers, links, element ids and the lines' data of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.numbers: list[PageNumber] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.chapters: list[str] = []
        self.synthetic: set[str] = set()
        """Chapters that carry the mark of synthetic hardware."""
        self.figures: set[str] = set()
        """Elements that a figure is drawn into."""
        self.documents: list[str] = []
        """The figures' documents, as JSON text."""
        self.statements: set[str] = set()
        self.series_text = ""
        self.policy = ""
        self._open: tuple[str, str, int] | None = None
        self._text = ""
        self._in_series = self._in_document = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what opens."""
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self.ids.add(found["id"])
        for name in ("href", "src", "action", "poster", "data", "srcset"):
            if name in found:
                self.links.append(found[name])
        if "data-chapter" in found:
            self.chapters.append(found["data-chapter"])
            if "data-synthetic" in found:
                self.synthetic.add(found["data-chapter"])
        if found.get("class") == "plot":
            self.figures.add(found.get("id", ""))
        if "data-statement" in found:
            self.statements.add(found["data-statement"])
        if found.get("http-equiv", "").lower() == "content-security-policy":
            self.policy = found.get("content", "")
        if tag == "data":
            self._open, self._text = (found.get("data-id", ""), found.get("value", ""), self.getpos()[0]), ""
        self._in_series = tag == "script" and found.get("id") == "series-data"
        self._in_document = tag == "script" and found.get("class") == "bokeh-document"
        if self._in_document:
            self.documents.append("")

    def handle_endtag(self, tag: str) -> None:
        """Keep a number when it closes."""
        if tag == "data" and self._open is not None:
            self.numbers.append(PageNumber(self._open[0], self._open[1], self._text, self._open[2]))
            self._open = None
        if tag == "script":
            self._in_series = self._in_document = False

    def handle_data(self, data: str) -> None:
        """Text of a number, or the lines' data."""
        if self._in_series:
            self.series_text += data
        elif self._in_document:
            self.documents[-1] += data
        elif self._open is not None:
            self._text += data


def read_page(text: str) -> PageReader:
    """Parse a page."""
    reader = PageReader()
    reader.feed(text)
    reader.close()
    return reader


def value_attribute(value: int | float | None) -> str:
    """The ``value`` attribute of a number: its JSON text."""
    return json.dumps(value)


def series_content(data: ReportData) -> dict[str, Any]:
    """What ``<script id="series-data">`` holds: id -> ``{x, y, x_unit, unit}``."""
    return {
        each.id: {"x": list(each.x), "y": list(each.y), "x_unit": each.x_unit, "unit": each.unit}
        for each in data.series.values()
    }


def page_findings(page: PageReader, data: ReportData, place: str) -> list[Finding]:
    """Numbers of a page that are not those of the data."""
    found = []
    for number in page.numbers:
        known = data.numbers.get(number.id)
        where = f"{place}:{number.line}: {number.id}"
        if known is None:
            found.append(
                finding(
                    "V617", place=where, value=number.text, rule="the page shows a number that report-data.json lacks"
                )
            )
        elif (number.value, number.text) != (value_attribute(known.value), shown(known.value, known.unit)):
            rule = f"report-data.json says {known.value!r}, shown as {shown(known.value, known.unit)}"
            found.append(finding("V617", place=where, value=f"{number.value} ({number.text})", rule=rule))
    try:
        series = json.loads(page.series_text)
    except ValueError:
        series = None
    if series != series_content(data):
        found.append(
            finding(
                "V617", place=f"{place}: series-data", value="differs", rule="the lines are those of report-data.json"
            )
        )
    return found


def check_report(bundle: Bundle, page: PageReader) -> tuple[int, tuple[Finding, ...]]:
    """Number of values looked at, and a finding for each that is not reproduced or is shown otherwise."""
    name, path = bundle.name("report_data"), bundle.path("report_data")
    derived = derive_numbers(bundle)
    recorded = from_dict(read_json(path))
    found = [
        finding(
            "V617",
            place=f"{name}: {each}",
            value=_value(recorded, each),
            rule=f"its formula gives {_value(derived, each)}",
        )
        for each in differing_ids(recorded, derived)
    ]
    if not found and path.read_text(encoding="utf-8") != report_data_text(derived):
        found.append(
            finding("V617", place=name, value="other bytes", rule="the numbers are written in one form and order")
        )
    found += page_findings(page, derived, bundle.name("report"))
    found += evaluation_findings(bundle)
    return len(recorded.numbers) + len(recorded.series) + len(recorded.facts), tuple(found)


def _value(data: ReportData, name: str) -> str:
    if name in data.series:
        return f"a line of {len(data.series[name].x)} points"
    item = data.numbers.get(name) or data.facts.get(name)
    return "nothing" if item is None else repr(item.value)
