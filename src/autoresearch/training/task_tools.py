"""The four task tools as verl sees them: ``TaskTool``, which hands every call to ``task.tools.ToolBox`` (training.md
6.2).

A wrong call is a result for the model (``{"error": …}``). Anything else that goes wrong is infrastructure: verl would
turn an exception into tool text, so it is noted on the episode first and the loop raises it.
"""

from __future__ import annotations

import json
import os
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from verl.tools.base_tool import BaseTool
from verl.tools.schemas import OpenAIFunctionToolSchema, ToolResponse

from autoresearch.errors import EpisodeError
from autoresearch.standards.manifest import GradingManifest
from autoresearch.task.assets import MANIFEST_VARIABLE, REGISTRY_VARIABLE, TaskAssets
from autoresearch.task.prompts import native_system
from autoresearch.task.tools import ToolBox, ToolCallError
from autoresearch.training.loop_settings import tools_config, write_tools_config

__all__ = ["FAILURE_ATTRIBUTE", "Environment", "TaskTool", "environment", "tools_config", "write_tools_config"]

FAILURE_ATTRIBUTE = "autoresearch_failure"
"""Attribute of verl's ``AgentData`` on which a tool notes an infrastructure failure."""
SLOW_CALL_SECONDS = 5.0
"""A call that takes longer counts as a broken tool. The target is 20 ms; the room between is for a loaded machine."""
CACHED_RESULTS = 8192
ASSET_FILES = ("registry.json", "corpus.json", "task.json", "grading.json")


@dataclass(frozen=True)
class Environment:
    """What every episode over one ``assets/`` folder shares; built once a process."""

    assets: TaskAssets
    toolbox: ToolBox
    results: OrderedDict[tuple[str, str], tuple[str, bool]]
    """(tool, arguments as JSON) -> (result text, whether it is an error); tools are deterministic."""

    def system_text(self, enable_thinking: bool) -> str:
        """The native system text of this folder."""
        return native_system(self.assets, enable_thinking)


def environment(folder: str) -> Environment:
    """The environment of an ``assets/`` folder, cached by path and the files' sizes and times.

    Where the folder is absent, the files that ``AUTORESEARCH_REGISTRY`` and its like name serve (data-line 5.4).
    Raises ``InputError`` when neither can be used, or registry and corpus hold different categories.
    """
    state = tuple(
        (name, stat.st_mtime_ns, stat.st_size)
        for name in ASSET_FILES
        if (path := Path(folder) / name).exists()
        for stat in (path.stat(),)
    )
    return _environment(folder, state)


@lru_cache(maxsize=4)
def _environment(folder: str, state: tuple[tuple[str, int, int], ...]) -> Environment:
    if state or not os.environ.get(REGISTRY_VARIABLE):
        assets = TaskAssets.load(Path(folder))
    else:
        assets = TaskAssets.from_environment(os.environ, _only_dataset())
    return Environment(assets=assets, toolbox=ToolBox(assets), results=OrderedDict())


def _only_dataset() -> str:
    manifest = os.environ.get(MANIFEST_VARIABLE)
    return next(iter(GradingManifest.from_path(Path(manifest)).datasets)) if manifest else ""


class TaskTool(BaseTool):
    """One of the four tools. ``config`` is ``{type: native, tool: <name>, assets: <folder>}``."""

    def __init__(self, config: dict[str, Any], tool_schema: OpenAIFunctionToolSchema) -> None:
        # The parent's constructor sets these three and prints the schema to standard output, which belongs to the
        # result.
        self.config = config
        self.tool_schema = tool_schema
        self.name = config["tool"]
        if tool_schema is None or tool_schema.function.name != self.name:
            raise EpisodeError(f"tools.yaml: the entry for {self.name!r} does not carry that tool's schema")
        self._strings = {
            name for name, schema in tool_schema.function.parameters.properties.items() if schema.type == "string"
        }
        environment(config["assets"])  # builds the search index before the first episode waits for it

    async def execute(
        self, instance_id: str, parameters: dict[str, Any], **kwargs: Any
    ) -> tuple[ToolResponse, float, dict[str, Any]]:
        """Answer one call. Returns the JSON text, no reward, and ``{"tool_error": bool}``.

        Whatever is not the model's fault is noted on ``kwargs["agent_data"]`` and raised as ``EpisodeError``.
        """
        started = time.perf_counter()
        try:
            text, wrong = self.answer(parameters)
            seconds = time.perf_counter() - started
            if seconds > SLOW_CALL_SECONDS:
                raise EpisodeError(f"{self.name} took {seconds:.1f} s, more than {SLOW_CALL_SECONDS:g} s")
        except Exception as error:
            failure = error if isinstance(error, EpisodeError) else EpisodeError(f"{self.name} failed: {error!r}")
            agent_data = kwargs.get("agent_data")
            if agent_data is not None:
                setattr(agent_data, FAILURE_ATTRIBUTE, failure)
            raise failure from error
        return ToolResponse(text=text), 0.0, {"tool_error": wrong}

    def answer(self, parameters: dict[str, Any]) -> tuple[str, bool]:
        """Result text of a call and whether it is an error for the model to read; cached by arguments."""
        # verl's parser reads the parameter text `null` as None; a column may well be called so.
        arguments = {
            name: "null" if value is None and name in self._strings else value for name, value in parameters.items()
        }
        here = environment(self.config["assets"])
        key = (self.name, json.dumps(arguments, ensure_ascii=False, sort_keys=True))
        if key in here.results:
            here.results.move_to_end(key)
            return here.results[key]
        try:
            here.toolbox.call(self.name, arguments)
            wrong = False
        except ToolCallError:
            wrong = True
        result = (here.toolbox.call_text(self.name, arguments), wrong)
        here.results[key] = result
        if len(here.results) > CACHED_RESULTS:
            here.results.popitem(last=False)
        return result
