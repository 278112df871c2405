"""``Place``: the little that assets need of a machine. ``hosts/`` implements it for this machine and for ssh
(formal-case.md 1, "Wiring between rooms").

A ``Host`` of ``hosts/`` is a ``Place``; assets never import ``hosts/``, they are handed one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from autoresearch.errors import InfrastructureError


class HostUnreachable(InfrastructureError):
    """The machine does not answer, or the connection broke in the middle of a question."""


class Done(NamedTuple):
    """A command that ended."""

    exit_code: int
    """Negative for a signal, as in ``subprocess``."""
    stdout: str
    stderr: str

    @property
    def ok(self) -> bool:
        """True for exit code 0."""
        return self.exit_code == 0


class Place(Protocol):
    """A machine that holds files and runs commands. Paths on it are absolute POSIX paths, given as text.

    Every method raises ``HostUnreachable`` when the machine does not answer.
    """

    name: str
    """The server's name in the config; ``local`` is this machine."""

    def run(
        self,
        argv: Sequence[str],
        *,
        timeout: float | None = 60.0,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> Done:
        """Run a command to its end, without a shell of the caller's. After ``timeout`` seconds it is ended and the
        exit code is 124."""
        ...

    def put(self, source: Path, target: str) -> None:
        """Copy a file or a folder of this machine to ``target``: resumed by size and hash, ``*.partial`` then rename.
        Raises ``InfrastructureError`` when what arrived has another hash."""
        ...

    def read_small(self, path: str, limit: int = 1 << 20) -> bytes | None:
        """At most the first ``limit`` bytes of a file; None where there is none."""
        ...

    def free_space(self, path: str) -> int:
        """Free bytes for this user on the file system that holds ``path`` (its nearest existing parent is asked)."""
        ...
