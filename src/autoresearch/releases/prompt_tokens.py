"""Tokens of RL prompts: the system block, equal in all rows of a release, is rendered and encoded once (4.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autoresearch.errors import InputError
from autoresearch.findings import finding

PROVED_FIRST, PROVED_EVERY = 64, 997


class PromptCounter:
    """Counts prompts with their generation prompt, thinking always passed.

    The first 64 prompts and every 997th are also rendered and encoded whole; a difference is ``InputError`` T040.
    """

    def __init__(self, tokenizer: Any, enable_thinking: bool) -> None:
        from autoresearch.task.tools import tool_schemas

        self._tokenizer = tokenizer
        self._thinking = enable_thinking
        self._tools = tool_schemas()
        self._heads: dict[tuple[str, bool], int | None] = {}
        self._seen = 0

    def count(self, prompt: Sequence[Mapping[str, Any]], native: bool) -> int:
        """Tokens of one prompt; ``native`` prompts are rendered with the tools. Raises ``InputError`` T005, T040."""
        key = (str(prompt[0]["content"]), native)
        if key not in self._heads:
            self._heads[key] = self._head(prompt, native)
        head = self._heads[key]
        self._seen += 1
        if head is None:
            return self._tokens(self._whole(prompt, native))
        count = head + self._tokens(self._tail(prompt))
        if self._seen <= PROVED_FIRST or self._seen % PROVED_EVERY == 0:
            whole = self._tokens(self._whole(prompt, native))
            if whole != count:
                item = finding("T040", place=f"prompt {self._seen}", rule=f"{count} tokens by parts, {whole} whole")
                raise InputError(item.message(), [item])
        return count

    def _head(self, prompt: Sequence[Mapping[str, Any]], native: bool) -> int | None:
        """Tokens of the system block, or None where the template does not let it be cut off."""
        whole, tail = self._whole(prompt, native), self._tail(prompt)
        if not tail or not whole.endswith(tail) or not tail.startswith("<|im_start|>"):
            return None
        return self._tokens(whole[: -len(tail)])

    def _whole(self, prompt: Sequence[Mapping[str, Any]], native: bool) -> str:
        return self._render(prompt, self._tools if native else None)

    def _tail(self, prompt: Sequence[Mapping[str, Any]]) -> str:
        return self._render(prompt[1:], None)

    def _render(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] | None) -> str:
        from autoresearch.task.conversation import prompt_text

        return prompt_text(self._tokenizer, messages, tools, self._thinking)

    def _tokens(self, text: str) -> int:
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])
