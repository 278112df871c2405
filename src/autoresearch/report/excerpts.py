"""Transcripts shown on the page: the same three rows before and after, chosen by a stated rule (training.md 11.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.numbers_evaluation import readable_transcripts, transcript_folder
from autoresearch.files import sha256_text
from autoresearch.report.markup import visible
from autoresearch.training.transcripts import Episode

SHOWN = 3
LONGEST = 1500


@dataclass(frozen=True)
class Excerpt:
    """One episode as shown: what the model wrote and what came of it."""

    text: str
    cut: bool
    right: bool
    called: bool
    reason: str
    terminated_by: str


@dataclass(frozen=True)
class Pair:
    """One row before and after."""

    source_id: str
    before: Excerpt
    after: Excerpt


def excerpt(episode: Episode) -> Excerpt:
    """Shorten an episode's text and make hidden characters visible; escaping is the template's."""
    text = visible(episode.text or episode.final_text)
    return Excerpt(
        text=text[:LONGEST],
        cut=len(text) > LONGEST,
        right=episode.score == 1.0,
        called=episode.tool_calls > 0,
        reason=visible(episode.reason or episode.error or ""),
        terminated_by=visible(episode.terminated_by),
    )


def choose_rows(before: dict[str, Episode], after: dict[str, Episode]) -> list[str]:
    """Three of the rows in both, in the order of the sha256 of their ids: the first that called a tool before, the
    first that went from wrong to right, the first that went from right to wrong; where there is none, the next in
    that order.
    """
    order = sorted(before.keys() & after.keys(), key=sha256_text)
    chosen: list[str] = []
    wanted: tuple[Callable[[str], bool], ...] = (
        lambda name: before[name].tool_calls > 0,
        lambda name: before[name].score != 1.0 and after[name].score == 1.0,
        lambda name: before[name].score == 1.0 and after[name].score != 1.0,
    )
    for fits in wanted:
        found = next((name for name in order if name not in chosen and fits(name)), None)
        chosen += [found] if found is not None else []
    rest = [name for name in order if name not in chosen]
    return [*chosen, *rest][:SHOWN]


def transcript_pairs(bundle: Bundle) -> list[Pair]:
    """The rows of ``choose_rows``, sample 0 of each; empty unless there are transcripts before and after."""
    found: dict[str, dict[str, Episode]] = {}
    for name in ("before", "after"):
        episodes = readable_transcripts(transcript_folder(bundle, name)) or []
        found[name] = {each.source_id: each for each in episodes if each.sample == 0}
    rows = choose_rows(found["before"], found["after"])
    return [Pair(visible(name), excerpt(found["before"][name]), excerpt(found["after"][name])) for name in rows]
