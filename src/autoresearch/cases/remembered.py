"""What was found out once and holds as long as nothing that it depends on changes: a file beside the data it is about.

Tests of thousands of answers and counts of thousands of pictures take a minute; a dry run or a resumed run asks again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from autoresearch.files import compact_json, read_json, sha256_text, write_json


def remembered(folder: Path, name: str, facts: Mapping[str, Any], make: Callable[[], Any]) -> Any:
    """The JSON value of ``make()``, or the one that it gave for equal ``facts`` before. What raises is not kept.

    A file that cannot be read, or was made for other facts, is made anew.
    """
    path = folder / f"{name}-{sha256_text(compact_json(facts))[:16]}.json"
    try:
        known = read_json(path)
        if known["facts"] == dict(facts):
            return known["value"]
    except (OSError, ValueError, KeyError, TypeError):
        pass
    value = make()
    folder.mkdir(parents=True, exist_ok=True)
    write_json(path, {"facts": dict(facts), "value": value})
    return value
