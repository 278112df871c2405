"""``sft budget``: tokens of every row by the checkpoint's own template, with tools and the row's thinking (4.10)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch import __version__
from autoresearch.errors import InputError, RefusedError, require
from autoresearch.files import write_json
from autoresearch.findings import FindingCounter, finding
from autoresearch.progress import bar
from autoresearch.releases.columns import read_row_groups
from autoresearch.releases.episode_rows import STAGE1
from autoresearch.releases.header import SPLITS, ReleaseHeader
from autoresearch.releases.prompt_tokens import PromptCounter
from autoresearch.releases.release import Release
from autoresearch.releases.report_forms import TokenBudget
from autoresearch.releases.tokenizers import load_tokenizer, template_sha256, tokenizer_sha256
from autoresearch.verdict import Verdict, make_verdict, write_verdict

if TYPE_CHECKING:
    from autoresearch.task.segments import SegmentCache

FORMAT = "autoresearch-token-budget-v1"
TOOL_TEXT_LIMIT = 4_096
RL_FAMILIES = ("rl-pairs", "rl-cascade")


@dataclass(frozen=True)
class Limits:
    """Most tokens: of a row, of the prompt of a rollout, of its completion; None where it is not judged."""

    max_length: int | None = None
    rollout_prompt: int | None = None
    rollout_response: int | None = None


@dataclass(frozen=True)
class RowTokens:
    """Tokens of one row. RL rows have a prompt only; ``completion`` counts turns and tool results together."""

    source_id: str
    total: int
    prompt: int
    completion: int
    trained: int
    longest_tool_text: int = 0
    """Characters of the longest tool result; a rollout cuts at ``TOOL_TEXT_LIMIT``."""
    thinking_differs: bool = False


@dataclass
class SplitTokens:
    """Tokens of a split, and the rows over a limit."""

    rows: list[RowTokens] = field(default_factory=list)

    def report(self, limits: Limits) -> dict[str, Any]:
        """The block of one split."""
        longest = max(self.rows, key=lambda row: row.total)
        return {
            "rows": len(self.rows),
            "max_tokens": longest.total,
            "p95": p95([row.total for row in self.rows]),
            "longest_source_id": longest.source_id,
            "longest_prompt": max(row.prompt for row in self.rows),
            "longest_completion": max(row.completion for row in self.rows),
            "loss_tokens": sum(row.trained for row in self.rows),
            "over_limit": over(self.rows, "total", limits.max_length),
            "over_prompt_limit": over(self.rows, "prompt", limits.rollout_prompt),
            "over_response_limit": over(self.rows, "completion", limits.rollout_response),
        }


def over(rows: Sequence[RowTokens], part: str, limit: int | None) -> list[str]:
    """Source ids of the rows whose ``part`` is over ``limit``."""
    return [] if limit is None else [row.source_id for row in rows if getattr(row, part) > limit]


def p95(values: Sequence[int]) -> int:
    """The element at ``max(0, floor(0.95 n) - 1)`` of the sorted values."""
    return sorted(values)[max(0, int(0.95 * len(values)) - 1)]


def check(
    folder: Path, model: Path, limits: Limits, *, report: Path | None = None, verdict: Path | None = None
) -> dict[str, Any]:
    """Count every row of a release; returns the report, ``valid`` when nothing is over.

    ``report`` and ``verdict`` are written where given. Raises ``InputError`` when a split is missing, no limit fits the
    family, the folder holds no tokenizer, or a row cannot be rendered as inference would see it; ``RefusedError`` when
    the verdict file exists.
    """
    if verdict is not None and verdict.exists():
        raise RefusedError(f"{verdict} exists; a verdict is never overwritten: give another --verdict")
    release = Release(folder)
    limits = _limits_of(release.header, limits)
    changed = release.verify()
    if changed:
        raise RefusedError(f"{folder} is not as it was published: {changed[0].message()}", changed)
    tokenizer = load_tokenizer(model)
    counted = {split: SplitTokens(list(_count(release, split, tokenizer))) for split in SPLITS}
    for split, tokens in counted.items():
        if not tokens.rows:
            raise InputError(f"{folder}: the split {split} has no row")
    splits = {split: tokens.report(limits) for split, tokens in counted.items()}
    found = budget_findings(counted, limits)
    facts = {
        "format": FORMAT,
        "family": release.family,
        "dataset": release.header.dataset,
        "enable_thinking": release.header.enable_thinking,
        "think_default_used": False,
        "limits": {
            "max_length": limits.max_length,
            "rollout_prompt": limits.rollout_prompt,
            "rollout_response": limits.rollout_response,
        },
        "release": {"name": release.path.name, "report_sha256": release.report_sha256},
        "template_sha256": template_sha256(model),
        "tokenizer_sha256": tokenizer_sha256(model),
        "splits": splits,
        "findings": found.summary(),
        "valid": not found.errors,
    }
    content = TokenBudget.model_validate(facts).model_dump(mode="json")
    if report is not None:
        write_json(report, content)
    if verdict is not None:
        write_verdict(verdict, budget_verdict(release, model, limits, content, counted, report, verdict.parent))
    return content


def budget_findings(counted: Mapping[str, SplitTokens], limits: Limits) -> FindingCounter:
    """A030, A031, A032 and A004 of all rows (8.4)."""
    found = FindingCounter()
    parts = (
        ("A030", "total", limits.max_length),
        ("A031", "prompt", limits.rollout_prompt),
        ("A030", "completion", limits.rollout_response),
    )
    for split, tokens in counted.items():
        for row in tokens.rows:
            place = f"{split}, {row.source_id}"
            for code, part, limit in parts:
                count = int(getattr(row, part))
                if limit is not None and count > limit:
                    found.add(finding(code, place=place, value=str(count), rule=f"{part} tokens, {limit} at most"))
            if row.longest_tool_text > TOOL_TEXT_LIMIT:
                value = str(row.longest_tool_text)
                found.add(finding("A032", place=place, value=value, rule=f"characters, {TOOL_TEXT_LIMIT} at most"))
            if row.thinking_differs:
                found.add(finding("A004", place=place, rule="the row's enable_thinking is not that of the header"))
    return found


def _limits_of(header: ReleaseHeader, limits: Limits) -> Limits:
    """For RL rows ``max_length`` alone is the limit of the prompt; some limit must be there."""
    if header.family in RL_FAMILIES:
        prompt = limits.rollout_prompt if limits.rollout_prompt is not None else limits.max_length
        if prompt is None:
            raise InputError("the limit of prompts is not known: give --rollout-prompt or --max-length")
        return Limits(None, prompt, limits.rollout_response)
    if limits.max_length is None:
        raise InputError("the limit of rows is not known: give --max-length, the trainer's")
    return limits


def _count(release: Release, split: str, tokenizer: Any) -> Iterator[RowTokens]:
    from autoresearch.task.segments import SegmentCache

    path = release.parquet(split)
    rows = release.report.splits[split].rows
    cache, prompts = SegmentCache(tokenizer), PromptCounter(tokenizer, release.header.enable_thinking)
    with bar(f"tokens {split}", rows) as progress:
        for group in read_row_groups(path):
            for row in group:
                if release.family in RL_FAMILIES:
                    yield _prompt_tokens(row, prompts)
                else:
                    yield _row_tokens(row, cache, release.header.enable_thinking)
            progress.advance(len(group))


def _row_tokens(row: Mapping[str, Any], cache: SegmentCache, thinking: bool) -> RowTokens:
    from autoresearch.task.conversation import decode_row

    encoded = cache.encode(decode_row(row))
    mask = encoded.loss_mask
    first = next(index for index, weight in enumerate(mask) if weight)
    last = len(mask) - next(index for index, weight in enumerate(reversed(mask)) if weight)
    trained = sum(1 for weight in mask if weight)
    return RowTokens(
        source_id=row["source_id"],
        total=len(encoded.input_ids),
        prompt=first,
        completion=last - first,
        trained=trained,
        longest_tool_text=max((len(item["content"]) for item in row["messages"] if item["role"] == "tool"), default=0),
        thinking_differs=row.get("enable_thinking", thinking) is not thinking,
    )


def _prompt_tokens(row: Mapping[str, Any], prompts: PromptCounter) -> RowTokens:
    extra = row["extra_info"]
    native = extra["stage"] == STAGE1 and extra["trajectory_format"] is not None
    count = prompts.count(row["prompt"], native)
    return RowTokens(extra["source_id"], count, count, 0, 0)


def budget_verdict(
    release: Release,
    model: Path,
    limits: Limits,
    content: Mapping[str, Any],
    counted: Mapping[str, SplitTokens],
    report: Path | None,
    folder: Path,
) -> Verdict:
    """The verdict of the gate ``token_budget`` (training.md 8.2)."""
    every = [(split, row) for split, tokens in counted.items() for row in tokens.rows]
    splits = content["splits"].values()
    longest: dict[str, Any] = {}
    sft = release.family not in RL_FAMILIES
    parts = {"longest_row": "total", "longest_prompt": "prompt", "longest_completion": "completion"}
    for name, part in parts.items():
        if not sft and part != "prompt":
            continue
        split, row = max(every, key=lambda item: int(getattr(item[1], part)))
        longest[name] = {"tokens": getattr(row, part), "source_id": row.source_id, "split": split}
    for key in ("over_limit", "over_prompt_limit", "over_response_limit"):
        longest[key] = {"numerator": sum(len(item[key]) for item in splits), "denominator": len(every)}
    stated = [
        f"{name} <= {limit}"
        for name, limit in (
            ("row tokens", limits.max_length),
            ("prompt tokens", limits.rollout_prompt),
            ("completion tokens", limits.rollout_response),
        )
        if limit is not None
    ]
    transformers = require("transformers", "train")
    return make_verdict(
        gate="token_budget",
        passed=bool(content["valid"]),
        status="passed" if content["valid"] else "over_budget",
        rule=f"every row of every split, rendered with tools and the row's thinking: {', '.join(stated)}",
        numbers=longest,
        judged={
            "release": release.identity(),
            "template": {"name": model.name, "sha256": content["template_sha256"]},
            "tokenizer": {"name": model.name, "sha256": content["tokenizer_sha256"]},
        },
        settings={**content["limits"], "enable_thinking": release.header.enable_thinking},
        versions={"autoresearch": __version__, "transformers": str(transformers.__version__)},
        evidence=[] if report is None else [Path(os.path.relpath(report.resolve(), folder.resolve())).as_posix()],
    )
