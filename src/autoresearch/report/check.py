"""``autoresearch report check``: is the page complete, and is every number on it one of the bundle (formal-case.md
15.5)."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.derived import read_lock
from autoresearch.evidence.report_data import ReportData
from autoresearch.evidence.verify_page import PageReader, page_findings, read_page
from autoresearch.evidence.verify_secrets import link_problem
from autoresearch.findings import Finding, finding
from autoresearch.report.case_texts import is_case
from autoresearch.report.drawn_lines import known_lines, read_document
from autoresearch.report.markup import Words
from autoresearch.report.render import page_numbers
from autoresearch.report.view import CHAPTERS, statements

LARGEST_PAGE_BYTES = 25 << 20
POLICY_MARK = "default-src 'none'"


@dataclass(frozen=True)
class PageCheck:
    """One check of a page: ``path`` is the file it is about."""

    id: str
    ok: bool
    path: str
    message: str
    findings: tuple[Finding, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The check's line in the JSON; findings only where there are any."""
        line: dict[str, Any] = {"id": self.id, "ok": self.ok, "path": self.path, "message": self.message}
        return {**line, "findings": [each.as_dict() for each in self.findings]} if self.findings else line


def _judged(name: str, path: str, good: str, found: Sequence[Finding]) -> PageCheck:
    message = good if not found else f"{len(found)} problems, first: {found[0].place} {found[0].value} {found[0].rule}"
    return PageCheck(name, not found, path, message, tuple(found))


def _chapters(page: PageReader, place: str) -> PageCheck:
    missing = [
        finding("V701", place=place, value=name, rule="a chapter of the page")
        for name in CHAPTERS
        if name not in page.chapters
    ]
    return _judged("chapters", place, f"all {len(CHAPTERS)} chapters", missing)


def _statements(page: PageReader, bundle: Bundle, data: ReportData, place: str) -> PageCheck:
    wanted = [each.id for each in statements(Words(data), bundle, bundle.rows())] + ["proves", "proves-not", "live"]
    missing = [
        finding("V702", place=place, value=name, rule="a statement that applies")
        for name in wanted
        if name not in page.statements
    ]
    return _judged("statements", place, f"{len(wanted)} statements", missing)


def _numbers(page: PageReader, data: ReportData, place: str) -> PageCheck:
    found = [
        finding("V703", place=each.place, value=each.value, rule=each.rule) for each in page_findings(page, data, place)
    ]
    return _judged("numbers", place, f"{len(page.numbers)} numbers, all of report-data.json", found)


def _rows(page: PageReader, bundle: Bundle, data: ReportData, place: str) -> PageCheck:
    """Each planned case of lock and additions has a row, each row is shown, and each that started left samples."""
    lock = read_lock(bundle)
    shown = {number.id for number in page.numbers}
    found = []
    for case in lock.rows:
        rows = [row for row in bundle.rows() if row.rpartition(".a")[0] == case.case_id]
        if not rows:
            found.append(_missing(place, case.case_id, "each planned case has a row"))
        for row in rows:
            if f"row.{row}.completed_steps" not in shown:
                found.append(_missing(place, row, "each row's steps are shown"))
            started = data.facts[f"row.{row}.status"].value != "skipped"
            if is_case(bundle):
                found += case_row_findings(bundle, data, row, place) if started else []
            elif started and not data.value(f"host.{row}.rounds"):
                found.append(_missing(place, row, "each started row has at least one sample"))
    return _judged("rows", place, f"{len(lock.rows)} planned cases", found)


def _missing(place: str, value: str, rule: str) -> Finding:
    return finding("V703", place=place, value=value, rule=rule)


def case_row_findings(bundle: Bundle, data: ReportData, row: str, place: str) -> list[Finding]:
    """What a started row of a case must have left: host samples, samples of each wanted device, and, if it passed, its
    W&B run. A row whose trainer never lived left nothing to show."""
    line = next((each for each in read_lines(bundle.path("matrix")) if _name(each) == row), {})
    if line.get("elapsed_seconds") is None:
        return []
    described = bundle.json(bundle.row_folder(row) / "row.json") or {}
    found = []
    if (described.get("telemetry") or {}).get("host", True) and not data.value(f"host.{row}.rounds"):
        found.append(_missing(place, row, "each started row has at least one host sample"))
    head = f"device.{row}.of."
    seen = [name for name, fact in data.facts.items() if name.startswith(head) and name.endswith(".wanted")]
    wanted = [name for name in seen if data.facts[name].value]
    if bundle.manifest.accelerator != "cpu" and len(wanted) < len(line.get("devices") or []):
        found.append(_missing(place, row, "each wanted device has at least one sample"))
    logged = line.get("wandb_id") and bundle.manifest.kind == "verl-case"
    if logged and line.get("status") == "passed" and not data.facts[f"wandb.{row}.there"].value:
        found.append(_missing(place, row, "each row that passed has its W&B run"))
    return found


def _name(line: dict[str, Any]) -> str:
    return f"{line.get('case_id')}.a{line.get('attempt')}"


def _synthetic(page: PageReader, bundle: Bundle, place: str) -> PageCheck:
    """Each chapter of a run on stand-ins says so; no other page does."""
    wanted = set(CHAPTERS) if bundle.manifest.synthetic_hardware and is_case(bundle) else set()
    found = [
        finding("V702", place=place, value=name, rule="the mark of synthetic hardware stands where it applies")
        for name in CHAPTERS
        if (name in page.synthetic) != (name in wanted)
    ]
    return _judged("synthetic", place, f"{len(wanted)} chapters are marked", found)


def _figures(page: PageReader, data: ReportData, place: str) -> PageCheck:
    """Each line that is drawn is one of the data, and each figure has its place on the page."""
    try:
        drawn = [read_document(text) for text in page.documents]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return _judged("figures", place, "", [_missing(place, str(error)[:200], "the figures can be read")])
    known = known_lines(data) if drawn else set()
    lines = [line for each in drawn for line in each.lines]
    places = {name for each in drawn for name in each.places}
    rule = "a drawn line is one of report-data.json"
    found = [_missing(place, f"line {at}", rule) for at, line in enumerate(lines, start=1) if line not in known]
    found += [_missing(place, each, "each figure is drawn in its place") for each in sorted(places ^ page.figures)]
    return _judged("figures", place, f"{len(places)} figures, {len(lines)} lines, all of report-data.json", found)


def _links(page: PageReader, bundle: Bundle, folder: str, place: str) -> PageCheck:
    found = []
    # The check's own result and the crate are written after the check; verify, which comes last, asks for them too.
    later = {bundle.name(name) for name in ("report_check", "crate")}
    for link in page.links:
        target = posixpath.normpath(posixpath.join(folder, link))
        problem = None if target in later else link_problem(bundle, folder, link)
        if problem is None and link.startswith("#") and link[1:] not in page.ids:
            problem = "the link leads to nothing on the page"
        if problem:
            found.append(finding("V704", place=place, value=link, rule=problem))
    return _judged("links", place, f"{len(page.links)} links", found)


def check_page(root: Path, page_path: Path | None = None) -> dict[str, Any]:
    """Check the page of a bundle, or another rendering of it. Returns ``{ok, checks, missing, warnings}``.

    Raises ``InputError`` when ``root`` is no bundle, ``OSError`` when the page cannot be read.
    """
    bundle = Bundle(root)
    data = page_numbers(bundle)
    path = page_path or bundle.path("report")
    place = bundle.name("report") if page_path is None else page_path.name
    text = path.read_text(encoding="utf-8")
    page = read_page(text)
    checks = [
        _chapters(page, place),
        _statements(page, bundle, data, place),
        _numbers(page, data, place),
        _rows(page, bundle, data, place),
        _figures(page, data, place),
        _synthetic(page, bundle, place),
    ]
    if page_path is None:
        checks.append(_links(page, bundle, posixpath.dirname(bundle.name("report")), place))
    size = len(text.encode("utf-8"))
    checks.append(PageCheck("size", size <= LARGEST_PAGE_BYTES, place, f"{size} bytes, at most {LARGEST_PAGE_BYTES}"))
    checks.append(
        PageCheck(
            "policy", page.policy.startswith(POLICY_MARK), place, "the page's content policy lets it load nothing"
        )
    )
    return {
        "ok": all(each.ok for each in checks),
        "checks": [each.as_dict() for each in checks],
        "missing": [each.value for check in checks for each in check.findings if each.code in ("V701", "V702")],
        "warnings": _warnings(bundle, data),
    }


def _warnings(bundle: Bundle, data: ReportData) -> list[str]:
    """What is no fault of the page: an unfinished bundle, and failed rows that left no W&B run."""
    found = [] if bundle.manifest.state == "complete" else [f"the bundle is {bundle.manifest.state}"]
    for row in bundle.rows():
        there, status = data.facts.get(f"wandb.{row}.there"), data.facts.get(f"row.{row}.status")
        if there is not None and not there.value and status is not None and status.value == "failed":
            found.append(f"{row} failed and left no W&B run")
    return found
