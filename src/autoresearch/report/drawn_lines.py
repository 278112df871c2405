"""The lines that a page really draws, read out of its figures' documents and compared with the data."""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from dataclasses import dataclass
from typing import Any

from autoresearch.evidence.report_data import ReportData
from autoresearch.report.figures import columns, thin

Arrays = tuple[bytes, bytes]
"""The bytes of x and y."""
GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Document:
    """What one document draws: the elements it goes into, and its lines."""

    places: frozenset[str]
    lines: tuple[Arrays, ...]


def read_document(text: str) -> Document:
    """Read ``{docs, items}`` as ``figures.embed`` wrote it. Raises ``ValueError`` when it is none."""
    content = json.loads(text)
    lines: list[Arrays] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if value.get("name") == "ColumnDataSource":
                data = (value.get("attributes") or {}).get("data") or {}
                found = {name: _bytes(column) for name, column in data.get("entries") or []}
                x, y = found.get("x"), found.get("y")
                if x is not None and y is not None and len(found) == 2:
                    lines.append((x, y))
            for each in value.values():
                walk(each)
        elif isinstance(value, list):
            for each in value:
                walk(each)

    walk(content["docs"])
    places = frozenset(str(place) for item in content["items"] for place in (item.get("roots") or {}).values())
    return Document(places, tuple(lines))


def _bytes(column: Any) -> bytes | None:
    """The bytes of an array, unpacked; None for another kind of column. Raises ``ValueError`` for damaged ones."""
    array = column.get("array") if isinstance(column, dict) else None
    text = array.get("data") if isinstance(array, dict) else None
    if not isinstance(text, str):
        return None
    packed = base64.b64decode(text, validate=True)
    try:
        return gzip.decompress(packed) if packed.startswith(GZIP) else packed
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"a figure's array cannot be unpacked: {error}") from error


def known_lines(data: ReportData) -> set[Arrays]:
    """The arrays of all lines of the data, as either kind of figure draws them."""
    found: set[Arrays] = set()
    for line in data.series.values():
        for drawn in (columns(line, thin(line.x, line.y)), columns(line, range(len(line.x)), small=True)):
            found.add((drawn["x"].tobytes(), drawn["y"].tobytes()))
    return found
