"""Which SFT checkpoint goes to the rollout gate: a rule that is fixed before the run (training.md 11.3).

Two stretches of a training curve lie inside the gate's window: a plateau, where the format is learnt and answers are
drawn from the label frequencies, and the rise, where prompts are read. RL moves a held-out number only from the rise.
So a checkpoint qualifies when its rate lies in a narrower window *and* its interval lies above the majority baseline
of the same prompts. Probes are played in ascending order of steps on prompts that the gate does not use; the first that
qualifies is taken, and none is tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from autoresearch.gates.rollout_numbers import rollout_numbers
from autoresearch.training.episodes import EpisodeRow
from autoresearch.training.transcripts import Episode


@dataclass(frozen=True)
class ProbeRule:
    """Rates that qualify, ends included."""

    low: float
    high: float

    def text(self) -> str:
        """The rule as it is written into the result."""
        return (
            f"first checkpoint with {self.low:.2f} <= nonzero/episodes <= {self.high:.2f} and the lower end of its 95 %"
            " cluster-bootstrap interval above the majority baseline of the same prompts; no episode error; where the"
            " rate jumps over the window, the checkpoints between are probed too"
        )


@dataclass(frozen=True)
class Probe:
    """One probed checkpoint."""

    step: int
    numerator: int
    denominator: int
    rate: float
    interval: tuple[float, float]
    """95 %, cluster bootstrap by prompt."""
    majority: float
    above_baseline: bool
    errors: int
    answer_valid: float
    tool_call: float
    qualifies: bool

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return asdict(self)


def judge_probe(
    step: int,
    episodes: Sequence[Episode],
    rows: Sequence[EpisodeRow],
    train_rows: Sequence[EpisodeRow],
    rule: ProbeRule,
    *,
    samples: int,
    seed: int,
) -> Probe:
    """The numbers of one checkpoint's episodes and whether it qualifies."""
    numbers = rollout_numbers(episodes, rows, train_rows, samples=samples, seed=seed)
    rate = numbers["nonzero_reward_rate"]
    low, high = rate["cluster_bootstrap95"]
    errors = int(numbers["errors"]["count"])
    inside = rule.low <= rate["rate"] <= rule.high
    return Probe(
        step=step,
        numerator=rate["numerator"],
        denominator=rate["denominator"],
        rate=rate["rate"],
        interval=(low, high),
        majority=numbers["majority_baseline"]["rate"],
        above_baseline=bool(numbers["above_baseline"]),
        errors=errors,
        answer_valid=numbers["answer_valid"]["rate"],
        tool_call=numbers["tool_call"]["rate"],
        qualifies=inside and bool(numbers["above_baseline"]) and errors == 0,
    )


def probe_in_order(
    steps: Iterable[int], stride: int, probe: Callable[[int], Probe], rule: ProbeRule
) -> tuple[Probe | None, list[Probe]]:
    """Probe every ``stride``-th of ``steps`` in ascending order; returns the first that qualifies (or None) and all
    that were probed.

    Where the rate jumps over the window between two of them, the checkpoints between are probed too, in order. Probing
    ends early once two of the coarse ones in a row lie above the window: the rise is past.
    """
    every = sorted(steps)
    done: list[Probe] = []
    before: Probe | None = None
    for step in (step for step in every if step % stride == 0):
        found = probe(step)
        done.append(found)
        if found.qualifies:
            return found, done
        if found.rate > rule.high:
            if before is not None and before.rate > rule.high:
                break
            since = before.step if before is not None else step - stride
            for between in (other for other in every if since < other < step):
                done.append(probe(between))
                if done[-1].qualifies:
                    return done[-1], done
        before = found
    return None, done


def nearest(done: Sequence[Probe], rule: ProbeRule) -> dict[str, Any]:
    """The nearest probes below and above the rule's window, for the message when none qualified."""
    below = [probe for probe in done if probe.rate < rule.low]
    above = [probe for probe in done if probe.rate > rule.high]
    low = max(below, key=lambda probe: probe.rate, default=None)
    high = min(above, key=lambda probe: probe.rate, default=None)
    return {"below": low and low.as_dict(), "above": high and high.as_dict()}
