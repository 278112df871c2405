"""What a model says of prompts: samples by the loop of training, voted to one pair, kept in ``predictions.jsonl``.

Each distinct prompt is asked once. An answer is appended when its chunk has been played, so that an interrupted run can
go on; an engine failure stops the run and is never an empty answer (training 10.2).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as format_class

from autoresearch.errors import EpisodeError, InputError, RefusedError
from autoresearch.files import compact_json, sha256_text, strict_json_loads
from autoresearch.training.engines.options import DEFAULTS, EngineOptions

if TYPE_CHECKING:
    from autoresearch.training.episodes import Engine
    from autoresearch.training.transcripts import Episode

FORMAT = "autoresearch-predictions-v1"
CHUNK_PROMPTS = 64
TEMPERATURE = 0.7
STRICT = ConfigDict(extra="forbid")
Pair = tuple[str, str]


@format_class(frozen=True, config=STRICT)
class Settings:
    """Everything besides the prompt that an answer depends on; part of each key."""

    model_tree: str
    samples: int
    enable_thinking: bool
    engine: str = "transformers"
    seed: int = 0
    temperature: float = TEMPERATURE
    max_prompt: int = 4096
    max_response: int = 1024

    @property
    def digest(self) -> str:
        """sha256 of the settings."""
        return sha256_text(compact_json(asdict(self)))

    def key(self, prompt: Sequence[Mapping[str, str]]) -> str:
        """sha256 of (prompt, model tree, settings)."""
        return sha256_text(compact_json([list(map(dict, prompt)), asdict(self)]))


@format_class(frozen=True, config=STRICT)
class ModelAnswer:
    """One prompt's answer. ``pairs`` are (category id, level) by sample, None where the text was no answer."""

    key: str
    pairs: tuple[Pair | None, ...]
    reasons: tuple[str, ...] = ()
    """Why a sample was no answer, ``""`` for valid ones."""
    calls: tuple[Mapping[str, Any], ...] = ()
    """Tool calls of the sample that is shown: ``{name, surfaced}`` with the choice ids that it brought up."""
    thought: str = ""
    too_long: bool = False


@dataclass(frozen=True)
class Vote:
    """The winner of the samples. Shares are of all samples, invalid ones too; ``share`` is None for one sample."""

    pair: Pair | None
    share: float | None = None
    second: Pair | None = None
    second_share: float | None = None
    level_split: bool = False
    sample: int = 0
    """The first sample that gave the winning pair."""


def vote(pairs: Sequence[Pair | None]) -> Vote:
    """Majority by pair, ties to the greedy (first) answer, then to the earlier one."""
    counts = Counter(pair for pair in pairs if pair is not None)
    if not counts:
        return Vote(None, 0.0 if len(pairs) > 1 else None)
    greedy = pairs[0] if pairs else None
    first = {pair: number for number, pair in reversed(list(enumerate(pairs))) if pair is not None}
    order = sorted(counts, key=lambda pair: (-counts[pair], pair != greedy, first[pair]))
    shares = [round(counts[pair] / len(pairs), 4) for pair in order]
    return Vote(
        order[0],
        shares[0] if len(pairs) > 1 else None,
        order[1] if len(order) > 1 else None,
        shares[1] if len(order) > 1 else None,
        len({category for category, _ in counts}) == 1 and len(counts) > 1,
        first[order[0]],
    )


class LoggedAnswers(Mapping[str, ModelAnswer]):
    """The answers of a log by key, in order of completion; each is read when it is asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[str, tuple[int, int]] = {}

    def add(self, key: str, begin: int, number: int) -> None:
        """Say where the line of a key begins, in bytes, and which one it is."""
        self._places[key] = (begin, number)

    def __getitem__(self, key: str) -> ModelAnswer:
        begin, number = self._places[key]
        with self._path.open("rb") as handle:
            handle.seek(begin)
            return _answer(handle.readline().decode("utf-8"), f"{self._path.name}, line {number}")

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@dataclass
class PredictionLog:
    """``predictions.jsonl``: a line that names the settings, then one line a prompt in order of completion.

    The file begins with the first answers: a run that is refused leaves none behind. Of an answer its place in the file
    is kept.
    """

    path: Path
    settings: Settings
    begun: bool = False

    def __post_init__(self) -> None:
        self.answers = LoggedAnswers(self.path)
        self._lines = 0

    @classmethod
    def open(cls, path: Path, settings: Settings, *, resume: bool, overwrite: bool = False) -> PredictionLog:
        """Start a log, or go on with one (``resume`` before ``overwrite``).

        Raises ``RefusedError`` for a log that exists with neither, or that another model or other settings have begun.
        """
        log = cls(path, settings)
        if not path.exists() or (overwrite and not resume):
            return log
        if not resume:
            raise RefusedError(f"predict: {path} exists; give --resume to go on with it, --overwrite, or another --out")
        end = 0
        with path.open("rb") as handle:
            for line in handle:
                if not line.endswith(b"\n"):  # it was being written when we died
                    break
                log._read(line, end)
                end += len(line)
        if log.begun and end < path.stat().st_size:
            os.truncate(path, end)
        return log

    def _read(self, line: bytes, begin: int) -> None:
        """Take up a whole line of the file."""
        self._lines += 1
        if self.begun:
            place = f"{self.path.name}, line {self._lines}"
            self.answers.add(_answer(line.decode("utf-8"), place).key, begin, self._lines)
            return
        if strict_json_loads(line.decode("utf-8")) != {"format": FORMAT, "settings": asdict(self.settings)}:
            raise RefusedError(
                f"predict: {self.path} was begun with another model or other settings; give another --out"
            )
        self.begun = True

    def append(self, answers: Sequence[ModelAnswer]) -> None:
        """Write answers down before they are used."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = [(answer.key, _line(asdict(answer)).encode("utf-8")) for answer in answers]
        with self.path.open("ab" if self.begun else "wb") as handle:
            if not self.begun:
                handle.write(_line({"format": FORMAT, "settings": asdict(self.settings)}).encode("utf-8"))
                self._lines = 1
            self.begun = True
            begin = handle.tell()
            handle.write(b"".join(line for _, line in lines))
        for key, line in lines:
            self._lines += 1
            self.answers.add(key, begin, self._lines)
            begin += len(line)


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


@cache
def _format() -> TypeAdapter[ModelAnswer]:
    return TypeAdapter(ModelAnswer)


def _answer(line: str, place: str) -> ModelAnswer:
    try:
        return _format().validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        rule = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise InputError(f"predict: {place}: no answer of this version ({rule}); give another --out") from error


@dataclass(frozen=True)
class Prompt:
    """A distinct prompt with its metadata."""

    key: str
    messages: Sequence[Mapping[str, str]]
    metadata: Mapping[str, str]


def ask(
    model: Path,
    assets: Path,
    dataset: str,
    prompts: Sequence[Prompt],
    settings: Settings,
    log: PredictionLog,
    engine_options: EngineOptions = DEFAULTS,
) -> Iterator[int]:
    """Answer every prompt that the log lacks; yields how many more have been answered, chunk by chunk.

    Chunks are cut over all prompts, answered or not, and played whole: a run that goes on plays the same batches, and
    its answers do not differ in the last bit of a sum. Raises ``EpisodeError`` when the engine fails; what was answered
    before is kept in the log.
    """
    from autoresearch.training.episodes import build_engine

    engine: Any = None
    longest = settings.max_prompt + settings.max_response
    try:
        for start in range(0, len(prompts), CHUNK_PROMPTS):
            chunk = prompts[start : start + CHUNK_PROMPTS]
            left = {prompt.key for prompt in chunk} - log.answers.keys()
            if left:
                engine = engine or build_engine(settings.engine, model, None, engine_options, longest)
                played = _play(model, assets, dataset, chunk, settings, engine)
                log.append([answer for answer in played if answer.key in left])
                yield len(left)
    finally:
        if engine is not None:
            engine.close()


def _play(
    model: Path, assets: Path, dataset: str, prompts: Sequence[Prompt], settings: Settings, engine: Engine
) -> list[ModelAnswer]:
    from autoresearch.training.episodes import Sampling, row_of, run

    rows = [
        row_of(
            prompt.key,
            [dict(message) for message in prompt.messages],
            prompt.metadata,
            dataset=dataset,
            ground_truth=None,
            level=None,
        )
        for prompt in prompts
    ]

    def played(samples: int, greedy: bool) -> list[Episode]:
        sampling = Sampling(
            temperature=settings.temperature,
            max_prompt=settings.max_prompt,
            max_response=settings.max_response,
            greedy=greedy,
        )
        return run(
            model,
            rows,
            release=assets,
            assets=assets,
            enable_thinking=settings.enable_thinking,
            samples=samples,
            sampling=sampling,
            seed=settings.seed if greedy else settings.seed + 1,
            engine=engine,
            stage="predict",
        )

    first = played(1, greedy=True)
    further = played(settings.samples - 1, greedy=False) if settings.samples > 1 else []
    step = settings.samples - 1
    return [
        _of_episodes(prompt.key, [first[number], *further[number * step : (number + 1) * step]])
        for number, prompt in enumerate(prompts)
    ]


def _of_episodes(key: str, episodes: Sequence[Episode]) -> ModelAnswer:
    for episode in episodes:
        if episode.error is not None:
            if "the prompt has" in episode.error and "tokens" in episode.error:
                return ModelAnswer(key, (), too_long=True)
            raise EpisodeError(f"predict: the engine failed on a field: {episode.error}; --resume goes on from here")
    pairs = tuple(
        None if episode.answer is None else (episode.answer["category_id"], episode.answer["level"])
        for episode in episodes
    )
    shown = episodes[vote(pairs).sample]
    calls = tuple(
        {"name": call["name"], "surfaced": list(turn.get("surfaced", ()))}
        for turn in shown.turns
        for call in turn.get("calls", ())
    )
    thought = shown.text.split("</think>")[0].replace("<think>", "").strip() if "</think>" in shown.text else ""
    return ModelAnswer(key, pairs, tuple(episode.reason for episode in episodes), calls, thought)
