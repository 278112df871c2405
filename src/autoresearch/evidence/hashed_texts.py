"""``dump_policy: hash``: texts of dumps and of samples echoed in logs become sha256 and length before sealing
(formal-case.md 3.2), for field metadata that may not leave the house.

Scores, uids and steps stay, so that counts and rates are derived as before. In logs every byte offset stays where it
is: the replacement is padded, and line ends are kept. May be done again after a seal that failed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from autoresearch.evidence.layout import FOLDERS
from autoresearch.evidence.writer import BundleWriter
from autoresearch.files import atomic_write_bytes, sha256_bytes, sha256_text

KEPT = frozenset({"uid", "step", "data_source", "request_id"})
"""Keys of a dump whose texts name things and are no samples."""
DUMPS = ("validation", "rollouts")
LEFT_OUT = ("transcripts",)
NEWLINE = 10
REASON = "dump_policy: hash; the prompts and answers of episodes stay where they were made"
DONE = re.compile(r"sha256:[0-9a-f]{64} length:\d+")
PREFIX = rb"(?:\([A-Za-z]\w* pid=\d+[^)\n]*\) )?"
ECHO = re.compile(rb"^(" + PREFIX + rb"\[(?:prompt|response|ground_truth)\] )", re.MULTILINE)
AFTER = re.compile(rb"^" + PREFIX + rb"(?:\[[a-z_]+\] |step:\d)", re.MULTILINE)
"""Where an echoed text ends: at the next key in brackets, or at a record."""


def mark(text: str) -> str:
    """What stands for a text; a mark stays as it is."""
    return text if DONE.fullmatch(text) else f"sha256:{sha256_text(text)} length:{len(text)}"


def hashed(value: Any, key: str = "") -> Any:
    """A value of a dump with every text in it replaced."""
    if isinstance(value, str):
        return value if key in KEPT or not value else mark(value)
    if isinstance(value, dict):
        return {name: hashed(each, name) for name, each in value.items()}
    return [hashed(each, key) for each in value] if isinstance(value, list) else value


def hash_dump(path: Path) -> None:
    """Replace the texts of a JSON-lines dump; a line that is no whole record is dropped to its mark."""
    lines = []
    for raw in path.read_bytes().split(b"\n"):
        try:
            content = hashed(json.loads(raw)) if raw.strip() else None
        except (ValueError, RecursionError):
            content = {"cut": mark(raw.decode("utf-8", "replace"))}
        lines.append("" if content is None else json.dumps(content, ensure_ascii=False))
    atomic_write_bytes(path, "\n".join(lines).encode("utf-8"))


def hash_echoes(log: bytes) -> bytes:
    """A log with its echoed samples replaced, every byte in its place."""
    out, position = [], 0
    while (hit := ECHO.search(log, position)) is not None:
        out.append(log[position : hit.end()])
        after = AFTER.search(log, hit.end())
        end = after.start() if after else len(log)
        out.append(_padded(log[hit.end() : end]))
        position = end
    return b"".join([*out, log[position:]])


def _padded(text: bytes) -> bytes:
    """Mark, then spaces, line ends kept; stars where the first line is too short for the mark."""
    body = text.rstrip(b"\n")
    if not body or DONE.match(body.decode("utf-8", "replace")):
        return text
    found = f"sha256:{sha256_bytes(body)} length:{len(body)}".encode()
    fits = len(found) <= len(body.split(b"\n", 1)[0])
    rest = found.ljust(len(body)) if fits else b"*" * len(body)
    kept = bytes(NEWLINE if old == NEWLINE else new for old, new in zip(body, rest, strict=True))
    return kept + text[len(body) :]


def hash_texts(writer: BundleWriter) -> None:
    """Replace the texts of all attempts of an unfinished bundle."""
    for folder in sorted((writer.root / FOLDERS["row_files"]).glob("*")):
        for name in DUMPS:
            for path in sorted((folder / name).glob("*.jsonl")):
                hash_dump(path)
        for name in LEFT_OUT:
            for path in sorted((folder / name).rglob("*")):
                if path.is_file():
                    writer.skip(path.relative_to(writer.root).as_posix(), path.stat().st_size, REASON)
                    path.unlink()
    for path in [*_logs(writer, "row_logs", "*/*.log"), *_logs(writer, "source_runs", "*/files/output.log")]:
        content = path.read_bytes()
        found = hash_echoes(content)
        if found != content:
            atomic_write_bytes(path, found)


def _logs(writer: BundleWriter, folder: str, pattern: str) -> list[Path]:
    return sorted(writer.bundle().path(folder).glob(pattern))
