"""With a tokenizer: a row renders whole, its calls parse back, and the rollout's prompt is its beginning (7.3.11)."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError
from autoresearch.releases.judgement import Place
from autoresearch.releases.row_checks import RowContext
from autoresearch.releases.trajectories import Call
from autoresearch.task.prompts import compact
from autoresearch.task.tools import tool_schemas, with_null_text

PARSER = "qwen3_coder"


class RenderChecks:
    """R065. Without verl the engine's parser is not there: rows are rendered, and a note says that no call was
    parsed.
    """

    def __init__(self, context: RowContext, folder: Path) -> None:
        from autoresearch.releases.tokenizers import load_tokenizer
        from autoresearch.task.segments import SegmentCache

        self.context = context
        self.tokenizer = load_tokenizer(folder)
        self.cache = SegmentCache(self.tokenizer)
        self.schemas = tool_schemas()
        self.parse = _engine_parser(self.tokenizer, self.schemas)
        context.judgement.ran("R065")
        if self.parse is None:
            rule = f"verl is not installed: rows were rendered, no call was given to its {PARSER} parser"
            context.judgement.add("R065", "the engine's parser", rule, "note")

    def check(self, rows: Sequence[tuple[Place, Mapping[str, Any]]]) -> None:
        """Judge rows of right shape; their calls are parsed together."""
        turns: list[tuple[Place, Call, list[int]]] = []
        for place, row in rows:
            turns.extend(self._row(place, row))
        if self.parse is None or not turns:
            return
        for (place, call, _), found in zip(turns, self.parse([ids for _, _, ids in turns]), strict=True):
            if found != [compact([call.name, call.arguments])]:
                self.context.add("R065", place, "the engine's parser does not give back the stored call")

    def _row(self, place: Place, row: Mapping[str, Any]) -> list[tuple[Place, Call, list[int]]]:
        from autoresearch.task.conversation import decode_row, prompt_ids

        try:
            conversation = decode_row(row, place.text())
            encoded = self.cache.encode(conversation)
            prompt = prompt_ids(self.tokenizer, conversation.messages[:2], self.schemas, conversation.enable_thinking)
        except InputError as error:
            self.context.add("R065", place, error.message)
            return []
        if len(prompt) >= len(encoded.input_ids) or encoded.input_ids[: len(prompt)] != prompt:
            self.context.add("R065", place, "the ids of the rollout's prompt are no strict prefix of the row's ids")
        turns = []
        for span, stored in zip(encoded.spans, row["tool_calls"], strict=False):
            ids = self.tokenizer(encoded.text[span.start : span.end], add_special_tokens=False)["input_ids"]
            call = Call(stored["name"], json.loads(stored["arguments"]))
            turns.append((Place(place.split, place.row, place.source_id, span.message), call, ids))
        return turns


def _engine_parser(tokenizer: Any, schemas: Sequence[Mapping[str, Any]]) -> Any:
    """A function from lists of ids to the calls that the engine reads in each, or None without verl."""
    if importlib.util.find_spec("verl") is None:
        return None
    from verl.experimental.agent_loop.tool_parser import ToolParser
    from verl.tools.schemas import OpenAIFunctionToolSchema

    parser = ToolParser.get_tool_parser(PARSER, tokenizer)
    models = [OpenAIFunctionToolSchema.model_validate(schema) for schema in schemas]

    async def read_all(turns: Sequence[list[int]]) -> list[list[str]]:
        found = []
        for ids in turns:
            _, calls = await parser.extract_tool_calls(ids, models)
            found.append([_canonical(call.name, call.arguments) for call in calls])
        return found

    return lambda turns: asyncio.run(read_all(turns))


def _canonical(name: str, arguments: str) -> str:
    try:
        parsed = json.loads(arguments)
    except ValueError:
        return arguments
    return compact([name, with_null_text(name, parsed) if isinstance(parsed, dict) else parsed])
