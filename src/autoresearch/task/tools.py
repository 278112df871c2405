"""The four tools: deterministic functions over registry and corpus, with strict arguments and bounded results
(data-line 5.4).
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autoresearch.files import compact_json, content_digest, strict_json_loads
from autoresearch.task.answers import LOCAL_IDS
from autoresearch.task.prompts import spaced
from autoresearch.task.results import ResultWriter
from autoresearch.task.retrieval import TOP_K, Hit

if TYPE_CHECKING:
    from autoresearch.task.assets import TaskAssets
    from autoresearch.task.catalogue import Entry

SEARCH, DETAILS, EXAMPLES, BROWSE = (
    "search_categories",
    "get_category_details",
    "get_category_examples",
    "browse_categories",
)
TOOL_NAMES = (SEARCH, DETAILS, EXAMPLES, BROWSE)
MOST_IDS = len(LOCAL_IDS)
DEFAULT_EXAMPLES, MOST_EXAMPLES = 2, 5
CACHED_RESULTS = 8_192
MESSAGE_CHARACTERS = 1_000

_STRING, _INTEGER, _ARRAY = "string", "integer", "array"
_TYPES: dict[str, type] = {_STRING: str, _INTEGER: int, _ARRAY: list}


class ToolCallError(ValueError):
    """A call that the model got wrong. The message is for the model; it never holds a canonical id."""


def _schema(
    name: str, description: str, properties: Mapping[str, tuple[str, str]], required: Sequence[str]
) -> dict[str, Any]:
    shown = {key: {"type": kind, "description": text} for key, (kind, text) in properties.items()}
    parameters = {"type": "object", "properties": shown, "required": list(required)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


_SCHEMAS = [
    _schema(
        SEARCH,
        "Rank categories for a field.",
        {
            "field_name": (_STRING, "Field name, not blank."),
            "table_name": (_STRING, "Table name."),
            "field_description": (_STRING, "Field description."),
            "top_k": (_INTEGER, "Only 5."),
            "scope": (_STRING, "Group to search in."),
        },
        ("field_name", "table_name"),
    ),
    _schema(
        DETAILS,
        "Describe categories.",
        {"choice_ids": (_ARRAY, "1 to 5 different choice ids, as strings.")},
        ("choice_ids",),
    ),
    _schema(
        EXAMPLES,
        "Show example fields of categories.",
        {
            "choice_ids": (_ARRAY, "1 to 5 different choice ids, as strings."),
            "limit": (_INTEGER, "1 to 5, else 2."),
        },
        ("choice_ids",),
    ),
    _schema(
        BROWSE,
        "List the groups, or one group's categories.",
        {"prefix": (_STRING, "Group to list.")},
        (),
    ),
]
_PROPERTIES: dict[str, dict[str, dict[str, str]]] = {
    schema["function"]["name"]: schema["function"]["parameters"]["properties"] for schema in _SCHEMAS
}
_REQUIRED: dict[str, list[str]] = {
    schema["function"]["name"]: schema["function"]["parameters"]["required"] for schema in _SCHEMAS
}


def tool_schemas() -> list[dict[str, Any]]:
    """The four schemas in the order of ``TOOL_NAMES``; the caller may change its copy."""
    return copy.deepcopy(_SCHEMAS)


def tools_json() -> str:
    """The schemas as every ``tools`` column holds them: separators ``, `` and ``: ``."""
    return spaced(_SCHEMAS)


def tools_sha256() -> str:
    """Content digest of the schemas (data-line 3.0.5)."""
    return content_digest(_SCHEMAS)


def with_null_text(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments from a parser that reads the parameter text ``null`` as None: for a string parameter it was the text
    ``null``.

    A column may be called so (training.md 6.2).
    """
    kinds = _PROPERTIES.get(name, {})
    return {
        key: "null" if value is None and kinds.get(key, {}).get("type") == _STRING else value
        for key, value in arguments.items()
    }


def check_arguments(name: str, arguments: Mapping[str, Any]) -> None:
    """Strict check of a call against its schema: known tool, known arguments, all required, exact types, no null.

    Raises ``ToolCallError``. Values that depend on the catalogue (ids, scopes) are checked by the tool.
    """
    if name not in _PROPERTIES:
        raise ToolCallError(f"unknown tool; the tools are {', '.join(TOOL_NAMES)}")
    if not isinstance(arguments, Mapping):
        raise ToolCallError("arguments must be an object")
    kinds = _PROPERTIES[name]
    if any(key not in kinds for key in arguments):
        raise ToolCallError(f"unknown argument; {name} takes {', '.join(kinds)}")
    for key in _REQUIRED[name]:
        if key not in arguments:
            raise ToolCallError(f"{name} needs {key}")
    for key, value in arguments.items():
        kind = kinds[key]["type"]
        if type(value) is not _TYPES[kind]:
            raise ToolCallError(f"{key} must be of type {kind}")
    if name == SEARCH:
        _check_search(arguments)
    if name in (DETAILS, EXAMPLES):
        _check_ids(arguments["choice_ids"])
    if "limit" in arguments and not 1 <= arguments["limit"] <= MOST_EXAMPLES:
        raise ToolCallError(f"limit must be 1 to {MOST_EXAMPLES}")


def _check_search(arguments: Mapping[str, Any]) -> None:
    if not arguments["field_name"].strip():
        raise ToolCallError("field_name must not be blank")
    if arguments.get("top_k", TOP_K) != TOP_K:
        raise ToolCallError(f"top_k must be {TOP_K}")


def _check_ids(choice_ids: list[Any]) -> None:
    if not all(type(item) is str for item in choice_ids):
        raise ToolCallError("choice_ids must hold strings")
    if not 1 <= len(choice_ids) <= MOST_IDS or len(set(choice_ids)) != len(choice_ids):
        raise ToolCallError(f"choice_ids must be 1 to {MOST_IDS} different ids")


class ToolBox:
    """The four tools over one task's assets. Results are cached by arguments; equal calls give equal texts in any
    process.

    Raises ``InputError`` (F033) when registry and corpus do not hold the same ids.
    """

    def __init__(self, assets: TaskAssets) -> None:
        assets.corpus.require_equal(assets.registry)
        self._assets = assets
        self._catalogue = assets.catalogue
        self._writer = ResultWriter(assets.catalogue)
        self._cache: OrderedDict[tuple[str, str], str] = OrderedDict()

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a call. Raises ``ToolCallError`` for a call that is wrong, nothing else for any JSON
        arguments.
        """
        result: dict[str, Any] = strict_json_loads(self._text(name, arguments))
        return result

    def call_text(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The content of the tool message: JSON text of the result, or of ``{"error": …}``; at most 4,000
        characters.
        """
        try:
            return self._text(name, arguments)
        except ToolCallError as error:
            return spaced({"error": self._catalogue.redact(str(error))[:MESSAGE_CHARACTERS]})

    def search_texts(self, queries: Iterable[tuple[str, str, str]]) -> list[str]:
        """``call_text`` of unscoped searches by (field_name, table_name, field_description), scored together."""
        return [self.hits_text(hits) for hits in self._assets.index.search_many(queries)]

    def hits_text(self, hits: Sequence[Hit]) -> str:
        """The result text of a search that found ``hits``."""
        return self._writer.search([self._catalogue.by_category(hit.category_id) for hit in hits])

    def _text(self, name: str, arguments: Mapping[str, Any]) -> str:
        check_arguments(name, arguments)
        key = (name, compact_json(dict(arguments)))
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        text = self._run(name, arguments)
        self._cache[key] = text
        if len(self._cache) > CACHED_RESULTS:
            self._cache.popitem(last=False)
        return text

    def _run(self, name: str, arguments: Mapping[str, Any]) -> str:
        if name == SEARCH:
            return self._search(arguments)
        if name == DETAILS:
            return self._writer.details(self._entries(arguments["choice_ids"]))
        if name == EXAMPLES:
            limit = arguments.get("limit", DEFAULT_EXAMPLES)
            return self._writer.examples(self._entries(arguments["choice_ids"]), limit)
        prefix = arguments.get("prefix", "")
        if not prefix.strip():
            return self._writer.groups(self._catalogue.scope_counts)
        scope = self._scope(prefix)
        return self._writer.leaves(scope, self._catalogue.members(scope))

    def _search(self, arguments: Mapping[str, Any]) -> str:
        scope = arguments.get("scope", "")
        hits = self._assets.index.search(
            arguments["field_name"],
            arguments["table_name"],
            arguments.get("field_description", ""),
            scope=self._scope(scope) if scope.strip() else None,
        )
        return self.hits_text(hits)

    def _scope(self, text: str) -> str:
        scope = self._catalogue.scope(text)
        if scope is None:
            raise ToolCallError(f"unknown group; the groups are {', '.join(self._catalogue.scope_counts)}")
        return scope

    def _entries(self, choice_ids: Sequence[str]) -> list[Entry]:
        entries = [self._catalogue.by_choice(choice_id) for choice_id in choice_ids]
        if any(entry is None for entry in entries):
            raise ToolCallError(f"unknown choice id; choice ids are 1 to {len(self._catalogue)}")
        return [entry for entry in entries if entry is not None]
