"""``Host``: one protocol for this machine and for ssh (formal-case.md 6.1). A container is a launch wrapper, no host.

A ``Host`` is a ``Place`` of ``assets/`` with the rest that a row needs. Commands are argv lists; paths on the host are
absolute POSIX paths as text. Every method raises ``HostUnreachable`` when the host does not answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from autoresearch.assets.place import Done, HostUnreachable, Place

__all__ = ["Done", "Host", "HostUnreachable", "Left", "Place", "Tunnel"]


@dataclass(frozen=True)
class Left:
    """A file that ``get_tree`` did not bring: path below the folder, bytes if known, reason (for skipped-files)."""

    path: str
    bytes: int | None
    reason: str


@dataclass(frozen=True)
class Tunnel:
    """A reverse tunnel: ``remote_port`` on the host's loopback leads to ``target`` (host, port) as seen from here."""

    name: str
    target: tuple[str, int]
    wanted_port: int
    remote_port: int
    """The port that it got; another than ``wanted_port`` where that was in use (V311). 0 while it is down."""
    up_seconds: float
    """How long it has been up in all."""


class Host(Place, Protocol):
    """A machine that runs rows."""

    kind: Literal["local", "ssh"]
    workdir: str
    python: str
    """A Python >= 3.8 on the host."""

    def get_tree(
        self, source: str, target: Path, *, exclude: Sequence[str] = (), max_bytes: int | None = None
    ) -> list[Left]:
        """Copy the files below ``source`` into ``target``; a file that is here with the same size and time stays.

        ``exclude`` are patterns (``fnmatch``) of relative paths or of one of their parts; files above ``max_bytes``
        stay on the host, ``*.log`` never does. What did not come is returned.
        """
        ...

    def read_many(self, paths: Sequence[str], limit: int = 1 << 20) -> list[bytes | None]:
        """``read_small`` of several files by one question."""
        ...

    def spawn_detached(self, argv: Sequence[str], *, log: str) -> None:
        """Start a program in a session of its own, with no descriptor of ours; its output is appended to ``log``. It
        goes on when this process or its connection ends."""
        ...

    def kill_group(self, group: int, signal_name: Literal["TERM", "KILL", "INT"]) -> None:
        """Signal a process group; one that is gone is no error. The caller has checked that it is ours."""
        ...

    def forward(self, name: str, target: tuple[str, int], wanted_port: int) -> Tunnel:
        """Make ``target`` of this machine reachable on the host's loopback, for as long as the host is open."""
        ...

    def tunnels(self) -> list[Tunnel]:
        """The tunnels as they are now."""
        ...

    def close(self) -> None:
        """Let go of the connection and its tunnels; what was spawned goes on."""
        ...
