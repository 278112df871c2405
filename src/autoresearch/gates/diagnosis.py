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
from autoresearch.training.episode_reward import compute_score
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
    parts = {"trajectory": check_trajectory(records, read_rows(release, "train"), assets)}
    tokenizer = load_tokenizer(model)
    replays = [replay_of(tokenizer, record) for record in records]
    # Only the response limit is on trial: rows outside the gate's prompts may have longer prompts.
    longest = max((len(replay.prompt_ids) for replay in replays), default=0)
    limits = dataclasses.replace(sampling, max_prompt=max(sampling.max_prompt, longest))
    played = play_replays(model, sft_release, replays, limits)
    parts["loop"] = check_loop(replays, played)
    parts["reward"] = check_reward(played)
    parts["parser"] = check_parser(replays, played, episodes)
    first = next((name for name in PARTS if not parts[name]["passed"]), None)
    return {
        "parts": parts,
        "first_failure": first,
        "look_at": None if first is None else PARTS[first],
        "instead": what_instead(episodes),
    }


def part(passed: int, total: int, problems: Sequence[str], **more: Any) -> dict[str, Any]:
    """The result of one test: it passed when all of at least one row did."""
    return {
        "passed": total > 0 and passed == total,
        "rows": share(passed, total),
        "first": list(problems[:SHOWN]),
        **more,
    }


def mixture_key(source_id: str) -> str:
    """The 20 hex digits that a mixture id holds of its source (data-line 3.15)."""
    return hashlib.sha256(source_id.encode("utf-8")).hexdigest()[:20]


def check_trajectory(
    records: Sequence[Mapping[str, Any]], rl_rows: Sequence[EpisodeRow], assets: TaskAssets
) -> dict[str, Any]:
    """Part 1: the last message alone scores 1.0, and the prompt is that of the RL row of the same source, byte for
    byte.
    """
    prompts = {row.source_id: row.prompt for row in rl_rows}
    by_key = {row.source_id.split(":")[2]: row.prompt for row in rl_rows if row.source_id.startswith("mix:")}
    problems, joined = [], 0
    for record in records:
        source = record["source_id"]
        truth = Truth(record["ground_truth"], record["ground_truth_level"])
        last = record["messages"][-1]["content"]
        if score_episode(last, truth, assets.registry, assets.levels, False).score != 1.0:
            problems.append(f"{source}: its last message does not score 1.0")
            continue
        prompt = prompts.get(source) or by_key.get(mixture_key(source))
        if prompt is None:
            continue
        joined += 1
        if prompt != [{"role": item["role"], "content": item["content"]} for item in record["messages"][:2]]:
            problems.append(f"{source}: its prompt is not the RL prompt of the same source")
    if records and not joined:
        problems.append("no SFT row has its source in the RL release: the two were made from different records")
    failed = len(records) if records and not joined else len(problems)
    return part(len(records) - failed, len(records), problems, joined=joined)


def replay_of(tokenizer: PreTrainedTokenizerBase, record: Mapping[str, Any]) -> Replay:
    """The ids of one stored trajectory as SFT trains on them: the turns are the runs of tokens that carry loss."""
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
    row = row_of(
        record["source_id"],
        [{"role": item["role"], "content": item["content"]} for item in messages[:2]],
        record["metadata"],
        dataset=record["dataset"],
        ground_truth=record["ground_truth"],
        level=record["ground_truth_level"],
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
    """Part 2: the loop gives the same tool results and the same ids, and ends with ``answer``."""
    problems = []
    for replay, episode in zip(replays, played, strict=True):
        ids = [*episode.prompt_ids, *episode.response_ids]
        if episode.error is not None:
            problems.append(f"{replay.row.source_id}: {episode.error}")
        elif episode.terminated_by != "answer":
            problems.append(f"{replay.row.source_id}: ended by {episode.terminated_by}")
        elif not all(result in episode.text for result in replay.results):
            problems.append(f"{replay.row.source_id}: a tool answered otherwise than in the stored row")
        elif ids != replay.input_ids[: len(ids)] or len(replay.input_ids) - len(ids) > 1:
            # The stored row ends with the newline after its last end token, which no model writes.
            problems.append(
                f"{replay.row.source_id}: the loop's ids differ from the row's at {first_difference(ids, replay)}"
            )
    return part(len(replays) - len(problems), len(replays), problems)


def first_difference(ids: Sequence[int], replay: Replay) -> int:
    """Position of the first id that differs from the stored row."""
    pairs = zip(ids, replay.input_ids, strict=False)
    return next(
        (index for index, (left, right) in enumerate(pairs) if left != right), min(len(ids), len(replay.input_ids))
    )


def check_reward(played: Sequence[Episode]) -> dict[str, Any]:
    """Part 3: the final segments of those episodes score 1.0 through ``compute_score``."""
    from autoresearch.training.task_loop import result_of

    problems = []
    for episode in played:
        try:
            score = compute_score("", episode.text, None, {"autoresearch": result_of(episode)})["score"]
        except EpisodeError as error:
            problems.append(f"{episode.source_id}: {error.message}")
            continue
        if score != 1.0:
            problems.append(f"{episode.source_id}: its stored answer earns {score} ({episode.reason})")
    return part(len(played) - len(problems), len(played), problems)


def check_parser(replays: Sequence[Replay], played: Sequence[Episode], episodes: Sequence[Episode]) -> dict[str, Any]:
    """Part 4: every stored call comes back from the parser. Beside it, how often the parser rejects the model's own
    calls.
    """
    problems, total = [], 0
    for replay, episode in zip(replays, played, strict=True):
        parsed = [
            {"name": call["name"], "arguments": json.loads(call["arguments"])}
            for turn in episode.turns
            for call in turn["calls"]
        ]
        stored = [{"name": call["name"], "arguments": call["arguments"]} for call in replay.calls]
        total += 1
        if parsed != stored:
            problems.append(
                f"{replay.row.source_id}: {len(stored)} calls were stored, {len(parsed)} came back or differ"
            )
    rejected = sum(OPENING_TAG in episode.final_text for episode in episodes)
    opened = rejected + sum(episode.tool_calls for episode in episodes)
    return part(total - len(problems), total, problems, rejected_by_parser=share(rejected, opened))


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
