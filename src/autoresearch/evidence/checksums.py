"""``SHA256SUMS``: the ``sha256sum`` format, sorted by path, all files but itself and its signature (formal-case.md
9.5)."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from autoresearch.evidence.layout import CHECKSUMS, UNLISTED
from autoresearch.evidence.secrets import BINARY_SUFFIXES, find_token_shapes
from autoresearch.evidence.token_filter import TokenFilter
from autoresearch.files import atomic_write_text, sha256_file, tree_files, walk_tree
from autoresearch.findings import Finding, finding

LINE = re.compile(r"([0-9a-f]{64})  (.+)")
CODE = "V610"
BLOCK_BYTES = 1 << 20


class FileRead(NamedTuple):
    """What one pass over a file gave: its hash, and (line, what it looks like) of each token shape in it."""

    sha256: str
    shapes: tuple[tuple[int, str], ...]


def hash_files(root: Path, names: Iterable[str]) -> dict[str, str]:
    """sha256 of each named file below ``root``, on threads (hashing releases the interpreter's lock)."""
    names = list(names)
    with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as pool:
        return dict(zip(names, pool.map(lambda name: sha256_file(root / name), names), strict=True))


def read_file(path: Path, block_bytes: int = BLOCK_BYTES) -> FileRead:
    """Hash a file and look for token shapes in the same blocks. Only a file that has what a shape needs is searched the
    plain way, by ``find_token_shapes``.
    """
    digest, text = hashlib.sha256(), path.suffix not in BINARY_SUFFIXES
    with path.open("rb", buffering=0) as handle, TokenFilter() as tokens:
        while block := handle.read(block_bytes):
            digest.update(block)
            if text:
                tokens.feed(block)
    return FileRead(digest.hexdigest(), tuple(find_token_shapes(path)) if text and tokens.suspect else ())


def read_files(root: Path) -> dict[str, FileRead]:
    """One pass over every file below ``root`` that is no link, on threads."""
    names = _present(root)
    with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as pool:
        return dict(zip(names, pool.map(lambda name: read_file(root / name), names), strict=True))


def _present(root: Path) -> list[str]:
    return [name for name in walk_tree(root)[0] if name not in UNLISTED]


def sums_text(sums: Mapping[str, str]) -> str:
    """The file's text for path -> sha256."""
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))


def write_checksums(root: Path) -> None:
    """Hash everything below ``root`` and write ``SHA256SUMS``."""
    atomic_write_text(root / CHECKSUMS, sums_text(hash_files(root, tree_files(root, exclude=UNLISTED))))


def _line_finding(number: int, line: str) -> Finding:
    return finding(
        CODE,
        place=f"{CHECKSUMS}:{number}",
        value=repr(line[:120]),
        rule="each line is '<sha256 in lower-case hex>  <relative path>', sorted by path",
        remedy="take the bundle from its source again",
    )


def read_checksums(root: Path) -> tuple[dict[str, tuple[str, int]], list[Finding]]:
    """Path -> (sha256, line number), and a finding for each line of another form, order or repetition."""
    raw = (root / CHECKSUMS).read_bytes()
    text = raw.decode("utf-8", errors="backslashreplace")
    found: dict[str, tuple[str, int]] = {}
    problems: list[Finding] = []
    if raw and not text.endswith("\n"):
        problems.append(_line_finding(text.count("\n") + 1, "(no newline at the end)"))
    previous = ""
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        match = LINE.fullmatch(line)
        if match is None or match[2] <= previous:
            problems.append(_line_finding(number, line))
        if match is not None:
            found[match[2]] = (match[1], number)
            previous = max(previous, match[2])
    return found, problems


def check_checksums(root: Path, reads: Mapping[str, FileRead] | None = None) -> tuple[int, list[Finding]]:
    """Compare ``SHA256SUMS`` with the files: number of files hashed, and a finding for each missing, changed, extra or
    linked one. ``reads``: what ``read_files`` gave; without it the files are hashed here.
    """
    if not (root / CHECKSUMS).is_file():
        return 0, [
            finding(CODE, place=CHECKSUMS, value="missing", rule="a sealed bundle has checksums", remedy="seal it")
        ]
    recorded, problems = read_checksums(root)
    for name in walk_tree(root)[1]:
        problems.append(
            finding(
                CODE,
                place=name,
                value="a link",
                rule="a bundle holds files only",
                remedy="take the bundle from its source again",
            )
        )
    present = set(_present(root) if reads is None else reads)
    listed = sorted(present & recorded.keys())
    actual = hash_files(root, listed) if reads is None else {name: reads[name].sha256 for name in listed}
    for name, (digest, number) in sorted(recorded.items()):
        if name not in present:
            problems.append(_file_finding(name, "missing", f"{CHECKSUMS} line {number} lists it"))
        elif actual[name] != digest:
            problems.append(_file_finding(name, f"sha256 {actual[name]}", f"{CHECKSUMS} line {number} says {digest}"))
    for name in sorted(present - recorded.keys()):
        problems.append(_file_finding(name, "not listed", f"{CHECKSUMS} lists every file of the bundle"))
    return len(actual), problems


def _file_finding(name: str, value: str, rule: str) -> Finding:
    return finding(CODE, place=name, value=value, rule=rule, remedy="take the file from the bundle's source again")
