"""What the task loop is told: fixed settings, and the two YAML files that verl reads (training.md 6.1, 6.2). Imports
no torch.

``loop.yaml`` is a list with one entry (verl instantiates ``_target_`` for every episode with the keyword arguments
beside it); ``tools.yaml`` holds one entry a tool. Both are run files: they name the release's ``assets/`` folder by
an absolute path, because worker processes inherit no working directory.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autoresearch.files import atomic_write_text

LOOP_NAME = "autoresearch_task"
LOOP_TARGET = "autoresearch.training.task_loop.TaskLoop"
TOOL_CLASS = "autoresearch.training.task_tools.TaskTool"
TRAJECTORY_FORMAT = "qwen3.5-native-tools-v2"
PARSER = "qwen3_coder"
MULTI_TURN: dict[str, Any] = {
    "max_assistant_turns": 4,
    "max_user_turns": 3,
    "max_parallel_calls": 1,
    "max_tool_response_length": 4096,
    "tool_response_truncate_side": "right",
    "format": PARSER,
}
"""Settings of ``actor_rollout_ref.rollout.multi_turn`` that the loop insists on; verl's defaults differ in every
one.
"""


def loop_settings(enable_thinking: bool) -> dict[str, Any]:
    """The settings that a verdict or plan records and compares."""
    return {"agent_loop": LOOP_NAME, "enable_thinking": enable_thinking, **MULTI_TURN}


def settings_differences(multi_turn: Mapping[str, Any]) -> list[str]:
    """One sentence for each loop setting that is not what the loop insists on; empty when all are."""
    return [
        f"rollout.multi_turn.{key} is {multi_turn.get(key)!r}, must be {wanted!r}"
        for key, wanted in MULTI_TURN.items()
        if multi_turn.get(key) != wanted
    ]


def loop_entry(
    *,
    assets: Path,
    transcripts: Path | None,
    enable_thinking: bool,
    tools_sha256: str = "",
    model_tree: str = "",
    run_seed: int | None = None,
    labelled: bool = True,
) -> dict[str, Any]:
    """The one entry of ``loop.yaml``: name, class and the keyword arguments of ``TaskLoop``."""
    return {
        "name": LOOP_NAME,
        "_target_": LOOP_TARGET,
        "assets": str(Path(assets).resolve()),
        "transcripts": None if transcripts is None else str(Path(transcripts).resolve()),
        "enable_thinking": enable_thinking,
        "tools_sha256": tools_sha256,
        "model_tree": model_tree,
        "run_seed": run_seed,
        "labelled": labelled,
    }


def write_loop_config(
    path: Path,
    *,
    assets: Path,
    transcripts: Path,
    enable_thinking: bool,
    tools_sha256: str,
    model_tree: str = "",
    run_seed: int | None = None,
) -> None:
    """Write ``loop.yaml`` for ``rollout.agent.agent_loop_config_path``; ``assets`` is the release's own folder."""
    entry = loop_entry(
        assets=assets,
        transcripts=transcripts,
        enable_thinking=enable_thinking,
        tools_sha256=tools_sha256,
        model_tree=model_tree,
        run_seed=run_seed,
    )
    _write_yaml(path, [entry])


def tools_config(assets: Path) -> dict[str, Any]:
    """The content of ``tools.yaml``: four entries in the order of ``task.tools``, with the schemas as they are
    prompted.
    """
    from autoresearch.task.tools import tool_schemas

    folder = str(Path(assets).resolve())
    return {
        "tools": [
            {
                "class_name": TOOL_CLASS,
                "config": {"type": "native", "tool": schema["function"]["name"], "assets": folder},
                "tool_schema": schema,
            }
            for schema in tool_schemas()
        ]
    }


def write_tools_config(path: Path, *, assets: Path) -> None:
    """Write ``tools.yaml`` for ``rollout.multi_turn.tool_config_path``."""
    _write_yaml(path, tools_config(assets))


def _write_yaml(path: Path, content: Any) -> None:
    import yaml

    atomic_write_text(path, yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1000))
