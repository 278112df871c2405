"""``SHA256SUMS``: the ``sha256sum`` format, sorted by path, all files but itself and its signature (formal-case.md
9.5)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from autoresearch.evidence.layout import CHECKSUMS, UNLISTED
from autoresearch.files import atomic_write_text, sha256_file, tree_files
from autoresearch.findings import Finding, finding

LINE = re.compile(r"([0-9a-f]{64})  (.+)")
CODE = "V610"


def hash_files(root: Path, names: Iterable[str]) -> dict[str, str]:
    """sha256 of each named file below ``root``, on threads (hashing releases the interpreter's lock)."""
    names = list(names)
    with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as pool:
        return dict(zip(names, pool.map(lambda name: sha256_file(root / name), names), strict=True))


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


def check_checksums(root: Path) -> tuple[int, list[Finding]]:
    """Compare ``SHA256SUMS`` with the files: number of files hashed, and a finding for each missing, changed, extra or
    linked one.
    """
    if not (root / CHECKSUMS).is_file():
        return 0, [
            finding(CODE, place=CHECKSUMS, value="missing", rule="a sealed bundle has checksums", remedy="seal it")
        ]
    recorded, problems = read_checksums(root)
    links = [path for path in sorted(root.rglob("*")) if path.is_symlink()]
    for path in links:
        problems.append(
            finding(
                CODE,
                place=path.relative_to(root).as_posix(),
                value="a link",
                rule="a bundle holds files only",
                remedy="take the bundle from its source again",
            )
        )
    present = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink() and path.relative_to(root).as_posix() not in UNLISTED
    }
    actual = hash_files(root, sorted(present & recorded.keys()))
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
