"""``LocalHost``: this machine as a host (formal-case.md 6.1)."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from autoresearch.errors import InfrastructureError
from autoresearch.files import sha256_file
from autoresearch.hosts.protocol import Done, Left, Tunnel
from autoresearch.hosts.selection import reason_to_leave
from autoresearch.hosts.shell import detached

TIMED_OUT = 124


class LocalHost:
    """Runs everything here, with this interpreter. Tunnels are the services themselves: nothing is opened."""

    kind: Literal["local", "ssh"] = "local"

    def __init__(self, name: str, workdir: str) -> None:
        self.name = name
        self.workdir = str(Path(workdir).expanduser().absolute())
        self.python = sys.executable
        self._tunnels: dict[str, Tunnel] = {}

    def __enter__(self) -> LocalHost:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(
        self,
        argv: Sequence[str],
        *,
        timeout: float | None = 60.0,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> Done:
        """See ``Place.run``; a program that is not there is exit code 127, as in a shell."""
        try:
            done = subprocess.run(
                list(argv),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=timeout,
                env={**os.environ, **(env or {})},
                cwd=cwd,
            )
        except subprocess.TimeoutExpired as error:
            return Done(TIMED_OUT, _text(error.stdout), _text(error.stderr) + f"\nended after {timeout} s")
        except OSError as error:
            return Done(127, "", f"{argv[0]}: {error}")
        return Done(done.returncode, _text(done.stdout), _text(done.stderr))

    def put(self, source: Path, target: str) -> None:
        """See ``Place.put``; a target that is the same file already stays."""
        goal = Path(target)
        pairs = [(source, goal)] if source.is_file() else _files_below(source, goal)
        for one, other in pairs:
            if (
                other.is_file()
                and other.stat().st_size == one.stat().st_size
                and sha256_file(other) == sha256_file(one)
            ):
                continue
            other.parent.mkdir(parents=True, exist_ok=True)
            partial = other.with_name(other.name + ".partial")
            shutil.copyfile(one, partial)
            partial.replace(other)
            if sha256_file(other) != sha256_file(one):
                raise InfrastructureError(f"{other}: what was written has another sha256 than {one}; check the disk")

    def get_tree(
        self, source: str, target: Path, *, exclude: Sequence[str] = (), max_bytes: int | None = None
    ) -> list[Left]:
        """See ``Host.get_tree``."""
        root, left = Path(source), list[Left]()
        for path in sorted(root.rglob("*")):
            relative = path.relative_to(root).as_posix()
            facts = path.lstat()
            if stat.S_ISDIR(facts.st_mode):
                continue
            if not stat.S_ISREG(facts.st_mode):
                left.append(Left(relative, None, "a link" if path.is_symlink() else "no regular file"))
                continue
            reason = reason_to_leave(relative, facts.st_size, exclude=exclude, max_bytes=max_bytes)
            if reason is None:
                reason = _copy(path, target / relative, facts)
            if reason is not None:
                left.append(Left(relative, facts.st_size, reason))
        return left

    def spawn_detached(self, argv: Sequence[str], *, log: str) -> None:
        """See ``Host.spawn_detached``."""
        done = self.run(detached(argv, log), timeout=30.0)
        if not done.ok:
            raise InfrastructureError(f"{argv[0]} was not started on {self.name}: {done.stderr.strip()}")

    def read_small(self, path: str, limit: int = 1 << 20) -> bytes | None:
        """See ``Place.read_small``."""
        try:
            with Path(path).open("rb") as handle:
                return handle.read(limit)
        except OSError:
            return None

    def read_many(self, paths: Sequence[str], limit: int = 1 << 20) -> list[bytes | None]:
        """See ``Host.read_many``."""
        return [self.read_small(path, limit) for path in paths]

    def kill_group(self, group: int, signal_name: Literal["TERM", "KILL", "INT"]) -> None:
        """See ``Host.kill_group``."""
        try:
            os.killpg(group, getattr(signal, f"SIG{signal_name}"))
        except (ProcessLookupError, PermissionError):
            return

    def forward(self, name: str, target: tuple[str, int], wanted_port: int) -> Tunnel:
        """The service itself is on this machine: its own port is the answer."""
        self._tunnels[name] = Tunnel(name, target, target[1], target[1], 0.0)
        return self._tunnels[name]

    def tunnels(self) -> list[Tunnel]:
        """See ``Host.tunnels``."""
        return list(self._tunnels.values())

    def free_space(self, path: str) -> int:
        """See ``Place.free_space``."""
        folder = Path(path).absolute()
        while not folder.exists():
            folder = folder.parent
        return shutil.disk_usage(folder).free

    def close(self) -> None:
        """Nothing is held."""


def _files_below(source: Path, goal: Path) -> list[tuple[Path, Path]]:
    if not source.is_dir():
        raise InfrastructureError(f"{source} is no file and no folder")
    return [(path, goal / path.relative_to(source)) for path in sorted(source.rglob("*")) if path.is_file()]


def _copy(path: Path, target: Path, facts: os.stat_result) -> str | None:
    """Copy one file with its time; the reason why not."""
    if target.is_file():
        have = target.stat()
        if have.st_size == facts.st_size and int(have.st_mtime) == int(facts.st_mtime):
            return None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(target.name + ".partial")
        shutil.copyfile(path, partial)
        os.utime(partial, (facts.st_atime, facts.st_mtime))
        partial.replace(target)
    except PermissionError:
        return "not readable"
    except FileNotFoundError:
        return "gone while it was read"
    return None


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")
