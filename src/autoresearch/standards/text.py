"""Texts: the comparison form, control tokens, and boundary-aware search for codes (data-line.md 3.0.4, 4.1.1 row 23,
5.6.1).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

CONTROL_TOKEN = re.compile(r"<\|[^<>|]*\|>|</?think>|</?tool_call>|</?tool_response>|<function=|<parameter=")
"""Any ``<|…|>`` and the tags by which a chat template marks thoughts, calls and results."""
REDACTED = "[redacted-id]"
SHORTEST_CODE = 3


def comparison_form(text: str) -> str:
    """NFKC, white-space runs to one space, trimmed, case-folded. Never stored in place of the text."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def control_token(text: str) -> str | None:
    """The first control token in ``text``, or None."""
    found = CONTROL_TOKEN.search(text)
    return found.group(0) if found else None


def strip_control_tokens(text: str) -> str:
    """Each control token becomes one space; runs collapse and the ends are trimmed."""
    return " ".join(CONTROL_TOKEN.sub(" ", text).split())


def searchable_code(code: str) -> bool:
    """Codes shorter than three characters or of digits only are not searched for."""
    return len(code) >= SHORTEST_CODE and not code.isdigit()


@lru_cache(maxsize=65536)
def code_pattern(code: str) -> re.Pattern[str]:
    """Pattern that finds ``code`` standing alone.

    The neighbours may not be ASCII letters or digits, nor may ``-``, ``.`` or ``_`` join it to a letter or digit. CJK
    counts as a boundary.
    """
    return re.compile(rf"(?<![0-9A-Za-z])(?<![0-9A-Za-z][-._]){re.escape(code)}(?![0-9A-Za-z])(?![-._][0-9A-Za-z])")


def contains_code(text: str, code: str) -> bool:
    """Whether ``text`` holds ``code`` by the boundary rule; False for codes that are not searched for."""
    return searchable_code(code) and code in text and code_pattern(code).search(text) is not None


def redact_codes(text: str, codes: Iterable[str]) -> str:
    """Replace every code of ``codes`` in ``text`` by ``[redacted-id]``, longest first, by the boundary rule."""
    for code in sorted({code for code in codes if code}, key=lambda item: (-len(item), item)):
        if searchable_code(code) and code in text:
            text = code_pattern(code).sub(REDACTED, text)
    return text
