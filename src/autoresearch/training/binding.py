"""What a model is bound to: choice ids are positions in one registry, so another one changes what its answers mean
(T201).

``merge.json`` beside a model holds the header of the release it was trained on. Gate, evaluation and prediction ask
here before they play anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError, RefusedError
from autoresearch.files import read_json
from autoresearch.findings import finding

RECORD = "merge.json"
BOUND = {
    "registry_sha256": "registry",
    "grading_sha256": "grading standard",
    "tools_sha256": "tool list",
    "enable_thinking": "thinking switch",
}
"""Keys of ``merge.json`` and of a release header that must agree. A side that has none (no native prompt) binds
nothing.
"""


def read_merge_record(model: Path) -> dict[str, Any] | None:
    """The content of ``merge.json``, or None where there is none. Raises ``InputError`` when it is unreadable."""
    path = Path(model) / RECORD
    if not path.is_file():
        return None
    try:
        record = read_json(path)
    except ValueError as error:
        raise InputError(f"{path}: {error}; merge the checkpoint again") from error
    if not isinstance(record, dict):
        raise InputError(f"{path} is not a merge record; merge the checkpoint again")
    return record


def require_binding(model: Path, header: Mapping[str, Any], *, unbound: bool = False) -> dict[str, Any]:
    """Check that ``model`` was trained for what ``header`` names; returns what a report says about it.

    Raises ``RefusedError`` T201 when registry, grading, tools or thinking differ, or when the model has no
    ``merge.json`` and ``unbound`` was not asked for.
    """
    record = read_merge_record(model)
    if record is None:
        if not unbound:
            _refuse(
                str(model), "no merge.json: nothing says which registry its answers mean", "merge it, or give --unbound"
            )
        return {"bound": False, "step": None, "base": None, "parent": None}
    for key, name in BOUND.items():
        trained, used = record.get(key), header.get(key)
        if trained is not None and used is not None and trained != used:
            rule = f"the {name} is not the one it was trained with ({short(trained)}, here {short(used)})"
            _refuse(str(model), rule, "use the release it was trained for, or another model")
    return {"bound": True, "step": record.get("step"), "base": record.get("base"), "parent": record.get("parent")}


def short(value: Any) -> str:
    """A hash or switch as a message shows it."""
    return str(value)[:12]


def _refuse(place: str, rule: str, remedy: str) -> None:
    item = finding("T201", place=place, rule=rule, remedy=remedy)
    raise RefusedError(item.message(), [item])
