"""Which blocks of a file may hold a token shape: a condition that every shape of ``secrets`` needs, asked many times
faster than the shapes themselves.

Blocks without it are passed over; a file with it is searched the plain way, so that findings are the same. A block is
asked as UTF-8 text by the regular expressions of polars, which look for all first letters at once and leave the
interpreter to other threads.
"""

from __future__ import annotations

import re

REACH = 256
"""Bytes that lie on either side of a cut are asked again: no part of ``_NEEDED`` that must be seen is longer."""
_SPACE = r" \t\n\r\x0b\x0c"
_NAMES = "WANDB_API|HF|HUGGING_FACE_HUB|MODELSCOPE_API|AWS_SECRET_ACCESS"
_NEEDED = (
    r"hf_[A-Za-z0-9]{30}",
    r"gh[pousr]_[A-Za-z0-9]{36}",
    r"github_pat_[A-Za-z0-9_]{40}",
    r"glpat-[A-Za-z0-9_-]{20}",
    r"sk-[A-Za-z0-9_-]{32}",
    r"A(?:KIA|SIA)[0-9A-Z]{16}",
    r"xox[abprs]-[A-Za-z0-9-]{20}",
    r"PRIVATE KEY-----",
    r"\.eyJ[A-Za-z0-9_-]{10}",
    # Any number of spaces may follow the name: where a block ends among them, the end is taken for the sign.
    rf"(?:{_NAMES})_(?:KEY|TOKEN)[\"']?[{_SPACE}]*(?:[=:]|END)",
)
_URL = rf"://[^{_SPACE}/:@\"'<>]{{1,64}}:[^{_SPACE}/:@\"'<>]{{1,128}}@"
_WITHOUT_URL = "|".join(_NEEDED).replace("END", r"\z")
_WITH_URL = f"{_WITHOUT_URL}|{_URL}"
_SEAM = re.compile("|".join([*_NEEDED, _URL]).replace("END", r"\Z").encode())
_ASCII = bytes(each if each < 0x80 else 1 for each in range(256))
"""Other bytes become one that no part of ``_NEEDED`` minds."""


def may_hold_token(block: bytes) -> bool:
    """Whether ``block`` has what a token shape needs, apart from what crosses its ends (``seam_may_hold_token``)."""
    import polars as pl
    from polars.exceptions import ComputeError

    needed = _WITH_URL if b"@" in block else _WITHOUT_URL
    try:
        text = pl.Series([_whole_letters(block)], dtype=pl.Binary).cast(pl.String)
    except ComputeError:  # no UTF-8
        text = pl.Series([block.translate(_ASCII)], dtype=pl.Binary).cast(pl.String)
    return bool(text.str.contains(needed)[0])


def seam_may_hold_token(before: bytes, after: bytes) -> bool:
    """The same of what lies around the cut between two blocks."""
    return _SEAM.search(before[-REACH:] + after[:REACH]) is not None


def _whole_letters(block: bytes) -> bytes:
    """Without the parts of letters that a cut left at both ends."""
    begin, end = 0, len(block)
    while begin < min(3, end) and block[begin] & 0xC0 == 0x80:
        begin += 1
    for back in range(1, min(4, end - begin + 1)):
        if block[end - back] & 0xC0 != 0x80:
            end -= back if block[end - back] >= 0xC0 else 0
            break
    return block[begin:end]
