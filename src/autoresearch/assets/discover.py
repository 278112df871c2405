"""Large folders that a machine has already (formal-case.md 16, "Discovery")."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from autoresearch.assets.machine import Machine
from autoresearch.assets.registry import GB, Discovered, Entry

ROOTS = ("/home/data", "/data*", "/home/*/data", "/home/weights", "/home/*/weights", "/home/*/res/weights")
LARGE_BYTES = 10 * GB
SEARCH_SECONDS = 3600.0


def now() -> str:
    """UTC with ``Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def discover(machine: Machine, *, at_least: int = LARGE_BYTES, roots: Sequence[str] = ROOTS) -> list[Discovered]:
    """Folders of at least so many bytes with weights or data below ``roots`` and the machine's own root, by path."""
    answer = machine.ask(
        "inventory", "assets", *roots, machine.root, "--at-least", str(at_least), timeout=SEARCH_SECONDS
    )
    stamp = now()
    return [
        Discovered(
            server=machine.server,
            path=item["path"],
            size_gb=item["size_gb"],
            kind_guess=item["kind_guess"],
            name_guess=item["name_guess"],
            evidence=item["evidence"],
            scanned_at=stamp,
        )
        for item in answer["assets"]
    ]


def threshold(entry: Entry) -> int:
    """How large a copy of an entry must be to be looked at: half of what it is said to be, at most 10 GB."""
    return min(LARGE_BYTES, int((entry.size_gb or 0) * GB / 2))


def matches(entry: Entry, found: Discovered) -> bool:
    """Whether a folder may hold the entry, by its kind and the name it seems to have."""
    names = {entry.canonical_id, *(source.id for source in entry.sources.values())}
    names |= {name.rpartition("/")[2] for name in names}
    return found.kind_guess == entry.kind and found.name_guess.lower() in {name.lower() for name in names}
