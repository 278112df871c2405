"""Calling ``fetch.py`` on a machine: what a hub lists for a revision, and a snapshot of it (formal-case.md 16)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

from autoresearch.assets.check import File
from autoresearch.assets.fetch import ENDPOINTS
from autoresearch.assets.machine import Machine
from autoresearch.assets.place import Done
from autoresearch.assets.registry import Entry, Hub
from autoresearch.errors import AutoResearchError, InfrastructureError
from autoresearch.files import sha256_file, strict_json_loads
from autoresearch.progress import event

PROGRAM = Path(__file__).with_name("fetch.py")
ASK_SECONDS = 180.0
LOOK_SECONDS = 5.0


class HubError(InfrastructureError):
    """A hub, or the way to it, failed. ``kind`` as ``fetch.py`` says it; ``lost`` when it said nothing."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class Route(NamedTuple):
    """One way to a hub."""

    hub: Hub
    proxy: str | None

    @property
    def name(self) -> str:
        """``modelscope``, or ``modelscope-proxy``."""
        return f"{self.hub}-proxy" if self.proxy else self.hub


@dataclass(frozen=True)
class Listing:
    """What a hub says of a revision."""

    route: Route
    repo: str
    revision: str
    """The commit; the name that was asked for where the hub names no commit."""
    commit: str | None
    files: tuple[File, ...]
    client: str

    @property
    def bytes(self) -> int | None:
        """Of all files; None where the size of one is unknown."""
        sizes = [file.bytes for file in self.files]
        return sum(size for size in sizes if size is not None) if None not in sizes else None


def routes(machine: Machine, hubs: tuple[Hub, ...]) -> list[Route]:
    """The hubs in order, then the same through the proxy."""
    ways: list[str | None] = [None, machine.proxy] if machine.proxy else [None]
    return [Route(hub, proxy) for proxy in ways for hub in hubs]


def ask_hub(machine: Machine, entry: Entry, route: Route) -> Listing:
    """Commit and files of an entry's source. Raises ``HubError``."""
    source = entry.sources[route.hub]
    words = ["ask", route.hub, entry.kind, source.id, *(["--revision", source.revision] if source.revision else [])]
    answer = _call(machine, route, words, machine.root, ASK_SECONDS)
    files = tuple(File(item["path"], item["bytes"], item["sha256"]) for item in answer["files"])
    if not files:
        raise HubError(f"{route.hub} lists no files for {source.id}", "not-there")
    default = "master" if route.hub == "modelscope" else "main"
    revision = answer["commit"] or source.revision or default
    return Listing(route, source.id, revision, answer["commit"], files, answer["client"])


def get_from_hub(machine: Machine, entry: Entry, listing: Listing, folder: str) -> None:
    """Download a listed snapshot into ``folder`` on the machine, going on with what is there. Raises ``HubError``."""
    route = listing.route
    words = ["get", route.hub, entry.kind, listing.repo, "--revision", listing.revision, "--folder", folder]
    with _watched(machine, folder, f"{listing.repo} from {route.name}", listing.bytes):
        _call(machine, route, words, folder, None)


def _call(machine: Machine, route: Route, words: list[str], folder: str, timeout: float | None) -> dict[str, Any]:
    program = str(PROGRAM)
    if not machine.here:
        program = machine.state(f"fetch-{sha256_file(PROGRAM)[:16]}.py")
        machine.place.put(PROGRAM, program)
    endpoint = os.environ.get(ENDPOINTS[route.hub])
    argv = [*machine.client(folder), program, *words]
    argv += ["--endpoint", endpoint] if endpoint else []
    argv += ["--proxy", route.proxy] if route.proxy else []
    done = machine.place.run(argv, timeout=timeout)
    answer = _answer(done)
    if answer is None:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.exit_code}"])[-1]
        raise HubError(f"{route.name} on {machine.server}: {last[-400:]}", "lost")
    if "error" in answer:
        raise HubError(f"{route.name} on {machine.server}: {answer['error']}", answer["kind"])
    return answer


def _answer(done: Done) -> dict[str, Any] | None:
    """The last line that is a JSON object: clients print notes of their own."""
    for line in reversed(done.stdout.splitlines()):
        if line.startswith("{"):
            try:
                found: dict[str, Any] = strict_json_loads(line)
            except ValueError:
                return None
            return found
    return None


@contextmanager
def _watched(machine: Machine, folder: str, what: str, total: int | None) -> Iterator[None]:
    """Report every few seconds how much lies in a folder while the block loads into it."""
    over = Event()

    def watch() -> None:
        while not over.wait(LOOK_SECONDS):
            try:
                words = machine.place.run(["du", "-sk", folder]).stdout.split()
            except AutoResearchError:
                continue
            if words and words[0].isdigit():
                event("assets", what, done_bytes=int(words[0]) * 1024, of_bytes=total)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
