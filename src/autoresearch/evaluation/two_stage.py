"""``eval two-stage``: shortlist five leaves, then choose among exactly these (training.md 9).

The stage 2 prompt is built from what stage 1 answered, in that order: the truth is never put in. A shortlist that is
not valid ends the field. Both generations of a field are kept as transcripts, ``uid`` says which stage it is.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch import progress
from autoresearch.errors import AutoResearchError, InputError
from autoresearch.evaluation.episodes import bound_identity, require_new, sampling_settings, transcript_folder
from autoresearch.evaluation.eval_report import EvalReport, write_report
from autoresearch.evaluation.report_content import Failure, Played, baseline_report, model_report
from autoresearch.evaluation.results import RowResult, row_result
from autoresearch.evaluation.split_data import EvalOptions, SplitData, read_two_stage
from autoresearch.releases.episode_rows import STAGE1, STAGE2, stage2_prompt
from autoresearch.task.answers import ParsedStage, parse_stage1, parse_stage2
from autoresearch.task.rewards import Truth, score_stage1, score_stage2
from autoresearch.training.episodes import CONCURRENT_EPISODES, Engine, EpisodeRow, Sampling, build_engine
from autoresearch.training.seeds import turn_seed
from autoresearch.training.transcripts import Episode, TranscriptWriter

if TYPE_CHECKING:
    from autoresearch.task.assets import TaskAssets

Write = Callable[[Episode], None]
STAGES = (STAGE1, STAGE2)


def evaluate_two_stage(options: EvalOptions, engine: Engine | None = None) -> EvalReport:
    """Evaluate, write the report to ``options.out``, and return it.

    ``engine`` replaces the one named in the options (tests). Raises ``RefusedError`` or ``InputError`` before
    anything is played.
    """
    require_new(options.out)
    data = read_two_stage(options.release, options.split, options.limit)
    if options.model is None:
        report = baseline_report("two-stage", options, data)
    else:
        report = model_report("two-stage", options, data, _play(options, options.model, data, engine))
    write_report(options.out, report)
    return report


@dataclass(frozen=True)
class Generated:
    """One stage as it was written."""

    prompt_ids: list[int]
    token_ids: list[int]
    text: str
    """Without special tokens."""
    raw: str
    stop_reason: str
    seconds: float

    @property
    def ended(self) -> bool:
        """The model stopped by itself."""
        return self.stop_reason != "length"


class TwoStagePlayer:
    """Plays fields with one engine: prompts as the release's rows, no tools, no thinking."""

    def __init__(
        self, model: Path, assets: TaskAssets, engine: Engine, sampling: Sampling, *, seed: int, graded: bool
    ) -> None:
        from autoresearch.training.rendering import load_tokenizer

        self.assets, self.engine, self.sampling, self.seed = assets, engine, sampling, seed
        self.levels: Sequence[str] = assets.levels if graded else ()
        self.tokenizer: Any = load_tokenizer(model)

    def prompt_ids(self, messages: Sequence[dict[str, str]], place: str) -> list[int]:
        """The rendered prompt. Raises ``InputError`` above ``max_prompt``: nothing is cut."""
        from autoresearch.task.conversation import prompt_ids

        ids = prompt_ids(self.tokenizer, messages, None, False)
        if len(ids) > self.sampling.max_prompt:
            raise InputError(
                f"{place}: the prompt has {len(ids)} tokens, the limit is {self.sampling.max_prompt}: "
                "raise --max-prompt"
            )
        return ids

    async def play(self, row: EpisodeRow, sample: int, write: Write) -> tuple[ParsedStage, ParsedStage | None, int]:
        """Both stages of one field: the shortlist, the choice (None after an invalid shortlist), and tokens written.

        Raises what the engine raises.
        """
        assert row.ground_truth is not None
        truth = Truth(row.ground_truth, row.ground_truth_level if self.levels else None)
        one = await self._generate(row, sample, 0, row.prompt)
        first = parse_stage1(one.text, self.assets.registry)
        write(_episode(row, sample, 0, one, first, score_stage1(first, truth)))
        if not first.constraint_valid:
            return first, None, len(one.token_ids)
        two = await self._generate(row, sample, 1, stage2_prompt(self.assets, first.category_ids, row.metadata))
        second = parse_stage2(two.text, first.category_ids, self.levels)
        write(_episode(row, sample, 1, two, second, score_stage2(second, truth)))
        return first, second, len(one.token_ids) + len(two.token_ids)

    async def _generate(
        self, row: EpisodeRow, sample: int, stage: int, messages: Sequence[dict[str, str]]
    ) -> Generated:
        ids = self.prompt_ids(messages, f"{row.source_id}, {STAGES[stage]}")
        request = {
            **self.sampling.request(),
            "max_tokens": self.sampling.max_response,
            "seed": turn_seed(self.seed, row.source_id, sample, stage),
        }
        started = time.monotonic()
        name = f"{row.source_id}/{sample}/{STAGES[stage]}"
        output = await self.engine.generate(request_id=name, prompt_ids=ids, sampling_params=request)
        tokens = list(output.token_ids)
        return Generated(
            ids,
            tokens,
            self.tokenizer.decode(tokens, skip_special_tokens=True),
            self.tokenizer.decode(tokens, skip_special_tokens=False),
            str(output.stop_reason),
            time.monotonic() - started,
        )


def _episode(
    row: EpisodeRow, sample: int, stage: int, generated: Generated, parsed: ParsedStage, score: float
) -> Episode:
    return Episode(
        source_id=row.source_id,
        sample=sample,
        prompt_ids=generated.prompt_ids,
        response_ids=generated.token_ids,
        response_mask=[1] * len(generated.token_ids),
        text=generated.raw,
        turns=[{"tokens": len(generated.token_ids), "stop_reason": generated.stop_reason, "calls": []}],
        final_text=generated.text,
        reason=parsed.reason,
        score=score,
        answer_valid=parsed.constraint_valid,
        terminated_by="answer" if generated.ended else "length",
        seconds=round(generated.seconds, 4),
        uid=STAGES[stage],
    )


def _play(options: EvalOptions, model: Path, data: SplitData, engine: Engine | None) -> Played:
    """Play the rows; transcripts lie beside the report."""
    identity = bound_identity(model, data, unbound=options.unbound)
    folder = transcript_folder(options.out)
    sampling = Sampling(
        temperature=1.0 if options.temperature is None else options.temperature,
        max_prompt=options.max_prompt or longest_of_model(model, options.max_response),
        max_response=options.max_response,
        greedy=options.is_greedy,
    )
    writer = TranscriptWriter(folder / "episodes.jsonl")
    server: Any = engine or build_engine(
        options.engine, model, None, options.engine_options, sampling.max_prompt + sampling.max_response
    )
    try:
        graded = data.release.header.graded
        player = TwoStagePlayer(model, data.assets, server, sampling, seed=options.seed, graded=graded)
        for row in data.rows:
            player.prompt_ids(row.prompt, f"{row.source_id}, {STAGE1}")
        started = time.monotonic()
        results, failed = asyncio.run(_play_all(player, data, options.samples, writer))
        wall = time.monotonic() - started
    finally:
        if engine is None:
            server.close()
    settings = {"sampling": sampling_settings(sampling)}
    return Played(results, failed, identity, wall, [f"{folder.name}/episodes.jsonl"], settings)


def longest_of_model(model: Path, max_response: int) -> int:
    """Tokens that a prompt may have so that the answer still fits the model's positions."""
    from autoresearch.training.model_folder import read_model_folder

    positions = read_model_folder(model).max_positions
    if positions <= max_response:
        raise InputError(f"{model} has {positions} positions, --max-response is {max_response}: lower it")
    return positions - max_response


async def _play_all(
    player: TwoStagePlayer, data: SplitData, samples: int, writer: TranscriptWriter
) -> tuple[list[RowResult], list[Failure]]:
    gate = asyncio.Semaphore(CONCURRENT_EPISODES)
    with progress.bar("eval two-stage", total=len(data.rows) * samples, unit="fields") as bar:

        async def one(row: EpisodeRow, sample: int) -> RowResult | Failure:
            kept: list[Episode] = []
            async with gate:
                started = time.monotonic()
                try:
                    first, second, tokens = await player.play(row, sample, kept.append)
                except Exception as error:  # whatever an engine raises is no answer of the model
                    shown = error.message if isinstance(error, AutoResearchError) else repr(error)
                    kept.append(Episode(row.source_id, sample, error=shown, terminated_by="error", uid=_next(kept)))
                seconds = round(time.monotonic() - started, 4)
            for episode in kept:
                writer.write(episode)
            bar.advance()
            if kept[-1].error is not None:
                return row.source_id, sample, kept[-1].error
            result = two_stage_result(row, first, second, data.assets, data.tables)
            truncated = any(episode.terminated_by == "length" for episode in kept)
            return result.model_copy(
                update={
                    "sample": sample,
                    "turns": len(kept),
                    "tokens": tokens,
                    "truncated": truncated,
                    "seconds": seconds,
                }
            )

        ended = await asyncio.gather(*(one(row, sample) for row in data.rows for sample in range(samples)))
    results = [item for item in ended if isinstance(item, RowResult)]
    return results, [item for item in ended if not isinstance(item, RowResult)]


def _next(kept: Sequence[Episode]) -> str:
    return STAGES[len(kept)]


def two_stage_result(
    row: EpisodeRow, first: ParsedStage, second: ParsedStage | None, assets: TaskAssets, train_tables: set[str]
) -> RowResult:
    """The score of a field. The reason of an invalid answer names its stage."""
    last, stage = (first, STAGE1) if second is None else (second, STAGE2)
    valid = second is not None and second.constraint_valid
    return row_result(
        row,
        assets,
        train_tables,
        predicted=(last.category_ids[0], last.level) if valid else None,
        reason="ok" if valid else f"{stage}: {last.reason}",
        shortlist=first.category_ids if first.constraint_valid else None,
    )
