"""``autoresearch report check``: is the page complete, and is every number on it one of the bundle (formal-case.md
15.5)."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.derived import read_lock
from autoresearch.evidence.numbers import derive_numbers
from autoresearch.evidence.report_data import ReportData
from autoresearch.evidence.verify_page import PageReader, page_findings, read_page
from autoresearch.evidence.verify_secrets import link_problem
from autoresearch.findings import Finding, finding
from autoresearch.report.markup import Words
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
    lock = read_lock(bundle)
    shown = {number.id for number in page.numbers}
    found = []
    for case in lock.rows:
        rows = [row for row in bundle.rows() if row.rpartition(".a")[0] == case.case_id]
        if not rows:
            found.append(finding("V703", place=place, value=case.case_id, rule="each planned case has a row"))
        for row in rows:
            if f"row.{row}.completed_steps" not in shown:
                found.append(finding("V703", place=place, value=row, rule="each row's steps are shown"))
            started = data.facts[f"row.{row}.status"].value != "skipped"
            if started and not data.value(f"host.{row}.rounds"):
                found.append(finding("V703", place=place, value=row, rule="each started row has at least one sample"))
    return _judged("rows", place, f"{len(lock.rows)} planned cases", found)


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
    data = derive_numbers(bundle)
    path = page_path or bundle.path("report")
    place = bundle.name("report") if page_path is None else page_path.name
    text = path.read_text(encoding="utf-8")
    page = read_page(text)
    checks = [
        _chapters(page, place),
        _statements(page, bundle, data, place),
        _numbers(page, data, place),
        _rows(page, bundle, data, place),
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
        "warnings": [] if bundle.manifest.state == "complete" else [f"the bundle is {bundle.manifest.state}"],
    }
