"""In-process episodes: the loop of training without Ray, for gates, evaluation and prediction (training.md 6.5).

Parser, turn boundaries, tools and reward are those of ``TaskLoop`` under verl's own composed configuration. An
infrastructure failure becomes an episode with ``error`` and no score; a wrong setting is refused before anything is
played.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from autoresearch import progress
from autoresearch.errors import EpisodeError, InputError, RefusedError, require
from autoresearch.files import read_json
from autoresearch.training.engines.options import DEFAULTS, EngineOptions
from autoresearch.training.loop_settings import MULTI_TURN, TRAJECTORY_FORMAT, loop_entry, tools_config
from autoresearch.training.seeds import episode_seed
from autoresearch.training.transcripts import Episode, TranscriptWriter

if TYPE_CHECKING:
    from autoresearch.releases.release import Release
    from autoresearch.training.engines.transformers import TransformersEngine
    from autoresearch.training.engines.vllm import VllmEngine

__all__ = ["Engine", "Episode", "EpisodeRow", "Sampling", "episode_seed", "read_rows", "row_of", "run"]

CONCURRENT_EPISODES = 256
EPISODE_FAMILIES = ("rl-cascade", "rl-pairs", "trajectory")


@dataclass(frozen=True)
class EpisodeRow:
    """One prompt to play. ``ground_truth`` is None for a field without a label (prediction)."""

    source_id: str
    prompt: list[dict[str, str]]
    """System and user message."""
    extra_info: dict[str, Any]
    ground_truth: str | None
    ground_truth_level: str | None
    metadata: dict[str, str]
    data_source: str


@dataclass(frozen=True)
class Sampling:
    """How episodes are sampled and cut. ``greedy`` overrides the other three. ``top_k`` −1 keeps all tokens."""

    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = -1
    max_prompt: int = 4096
    max_response: int = 1024
    greedy: bool = False

    def request(self) -> dict[str, Any]:
        """Sampling parameters as verl's worker passes them."""
        chosen = (0.0, 1.0, -1) if self.greedy else (self.temperature, self.top_p, self.top_k)
        return {
            **dict(zip(("temperature", "top_p", "top_k"), chosen, strict=True)),
            "repetition_penalty": 1.0,
            "logprobs": False,
        }


class Engine(Protocol):
    """What the loop asks for turns: the ``generate`` of 2.4."""

    async def generate(
        self, *, request_id: str, prompt_ids: list[int], sampling_params: dict[str, Any], **more: Any
    ) -> Any:
        """The next turn as verl's ``TokenOutput``."""


def row_of(
    source_id: str,
    prompt: list[dict[str, str]],
    metadata: Mapping[str, str],
    *,
    dataset: str,
    ground_truth: str | None,
    level: str | None,
) -> EpisodeRow:
    """A row in the form of the RL line (data-line 3.15), whatever it was made from."""
    info: dict[str, Any] = {
        "dataset": dataset,
        "stage": "stage1",
        "source_id": source_id,
        "metadata": dict(metadata),
        "ground_truth_level": level,
        "trajectory_format": TRAJECTORY_FORMAT,
        "candidates": None,
    }
    return EpisodeRow(source_id, prompt, info, ground_truth, level, dict(metadata), f"{dataset}/stage1")


def read_rows(release: Path, split: str) -> list[EpisodeRow]:
    """The prompts of one split of an RL or trajectory release, in file order.

    Raises ``InputError`` for other families and for rows without a native prompt.
    """
    from autoresearch.releases.release import Release

    opened = Release(release)
    if opened.family not in EPISODE_FAMILIES:
        raise InputError(
            f"{release}: family {opened.family!r} has no episodes; give a {', '.join(EPISODE_FAMILIES)} release"
        )
    if opened.header.trajectory_format != TRAJECTORY_FORMAT:
        raise InputError(f"{release}: its prompts are not native ones; export it with a grading standard")
    return _trajectory_rows(opened, split) if opened.family == "trajectory" else _rl_rows(opened, split)


def _rl_rows(release: Release, split: str) -> list[EpisodeRow]:
    rows = []
    for record in release.records(split):
        info = dict(record["extra_info"])
        if info["stage"] != "stage1":
            continue
        metadata = dict(info["metadata"])
        rows.append(
            EpisodeRow(
                source_id=info["source_id"],
                prompt=[{"role": message["role"], "content": message["content"]} for message in record["prompt"]],
                extra_info={**info, "metadata": metadata},
                ground_truth=record["reward_model"]["ground_truth"],
                ground_truth_level=info["ground_truth_level"],
                metadata=metadata,
                data_source=record["data_source"],
            )
        )
    return rows


def _trajectory_rows(release: Release, split: str) -> list[EpisodeRow]:
    return [
        row_of(
            record["source_id"],
            [{"role": message["role"], "content": message["content"]} for message in record["messages"][:2]],
            record["metadata"],
            dataset=record["dataset"],
            ground_truth=record["ground_truth"],
            level=record["ground_truth_level"],
        )
        for record in release.records(split)
    ]


def run(
    model: Path,
    rows: Sequence[EpisodeRow],
    *,
    release: Path,
    samples: int,
    sampling: Sampling,
    seed: int,
    engine: str | Engine = "transformers",
    transcripts: Path | None = None,
    weights: Path | None = None,
    assets: Path | None = None,
    enable_thinking: bool | None = None,
    stage: str = "episodes",
    engine_options: EngineOptions = DEFAULTS,
) -> list[Episode]:
    """Play every row ``samples`` times; returns rows × samples episodes, row by row, samples in order.

    Args:
        model: a local model folder (its tokenizer and template are used, whatever ``engine`` answers).
        release: whose ``assets/`` and thinking switch hold; ``assets`` and ``enable_thinking`` replace them where
        there is no release.
        seed: of the run; an episode's seed is sha256 of (seed, source id, sample).
        transcripts: folder for ``episodes.jsonl``, written as the episodes end.
        weights: weights that replace those of ``model`` (a probe of a checkpoint).

    Raises ``RefusedError`` when the loop refuses its settings, ``MissingPackageError`` without the training stack.
    """
    require("verl", "train")
    if samples < 1:
        raise InputError(f"samples is {samples}; at least one episode a row is needed")
    if enable_thinking is None:
        from autoresearch.releases.release import Release

        enable_thinking = Release(release).header.enable_thinking
    factory = LoopFactory(
        model,
        assets=assets or Path(release) / "assets",
        enable_thinking=enable_thinking,
        sampling=sampling,
        seed=seed,
        labelled=all(row.ground_truth is not None for row in rows),
    )
    writer = None if transcripts is None else TranscriptWriter(Path(transcripts) / "episodes.jsonl")
    server: Any = engine
    if isinstance(engine, str):
        server = build_engine(engine, model, weights, engine_options, sampling.max_prompt + sampling.max_response)
    try:
        return asyncio.run(_play(factory, server, rows, samples, sampling, writer, stage))
    finally:
        if isinstance(engine, str):
            server.close()


def build_engine(
    name: str, model: Path, weights: Path | None, options: EngineOptions = DEFAULTS, longest: int | None = None
) -> TransformersEngine | VllmEngine:
    """The engine of a name; ``longest`` are the most tokens of prompt and answer together.

    Raises ``InputError`` for an unknown name and for options or weights that the engine does not take, and what the
    engine raises.
    """
    if name == "vllm":
        from autoresearch.training.engines.vllm import VllmEngine

        if weights is not None:
            raise InputError("engine vllm plays merged models only: merge the checkpoint, or use --engine transformers")
        return VllmEngine(model, options=options, longest=longest)
    if name != "transformers":
        raise InputError(f"engine {name!r} is not known; the engines are transformers and vllm")
    if options != DEFAULTS:
        raise InputError("--gpu-memory-utilization and --enforce-eager are options of --engine vllm")
    from autoresearch.training.engines.transformers import TransformersEngine

    return TransformersEngine(model, weights=weights)


async def _play(
    factory: LoopFactory,
    server: Engine,
    rows: Sequence[EpisodeRow],
    samples: int,
    sampling: Sampling,
    writer: TranscriptWriter | None,
    stage: str,
) -> list[Episode]:
    gate = asyncio.Semaphore(CONCURRENT_EPISODES)
    with progress.bar(stage, total=len(rows) * samples, unit="episodes") as bar:

        async def one(row: EpisodeRow, sample: int) -> Episode:
            async with gate:
                episode = await factory.play(server, row, sample, sampling.request())
            if writer is not None:
                writer.write(episode)
            bar.advance()
            return episode

        return await asyncio.gather(*(one(row, sample) for row in rows for sample in range(samples)))


class LoopFactory:
    """Everything that ``TaskLoop`` needs beside a server, built once for a model: configuration, tokenizer, tools."""

    def __init__(
        self,
        model: Path,
        *,
        assets: Path,
        enable_thinking: bool,
        sampling: Sampling,
        seed: int | None,
        labelled: bool = True,
    ) -> None:
        from verl.tools.schemas import OpenAIFunctionToolSchema
        from verl.utils import hf_processor, hf_tokenizer

        from autoresearch.training.plugin import turn_boundaries
        from autoresearch.training.task_tools import TaskTool

        turn_boundaries.register()
        self.config = compose_config(model, enable_thinking=enable_thinking, sampling=sampling)
        self.tokenizer = hf_tokenizer(str(model))
        self.processor = hf_processor(str(model))
        self.model_type = read_json(Path(model) / "config.json").get("model_type")
        self.tools = [
            TaskTool(entry["config"], OpenAIFunctionToolSchema.model_validate(entry["tool_schema"]))
            for entry in tools_config(assets)["tools"]
        ]
        entry = loop_entry(
            assets=assets, transcripts=None, enable_thinking=enable_thinking, run_seed=seed, labelled=labelled
        )
        self._arguments = {key: value for key, value in entry.items() if key != "_target_"}

    def loop(self, server: Engine) -> Any:
        """A fresh ``TaskLoop``; it plays one episode."""
        from verl.experimental.agent_loop.agent_loop import DictConfigWrap, ToolListWrap
        from verl.utils.dataset.rl_dataset import RLHFDataset

        from autoresearch.training.task_loop import TaskLoop

        return TaskLoop(
            trainer_config=DictConfigWrap(config=self.config),
            server_manager=server,
            tokenizer=self.tokenizer,
            processor=self.processor,
            hf_model_type=self.model_type,
            dataset_cls=RLHFDataset,
            data_config=DictConfigWrap(config=self.config.data),
            tools=ToolListWrap(self.tools),
            **self._arguments,
        )

    async def play(self, server: Engine, row: EpisodeRow, sample: int, request: dict[str, Any]) -> Episode:
        """Play one episode; an infrastructure failure is returned as an episode with ``error``."""
        loop = self.loop(server)
        with contextlib.suppress(EpisodeError):  # `loop.episode` holds it
            await loop.run(
                request,
                raw_prompt=row.prompt,
                extra_info=row.extra_info,
                reward_model={"style": "rule", "ground_truth": row.ground_truth},
                data_source=row.data_source,
                session_id=sample,
            )
        played: Episode = loop.episode
        return played


def compose_config(model: Path, *, enable_thinking: bool, sampling: Sampling) -> Any:
    """verl's composed ``ppo_trainer`` tree with the loop's settings. Raises ``RefusedError`` when verl does not take
    them.
    """
    from hydra import compose, initialize_config_module
    from hydra.core.global_hydra import GlobalHydra
    from hydra.errors import HydraException

    rollout = "actor_rollout_ref.rollout"
    overrides = [
        f"{rollout}.name=hf",
        f"{rollout}.prompt_length={sampling.max_prompt}",
        f"{rollout}.response_length={sampling.max_response}",
        f"{rollout}.multi_turn.enable=True",
        f"{rollout}.multi_turn.tokenization_sanity_check_mode=strict",
        *(f"{rollout}.multi_turn.{key}={value}" for key, value in MULTI_TURN.items()),
        f"data.max_prompt_length={sampling.max_prompt}",
        f"data.max_response_length={sampling.max_response}",
        f"+data.apply_chat_template_kwargs.enable_thinking={enable_thinking}",
    ]
    GlobalHydra.instance().clear()
    try:
        with initialize_config_module("verl.trainer.config", version_base=None):
            config = compose("ppo_trainer", overrides=overrides)
    except HydraException as error:
        raise RefusedError(f"verl's configuration does not take the loop's settings: {error}") from error
    config.actor_rollout_ref.model.path = str(model)
    return config
