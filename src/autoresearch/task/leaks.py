"""What must never reach the model, as checks on structures (data-line 5.6). Each returns what it found; the caller
names the finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autoresearch.files import strict_json_loads
from autoresearch.standards.text import contains_code, control_token
from autoresearch.task.codes import CodeFinder, hidden_codes, leaf_codes

if TYPE_CHECKING:
    from autoresearch.standards.registry import Leaf, LeafRegistry

_ANSWER_KEY = re.compile(r"""["'“”‘’`]?\b(?:answer|level)["'“”‘’`]\s*[:：]|\{\s*["'“”‘’`]?answer\b""", re.IGNORECASE)


def gold_in_text(text: str, leaf: Leaf) -> str | None:
    """The gold id or code that a prompt text holds, by the boundary rule (5.6.1); None if it holds neither."""
    return _first_code(text, leaf_codes(leaf))


def _first_code(text: str, codes: Iterable[str]) -> str | None:
    return next((code for code in codes if code in text and contains_code(text, code)), None)


def gold_in_metadata(metadata: Mapping[str, str], fields: Sequence[str], leaf: Leaf) -> str | None:
    """The visible field whose text holds the record's own gold id or code: such a source is skipped as
    ``label_in_metadata``.
    """
    return next((name for name in fields if gold_in_text(metadata.get(name) or "", leaf) is not None), None)


def control_token_in(texts: Iterable[str | None]) -> str | None:
    """The first control token in any of the texts (5.6.3), None if there is none."""
    return next((found for text in texts if text and (found := control_token(text)) is not None), None)


def answer_look_alike(thought: str) -> str | None:
    """An ``answer``/``level`` key look-alike, or an object that opens with ``answer``, in a thought (5.6.5, 6.3)."""
    found = _ANSWER_KEY.search(thought)
    return found.group() if found else None


def truth_in_thought(thought: str, leaf: Leaf, name: str, choice_id: str) -> str | None:
    """The id, code, name or display name of the truth in a ``mock`` thought, or its choice id as a number (5.6.5)."""
    words = next((word for word in (leaf.name, name) if word and word in thought), None)
    number = re.search(rf"(?<![0-9A-Za-z]){re.escape(choice_id)}(?![0-9A-Za-z])", thought)
    return gold_in_text(thought, leaf) or words or (number.group() if number else None)


def result_shows(text: str, choice_id: str) -> bool:
    """Whether a tool result holds ``choice_id`` as an id (5.6.4, R052). A text that is not JSON shows nothing."""
    try:
        return _shows(strict_json_loads(text), choice_id)
    except ValueError:
        return False


def _shows(node: Any, choice_id: str) -> bool:
    if isinstance(node, dict):
        return node.get("choice_id") == choice_id or any(_shows(value, choice_id) for value in node.values())
    return isinstance(node, list) and any(_shows(value, choice_id) for value in node)


class PromptLeaks:
    """Looks for registry ids in prompt texts (5.6.2). Texts that repeat, like the system text, are searched once."""

    def __init__(self, registry: LeafRegistry) -> None:
        self._finder = CodeFinder(hidden_codes(registry))
        self._searched: dict[str, tuple[str, ...]] = {}
        self._beginnings: dict[tuple[str, str], str | None] = {}
        self._codes: dict[str, tuple[tuple[str, ...], bool]] = {}

    def in_system(self, text: str) -> tuple[str, ...]:
        """Every registry id or code in a system text; the answer is kept by text."""
        if text not in self._searched:
            self._searched[text] = self._finder.find(text)
        return self._searched[text]

    def gold_in_user(self, text: str, leaf: Leaf, beginning: str) -> str | None:
        """``gold_in_text`` of a user text. ``beginning`` ends with a line break, which no code can span: what many
        texts start with is searched once a leaf.
        """
        if beginning and text.startswith(beginning):
            return self.gold_in_parts(beginning, text[len(beginning) :], leaf)
        return self.gold_in_parts("", text, leaf)

    def gold_in_parts(self, beginning: str, rest: str, leaf: Leaf) -> str | None:
        """``gold_in_text`` of ``beginning + rest``; the beginning is empty or ends with a line break."""
        known = self._codes.get(leaf.category_id)
        if known is None:
            codes = leaf_codes(leaf)
            known = self._codes[leaf.category_id] = (codes, any("\n" in code for code in codes))
        codes, spanning = known
        if not beginning or spanning:
            return _first_code(beginning + rest, codes)
        key = (beginning, leaf.category_id)
        if key not in self._beginnings:
            self._beginnings[key] = _first_code(beginning, codes)
        return self._beginnings[key] or _first_code(rest, codes)

    def in_text(self, text: str) -> tuple[str, ...]:
        """Every registry id or code in a text, longest first."""
        return self._finder.find(text)
