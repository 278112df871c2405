"""``TaskLoop``: one field played to its end, in training, gates, evaluation and prediction alike (training.md 6.1).

verl instantiates it once an episode from ``loop.yaml`` (see ``loop_settings``); it must not carry verl's
``@register``, which would replace that entry by the bare class and lose its arguments. What the model does wrong
becomes a score of 0 with a reason; everything else is an ``EpisodeError``. Results are left in
``extra_fields["autoresearch"]`` after the parent's method has returned: a key added before the first generation would
suppress verl's own.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from verl.experimental.agent_loop.agent_loop import AgentLoopOutput
from verl.experimental.agent_loop.tool_agent_loop import AgentData, AgentState, ToolAgentLoop
from verl.tools.schemas import ToolResponse

from autoresearch.errors import AutoResearchError, EpisodeError, RefusedError
from autoresearch.task.answers import parse_terminal
from autoresearch.task.prompts import native_user
from autoresearch.task.rewards import EpisodeScore, Truth, score_episode
from autoresearch.task.tools import tools_json, tools_sha256
from autoresearch.training.episode_reward import RESULT_KEY
from autoresearch.training.loop_settings import (
    LOOP_NAME,
    TRAJECTORY_FORMAT,
    settings_differences,
    write_loop_config,
)
from autoresearch.training.seeds import turn_seed
from autoresearch.training.task_tools import FAILURE_ATTRIBUTE, environment
from autoresearch.training.transcripts import Episode, TranscriptWriter

__all__ = ["TaskLoop", "write_loop_config"]

EXTRA_INFO_KEYS = frozenset(
    {"dataset", "stage", "source_id", "metadata", "ground_truth_level", "trajectory_format", "candidates"}
)
STAGE = "stage1"


class RecordingServer:
    """The server handed to the loop, with its last answer kept; engine failures become ``EpisodeError``."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self.last: Any = None

    async def generate(self, **request: Any) -> Any:
        """Pass a request on. Raises ``EpisodeError`` when the engine fails, aborts, or returns no token."""
        try:
            self.last = await self._server.generate(**request)
        except AutoResearchError:
            raise
        except Exception as error:
            raise EpisodeError(f"the engine failed: {type(error).__name__}: {error}") from error
        if self.last.stop_reason == "aborted" or not self.last.token_ids:
            raise EpisodeError(f"the engine returned no whole turn (stop reason {self.last.stop_reason!r})")
        return self.last

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)


class TaskLoop(ToolAgentLoop):
    """verl's tool loop with this project's checks, scoring and transcripts; one instance plays one episode.

    Args (beside the parent's):
        assets: the release's ``assets/`` folder.
        enable_thinking: the release's switch; must equal the one the template is applied with.
        tools_sha256: digest in the release header; empty means that of this version.
        transcripts: folder for this process's transcript file, None to write none.
        model_tree, run_seed: recorded; with ``run_seed`` each request carries a seed of its own.
        labelled: False lets rows without ground truth through, which then have no score.

    Raises ``RefusedError`` naming every setting that is not as the specification fixes it.
    """

    def __init__(
        self,
        *args: Any,
        assets: str,
        enable_thinking: bool,
        name: str = LOOP_NAME,
        tools_sha256: str = "",
        transcripts: str | None = None,
        model_tree: str = "",
        run_seed: int | None = None,
        labelled: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.server_manager: RecordingServer = RecordingServer(self.server_manager)
        self.environment = environment(assets)
        self.assets = self.environment.assets
        self.enable_thinking = enable_thinking
        self.model_tree = model_tree
        self.run_seed = run_seed
        self.labelled = labelled
        self.writer = None if transcripts is None else process_writer(transcripts)
        self.episode: Episode | None = None  # what was played, also when `run` raised
        self._turns: list[dict[str, Any]] = []
        self._final_ids: list[int] = []
        self._truncated = False
        self._overflow = False
        self._seed_key: tuple[str, int] = ("", 0)
        problems = self._problems(tools_sha256)
        if problems:
            raise RefusedError("the task loop cannot start: " + "; ".join(problems))

    def _problems(self, release_tools: str) -> list[str]:
        problems = settings_differences(self.rollout_config.multi_turn)
        if json.dumps(self.tool_schemas, ensure_ascii=False) != tools_json():
            problems.append(f"the tools are {list(self.tools)} with other schemas than the release's `tools` column")
        if release_tools and release_tools != tools_sha256():
            here = tools_sha256()
            problems.append(f"the release was made with tools {release_tools[:12]}, this version has {here[:12]}")
        stated = self.apply_chat_template_kwargs.get("enable_thinking")
        if stated is not self.enable_thinking:
            problems.append(f"the template gets enable_thinking={stated}, the release has {self.enable_thinking}")
        if len(self.tokenizer.encode("\n", add_special_tokens=False)) != 1:
            problems.append("the tokenizer has no token for the newline alone; turn boundaries cannot be kept")
        return problems

    async def run(self, sampling_params: dict[str, Any], **kwargs: Any) -> AgentLoopOutput:
        """Play one row. Returns verl's output with the scored result; raises ``EpisodeError`` if it has none."""
        started = time.perf_counter()
        info = dict(kwargs.get("extra_info") or {})
        identity: dict[str, Any] = {
            "source_id": str(info.get("source_id")),
            "sample": int(kwargs.get("session_id") or 0),
            "uid": str(kwargs.get("uid") or ""),
            "step": None if kwargs.get("global_steps") is None else int(kwargs["global_steps"]),
            "model_tree": self.model_tree,
        }
        self._seed_key = (identity["source_id"], identity["sample"])
        try:
            truth = self._check_row(kwargs, info)
            output = await super().run(sampling_params, **kwargs)
            episode = self._judge(output, truth, identity, time.perf_counter() - started)
        except Exception as error:
            failure = error if isinstance(error, EpisodeError) else EpisodeError(f"{type(error).__name__}: {error}")
            seconds = round(time.perf_counter() - started, 4)
            failed: dict[str, Any] = {"turns": self._turns, "terminated_by": "error", "error": failure.message}
            self._write(Episode(**identity, **failed, seconds=seconds))
            raise failure from error
        self._write(episode)
        output.extra_fields[RESULT_KEY] = result_of(episode)
        return output

    def _check_row(self, row: Mapping[str, Any], info: Mapping[str, Any]) -> Truth | None:
        unknown = sorted(set(info) - EXTRA_INFO_KEYS)
        if unknown:
            raise EpisodeError(f"extra_info has unknown keys {unknown}")
        source_id = info.get("source_id")
        if info.get("stage") != STAGE:
            raise EpisodeError(f"row {source_id}: stage is {info.get('stage')!r}, the loop plays {STAGE!r}")
        if (found := info.get("trajectory_format")) != TRAJECTORY_FORMAT:
            raise EpisodeError(f"row {source_id}: trajectory_format {found!r} is not {TRAJECTORY_FORMAT!r}")
        prompt = [(message.get("role"), message.get("content")) for message in row["raw_prompt"]]
        rebuilt = [
            ("system", self.environment.system_text(self.enable_thinking)),
            ("user", native_user(info["metadata"], self.assets.task.metadata_fields)),
        ]
        if prompt != rebuilt:
            raise EpisodeError(f"row {source_id}: the prompt is not the one that its metadata and the assets build now")
        return self._truth(row, info)

    def _truth(self, row: Mapping[str, Any], info: Mapping[str, Any]) -> Truth | None:
        gold = (row.get("reward_model") or {}).get("ground_truth")
        level = info.get("ground_truth_level")
        if not self.labelled and gold is None:
            return None
        if gold is None or self.assets.registry.get(gold) is None:
            raise EpisodeError(f"row {info.get('source_id')}: the true category {gold!r} is not in the registry")
        if level not in self.assets.levels:
            raise EpisodeError(f"row {info.get('source_id')}: the true level {level!r} is not in the grading standard")
        return Truth(category_id=gold, level=level)

    async def _handle_generating_state(
        self, agent_data: AgentData, sampling_params: dict[str, Any], ignore_termination: bool = False
    ) -> AgentState:
        if not self._turns:
            self._check_prompt_length(agent_data)
        before = len(agent_data.response_mask)
        messages = len(agent_data.messages)
        agent_data.tool_calls = []  # the parent leaves the last turn's calls here when a limit ends the episode
        request = {**sampling_params, "max_tokens": self.response_length - before}
        if self.run_seed is not None:
            request["seed"] = turn_seed(self.run_seed, *self._seed_key, len(self._turns))
        state = await super()._handle_generating_state(agent_data, request, ignore_termination)
        tokens = list(agent_data.response_ids)
        if len(agent_data.messages) == messages:  # ended by a limit: the parent has not parsed this turn
            schemas = [tool.tool_schema for tool in self.tools.values()]
            _, agent_data.tool_calls = await self.tool_parser.extract_tool_calls(tokens, schemas)
        room = self.response_length - before
        self._truncated = len(tokens) > room or tokens[-1] not in self._ends()
        self._final_ids = [] if agent_data.tool_calls else tokens[:room]
        self._turns.append(
            {
                "tokens": len(tokens),
                "stop_reason": self.server_manager.last.stop_reason,
                "calls": [{"name": call.name, "arguments": call.arguments} for call in agent_data.tool_calls[:1]],
                "dropped_calls": max(0, len(agent_data.tool_calls) - 1),
                "tool_errors": 0,
                "surfaced": [],
            }
        )
        return state

    def _ends(self) -> set[int]:
        return {self.tokenizer.eos_token_id, self.tokenizer.pad_token_id}

    def _check_prompt_length(self, agent_data: AgentData) -> None:
        # verl has cut a longer prompt from the left by now, catalogue first; at the limit only a fresh rendering can
        # tell.
        if len(agent_data.prompt_ids) < self.prompt_length:
            return
        whole = self.continuous_token_builder.build_initial_tokens(agent_data.messages, tools=self.tool_schemas)
        if len(whole) > self.prompt_length:
            raise EpisodeError(
                f"the prompt has {len(whole)} tokens, rollout.prompt_length is {self.prompt_length}: raise --max-prompt"
            )

    async def _handle_processing_tools_state(self, agent_data: AgentData) -> AgentState:
        state = await super()._handle_processing_tools_state(agent_data)
        self._overflow = state == AgentState.TERMINATED
        return state

    async def _call_tool(
        self, tool_call: Any, tools_kwargs: dict[str, Any], agent_data: AgentData
    ) -> tuple[ToolResponse, float, dict[str, Any]]:
        turn = self._turns[-1]
        if tool_call.name not in self.tools:
            turn["tool_errors"] += 1
            message = f"there is no tool {tool_call.name!r}; the tools are {', '.join(self.tools)}"
            return ToolResponse(text=json.dumps({"error": message}, ensure_ascii=False)), 0.0, {}
        answer: tuple[ToolResponse, float, dict[str, Any]] = await super()._call_tool(
            tool_call, tools_kwargs, agent_data
        )
        failure = getattr(agent_data, FAILURE_ATTRIBUTE, None)
        if failure is not None:
            raise failure
        response, _, notes = answer
        if "tool_error" not in notes:  # verl swallowed something before or around our tool
            raise EpisodeError(f"{tool_call.name} was not answered by its tool: {response.text}")
        if notes["tool_error"]:
            turn["tool_errors"] += 1
        elif tool_call.name == "search_categories":
            found = json.loads(response.text)["candidates"]
            turn["surfaced"] = [candidate["choice_id"] for candidate in found]
        return answer

    def _judge(self, output: AgentLoopOutput, truth: Truth | None, identity: dict[str, Any], seconds: float) -> Episode:
        terminated_by = self._terminated_by()
        final_ids = [] if self._overflow else self._final_ids
        final_text: str = self.tokenizer.decode(final_ids, skip_special_tokens=True)
        levels = self.assets.levels
        registry = self.assets.registry
        if truth is None:
            parsed = parse_terminal(final_text, registry, levels, enable_thinking=self.enable_thinking)
            scored: dict[str, Any] = {"answer_valid": parsed.valid, "reason": parsed.reason}
            category_id, level = parsed.category_id, parsed.level
        else:
            score = score_episode(final_text, truth, registry, levels, self.enable_thinking)
            scored = score_fields(score)
            category_id, level = score.category_id, score.level
        answer = None
        if scored["answer_valid"] and category_id is not None and level is not None:
            answer = {"choice_id": registry.choice_id(category_id), "category_id": category_id, "level": level}
        return Episode(
            **identity,
            prompt_ids=list(output.prompt_ids),
            response_ids=list(output.response_ids),
            response_mask=list(output.response_mask),
            text=self.tokenizer.decode(output.response_ids, skip_special_tokens=False),
            turns=self._turns,
            final_text=final_text,
            answer=answer,
            tool_calls=sum(len(turn["calls"]) for turn in self._turns),
            tool_errors=sum(turn["tool_errors"] for turn in self._turns),
            terminated_by=terminated_by,
            seconds=round(seconds, 4),
            **scored,
        )

    def _terminated_by(self) -> str:
        if self._overflow:
            return "tool_overflow"
        if self._truncated:
            return "length"
        return "turn_limit" if self._turns[-1]["calls"] else "answer"

    def _write(self, episode: Episode) -> None:
        self.episode = episode
        if self.writer is not None:
            self.writer.write(episode)


def score_fields(score: EpisodeScore) -> dict[str, Any]:
    """The fields of ``Episode`` that come from scoring."""
    names = ("score", "category_exact", "level_exact", "under_graded", "over_graded", "answer_valid", "reason")
    return {name: getattr(score, name) for name in names}


def result_of(episode: Episode) -> dict[str, Any]:
    """What travels with verl's output: the scored result without the tokens, which verl carries itself."""
    names = (
        "text final_text answer reason score category_exact level_exact under_graded over_graded answer_valid "
        "tool_calls tool_errors terminated_by seconds turns"
    )
    return {name: getattr(episode, name) for name in names.split()}


@lru_cache(maxsize=8)
def _process_writer(folder: str, process: int) -> TranscriptWriter:
    return TranscriptWriter(Path(folder) / f"{process}-{uuid.uuid4().hex[:8]}.jsonl")


def process_writer(folder: str) -> TranscriptWriter:
    """This process's writer for a transcripts folder; every episode of the process shares it."""
    return _process_writer(folder, os.getpid())
