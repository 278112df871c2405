"""The verdict file of a gate: its form, how it is written once, read, and checked again (training.md 8.1).

Training reads verdicts and gates make them, so the format stands beside the rooms. A verdict is written for a failed
gate too and is never overwritten. Its last key is the sha256 of its own content without that key.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from autoresearch.errors import InputError, RefusedError
from autoresearch.files import content_digest, json_text, read_json

FORMAT: Literal["autoresearch-verdict-v1"] = "autoresearch-verdict-v1"
SELF_KEY = "sha256_of_self_without_this_key"
GATES = ("conflict", "token_budget", "host", "rollout", "provenance")


class Verdict(BaseModel):
    """One gate's answer about named inputs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["autoresearch-verdict-v1"] = FORMAT
    gate: str
    """One of ``GATES``."""
    passed: bool
    status: str
    """``passed`` or the word for why not."""
    rule: str
    """The rule in words and numbers, as it was applied."""
    numbers: dict[str, Any] = {}
    """Each with numerator and denominator where it is a share; intervals name their method."""
    judged: dict[str, Any] = {}
    """Role -> name and hashes of what was judged."""
    settings: dict[str, Any] = {}
    versions: dict[str, str] = {}
    machine: str = ""
    evidence: list[str] = []
    """Relative paths of the files that the numbers were made from."""
    attempt: int = 1
    sha256_of_self_without_this_key: str = ""

    def self_hash(self) -> str:
        """sha256 of the verdict's content without the hash itself."""
        content = self.model_dump(mode="json")
        content.pop(SELF_KEY)
        return content_digest(content)


def machine_name() -> str:
    """What kind of machine this is (system, architecture, processor count): no host name, no user."""
    return f"{platform.system().lower()}-{platform.machine()}-{os.cpu_count()}cpu"


def make_verdict(**fields: Any) -> Verdict:
    """Build a verdict and fill in its own hash; ``machine`` defaults to this machine."""
    fields.setdefault("machine", machine_name())
    draft = Verdict(**fields)
    return draft.model_copy(update={SELF_KEY: draft.self_hash()})


def write_verdict(path: Path, verdict: Verdict) -> None:
    """Write a verdict by exclusive create. Raises ``RefusedError`` when the file exists."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as handle:
            handle.write(json_text(verdict.model_dump(mode="json")))
    except FileExistsError as error:
        raise RefusedError(f"{path} exists; a verdict is never overwritten: give another --out") from error


def read_verdict(path: Path) -> Verdict:
    """Read a verdict and check its own hash. Raises ``InputError`` naming the file."""
    try:
        verdict = Verdict.model_validate(read_json(path))
    except (OSError, ValueError, ValidationError) as error:
        raise InputError(f"{path} is not a readable verdict: {str(error).splitlines()[0]}") from error
    if verdict.self_hash() != verdict.sha256_of_self_without_this_key:
        raise InputError(f"{path} was changed after it was written: its own sha256 differs; run the gate again")
    return verdict


def read_verdicts(folder: Path) -> list[tuple[Path, Verdict]]:
    """All verdicts of a folder, whatever their names, sorted by path; files of other formats are passed over."""
    found: list[tuple[Path, Verdict]] = []
    for path in sorted(folder.glob("*.json")):
        try:
            content = read_json(path)
        except ValueError:
            continue
        if isinstance(content, dict) and content.get("format") == FORMAT:
            found.append((path, read_verdict(path)))
    return found
