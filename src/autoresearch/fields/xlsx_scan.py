"""One streaming scan of a worksheet's XML for what a text reader does not tell: merged ranges and cells that hold no
text.

The data are read by fastexcel; this finds the ranges to fill and the numbers, dates, booleans, errors and formulas
without a result
(data-line.md 4.1.1 rows 1, 7, 16 to 19). The XML is cut into blocks at cell boundaries, so memory does not grow with
the sheet.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

CellKind = Literal["number", "boolean", "error", "no-result"]
BLOCK_BYTES = 1 << 22
HEAD_BYTES = 4096
MAX_ROWS, MAX_COLUMNS = 1 << 20, 1 << 14
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"


@dataclass(frozen=True)
class MergedRange:
    """A merged range, rows and columns counted from 0, both ends included."""

    top: int
    left: int
    bottom: int
    right: int
    reference: str


@dataclass
class SheetScan:
    """What the scan found. Positions are (row, column) from 0; the text beside a number is as stored in the XML."""

    merged: list[MergedRange] = field(default_factory=list)
    cells: dict[CellKind, list[tuple[int, int, str]]] = field(default_factory=dict)

    def add(self, kind: CellKind, row: int, column: int, raw: str) -> None:
        """Note one cell."""
        self.cells.setdefault(kind, []).append((row, column, raw))


def column_letters(index: int) -> str:
    """``0`` → ``A``, ``26`` → ``AA``."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def column_index(letters: str) -> int:
    """``A`` → ``0``, ``AA`` → ``26``."""
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - 64
    return index - 1


def sheet_part(archive: zipfile.ZipFile, sheet: str) -> str | None:
    """The archive member that holds ``sheet``, or None when the workbook does not say."""
    names = set(archive.namelist())
    book = next(
        (name for name in ("xl/workbook.xml", *sorted(names)) if name in names and name.endswith("workbook.xml")), None
    )
    if book is None:
        return None
    relations = posixpath.join(posixpath.dirname(book), "_rels", posixpath.basename(book) + ".rels")
    if relations not in names:
        return None
    targets = {item.get("Id"): item.get("Target", "") for item in ElementTree.fromstring(archive.read(relations))}
    for item in ElementTree.fromstring(archive.read(book)).iter():
        if item.tag.rpartition("}")[2] == "sheet" and item.get("name") == sheet:
            target = targets.get(item.get(RELATION) or item.get(STRICT_RELATION), "")
            part = (
                target.lstrip("/")
                if target.startswith("/")
                else posixpath.normpath(posixpath.join(posixpath.dirname(book), target))
            )
            return part if part in names else None
    return None


class _Patterns:
    """The patterns for one sheet; ``prefix`` is the namespace prefix its writer used, mostly none."""

    def __init__(self, prefix: bytes) -> None:
        p = re.escape(prefix)
        self.cell_open = b"<" + prefix + b"c "
        self.formula_open = b"<" + prefix + b"f"
        head = rb"<" + p + rb'c r="([A-Z]{1,3})(\d{1,7})"'
        # A cell that is not declared as text and is not empty; attributes hold no slash.
        self.other = re.compile(
            head
            + rb'((?![^>]*\bt="(?:s|inlineStr|str)")[^>/]*)>(<'
            + p
            + rb"f\b)?(?:(?!</"
            + p
            + rb"c>).)*?<"
            + p
            + rb"v>([^<]*)<",
            re.DOTALL,
        )
        self.formula = re.compile(
            head
            + rb"([^>/]*)>\s*<"
            + p
            + rb"f\b[^>]*?(?:/>|>[^<]*</"
            + p
            + rb"f>)\s*(<"
            + p
            + rb"v\s*/>|<"
            + p
            + rb"v>[^<]*</"
            + p
            + rb"v>)?"
        )
        self.merge_open = b"<" + prefix + b"mergeCell "
        self.value_open = b"<" + prefix + b"v>"
        self.merge = re.compile(rb"<" + p + rb'mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')


def scan(path: Path, sheet: str) -> SheetScan:
    """Scan ``sheet`` of the workbook ``path``. An unusual container gives an empty scan, never an error."""
    found = SheetScan()
    with zipfile.ZipFile(path) as archive:
        part = sheet_part(archive, sheet)
        if part is None:
            return found
        with archive.open(part) as stream:
            rest = stream.read(BLOCK_BYTES)
            opening = re.search(rb"<(\w+:)?worksheet\b", rest[:HEAD_BYTES])
            patterns = _Patterns((opening.group(1) or b"") if opening else b"")
            while True:
                more = stream.read(BLOCK_BYTES)
                if not more:
                    _scan_block(rest, patterns, found)
                    return found
                cut = rest.rfind(patterns.cell_open)
                if cut > 0:
                    _scan_block(rest[:cut], patterns, found)
                    rest = rest[cut:] + more
                else:
                    rest += more


def _scan_block(block: bytes, patterns: _Patterns, found: SheetScan) -> None:
    if block.count(patterns.value_open) > block.count(b't="s"'):
        for match in patterns.other.finditer(block):
            letters, row, attributes, _, raw = match.groups()
            place = (int(row) - 1, column_index(letters.decode("ascii")))
            text = raw.decode("utf-8", "replace")
            if b't="b"' in attributes:
                found.add("boolean", *place, text)
            elif b't="e"' in attributes:
                found.add("error", *place, text)
            elif text.strip():
                found.add("number", *place, text)
    if patterns.formula_open in block:
        for match in patterns.formula.finditer(block):
            letters, row, attributes, value = match.groups()
            empty = value is not None and (value.endswith(b"/>") or b"><" in value)
            if value is None or (empty and b't="str"' not in attributes):  # t="str" with an empty value is a result: ""
                found.add("no-result", int(row) - 1, column_index(letters.decode("ascii")), "")
    for match in patterns.merge.finditer(block) if patterns.merge_open in block else ():
        left, top, right, bottom = (part.decode("ascii") for part in match.groups())
        found.merged.append(
            MergedRange(
                top=min(int(top) - 1, MAX_ROWS),
                left=min(column_index(left), MAX_COLUMNS),
                bottom=min(int(bottom) - 1, MAX_ROWS),
                right=min(column_index(right), MAX_COLUMNS),
                reference=f"{left}{top}:{right}{bottom}",
            )
        )
