"""Columns of an ``npu-smi`` table: which names a header holds, and what a cell below it says (formal-case.md 10.1).
Standard library only, Python 3.8; used by ``npu_smi.py`` alone.
"""

from __future__ import annotations

import json
import pkgutil
import re
from functools import lru_cache
from typing import NamedTuple

_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,9})?\Z")
_INTEGER = re.compile(r"[0-9]{1,10}\Z")
_TOKEN = re.compile(r"N/A *(?:/ *N/A)?|[^\s/]+\s*/\s*[^\s/]+|[^\s/]+\s*/|/\s*[^\s/]+|\S+", re.IGNORECASE)
TITLE = re.compile(r"npu-smi\s.*version\s*:\s*(\S+)|npu-smi\s+(\S+)", re.IGNORECASE)
_ABSENT = frozenset({"na", "n/a", "-", "--", "none", "null"})
_IN_EVERY_HEADER = ("npu", "chip", "card", "process")
NOT_AVAILABLE = "not available"


class Slot(NamedTuple):
    """One column: our name for it, ``id``, ``text``, ``number`` or ``pair``, and the factor to the unit we keep."""

    field: str
    kind: str
    scale: float


class CellRead(NamedTuple):
    """What a cell gives: identifiers and texts, numbers, and the reasons why a field has none."""

    texts: dict[str, str | None]
    numbers: dict[str, float | None]
    errors: tuple[tuple[str, str], ...]


class Cell:
    """One header cell: its columns, and what the texts below it were read as (they repeat from round to round)."""

    def __init__(self, slots: list[Slot]) -> None:
        self.slots = slots
        self._read: dict[str, CellRead] = {}

    def read(self, text: str) -> CellRead:
        """The values of one cell below this header."""
        found = self._read.get(text)
        if found is None:
            if len(self._read) > 4000:
                self._read.clear()
            found = self._read[text] = _cell_values(text, self.slots)
        return found


@lru_cache(maxsize=2)
def _aliases(plain: bool) -> dict[str, Slot]:
    table = json.loads((pkgutil.get_data("autoresearch.telemetry", "npu_smi_aliases.json") or b"").decode("utf-8"))
    endings = tuple(table["gigabyte_endings"])
    found = {}
    for field, column in table["columns"].items():
        more = table["plain"].get(field, []) if plain else []
        for alias in [*column["aliases"], *more]:
            found[alias] = Slot(field, column["kind"], 1024.0 if alias.endswith(endings) else 1.0)
    return found


def _normal(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower().replace("%", "percent"))


def _segment(text: str, plain: bool) -> list[Slot] | None:
    """Cut a normalised header text wholly into known names, as few as possible; null when it cannot be."""
    aliases = _aliases(plain)
    best: list[list[Slot] | None] = [[]] + [None] * len(text)
    for end in range(1, len(text) + 1):
        for begin in range(max(0, end - 40), end):
            before, slot = best[begin], aliases.get(text[begin:end])
            if before is not None and slot is not None:
                now = best[end]
                if now is None or len(before) + 1 < len(now):
                    best[end] = [*before, slot]
    return best[-1] or None


def _cell_slots(cell: str, plain: bool) -> list[Slot]:
    """The columns that one header cell names; an unknown name keeps its place as one unknown column."""
    chunks = [chunk for chunk in re.split(r"\s{2,}|\t", cell.strip()) if _normal(chunk)]
    slots = []
    for chunk in chunks:
        slots.extend(_segment(_normal(chunk), plain) or [Slot("unknown", "text", 1.0)])
    if len(chunks) > 1 and any(slot.field == "unknown" for slot in slots):
        return _segment(_normal(cell), plain) or slots
    return slots


@lru_cache(maxsize=256)
def header_cells(line: str) -> tuple[Cell, ...] | None:
    """The columns of a header line, cell by cell, or null when the line is none."""
    plain = "|" not in line
    if len(line) > 400 or TITLE.search(line) or not any(name in line.lower() for name in _IN_EVERY_HEADER):
        return None
    cells = [_cell_slots(cell, plain) for cell in ([line] if plain else split_cells(line))]
    known = [slot.field for cell in cells for slot in cell if slot.field != "unknown"]
    if len(known) < 2 or not all(cells) or len(known) * 2 < sum(len(cell) for cell in cells):
        return None
    return tuple(Cell(cell) for cell in cells)


def split_cells(line: str) -> list[str]:
    """The cells of a line between its bars, without surrounding blanks."""
    inside = line[1:] if line.startswith("|") else line
    inside = inside[:-1] if inside.endswith("|") else inside
    return [cell.strip() for cell in inside.split("|")]


def _words(cell: str, slots: list[Slot]) -> list[str] | None:
    """One text a column; a text column takes the words that are left over. Null when the counts do not fit."""
    if len(slots) == 1:
        return [cell]
    if any(slot.kind == "pair" for slot in slots):
        words = [word.strip() for word in _TOKEN.findall(cell)]
    else:
        words = [word for word in cell.split() if word != "/"]
    surplus = len(words) - len(slots)
    texts = [index for index, slot in enumerate(slots) if slot.kind == "text"]
    if surplus > 0 and texts:
        at = texts[0]
        words[at : at + surplus + 1] = [" ".join(words[at : at + surplus + 1])]
    return words if len(words) == len(slots) else None


def _cell_values(cell: str, slots: list[Slot]) -> CellRead:
    words = _words(cell, slots)
    texts: dict[str, str | None] = {}
    numbers: dict[str, float | None] = {}
    errors: list[tuple[str, str]] = []
    for index, (field, kind, scale) in enumerate(slots):
        word = None if words is None else words[index]
        reason = None
        if kind == "pair":
            suffix = "" if field == "hugepages" else "_mib"
            used, total, reason = _pair(word, scale)
            numbers[field + "_used" + suffix], numbers[field + "_total" + suffix] = used, total
        elif kind == "number" and field != "other":
            numbers[field], reason = _number(word, scale)
        elif kind != "number":
            texts[field] = word
        if reason is not None:
            errors.append((field, reason))
    return CellRead(texts, numbers, tuple(errors))


def _number(text: str | None, scale: float) -> tuple[float | None, str | None]:
    if text is None:
        return None, "cell not understood"
    if _NUMBER.match(text):
        return float(text) * scale, None
    return None, NOT_AVAILABLE if not text or text.lower() in _ABSENT else "not a number"


def _pair(text: str | None, scale: float) -> tuple[float | None, float | None, str | None]:
    """``used / total``. Half a pair is no value: which half was cut cannot be known."""
    if text is None or "/" not in text or text.upper().startswith("N/A"):
        number, reason = _number("NA" if text and text.upper().startswith("N/A") else text, scale)
        return number, None, reason
    left, _, right = (part.strip() for part in text.partition("/"))
    used, reason_used = _number(left, scale)
    total, reason_total = _number(right, scale)
    if used is None or total is None:
        return None, None, (reason_used or reason_total) if left and right else "incomplete"
    return used, total, None


@lru_cache(maxsize=4096)
def integer(text: str | None) -> int | None:
    """A whole number of up to ten digits, else null."""
    return int(text) if text is not None and _INTEGER.match(text) else None


@lru_cache(maxsize=4096)
def word(text: str | None) -> str | None:
    """A text that says something, else null (``NA`` and the like say nothing)."""
    return text if text and text.lower() not in _ABSENT else None
