"""``Machine``: a place with what the asset step needs of it, made by whoever opened the host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from autoresearch.assets.place import Place

STATE_FOLDER = ".autoresearch"
"""Below ``root``: memory of hashes, progress, the client program."""


class Ask(Protocol):
    """Asks a role of the runner on the machine for its JSON answer; ``InfrastructureError`` with its last words."""

    def __call__(self, *words: str, timeout: float = 120.0) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Machine:
    """A server, or this machine."""

    place: Place
    server: str
    """Its name in ``data.yaml``: ``local``, or the server's."""
    here: bool
    """True for this machine, whose size limit then holds."""
    root: str
    """Absolute: ``local_root`` or ``remote_root``."""
    ask: Ask
    client: Callable[[str], list[str]]
    """The command line that runs a Python program where the hub clients may be, able to write into the given folder:
    an interpreter, or ``docker run …``."""
    proxy: str | None = None
    """As seen from there, without user and password; None where there is none."""

    def state(self, name: str) -> str:
        """Path of a file of ours on the machine."""
        return f"{self.root}/{STATE_FOLDER}/{name}"
