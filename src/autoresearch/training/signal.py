"""What RL had to learn from, step by step: ``<run>/signal.jsonl`` (training.md 7.4, 7.6). Imports no torch.

Transcripts say what was played, verl's dump of a step says which groups that step trained on (validation plays the
same loop under the same step number), and the metrics file says what the update did.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from autoresearch.files import atomic_write_text
from autoresearch.training.transcripts import Episode, read_transcripts

METRICS = {
    "entropy": "actor/entropy",
    "kl": "actor/kl_loss",
    "grad_norm": "actor/grad_norm",
    "rollout_probs_diff_max": "training/rollout_probs_diff_max",
    "pearson": "training/rollout_actor_probs_pearson_corr",
}
NO_SIGNAL_STEPS = 5
SATURATED_REWARD = 0.95
FLAT = 0.005
COLLAPSED_ENTROPY = 0.05
COLLAPSE_FACTOR = 10
DIFFERENCE_LIMITS = {"cpu": 1e-3, "other": 0.1}
LEAST_PEARSON = 0.99
TRUNCATED_SHARE = 0.02


def trained_groups(dumps: Path) -> dict[int, set[str]]:
    """Step -> uids of the groups it trained on, from verl's ``rollouts/<step>.jsonl``; a half-written file is passed
    over.
    """
    found: dict[int, set[str]] = {}
    for path in dumps.glob("*.jsonl"):
        if not path.stem.isdigit():
            continue
        try:
            lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        except ValueError:
            continue
        found[int(path.stem)] = {line["uid"].rsplit("_", 2)[0] for line in lines}
    return found


def step_signal(step: int, episodes: Sequence[Episode], metrics: Mapping[str, Any]) -> dict[str, Any]:
    """One line of ``signal.jsonl``. ``episodes`` are those the step trained on, at least one; shares are of
    episodes.
    """
    groups: dict[str, list[float]] = defaultdict(list)
    for episode in episodes:
        groups[episode.uid].append(episode.score or 0.0)
    all_zero = sum(not any(scores) for scores in groups.values())
    all_one = sum(all(scores) for scores in groups.values())
    count = len(episodes)
    turns = [turn["tokens"] for episode in episodes for turn in episode.turns]
    ends = Counter(episode.terminated_by for episode in episodes)
    return {
        "step": step,
        "groups": len(groups),
        "constant_groups": {"all_0": all_zero, "all_1": all_one},
        "mixed_groups": len(groups) - all_zero - all_one,
        "mixed_share": (len(groups) - all_zero - all_one) / len(groups),
        "episodes": count,
        "mean_reward": sum(episode.score or 0.0 for episode in episodes) / count,
        "answer_valid_share": sum(episode.answer_valid for episode in episodes) / count,
        "call_share": sum(episode.tool_calls > 0 for episode in episodes) / count,
        "tool_error_share": sum(episode.tool_errors > 0 for episode in episodes) / count,
        "terminated_by": {end: ends[end] / count for end in sorted(ends)},
        "truncated_share": (ends["length"] + ends["tool_overflow"]) / count,
        "turns": len(turns) / count,
        "tokens_a_turn": sum(turns) / len(turns) if turns else 0.0,
        **{name: metrics.get(key) for name, key in METRICS.items()},
    }


def signal_lines(
    episodes: Iterable[Episode], groups: Mapping[int, set[str]], metrics: Mapping[int, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Lines of all steps whose groups and metrics are known, by step. ``metrics``: step -> verl's keys."""
    step_of = {uid: step for step, uids in groups.items() for uid in uids}
    played: dict[int, list[Episode]] = defaultdict(list)
    for episode in episodes:
        step = step_of.get(episode.uid)
        if step is not None and episode.error is None:
            played[step].append(episode)
    return [step_signal(step, played[step], metrics[step]) for step in sorted(played) if step in metrics]


def write_signal(run: Path, metrics: Mapping[int, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Write ``<run>/signal.jsonl`` anew from transcripts, rollout dumps and ``metrics``; returns its lines."""
    lines = signal_lines(read_transcripts(run / "transcripts"), trained_groups(run / "rollouts"), metrics)
    text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    atomic_write_text(run / "signal.jsonl", text)
    return lines


def steps_with_signal(lines: Iterable[Mapping[str, Any]]) -> int:
    """Steps with at least one mixed group; 0 means ``ran_without_signal``, whatever verl returned (7.6)."""
    return sum(line["mixed_groups"] > 0 for line in lines)


def signal_findings(
    lines: Sequence[Mapping[str, Any]], held_out: Sequence[float] = (), device: str = "cpu"
) -> list[dict[str, str]]:
    """What the lines mean, as ``{name, says}``. ``held_out``: mean rewards of the validations, in order."""
    found: list[dict[str, str]] = []

    def say(name: str, text: str) -> None:
        found.append({"name": name, "says": text})

    run = longest_run(line["mixed_groups"] == 0 for line in lines)
    if run >= NO_SIGNAL_STEPS:
        say(
            "no_mixed_groups",
            f"{run} steps in a row without a mixed group: no gradient but that of KL; gate again (8.4)",
        )
    if lines and lines[-1]["mean_reward"] > SATURATED_REWARD and flat(held_out):
        say("saturated", "training reward above 0.95 while two validations stayed flat: saturated on the train prompts")
    entropies = [line["entropy"] for line in lines if line["entropy"] is not None]
    if entropies and (entropies[-1] < COLLAPSED_ENTROPY or entropies[-1] * COLLAPSE_FACTOR < entropies[0]):
        say("entropy_collapse", f"entropy went from {entropies[0]:.3g} to {entropies[-1]:.3g}")
    limit = DIFFERENCE_LIMITS.get(device, DIFFERENCE_LIMITS["other"])
    differences = [line["rollout_probs_diff_max"] for line in lines if line["rollout_probs_diff_max"] is not None]
    pearsons = [line["pearson"] for line in lines if line["pearson"] is not None]
    if (differences and max(differences) > limit) or (pearsons and min(pearsons) < LEAST_PEARSON):
        say(
            "weights_differ",
            f"rollout and actor do not hold the same weights: largest difference {max(differences):.3g}",
        )
    if lines and max(line["truncated_share"] for line in lines) > TRUNCATED_SHARE:
        worst = max(line["truncated_share"] for line in lines)
        say("truncated", f"up to {worst:.1%} of a step's episodes were cut: raise --max-response")
    return found


def longest_run(flags: Iterable[bool]) -> int:
    """Length of the longest run of true values."""
    longest = current = 0
    for flag in flags:
        current = current + 1 if flag else 0
        longest = max(longest, current)
    return longest


def flat(values: Sequence[float]) -> bool:
    """The last value is within half a point of the two before it."""
    return len(values) >= 3 and all(abs(values[-1] - value) <= FLAT for value in values[-3:-1])
