"""geometry3k: what its scores mean, accuracy with its interval, and why an accuracy is zero (formal-case.md 14).

verl's score is ``0.9·acc + 0.1·format``; the dump's ``acc`` is that blended score again. Everything here is pure over
the lines of a dump.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

STRICT = 0.9
FORMAT_ONLY, FULL = 0.1, 1.0
TOLERANCE = 1e-6
Z95 = 1.959963984540054
BOX = "\\boxed{"
THINK_END = "</think>"
IMAGE_MARKS = ("<|image_pad|>", "<|vision_start|>", "<image>", "<|image|>")
TOKENS_SLACK = 8
"""Outputs that end within so many tokens of the limit count as cut."""
CAUSES = (
    "validation_mode",
    "too_few_samples",
    "empty_output",
    "no_box",
    "truncated",
    "graded_otherwise",
    "truth_missing",
    "image_missing",
    "wrong_answer",
)
"""The ladder, in order."""


class Wilson(NamedTuple):
    """A share with its 95 % Wilson interval."""

    hits: int
    n: int
    share: float | None
    low: float | None
    high: float | None


def wilson(hits: int, n: int) -> Wilson:
    """The interval of ``hits`` among ``n``; all None for n = 0."""
    if n <= 0:
        return Wilson(hits, n, None, None, None)
    share, square = hits / n, Z95 * Z95
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = Z95 * math.sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return Wilson(
        hits, n, share, 0.0 if hits == 0 else max(0.0, centre - half), 1.0 if hits == n else min(1.0, centre + half)
    )


@dataclass(frozen=True)
class Sample:
    """One line of a dump."""

    input: str
    output: str
    truth: str
    score: float | None
    uid: str

    @property
    def strict(self) -> bool:
        """The box was graded equal to the truth."""
        return self.score is not None and self.score >= STRICT - TOLERANCE

    @property
    def formatted(self) -> bool:
        """The whole output matched think block, then a box."""
        return self.score is not None and any(abs(self.score - each) <= TOLERANCE for each in (FORMAT_ONLY, FULL))


def read_dump(data: bytes) -> list[Sample]:
    """Samples of a ``<step>.jsonl`` dump; what is no whole line is passed over."""
    samples = []
    for raw in data.split(b"\n"):
        try:
            entry = json.loads(raw) if raw.strip() else None
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            samples.append(_sample(entry))
    return samples


def _sample(entry: Mapping[str, Any]) -> Sample:
    return Sample(
        input=_text(entry.get("input")),
        output=_text(entry.get("output")),
        truth=_text(entry.get("gts")),
        score=_finite(entry.get("score")),
        uid=_text(entry.get("uid")),
    )


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # a whole number of more than 308 digits
        return None


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class Accuracy:
    """Named measures of a dump; never a single "accuracy"."""

    samples: int
    strict: Wilson
    format_rate: float | None
    mean_score: float | None
    unscored: int

    def as_dict(self) -> dict[str, Any]:
        """Keys of formal-case.md 9.4."""
        return {
            "samples": self.samples,
            "strict_acc": self.strict.share,
            "strict_acc_low": self.strict.low,
            "strict_acc_high": self.strict.high,
            "format_rate": self.format_rate,
            "mean_score": self.mean_score,
        }


def accuracy(samples: Sequence[Sample]) -> Accuracy:
    """strict_acc, format_rate and mean_score over the scored samples."""
    scored = [sample for sample in samples if sample.score is not None]
    count = len(scored)
    return Accuracy(
        samples=len(samples),
        strict=wilson(sum(sample.strict for sample in scored), count),
        format_rate=sum(sample.formatted for sample in scored) / count if count else None,
        mean_score=math.fsum(sample.score or 0.0 for sample in scored) / count if count else None,
        unscored=len(samples) - count,
    )


def extract_box(output: str) -> str | None:
    """The content of the last ``\\boxed{`` with balanced braces; None where there is none. For diagnosis only."""
    start = output.rfind(BOX)
    while start >= 0:
        depth, position = 1, start + len(BOX)
        while position < len(output) and depth:
            depth += {"{": 1, "}": -1}.get(output[position], 0)
            position += 1
        if depth == 0:
            return output[start + len(BOX) : position - 1]
        start = output.rfind(BOX, 0, start)
    return None


_UNITS = re.compile(r"(?:\\text\{[^{}]*\}|\\mathrm\{[^{}]*\}|\\circ|°|度|degrees?|cm|mm|km|units?|sq|square|m|ft|in)+$")
_FRAC = re.compile(r"\\[dt]?frac\{([^{}]+)\}\{([^{}]+)\}")


def normalise(answer: str) -> str:
    """An answer without spaces, units, degrees and with ``\\frac{a}{b}`` as ``a/b``."""
    text = re.sub(r"\\[,;:! ]|\s|\$", "", answer.strip())
    text = text.replace("\\left", "").replace("\\right", "").replace("^{\\circ}", "\\circ").replace("^\\circ", "\\circ")
    while (shorter := _FRAC.sub(r"\1/\2", text)) != text:
        text = shorter
    text = text.replace("^\\circ", "").replace("^", "^")
    bare = _UNITS.sub("", text)
    return (bare or text).rstrip(".").lower()


def same_answer(answer: str, truth: str) -> bool:
    """Equal after normalising, as texts or as numbers."""
    one, two = normalise(answer), normalise(truth)
    if one == two:
        return bool(one)
    first, second = _value(one), _value(two)
    return first is not None and second is not None and math.isclose(first, second, rel_tol=1e-6, abs_tol=1e-9)


def _value(text: str) -> float | None:
    first, *rest = text.split("/")
    try:
        value = float(first)
        for each in rest:
            value /= float(each)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class Cause:
    """One rung of the zero-accuracy ladder: how many outputs it takes."""

    id: str
    count: int
    note: str = ""


def zero_ladder(
    samples: Sequence[Sample],
    *,
    validation: bool,
    output_tokens: int | None = None,
    lengths: Sequence[int] | None = None,
) -> list[Cause]:
    """Why ``strict_acc`` is 0: each output gets the first cause that fits (3 to 9); 1 and 2 speak of the whole.

    ``lengths``: tokens of each output, counted with the checkpoint's tokenizer, where they are known. Empty when the
    accuracy is not 0 or nothing was scored.
    """
    measured = accuracy(samples)
    if measured.strict.n == 0 or measured.strict.hits > 0:
        return []
    counted = Counter(
        _cause(sample, output_tokens, None if lengths is None else lengths[place])
        for place, sample in enumerate(samples)
    )
    bound = measured.strict.high or 0.0
    where = "validation: parameters were never changed" if validation else "training samples of the rollouts are judged"
    found = [
        Cause("validation_mode", len(samples) if validation else 0, where),
        Cause(
            "too_few_samples", len(samples), f"with n = {measured.strict.n} an accuracy up to {bound:.4f} fits with 0"
        ),
    ]
    return found + [Cause(name, counted.get(name, 0)) for name in CAUSES[2:]]


def _cause(sample: Sample, output_tokens: int | None, length: int | None) -> str:
    output = sample.output.strip()
    if not output:
        return "empty_output"
    at_limit = output_tokens is not None and length is not None and length >= output_tokens - TOKENS_SLACK
    if BOX not in output:
        return "no_box"
    if at_limit or THINK_END not in output:
        return "truncated"
    box = extract_box(output)
    if box is not None and sample.truth.strip() and same_answer(box, sample.truth):
        return "graded_otherwise"
    if not sample.truth.strip():
        return "truth_missing"
    if sample.input and not any(mark in sample.input for mark in IMAGE_MARKS):
        return "image_missing"
    return "wrong_answer"


def truncated(samples: Iterable[Sample], output_tokens: int | None = None, lengths: Sequence[int] | None = None) -> int:
    """How many outputs were cut: at the limit, or without an end of thought."""
    count = 0
    for place, sample in enumerate(samples):
        at_limit = output_tokens is not None and lengths is not None and lengths[place] >= output_tokens - TOKENS_SLACK
        count += at_limit or THINK_END not in sample.output
    return count


@dataclass(frozen=True)
class Consistency:
    """Share of equal extracted answers of two modes, joined by (input, gts)."""

    equal: int
    n: int
    share: float | None
    left_out: int
    """Lines whose pair stands more than once in one of the dumps, or in one dump only."""


def consistency(first: Sequence[Sample], second: Sequence[Sample]) -> Consistency:
    """Compare two modes by the pair (input, gts), never by position; repeated pairs are left out and counted.

    Raises ``ValueError`` when a mode is compared with itself: that is no figure.
    """
    if first is second:
        raise ValueError("a mode compared with itself is no figure")
    left, right = _by_pair(first), _by_pair(second)
    joined = [pair for pair in left if len(left[pair]) == 1 and len(right.get(pair, ())) == 1]
    equal = sum(_equal_boxes(left[pair][0], right[pair][0]) for pair in joined)
    used = len(joined)
    return Consistency(equal, used, equal / used if used else None, len(first) + len(second) - 2 * used)


def _by_pair(samples: Sequence[Sample]) -> dict[tuple[str, str], list[Sample]]:
    found: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        found.setdefault((sample.input, sample.truth), []).append(sample)
    return found


def _equal_boxes(one: Sample, two: Sample) -> bool:
    first, second = extract_box(one.output), extract_box(two.output)
    if first is None or second is None:
        return first is second
    return normalise(first) == normalise(second)


def mixed_groups(samples: Sequence[Sample]) -> tuple[int, int]:
    """(groups whose scores differ, all groups) of a rollout dump; a group is what shares (input, gts)."""
    groups: dict[str, set[float | None]] = {}
    for sample in samples:
        groups.setdefault(prompt_of(sample.uid) or f"{sample.input}\n{sample.truth}", set()).add(sample.score)
    return sum(len(scores) > 1 for scores in groups.values()), len(groups)


def prompt_of(uid: str) -> str:
    """The prompt's part of a dumped uid ``<prompt>_<sample>_<output>``."""
    parts = uid.rsplit("_", 2)
    return parts[0] if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit() else uid


def session_of(uid: str) -> str:
    """A sample's own part of a dumped uid: the index of a turn's output left out."""
    parts = uid.rsplit("_", 2)
    return f"{parts[0]}_{parts[1]}" if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit() else uid
