"""What each capability was really run on (formal-case.md 19): data, so that a page can say what nobody has seen.

``seen`` lists runs of the real thing (``cpu``, ``nvidia``, ``ascend``) or tests over captured text (``captured``).
``docs/verified-on.md`` is made from it: ``python -m autoresearch.evidence.verified_on > docs/verified-on.md``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from autoresearch.files import read_json

Kind = Literal["cpu", "nvidia", "ascend", "captured"]
DATA = Path(__file__).with_name("verified_on.json")


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Sighting(_Form):
    """One thing that was seen working: where, when, by which command."""

    kind: Kind
    device: str
    date: str
    command: str
    note: str = ""


class Capability(_Form):
    """A part of the tool and what it was run on."""

    id: str
    zh: str
    en: str
    seen: tuple[Sighting, ...]
    attempted: str = ""
    """A real run that did not get through, and why."""

    def verified_on(self, accelerator: Kind) -> bool:
        """True when it ran on this accelerator for real."""
        return any(each.kind == accelerator for each in self.seen)


class VerifiedOn(_Form):
    """``verified_on.json``."""

    format: Literal["autoresearch-verified-on-v1"]
    capabilities: tuple[Capability, ...]


def load() -> VerifiedOn:
    """The shipped table."""
    return VerifiedOn.model_validate(read_json(DATA))


def unverified(accelerator: Kind) -> list[Capability]:
    """Capabilities without a run on this accelerator."""
    return [each for each in load().capabilities if not each.verified_on(accelerator)]


def page() -> str:
    """``docs/verified-on.md``."""
    lines = [
        "# What was run on what",
        "",
        "Made from `evidence/verified_on.json`. *Captured*: only recorded texts were read.",
        "",
        "| capability | seen on | command | what |",
        "| --- | --- | --- | --- |",
    ]
    for each in load().capabilities:
        for sighting in each.seen:
            where = f"{'captured: ' if sighting.kind == 'captured' else ''}{sighting.device}, {sighting.date}"
            lines.append(f"| {each.en} | {where} | `{sighting.command}` | {sighting.note} |")
        if not each.seen:
            lines.append(f"| {each.en} | **not verified** | | {each.attempted} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
