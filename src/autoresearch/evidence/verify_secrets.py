"""The ``secrets, paths`` check: no token shape, no absolute path where a path inside the bundle is meant, no link that
leaves it (9.6).
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.checksums import FileRead
from autoresearch.evidence.layout import MANIFEST, UNLISTED
from autoresearch.evidence.secrets import is_absolute
from autoresearch.evidence.verify_page import PageReader
from autoresearch.files import read_json, tree_files
from autoresearch.findings import Finding, finding

OUTSIDE = (
    "https://github.com/",
    "https://gitlab.com/",
    "https://gitee.com/",
    "https://huggingface.co/",
    "https://modelscope.cn/",
)
"""Pages that a report may link to: commits, models, data sets. Never loaded."""
PATH_KEYS = frozenset({"path", "log_path", "sources", "artifacts", "sections", "hasPart"})


def _strings(content: Any, under: bool = False) -> Iterator[str]:
    """All texts that stand under a key that means a path inside the bundle."""
    if isinstance(content, dict):
        for key, value in content.items():
            yield from _strings(value, under or key in PATH_KEYS)
    elif isinstance(content, list):
        for value in content:
            yield from _strings(value, under)
    elif under and isinstance(content, str):
        yield content


def check_secrets(
    bundle: Bundle, reads: Callable[[], Mapping[str, FileRead]], page: Callable[[], PageReader]
) -> tuple[int, tuple[Finding, ...]]:
    """Number of files scanned, and a finding for each token shape (V690), absolute path or link that leaves (V618)."""
    names = tree_files(bundle.root, exclude=UNLISTED)
    found: list[Finding] = []
    files = reads()
    for name in names:
        for line, shape in files[name].shapes:
            found.append(finding("V690", place=f"{name}:{line}", value=shape, rule="no secret stands in a bundle"))
    documents: dict[str, Any] = {MANIFEST: read_json(bundle.root / MANIFEST)}
    for artifact in ("report_data", "skipped", "wandb_runs", "crate", "prometheus_notes"):
        documents[bundle.name(artifact)] = read_json(bundle.path(artifact))
    documents[bundle.name("matrix")] = read_lines(bundle.path("matrix"))
    for name, content in documents.items():
        for text in _strings(content):
            if is_absolute(text):
                found.append(finding("V618", place=name, value=text, rule="paths inside a bundle are relative"))
    folder = posixpath.dirname(bundle.name("report"))
    for link in page().links:
        problem = link_problem(bundle, folder, link)
        if problem:
            found.append(finding("V618", place=bundle.name("report"), value=link, rule=problem))
    return len(names), tuple(found)


def link_problem(bundle: Bundle, folder: str, link: str) -> str | None:
    """Why a link of a page in ``folder`` may not stand there, or None."""
    if link.startswith("#") or link.startswith("data:") or not link:
        return None
    if link.startswith(OUTSIDE):
        return None
    if is_absolute(link) or "://" in link or link.startswith("//"):
        return "links go to files of the bundle, or to commit, model and data set pages"
    target = posixpath.normpath(posixpath.join(folder, unquote(link.partition("#")[0])))
    if target.startswith(".."):
        return "the link leaves the bundle"
    if not (bundle.root / target).exists():
        return "the link leads to nothing"
    return None
