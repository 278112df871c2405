"""What must never stand in a bundle: shapes of tokens, and environment values whose names say that they are secret."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

TOKEN_SHAPES: dict[str, tuple[tuple[bytes, ...], bytes]] = {
    "Hugging Face token": ((b"hf_",), rb"\bhf_[A-Za-z0-9]{30,}\b"),
    "GitHub token": (
        (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_"),
        rb"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})\b",
    ),
    "GitLab token": ((b"glpat-",), rb"\bglpat-[A-Za-z0-9_-]{20,}"),
    "API key": ((b"sk-",), rb"\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,}"),
    "AWS key": ((b"AKIA", b"ASIA"), rb"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "Slack token": ((b"xox",), rb"\bxox[abprs]-[A-Za-z0-9-]{20,}"),
    "private key": ((b"PRIVATE KEY",), rb"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
    "JSON web token": ((b"eyJ",), rb"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    "secret in an assignment": (
        (b"_KEY", b"_TOKEN"),
        rb"\b(?:WANDB_API_KEY|HF_TOKEN|HUGGING_FACE_HUB_TOKEN|MODELSCOPE_API_TOKEN|AWS_SECRET_ACCESS_KEY)"
        rb"[\"']?\s*[=:]\s*[\"']?(?!<redacted>)[^\s\"',<]{8,}",
    ),
    "password in a URL": (
        (b"://",),
        rb"\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@\"'<>]{1,64}:[^\s/:@\"'<>]{3,128}@[A-Za-z0-9]",
    ),
}
"""What it looks like -> (texts of which one must be there at all, pattern); the first part keeps large logs quick."""
_PATTERNS = {name: (marks, re.compile(pattern)) for name, (marks, pattern) in TOKEN_SHAPES.items()}
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
    for name, (marks, pattern) in _PATTERNS.items():
        if not any(mark in content for mark in marks):
            continue
        for match in pattern.finditer(content):
            yield content.count(b"\n", 0, match.start()) + 1, name


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
