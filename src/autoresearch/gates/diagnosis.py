"""Why is the rollout rate near zero? Four tests of the machinery, then what the model does instead (training.md 8.4).

Runs by itself when the rate is below 1 %. The tests play stored trajectories through the real loop with a scripted
engine, so that a fault of data, loop, reward or parser is told apart from a model that has not learnt the task.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import EpisodeError
from autoresearch.gates.statistics import share
from autoresearch.releases.release import Release
from autoresearch.task.rewards import Truth, score_episode
from autoresearch.training.episode_reward import RESULT_KEY, compute_score
from autoresearch.training.episodes import EpisodeRow, Sampling, read_rows, row_of, run
from autoresearch.training.rendering import load_tokenizer
from autoresearch.training.transcripts import Episode

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from autoresearch.task.assets import TaskAssets

ROWS = 64
SHOWN = 3
OPENING_TAG = "<tool_call>"
PARTS = {
    "trajectory": "the training data teach something else",
    "loop": "turn limits, boundaries, truncation, thinking",
    "reward": "scoring, truth columns",
    "parser": "call format",
}
"""The four parts in the order in which they are tested, with what to look at when one fails."""
ADVICE = {
    "no_valid_json": "more SFT: the answer's form is not learnt",
    "unknown_id": "more SFT: ids or levels are not learnt",
    "truncated": "a longer --max-response",
    "endless_calls": "more SFT: it does not stop calling tools",
    "wrong_category": "more or harder trajectories; classification data (three-message) only as a later run of its own",
    "wrong_level": "more trajectories of the levels that are confused",
    "right": "nothing: these episodes earned the reward",
}
UNKNOWN = {"unknown_choice", "unknown_level", "canonical_id"}


@dataclass(frozen=True)
class Replay:
    """One stored trajectory: its row, the ids of its prompt and turns, and the ids of the whole."""

    row: EpisodeRow
    prompt_ids: tuple[int, ...]
    turns: list[list[int]]
    input_ids: list[int]
    calls: list[dict[str, Any]]
    results: list[str]


def diagnose(
    model: Path, release: Path, sft_release: Path, episodes: Sequence[Episode], sampling: Sampling
) -> dict[str, Any]:
    """All four tests and the shares of what the model wrote; ``first_failure`` is null when the machinery is sound."""
    sft = Release(sft_release)
    records = [row for row in sft.records("train") if row.get("stage") == "tool_trajectory"][:ROWS]
    assets = sft.assets()
    rl_rows = read_rows(release, "train")
    parts = {"trajectory": check_trajectory(records, rl_rows, assets)}
    tokenizer = load_tokenizer(model)
    truths = RlTruths(rl_rows)
    replays = [replay_of(tokenizer, record, truths) for record in records]
    # Only the response limit is on trial: rows outside the gate's prompts may have longer prompts.
    longest = max((len(replay.prompt_ids) for replay in replays), default=0)
    limits = dataclasses.replace(sampling, max_prompt=max(sampling.max_prompt, longest))
    played = play_replays(model, sft_release, replays, limits)
    parts["loop"] = check_loop(replays, played)
    parts["reward"] = check_reward(replays, played)
    parts["parser"] = check_parser(replays, played, episodes)
    first = next((name for name in PARTS if not parts[name]["passed"]), None)
    return {
        "parts": parts,
        "first_failure": first,
        "look_at": None if first is None else PARTS[first],
        "instead": what_instead(episodes),
    }


def part(problems: Sequence[str], total: int, **more: Any) -> dict[str, Any]:
    """The result of one test: it passed when no row of those it could judge has a problem."""
    rows = share(total - len(problems), total)
    return {"passed": not problems, "rows": rows, "first": list(problems[:SHOWN]), **more}


def mixture_key(source_id: str) -> str:
    """The 20 hex digits that a mixture id holds of its source (data-line 3.15)."""
    return hashlib.sha256(source_id.encode("utf-8")).hexdigest()[:20]


class RlTruths:
    """Rows of the RL release by the source they were made from, whether or not their ids are mixture ids."""

    def __init__(self, rows: Sequence[EpisodeRow]) -> None:
        self._rows = {
            row.source_id.split(":")[2] if row.source_id.startswith("mix:") else row.source_id: row for row in rows
        }

    def row(self, source_id: str) -> EpisodeRow | None:
        """The RL row of an SFT source, or None."""
        return self._rows.get(source_id) or self._rows.get(mixture_key(source_id))


def check_trajectory(
    records: Sequence[Mapping[str, Any]], rl_rows: Sequence[EpisodeRow], assets: TaskAssets
) -> dict[str, Any]:
    """Part 1: the last message alone scores 1.0, and the prompt is the RL row's of the same source, byte for byte."""
    truths = RlTruths(rl_rows)
    problems, joined = [], 0
    for record in records:
        source = record["source_id"]
        truth = Truth(record["ground_truth"], record["ground_truth_level"])
        row = truths.row(source)
        joined += row is not None
        if score_episode(record["messages"][-1]["content"], truth, assets.registry, assets.levels, False).score != 1.0:
            problems.append(f"{source}: its last message does not score 1.0")
        elif row is not None and row.prompt != prompt_of(record):
            problems.append(f"{source}: its prompt is not the RL prompt of the same source")
    if not joined:
        problems = ["no SFT row has its source in the RL release: the two were made from different records"] * len(
            records
        )
        problems = problems or ["the SFT release has no trajectories in train"]
    return part(problems, max(len(records), len(problems)), joined=joined)


def prompt_of(record: Mapping[str, Any]) -> list[dict[str, str]]:
    """System and user message of a stored trajectory."""
    return [{"role": item["role"], "content": item["content"]} for item in record["messages"][:2]]


def replay_of(tokenizer: PreTrainedTokenizerBase, record: Mapping[str, Any], truths: RlTruths) -> Replay:
    """The ids of one stored trajectory as SFT trains on them: the turns are the runs of tokens that carry loss.

    The truth is the RL row's where there is one: that is what the reward will be taken from.
    """
    from autoresearch.task import conversation

    encoded = conversation.encode(tokenizer, conversation.decode_row(record))
    turns: list[list[int]] = []
    inside = False
    for token, weight in zip(encoded.input_ids, encoded.loss_mask, strict=True):
        if weight and not inside:
            turns.append([])
        if weight:
            turns[-1].append(token)
        inside = bool(weight)
    start = next((index for index, weight in enumerate(encoded.loss_mask) if weight), len(encoded.input_ids))
    messages = record["messages"]
    calls = [json.loads(item["tool_calls"])[0]["function"] for item in messages if item.get("tool_calls")]
    rl_row = truths.row(record["source_id"])
    row = row_of(
        record["source_id"],
        prompt_of(record),
        record["metadata"],
        dataset=record["dataset"],
        ground_truth=rl_row.ground_truth if rl_row else record["ground_truth"],
        level=rl_row.ground_truth_level if rl_row else record["ground_truth_level"],
    )
    return Replay(
        row=row,
        prompt_ids=tuple(encoded.input_ids[:start]),
        turns=turns,
        input_ids=list(encoded.input_ids),
        calls=calls,
        results=[item["content"] for item in messages if item["role"] == "tool"],
    )


def play_replays(model: Path, sft_release: Path, replays: Sequence[Replay], sampling: Sampling) -> list[Episode]:
    """The stored turns through the real loop; lengths are those of the gate."""
    from autoresearch.training.engines.scripted import ScriptedEngine

    engine = ScriptedEngine({replay.prompt_ids: replay.turns for replay in replays})
    rows = [replay.row for replay in replays]
    return run(model, rows, release=sft_release, samples=1, sampling=sampling, seed=0, engine=engine, stage="diagnosis")


def check_loop(replays: Sequence[Replay], played: Sequence[Episode]) -> dict[str, Any]:
    """Part 2: the loop gives the same tool results and the same ids, and ends with ``answer``.

    Rows whose calls the parser did not give back are left to part 4.
    """
    pairs = sound_calls(replays, played)
    problems = [
        f"{replay.row.source_id}: {said}" for replay, episode in pairs if (said := loop_problem(replay, episode))
    ]
    return part(problems, len(pairs))


def loop_problem(replay: Replay, episode: Episode) -> str:
    """What the loop did otherwise than the stored row, as one clause; empty when nothing."""
    if episode.error is not None:
        return episode.error
    if episode.terminated_by != "answer":
        return f"ended by {episode.terminated_by}"
    if not all(result in episode.text for result in replay.results):
        return "a tool answered otherwise than in the stored row"
    ids = [*episode.prompt_ids, *episode.response_ids]
    # The stored row ends with the newline after its last end token, which no model writes.
    if ids != replay.input_ids[: len(ids)] or len(replay.input_ids) - len(ids) > 1:
        pairs = enumerate(zip(ids, replay.input_ids, strict=False))
        place = next((index for index, (left, right) in pairs if left != right), len(ids))
        return f"the loop's ids differ from the row's at {place}"
    return ""


def sound_calls(replays: Sequence[Replay], played: Sequence[Episode]) -> list[tuple[Replay, Episode]]:
    """The rows whose stored calls the parser gave back, as far as the episode went."""
    pairs = zip(replays, played, strict=True)
    return [(replay, episode) for replay, episode in pairs if not call_problem(replay, episode)]


def call_problem(replay: Replay, episode: Episode) -> str:
    """The first stored call that the parser did not give back; a turn that was never played or was cut is no fault of
    it.
    """
    cut = len(episode.turns) - 1 if episode.terminated_by == "length" else len(episode.turns)
    for stored, turn in zip(replay.calls, episode.turns[:cut], strict=False):
        parsed = [(call["name"], json.loads(call["arguments"])) for call in turn["calls"]]
        if parsed != [(stored["name"], stored["arguments"])]:
            return f"the call of {stored['name']} came back as {parsed[0] if parsed else 'text'}"
    return ""


def check_reward(replays: Sequence[Replay], played: Sequence[Episode]) -> dict[str, Any]:
    """Part 3: the final segments of those episodes score 1.0 through ``compute_score``, by the truth of the RL rows."""
    from autoresearch.training.task_loop import result_of

    pairs = sound_calls(replays, played)
    problems = []
    for _, episode in pairs:
        try:
            score = compute_score("", episode.text, None, {RESULT_KEY: result_of(episode)})["score"]
        except EpisodeError as error:
            problems.append(f"{episode.source_id}: {error.message}")
            continue
        if score != 1.0:
            problems.append(f"{episode.source_id}: its stored answer earns {score} ({episode.reason})")
    return part(problems, len(pairs))


def check_parser(replays: Sequence[Replay], played: Sequence[Episode], episodes: Sequence[Episode]) -> dict[str, Any]:
    """Part 4: every stored call comes back from the parser. Beside it, how often it rejects the model's own calls."""
    pairs = zip(replays, played, strict=True)
    problems = [
        f"{replay.row.source_id}: {said}" for replay, episode in pairs if (said := call_problem(replay, episode))
    ]
    rejected = sum(OPENING_TAG in episode.final_text for episode in episodes)
    opened = rejected + sum(episode.tool_calls for episode in episodes)
    return part(problems, len(replays), rejected_by_parser=share(rejected, opened))


def outcome_class(episode: Episode) -> str:
    """What an episode is an example of; keys of ``ADVICE``."""
    if episode.terminated_by in {"length", "tool_overflow"}:
        return "truncated"
    if episode.terminated_by == "turn_limit":
        return "endless_calls"
    if not episode.answer_valid:
        return "unknown_id" if episode.reason in UNKNOWN else "no_valid_json"
    if not episode.category_exact:
        return "wrong_category"
    return "right" if episode.level_exact else "wrong_level"


def what_instead(episodes: Sequence[Episode]) -> dict[str, Any]:
    """Shares of what the model does, three texts of the largest class that earns nothing, and the advice for it."""
    scored = [episode for episode in episodes if episode.error is None]
    classes = Counter(outcome_class(episode) for episode in scored)
    wrong = [name for name in sorted(classes, key=lambda name: (-classes[name], name)) if name != "right"]
    largest = wrong[0] if wrong else None
    examples = [
        {"source_id": episode.source_id, "sample": episode.sample, "text": episode.text}
        for episode in scored
        if largest is not None and outcome_class(episode) == largest
    ]
    return {
        "shares": {name: share(classes[name], len(scored)) for name in ADVICE},
        "largest": largest,
        "advice": None if largest is None else ADVICE[largest],
        "examples": examples[:SHOWN],
    }
