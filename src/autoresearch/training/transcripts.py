"""Transcripts: one JSON line an episode, with the tokens its numbers were made from (training.md 6.6). Standard
library only.

Each process appends to a file of its own in one folder. Prompts share a long system block: its ids are written once,
as a line ``{"prefix": <sha256>, "prefix_ids": […]}``, and an episode that starts with them names the prefix and keeps
the rest. ``read_transcripts`` joins them again.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SHORTEST_PREFIX = 32
"""Tokens below which a shared beginning is not worth a line of its own."""


@dataclass(frozen=True)
class Episode:
    """One prompt played to its end. ``error`` is set, and ``score`` None, exactly when the infrastructure failed."""

    source_id: str
    sample: int
    prompt_ids: list[int] = field(default_factory=list)
    response_ids: list[int] = field(default_factory=list)
    """All tokens after the prompt: what the model wrote and what tools answered."""
    response_mask: list[int] = field(default_factory=list)
    """1 where the model wrote the token, else 0; as long as ``response_ids``."""
    text: str = ""
    """``response_ids`` decoded, special tokens kept."""
    turns: list[dict[str, Any]] = field(default_factory=list)
    """One entry a generation: tokens, stop_reason, calls, dropped_calls, tool_errors, surfaced."""
    final_text: str = ""
    """The last segment: the last generation decoded without specials; empty if the episode ended on a call or a tool
    result.
    """
    answer: dict[str, str] | None = None
    """``{choice_id, category_id, level}`` of a valid answer."""
    reason: str = ""
    score: float | None = None
    category_exact: bool = False
    level_exact: bool = False
    under_graded: bool = False
    over_graded: bool = False
    answer_valid: bool = False
    tool_calls: int = 0
    tool_errors: int = 0
    terminated_by: str = ""
    """``answer``, ``turn_limit``, ``length``, ``tool_overflow``; ``error`` when the infrastructure failed."""
    error: str | None = None
    seconds: float = 0.0
    uid: str = ""
    """verl's id of the group in training; empty elsewhere."""
    step: int | None = None
    model_tree: str = ""

    @property
    def surfaced(self) -> list[str]:
        """Choice ids that searches of this episode have shown, in order of appearance, once each."""
        return list(dict.fromkeys(choice for turn in self.turns for choice in turn.get("surfaced", ())))

    @property
    def model_tokens(self) -> int:
        """Tokens that the model wrote."""
        return sum(self.response_mask)


class TranscriptWriter:
    """Appends episodes to one file; safe for several threads of one process. The folder is made when needed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._previous: list[int] | None = None
        self._prefix: tuple[str, list[int]] | None = None

    def write(self, episode: Episode) -> None:
        """Append one episode. ``OSError`` when the disk does not take it: numbers without transcripts must not
        exist.
        """
        record = dataclasses.asdict(episode)
        with self._lock:
            lines = self._shorten(record, episode.prompt_ids)
            lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8", newline="\n") as handle:
                handle.write("".join(line + "\n" for line in lines))

    def _shorten(self, record: dict[str, Any], prompt_ids: list[int]) -> list[str]:
        if not prompt_ids:
            return []
        lines: list[str] = []
        if self._prefix is None or prompt_ids[: len(self._prefix[1])] != self._prefix[1]:
            self._prefix = None
            if self._previous is not None:
                shared = shared_prefix(self._previous, prompt_ids)
                # Equal prompts say nothing about where the shared block ends.
                if SHORTEST_PREFIX <= len(shared) < min(len(prompt_ids), len(self._previous)):
                    name = prefix_name(shared)
                    self._prefix = (name, shared)
                    lines.append(json.dumps({"prefix": name, "prefix_ids": shared}, separators=(",", ":")))
            self._previous = prompt_ids
        if self._prefix is not None:
            record["prompt_prefix"] = self._prefix[0]
            record["prompt_ids"] = prompt_ids[len(self._prefix[1]) :]
        return lines


def prefix_name(ids: list[int]) -> str:
    """sha256 of token ids as comma-joined decimal text."""
    return hashlib.sha256(",".join(map(str, ids)).encode("ascii")).hexdigest()


def shared_prefix(first: list[int], second: list[int]) -> list[int]:
    """The longest common beginning of two id lists."""
    length = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        length += 1
    return first[:length]


def read_file(path: Path) -> Iterator[Episode]:
    """Episodes of one transcript file, prompts complete again. Raises ``ValueError`` with the line of a broken record.

    A last line without its newline is a write that was cut off; it is left out.
    """
    prefixes: dict[str, list[int]] = {}
    with path.open(encoding="utf-8") as handle:
        for number, line in enumerate(handle, start=1):
            if not line.endswith("\n"):
                return
            try:
                record = json.loads(line)
                if "prefix_ids" in record:
                    prefixes[record["prefix"]] = record["prefix_ids"]
                    continue
                name = record.pop("prompt_prefix", None)
                if name is not None:
                    record["prompt_ids"] = prefixes[name] + record["prompt_ids"]
                yield Episode(**record)
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}, line {number}: not a transcript record ({error})") from error


def read_transcripts(folder: Path) -> list[Episode]:
    """All episodes of a folder's ``*.jsonl`` files, files by name, each in the order of writing."""
    return [episode for path in sorted(folder.glob("*.jsonl")) for episode in read_file(path)]


def first_error(episodes: Iterable[Episode]) -> str | None:
    """The first infrastructure error, or None."""
    return next((episode.error for episode in episodes if episode.error is not None), None)
