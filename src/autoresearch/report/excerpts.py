"""Transcripts shown on the page: the same three rows before and after, chosen by a stated rule (training.md 11.4)."""

from __future__ import annotations

from dataclasses import dataclass

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.numbers_evaluation import transcript_folder
from autoresearch.files import sha256_text
from autoresearch.report.markup import visible
from autoresearch.training.transcripts import Episode, read_transcripts

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


def transcript_pairs(bundle: Bundle) -> list[Pair]:
    """Of the rows in both transcripts, the first three by the sha256 of the source id, sample 0 of each."""
    found: dict[str, dict[str, Episode]] = {}
    for name in ("before", "after"):
        episodes = read_transcripts(folder) if (folder := transcript_folder(bundle, name)).is_dir() else []
        found[name] = {each.source_id: each for each in episodes if each.sample == 0}
    both = sorted(found["before"].keys() & found["after"].keys(), key=sha256_text)[:SHOWN]
    return [Pair(visible(name), excerpt(found["before"][name]), excerpt(found["after"][name])) for name in both]
