"""Trajectories: which class a record belongs to, which calls it makes and what they return (6.1, 6.2).

Calls come from the record's visible metadata and from earlier results, never from the label; the one exception is the
scope of ``no_result`` under the ``hash`` policy, which must leave the gold's group out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from autoresearch.errors import InputError
from autoresearch.task.tools import BROWSE, DETAILS, EXAMPLES, SEARCH, ToolBox

if TYPE_CHECKING:
    from autoresearch.task.assets import TaskAssets
    from autoresearch.task.retrieval import Hit, Ranked

ClassPolicy = Literal["search", "hash"]
CLASSES = ("direct", "single_tool", "multi_tool", "no_result")
DIRECT, SINGLE, MULTI, NO_RESULT = CLASSES
DIRECT_MARGIN = 0.20
TIE_MARGIN = 0.10
BUNDLE = 5
EXAMPLES_OF = 2
EXAMPLE_LIMIT = 2


class Subject(NamedTuple):
    """What a trajectory is derived from; a source, or a row that is checked."""

    source_id: str
    category_id: str
    metadata: Mapping[str, str]

    @property
    def query(self) -> tuple[str, str, str]:
        """The visible texts that search takes: field name, table name, description."""
        shown = self.metadata
        return shown["field_name"], shown["table_name"], shown.get("field_description", "")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call; absent optional arguments are absent."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Assignment:
    """The class of a record and how it came to it."""

    trajectory_class: str
    tie: bool = False
    reassigned: bool = False
    """``hash`` policy: ``multi_tool`` whose search finds nothing became ``single_tool``."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Class, calls and real results of one record."""

    assignment: Assignment
    calls: tuple[Call, ...]
    results: tuple[str, ...]
    ranked: Ranked


def _draw(source_id: str, choices: Sequence[str]) -> str:
    number = int(hashlib.sha256(f"tool-trajectory:{source_id}".encode()).hexdigest(), 16)
    return choices[number % len(choices)]


def tie_class(source_id: str) -> str:
    """The tie rule of 6.2: ``direct`` or ``single_tool`` by hash."""
    return _draw(source_id, (DIRECT, SINGLE))


def hash_class(source_id: str) -> str:
    """The class of the ``hash`` policy, before any reassignment."""
    return _draw(source_id, CLASSES)


def assign(policy: ClassPolicy, source_id: str, ranked: Ranked) -> Assignment:
    """The class of a record from its unscoped search (6.2). Pure."""
    if policy == "hash":
        drawn = hash_class(source_id)
        if drawn == MULTI and not ranked.hits:
            return Assignment(SINGLE, reassigned=True)
        return Assignment(drawn)
    rank, margin = ranked.rank, ranked.margin
    if rank is None or margin is None or rank > BUNDLE:
        return Assignment(NO_RESULT)
    if margin < TIE_MARGIN:
        return Assignment(MULTI)
    if rank > 1:
        return Assignment(SINGLE)
    if margin < DIRECT_MARGIN:
        return Assignment(tie_class(source_id), tie=True)
    return Assignment(DIRECT)


def search_arguments(metadata: Mapping[str, str]) -> dict[str, Any]:
    """Arguments of an unscoped search: the visible metadata, the description only when it is not blank."""
    arguments: dict[str, Any] = {"field_name": metadata["field_name"], "table_name": metadata["table_name"]}
    description = metadata.get("field_description", "")
    if description.strip():
        arguments["field_description"] = description
    return arguments


class TrajectoryDeriver:
    """Derives classes, calls and results over one task's assets. Raises ``InputError`` F033 when registry and
    corpus differ.
    """

    def __init__(self, assets: TaskAssets, policy: ClassPolicy) -> None:
        missing = [name for name in ("field_name", "table_name") if name not in assets.fields]
        if missing:
            raise InputError(f"trajectories need {missing[0]} among the metadata fields; add it to --metadata-fields")
        self.policy: ClassPolicy = policy
        self.assets = assets
        self.tools = ToolBox(assets)
        self._scopes = sorted(assets.catalogue.scope_counts)

    def rank(self, subjects: Sequence[Subject]) -> list[Ranked]:
        """The unscoped search of each subject, scored together."""
        return self.assets.index.rank_many(
            [subject.query for subject in subjects], [subject.category_id for subject in subjects]
        )

    def derive(self, subjects: Sequence[Subject]) -> list[Trajectory]:
        """Class, calls and results of each subject, in their order."""
        found = []
        for subject, ranked in zip(subjects, self.rank(subjects), strict=True):
            assignment = assign(self.policy, subject.source_id, ranked)
            calls = self.calls(subject, assignment.trajectory_class, ranked.hits)
            results = tuple(self.result(call, ranked.hits) for call in calls)
            found.append(Trajectory(assignment, calls, results, ranked))
        return found

    def calls(self, subject: Subject, trajectory_class: str, hits: Sequence[Hit]) -> tuple[Call, ...]:
        """The calls of a class, by 6.1. Raises ``InputError`` for ``no_result`` under ``hash`` when there is
        one group only.
        """
        if trajectory_class == DIRECT:
            return ()
        search = Call(SEARCH, search_arguments(subject.metadata))
        if trajectory_class == SINGLE:
            return (search,)
        if trajectory_class == MULTI:
            ids = [hit.choice_id for hit in hits]
            details = Call(DETAILS, {"choice_ids": ids})
            examples = Call(EXAMPLES, {"choice_ids": ids[:EXAMPLES_OF], "limit": EXAMPLE_LIMIT})
            return search, details, examples
        browse = Call(BROWSE, {})
        if self.policy == "search":
            return search, browse
        return browse, Call(SEARCH, {**search.arguments, "scope": self._other_scope(subject)})

    def result(self, call: Call, hits: Sequence[Hit]) -> str:
        """The tool text of a call. ``hits``: what the unscoped search of this record found."""
        if call.name == SEARCH and "scope" not in call.arguments:
            return self.tools.hits_text(hits)
        return self.tools.call_text(call.name, call.arguments)

    def _other_scope(self, subject: Subject) -> str:
        own = self.assets.catalogue.by_category(subject.category_id).scope_key
        for scope in self._scopes:
            if scope != own:
                return scope
        raise InputError(
            f"{subject.source_id}: class no_result of the hash policy needs two groups and the registry has one "
            f"({own}); use --class-policy search"
        )
