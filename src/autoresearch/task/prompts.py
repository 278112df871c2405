"""Every prompt text, built here and nowhere else: ``native-1`` (data-line 5.2) and ``two-stage-1`` (5.3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from autoresearch.errors import InputError
from autoresearch.files import json_writer
from autoresearch.task.assets import TaskAssets
from autoresearch.task.catalogue import Entry

NATIVE_VERSION = "native-1"
TWO_STAGE_VERSION = "two-stage-1"

THINKING_ON = "Think briefly before each message; thoughts are not part of the answer."
THINKING_OFF = "Write no reasoning, only the call or the answer."

_NATIVE = """\
You label one field of a database: choose one category from the catalogue and one level.
The catalogue lists every category as choice_id|name, one a line. If one line clearly fits, answer at once.
If several could fit, get_category_details and get_category_examples tell more about them.
If none stands out, search_categories ranks the catalogue for this field; use it once. \
browse_categories lists the groups.
Call one tool at a time, three times at most.
{thinking}
Your last message is one JSON object {{"answer": "<choice_id>", "level": "<level>"}}: two keys, \
no markdown, nothing around it.
Levels, least sensitive first:
{rubric}
Catalogue:
{catalogue}"""

_STAGE1 = (
    "You shortlist categories for one field of a database. Reply with one JSON object "
    '{"candidates": [five different choice_ids of the catalogue]} and nothing else: '
    "no markdown, no comment, no other ids."
)
_STAGE2 = (
    "You pick the category of one field of a database from five candidates{level_words}. "
    "Reply with one JSON object {form} and nothing else."
)

_COMPACT = json_writer(",", ":")
_SPACED = json_writer(", ", ": ")
_quoted: Callable[[str], str] = json.encoder.encode_basestring  # type: ignore[attr-defined]
"""A text as ``compact`` and ``spaced`` write it."""


def compact(obj: object) -> str:
    """JSON without white space, key order kept, non-ASCII kept: the form of all JSON that a prompt shows, unless said
    otherwise.
    """
    return _COMPACT(obj)


def spaced(obj: object) -> str:
    """JSON with the separators ``, `` and ``: ``, non-ASCII kept: tools, tool results and the terminal answer."""
    return _SPACED(obj)


@lru_cache(maxsize=16)
def native_system(assets: TaskAssets, enable_thinking: bool) -> str:
    """The system text of ``native-1``: depends on registry, grading and thinking only, built once an assets object.

    Raises ``InputError`` when the task is not graded: the native prompt asks for a level.
    """
    if assets.grading is None:
        raise InputError("the native prompt asks for a level: give a grading standard")
    return _NATIVE.format(
        thinking=THINKING_ON if enable_thinking else THINKING_OFF,
        rubric=compact(assets.grading.rubric_pairs()),
        catalogue="\n".join(f"{entry.choice_id}|{entry.name}" for entry in assets.catalogue.entries),
    )


def native_user(metadata: Mapping[str, str], fields: Sequence[str]) -> str:
    """The user text of ``native-1``: the metadata in the configured order. Raises ``KeyError`` for an absent field."""
    return "Field:\n" + metadata_json(metadata, fields)


def native_messages(assets: TaskAssets, metadata: Mapping[str, str], enable_thinking: bool) -> list[dict[str, str]]:
    """System and user message of one field: the prompt of trajectories, RL rows, rollouts and prediction."""
    return [
        {"role": "system", "content": native_system(assets, enable_thinking)},
        {"role": "user", "content": native_user(metadata, assets.fields)},
    ]


def metadata_json(metadata: Mapping[str, str], fields: Sequence[str]) -> str:
    """Compact JSON of the visible metadata, in the configured order."""
    return "{" + ",".join([f"{_quoted(field)}:{_quoted(metadata[field])}" for field in fields]) + "}"


def terminal_text(choice_id: str, level: str) -> str:
    """The content of a terminal turn (data-line 3.14)."""
    return spaced({"answer": choice_id, "level": level})


def stage1_system() -> str:
    """System text of the shortlisting stage."""
    return _STAGE1


def stage1_user(assets: TaskAssets, metadata: Mapping[str, str], fields: Sequence[str]) -> str:
    """User text of the shortlisting stage: the whole catalogue and the field."""
    return stage1_beginning(assets) + metadata_json(metadata, fields)


def stage1_target(choice_ids: Sequence[str]) -> str:
    """Assistant text of the shortlisting stage: five choice ids in presented order."""
    return f'{{"candidates":[{",".join(map(_quoted, choice_ids))}]}}'


@lru_cache(maxsize=2)
def stage2_system(graded: bool) -> str:
    """System text of the choosing stage, with the level when graded."""
    form = '{"answer": "<candidate id>", "level": "<level>"}' if graded else '{"answer": "<candidate id>"}'
    return _STAGE2.format(level_words=" and its level" if graded else "", form=form)


def stage2_user(
    assets: TaskAssets, candidates: Sequence[str], metadata: Mapping[str, str], fields: Sequence[str]
) -> str:
    """User text of the choosing stage. ``candidates``: five category ids in presented order; local ids are
    ``"1"``…``"5"``.
    """
    return stage2_beginning(assets, candidates) + metadata_json(metadata, fields)


@lru_cache(maxsize=256)
def stage2_target(local_id: str, level: str | None = None) -> str:
    """Assistant text of the choosing stage: the local id, and the level when graded."""
    return compact({"answer": local_id} if level is None else {"answer": local_id, "level": level})


@lru_cache(maxsize=16)
def stage1_beginning(assets: TaskAssets) -> str:
    """What every user text of the shortlisting stage starts with: all but the metadata."""
    rows = [[entry.choice_id, entry.name, entry.registry_description] for entry in assets.catalogue.entries]
    return "Catalogue [choice_id, name, description]:\n" + spaced(rows) + "\nField:\n"


def stage2_beginning(assets: TaskAssets, candidates: Sequence[str]) -> str:
    """What the user text of the choosing stage holds before the metadata. Raises ``KeyError`` for an unknown id."""
    bodies = _stage2_bodies(assets)
    shown = [f'{{"id":"{number}",{bodies[item]}' for number, item in enumerate(candidates, start=1)]
    return f"Candidates:\n[{','.join(shown)}]{_stage2_ending(assets)}"


@lru_cache(maxsize=16)
def _stage2_ending(assets: TaskAssets) -> str:
    """What stands between the candidates and the metadata."""
    levels = f"\nLevels:\n{compact(assets.grading.rubric_pairs())}" if assets.grading else ""
    return f"{levels}\nField:\n"


@lru_cache(maxsize=16)
def _stage2_bodies(assets: TaskAssets) -> dict[str, str]:
    """Each leaf by its category id as a stage 2 candidate without its ``id`` key and opening brace."""
    return {entry.category_id: _stage2_body(entry) for entry in assets.catalogue.entries}


def _stage2_body(entry: Entry) -> str:
    shown = {
        "name": entry.name,
        "description": entry.description,
        "descriptions": entry.descriptions,
        "examples": entry.examples,
    }
    return compact(shown)[1:]
