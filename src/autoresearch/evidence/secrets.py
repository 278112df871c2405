"""What must never stand in a bundle: shapes of tokens, and environment values whose names say that they are secret."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple


class Shape(NamedTuple):
    """What a token looks like. ``marks``: texts of which one must be there at all; ``needs``: one more that must;
    ``pattern`` begins with a literal text, so that large logs are passed over quickly; ``before`` is what must stand in
    front of it (by default no letter, digit or underscore).
    """

    name: str
    marks: tuple[bytes, ...]
    pattern: bytes
    before: bytes = rb"(?:^|[^A-Za-z0-9_])$"
    needs: bytes = b""


TOKEN_SHAPES = (
    Shape("Hugging Face token", (b"hf_",), rb"hf_[A-Za-z0-9]{30,}\b"),
    Shape("GitHub token", (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"), rb"gh[pousr]_[A-Za-z0-9]{36,}\b"),
    Shape("GitHub token", (b"github_pat_",), rb"github_pat_[A-Za-z0-9_]{40,}\b"),
    Shape("GitLab token", (b"glpat-",), rb"glpat-[A-Za-z0-9_-]{20,}"),
    Shape("API key", (b"sk-",), rb"sk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,}"),
    Shape("AWS key", (b"AKIA", b"ASIA"), rb"A(?:KIA|SIA)[0-9A-Z]{16}\b"),
    Shape("Slack token", (b"xox",), rb"xox[abprs]-[A-Za-z0-9-]{20,}"),
    Shape("private key", (b"PRIVATE KEY",), rb"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----", before=b""),
    Shape("JSON web token", (b".eyJ",), rb"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    Shape(
        "secret in an assignment",
        (b"_KEY", b"_TOKEN"),
        rb"_(?:KEY|TOKEN)[\"']?\s*[=:]\s*[\"']?(?!<redacted>)[^\s\"',<]{8,}",
        before=rb"\b(?:WANDB_API|HF|HUGGING_FACE_HUB|MODELSCOPE_API|AWS_SECRET_ACCESS)$",
    ),
    Shape(
        "password in a URL",
        (b"://",),
        rb"://[^\s/:@\"'<>]{1,64}:[^\s/:@\"'<>]{3,128}@[A-Za-z0-9]",
        before=rb"\b[a-z][a-z0-9+.-]{1,15}$",
        needs=b"@",
    ),
)
LOOK_BACK = 40
"""Bytes in front of a match that are looked at."""
_COMPILED = tuple((shape, re.compile(shape.pattern), re.compile(shape.before)) for shape in TOKEN_SHAPES)
SECRET_NAME = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:$|_)", re.IGNORECASE)
BINARY_SUFFIXES = frozenset({".parquet", ".xlsx", ".png", ".zip", ".gz"})
REDACTED = "<redacted>"
SHORTEST_SECRET = 4


def redact_environment(environment: Mapping[str, object]) -> dict[str, str]:
    """Environment as text, values of secret names replaced."""
    return {
        name: REDACTED if SECRET_NAME.search(name) and name != "TOKENIZERS_PARALLELISM" else str(value)
        for name, value in sorted(environment.items())
    }


def find_token_shapes(path: Path) -> Iterator[tuple[int, str]]:
    """(line number, what it looks like) for each token shape in a text file; binary formats are passed over."""
    if path.suffix in BINARY_SUFFIXES:
        return
    content = path.read_bytes()
    for shape, pattern, before in _COMPILED:
        if not any(mark in content for mark in shape.marks) or shape.needs not in content:
            continue
        for match in pattern.finditer(content):
            if before.search(content[max(0, match.start() - LOOK_BACK) : match.start()]):
                yield content.count(b"\n", 0, match.start()) + 1, shape.name


def find_values(path: Path, values: Iterable[str]) -> Iterator[int]:
    """Line numbers at which a file holds one of the texts, binary files too. Texts below four characters say nothing
    and are passed over.
    """
    wanted = [value.encode("utf-8") for value in values if len(value) >= SHORTEST_SECRET]
    if not wanted:
        return
    content = path.read_bytes()
    for value in wanted:
        place = content.find(value)
        if place >= 0:
            yield content.count(b"\n", 0, place) + 1


def is_absolute(text: str) -> bool:
    """True for a POSIX or Windows absolute path and for a file URL."""
    return text.startswith(("/", "\\\\", "file:")) or re.match(r"[A-Za-z]:[\\/]", text) is not None
